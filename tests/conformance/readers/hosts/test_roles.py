"""Tools of other agents as tools of the contract."""

from __future__ import annotations

from pathlib import Path

import pytest
from claude_records import asks
from read_records import read_text
from trace_samples import lines

from reasonix_runtime.trace.events import ToolCall


@pytest.mark.parametrize(
    ("text", "role"),
    [
        (
            lines(asks("u", "Bash", command="pytest -q")),
            ("bash", {"command": "pytest -q"}),
        ),
        (
            lines(asks("u", "Read", file_path="/w/a")),
            ("read_file", {"path": "/w/a"}),
        ),
        (lines(asks("u", "mcp__x__y", z=1)), (None, None)),
        (lines(asks("u", "TodoWrite", todos=[])), (None, None)),
        (
            lines(
                {
                    "timestamp": "t",
                    "type": "response_item",
                    "payload": {
                        "type": "function_call",
                        "name": "shell",
                        "arguments": '{"command":["bash","-lc","make test"]}',
                        "call_id": "c",
                    },
                }
            ),
            ("bash", {"command": "make test"}),
        ),
        (
            lines(
                {
                    "timestamp": "t",
                    "type": "response_item",
                    "payload": {
                        "type": "custom_tool_call",
                        "name": "apply_patch",
                        "input": "*** Begin Patch\n*** Update File: a.py\n*** Add File: b.py\n",
                        "call_id": "c",
                    },
                }
            ),
            ("edit_file", {"paths": ["a.py", "b.py"]}),
        ),
    ],
)
def test_a_foreign_call_has_the_role_of_a_tool_of_the_contract(
    text: str, role: tuple[str | None, object], tmp_path: Path
) -> None:
    """Gates ask for edits and checks, not for names."""
    (call,) = [event for event in read_text(tmp_path, text) if isinstance(event, ToolCall)]

    assert role == (call.resolved_name, call.resolved_args)
