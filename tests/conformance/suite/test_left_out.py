"""What one entry stops telling is a fault; what a subject never tells cannot be judged."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance import snapshots
from reasonix_conformance.findings import Outcome
from reasonix_conformance.settings import Settings
from reasonix_conformance.suite.contract_cases import ContractSuite
from reasonix_runtime.contract.canonical import EMPTY, canonicalise

SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
DOCUMENT = """\
| Tool | Read-only | Description |
| --- | --- | --- |
| `look` | true | Look. |
| `put` | false | Put. |

## Boot surface

`look`, `put`
"""
KEYS = {"mcp": "inputSchema", "anthropic": "input_schema", "responses": "parameters"}


def entry(form: str, name: str) -> dict[str, Any]:
    """Return a tool in a form; its flag where the form has one."""
    told: dict[str, Any] = {"name": name, "description": f"{name.capitalize()}."}
    if form == "contract":
        return told | {"schema": dict(SCHEMA), "read_only": name == "look"}
    if form == "chat":
        return {"type": "function", "function": told | {"parameters": dict(SCHEMA)}}
    hint = {"annotations": {"readOnlyHint": name == "look"}} if form == "mcp" else {}
    return told | {KEYS[form]: dict(SCHEMA)} | hint


def suite_of(folder: Path, tools: list[Any]) -> ContractSuite:
    """Return the suite of a dump, with the document and the snapshots of `look` and `put`."""
    (folder / "tools.json").write_text(json.dumps({"tools": tools}))
    (folder / "doc.md").write_text(DOCUMENT)
    for name in ("look", "put"):
        snapshots.write(folder / "recorded", name, canonicalise(SCHEMA))
    return ContractSuite(
        Settings(
            root=folder,
            subject="tools.json",
            subject_base=folder,
            document=folder / "doc.md",
            snapshots=folder / "recorded",
        )
    )


def outcomes(folder: Path, tools: list[Any]) -> dict[str, dict[str, str]]:
    """Return what came of each item: what each check found that did not pass."""
    found: dict[str, dict[str, str]] = {}
    for case in suite_of(folder, tools).cases():
        findings = case.judge().findings
        found[case.name] = {one.check: f"{one.outcome.value}: {one.what}" for one in findings}
    return found


def failed(found: dict[str, str]) -> list[str]:
    """Return the checks of an item that failed."""
    return [check for check, what in found.items() if what.startswith("failed")]


@pytest.mark.parametrize(
    ("form", "lost", "check", "what"),
    [
        ("contract", "read_only", "tool/flag", "a read-only flag of other tools, not of this one"),
        ("contract", "description", "tool/description-present", "a description of other tools"),
        ("contract", "schema", "tool/schema-valid", "a schema of other tools, not of this one"),
        ("mcp", "annotations", "tool/flag", "the read-only flag differs"),
    ],
)
def test_a_tool_does_not_pass_for_what_it_does_not_tell_any_more(
    tmp_path: Path, form: str, lost: str, check: str, what: str
) -> None:
    """Told of the other tools, it was lost here: the drift would hide itself."""
    tools = [entry(form, "look"), entry(form, "put")]
    tools[0][lost] = None

    found = outcomes(tmp_path, tools)

    assert [check] == failed(found["look"])
    assert what in found["look"][check]
    assert [] == failed(found["put"])


def test_a_row_that_does_not_know_the_flag_either_is_no_way_out(tmp_path: Path) -> None:
    """An update writes `unknown` into the row, and with it the loss would be accepted for good."""
    tools = [entry("contract", "look") | {"read_only": None}, entry("contract", "put")]
    suite = suite_of(tmp_path, tools)
    (tmp_path / "doc.md").write_text(DOCUMENT.replace("`look` | true", "`look` | unknown"))

    assert ["tool/flag"] == [one.check for one in suite.cases()[0].judge().of(Outcome.FAILED)]


@pytest.mark.parametrize("form", ["chat", "anthropic", "responses"])
def test_what_a_form_never_tells_is_not_assessed(tmp_path: Path, form: str) -> None:
    """A request has no flags; that is nobody's fault."""
    found = outcomes(tmp_path, [entry(form, "look"), entry(form, "put")])

    assert [] == [one for item in found.values() for one in failed(item)]
    assert "tells a read-only flag of no tool" in found["look"]["tool/flag"]


@pytest.mark.parametrize(("form", "expected"), [("mcp", []), ("chat", ["tool/schema-canonical"])])
def test_a_server_may_list_what_is_required_in_its_own_order(
    tmp_path: Path, form: str, expected: list[str]
) -> None:
    """The host makes a schema canonical when it registers the tool; what it sends is held to it."""
    look = entry(form, "look")
    told = look["function"]["parameters"] if form == "chat" else look["inputSchema"]
    told["required"] = ["path", "mode"]

    suite = suite_of(tmp_path, [look, entry(form, "put")])
    failures = [one.check for one in suite.cases()[0].judge().of(Outcome.FAILED)]

    assert [*expected, "tool/schema-snapshot"] == failures


def test_a_server_that_leaves_out_the_hint_of_its_writers_says_that_they_write(
    tmp_path: Path,
) -> None:
    """The protocol takes a tool without the hint for one that may write."""
    tools = [entry("mcp", "look"), entry("mcp", "put")]
    del tools[1]["annotations"]

    assert [] == failed(outcomes(tmp_path, tools)["put"])


