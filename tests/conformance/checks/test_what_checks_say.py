"""What is judged of a tool, a surface and a document: each outcome, and every word that is said."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance import snapshots
from reasonix_conformance.checks import Check, dialect, document, judge, surface, tool
from reasonix_conformance.findings import Result
from reasonix_conformance.subjects import Form, Subject, SubjectTool
from reasonix_runtime.contract.canonical import fingerprint
from reasonix_runtime.contract.document import parse
from reasonix_runtime.trace import yaml12

PATH = Path(__file__).with_name("what_checks_say.yaml")
CASES: list[dict[str, Any]] = yaml12.load(PATH.read_bytes(), PATH.name).value

SCHEMA = '{"properties":{},"type":"object"}'
LOOK = {"name": "look", "description": "Looks.", "read_only": True, "schema": SCHEMA}
ROW = "| `look` | true | Looks. |"
TABLE = ("| Tool | Read-only | Description |", "| --- | --- | --- |")
LINES = ("", "| Tool | Fingerprint |", "| --- | --- |")


def subject_of(case: dict[str, Any]) -> Subject:
    """Return the subject of a case, by default a registry of one tool with all that it may tell."""
    told = [LOOK | entry for entry in case.get("tools", [{}])]
    tools = tuple(
        SubjectTool(**{**entry, "at": f"tools[{at}]", "schema": _bytes(entry["schema"])})
        for at, entry in enumerate(told)
    )
    given = {"form": "REGISTRY", "complete": True, "surfaces": {}} | case.get("subject", {})
    given["form"] = Form[given["form"]]
    given["surfaces"] = {key: tuple(names) for key, names in given["surfaces"].items()}
    return Subject(label="host", tools=tools, **given)


def _bytes(text: str | None) -> bytes | None:
    return None if text is None else text.encode()


def text_of(case: dict[str, Any], subject: Subject) -> str:
    """Return the document of a case, by default that of its tool."""
    marks = {
        one.name: fingerprint(canonical)
        for one in subject.tools
        if (canonical := one.canonical()) is not None
    }
    prints = [f"| `{name}` | `{value}` |" for name, value in marks.items()]
    table = case.get("table", [*TABLE, *case.get("rows", [ROW])])
    below = case.get("fingerprints", [*LINES, *prints])
    return "\n".join([*table, *below, *case.get("below", [])]) + "\n"


def of_tool(case: dict[str, Any], folder: Path) -> Result:
    """Judge the first tool of a case, or what is left of one."""
    subject = subject_of(case)
    name = case.get("name", subject.tools[0].name)
    entries = tuple(one for one in subject.tools if one.name == name)
    text = text_of(case, subject)
    parsed = parse(text, "doc.md")
    canonical = entries[0].canonical() if entries else None
    recorded = case.get("snapshot", (canonical or b"{}").decode())
    if recorded is not None:
        snapshots.path_of(folder, name).write_text(recorded, "utf-8")
    judged = tool.ToolCase(
        name=name,
        subject=subject,
        document=parsed,
        tools=entries,
        rows=tuple(row for row in parsed.rows if row.name == name),
        canonical=canonical,
        snapshots=folder if case.get("has_snapshots", True) else None,
        show=lambda path: f"snapshots/{path.name}",
        text=lambda: text,
        **case.get("given", {}),
    )
    return _judge(tool.checks(judged), judged, case)


def of_surfaces(case: dict[str, Any], _folder: Path) -> Result:
    """Judge the surfaces of a case one after the other."""
    subject = subject_of(case)
    found = []
    for one in surface.cases(subject, parse(text_of(case, subject), "doc.md")):
        result = _judge(surface.SURFACE, one, case)
        found += [
            finding._replace(check=f"{one.id} {finding.check}") for finding in result.findings
        ]
    return Result(findings=tuple(found))


def of_document(case: dict[str, Any], _folder: Path) -> Result:
    """Judge a document as a whole."""
    text = text_of(case, subject_of(case))
    main = case.get("main")
    judged = document.DocumentCase(
        source="doc.md",
        document=None if case.get("missing") else parse(text, "doc.md"),
        text=text,
        main=None if main is None else parse("\n".join(main), "main.md"),
        **case.get("given", {}),
    )
    return _judge(document.checks(judged), judged, case)


def _judge(checks: tuple[Check[Any], ...], judged: Any, case: dict[str, Any]) -> Result:
    """Judge, and hold against each other what passed and what was found."""
    result = judge(checks, judged, strict=case.get("strict", False))
    found = {finding.check for finding in result.findings}
    assert [check.id for check in checks if check.id not in found] == [*result.passed]
    levels = {check.id: check.level for check in checks}
    assert all(levels[finding.check] is finding.level for finding in result.findings)
    return result


OF = {"tool": of_tool, "surfaces": of_surfaces, "document": of_document}


def said(result: Result) -> str:
    """Return all that was found, each with its outcome."""
    return "".join(
        "\n".join([f"{finding.outcome.value}  {finding.lines()[0]}", *finding.lines()[1:], ""])
        for finding in result.findings
    )


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_what_is_found_is_told_with_its_place_and_its_remedy(
    case: dict[str, Any], tmp_path: Path
) -> None:
    """And nothing else is: what is not told passed."""
    assert case["says"] == said(OF[case["of"]](case, tmp_path))


@pytest.mark.parametrize(
    ("given", "asked"),
    [
        ({}, []),
        ({"expected": ""}, ["document/current"]),
        ({"main": parse("", "main.md")}, ["document/translated"]),
        ({"main": parse("", "main.md"), "expected": ""}, ["document/current"]),
    ],
)
def test_a_document_is_asked_for_what_it_is(given: dict[str, Any], asked: list[str]) -> None:
    """A generated one tells no other facts than what it is generated from."""
    case = document.DocumentCase(source="doc.md", document=None, **given)

    assert asked == [check.id for check in document.checks(case)[len(document.DOCUMENT) :]]


@pytest.mark.parametrize(
    ("of_entry", "asked"),
    [
        ({}, [check.id for check in tool.TOOL]),
        ({"listed": False}, ["tool/usable"]),
        ({"apart": "x"}, ["tool/usable"]),
        (None, ["row/stale"]),
    ],
)
def test_a_name_is_asked_for_what_there_is_of_it(
    of_entry: dict[str, Any] | None, asked: list[str]
) -> None:
    """Of what is no tool only that is said, and of what is left of one that it is left."""
    parsed = parse("\n".join([*TABLE, ROW]), "doc.md")
    case = tool.ToolCase(
        name="look",
        subject=Subject("host", Form.REGISTRY, (), complete=True),
        document=parsed,
        tools=() if of_entry is None else (SubjectTool(name="look", at="", **of_entry),),
        rows=parsed.rows,
        canonical=None,
        snapshots=None,
    )

    assert asked == [check.id for check in tool.checks(case)]
    assert of_entry is not None or () == tool.checks(case._replace(rows=()))


def test_a_schema_that_is_nested_too_deeply_is_told_as_such(tmp_path: Path) -> None:
    """Nothing more is to be said of it."""
    deep = {"schema": "[" * 500 + "]" * 500}

    first = of_tool({"tools": [deep], "snapshot": "{}"}, tmp_path).findings[0]

    assert ("the schema is nested deeper than 200 levels", ()) == (first.what, first.details)


MOONSHOT = '{"properties":{"a":{"anyOf":[{"type":"string"}],"type":"string"}},"type":"object"}'
OPENAI = '{"properties":{"a":{"type":"array"}},"type":"object"}'
ARRAY = "an array without items (DIALECT-1, {}) at host, schema /properties/a"


@pytest.mark.parametrize(
    ("schema", "profiles", "sure", "reported"),
    [
        (None, (), ["there is no schema to judge"], ["there is no schema to judge"]),
        (OPENAI, (), [ARRAY.format("openai"), ARRAY.format("gemini")], []),
        (OPENAI, ("openai",), [ARRAY.format("openai")], []),
        (OPENAI, ("moonshot",), [], []),
        (MOONSHOT, ("openai",), [], []),
        (
            MOONSHOT,
            ("moonshot",),
            [],
            ["anyOf beside type (DIALECT-5, moonshot) at host, schema /properties/a/anyOf"],
        ),
    ],
)
def test_what_providers_are_known_to_refuse_is_told_apart_from_what_is_reported(
    schema: str | None, profiles: tuple[str, ...], sure: list[str], reported: list[str]
) -> None:
    """Each with the rule of the provider and with what to do."""
    entry = SubjectTool(name="look", at="host", schema=_bytes(schema))
    case = tool.ToolCase(
        name="look",
        subject=Subject("host", Form.REGISTRY, (entry,), complete=True),
        document=parse("", "doc.md"),
        tools=(entry,),
        rows=(),
        canonical=entry.canonical(),
        snapshots=None,
    )
    checks = dialect.checks(profiles)
    found = [judge([check], case, strict=True).findings for check in checks]

    assert [sure, reported] == [
        [f"{one.what} at {one.at}" if one.at else one.what for one in each] for each in found
    ]
    assert all(one.expected and one.hint for each in found for one in each if one.at)
