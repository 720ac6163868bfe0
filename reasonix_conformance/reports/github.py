"""A replay for GitHub Actions: annotations on the trace's lines, and a summary of the job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reasonix_conformance.plain import plain
from reasonix_conformance.replay.results import Judged, TraceResult, summarise
from reasonix_conformance.reports.levels import Level, explained, headline, level
from reasonix_conformance.reports.text_report import arguments_said
from reasonix_conformance.words import count
from reasonix_runtime.gates.verdict import Decision

MOST_ROWS = 200
"""How many findings the job summary lists; it says how many it left out."""

_COMMAND = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def workflow_commands(results: Iterable[TraceResult]) -> str:
    """Return one workflow command a finding; unsure verdicts are notices."""
    return "".join(_annotation(result, judged) for result, judged in _findings(results))


def job_summary(results: Iterable[TraceResult]) -> str:
    """Return the Markdown for `$GITHUB_STEP_SUMMARY`."""
    results = list(results)
    counts = summarise(results)
    lines = [
        "## Replay",
        "",
        f"{count(counts.traces, 'trace')}, {count(counts.verdicts, 'verdict')}: "
        f"{counts.decisions[Decision.ACCEPT]} accept, {counts.decisions[Decision.REJECT]} reject, "
        f"{counts.decisions[Decision.NOT_ASSESSABLE]} not assessable.",
    ]
    if counts.arguments is not None:
        lines += ["", f"Arguments: {arguments_said(counts.arguments)}."]
    if not counts.assessed:
        lines += ["", "**Nothing could be assessed; this is not a pass.**"]
    findings = list(_findings(results))
    if findings:
        lines += ["", "| level | trace | line | finding |", "| --- | --- | --- | --- |"]
        lines += [_row(result, judged) for result, judged in findings[:MOST_ROWS]]
    if len(findings) > MOST_ROWS:
        lines += ["", f"Not listed: {count(len(findings) - MOST_ROWS, 'more finding')}."]
    return "\n".join(lines) + "\n"


def _findings(results: Iterable[TraceResult]) -> Iterator[tuple[TraceResult, Judged]]:
    for result in results:
        for judged in result.verdicts:
            if level(judged) is not Level.NONE:
                yield result, judged


def _annotation(result: TraceResult, judged: Judged) -> str:
    properties = f"file={_property(result.path)}"
    if judged.src and judged.src.line:
        properties += f",line={judged.src.line}"
    properties += f",title={_property(judged.verdict.gate)}"
    return f"::{_COMMAND[level(judged)]} {properties}::{_data(explained(judged))}\n"


def _row(result: TraceResult, judged: Judged) -> str:
    line = judged.src.line if judged.src and judged.src.line else ""
    cells = (level(judged).value, result.path, str(line), headline(judged))
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _data(text: str) -> str:
    return plain(text, lines=True).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _cell(text: str) -> str:
    flat = plain(" ".join(text.split())).replace("\\", "\\\\").replace("|", "\\|")
    return flat.replace("<", "&lt;").replace("`", "\\`")
