"""Claims, names and errors of any length are judged as short ones are, in bounded memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from replayed import found

LONG = "and so on, " * 6000

Record = dict[str, Any]


def asked(ident: str, tool: str, args: Any, text: str = "ok", **more: Any) -> list[Record]:
    call = {"id": ident, "name": tool, "args": json.dumps(args)}
    result = {"id": ident, "name": tool, "output": text, **more}
    return [{"kind": "tool_dispatch", "tool": call}, {"kind": "tool_result", "tool": result}]


def session(tail: str) -> list[Record]:
    """Return turns with everything that a claim may say; `tail` makes each text as long."""
    first, second, check = f"Read {tail}", f"Write {tail}", f"pytest -q  # {tail}"
    ran = {"execution": {"kind": "shell", "state": "completed", "exitCode": 0}}

    def items(*statuses: str) -> Record:
        named = zip((first, second), statuses, strict=True)
        return {"todos": [{"content": text, "status": status} for text, status in named]}

    def signed(step: str, command: str) -> Record:
        cites = {"kind": "verification", "summary": f"green {tail}", "command": command}
        return {"step": step, "result": f"done {tail}", "evidence": [cites]}

    failed = f"exit status 1: {tail}"
    turn = [
        *asked("1", "todo_write", items("in_progress", "pending")),
        *asked("2", "bash", {"command": check}, "9 passed", **ran),
        *asked("3", "complete_step", signed(first, check)),
        *asked("4", "todo_write", items("completed", "in_progress")),
        *asked("5", "complete_step", signed(second, f"make {tail}")),
        *asked("6", "todo_write", items("completed", "completed")),
        *(row for n in "789" for row in asked(n, "edit_file", {"path": "a"}, err=failed)),
        *asked("10", "update_goal", {"status": "continue", "summary": tail}),
    ]
    started, ended = {"kind": "turn_started"}, {"kind": "turn_done"}
    later = asked("11", "complete_step", signed(second, check))
    return [started, *turn, ended, started, *later, ended]


def told(folder: Path, tail: str, rules: str) -> list[tuple[str, str, str | None]]:
    path = folder / "run.jsonl"
    path.write_text("".join(f"{json.dumps(record)}\n" for record in session(tail)))
    (trace,) = found(path, rules=rules)
    return [(one.name, one.verdict.decision.value, one.verdict.reason) for one in trace.verdicts]


@pytest.mark.parametrize("rules", ["classic", "contract"])
def test_the_length_of_what_is_said_changes_no_verdict(rules: str, tmp_path: Path) -> None:
    short, long = (told(tmp_path, tail, rules) for tail in ("it", LONG))

    assert short == long
    assert {"accept", "reject"} <= {decision for _, decision, _ in short}


def test_a_name_of_any_length_is_told_by_its_beginning(tmp_path: Path) -> None:
    """Such a tool is nobody's; its calls are still told apart."""
    path = tmp_path / "run.jsonl"
    rows = [row for n in "12" for row in asked(n, f"tool{LONG}{n}", {})]
    records = [{"kind": "turn_started"}, *rows, {"kind": "turn_done"}]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))

    (trace,) = found(path, rules="contract")

    expected = [("bad_name", f"the name of a tool has {len(LONG) + 5} characters")] * 2
    assert expected == [(diag.code, diag.text) for diag in trace.diagnostics]
    assert "`tooland so on" in trace.verdicts[-1].verdict.message
    assert len(trace.verdicts[-1].verdict.message) < 2000


def test_an_id_of_any_length_is_known_when_it_comes_again(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    rows = [*asked(LONG, "ls", {}), asked(LONG, "ls", {})[1], *asked(LONG, "ls", {})]
    records = [{"kind": "turn_started"}, *rows, {"kind": "turn_done"}]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))

    (trace,) = found(path, rules="contract")

    assert ["duplicate_result", "repeated_call_id"] == [diag.code for diag in trace.diagnostics]
    assert 2 == trace.calls
