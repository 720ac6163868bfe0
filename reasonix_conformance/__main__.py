"""The way into `reasonix-conformance`, by its script and by `python -m reasonix_conformance`."""

import sys

from reasonix_runtime import interrupts


def start() -> int:
    """Load the command and run it; return its exit code."""
    interrupts.end_at_once()
    from reasonix_conformance.cli import main

    return main()


if __name__ == "__main__":
    sys.exit(start())
