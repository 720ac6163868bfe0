"""A replay for GitHub Actions: annotations on the trace's lines, and a summary of the job."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from reasonix_conformance.redact import redact
from reasonix_conformance.replay.results import Judged, Lost, Summary, TraceResult, summarise
from reasonix_conformance.reports.levels import (
    REPLAY,
    WHOLE,
    About,
    Level,
    explained,
    explained_with_part,
    level,
)
from reasonix_conformance.reports.notes import note_level, notes, place, said
from reasonix_conformance.reports.text_report import (
    arguments_said,
    counts_said,
    expectations_said,
    known_said,
    unjudged_said,
    untold_said,
)
from reasonix_conformance.words import count
from reasonix_runtime.plain import plain
from reasonix_runtime.trace.events import Diag

MOST_ROWS = 200
"""How many findings, and how many notes, the job summary lists; it says how many it left out."""

_COMMAND = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def workflow_commands(
    results: Iterable[TraceResult], lost: Iterable[Lost] = (), problems: Iterable[str] = ()
) -> str:
    """Return one workflow command a finding or note of a reader; unsure verdicts are notices."""
    results = list(results)
    return "".join(
        [_annotation(result, judged) for result, judged in _findings(results)]
        + [_note(result, diag) for result, diag in _notes(results)]
        + [
            f"::error file={_property(file.path)},title=trace/readable::{_data(file.text)}\n"
            for file in lost
        ]
        + [f"::error title={WHOLE}::{_data(problem)}\n" for problem in problems]
    )


def job_summary(
    results: Iterable[TraceResult],
    lost: Sequence[Lost] = (),
    problems: Sequence[str] = (),
    *,
    about: About = REPLAY,
    counts: Summary | None = None,
) -> str:
    """Return the Markdown for `$GITHUB_STEP_SUMMARY`; without `counts` those of the results."""
    results = list(results)
    counts = counts or summarise(results)
    lines = [
        f"## {about.title}",
        "",
        f"{counts_said(counts, about)}.",
    ]
    if counts.held or counts.failed:
        lines += ["", f"Expectations: {expectations_said(counts)}."]
    if counts.unjudged:
        lines += ["", f"{unjudged_said(counts)}."]
    if counts.known is not None:
        lines += ["", f"{known_said(counts)}."]
    if counts.arguments is not None:
        lines += ["", f"Arguments: {arguments_said(counts.arguments)}."]
    if not counts.assessed:
        lines += ["", "**Nothing could be assessed; this is not a pass.**"]
    elif counts.untold:
        said = untold_said(counts, about)
        lines += ["", f"**{said[0].upper()}{said[1:]}.**"]
    if lost:
        lines += ["", "### Files that could not be read", "", "| trace | why |", "| --- | --- |"]
        told = (map(_cell, map(redact, (file.path, file.text))) for file in lost[:MOST_ROWS])
        lines += [f"| {' | '.join(cells)} |" for cells in told]
    if len(lost) > MOST_ROWS:
        lines += ["", f"Not listed: {count(len(lost) - MOST_ROWS, 'more file')}."]
    if problems:
        lines += ["", "### What is wrong with the run as a whole", ""]
        lines += [f"* {_cell(redact(problem))}" for problem in problems]
    findings = list(_findings(results))
    if findings:
        lines += ["", f"| level | {about.unit} | line | finding |", "| --- | --- | --- | --- |"]
        lines += [_row(result, judged) for result, judged in findings[:MOST_ROWS]]
    if len(findings) > MOST_ROWS:
        lines += ["", f"Not listed: {count(len(findings) - MOST_ROWS, 'more finding')}."]
    lines += _notes_section(list(_notes(results)))
    return "\n".join(lines) + "\n"


def _findings(results: Iterable[TraceResult]) -> Iterator[tuple[TraceResult, Judged]]:
    for result in results:
        for judged in result.verdicts:
            if level(judged) is not Level.NONE:
                yield result, judged


def _notes(results: Iterable[TraceResult]) -> Iterator[tuple[TraceResult, Diag]]:
    for result in results:
        for diag in notes(result):
            yield result, diag


def _notes_section(found: list[tuple[TraceResult, Diag]]) -> list[str]:
    """Return what the readers remarked: what was not read is not among the findings."""
    if not found:
        return []
    lines = ["", "### Notes of the readers", ""]
    lines += ["| level | trace | line | note |", "| --- | --- | --- | --- |"]
    for result, diag in found[:MOST_ROWS]:
        file, line = place(result, diag)
        lines.append(_table_row(note_level(diag.code).value, redact(file), line, said(diag)))
    if len(found) > MOST_ROWS:
        lines += ["", f"Not listed: {count(len(found) - MOST_ROWS, 'more note')}."]
    return lines


def _note(result: TraceResult, diag: Diag) -> str:
    file, line = place(result, diag)
    properties = f"file={_property(file)}" + (f",line={line}" if line else "")
    command = _COMMAND[note_level(diag.code)]
    return f"::{command} {properties},title={_property(diag.code)}::{_data(said(diag))}\n"


def _annotation(result: TraceResult, judged: Judged) -> str:
    properties = f"file={_property(result.path)}"
    if judged.src and judged.src.line:
        properties += f",line={judged.src.line}"
    properties += f",title={_property(judged.verdict.gate)}"
    return (
        f"::{_COMMAND[level(judged)]} {properties}::{_data(explained_with_part(result, judged))}\n"
    )


def _row(result: TraceResult, judged: Judged) -> str:
    line = judged.src.line if judged.src else None
    return _table_row(level(judged).value, result.name, line, explained(judged))


def _table_row(how: str, path: str, line: int | None, text: str) -> str:
    cells = (_cell(how), _cell(path), str(line or ""), "<br>".join(map(_cell, text.splitlines())))
    return f"| {' | '.join(cells)} |"


def _data(text: str) -> str:
    return plain(text, lines=True).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _cell(text: str) -> str:
    flat = plain(" ".join(text.split())).replace("\\", "\\\\").replace("|", "\\|")
    return flat.replace("<", "&lt;").replace("`", "\\`")
