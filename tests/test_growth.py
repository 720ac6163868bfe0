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
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import Event, ToolCall, ToolResult, TurnEnd, TurnStart

SIZE = 150
GROWTH = 2.3
"""Most calls of Python functions for twice as much, against those for once."""

Calls = Iterator[tuple[str, Mapping[str, Any], bool] | None]
"""Tools with their arguments, and whether they succeed; None ends a turn."""


def _signed(command: str) -> tuple[str, Mapping[str, Any], bool]:
    cites = [{"kind": "verification", "summary": "passes", "command": command}]
    return "complete_step", {"step": "Step", "result": "done", "evidence": cites}, True


def _ran(command: str, *, well: bool = True) -> tuple[str, Mapping[str, Any], bool]:
    return "bash", {"command": command}, well


EDIT = ("edit_file", {"path": "a.py", "old_string": "a", "new_string": "b"}, True)


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


def _writes_in_one_line(size: int) -> Calls:
    yield _ran("\n".join(f"cat > f{at}_{size}.py <<'EOF'\nx = {at}\nEOF" for at in range(size)))


GROWING: Mapping[str, Callable[[int], Calls]] = {
    "cites what did not run": _cites_what_did_not_run,
    "cites what failed": _cites_what_failed,
    "cites what ran elsewhere": _cites_what_ran_elsewhere,
    "cites by option": _cites_by_option,
    "writes in one line": _writes_in_one_line,
}


def _events(calls: Calls) -> Iterator[Event]:
    turn = 1
    yield TurnStart(turn=turn)
    for number, call in enumerate(calls, 1):
        if call is None:
            yield TurnEnd(turn=turn, status="completed")
            turn += 1
            yield TurnStart(turn=turn)
            continue
        tool, args, well = call
        uid, code = f"main#{number}", None if tool != "bash" else int(not well)
        yield ToolCall(uid=uid, name=tool, args=args, turn=turn, step=f"s{number}")
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
    once, twice = (_counted(_replay([*_events(GROWING[kind](n))])) for n in (SIZE, 2 * SIZE))

    assert twice <= GROWTH * once


def test_a_chain_of_references_is_walked_once() -> None:
    """Each of them leads to all that follow it."""

    def chain(size: int) -> bytes:
        links = (f'"d{at}": {{"$ref": "#/$defs/d{at + 1}"}}' for at in range(size))
        return f'{{"$defs": {{{", ".join(links)}}}}}'.encode()

    once, twice = (_counted(partial(loops_of, chain(n))) for n in (SIZE, 2 * SIZE))

    assert twice <= GROWTH * once
