"""Messages of Claude Code that cannot be read: what they held may have been a change."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import claude_records
import output_records
import pytest
from output_records import Record, judged, read, result, says
from read_records import codes

CALLED = (output_records.asks("1", "Edit", file_path="/w/a.py"), output_records.answers("1", "ok"))
STREAM = (output_records.init(), *CALLED, says("2", "done"), result())
SESSION = (
    claude_records.record("user", "0", "go"),
    claude_records.asks("1", "Edit", file_path="/w/a.py"),
    claude_records.answers("r", "1", "ok"),
    claude_records.says("2", "done", stop_reason="end_turn"),
)
MESSAGES: list[Any] = [None, 5, {}, [], "x", *({"content": x} for x in (None, 5, {}, [5], [{}]))]


@pytest.mark.parametrize("broken", [*({"message": one} for one in MESSAGES), {"type": None}])
@pytest.mark.parametrize("records", [STREAM, SESSION], ids=["stream", "session"])
def test_a_call_and_its_result_that_cannot_be_read_are_a_loss(
    records: tuple[Record, ...], broken: Record, tmp_path: Path
) -> None:
    """Nothing is told of the change, and nothing else tells that there was one."""
    told = [*records[:1], *(one | broken for one in records[1:3]), *records[3:]]

    assert ["reject"] == [decision for decision, _ in judged(tmp_path, *records)]
    assert ["not_assessable"] == [decision for decision, _ in judged(tmp_path, *told)]
    assert "bad_line" in codes(read(tmp_path, *told))
