"""The folder that sessions share for their sub-agents: looked at once, and read as it is told."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from session_logs import Log, log_1, log_2

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.readers.messages import Message
from reasonix_conformance.readers.reasonix import side_files
from reasonix_conformance.readers.reasonix.message_files import Children
from reasonix_runtime.trace.events import Diag, Event, SubEnd, SubStart, ToolResult


def call(ident: str, name: str) -> dict[str, object]:
    calls = [{"id": ident, "name": name, "arguments": "{}"}]
    return {"role": "assistant", "content": "", "tool_calls": calls}


def answer(ident: str, name: str) -> dict[str, object]:
    return {"role": "tool", "tool_call_id": ident, "name": name, "content": "ok"}


def write(path: Path, *records: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def session(folder: Path, name: str) -> Path:
    start = {"role": "user", "content": "go"}
    return write(folder / f"{name}.jsonl", start, call("t", "task"), answer("t", "task"))


def sub_agent(folder: Path, name: str, *messages: object, **meta: object) -> Path:
    """Write a sub-agent of a call `t`; the folder gets another time, as a slow clock may not."""
    inner = folder / "subagents"
    path = write(inner / f"{name}.jsonl", {"role": "user", "content": "look"}, *messages)
    (inner / f"{name}.meta.json").write_text(json.dumps({"parentToolCallId": "t", **meta}))
    os.utime(inner, ns=(0, len(list(inner.iterdir()))))
    return path


def told(path: Path) -> list[Event]:
    return list(events(Recording(path=path, shown="s")))


def ends(path: Path) -> list[tuple[str, str | None]]:
    """Return the sub-agents of a session in order, as their reference and their status."""
    stream = told(path)
    refs = {event.scope: event.ref or "" for event in stream if isinstance(event, SubStart)}
    return [(refs[e.scope], e.status) for e in stream if isinstance(e, SubEnd)]


def test_twice_as_many_sessions_of_one_folder_read_twice_as_many_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host keeps all of its sessions in one folder, and their sub-agents in another."""
    read: list[Path] = []
    inner = side_files._meta

    def counted(path: Path) -> dict[str, object]:
        read.append(path)
        return inner(path)

    monkeypatch.setattr(side_files, "_meta", counted)
    counts = []
    for sessions in (20, 40):
        folder = tmp_path / str(sessions)
        paths = [session(folder, f"s{number}") for number in range(sessions)]
        for number in range(sessions):
            sub_agent(folder, f"a{number}", parentSession=f"s{number}", ref=f"r{number}")
        read.clear()

        assert [[(f"r{number}", None)] for number in range(sessions)] == [*map(ends, paths)]
        counts.append(len(read))

    assert counts[0] * 2 == counts[1] > 0


def test_what_changes_in_the_folder_is_seen(tmp_path: Path) -> None:
    """A session that is read again while its host works on may have more to tell."""
    path = session(tmp_path, "s")
    sub_agent(tmp_path, "b", parentSession="s", ref="b", status="running")
    sub_agent(tmp_path, "d", parentSession="other", ref="d")
    sub_agent(tmp_path, "e", parentSession=5, ref="e")
    assert [("b", "running")] == ends(path)

    meta = tmp_path / "subagents" / "b.meta.json"
    meta.write_text(meta.read_text().replace("running", "completed"))
    assert [("b", "completed")] == ends(path)

    sub_agent(tmp_path, "c", parentSession="s", ref="c")
    sub_agent(tmp_path, "a", ref="a")
    assert [("a", None), ("b", "completed"), ("c", None)] == ends(path)

    meta.unlink()
    os.utime(tmp_path / "subagents", ns=(0, 1))
    assert [("a", None), ("c", None)] == ends(path)


@pytest.mark.parametrize("log", [None, log_1, log_2])
def test_what_a_sub_agent_did_is_given_while_its_file_is_read(
    log: Log | None, tmp_path: Path
) -> None:
    """Its file may be as long as that of the session."""
    path = session(tmp_path, "s")
    steps = [
        message
        for number in range(100)
        for message in (call(f"c{number}", "bash"), answer(f"c{number}", "bash"))
    ]
    child = sub_agent(tmp_path, "a", *steps, parentSession="s")
    if log is not None:
        messages = [json.loads(line) for line in child.read_text().splitlines()]
        write(child.with_name("a.events.jsonl"), *log(messages))
    build = Builder("s")
    build.session("s", "test")
    build.call("t", "task", "{}", step="r1")
    children = Children(Recording(path=path, shown="s"), build)
    build.drain()

    given = list(children.before(Message(role="tool", tool_call_id="t", name="task")))

    assert 100 == sum(isinstance(event, ToolResult) for made in given for event in made)
    assert max(map(len, given)) < 4
    assert [SubEnd] == [type(event) for event in build.drain()]


@pytest.mark.parametrize("kept", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("status", ["completed", "failed"])
def test_a_sub_agent_that_has_answered_lacks_what_stands_behind_its_last_message(
    kept: int, status: str, tmp_path: Path
) -> None:
    """An empty file was a sub-agent that had done nothing; one that failed may end anywhere."""
    done = {"role": "assistant", "content": "done"}
    path = sub_agent(tmp_path, "a", call("1", "x"), answer("1", "x"), done, status=status)
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:kept]))

    missing = [event.text for event in told(session(tmp_path, "s")) if isinstance(event, Diag)]

    lacks = status == "completed" and kept < 4
    assert lacks == ("the last messages of a.jsonl are gone" in missing)


@pytest.mark.parametrize("log", [None, log_1, log_2])
def test_what_the_sub_agent_of_a_sub_agent_did_is_missing(log: Log | None, tmp_path: Path) -> None:
    """Nothing was said of it, so that what it changed passed with the turn."""
    path = session(tmp_path, "s")
    inner = [call("u", "read_file"), answer("u", "read_file"), call("t", "task")]
    child = sub_agent(tmp_path, "a", *inner, answer("t", "task"), parentSession="s")
    if log is not None:
        records = [json.loads(line) for line in child.read_text().splitlines()]
        write(child.with_name("a.events.jsonl"), *log(records))

    assert ["what the sub-agent of an inner task did is lost"] == [
        event.text
        for event in told(path)
        if isinstance(event, Diag) and event.code == "missing_child"
    ]
