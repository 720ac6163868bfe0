"""A sub-agent in a file of its own is judged once: inside the trace that names it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from reasonix_conformance.traces.files import files


def trajectory(*names: str) -> str:
    """Return a trajectory that names the files of its sub-agents."""
    refs = [{"trajectory_path": name} for name in names]
    answer = {"source_call_id": "1", "content": "", "subagent_trajectory_ref": refs}
    call = {"tool_call_id": "1", "function_name": "task", "arguments": {}}
    step = {"step_id": 1, "source": "agent", "message": "", "tool_calls": [call]}
    told = {"schema_version": "ATIF-v1.6", "agent": {"name": "x", "version": "1"}}
    return json.dumps(told | {"steps": [step | {"observation": {"results": [answer]}}]})


def found(*paths: Path) -> list[str]:
    return [found.path.name for found in files(paths)]


@pytest.mark.parametrize(
    ("folder", "traces"),
    [
        ({"a.json": ["b.json"], "b.json": []}, ["a.json"]),
        ({"a.json": [], "b.json": ["a.json"]}, ["b.json"]),
        ({"a.json": ["b.json"], "b.json": ["c.json"], "c.json": []}, ["a.json"]),
        ({"a.json": ["in/b.json"], "in/b.json": [], "in/c.json": []}, ["a.json", "c.json"]),
        ({"a.json": ["in/../b\\u002ejson"], "b.json": []}, ["a.json"]),
        # Of files that name each other one is judged, and of a file that names itself it.
        ({"a.json": ["b.json"], "b.json": ["a.json"]}, ["a.json"]),
        ({"a.json": ["a.json"]}, ["a.json"]),
        # What a trajectory may not read it does not tell.
        ({"a.json": [], "in/b.json": ["../a.json", "gone.json"]}, ["a.json", "b.json"]),
    ],
)
def test_a_trajectory_that_another_one_names_is_told_in_it(
    folder: dict[str, list[str]], traces: list[str], tmp_path: Path
) -> None:
    """Its calls would be judged twice, and by themselves they are no turn of a user."""
    for name, names in folder.items():
        file = tmp_path / name
        file.parent.mkdir(exist_ok=True)
        file.write_text(trajectory(*names).replace("\\\\u", "\\u"))

    assert traces == found(tmp_path)


def test_a_sub_agent_that_is_asked_for_is_judged_by_itself(tmp_path: Path) -> None:
    """Whoever names the file, or only its folder, wants to see it."""
    (tmp_path / "in").mkdir()
    (tmp_path / "a.json").write_text(trajectory("in/b.json"))
    child = tmp_path / "in" / "b.json"
    child.write_text(trajectory())

    assert ["b.json"] == found(child) == found(child.parent)
    assert ["a.json"] == found(tmp_path / "a.json", child.parent)


SAID = {"role": "user", "content": "go"}
CLAUDE = {"type": "user", "uuid": "1", "sessionId": "s", "message": SAID}


@pytest.mark.parametrize(
    ("folder", "record", "meta"),
    [("s/subagents", CLAUDE, {}), ("subagents", SAID, {"parentSession": "s"})],
    ids=["claude-code", "reasonix"],
)
@pytest.mark.parametrize("below", [False, True])
def test_a_sub_agent_is_a_part_where_its_session_is_asked_for(
    folder: str,
    record: dict[str, object],
    meta: dict[str, object],
    below: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a folder that does not hold the session nothing else would tell what it did."""
    inner = tmp_path / folder
    inner.mkdir(parents=True)
    for file in (tmp_path / "s.jsonl", inner / "agent-x.jsonl"):
        file.write_text(json.dumps(record) + "\n")
    (inner / "agent-x.meta.json").write_text(json.dumps(meta))
    monkeypatch.chdir(inner if below else tmp_path)

    expected = ["agent-x.jsonl"] if below else ["s.jsonl"]
    assert expected == found(inner if below else tmp_path) == found(Path())
    assert ["s.jsonl"] == found(tmp_path / "s.jsonl", tmp_path / folder.partition("/")[0])
