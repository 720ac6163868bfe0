"""Answers about command lines are remembered, those about long ones are not."""

from __future__ import annotations

from reasonix_runtime.evidence.memo import MEMOISED_LENGTH, memoised


def test_a_command_is_read_once_and_a_long_one_each_time() -> None:
    """A file that is written through a here-document must not stay in memory."""
    asked: list[str] = []

    @memoised(2)
    def length(command: str, extra: int) -> int:
        asked.append(command)
        return len(command) + extra

    short, long = "a" * MEMOISED_LENGTH, "b" * (MEMOISED_LENGTH + 1)

    assert [length(short, 1), length(short, 1)] == [MEMOISED_LENGTH + 1] * 2
    assert [length(long, 1), length(long, 1)] == [MEMOISED_LENGTH + 2] * 2
    assert [short, long, long] == asked
