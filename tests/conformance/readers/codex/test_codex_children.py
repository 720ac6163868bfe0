"""Rollouts of Codex: what a sub-agent did counts in the thread that started it, once it ended."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from codex_records import BEGIN, Record, call, event, item, output, record, said, typed
from read_records import notes
from trace_samples import lines

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.traces.files import files
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Event, Host, SubStart, ToolCall, ToolResult, TurnStart

PARENT, CHILD, INNER = (f"0000000{n}-0000-7000-8000-000000000000" for n in (1, 2, 3))
ENDS = (said("done"), event("task_complete", last_agent_message="done"))
PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** End Patch"


def meta(thread: str, parent: str | None = None) -> Record:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": parent, "depth": 1}}}
    return record("session_meta", id=thread, cwd="/w", source=spawn if parent else "cli")


def write(folder: Path, thread: str, *records: Record, parent: str | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"rollout-2026-03-01T10-00-00-{thread}.jsonl"
    file.write_text(lines(meta(thread, parent), BEGIN, *records, *ENDS))
    return file


def spawns(ident: str, agent: str) -> tuple[Record, Record]:
    return call("spawn_agent", ident), output(ident, json.dumps({"agent_id": agent}))


def asks(tool: str, ident: str, agent: str, **told: Any) -> tuple[Record, Record]:
    arguments = json.dumps({"id": agent, "ids": [agent]})
    return call(tool, ident, arguments=arguments), output(ident, json.dumps(told))


def patched(ident: str) -> tuple[Record, Record]:
    made = "Exit code: 0\nWall time: 0 seconds\nOutput:\nM a.py\n"
    start = item("custom_tool_call", call_id=ident, name="apply_patch", input=PATCH)
    return start, item("custom_tool_call_output", call_id=ident, output=made)


def ran(ident: str, command: str) -> tuple[Record, Record]:
    ended = "Process exited with code 0\nOutput:\nx"
    arguments = json.dumps({"cmd": command})
    return call("exec_command", ident, arguments=arguments), output(ident, ended)


def waited(ident: str = "w", agent: str = CHILD, state: Any = None) -> tuple[Record, Record]:
    return asks("wait", ident, agent, status={agent: state or {"completed": "ok"}})


def read(file: Path) -> list[Event]:
    return list(events(Recording(path=file, shown="trace")))


def test_a_sub_agent_acts_inside_the_call_that_started_it(tmp_path: Path) -> None:
    """Its calls have a conversation of their own, and so have those of a sub-agent in it."""
    write(tmp_path, INNER, *ran("1", "ls"), parent=CHILD)
    write(tmp_path, CHILD, *spawns("1", INNER), *waited("2", INNER), parent=PARENT)
    stream = read(write(tmp_path, PARENT, *spawns("1", CHILD), *waited()))

    assert [(CHILD, "main#1"), (f"{CHILD}/{INNER}", f"{CHILD}#1")] == [
        (e.scope, e.parent_uid) for e in stream if isinstance(e, SubStart)
    ]
    inner = f"{CHILD}/{INNER}"
    assert ["main#1", f"{CHILD}#1", f"{inner}#1", f"{CHILD}#2", "main#2"] == list(
        dict.fromkeys(event.uid for event in stream if isinstance(event, ToolCall))
    )
    assert ["running", "running"] == [
        e.outcome for e in stream if isinstance(e, ToolResult) and e.outcome == "running"
    ]
    assert 1 == sum(isinstance(e, TurnStart) for e in stream)
    assert sorted(e.seq for e in stream) == [e.seq for e in stream]
    assert [] == notes(stream)


def test_a_blank_line_in_front_hides_no_sub_agent(tmp_path: Path) -> None:
    """It hides no session, either."""
    child = write(tmp_path, CHILD, *ran("1", "ls"), parent=PARENT)
    child.write_text("\n" + child.read_text())
    stream = read(write(tmp_path, PARENT, *spawns("1", CHILD), *waited()))

    assert [CHILD] == [event.scope for event in stream if isinstance(event, SubStart)]


@pytest.mark.parametrize(
    ("told", "ended"),
    [
        (waited(), "ok"),
        (waited(state={"errored": "no"}), "error"),
        (waited(state="shutdown"), "cancelled"),
        (waited(state="running"), None),
        (asks("close_agent", "c", CHILD, status={"completed": "ok"}), "ok"),
        (asks("close_agent", "c", CHILD, status="running"), "cancelled"),
        (
            (
                typed(
                    "<subagent_notification>\n"
                    + json.dumps({"agent_id": CHILD, "status": {"completed": "ok"}})
                    + "\n</subagent_notification>"
                ),
            ),
            "ok",
        ),
        ((), None),
    ],
)
def test_the_end_of_a_sub_agent_is_told_once(
    told: tuple[Record, ...], ended: str | None, tmp_path: Path
) -> None:
    """By a wait for it, by closing it, or by the program."""
    write(tmp_path, CHILD, *ran("1", "ls"), parent=PARENT)
    stream = read(write(tmp_path, PARENT, *spawns("1", CHILD), *told, *told))

    assert [{"uid": "main#1", "outcome": ended}] * (ended is not None) == [
        event.data for event in stream if isinstance(event, Host) and event.name == "job_ended"
    ]


def judged(file: Path) -> list[tuple[str, str | None]]:
    (result,) = file_results(file, Options(rules="contract"))
    return [
        (one.verdict.decision, one.verdict.reason)
        for one in result.verdicts
        if one.verdict.gate == "turn_end"
    ]


@pytest.mark.parametrize(
    ("inside", "behind", "verdict"),
    [
        # What it changed is not verified, whatever ran before its end.
        ([patched("1")], [waited()], ("reject", "finish.verification_missing")),
        (
            [patched("1")],
            [ran("2", "cat a.py"), ran("3", "pytest -q"), waited()],
            ("reject", "finish.verification_missing"),
        ),
        ([patched("1")], [waited(), ran("2", "cat a.py"), ran("3", "pytest -q")], ("accept", None)),
        # Nobody knows when it ended, or what it did when it was asked again.
        (
            [patched("1")],
            [ran("2", "cat a.py"), ran("3", "pytest -q")],
            ("not_assessable", None),
        ),
        (
            [ran("1", "ls")],
            [waited(), asks("send_input", "s", CHILD)],
            ("not_assessable", None),
        ),
    ],
)
def test_what_a_sub_agent_did_counts_from_its_end(
    inside: list[tuple[Record, ...]],
    behind: list[tuple[Record, ...]],
    verdict: tuple[str, str | None],
    tmp_path: Path,
) -> None:
    """A turn with a sub-agent was never judged while its rollout lay beside that of the turn."""
    write(tmp_path, CHILD, *(one for made in inside for one in made), parent=PARENT)
    after = [one for made in behind for one in made]
    file = write(tmp_path, PARENT, *spawns("s", CHILD), *after)

    assert [verdict] == judged(file)


@pytest.mark.parametrize(
    ("parent", "named", "days", "traces"),
    [
        (PARENT, CHILD, ("01", "01"), [PARENT]),
        (PARENT, CHILD, ("01", "02"), [PARENT]),
        (PARENT, CHILD, ("a", "b"), [PARENT, CHILD]),
        (PARENT, INNER, ("01", "01"), [PARENT, CHILD]),
        (INNER, CHILD, ("01", "01"), [PARENT, CHILD]),
    ],
)
def test_a_thread_is_told_once(
    parent: str, named: str, days: tuple[str, str], traces: list[str], tmp_path: Path
) -> None:
    """Inside the one that started it where both name each other, else by itself."""
    file = write(tmp_path / days[0], PARENT, *spawns("s", named), *waited(agent=named))
    child = write(tmp_path / days[1], CHILD, *ran("1", "ls"), parent=parent)
    told = [path.name[-42:-6] for path, _, _ in files([tmp_path])]
    inside = any(isinstance(event, SubStart) for event in read(file))

    assert traces == told
    assert inside is (CHILD not in traces)
    assert ["missing_child"] * (not inside) == notes(read(file))
    assert [child] == [path for path, _, _ in files([child])]


@pytest.mark.parametrize(
    ("facts", "copied", "forks"),
    [
        ({"forked_from_id": PARENT}, [], False),
        ({"history_base": {}}, [], False),
        ({}, [meta(PARENT)], False),
        ({}, [], True),
    ],
)
def test_a_thread_that_begins_with_the_history_of_another_is_told_by_itself(
    facts: Record, copied: list[Record], forks: bool, tmp_path: Path
) -> None:
    """What its parent did before would count as done by it, and later."""
    begins = meta(CHILD, PARENT)
    begins["payload"] |= facts
    name = f"rollout-2026-03-01T10-00-00-{CHILD}.jsonl"
    (tmp_path / name).write_text(lines(begins, *copied, BEGIN, *ran("1", "ls"), *ENDS))
    asked, answered = spawns("s", CHILD)
    asked["payload"]["arguments"] = json.dumps({"fork_context": forks})
    stream = read(write(tmp_path, PARENT, asked, answered, *waited()))

    assert ["missing_child"] == notes(stream)
    assert 2 == len(list(files([tmp_path])))


def test_a_rollout_of_a_sub_agent_that_was_cut_before_it_began_is_missed(tmp_path: Path) -> None:
    """It was one that had done nothing, and the turn passed."""
    child = write(tmp_path, CHILD, *patched("1"), parent=PARENT)
    child.write_text(lines(meta(CHILD, PARENT)))
    file = write(tmp_path, PARENT, *spawns("1", CHILD), *waited())

    assert ["missing_child"] == notes(read(file))
    (result,) = file_results(file, Options())
    assert ["not_assessable"] == [one.verdict.decision for one in result.verdicts]
