"""What a command says of its use: its help, and of wrong use the mistake and where help is."""

from __future__ import annotations

import argparse
import sys
from typing import Any, NoReturn

from reasonix_runtime.console import complain
from reasonix_runtime.errors import ReasonixError

WRONG_USE = 2
"""The exit code of wrong use."""


class UsageError(ReasonixError):
    """The command line asks for something that does not exist or does not fit together."""


class CommandParser(argparse.ArgumentParser):
    """A parser, and the kind of its subcommands, whose errors are two lines.

    The list of all options above the message would push it off the screen.
    """

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and end the process with exit code 2."""
        complain(f"{self.prog}: {message}\nTry '{self.prog} --help'.")
        self.exit(WRONG_USE)

    def print_help(self, file: Any = None) -> None:
        """Print the help; raise what keeps it from being written, which argparse passes over."""
        print(self.format_help(), end="", file=file or sys.stdout, flush=True)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as far as arguments are known; an unknown one is an error of the command it is of.

        Left to the program, which knows the options of none of its commands, the hint would lead to
        the wrong page.
        """
        known, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(f"unrecognized arguments: {' '.join(rest)}")
        return known, rest
