"""Mathematics, without any knowledge of what is measured."""
