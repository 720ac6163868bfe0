"""The written transcripts that are to hold, and what comes of one."""

from __future__ import annotations

from fnmatch import fnmatchcase

from places import FIXTURES, TRANSCRIPTS

from reasonix_conformance.replay.replay import replay_transcript
from reasonix_conformance.replay.results import TraceResult
from reasonix_runtime.gates.policy import rule_set
from reasonix_runtime.trace import yaml12
from reasonix_runtime.trace.transcript import Transcript, load

KNOWN = FIXTURES / "known-failures.yaml"

Case = tuple[Transcript, str]


def cases() -> tuple[Case, ...]:
    """Return every transcript that is to hold, with every rule set that it names."""
    known = [entry["id"] for entry in yaml12.load(KNOWN.read_bytes(), KNOWN.name).value]
    return tuple(
        (transcript, rules)
        for path in sorted((TRANSCRIPTS).glob("*.yaml"))
        for transcript in load(path)
        for rules in transcript.rules
        if not any(fnmatchcase(transcript.id, name) for name in known)
    )


CASES = cases()


def replayed(case: Case) -> TraceResult:
    """Return what comes of a transcript under a rule set."""
    transcript, rules = case
    return replay_transcript(transcript, rule_set(rules))
