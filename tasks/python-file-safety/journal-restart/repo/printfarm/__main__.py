import sys

from printfarm.cli import main

sys.exit(main(sys.argv[1:]))
