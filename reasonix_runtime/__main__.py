"""`python -m reasonix_runtime` is the command `reasonix-runtime`."""

import sys

from reasonix_runtime.cli import main

if __name__ == "__main__":
    sys.exit(main())
