"""What is told of a run: each event once, with its time, and a record that nothing overwrites."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from run_bench import Clock

from reasonix_conformance.readers.neutral import _decoder
from reasonix_conformance.traces.sessions import Options, events_of
from reasonix_runtime.agents.errors import RecordError
from reasonix_runtime.agents.journal import Journal, Record
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import Event, Host, Session, ToolCall, TurnStart, User
from reasonix_runtime.trace.neutral import FORMAT, line_of


def test_events_are_judged_before_they_are_told() -> None:
    """Who shows an event can ask the state machine what became of it."""
    state = HostState(CONTRACT)
    seen: list[tuple[int, str | None]] = []
    journal = Journal(
        state, clock=Clock(), listeners=[lambda event: seen.append((state.turn, event.at))]
    )
    journal.apply(TurnStart(turn=1))
    journal.tell(TurnStart(turn=2))

    assert [(1, "2026-08-01T00:00:01+00:00"), (1, "2026-08-01T00:00:02+00:00")] == seen


def test_each_event_is_on_record_as_soon_as_it_happened(tmp_path: Path) -> None:
    """What was recorded by then survives whatever ends the host."""
    file = tmp_path / "run.jsonl"
    record = Record(file)
    record.take(Session(sid="s", format=FORMAT))
    first = file.read_bytes()
    record.take(TurnStart(turn=1))
    record.close()

    assert b'{"ev":"session","sid":"s","format":"neutral/1"}\n' == first
    assert first + b'{"ev":"turn.start","turn":1}\n' == file.read_bytes()


def test_a_record_is_for_its_owner_alone(tmp_path: Path) -> None:
    """It holds what every file and command said."""
    Record(tmp_path / "run.jsonl").close()

    assert 0o600 == (tmp_path / "run.jsonl").stat().st_mode & 0o777


@pytest.mark.parametrize("made", ["file", "link", "folder"])
def test_nothing_that_is_there_is_overwritten(tmp_path: Path, made: str) -> None:
    """Also not what a link leads to, which may not be there yet."""
    place = tmp_path / "run.jsonl"
    if made == "file":
        place.write_text("mine")
    elif made == "link":
        place.symlink_to(tmp_path / "elsewhere")
    else:
        place.mkdir()

    with pytest.raises(RecordError, match="exists already; a record is never overwritten"):
        Record(place)
    assert not (tmp_path / "elsewhere").exists()


def test_a_record_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    """With the reason of the system."""
    with pytest.raises(RecordError, match=r"there is no folder .*; make it first"):
        Record(tmp_path / "none" / "run.jsonl")


def test_a_record_that_is_full_is_told() -> None:
    """A run without the record that was asked for is not what was asked for."""
    record = Record.__new__(Record)
    record._path, record._file = Path("full"), os.open("/dev/full", os.O_WRONLY)
    with pytest.raises(RecordError, match="No space left"):
        record.take(TurnStart(turn=1))
    record.close()


TEXTS = st.text(st.characters(exclude_categories=()), max_size=8)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
)


EVENTS = st.one_of(
    st.builds(lambda text: User(turn=1, text=text), TEXTS),
    st.builds(lambda args: ToolCall(uid="main#1", name="bash", args=args), JSON),
    st.builds(lambda data: Host(name="odd", data=data), st.dictionaries(TEXTS, JSON, max_size=3)),
)


@given(st.lists(EVENTS, max_size=4))
def test_any_event_is_one_line_that_is_read_again(events: list[Event]) -> None:
    """Whatever a text holds, line ends and half surrogate pairs included."""
    lines = [line_of(event) for event in events]

    assert all(line.count(b"\n") == 1 and line.endswith(b"\n") for line in lines)
    read = [_decoder(line[:-1]) for line in lines]
    assert [event.__struct_config__.tag for event in events] == [
        event.__struct_config__.tag for event in read
    ]


def test_what_is_written_is_what_the_kit_reads(tmp_path: Path) -> None:
    """Events come back as they were, but for their place."""
    file = tmp_path / "run.jsonl"
    record = Record(file)
    told = [Session(sid="s", format=FORMAT), TurnStart(turn=1), User(turn=1, text="grüß\n")]
    for event in told:
        record.take(event)
    record.close()

    read = list(events_of([file], Options()))
    assert [line_of(event) for event in told] == [
        line_of(
            type(event)(**{f: getattr(event, f) for f in event.__struct_fields__ if f != "src"})
        )
        for event in read
    ]
