"""A subject, a comparison and the results of checks as text and JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from reasonix_conformance.checks.tool import LONGEST_EXCERPT, excerpts, one_line
from reasonix_conformance.checks.tool_schema import is_canonical
from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.findings import Outcome, Result
from reasonix_runtime.contract.canonical import fingerprint
from reasonix_runtime.excerpts import clipped
from reasonix_runtime.plain import plain, readable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reasonix_conformance.subjects import Subject, SubjectTool
    from reasonix_conformance.suite.cases import Case

CONTRACT_SCHEMA = "reasonix-conformance/contract/1"
CHECK_SCHEMA = "reasonix-conformance/contract-check/1"

FLAGS = {True: "read-only", False: "changes", None: "not told"}


def choose(subject: Subject, names: Sequence[str]) -> list[SubjectTool]:
    """Return the tools of these names, all of them for none.

    Raises:
        ConformanceError: the subject has no tool of that name; the nearest is named.
    """
    by_name = {tool.name: tool for tool in subject.tools}
    for name in names:
        if name not in by_name:
            from reasonix_runtime.errors import did_you_mean

            raise ConformanceError(
                f"{subject.label} has no tool {name!r}{did_you_mean(name, by_name)}; "
                "without a name all are shown"
            )
    return [by_name[name] for name in names] if names else list(subject.tools)


def to_json(subject: Subject, tools: Iterable[SubjectTool]) -> dict[str, Any]:
    """Return a subject in the form that can be given as a subject again."""
    return {
        "schema": CONTRACT_SCHEMA,
        "subject": subject.label,
        "tools": [
            {
                "name": tool.name,
                "description": tool.description,
                "read_only": tool.read_only,
                "schema": _schema(tool),
                "fingerprint": _fingerprint(tool),
            }
            for tool in tools
        ],
        "surfaces": {key: list(names) for key, names in subject.surfaces.items()},
    }


def _schema(tool: SubjectTool) -> Any:
    """Return a tool's schema as a value; what is no JSON stays the text that it is."""
    if tool.schema is None:
        return None
    canonical = tool.canonical()
    if canonical is None:
        return tool.schema.decode("utf-8", "replace")
    return json.loads(canonical)


def _fingerprint(tool: SubjectTool) -> str | None:
    canonical = tool.canonical()
    return None if canonical is None else fingerprint(canonical)


def table(subject: Subject) -> str:
    """Return the tools of a subject, one a line, and its boot surfaces."""
    width = max(len(tool.name) for tool in subject.tools)
    lines = [f"{subject.label} ({subject.form}, {len(subject.tools)} tools)", ""]
    for tool in subject.tools:
        description = one_line(tool.description or "")
        clipped = description if len(description) <= 60 else f"{description[:59]}…"
        digest = _fingerprint(tool) or "-" * 16
        lines.append(f"{tool.name:<{width}}  {FLAGS[tool.read_only]:<9}  {digest}  {clipped}")
    for key, names in subject.surfaces.items():
        lines += ["", f"surface {key} ({len(names)}): {', '.join(names)}"]
    return "\n".join(map(readable, lines)) + "\n"


def in_full(tools: Iterable[SubjectTool]) -> str:
    """Return tools with flag, fingerprint, description and indented schema."""
    parts = []
    for tool in tools:
        schema = json.dumps(_schema(tool), indent=2, ensure_ascii=False)
        parts.append(
            f"{plain(tool.name)} ({FLAGS[tool.read_only]}, "
            f"{_fingerprint(tool) or 'no fingerprint'})\n\n"
            f"{tool.description or '(no description)'}\n\n{_heading(tool)}\n{schema}\n"
        )
    return readable("\n".join(parts), lines=True)


def _heading(tool: SubjectTool) -> str:
    """Return what stands above a schema: whether it is shown as the host sends it."""
    canonical = tool.canonical()
    if canonical is None:
        return "schema:"
    sent = "" if is_canonical(tool, canonical) else "; the host sends it in another form"
    return f"schema, in canonical form{sent}:"


def compare(old: Subject, new: Subject) -> list[tuple[str, str]]:
    """Return what changed as pairs of tool and sentence; tools are paired by name."""
    before = {tool.name: tool for tool in old.tools}
    after = {tool.name: tool for tool in new.tools}
    renamed = _renamed(before, after)
    changes: list[tuple[str, str]] = []
    for name in sorted({*before, *after} - set(renamed.values())):
        if name in renamed:
            told = f"the tool is now called {renamed[name]!r}, and nothing else of it changed"
            changes.append((name, told))
        elif name not in after:
            changes.append((name, "the tool is gone"))
        elif name not in before:
            changes.append((name, "the tool is new"))
        else:
            changes += ((name, what) for what in _changed(before[name], after[name]))
    return changes


