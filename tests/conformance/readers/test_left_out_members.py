"""Members that only damage leaves out: they may have held a change, or the proof of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import codex_records
import pytest
from read_records import notes, read

Record = dict[str, Any]


@pytest.mark.parametrize(("content", "lost"), [("go on", False), (None, True)])
def test_a_message_of_the_user_has_content(content: str | None, lost: bool, tmp_path: Path) -> None:
    """Of another interface it may have been a result."""
    asked = {"role": "assistant", "content": "what?"}
    stream = read(
        tmp_path, {"role": "user", "content": "go"}, asked, {"role": "user", "content": content}
    )

    assert lost is ("bad_line" in notes(stream))


@pytest.mark.parametrize("begins", [True, False])
def test_a_turn_of_codex_that_ends_has_begun(begins: bool, tmp_path: Path) -> None:
    """Both are told, or neither."""
    end = codex_records.event("task_complete", turn_id="t")
    told = [codex_records.BEGIN] if begins else []
    stream = read(tmp_path, codex_records.META, *told, codex_records.said("done"), end)

    assert begins is ("mid_chain_start" not in notes(stream))
