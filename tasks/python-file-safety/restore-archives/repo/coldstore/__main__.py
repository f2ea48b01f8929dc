import sys

from coldstore.cli import main

sys.exit(main(sys.argv[1:]))
