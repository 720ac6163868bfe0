"""Every fault of the list of pitfalls is held by transcripts that pass, or by tests that are there.

`fixtures/pitfalls.yaml` is the list. A fault whose fixture was renamed, or no longer decides what
it was written for, must not look held.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest
from places import FIXTURES, TRANSCRIPTS
from policy_points import POINTS
from witnesses import witnesses

from reasonix_conformance.replay.replay import replay_transcript
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.gates.verdict import Decision
from reasonix_runtime.trace import yaml12
from reasonix_runtime.trace.transcript import Transcript, load

LIST = FIXTURES / "pitfalls.yaml"
PITFALLS: dict[str, dict[str, dict[str, Any]]] = yaml12.load(LIST.read_bytes(), LIST.name).value
GATES = PITFALLS["gates"]
COUNTS = {
    "gates": {
        "CMD": 9,
        "MASK": 5,
        "VER": 10,
        "FRESH": 4,
        "SCOPE": 4,
        "PATH": 8,
        "TODO": 12,
        "PERSIST": 3,
        "GATE": 9,
        "GOAL": 4,
        "CAP": 6,
        "PAGE": 7,
    },
    "traces": {"TRACE": 35, "PAIR": 7, "REPLAY": 3, "JSONL": 7, "ARGS": 4, "SCOPE": 4},
}
SIDES = {"accept": Decision.ACCEPT, "reject": Decision.REJECT}
FAULT = r"[A-Z][^\n]{10,120}\."
KEYS = {*SIDES, "fault", "choice", "tests", "unseen"}


@cache
def transcripts() -> dict[str, Transcript]:
    """Return the transcripts that hold under `contract`, by their ids."""
    folder = TRANSCRIPTS
    return {
        found.id: found
        for path in sorted(folder.glob("*.yaml"))
        for found in load(path)
        if CONTRACT.name in found.rules
    }


def named(entry: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the transcripts that an entry names, each with its side."""
    return [(side, one) for side in SIDES for one in entry.get(side, ())]


@pytest.mark.parametrize("part", sorted(COUNTS))
def test_every_pitfall_is_listed(part: str) -> None:
    """A fault that nobody lists is one that nobody holds."""
    expected = [
        f"{area}-{number}" for area, count in COUNTS[part].items() for number in range(1, count + 1)
    ]

    assert expected == list(PITFALLS[part])
    assert set(COUNTS) == set(PITFALLS)


@pytest.mark.parametrize("pitfall", PITFALLS["traces"])
def test_an_entry_about_traces_says_its_fault_and_the_tests_that_hold_it(pitfall: str) -> None:
    """Reading is held by tests: there is no verdict to compare."""
    entry = PITFALLS["traces"][pitfall]

    assert {"fault", "tests"} == set(entry)
    assert re.fullmatch(FAULT, entry["fault"])
    assert entry["tests"]


@pytest.mark.parametrize("pitfall", GATES)
def test_an_entry_says_its_fault_and_what_holds_it(pitfall: str) -> None:
    """In one sentence; a verdict holds it, and what no verdict shows is said to be unseen."""
    entry = GATES[pitfall]

    assert set(entry) <= KEYS
    assert re.fullmatch(FAULT, entry["fault"])
    assert named(entry)
    for words in (entry.get("unseen", "Said."), entry.get("choice", "Said.")):
        assert words.endswith(".") or words in POINTS


@pytest.mark.parametrize(
    ("side", "name"),
    sorted({pair for entry in GATES.values() for pair in named(entry)}),
)
def test_a_transcript_holds_and_decides_what_it_is_named_for(side: str, name: str) -> None:
    """An expectation of that decision, under the rule set that is the default."""
    result = replay_transcript(transcripts()[name], CONTRACT)

    assert () == tuple(result.failures)
    assert SIDES[side] in {one.verdict.decision for one in result.verdicts if one.held}


@pytest.mark.parametrize(
    "reference",
    sorted(
        {
            one
            for part in PITFALLS.values()
            for entry in part.values()
            for one in entry.get("tests", ())
        }
    ),
)
def test_a_test_that_is_named_exists(reference: str) -> None:
    """A witness that was renamed or deleted is none."""
    assert witnesses(reference)