def _renamed(before: Mapping[str, SubjectTool], after: Mapping[str, SubjectTool]) -> dict[str, str]:
    """Return the new name of each tool of which nothing but the name changed.

    Tools of which several are alike are left to be told as gone and new: which became which is a
    guess.
    """
    gone, new = _by_contents(before, after), _by_contents(after, before)
    return {
        names[0]: new[contents][0]
        for contents, names in gone.items()
        if len(names) == len(new.get(contents, ())) == 1
    }


def _by_contents(
    tools: Mapping[str, SubjectTool], others: Mapping[str, SubjectTool]
) -> dict[tuple[object, ...], list[str]]:
    """Return the names of the tools that the other subject lacks, by all else that is told."""
    found: dict[tuple[object, ...], list[str]] = {}
    for name, tool in tools.items():
        if name not in others and tool.description and (canonical := tool.canonical()):
            contents = (tool.read_only, one_line(tool.description), canonical)
            found.setdefault(contents, []).append(name)
    return found


def _changed(old: SubjectTool, new: SubjectTool) -> Iterator[str]:
    for tool in (old, new):
        if tool.problem:
            yield f"cannot be compared, {tool.at} cannot be used: {tool.problem}"
    if None not in (old.read_only, new.read_only) and old.read_only is not new.read_only:
        yield f"the flag changed from {FLAGS[old.read_only]} to {FLAGS[new.read_only]}"
    left, right = one_line(old.description or ""), one_line(new.description or "")
    if not left and right:
        yield f"the description is new: {clipped(right, LONGEST_EXCERPT)!r}"
    elif left and not right:
        yield f"the description is gone; it was {clipped(left, LONGEST_EXCERPT)!r}"
    elif left != right:
        before, after = excerpts(left, right)
        yield f"the description changed from {before!r} to {after!r}"
    first, second = old.canonical(), new.canonical()
    if first is None or second is None:
        if old.schema != new.schema:
            yield "the schema changed, and one of them is no JSON or not told"
    elif first != second:
        from reasonix_conformance.changes import describe

        for change in describe(first, second):
            yield f"schema {change}"


def changes(found: Sequence[tuple[str, str]]) -> str:
    """Return a comparison as text, grouped by tool."""
    if not found:
        return "no difference\n"
    lines: list[str] = []
    previous = None
    for tool, what in found:
        if tool != previous:
            lines.append(f"{tool}:")
            previous = tool
        lines.append(f"  {what}")
    return "\n".join(map(readable, lines)) + "\n"


def results_text(results: Sequence[tuple[Case, Result]]) -> str:
    """Return the results of a check: failures in full, then one line that counts."""
    parts = [result.text(case.name) + "\n" for case, result in results if result.of(Outcome.FAILED)]
    advice = [
        f"recommended, not met: {case.name}: {finding.check}: {finding.what} ({finding.at})"
        for case, result in results
        for finding in result.of(Outcome.ADVICE)
    ]
    untold: dict[str, int] = {}
    for _, result in results:
        for finding in result.of(Outcome.UNKNOWN):
            line = f"{finding.check}: {finding.what}"
            untold[line] = untold.get(line, 0) + 1
    lines = [*advice, *(f"not assessed: {line} ({count}x)" for line, count in untold.items())]
    outcomes = [result.outcome for _, result in results]
    counts = ", ".join(
        f"{outcomes.count(outcome)} {outcome.value.replace('_', ' ')}"
        for outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.UNKNOWN)
        if outcome in outcomes
    )
    told = [*map(readable, lines), counts or "nothing to check"]
    return "\n".join([*parts, *told]) + "\n"


def results_json(results: Sequence[tuple[Case, Result]]) -> dict[str, Any]:
    """Return the results of a check in their published form."""
    outcomes = [result.outcome for _, result in results]
    return {
        "schema": CHECK_SCHEMA,
        "items": [json.loads(result.record(case.kind, case.name)) for case, result in results],
        "summary": {
            outcome.value: outcomes.count(outcome)
            for outcome in (Outcome.PASSED, Outcome.FAILED, Outcome.UNKNOWN)
        },
    }
