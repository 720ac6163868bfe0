"""Outputs of runs beside the session files of the same runs: equal verdicts, judged once."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import TRACES

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.traces.files import files
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Diag

OUTPUTS = TRACES / "run-outputs"

# What each run comes to: the decisions on the ends of its turns, and what is said of its output.
VERDICTS: dict[str, tuple[list[str], list[str]]] = {
    "claude-cut-off": ([], ["truncated_tail", "unanswered_call"]),
    "claude-sub-agent": (["reject: finish.verification_missing"], []),
    "claude-two-turns": (["accept", "reject: finish.verification_missing"], []),
    "claude-verified": (["accept"], []),
    "codex-failed": ([], []),
    "codex-older-shape": (["accept"], []),
    "codex-unverified": (["reject: finish.verification_missing"], []),
    "codex-verified": (["accept"], ["bad_line"]),
}


def judged(path: Path) -> list[str]:
    found = [one.verdict for told in file_results(path, Options()) for one in told.verdicts]
    return [f"{one.decision.value}: {one.reason}".removesuffix(": None") for one in found]


def parts(name: str) -> tuple[Path, list[Path]]:
    """Return the output of a run, and the session files beside it."""
    folder = OUTPUTS / name
    (output,) = folder.glob("output*")
    return output, [path for path in folder.iterdir() if path != output]


def test_every_run_is_in_the_table() -> None:
    """One that is not would be checked by nobody."""
    assert sorted(VERDICTS) == sorted(path.name for path in OUTPUTS.iterdir())


@pytest.mark.parametrize("name", VERDICTS)
def test_an_output_is_judged_as_its_session_file(name: str) -> None:
    """Where the output tells the same facts, who judges it comes to the same end."""
    output, sessions = parts(name)
    decisions, notes = VERDICTS[name]

    assert decisions == judged(output)
    assert [decisions for _ in sessions] == [judged(path) for path in sessions]
    told = events(Recording(path=output, shown=output.name))
    assert notes == sorted({event.code for event in told if isinstance(event, Diag)})


@pytest.mark.parametrize("name", VERDICTS)
def test_a_folder_with_both_is_judged_once(name: str) -> None:
    """By the session file, if there is one."""
    output, sessions = parts(name)

    assert (sessions or [output]) == [path for path, _, _ in files([OUTPUTS / name])]
