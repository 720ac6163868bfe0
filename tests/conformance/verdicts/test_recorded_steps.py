"""Recorded verdicts of receipts, task lists, sign-offs and reviews: every line agrees."""

from __future__ import annotations

import pytest
from places import RECORDED

from reasonix_conformance.verdicts import KINDS
from reasonix_conformance.verdicts.agreement import assess
from reasonix_conformance.verdicts.records import InvalidInputError
from reasonix_runtime.gates.policy import CLASSIC

LINES = {
    "receipt": 98,
    "todo_match": 124,
    "todo_identity": 60,
    "todo_advance": 79,
    "todo_write": 171,
    "complete_step": 325,
    "review_report": 225,
    "review_gate": 149,
}
FILES = {"todo_identity": "todo_match", "todo_advance": "todo_state"}


@pytest.mark.parametrize("kind", LINES)
def test_every_recorded_line_of_a_kind_agrees(kind: str) -> None:
    """Classic is held verdict for verdict; the count shows that lines were really compared."""
    path = RECORDED / f"{FILES.get(kind, kind)}.jsonl"

    agreement = assess([path], rules="classic", kinds={kind: KINDS[kind]})

    count = agreement.kinds[kind]
    assert [] == [(item.id, item.differing()) for item in agreement.disagreements]
    assert (LINES[kind], LINES[kind]) == (count.lines, count.out)


@pytest.mark.parametrize("kind", sorted(LINES))
def test_an_input_of_a_wrong_type_is_refused_in_words(kind: str) -> None:
    """A broken line of a user's file is named, not a traceback."""
    broken = {"call": 7, "calls": 7, "todos": 7, "todo": 7, "index": "x"}

    with pytest.raises(InvalidInputError, match="in: Expected"):
        KINDS[kind](broken, CLASSIC)


@pytest.mark.parametrize(
    ("content", "reason"), [(" ", None), ("\u3000", None), ("", "todo_write.content_missing")]
)
def test_a_blank_is_a_text_where_a_list_is_asked_for_its_shape(
    content: str, reason: str | None
) -> None:
    """Texts are not trimmed for this check (TW-01), whoever tells the list."""
    item = {"content": content, "status": "in_progress"}

    assert reason == KINDS["todo_advance"]({"todos": [item], "index": 1}, CLASSIC)["reason"]
    assert reason == KINDS["todo_write"]({"args": {"todos": [item]}}, CLASSIC)["reason"]
