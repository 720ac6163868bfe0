"""What others wrote is read in time that grows with its length, however it was made up."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from reasonix_runtime.contract.document_parse import parse
from reasonix_runtime.evidence.checks.places import root_of
from reasonix_runtime.evidence.checks.reach import reaches_of
from reasonix_runtime.evidence.checks.tests_ran import ran_nothing, says_nothing_ran
from reasonix_runtime.evidence.command_rules import CONTRACT_COMMANDS
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.effects.reads_by_arguments import sed_prints
from reasonix_runtime.evidence.effects.temporaries import makes_scratch
from reasonix_runtime.evidence.running.wrapper_tables import BESIDE
from reasonix_runtime.evidence.shell.script import Dialect
from reasonix_runtime.evidence.shell.windows import read_windows

SHORT, LONG = 1_000, 16_000


def _reach(text: str) -> None:
    reaches_of(f"pytest {text}", CONTRACT_COMMANDS)


def _left_out(text: str) -> None:
    classify(f"pytest --ignore={text} a", CONTRACT_COMMANDS)


def _powershell(text: str) -> None:
    read_windows(text, Dialect.POWERSHELL)


def _cell(text: str) -> None:
    parse(f"| Tool | Read-only | Description |\n| --- | --- | --- |\n| {text} | true | x |\n")


TEXTS: dict[str, tuple[Callable[[str], object], str, str, str]] = {
    "slashes in front of a name": (_reach, "", "/", "x"),
    "stars in what is left out": (_left_out, "", "/*/*", "x"),
    "lines and columns": (root_of, "a", ":7", "x"),
    "empty lines of an output": (lambda text: ran_nothing(text, lenient=True), "", "\n", "x"),
    "blanks behind ok": (lambda text: ran_nothing(text, lenient=True), "ok", " ", "\n"),
    "words of an error": (
        lambda text: says_nothing_ran(text, failed=True),
        "",
        "enoent open ",
        "",
    ),
    "places in a container": (BESIDE.fullmatch, "a", ":/", "!"),
    "caches in a container": (BESIDE.fullmatch, "a:/", "cache", "!"),
    "folders for mktemp": (lambda text: makes_scratch(text, "/work"), "mktemp", " /tmp/a", "!"),
    "blanks in a script of sed": (sed_prints, "1", " ", "?"),
    "tabs in PowerShell": (_powershell, "a ", "\t", "x"),
    "empty lines in PowerShell": (_powershell, "a", "\n", "x"),
    "blanks in a guard of PowerShell": (_powershell, "a; if (!$?) { throw", " ", "x"),
    "tabs in a heading": (parse, "# a", "\t", "x\n"),
    "marks of code in a cell": (_cell, "a", "`", "b"),
    "marks of code that nothing closes": (_cell, "`" * 500, "a", ""),
    "brackets in a cell": (_cell, "", "[", ""),
    "links in a cell": (_cell, "", "[](", ""),
}


@pytest.mark.parametrize("name", TEXTS)
def test_the_time_grows_with_the_text(name: str) -> None:
    """A command of eighty characters, or a cell of 16,000 marks, held a replay up for ever."""
    read, head, piece, tail = TEXTS[name]

    def took(size: int) -> float:
        # Another text each time: answers are remembered.
        texts = (head + piece * (size // len(piece) + more) + tail for more in range(3))
        return min(_seconds(read, text) for text in texts)

    assert took(LONG) < 100 * max(took(SHORT), 0.001)


def _seconds(read: Callable[[str], object], text: str) -> float:
    begin = time.process_time()
    read(text)
    return time.process_time() - begin
