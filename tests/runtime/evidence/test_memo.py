"""Answers about command lines are remembered, and what they hold stays bounded."""

from __future__ import annotations

import gc
import weakref

import pytest

from reasonix_runtime.evidence import memo
from reasonix_runtime.evidence.memo import REMEMBERED_LENGTH, memoised


class Line(str):
    """A command line that a test can see being forgotten."""


def test_a_command_is_read_once() -> None:
    """Agents repeat themselves; an answer that is remembered is the same one."""
    asked: list[tuple[str, int]] = []

    @memoised(2)
    def length(command: str, extra: int) -> int:
        asked.append((command, extra))
        return len(command) + extra

    assert [length("ls", 1), length("ls", 1), length("ls", 2)] == [3, 3, 4]
    assert [("ls", 1), ("ls", 2)] == asked


@pytest.mark.parametrize("length", [REMEMBERED_LENGTH // 4, REMEMBERED_LENGTH * 2])
def test_no_more_is_held_than_the_bound_and_one_command(length: int) -> None:
    """Files that are written through here-documents must not stay in memory, one by one or all."""

    @memoised(1024)
    def echo(command: str, other: str) -> int:
        return len(command) + len(other)

    told: list[weakref.ref[Line]] = []
    for at in range(20):
        line = Line(f"{at:0{length}}")
        told.append(weakref.ref(line))
        echo("x", line)
        del line
    gc.collect()

    held = [one() for one in told]
    assert sum(len(line) for line in held if line is not None) <= max(REMEMBERED_LENGTH, length)
    assert held[-1] is not None


def test_what_is_still_asked_is_known_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the bound is reached all is forgotten, and remembered from then on."""
    monkeypatch.setattr(memo, "REMEMBERED_LENGTH", 10)
    asked: list[str] = []

    @memoised(1024)
    def echo(command: str) -> str:
        asked.append(command)
        return command

    for command in ("12345", "1234", "12345", "123", "12345", "12345"):
        echo(command)

    assert ["12345", "1234", "123", "12345"] == asked
