"""The recorded verdicts of the classic host about single commands."""

from __future__ import annotations

import pytest
from places import RECORDED

from reasonix_conformance.verdicts.agreement import assess


@pytest.mark.parametrize("kind", ["command_class", "command_match", "path_risk"])
def test_every_recorded_verdict_is_recomputed(kind: str) -> None:
    """What the classic host decided is the yardstick of `classic`."""
    agreement = assess([RECORDED / f"{kind}.jsonl"], rules="classic")

    assert [] == agreement.disagreements
    assert agreement.kinds[kind].lines > 100
