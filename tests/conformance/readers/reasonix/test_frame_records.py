"""Records of a frame store: their numbers, and what a host writes for calls that it lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from frame_store import numbered
from read_records import ended

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import Diag, Event, Notice, TurnEnd, User

Payload = dict[str, Any]


def told(folder: Path, *stored: tuple[int, str, Payload]) -> list[Event]:
    """Return what a store tells that holds these events as (number, kind, payload)."""
    path = folder / "events.frames"
    path.write_bytes(b"".join(numbered(*event) for event in stored))
    return list(events(Recording(path=path, shown="trace")))


def turn(*inside: tuple[str, Payload]) -> list[tuple[int, str, Payload]]:
    """Return the numbered events of a turn that was cut off."""
    whole = [("turn/start", {}), *inside, ("turn/end", {"status": "interrupted"})]
    return [(number, *event) for number, event in enumerate(whole, 1)]


def call(ident: str, **more: Any) -> tuple[str, Payload]:
    return "tool/call", {"id": ident, "name": "bash", "args": "{}", **more}


def lost(ident: str, state: str) -> tuple[str, Payload]:
    """Return the result that a host fills in for a call of a turn that ended without one."""
    error = "turn ended before recording a result"
    told = {"name": "bash", "error": error, "runState": state, "state": state}
    return "tool/result", {"id": ident, **told}


def attempt(action: str) -> tuple[str, Payload]:
    return "assistant/attempt", {"id": "A", "action": action}


SHOWN = call("a", partial=True, args="", attemptId="A")


def notes(stream: list[Event]) -> list[str]:
    return [event.text for event in stream if isinstance(event, Diag)]


@pytest.mark.parametrize(
    ("numbers", "expected"),
    [((1, 2, 3), []), ((1, 3), ["event 3 stands after event 1"])],
    ids=["whole", "gap"],
)
def test_a_batch_that_is_gone_shows_by_the_numbers(
    numbers: tuple[int, ...], expected: list[str], tmp_path: Path
) -> None:
    """Each batch has its own checksum, so only the numbers tell of a missing one."""
    stored = turn(("assistant/attempt", {}))

    assert expected == notes(told(tmp_path, *(stored[number - 1] for number in numbers)))


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ([call("a"), lost("a", "not_started")], {"main#1": "cancelled"}),
        ([call("a"), lost("a", "unknown")], {"main#1": "unknown"}),
        ([SHOWN, lost("a", "not_started")], {"main#1": "cancelled"}),
        ([SHOWN, attempt("discard"), lost("a", "not_started")], {}),
    ],
    ids=["not-started", "started", "announced", "discarded"],
)
def test_a_lost_call_ended_as_the_host_fills_in(
    stored: list[tuple[str, Payload]], expected: dict[str, str], tmp_path: Path
) -> None:
    """Also one that was only announced, but for what the model took back; nothing is an orphan."""
    stream = told(tmp_path, *turn(*stored))

    assert expected == dict(ended(stream))
    assert [] == notes(stream)


def test_nobody_knows_how_the_lost_calls_of_a_sub_agent_ended(tmp_path: Path) -> None:
    """The host fills in the outer call first, and of inner ones it keeps no start."""
    inside = call("p/a", parentId="p")
    stored = turn(call("p"), inside, lost("p", "unknown"), lost("p/a", "not_started"))

    stream = told(tmp_path, *stored)

    assert {"main#1": "unknown", "p#1": "unknown"} == dict(ended(stream))
    assert [] == notes(stream)


def test_an_empty_state_says_nothing(tmp_path: Path) -> None:
    """The start of a sub-agent among several has none, and its result has no error."""
    stream = told(
        tmp_path, *turn(call("a"), ("tool/result", {"id": "a", "runState": "", "error": ""}))
    )

    assert {"main#1": "ok"} == dict(ended(stream))


def test_a_message_that_is_stored_anew_is_told_once(tmp_path: Path) -> None:
    """A turn that was stopped stores its messages once more."""
    message = {"message": {"role": "user", "id": "m", "origin": "user", "content": "go"}}
    stream = told(tmp_path, *turn(("message/complete", message), ("message/upsert", message)))

    assert ["go"] == [event.text for event in stream if isinstance(event, User)]
    assert [] == notes(stream)


def test_news_of_the_host_are_passed_on(tmp_path: Path) -> None:
    """They may tell that a conversation was taken back."""
    shown = {"role": "notice", "code": "c", "level": "info", "content": "rewound"}
    stream = told(tmp_path, *turn(("diagnostic", {"displayRecord": shown, "type": "x"})))

    assert [("rewound", "c", "info")] == [
        (event.text, event.code, event.level) for event in stream if isinstance(event, Notice)
    ]
    assert [] == notes(stream)


@pytest.mark.parametrize(
    ("more", "error"), [({}, "the turn failed"), ({"error": "no quota"}, "no quota")]
)
def test_a_turn_that_failed_says_why_where_it_can(
    more: Payload, error: str, tmp_path: Path
) -> None:
    """The host's own words are worth more than ours."""
    *stored, (number, kind, _) = turn(call("a"))
    stream = told(tmp_path, *stored, (number, kind, {"status": "failed", **more}))

    assert [("failed", error)] == [
        (event.status, event.error) for event in stream if isinstance(event, TurnEnd)
    ]


def test_half_of_a_letter_in_a_payload_loses_nothing(tmp_path: Path) -> None:
    """A result may have been cut between the halves of an emoji; lines forgive it, too."""
    cut = ("tool/result", {"id": "a", "output": "\ud83d", "runState": "completed"})

    stream = told(tmp_path, *turn(call("a"), cut))

    assert {"main#1": "ok"} == dict(ended(stream))
    assert [] == notes(stream)
