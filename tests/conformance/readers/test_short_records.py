"""What readers take a short way with: it must say what the long way says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from places import TRACES

from reasonix_conformance.readers.building.pairing import REMEMBERED, Scope
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.readers.hosts import outcomes
from reasonix_conformance.readers.hosts.outcomes import Execution, Grade, of_message, of_wire
from reasonix_conformance.readers.reasonix import wire
from reasonix_runtime.trace.events import Event, ToolCall

STREAMS = [
    path
    for kind in ("stream", "served", "trajectory")
    for path in sorted(TRACES.glob(f"*/*/*.{kind}.jsonl"))
]


class NoSteps:
    """Decodes no line as a short record."""

    def each(self, lines: list[bytes]) -> list[None]:
        return [None] * len(lines)


def read(path: Path) -> list[Event]:
    return list(events(Recording(path=path, shown=path.name)))


@pytest.mark.parametrize("path", STREAMS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_an_event_says_the_same_decoded_short_or_whole(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The short record has the fields that a call needs; a field that it lacks would go unseen."""
    short = read(path)

    monkeypatch.setattr(wire, "decode_step", NoSteps())

    assert read(path) == short


@pytest.mark.parametrize(
    ("err", "code", "grade"),
    [
        (None, 0, Grade("ok", "exit_code", 0)),
        ("", 0, Grade("ok", "exit_code", 0)),
        (None, 1, Grade("error", "exit_code", 1)),
        (None, 255, Grade("error", "exit_code", 255)),
        (None, 256, Grade("error", "exit_code", 256)),
        (None, -9, Grade("error", "exit_code", -9)),
        ("boom", 0, Grade("error", "exit_code", 0, "boom")),
        ("boom", 256, Grade("error", "exit_code", 256, "boom")),
        (None, True, outcomes.UNKNOWN),
        (None, 1.0, outcomes.UNKNOWN),
        (None, "1", outcomes.UNKNOWN),
    ],
)
def test_an_exit_code_is_a_whole_number_of_any_size(err: str | None, code: Any, grade: Any) -> None:
    """Grades of common codes are made beforehand; nothing else may be taken for one of them."""
    assert grade == of_wire(err, None, Execution(exit_code=code))


@pytest.mark.parametrize(
    ("run_state", "state", "outcome"),
    [
        ("completed", "completed", "ok"),
        ("completed", None, "ok"),
        ("completed", "of a later host", "ok"),
        ("completed", "timed_out", "cancelled"),
        ("completed", "failed", "error"),
        ("completed", "not_run", "not_run"),
        ("failed", "completed", "error"),
        ("unknown", "completed", "unknown"),
        ("not_started", "failed", "error"),
    ],
)
def test_of_two_states_the_one_that_is_no_success_counts(
    run_state: str, state: str | None, outcome: str
) -> None:
    """The tool may have run to its end, and its command not."""
    assert outcome == of_wire(None, run_state, Execution(state=state)).outcome


HOSTS_WORDS = (
    "error: x",
    "blocked: x",
    "Started background job 1",
    *outcomes._REFUSALS,
    *outcomes._INTERRUPTED,
    *(words.upper() for words in outcomes._INTERRUPTED),
    *(words.title() for words in outcomes._INTERRUPTED),
)


@pytest.mark.parametrize("words", HOSTS_WORDS)
def test_the_hosts_own_words_are_seen_whatever_they_begin_with(words: str) -> None:
    """Most texts are told from the host's words by their first character alone."""
    assert of_message(words, None, None).outcome != "ok"


@given(st.sampled_from(["", *HOSTS_WORDS]), st.booleans(), st.text())
def test_a_text_is_graded_alike_with_and_without_the_look_at_its_first_character(
    words: str, swapped: bool, more: str
) -> None:
    """What the first character excludes must be excluded by the words, too."""
    text = f"{words.swapcase() if swapped else words}{more}"

    assert outcomes._of_text(text) == of_message(text, None, None)


def test_ids_answered_lately_are_remembered_and_others_are_not() -> None:
    """A second result is told from an orphan for so many ids at least; memory stays bounded."""
    scope = Scope("main")
    for number in range(3 * REMEMBERED):
        uid = f"main#{number}"
        scope.add(ToolCall(uid=uid, name="bash"), (str(number),))
        scope.close(uid)

    lately = range(2 * REMEMBERED, 3 * REMEMBERED)
    assert all(scope.has_answered(str(number)) for number in lately)
    assert not any(scope.has_answered(str(number)) for number in range(REMEMBERED - 1))
