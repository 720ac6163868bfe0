"""Chosen examples of sessions: of plain ones, and of such as real hosts keep."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hypothesis import strategies as st
from told import Call, Response, Session, Turn, each_call, numbered

PATHS = ("a.py", "src/b.py", "README.md", "src/auth/login.py")
CHECKS = ("pytest -q", "ruff check .")
COMMANDS = (
    *(*CHECKS, "pytest -q || true", "pytest -q tests/test_a.py"),
    *("git diff", "git status", "cat a.py", "grep -n x a.py", "sed -i s/a/b/ a.py"),
)
LISTS: Final = (
    (("Fix add", "in_progress"),),
    (("Fix add", "in_progress"), ("Test it", "pending")),
    (("Fix add", "completed"), ("Test it", "in_progress")),
    (("Fix add", "completed"),),
    (("Test it", "in_progress"), ("Fix add", "pending")),
)
"""Task lists as items with their states; the `what` of a call is the number of one."""

# -- plain sessions

PATH_CALLS = st.builds(
    Call, st.sampled_from(["read", "edit", "edit", "write"]), st.sampled_from(PATHS), st.booleans()
)
COMMAND_CALLS = st.builds(
    Call, st.just("run"), st.sampled_from(COMMANDS), st.sampled_from([True, True, False])
)
SIGN_OFFS = st.builds(
    Call, st.just("sign"), st.sampled_from(COMMANDS[:3]), st.sampled_from([True, True, False])
)
CALLS = st.one_of(PATH_CALLS, COMMAND_CALLS, COMMAND_CALLS, SIGN_OFFS)
PROOFS = st.one_of(
    st.builds(Call, st.just("read"), st.sampled_from(PATHS)),
    st.builds(Call, st.just("run"), st.sampled_from([*CHECKS, "git diff"])),
)
"""What a change may lack."""
RESPONSES = st.builds(
    Response,
    st.lists(CALLS, min_size=1, max_size=3).map(tuple),
    st.sampled_from(["", "Looking."]),
)
TURNS = st.builds(
    Turn, st.sampled_from(["fix it", "go on"]), st.lists(RESPONSES, max_size=4).map(tuple)
)
SESSIONS = st.lists(TURNS, min_size=1, max_size=2).map(tuple).map(numbered)

# -- sessions as real hosts keep them


def seldom(times: int) -> st.SearchStrategy[bool]:
    """Return what is true once in so many times."""
    return st.sampled_from([False] * (times - 1) + [True])


@st.composite
def _real_call(draw: st.DrawFn) -> Call:
    """Draw a call that may have been denied, run in the background, or given something odd back."""
    call = draw(CALLS)
    output = draw(st.sampled_from(["+x = 1", "+x = 1", ""]))
    call = replace(call, output=output, shows=draw(seldom(9)), cut=draw(seldom(9)))
    if draw(seldom(10)):
        return replace(call, ended="denied", ok=False)
    if call.kind == "run" and draw(seldom(8)):
        return replace(call, ended="job", job=draw(st.sampled_from(["ok", "error", "killed", ""])))
    return call


_LIST_CALLS = st.builds(
    Call,
    st.just("list"),
    st.integers(0, len(LISTS) - 1).map(str),
    st.sampled_from([True, True, False]),
)
_REAL_CALLS = st.one_of(_real_call(), _real_call(), _real_call(), _LIST_CALLS)


def _responses_of(calls: st.SearchStrategy[Call], most: int) -> st.SearchStrategy[Response]:
    return st.builds(
        Response,
        st.lists(calls, min_size=1, max_size=most).map(tuple),
        st.sampled_from(["", "Looking."]),
        turned=st.booleans(),
        retried=seldom(8),
        compacted=seldom(10),
    )


_Episode = tuple[Response, ...]


@st.composite
def _honest(draw: st.DrawFn) -> _Episode:
    """Draw a change that is looked at and checked, or nearly so: a step may be left out."""
    path = draw(st.sampled_from(PATHS))
    look = draw(st.sampled_from([Call("read", path), Call("run", "git diff")]))
    kind = draw(st.sampled_from(["edit", "edit", "write"]))
    told = [Call(kind, path), look, Call("run", draw(st.sampled_from(CHECKS)))]
    if draw(seldom(3)):
        del told[draw(st.integers(1, 2))]
    if draw(st.booleans()):
        return tuple(Response((call,)) for call in told)
    return Response((told[0],)), Response(tuple(told[1:]), turned=draw(st.booleans()))


@st.composite
def _again(draw: st.DrawFn) -> _Episode:
    """Draw a call that fails, or is refused, and is made once more."""
    call = draw(_real_call())
    failed = replace(call, ok=False, ended=draw(st.sampled_from(["", "", "denied"])), job="")
    again = replace(call, ok=draw(st.sampled_from([True, True, False])), ended="", job="")
    return Response((failed,)), Response((again,), retried=draw(seldom(4)))


def _delegated(inner: st.SearchStrategy[_Episode]) -> st.SearchStrategy[_Episode]:
    """Return a sub-agent, perhaps beside another call."""

    @st.composite
    def drawn(draw: st.DrawFn) -> _Episode:
        done = draw(st.lists(inner, min_size=1, max_size=2))
        inside = tuple(replace(one, compacted=False) for told in done for one in told)
        call = Call("task", "look", draw(st.sampled_from([True, True, False])), inside=inside)
        beside = draw(st.lists(_real_call(), max_size=1))
        return (Response((call, *beside), turned=draw(st.booleans())),)

    return drawn()


_SINGLE = _responses_of(_REAL_CALLS, 3).map(lambda response: (response,))
_DONE = st.one_of(_SINGLE, _honest(), _again())
_EPISODES = st.one_of(_DONE, _honest(), _delegated(st.one_of(_DONE, _DONE, _delegated(_DONE))))


@st.composite
def _real_turn(draw: st.DrawFn) -> Turn:
    episodes = draw(st.lists(_EPISODES, max_size=3))
    responses = [response for told in episodes for response in told]
    stopped = draw(seldom(6))
    if stopped and responses and draw(st.booleans()):
        # In a call: of a group the first ones may have ended.
        *before, last = responses
        at = draw(st.integers(0, len(last.calls) - 1))
        calls = (*last.calls[:at], *map(_stopped, last.calls[at:]))
        responses = [*before, replace(last, calls=calls, turned=False)]
    return Turn(
        draw(st.sampled_from(["fix it", "go on"])),
        tuple(responses),
        shows=draw(seldom(8)),
        stopped=stopped,
    )


def _stopped(call: Call) -> Call:
    return replace(call, ended="stopped", job="", ok=False, inside=())


REAL_SESSIONS = st.lists(_real_turn(), min_size=1, max_size=3).map(tuple).map(numbered)


def features(session: Session) -> frozenset[str]:
    """Return what a session holds that some forms cannot tell."""
    found = {call.ended for call in each_call(session)} - {""}
    found |= {call.kind for call in each_call(session)} & {"list", "task"}
    inner = [
        one for call in each_call(session) for response in call.inside for one in response.calls
    ]
    if any(call.kind == "task" for call in inner):
        found.add("deep task")
    return frozenset(found | {"stopped" for turn in session if turn.stopped})
