import unittest

from hostkeeper.blocks import BlockError, find_block, remove_block, set_block

BLOCK = "# BEGIN hostkeeper: x\none\n# END hostkeeper: x\n"


class BlockTest(unittest.TestCase):
    def test_a_new_block_goes_to_the_end(self):
        self.assertEqual(set_block("a\nb\n", "x", ["one"]), "a\nb\n" + BLOCK)

    def test_a_block_stays_in_its_place(self):
        text = "a\n# BEGIN hostkeeper: x\nold\nolder\n# END hostkeeper: x\nb\n"
        self.assertEqual(set_block(text, "x", ["one"]), "a\n" + BLOCK + "b\n")

    def test_other_blocks_are_not_ours(self):
        text = set_block(BLOCK, "y", ["two"], comment=";")
        self.assertEqual(text, BLOCK + "; BEGIN hostkeeper: y\ntwo\n; END hostkeeper: y\n")

    def test_a_block_can_be_removed(self):
        self.assertEqual(remove_block("a\n" + BLOCK + "b\n", "x"), "a\nb\n")
        self.assertEqual(remove_block(BLOCK, "x"), "")
        self.assertEqual(remove_block("a\n", "x"), "a\n")

    def test_markers_that_do_not_fit_are_reported(self):
        for lines in (["# BEGIN hostkeeper: x"], ["# END hostkeeper: x", "# BEGIN hostkeeper: x"]):
            with self.subTest(lines), self.assertRaises(BlockError):
                find_block(lines, "x")


if __name__ == "__main__":
    unittest.main()
