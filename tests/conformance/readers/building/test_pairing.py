"""Which call a result belongs to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from chat_records import answer, calls, chat
from read_records import codes, read_text, texts


def test_repeated_and_missing_ids_are_paired_in_order(tmp_path: Path) -> None:
    """Providers repeat ids and leave them out; a native id is never a key."""
    stream = read_text(
        tmp_path,
        chat(
            calls(("x", "f"), ("x", "g"), ("", "h")),
            answer("x", "1"),
            answer("x", "2"),
            answer("", "3"),
        ),
    )

    assert {"main#1": "1", "main#2": "2", "main#3": "3"} == texts(stream)
    assert "repeated_call_id" in codes(stream)


def test_a_result_goes_to_the_latest_call_of_its_id(tmp_path: Path) -> None:
    """An older call of the same id that was lost must not take it."""
    stream = read_text(
        tmp_path, chat(calls(("x", "f")), calls(("x", "g")), answer("x", "late"), calls(("y", "h")))
    )

    assert {"main#2": "late", "main#1": "", "main#3": ""} == texts(stream)
    assert "unanswered_call" in codes(stream)


def test_an_orphan_and_a_second_result_are_said_and_are_no_evidence(tmp_path: Path) -> None:
    """Compaction keeps results whose calls are gone; placeholders come after the fact."""
    stream = read_text(
        tmp_path, chat(answer("c7", "ok"), calls(("a", "f")), answer("a", "1"), answer("a", "2"))
    )

    assert {"main#1": "1"} == texts(stream)
    assert ["duplicate_result", "orphan_result", "turn_inferred"] == codes(stream)


@pytest.mark.parametrize(
    ("told", "code"),
    [
        ([calls(("a", "f")), answer("a", "1"), answer("a", "2")], "duplicate_result"),
        (
            [calls(("a", "f")), answer("a", "1"), calls(("b", "f")), answer("a", "2")],
            "orphan_result",
        ),
        (
            [*2 * [calls(("a", "f")), answer("a", "1")], answer("a", "2")],
            "orphan_result",
        ),
    ],
)
def test_a_second_result_may_be_that_of_a_lost_call(
    told: list[dict[str, Any]], code: str, tmp_path: Path
) -> None:
    """It is not where its call is the last one and no id was used twice."""
    codes_of = set(codes(read_text(tmp_path, chat(*told))))

    assert {code} == codes_of & {"duplicate_result", "orphan_result"}


def test_either_of_two_ids_pairs(tmp_path: Path) -> None:
    """Some recorders write an item id beside the call id."""
    call = {"id": "f1", "call_id": "k1", "function": {"name": "f", "arguments": "{}"}}
    stream = read_text(
        tmp_path, chat({"role": "assistant", "tool_calls": [call]}, answer("k1", "1"))
    )

    assert {"main#1": "1"} == texts(stream)
