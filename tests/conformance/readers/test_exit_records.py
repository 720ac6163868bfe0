"""The record by which mini-swe-agent ends a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import ends, notes, outcomes, read_text

Record = dict[str, Any]

LOOKS, HANDS_IN = "git diff", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"
SHOWN: Record = {"role": "tool", "tool_call_id": "0", "content": "<returncode>0</returncode>\nx"}


def asks(*commands: str) -> Record:
    calls = [
        {
            "id": str(number),
            "type": "function",
            "function": {"name": "bash", "arguments": json.dumps({"command": command})},
        }
        for number, command in enumerate(commands)
    ]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def exits(status: Any) -> Record:
    return {"role": "exit", "content": "x", "extra": {"exit_status": status, "submission": "x"}}


@pytest.mark.parametrize(
    ("messages", "end", "last"),
    [
        ((asks(HANDS_IN), exits("Submitted")), ("completed", True), ("ok", "state")),
        ((asks(LOOKS), SHOWN, exits("LimitsExceeded")), ("unknown", False), ("ok", "envelope")),
        ((asks(LOOKS), exits("LimitsExceeded")), ("unknown", False), ("none", "none")),
        ((asks(HANDS_IN), exits(None)), ("unknown", False), ("none", "none")),
        ((asks(LOOKS, HANDS_IN), exits("Submitted")), ("completed", True), ("none", "none")),
    ],
    ids=["handed-in", "out-of-steps", "out-of-time", "untold", "which-of-two"],
)
def test_a_run_ends_as_its_exit_says(
    messages: tuple[Record, ...], end: tuple[str, bool], last: tuple[str, str], tmp_path: Path
) -> None:
    """What is handed in is what the last command printed; it has no other result."""
    stream = read_text(tmp_path, json.dumps([{"role": "user", "content": "go"}, *messages]))

    assert [end] == ends(stream)
    assert last == outcomes(stream)[-1]
    assert "bad_line" not in notes(stream)


@pytest.mark.parametrize("filler", [0, 2_000], ids=["short", "longer than the head"])
def test_a_trajectory_of_messages_with_calls_is_read(filler: int, tmp_path: Path) -> None:
    """It was refused as those of SWE-agent are, though its messages are like any others."""
    failed = {**SHOWN, "content": json.dumps({"returncode": 1, "output": "x" * 150}, indent=2)}
    config = {"agent": {"instance_template": "{{task}}"}}
    told = {
        "info": {"model_stats": {}, "config": config, "mini_version": "2.4.6"},
        "messages": [
            {"role": "user", "content": "go"},
            *[asks("pytest"), failed] * (1 + filler),
            asks(HANDS_IN),
            exits("Submitted"),
        ],
        "trajectory_format": "mini-swe-agent-1.1",
    }
    stream = read_text(tmp_path, json.dumps(told, indent=2))

    assert [("completed", True)] == ends(stream)
    assert [*[("error", "envelope")] * (1 + filler), ("ok", "state")] == outcomes(stream)
    assert "bad_line" not in notes(stream)
