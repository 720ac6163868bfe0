"""A replay as JUnit XML: one suite a trace, one case a verdict.

The notes of the readers belong to no verdict; they are the `system-out` of the suite.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from xml.etree import ElementTree

from reasonix_conformance.redact import redact
from reasonix_conformance.replay.results import Judged, Lost, TraceResult
from reasonix_conformance.reports.levels import REPLAY, WHOLE, About, Level, headline, level
from reasonix_conformance.reports.notes import notes, place, said
from reasonix_runtime.gates.verdict import Decision
from reasonix_runtime.plain import plain


def render(
    results: Iterable[TraceResult],
    lost: Iterable[Lost] = (),
    problems: Iterable[str] = (),
    *,
    about: About = REPLAY,
) -> str:
    """Return the report; characters that XML does not know are written as their escapes."""
    root = ElementTree.Element("testsuites", name=f"reasonix-conformance {about.title.lower()}")
    for result in results:
        root.append(_suite(result))
    root.extend(_error(file.path, "trace/readable", file.text) for file in lost)
    root.extend(_error(about.title.lower(), WHOLE, problem) for problem in problems)
    ElementTree.indent(root)
    text = ElementTree.tostring(root, encoding="unicode")
    return f'<?xml version="1.0" encoding="utf-8"?>\n{text}\n'


def _suite(result: TraceResult) -> ElementTree.Element:
    cases = [_case(result, judged) for judged in result.verdicts]
    return _with_children(
        ElementTree.Element(
            "testsuite",
            name=_xml(f"{result.name} [{result.rules}]"),
            tests=str(len(cases)),
            failures=str(sum(case.find("failure") is not None for case in cases)),
            skipped=str(sum(case.find("skipped") is not None for case in cases)),
            errors="0",
        ),
        [*cases, *_notes(result)],
    )


def _error(of: str, check: str, text: str) -> ElementTree.Element:
    """Return a suite for what could not be read, or for the run: its one case is an error."""
    name = _xml(redact(of))
    case = ElementTree.Element("testcase", classname=name, name=check)
    ElementTree.SubElement(case, "error", message=_xml(redact(text)))
    return _with_children(
        ElementTree.Element(
            "testsuite", name=name, tests="1", failures="0", skipped="0", errors="1"
        ),
        [case],
    )


def _notes(result: TraceResult) -> Iterator[ElementTree.Element]:
    """Yield the notes of the readers, a line each, where there are any."""
    lines = []
    for diag in notes(result):
        file, line = place(result, diag)
        where = redact(f"{file}:{line}" if line else file)
        lines.append(f"note of the reader: {where}: {said(diag)}")
    if lines:
        out = ElementTree.Element("system-out")
        out.text = _xml("\n".join(lines))
        yield out


def _case(result: TraceResult, judged: Judged) -> ElementTree.Element:
    case = ElementTree.Element("testcase", classname=_xml(result.name), name=_xml(judged.name))
    if judged.src and judged.src.line:
        case.set("line", str(judged.src.line))
    if level(judged) in (Level.ERROR, Level.WARNING):
        failure = ElementTree.SubElement(case, "failure", message=_xml(headline(judged)))
        failure.text = _xml(judged.verdict.message)
    elif judged.known:
        ElementTree.SubElement(case, "skipped", message=_xml(headline(judged)))
    elif judged.verdict.decision is Decision.NOT_ASSESSABLE:
        ElementTree.SubElement(case, "skipped", message=_xml(judged.verdict.message))
    return case


def _with_children(
    parent: ElementTree.Element, children: Iterable[ElementTree.Element]
) -> ElementTree.Element:
    parent.extend(children)
    return parent


def _xml(text: str) -> str:
    """Return a text as XML can hold it; a page or a terminal that shows it is not steered."""
    return plain(text, lines=True)
