import sys

from hostkeeper.cli import main

sys.exit(main(sys.argv[1:]))
