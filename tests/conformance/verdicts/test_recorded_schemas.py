"""The recorded canonical forms of parameter schemas."""

from __future__ import annotations

from places import RECORDED

from reasonix_conformance.verdicts import KINDS
from reasonix_conformance.verdicts.agreement import assess
from reasonix_runtime.gates.policy import CLASSIC


def test_every_recorded_canonical_form_is_recomputed() -> None:
    """Who records verdicts with a port of the canonical form is told where its bytes differ."""
    agreement = assess([RECORDED / "schema_canon.jsonl"], rules="classic")

    assert [] == agreement.disagreements
    assert agreement.kinds["schema_canon"].lines > 30


def test_a_schema_that_is_not_canonical_is_not_accepted() -> None:
    """`accept` says that the text had these bytes already, not that it could be read."""
    out = KINDS["schema_canon"]({"schema": '{"type": "object"}'}, CLASSIC)

    assert {"accept": False, "canonical": '{"properties":{},"type":"object"}'} == out
