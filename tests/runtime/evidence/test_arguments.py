"""Decoding of arguments as the gates read them (CS-01)."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.evidence.arguments import Fields


def test_keys_are_read_in_any_case_and_null_is_absent() -> None:
    """CS-01: the gates' own decoding differs from the receipts' here."""
    fields = Fields({"STEP": "x", "result": None})

    assert ("x", "") == (fields.text("step"), fields.text("result"))
    assert [] == fields.problems


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({"step": 7}, "step: expected a text, got a number"),
        ({"step_index": "2"}, "step_index: expected an integer, got a text"),
        ({"step_index": True}, "step_index: expected an integer, got a boolean"),
        ({"step_index": 1.5}, "step_index: expected an integer, got a number"),
        ({"paths": "a"}, "paths: expected a list, got a text"),
        ({"paths": ["a", {}]}, "paths[1]: expected a text, got an object"),
        ({"evidence": ["a"]}, "evidence[0]: expected an object, got a text"),
        ([], "the arguments: expected an object, got a list"),
    ],
)
def test_a_wrong_type_is_named_with_its_place(value: Any, problem: str) -> None:
    """The model is told what to change, not merely that something is wrong."""
    fields = Fields(value)
    fields.text("step")
    fields.integer("step_index")
    fields.texts("paths")
    list(fields.objects("evidence"))

    assert [problem] == fields.problems


def test_a_member_of_a_wrong_type_reads_as_absent() -> None:
    """A gate can go on and name further faults."""
    fields = Fields({"step": 7, "evidence": [{"kind": "manual"}, None]})

    assert "" == fields.text("step")
    assert ["manual", ""] == [item.text("kind") for item in fields.objects("evidence")]
