"""A name that a trace gives is shown like every other text of it: a secret in it is masked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reasonix_conformance.cli import main

KEY = "sk-abcdefghijklmnop1234"


@pytest.fixture
def trace(tmp_path: Path) -> Path:
    """Return a trace whose host let pass what is no tool's, under names that are keys."""
    call = {"id": KEY, "name": "complete_step", "args": "{}"}
    other = {"id": "b", "name": KEY, "args": "{}"}
    rows = [
        {"kind": "turn_started"},
        {"kind": "tool_dispatch", "tool": call},
        {"kind": "tool_result", "tool": call | {"output": "done"}},
        {"kind": "tool_dispatch", "tool": other},
        {"kind": "tool_result", "tool": other | {"output": "done"}},
        {"kind": "turn_done"},
    ]
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "tools.json").write_text('[{"name": "ls", "parameters": {"type": "object"}}]')
    return path


FORMS = ("text", "json", "sarif", "junit", "github", "markdown", "html", "neutral")


@pytest.mark.parametrize("form", FORMS)
def test_no_form_shows_a_key_as_a_name(
    form: str, trace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Names and ids of calls are what a model wrote."""
    schemas = [] if form == "neutral" else [f"--schemas={trace.parent / 'tools.json'}"]
    known = trace.parent / "known.yaml"

    main(["replay", str(trace), "--format", form, f"--write-known={known}", *schemas])

    said = "".join(capsys.readouterr())
    assert "complete_step" in said
    assert "[secret]" in said or form in ("github", "junit", "markdown", "sarif", "text")
    assert KEY not in said
    assert not known.exists() or KEY not in known.read_text()


@pytest.mark.parametrize("form", FORMS)
def test_no_form_shows_a_key_as_a_session_or_scope(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever wrote the trace named both."""
    inner = {"turn": 1, "scope": KEY}
    step = {"name": "complete_step", "args": {}, "origin": "model", "args_ok": True}
    result = {"ev": "tool.result", "outcome": "ok", "basis": "state", "text": ""}
    rows = [
        {"ev": "session", "sid": KEY, "format": "neutral/1", "profile": "classic"},
        {"ev": "turn.start", "turn": 1, "by": "explicit"},
        {"ev": "tool.call", "turn": 1, "step": "s", "uid": "main#1", **step, "name": "task"},
        {"ev": "sub.start", "scope": KEY, "parent_uid": "main#1"},
        {"ev": "tool.call", "step": "s", "uid": f"{KEY}#1", **step, **inner},
        {**result, "uid": f"{KEY}#1", "scope": KEY},
        {"ev": "sub.end", "scope": KEY, "parent_uid": "main#1"},
        {**result, "uid": "main#1"},
        {"ev": "turn.end", "turn": 1, "status": "completed", "by": "explicit"},
    ]
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(json.dumps({**row, "seq": n}) + "\n" for n, row in enumerate(rows, 1)))

    main(["replay", str(path), "--format", form])

    said = "".join(capsys.readouterr())
    assert "complete_step" in said
    assert "[secret]" in said or form in ("github", "junit", "markdown")
    assert KEY not in said


def test_verdicts_mask_kinds_and_ids(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file of verdicts may hold any kind."""
    path = tmp_path / "some.jsonl"
    line = {"id": KEY, "kind": KEY, "in": {}, "out": {"accept": True}}
    path.write_text(json.dumps(line) + "\n")

    for form in ("text", "json"):
        main(["verdicts", str(path), "--format", form])
        said = "".join(capsys.readouterr())
        assert "[secret]" in said
        assert KEY not in said
