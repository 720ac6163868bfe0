"""A session as it happened, whoever wrote it down, and chosen examples of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import strategies as st

Record = dict[str, Any]
Files = dict[str, bytes]
"""The files of a recording by their names; the first one is read."""

SID = "11111111-2222-4333-8444-555555555555"
FOLDER = "/w"


@dataclass(frozen=True)
class Call:
    """A call and how it ended; `what` is the path, or the command, that it was about.

    `answered` is false for one without a result, `made` for a result without its call; `twice`
    stands for a second result that says the opposite.
    """

    kind: str
    what: str
    ok: bool = True
    output: str = "+x = 1"
    ident: str = ""
    answered: bool = True
    made: bool = True
    twice: bool = False

    @property
    def code(self) -> int:
        """The exit status of a command."""
        return 0 if self.ok else 1

    @property
    def changes(self) -> bool:
        """Whether it would change something."""
        return self.kind in ("edit", "write", "odd") or self.what.startswith("sed -i")


@dataclass(frozen=True)
class Response:
    """The calls of one response of the model, and what it said with them."""

    calls: tuple[Call, ...]
    text: str = ""

    @property
    def made(self) -> list[Call]:
        """The calls that are told."""
        return [call for call in self.calls if call.made]

    @property
    def results(self) -> Iterator[Call]:
        """What came back, in order."""
        for call in self.calls:
            if call.answered or not call.made:
                yield call
                if call.twice:
                    yield replace(call, ok=not call.ok)


@dataclass(frozen=True)
class Turn:
    """What the user asked for, and what was done until the model answered."""

    prompt: str
    responses: tuple[Response, ...]
    answer: str = "All done."


Session = tuple[Turn, ...]
"""The turns of a session."""


def each_call(session: Session) -> list[Call]:
    """Return the calls of a session in order."""
    return [call for turn in session for response in turn.responses for call in response.calls]


def changed(session: Session, change: Callable[[int, Call], tuple[Call, ...]]) -> Session:
    """Return a session with each call replaced by others; `change` is given its number, too."""
    number = -1
    turns = []
    for turn in session:
        responses = []
        for response in turn.responses:
            calls: list[Call] = []
            for call in response.calls:
                number += 1
                calls += change(number, call)
            if calls:
                responses.append(replace(response, calls=tuple(calls)))
        turns.append(replace(turn, responses=tuple(responses)))
    return tuple(turns)


def numbered(session: Session) -> Session:
    """Return a session whose calls have ids."""
    return changed(session, lambda number, call: (replace(call, ident=f"toolu_{number:03}"),))


def lines(*records: Any) -> bytes:
    """Write records one a line."""
    return "".join(json.dumps(record) + "\n" for record in records).encode()


# -- examples

PATHS = ("a.py", "src/b.py", "README.md", "src/auth/login.py")
COMMANDS = (
    *("pytest -q", "ruff check .", "pytest -q || true", "pytest -q tests/test_a.py"),
    *("git diff", "git status", "cat a.py", "grep -n x a.py", "sed -i s/a/b/ a.py"),
)
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
RESPONSES = st.builds(
    Response,
    st.lists(CALLS, min_size=1, max_size=3).map(tuple),
    st.sampled_from(["", "Looking."]),
)
TURNS = st.builds(
    Turn, st.sampled_from(["fix it", "go on"]), st.lists(RESPONSES, max_size=4).map(tuple)
)
SESSIONS = st.lists(TURNS, min_size=1, max_size=2).map(tuple).map(numbered)
