"""A YAML file in a folder is looked at in time that grows with its length."""

from __future__ import annotations

import time

from reasonix_conformance.traces.files import TURNS


def test_empty_lines_are_looked_at_once() -> None:
    """The search for turns began anew at each of them, over all that follow."""

    def took(lines: int) -> float:
        begin = time.process_time()
        assert TURNS.search(b"\n" * lines + b"x") is None
        return time.process_time() - begin

    assert min(took(32_000) for _ in range(3)) < 100 * max(min(took(2_000) for _ in range(3)), 1e-3)


def test_turns_are_found_behind_blanks_and_empty_lines() -> None:
    """As anybody may write them."""
    for text in (
        b"turns:",
        b"\n\n  turns:",
        b"\t- turns:",
        b"- id: x\n\n  'turns':",
        b"\r\nturns:",
    ):
        assert TURNS.search(text) is not None
    assert TURNS.search(b"returns: x") is None
