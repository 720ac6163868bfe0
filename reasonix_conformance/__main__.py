"""`python -m reasonix_conformance` is the command `reasonix-conformance`."""

import sys

from reasonix_conformance.cli import main

if __name__ == "__main__":
    sys.exit(main())
