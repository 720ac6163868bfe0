"""`--version` of the commands: what a report of a fault has to name."""

from __future__ import annotations

import argparse
from typing import Any


class ShowVersion(argparse.Action):
    """Prints the version of the installed distribution and ends the command.

    It is looked up when it is asked for: every run would pay for it otherwise.
    """

    def __init__(self, option_strings: list[str], dest: str) -> None:
        """Take no value and leave nothing in the namespace."""
        super().__init__(
            option_strings,
            dest=argparse.SUPPRESS,
            default=argparse.SUPPRESS,
            nargs=0,
            help="show the version and exit",
        )

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        """Print the name of the command and the version."""
        from importlib.metadata import version

        print(f"{parser.prog} {version('reasonix-conformance')}", flush=True)
        parser.exit()
