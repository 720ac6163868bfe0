"""The part of the state machine about what the host itself did or tells, in no call and no turn.

Each host event has one function: it moves the state, or it asks something and is answered. What the
goal is asked is answered by `host/goal_events.py`, what is shown to whom by `host/told_world.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from reasonix_runtime.errors import HostDataError
from reasonix_runtime.gates.capability import Route, note
from reasonix_runtime.host import goal_events, turn_end
from reasonix_runtime.host.goal_events import GOAL_EVENTS
from reasonix_runtime.host.setup import RUN_PROFILES, setup_of
from reasonix_runtime.host.told_world import SURFACE_EVENTS
from reasonix_runtime.trace.events import Host, TurnEnd, scope_of
from reasonix_runtime.trace.host_events import (
    CAPABILITY,
    FINAL_ANSWER,
    HELD_BACK,
    JOB_ENDED,
    LOOP_GUARD,
    PLAN_MODE,
    PROFILE,
    PROJECT_CHECK,
    SETUP,
)

if TYPE_CHECKING:
    from reasonix_runtime.gates.verdict import Verdict
    from reasonix_runtime.host.state import HostState

LATE_SETUP = (
    "a setup tells what held before the first turn, and this one comes after it began: what "
    "changes later is told by `profile`, `plan_mode`, `project_check` and `capability`, and a "
    "session that goes on from another keeps the setup of that one"
)


def take(state: HostState, event: Host) -> Sequence[Verdict]:
    """Do what a host event tells; one that is of no meaning here moves nothing."""
    try:
        verdict = _answer(state, event)
    except msgspec.ValidationError as error:
        where = f"{event.src.file}:{event.src.line}" if event.src else ""
        raise HostDataError(event.name, str(error), where=where) from None
    return () if verdict is None else (verdict,)


def _answer(state: HostState, event: Host) -> Verdict | None:
    if event.name in GOAL_EVENTS:
        return goal_events.answer(state.goals, event)
    if event.name in SURFACE_EVENTS:
        return None if state.world is None else state.world.asked(event)
    if event.name in _ASKING:
        return _ASKING[event.name](state, event)
    if event.name in _MOVING:
        _MOVING[event.name](state, event)
    return None


# -- events that ask -----------------------------------------------------------------------------


def _final_answer(state: HostState, _: Host) -> Verdict:
    return turn_end.judge_answer(state.main.gates)


def _held_back(state: HostState, event: Host) -> Verdict:
    """Judge the end that the turn would have had with an answer that was held back."""
    answer = event.data.get("answer")
    end = TurnEnd(turn=event.turn, answer=answer if isinstance(answer, str) else None)
    return turn_end.judge_end(state.main.gates, end)


_ASKING: Mapping[str, Callable[[HostState, Host], Verdict]] = {
    FINAL_ANSWER: _final_answer,
    HELD_BACK: _held_back,
}


# -- events that move the state ------------------------------------------------------------------


def _setup(state: HostState, event: Host) -> None:
    if state.turn or state.main.made:
        raise msgspec.ValidationError(LATE_SETUP)
    state.set_up(setup_of(event.data))


def _loop_guard(state: HostState, _: Host) -> None:
    state.main.gates.memory.guard_fired()


def _profile(state: HostState, event: Host) -> None:
    """Change the mode of the session; every gate reads it at the moment of its check."""
    profile = event.data.get("profile")
    if profile not in RUN_PROFILES:
        expected = " or ".join(map(repr, RUN_PROFILES))
        raise msgspec.ValidationError(f"`profile` is {profile!r}: expected {expected}")
    state.setup = msgspec.structs.replace(state.setup, profile=profile)
    for run in state.runs.values():
        run.gates.set_profile(profile)


def _plan_mode(state: HostState, event: Host) -> None:
    _update_setup(state, plan_mode=event.data.get("on") is True)


def _project_check(state: HostState, event: Host) -> None:
    """Take in a check that the project declares."""
    command, known = event.data.get("command"), state.setup.project_checks
    if isinstance(command, str) and command not in known:
        _update_setup(state, project_checks=(*known, command))


def _update_setup(state: HostState, **facts: Any) -> None:
    """Take in facts of the main conversation; delegated runs start from what is known then."""
    gates = state.main.gates
    state.setup = msgspec.structs.replace(state.setup, **facts)
    gates.setup = msgspec.structs.replace(gates.setup, **facts)


def _job_ended(state: HostState, event: Host) -> None:
    """Take in how a background job ended; one without a known outcome proves nothing."""
    uid = str(event.data.get("uid"))
    run = state.runs.get(scope_of(uid))
    if run is not None:
        run.jobs.end(uid, str(event.data.get("outcome")), run.ledger)
        run.gates.memory.absorb()


def _route(state: HostState, event: Host) -> None:
    route, gates = msgspec.convert(event.data, Route), state.main.gates
    gates.routes = note(gates.routes, route.id, route.outcome)


_MOVING: Mapping[str, Callable[[HostState, Host], None]] = {
    SETUP: _setup,
    LOOP_GUARD: _loop_guard,
    PROFILE: _profile,
    PLAN_MODE: _plan_mode,
    PROJECT_CHECK: _project_check,
    JOB_ENDED: _job_ended,
    CAPABILITY: _route,
}
