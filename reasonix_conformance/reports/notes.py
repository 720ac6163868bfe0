"""What the readers remarked on a trace, as reports tell it: a part that was not read is no pass.

| remark | level |
| --- | --- |
| something of the trace is missing, damaged or not known | warning |
| nothing is lost, but the trace is not as simple as it looks | note |
| turns are read off the user's messages | none: many formats tell no others |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.reports.levels import Level
from reasonix_runtime.trace.events import Diag

MEANING: Final[Mapping[str, str]] = {
    "bad_args": "the arguments of a call are no JSON; the text is kept",
    "bad_checksum": "a batch of frames does not fit its checksum and does not count",
    "bad_line": "a line holds no record; the rest is read",
    "bad_name": "the name of a called tool holds control characters",
    "branch_dropped": "messages were taken back or left on a branch; what they did still happened",
    "clock_disorder": "timestamps go back; file order counts",
    "duplicate_result": "a second result for one call; the first counts",
    "mid_chain_start": "the file begins in the middle of a conversation",
    "missing_blob": "a payload in another file is not there",
    "missing_child": "what a sub-agent did is not there",
    "missing_prompt": "calls stand behind an answer without a prompt: one turn may be several",
    "orphan_result": "a result without its call; never evidence",
    "profile_mismatch": "the host follows another rule set than the one that judges",
    "redacted_trace": "placeholders in place of names and outputs; refused",
    "repeated_call_id": "a call id occurs again; results go to the latest open call",
    "rewritten_result": "the host replaced an old result; its text is unknown",
    "several_sessions": "one file holds several sessions, each judged by itself",
    "torn_frame": "a frame is damaged; the rest of the store is not read",
    "truncated_result": "a result was cut; what it lacks proves nothing",
    "truncated_tail": "the file stops in the middle, or is empty",
    "turn_inferred": "turns are read off the user's messages",
    "unanswered_call": "a call has no result: lost, killed, or announced and never run",
    "unknown_key": "a key of a transcript is read by nobody and changes nothing",
    "unknown_record": "records of a kind that is not known were skipped",
}
"""What each diagnostic code means (`docs/trace-formats.md`)."""

_NOTHING_LOST: Final = frozenset(
    {
        "branch_dropped",
        "clock_disorder",
        "duplicate_result",
        "profile_mismatch",
        "repeated_call_id",
        "several_sessions",
    }
)
_QUIET: Final = frozenset({"turn_inferred"})


def note_level(code: str) -> Level:
    """Return how much a remark of a reader matters; it never fails a run."""
    if code in _QUIET:
        return Level.NONE
    return Level.NOTE if code in _NOTHING_LOST else Level.WARNING


def notes(result: TraceResult) -> Iterator[Diag]:
    """Yield the remarks that reports tell, in their order."""
    return (diag for diag in result.diagnostics if note_level(diag.code) is not Level.NONE)


def place(result: TraceResult, diag: Diag) -> tuple[str, int | None]:
    """Return the file and the line (from 1) of a remark; the file of the trace if it tells none."""
    if diag.src is None:
        return result.path, None
    return diag.src.file or result.path, diag.src.line or None


def said(diag: Diag) -> str:
    """Return a remark in one line: its code, and what it says."""
    return f"{diag.code}: {diag.text or MEANING.get(diag.code, '')}"


def count(results: Iterable[TraceResult]) -> dict[str, int]:
    """Return how often each code that reports tell was remarked, by code."""
    return dict(sorted(Counter(diag.code for one in results for diag in notes(one)).items()))
