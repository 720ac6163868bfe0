"""A key that stands twice in a dump is told with its place, and nothing is judged by it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_conformance.arguments.judge import Judge
from reasonix_conformance.arguments.schemas import Schemas
from reasonix_conformance.cli import main
from reasonix_conformance.subjects import repeated_keys
from reasonix_runtime.contract.pointers import pointer
from reasonix_runtime.gates.verdict import Decision
from reasonix_runtime.trace.events import ToolCall

SCHEMA = '{"type": "object", "properties": {"path": {"type": "string"}}}'
DOCUMENT = """\
| Tool | Read-only | Description |
| --- | --- | --- |
| `look` | true | Look. |
| `put` | false | Put. |
"""

FORMS = {
    "chat": '{"type": "function", "function": {"name": "%s", "parameters": %s}}',
    "anthropic": '{"name": "%s", "input_schema": %s}',
    "responses": '{"type": "function", "name": "%s", "parameters": %s}',
    "mcp": '{"name": "%s", "inputSchema": %s}',
    "contract": '{"name": "%s", "read_only": true, "description": "Look.", "schema": %s}',
}
SCHEMA_AT = {
    "chat": "/function/parameters",
    "anthropic": "/input_schema",
    "responses": "/parameters",
    "mcp": "/inputSchema",
    "contract": "/schema",
}

REPEATED = {
    "": ('"type": "object"', '"type": "object", "type": "object"', "/type"),
    "deep": ('"type": "string"', '"type": "integer", "type": "string"', "/properties/path/type"),
    "a property": ('{"path":', '{"path": {}, "path":', "/properties/path"),
}
"""What is written in the place of what, and the pointer of the key in the schema."""


def dump(folder: Path, form: str, schema: str) -> Path:
    """Write a dump of two tools, the first of which has this schema."""
    file = folder / "tools.json"
    look, put = FORMS[form] % ("look", schema), FORMS[form] % ("put", SCHEMA)
    file.write_text(f'{{"tools": [{look}, {put}]}}')
    return file


def run(*args: object) -> int:
    return main([str(arg) for arg in args])


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("case", REPEATED)
def test_the_tool_fails_and_the_key_is_named_by_its_place(
    form: str, case: str, as_text: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The last one counted, and the dump was as green as without it."""
    written, instead, at = REPEATED[case]
    schema = SCHEMA.replace(written, instead)
    file = dump(tmp_path, form, json.dumps(schema) if as_text else schema)

    assert 1 == run("contract", "lint", "--subject", file, "--format", "json")

    items = {item["name"]: item for item in json.loads(capsys.readouterr().out)["items"]}
    (usable,) = (one for one in items["look"]["findings"] if one["outcome"] == "failed")
    assert f'the key "{SCHEMA_AT[form]}{at}" stands twice in one object' in usable["what"]
    assert f"{file}: tools[0]" == usable["at"]
    assert ["tool/unique"] == items["look"]["passed"]
    assert {"tool/usable", "tool/schema-valid"} <= set(items["put"]["passed"])


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('{"tools": [%s], "tools": [%s]}', "tools"),
        ('{"result": {"tools": []}, "result": {"tools": [%s, %s]}}', "result"),
        ('{"surfaces": {}, "surfaces": {}, "tools": [%s, %s]}', "surfaces"),
        ('{"surfaces": {"core": [], "core": ["look"]}, "tools": [%s, %s]}', "core"),
        ('{"tools": [%s, %s], "nextCursor": "a", "nextCursor": null}', "nextCursor"),
    ],
)
def test_a_key_on_the_way_to_the_tools_is_unreadable_input(
    text: str, key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody knows which tools are meant."""
    file = tmp_path / "tools.json"
    file.write_text(text % (FORMS["mcp"] % ("look", SCHEMA), FORMS["mcp"] % ("put", SCHEMA)))

    assert 2 == run("contract", "lint", "--subject", file)

    assert f'the key "{key}" stands twice in one object' in capsys.readouterr().err


def test_what_is_no_part_of_the_tools_may_repeat_itself(tmp_path: Path) -> None:
    """A request holds the conversation as well; a contract does not speak of it."""
    tools = ", ".join(
        f'{{"name": "{name}", "description": "Do it.", "input_schema": {SCHEMA}}}'
        for name in ("look", "put")
    )
    file = tmp_path / "tools.json"
    file.write_text(f'{{"messages": [{{"a": 1, "a": 2}}], "model": "m", "tools": [{tools}]}}')

    assert 0 == run("contract", "lint", "--subject", file)


def test_two_dumps_that_cannot_be_compared_differ(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Equal bytes say nothing where nobody knows what they mean."""
    file = dump(tmp_path, "mcp", SCHEMA.replace('{"type"', '{"type": 1, "type"'))

    assert 1 == run("contract", "diff", file, file)

    assert "look:\n  cannot be compared, " in capsys.readouterr().out


def test_what_is_shown_of_such_a_tool_says_why_it_is_so_little(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its flag and fingerprint would be taken for untold."""
    run("contract", "show", "--subject", dump(tmp_path, "mcp", '{"type": 1, "type": 2}'))

    shown = capsys.readouterr()
    assert "look  not told   ----------------" in shown.out
    assert 'tools[0] cannot be used: the key "/inputSchema/type" stands twice' in shown.err


def test_no_call_is_held_against_such_a_schema() -> None:
    """A contract document and a registry give their schemas as text."""
    schemas = Schemas(label="c", tools=(("look", b'{"type": 1, "type": "object"}'),), complete=True)

    verdict = Judge(schemas).answer(ToolCall(uid="main#1", name="look", args={}))

    assert verdict is not None
    assert Decision.NOT_ASSESSABLE is verdict.decision
    assert 'the key "/type" stands twice' in verdict.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(value=st.dictionaries(st.text(), JSON, min_size=1), at=st.data())
def test_each_key_that_stands_twice_is_found_where_it_stands(value: Any, at: st.DataObject) -> None:
    """Wherever the object stands, and whatever its keys are."""
    objects = [(path, one) for path, one in _objects((), value) if one]
    path, chosen = at.draw(st.sampled_from(objects))
    key = at.draw(st.sampled_from(sorted(chosen)))
    text = json.dumps(value)
    chosen["\x00once more"] = 0
    text = json.dumps(value).replace(json.dumps("\x00once more"), json.dumps(key))
    del chosen["\x00once more"]

    assert [pointer((*path, key))] == list(repeated_keys.places(repeated_keys.loads(text)))
    assert [] == list(repeated_keys.places(repeated_keys.loads(json.dumps(value))))


def _objects(path: tuple[str | int, ...], value: Any) -> list[tuple[tuple[str | int, ...], Any]]:
    """Return every object in a value with its path."""
    members = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    found = [(path, value)] if isinstance(value, dict) else []
    for key, member in members:
        found += _objects((*path, key), member)
    return found
