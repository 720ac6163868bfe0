"""What a command says of its use: its help, and of wrong use the mistake and where help is."""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from reasonix_runtime.console import complain
from reasonix_runtime.errors import ReasonixError, or_nearest

WRONG_USE = 2
"""The exit code of wrong use."""


class UsageError(ReasonixError):
    """The command line asks for something that does not exist or does not fit together."""


@contextmanager
def of_option(
    option: str, *, expected: str = "", kind: type[Exception] = ReasonixError
) -> Iterator[None]:
    """Let an error of this kind begin with the option whose value it is about.

    Who gives several files does not know from the name of one what it was read as.
    """
    try:
        yield
    except kind as error:
        error.args = (f"{option} {error}{f'; expected {expected}' if expected else ''}",)
        raise


class Help(argparse.HelpFormatter):
    """Help in which names with hyphens stay whole, so that they can be found and copied."""

    def _split_lines(self, text: str, width: int) -> list[str]:
        return textwrap.wrap(
            " ".join(text.split()), width, break_long_words=False, break_on_hyphens=False
        )

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return textwrap.indent("\n".join(self._split_lines(text, width)), indent)


class RawHelp(Help):
    """The same, with examples that stand on lines of their own, indented, above or below."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        filled: list[str] = []
        for prose, lines in itertools.groupby(text.splitlines(), _is_prose):
            if prose:
                filled += self._split_lines(" ".join(lines), width)
            else:
                filled += (part for line in lines for part in _continued(line, width))
        return textwrap.indent("\n".join(filled), indent)


def _is_prose(line: str) -> bool:
    """Whether a line may be filled up with the next one: no blank line, no example, no head."""
    return bool(line.strip()) and not line.startswith(" ") and not line.endswith(":")


def _continued(line: str, width: int) -> Iterator[str]:
    """Yield a command as lines of this width, each but the last continued as a shell has it."""
    while len(line) > width:
        found = re.match(rf".{{1,{width - 3}}}\S(?= (?:--|\| ))", line)
        if found is None:
            break
        yield f"{found[0]} \\"
        line = f"      {line[found.end() + 1 :]}"
    yield line


class CommandParser(argparse.ArgumentParser):
    """A parser, and the kind of its subcommands, whose errors are two lines.

    The list of all options above the message would push it off the screen. Options are written in
    full: what is short for one option today would be short for two when another one comes.
    """

    def __init__(self, *, formatter_class: Any = Help, **options: Any) -> None:
        super().__init__(formatter_class=formatter_class, allow_abbrev=False, **options)
        self._given: Sequence[str] = ()

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and end the process with exit code 2."""
        complain(f"{self.prog}: {message}{self._of_a_dash()}\nTry '{self.prog} --help'.")
        self.exit(WRONG_USE)

    def _of_a_dash(self) -> str:
        """Return how a file is named that was taken for an option, if one of that name is there."""
        taken = (word for word in self._given if word.startswith("-") and word.strip("-"))
        name = next((word for word in taken if Path(word).exists()), None)
        return "" if name is None else f"; the file {name} is written ./{name}"

    def print_help(self, file: Any = None) -> None:
        """Print the help; raise what keeps it from being written, which argparse passes over."""
        print(self.format_help(), end="", file=file or sys.stdout, flush=True)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as far as arguments are known; an unknown one is an error of the command it is of.

        Left to the program, which knows the options of none of its commands, the hint would lead to
        the wrong page.
        """
        given = sys.argv[1:] if args is None else list(args)
        self._given = given
        self._check_first(given)
        known, rest = super().parse_known_args(given, namespace)
        if rest:
            self._refuse(rest)
        return known, rest

    def _check_first(self, given: Sequence[str]) -> None:
        """Refuse an unknown option in front, before an argument is missed that it has hidden."""
        known = {"--", *self._option_string_actions}
        if given and given[0].startswith("--") and given[0].partition("=")[0] not in known:
            self._refuse(given[:1])

    def _refuse(self, rest: Sequence[str]) -> NoReturn:
        near = or_nearest(rest[0].partition("=")[0], self._option_string_actions)
        self.error(f"unrecognized arguments: {' '.join(rest)}{near}")

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse a value that is no choice, as argparse does, with the choice that is nearest."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            error.message += or_nearest(str(value), map(str, action.choices or ()))
            raise


def current_folder() -> Path:
    """Return the current folder; raises UsageError when it was deleted."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError("the current folder does not exist any more") from None
