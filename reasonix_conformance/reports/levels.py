"""How much a verdict of a replay matters: the levels that SARIF, GitHub and JUnit know.

| verdict | level |
| --- | --- |
| an expectation of the transcript does not hold | error |
| the host let pass what the rules refuse | error |
| the rules refuse, and the trace does not tell what the host did | error |
| the host refused what the rules accept | warning |
| not assessable | note |
| a failure that the list of known failures names | note |
| the rules refuse and so did the host: the gate worked | none |
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

import msgspec

from reasonix_conformance.replay.results import Agreement, Judged, TraceResult
from reasonix_runtime.gates.verdict import Decision

WHOLE = "run/whole"
"""What is checked where the run as a whole is at fault: its list, how little it exercised."""


class About(NamedTuple):
    """What a report is about: its heading, and the word for one of what it counts."""

    title: str
    unit: str


REPLAY = About("Replay", "trace")
SUITE = About("Contract suite", "item")
"""Tools, documents and transcripts, and the traces of the same run."""


NOTHING = "nothing could be assessed; this is not a pass"
"""What the text of a run ends with in which that is so."""

KNOWN = "known failure"
"""What is said of a failure that a list names."""


class Level(StrEnum):
    """Levels of SARIF 2.1.0, section 3.27.10."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"
    NONE = "none"


def level(judged: Judged) -> Level:
    """Return how much a verdict matters; a failure that is known is a note."""
    if judged.known:
        return Level.NOTE
    if judged.held is not None:
        return Level.NONE if judged.held else Level.ERROR
    if judged.verdict.decision is Decision.NOT_ASSESSABLE:
        return Level.NOTE
    if judged.agreement is Agreement.HOST_STRICT:
        return Level.WARNING
    refused = judged.verdict.decision is Decision.REJECT
    return Level.ERROR if refused and judged.agreement is not Agreement.AGREE else Level.NONE


def headline(judged: Judged) -> str:
    """Return one line that names a verdict and says what is wrong with it."""
    return f"{judged.name}: {finding(judged)}"


def finding(judged: Judged) -> str:
    """Return what is wrong with a verdict, without its name, for lists of findings."""
    verdict = judged.verdict
    if judged.known:
        return f"{KNOWN}: {finding(msgspec.structs.replace(judged, known=False))}"
    if judged.held is False:
        return f"not as expected: {'; '.join(judged.mismatches)}"
    said = verdict.decision.value.replace("_", " ")
    if verdict.reason:
        said += f" {verdict.reason}"
    elif _is_its_message(judged):
        said += f": {verdict.message}"
    host = {
        Agreement.HOST_LENIENT: ", but the host let it pass",
        Agreement.HOST_STRICT: ", but the host refused it",
    }.get(judged.agreement, "")
    return said + host


def explained(judged: Judged) -> str:
    """Return the headline of a verdict and, on lines of its own, the message behind it."""
    more = "" if _is_its_message(judged) else judged.verdict.message
    return "\n".join(filter(None, (headline(judged), more)))


def explained_with_part(result: TraceResult, judged: Judged) -> str:
    """Return the same where only the file is named beside it: led by what of the file it is of."""
    return f"{result.part}: {explained(judged)}" if result.part else explained(judged)


def _is_its_message(judged: Judged) -> bool:
    """Whether a finding is nothing but the message: what an unsure verdict lacks."""
    verdict = judged.verdict
    unsure = verdict.decision is Decision.NOT_ASSESSABLE and not verdict.reason
    return unsure and judged.held is not False and bool(verdict.message)