@pytest.mark.parametrize("hint", [[], "x", {"readOnlyHint": "true"}])
def test_a_hint_of_a_wrong_type_is_no_hint(tmp_path: Path, hint: Any) -> None:
    """Read as absent, it would turn the tool into a writer in silence."""
    tools = [entry("mcp", "look") | {"annotations": hint}, entry("mcp", "put")]

    assert ["tool/usable"] == failed(outcomes(tmp_path, tools)["look"])


@pytest.mark.parametrize("form", ["contract", "mcp", "anthropic", "responses"])
def test_an_entry_without_a_name_or_schema_is_told_once(tmp_path: Path, form: str) -> None:
    """Its place stands for its name in messages, and is no name of a tool."""
    nameless, bare = entry(form, "x"), {"name": "look", "description": "Look."}
    del nameless["name"]

    found = outcomes(tmp_path, [bare, entry(form, "put"), nameless])

    assert ["tool/usable"] == list(found["#2"])
    assert "it has no name" in found["#2"]["tool/usable"]
    assert ["tool/usable"] == failed(found["look"])
    key = KEYS.get(form, "schema")
    assert f"it has no {key} (" in found["look"]["tool/usable"]
    assert [] == failed(found["surface:boot-surface"])


@pytest.mark.parametrize(
    ("form", "other"),
    [
        ("anthropic", {"type": "web_search_20250305", "name": "web_search", "max_uses": 5}),
        ("responses", {"type": "web_search"}),
        ("responses", {"type": "mcp", "server_label": "x", "server_url": "https://x"}),
    ],
)
def test_tools_that_a_provider_runs_are_not_tools_of_the_host(
    tmp_path: Path, form: str, other: dict[str, Any]
) -> None:
    """Nothing documents them, and a request that asks for them is an honest one."""
    found = outcomes(tmp_path, [entry(form, "look"), entry(form, "put"), other])

    assert [] == [one for item in found.values() for one in failed(item)]
    (name,) = set(found) - {"look", "put", "surface:boot-surface", "document"}
    assert [
        f"not_assessable: it is no function tool but of type {other['type']!r}, which has no schema"
    ] == list(found[name].values())


@pytest.mark.parametrize(
    ("form", "other"),
    [
        ("responses", {"type": "custom", "name": "apply", "description": "x"}),
        ("chat", {"type": "custom", "custom": {"name": "apply", "description": "x"}}),
    ],
)
def test_a_tool_of_the_host_that_takes_text_is_on_its_surface(
    tmp_path: Path, form: str, other: dict[str, Any]
) -> None:
    """A model sees it, though no schema can be held against anything."""
    found = outcomes(tmp_path, [other, entry(form, "look"), entry(form, "put")])

    assert ["surface/members"] == failed(found["surface:boot-surface"])
    assert [] == failed(found["apply"])


def test_a_snapshot_that_lost_its_content_is_not_that_of_a_tool_without_parameters(
    tmp_path: Path,
) -> None:
    """A file that was cut to nothing records nothing."""
    suite = suite_of(tmp_path, [entry("contract", "look") | {"schema": EMPTY.decode()}])
    (tmp_path / "recorded" / "look.json").write_bytes(b"")

    found = [one.what for one in suite.cases()[0].judge().of(Outcome.FAILED)]

    assert ["the snapshot is not JSON, so it cannot be compared"] == found


def test_a_snapshot_in_which_a_key_stands_twice_is_none(tmp_path: Path) -> None:
    """Its last value may be that of the schema, and a reviewer reads the first."""
    suite = suite_of(tmp_path, [entry("contract", "look") | {"schema": EMPTY.decode()}])
    twice = EMPTY[:-1] + b', "type": "string", ' + EMPTY[1:]
    (tmp_path / "recorded" / "look.json").write_bytes(twice)

    found = [one.what for one in suite.cases()[0].judge().of(Outcome.FAILED)]

    assert len(found) == 1
    assert found[0].startswith("in the snapshot the key")
    assert '"/type"' in found[0]


@pytest.mark.parametrize(
    ("schema", "what", "detail"),
    [
        ("{", "the schema is not JSON", "Expecting property name"),
        ('{"maximum": 1e999}', "the schema is not JSON", "1e999 is beyond a double"),
        ('{"a": NaN}', "the schema is not JSON", "NaN is no JSON value"),
        ('{"a":' * 201 + "1" + "}" * 201, "the schema is nested deeper than 200 levels", ""),
        ('{"a":' * 900 + "1" + "}" * 900, "the schema is nested deeper than 200 levels", ""),
        ('{"a":' * 90000 + "1" + "}" * 90000, "the schema is nested deeper than 200 levels", ""),
    ],
)
def test_a_schema_that_cannot_be_used_says_why(
    tmp_path: Path, schema: str, what: str, detail: str
) -> None:
    """`not JSON` of what is JSON, but too deep, sends a reader after a fault that is none."""
    tools = [entry("contract", "look") | {"schema": schema}, entry("contract", "put")]

    (found,) = suite_of(tmp_path, tools).cases()[0].judge().of(Outcome.FAILED)

    assert ("tool/schema-valid", what) == (found.check, found.what)
    assert detail in "".join(found.details)
