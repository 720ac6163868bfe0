"""Every recorded session says through our readers what its `expected.yaml` says."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import CLASSIC, TRACES
from recorded_rows import (
    SCENARIOS,
    expected,
    seen_in,
    wrong_calls,
    wrong_ends,
    wrong_in_order,
)

from reasonix_runtime.trace.events import DIAGNOSTICS

RUN_FORMS = (".stream.jsonl", ".trajectory.jsonl", ".served.jsonl", ".acp.jsonl")

# Rows that number the calls of one response in another order than every form of the same session.
MISNUMBERED = {"call_17_1c523edf8dd8", "call_18_ef7b6cfe6a38"}


def name(scenario: Path) -> str:
    return f"{scenario.parent.name[:7]}-{scenario.name}"


@pytest.mark.parametrize("scenario", SCENARIOS, ids=name)
def test_a_run_says_what_its_rows_say(scenario: Path) -> None:
    """Calls, outcomes, turns and the host's own decisions, in each form that holds one run."""
    problems = []
    for run in expected(scenario)["runs"]:
        rows = [row for row in run["host"] if row.get("id") not in MISNUMBERED and "turn" in row]
        for file in run["files"]:
            if file.endswith(RUN_FORMS):
                seen = seen_in(scenario / file)
                problems += [f"{file}: {text}" for text in wrong_calls(seen, rows)]
                problems += [f"{file}: {text}" for text in wrong_ends(seen, rows)]
                assert {diag.code for diag in seen.diagnostics} <= DIAGNOSTICS

    assert [] == problems


@pytest.mark.parametrize("scenario", SCENARIOS, ids=name)
def test_a_session_store_says_what_the_rows_of_all_runs_say(scenario: Path) -> None:
    """What lies on a user's disk holds the runs one after the other."""
    runs = expected(scenario)["runs"]
    for run in runs:
        run["host"] = [row for row in run["host"] if row.get("id") not in MISNUMBERED]
    logs = sorted((scenario / "session").glob("*.events.jsonl"))
    frames = sorted(scenario.glob("sessions-v4/*/events.frames"))

    problems = {
        path.name: wrong
        for path in [*logs[:1], *frames[:1]]
        if (wrong := wrong_in_order(seen_in(path), runs))
    }

    assert {} == problems


@pytest.mark.parametrize("scenario", SCENARIOS, ids=name)
def test_a_conversation_log_says_what_the_rows_of_its_calls_say(scenario: Path) -> None:
    """Messages alone carry the host's failures as text; calls it does not hold are left out."""
    seen = seen_in(scenario / "chat.jsonl")
    held = {call.native_id for call in seen.calls.get("main", ())}
    runs = expected(scenario)["runs"]
    for run in runs:
        run["host"] = [
            row
            for row in run["host"]
            if row.get("id") in held and "scope" not in row and row["id"] not in MISNUMBERED
        ]

    assert [] == wrong_in_order(seen, runs)


def test_redacted_events_are_refused_with_what_to_record_instead() -> None:
    """Placeholders in place of names and outputs can prove nothing."""
    files = sorted(TRACES.glob("*/*/[0-9].events.jsonl"))

    for path in files:
        seen = seen_in(path)

        assert ["redacted_trace"] == [diag.code for diag in seen.diagnostics]
        assert "--trajectory" in seen.diagnostics[0].text
        assert not seen.calls
    assert files


def test_a_sub_agent_of_a_session_folder_has_its_calls_in_its_own_scope() -> None:
    """Its evidence counts for the review inside it, and flows up only when it ends."""
    (log,) = (CLASSIC / "subagent-task" / "session").glob("*.events.jsonl")

    seen = seen_in(log)

    assert {"main": 6, "call_02_6f6fb8349e3e": 5, "call_09_397ba74237a2": 3} == {
        scope: len(calls) for scope, calls in seen.calls.items()
    }
