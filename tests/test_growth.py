"""No replay takes more than twice as long, and a little, for twice as much: calls are counted.

Whoever is judged writes the trace, and a session may well be one of thousands of commands.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from types import FrameType
from typing import Any

import pytest

from reasonix_conformance.checks.schema_loops import loops_of
from reasonix_conformance.replay.replay import Replay
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    Event,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)

SIZE = 150
GROWTH = 2.3
"""Most calls of Python functions for twice as much, against those for once."""

Call = tuple[str, Mapping[str, Any], bool | None]
"""A tool with its arguments, and whether it succeeds; None where it has no result."""
Calls = Iterator[Call | Event | None]
"""Calls of the main conversation, and events of sub-agents; None ends a turn."""


def _signed(command: str) -> Call:
    cites = [{"kind": "verification", "summary": "passes", "command": command}]
    return "complete_step", {"step": "Step", "result": "done", "evidence": cites}, True


def _ran(command: str, *, well: bool | None = True) -> Call:
    return "bash", {"command": command}, well


def _edited(path: str, *, well: bool | None = True) -> Call:
    return "edit_file", {"path": path, "old_string": "a", "new_string": "b"}, well


EDIT = _edited("a.py")


def _cites_what_did_not_run(size: int) -> Calls:
    for at in range(size):
        yield EDIT
        yield _ran(f"pytest tests/t{at}_{size}.py")
        yield _signed(f"pytest tests/u{at}_{size}.py")
        yield None


def _cites_what_failed(size: int) -> Calls:
    yield EDIT
    for at in range(size):
        yield _ran(f"pytest tests/f{at}_{size}.py", well=False)
        yield _signed(f"pytest tests/f{at}_{size}.py")


def _cites_what_ran_elsewhere(size: int) -> Calls:
    yield EDIT
    for at in range(size):
        yield _ran(f"cd app && pytest tests/c{at}_{size}.py")
        yield _signed(f"pytest tests/c{at}_{size}.py")


def _cites_by_option(size: int) -> Calls:
    for at in range(size):
        yield _ran(f"pytest -k test_{at}_{size}")
        yield _signed(f"pytest -q -k test_{at}_{size}")
        yield None


def _passes_then_others_fail(size: int) -> Calls:
    yield EDIT
    for well in (True, False):
        for at in range(size):
            yield _ran(f"pytest tests/p{at if well else -at}_{size}.py", well=well)


def _passes_then_fails(size: int) -> Calls:
    yield EDIT
    for well in (True, False):
        for at in range(size):
            yield _ran(f"pytest -q -k p{at}_{size}", well=well)


def _fails_then_others_pass(size: int) -> Calls:
    yield EDIT
    for well in (False, True):
        for at in range(size):
            yield _ran(f"pytest tests/q{at if well else -at}_{size}.py", well=well)
    for at in range(size):
        yield _signed(f"pytest tests/q{at}_{size}.py")


def _cites_programs_that_did_not_run(size: int) -> Calls:
    yield EDIT
    for at in range(size):
        yield _ran(f"pytest tests/r{at}_{size}.py")
    for at in range(size):
        yield _signed(f"tox{at} -e py{at}_{size}")


def _cites_changes(size: int) -> Calls:
    commands = [f"cp a{at}_{size} b{at}_{size}" for at in range(size)]
    yield from map(_ran, commands)
    cites = [{"kind": "verification", "summary": "made", "command": one} for one in commands]
    yield "complete_step", {"step": "Step", "result": "done", "evidence": cites}, True


def _cites_beside_jobs(size: int) -> Calls:
    yield EDIT
    for at in range(size):
        command = f"pytest tests/s{at}_{size}.py"
        yield "bash", {"command": command, "run_in_background": True}, True
    for at in range(size):
        yield _signed(f"pytest tests/t{at}_{size}.py")


def _cites_what_was_joined(size: int) -> Calls:
    line = " && ".join(f"pytest tests/v{at}_{size}.py" for at in range(size))
    yield _ran(line)
    yield _signed(line)


def _changes_anything_after_changes(size: int) -> Calls:
    for at in range(size):
        yield _edited(f"w{at}_{size}.py")
    for _ in range(size):
        yield _ran("git add -A")


def _nests_sub_agents(size: int) -> Calls:
    calls = ["main#1", *(f"s{at}#2" for at in range(size))]
    yield "task", {"prompt": "Go on."}, None
    for at, parent in enumerate(calls[:-1]):
        yield from _changed_by_sub_agent(f"s{at}", parent)
        yield ToolCall(uid=calls[at + 1], name="task", args={"prompt": "Go on."})
    for at, parent in reversed([*enumerate(calls[:-1])]):
        yield SubEnd(scope=f"s{at}", parent_uid=parent)
        yield ToolResult(uid=parent, outcome="ok")


def _writes_in_one_line(size: int) -> Calls:
    yield _ran("\n".join(f"cat > f{at}_{size}.py <<'EOF'\nx = {at}\nEOF" for at in range(size)))


def _changes_without_an_end(size: int) -> Calls:
    for at in range(size):
        yield _edited(f"o{at}.py", well=None)
        yield EDIT
        yield None


def _looks_without_an_end(size: int) -> Calls:
    yield EDIT
    for at in range(size):
        yield "read_file", {"path": f"o{at}.py"}, None
        yield _signed("pytest")


def _sub_agents_without_an_end(size: int) -> Calls:
    for at in range(size):
        yield "task", {"prompt": "Change it."}, None
        yield from _changed_by_sub_agent(f"s{at}", f"main#{at + 1}")
        yield None


def _jobs_without_an_end(size: int) -> Calls:
    for at in range(size):
        yield "task", {"prompt": "Change it.", "run_in_background": True}, True
        yield from _changed_by_sub_agent(f"s{at}", f"main#{at + 1}")
        yield SubEnd(scope=f"s{at}", parent_uid=f"main#{at + 1}")
        yield None


def _changed_by_sub_agent(scope: str, parent: str) -> Iterator[Event]:
    tool, args, _ = EDIT
    yield SubStart(scope=scope, parent_uid=parent)
    yield ToolCall(uid=f"{scope}#1", name=tool, args=args)
    yield ToolResult(uid=f"{scope}#1", outcome="ok")


def _checks_tests_by_name(size: int) -> Calls:
    for at in range(size):
        yield _edited(f"src/m{at}_{size}.py")
    for at in range(size):
        yield _ran(f"pytest tests/test_m{at}_{size}.py")


def _changes_and_checks_by_name(size: int) -> Calls:
    for at in range(size):
        yield _edited(f"src/m{at}_{size}.py")
        yield _ran(f"ruff check src/m{at}_{size}.py")


def _names_files_in_one_command(size: int) -> Calls:
    names = " ".join(f"d/f{at}_{size}.py" for at in range(size))
    for program in ("sed -i s/a/b/", "cat", "pytest"):
        yield _ran(f"{program} {names}")


def _hands_variables_on(size: int) -> Calls:
    sets = "; ".join(f"a{at}=$a{at - 1}" for at in range(1, size))
    yield _ran(f"a0=HEAD; {sets}; git diff $a{size - 1}")


def _sets_variables_in_a_chain(size: int) -> Calls:
    sets = " && ".join(f"a{at}=f{at}_{size}.py" for at in range(size))
    yield _ran(f"{sets} && cat " + " ".join(f"$a{at}" for at in range(size)))


def _edits_by_a_program(size: int) -> Calls:
    sets = "\n".join(f"p{at} = 'f{at}_{size}.py'\nopen(p{at}, 'w')" for at in range(size))
    yield _ran(f"python3 - <<'EOF'\n{sets}\nEOF")


def _knows_one_name_in_many_folders(size: int) -> Calls:
    for at in range(size):
        yield _edited(f"d{at}/a.py")
        yield _ran(f"cat /srv/shop/d{at}/a.py")


def _signs_off_on_files(size: int) -> Calls:
    for at in range(size):
        yield _edited(f"/srv/shop/d{at}/a.py")
        for known in ("a.py", "b.py"):
            cites = [{"kind": "files", "summary": "changed", "paths": [f"d{at}/{known}"]}]
            yield "complete_step", {"step": "Step", "result": "done", "evidence": cites}, True


def _reviews_many_files(size: int) -> Calls:
    paths = [f"src/m{at}_{size}.py" for at in range(size)]
    for path in paths:
        yield _edited(path)
    report = {"kind": "review", "verdict": "pass", "summary": "Read.", "reviewed_paths": paths}
    yield "review", {"task": "Look."}, None
    yield SubStart(scope="r", parent_uid=f"main#{size + 1}", kind="review")
    for at, path in enumerate(paths, 1):
        yield ToolCall(uid=f"r#{at}", name="read_file", args={"path": f"/srv/shop/{path}"})
        yield ToolResult(uid=f"r#{at}", outcome="ok", text="x")
    yield ToolCall(uid=f"r#{size + 1}", name="review_report", args=report)
    yield ToolResult(uid=f"r#{size + 1}", outcome="ok")
    yield SubEnd(scope="r", parent_uid=f"main#{size + 1}")


GROWING: Mapping[str, Callable[[int], Calls]] = {
    "cites what did not run": _cites_what_did_not_run,
    "cites what failed": _cites_what_failed,
    "cites what ran elsewhere": _cites_what_ran_elsewhere,
    "cites by option": _cites_by_option,
    "passes then others fail": _passes_then_others_fail,
    "passes then fails": _passes_then_fails,
    "fails then others pass": _fails_then_others_pass,
    "cites programs that did not run": _cites_programs_that_did_not_run,
    "cites changes": _cites_changes,
    "cites beside jobs": _cites_beside_jobs,
    "cites what was joined": _cites_what_was_joined,
    "changes anything after changes": _changes_anything_after_changes,
    "nests sub-agents": _nests_sub_agents,
    "writes in one line": _writes_in_one_line,
    "changes without an end": _changes_without_an_end,
    "looks without an end": _looks_without_an_end,
    "sub-agents without an end": _sub_agents_without_an_end,
    "jobs without an end": _jobs_without_an_end,
    "checks tests by name": _checks_tests_by_name,
    "changes and checks by name": _changes_and_checks_by_name,
    "names files in one command": _names_files_in_one_command,
    "hands variables on": _hands_variables_on,
    "sets variables in a chain": _sets_variables_in_a_chain,
    "edits by a program": _edits_by_a_program,
    "knows one name in many folders": _knows_one_name_in_many_folders,
    "signs off on files": _signs_off_on_files,
    "reviews many files": _reviews_many_files,
}


def _events(calls: Calls) -> Iterator[Event]:
    turn, number = 1, 0
    yield TurnStart(turn=turn)
    for call in calls:
        if call is None:
            yield TurnEnd(turn=turn, status="completed")
            turn += 1
            yield TurnStart(turn=turn)
            continue
        if not isinstance(call, tuple):
            yield call
            continue
        number += 1
        tool, args, well = call
        uid, code = f"main#{number}", None if tool != "bash" else int(not well)
        yield ToolCall(uid=uid, name=tool, args=args, turn=turn, step=f"s{number}")
        if well is None:
            continue
        outcome = "ok" if well else "error"
        yield ToolResult(uid=uid, outcome=outcome, basis="exit_code", exit_code=code, text="x")
    yield TurnEnd(turn=turn, status="completed")


def _counted(work: Callable[[], object]) -> int:
    """Return how many Python functions some work calls."""
    found = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal found
        found += event == "call"

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(before)
    return found


def _replay(events: Sequence[Event]) -> Callable[[], None]:
    def work() -> None:
        state = HostState(CONTRACT)
        for event in events:
            state.apply(event)

    return work


@pytest.mark.parametrize("kind", GROWING)
def test_twice_as_many_calls_cost_twice_as_much(kind: str) -> None:
    """What is compared with all that ran before takes the square of a session."""

    def growth(size: int) -> float:
        once, twice = (_counted(_replay([*_events(GROWING[kind](n))])) for n in (size, 2 * size))
        return twice / once

    # What earlier tests asked may fill a memory up, so that it is emptied amid one of the runs.
    assert growth(SIZE) <= GROWTH or growth(SIZE + 1) <= GROWTH


def test_sub_agents_that_act_unseen_cost_the_same_however_much_was_written() -> None:
    """Each of them may have seen to all that is owed, and to none of what comes behind it."""

    def written(size: int) -> Calls:
        for at in range(size):
            yield "task", {"prompt": "Look."}, True
            yield "write_file", {"path": f"n{at}_{size}.py", "content": "x"}, True
            yield None

    def judge(events: Sequence[Event]) -> None:
        replay = Replay(CONTRACT, path="x", trace_id="x", format_name="claude-code")
        replay.feed([Session(sid="s", format="claude-code"), *events])

    once, twice = (_counted(partial(judge, [*_events(written(n))])) for n in (SIZE, 2 * SIZE))

    assert twice <= GROWTH * once


def test_sub_agents_are_nested_as_deep_as_a_recording_says() -> None:
    """No depth of them ends in an error of the host that asks them all what they changed."""
    state = HostState(CONTRACT)
    parent = "main"
    for depth in range(2000):
        uid, scope = f"{parent}#1", f"s{depth}"
        state.apply(ToolCall(uid=uid, name="task", args={"prompt": "Go on."}))
        state.apply(SubStart(scope=scope, parent_uid=uid))
        parent = scope
    state.apply(ToolCall(uid=f"{parent}#1", name="edit_file", args={"path": "a.py"}))
    state.apply(ToolResult(uid=f"{parent}#1", outcome="ok"))

    (verdict,) = state.apply(TurnEnd(turn=1, status="completed"))

    assert "`s0` still runs and changed something already" in verdict.message


def test_a_chain_of_references_is_walked_once() -> None:
    """Each of them leads to all that follow it."""

    def chain(size: int) -> bytes:
        links = (f'"d{at}": {{"$ref": "#/$defs/d{at + 1}"}}' for at in range(size))
        return f'{{"$defs": {{{", ".join(links)}}}}}'.encode()

    once, twice = (_counted(partial(loops_of, chain(n))) for n in (SIZE, 2 * SIZE))

    assert twice <= GROWTH * once
