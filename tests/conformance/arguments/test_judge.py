"""One call's arguments against the schema of its tool."""

from __future__ import annotations

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import jsonschema
import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_conformance.arguments import judge as judging
from reasonix_conformance.arguments.judge import Judge
from reasonix_conformance.arguments.schemas import Schemas, load
from reasonix_conformance.arguments.violations import (
    WIDTH,
    violations,
    violations_by_jsonschema,
)
from reasonix_conformance.errors import DocumentFileError, SubjectError
from reasonix_conformance.settings import DEFAULT_SUBJECT
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.trace.events import ToolCall

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "command": {"type": "string", "minLength": 1},
        "mode": {"enum": ["fast", "slow"]},
        "limit": {"type": ["integer", "null"], "minimum": 1},
        "items": {"type": "array", "items": {"$ref": "#/$defs/item"}, "maxItems": 2},
        "api_key": {"type": "integer"},
        "never": False,
    },
    "required": ["command"],
    "additionalProperties": False,
    "$defs": {"item": {"type": "object", "required": ["name"]}},
}


MODES = '["fast", "slow"]'


def contract(*, complete: bool = True, **tools: object) -> Judge:
    told = {"run": SCHEMA, **tools}
    return Judge(
        Schemas(
            label="tools.json",
            tools=tuple(
                (name, None if schema is None else json.dumps(schema).encode())
                for name, schema in told.items()
            ),
            complete=complete,
        )
    )


def answer(args: Any, *, tool: str = "run", judge: Judge | None = None) -> Verdict | None:
    return (judge or contract()).answer(ToolCall(uid="main#1", name=tool, args=args))


def refused(args: Any) -> Verdict:
    verdict = answer(args)
    assert verdict is not None
    assert Decision.REJECT is verdict.decision
    return verdict


@pytest.mark.parametrize(
    "args",
    [
        {"command": "ls"},
        {"command": "ls", "limit": None},
        {"command": "ls", "limit": 2.0},
        {"command": "ls", "items": [{"name": 1}]},
        {"command": "\ud800"},
        {"command": "ls", "limit": 10**60},
    ],
)
def test_valid_arguments_are_valid(args: Any) -> None:
    """Half a surrogate pair and a number beyond every machine word are JSON, too."""
    assert answer(args) is None


@pytest.mark.parametrize(
    ("args", "expected"),
    [
        ({}, [("", "required", '"command"', "{}")]),
        (None, [("", "required", '"command"', "{}")]),
        (["ls"], [("", "type", '"object"', '["ls"]')]),
        ("ls", [("", "type", '"object"', '"ls"')]),
        ({"command": ""}, [("/command", "minLength", "1", '""')]),
        ({"command": 5}, [("/command", "type", '"string"', "5")]),
        ({"command": "x", "mode": "no"}, [("/mode", "enum", '["fast", "slow"]', '"no"')]),
        ({"command": "x", "limit": 0}, [("/limit", "minimum", "1", "0")]),
        ({"command": "x", "items": [{}]}, [("/items/0", "required", '"name"', "{}")]),
        ({"command": "x", "a/b~": 1}, [("", "additionalProperties", "false", '["a/b~"]')]),
        ({"command": "x", "never": 1}, [("/never", "false schema", "", "1")]),
        (
            {"command": "\ud800", "limit": "\udfff"},
            [("/limit", "type", '["integer", "null"]', '"\ufffd"')],
        ),
        (
            {"command": "x", "limit": "\ud800"},
            [("/limit", "type", '["integer", "null"]', '"\ufffd"')],
        ),
        ({"command": 5, "limit": 10**60}, [("/command", "type", '"string"', "5")]),
        ({"command": "x", "items": [5]}, [("/items/0", "type", '"object"', "5")]),
        ({"command": "x", "mode": "m" * 58}, [("/mode", "enum", MODES, f'"{"m" * 58}"')]),
        ({"command": "x", "mode": "m" * 59}, [("/mode", "enum", MODES, f'"{"m" * 59}…')]),
    ],
)
def test_a_breach_has_its_place_its_keyword_and_both_sides(
    args: Any, expected: list[tuple[str, ...]]
) -> None:
    """The reader of a report sees what to mend without opening the schema."""
    verdict = refused(args)

    assert ("arguments", "arguments.invalid", "AR-03") == (
        verdict.gate,
        verdict.reason,
        verdict.rule,
    )
    assert expected == [
        (one["at"], one["keyword"], one["expected"], one["found"])
        for one in verdict.facts["violations"]
    ]
    assert all(f"{at or 'the arguments'}: {keyword}" in verdict.message
               for at, keyword, *_ in expected)  # fmt: skip


def test_breaches_come_by_their_places_and_the_rest_is_counted() -> None:
    """A long list of errors would hide the next call."""
    args = {"command": 1, "limit": 0, "mode": 1, "api_key": "", "items": [{} for _ in range(9)]}

    verdict = refused(args)

    told = [one["at"] for one in verdict.facts["violations"]]
    assert (14, judging.MOST_SHOWN) == (verdict.facts["count"], len(told))
    assert sorted(told) == told
    assert verdict.message.endswith("; and 6 more.")


@pytest.mark.parametrize(
    ("args", "secret"),
    [
        ({"command": "x", "mode": "sk-" + "a1" * 20}, "a1a1"),
        ({"command": "x", "api_key": "hunter2hunter2"}, "hunter2"),
        ({"command": "x", "limit": "y" * (WIDTH - 10) + " sk-" + "a1" * 20}, "a1"),
        ({"command": "x", "limit": {"password": "hunter2hunter2"}}, "hunter2"),
        ({"command": "x", "limit": "/home/somebody/x"}, "somebody"),
        ({"command": "x", "sk-" + "a1" * 20: 1}, "a1a1"),
    ],
)
def test_what_is_shown_holds_no_secret(args: Any, secret: str) -> None:
    """A value is masked before it is cut: the start of a key is a part of it."""
    verdict = refused(args)

    assert secret not in verdict.message
    assert secret not in json.dumps(verdict.facts)


def test_a_value_is_shown_in_short() -> None:
    """Somebody writes whole files into a call."""
    (breach,) = refused({"command": "x", "limit": "y" * 5_000_000}).facts["violations"]

    assert f'"{"y" * (WIDTH - 1)}…' == breach["found"]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (None, 'no JSON (Input data was truncated): "".'),
        ("{}", 'no JSON: "{}".'),
        ("[" * 100_000, 'no JSON: "[[['),
        ('{"command": "ls"', "(Input data was truncated)"),
        ("not json", "(JSON is malformed: "),
        ('{"token": "ghp_' + "a1" * 20, "[secret]"),
        ('{"a": NaN}', "(JSON is malformed: "),
    ],
)
def test_arguments_that_are_no_json_are_told_with_where_they_break(
    raw: str | None, said: str
) -> None:
    """A call that was cut off in the middle is the usual case."""
    call = ToolCall(uid="main#1", name="run", args_raw=raw, args_ok=False)

    verdict = contract().answer(call)

    assert verdict is not None
    assert ("arguments.not_json", "AR-02") == (verdict.reason, verdict.rule)
    assert "run" == verdict.facts["tool"]
    assert said in verdict.message
    assert "a1a1" not in verdict.message


def test_a_tool_that_the_contract_does_not_have_is_refused() -> None:
    """The model was never told of it."""
    verdict = answer({}, tool="rm")

    assert verdict is not None
    assert ("arguments.tool_unknown", "AR-01") == (verdict.reason, verdict.rule)
    assert "rm" == verdict.facts["tool"]
    assert "rm is no tool of the contract (tools.json)." == verdict.message


@pytest.mark.parametrize(
    ("judge", "tool", "why"),
    [
        (contract(complete=False), "other", "lists what one model sees"),
        (contract(untold=None), "untold", "tells no schema of untold"),
        (contract(bad={"type": "strin"}), "bad", "cannot be used"),
        (contract(far={"$ref": "http://127.0.0.1:9/x"}), "far", "and nothing is fetched."),
        (contract(own={"$ref": "#"}), "own", "at /$ref, '#' leads back to itself"),
    ],
)
def test_what_the_contract_does_not_tell_is_not_assessable(
    judge: Judge, tool: str, why: str
) -> None:
    """Neither good nor bad; and nothing is fetched to find out."""
    verdict = answer({}, tool=tool, judge=judge)

    assert verdict is not None
    assert (Decision.NOT_ASSESSABLE, None) == (verdict.decision, verdict.reason)
    assert tool == verdict.facts["tool"]
    assert why in verdict.message


@pytest.mark.parametrize(
    ("schema", "why"),
    [
        (b"{", "it is no JSON (Expecting property name enclosed in double quotes"),
        (b'{"type":"object","type":"object"}', 'the key "/type" stands twice in one object'),
    ],
)
def test_a_schema_that_cannot_be_read_judges_nothing(schema: bytes, why: str) -> None:
    """Of two members of one name nobody knows which one counts."""
    judge = Judge(Schemas(label="tools.json", tools=(("run", schema),), complete=True))
    verdict = answer({"command": 1}, judge=judge)

    assert verdict is not None
    assert Decision.NOT_ASSESSABLE is verdict.decision
    assert verdict.message.startswith(f"The schema of run cannot be used: {why}")


def test_what_a_reference_by_name_demands_is_told() -> None:
    """As what stands at the place itself."""
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#text"}},
        "$defs": {"text": {"$anchor": "text", "type": "string"}},
    }
    verdict = answer({"a": 1}, tool="named", judge=contract(named=schema))

    assert verdict is not None
    assert 'named: /a: type "string", found 1.' == verdict.message
    assert "named" == verdict.facts["tool"]


@pytest.mark.parametrize(("value", "valid"), [("x", True), (1, False)])
def test_what_stands_beside_half_a_surrogate_pair_is_judged(value: Any, *, valid: bool) -> None:
    """The quick library takes no such name of a member, and the other one is asked."""
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    verdict = answer({"\ud800": 1, "a": value}, tool="open", judge=contract(open=schema))

    assert valid is (verdict is None)
    assert verdict is None or 'open: /a: type "string", found 1.' == verdict.message


EVIL = {"type": "object", "properties": {"a": {"type": "string", "pattern": r"^(a|a)*\1?$(?<!b)"}}}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("a" * 60 + "!", "a pattern at /a takes too long"),
        ("a" * 60 + "!\ud800", "UnicodeEncodeError"),
    ],
)
def test_a_pattern_that_does_not_come_to_an_end_is_not_assessable(text: str, why: str) -> None:
    """Texts of a trace are chosen by somebody else; no engine may be kept busy with one."""
    verdict = answer({"a": text}, tool="evil", judge=contract(evil=EVIL))

    assert verdict is not None
    assert Decision.NOT_ASSESSABLE is verdict.decision
    said = f"The arguments of evil cannot be held against its schema: {why}."
    assert (said, "evil") == (verdict.message, verdict.facts["tool"])


# -- two libraries, one verdict

# jsonschema tells no place below a schema that is `false`.
SHARED = {**SCHEMA, "properties": {k: v for k, v in SCHEMA["properties"].items() if k != "never"}}
PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers(-2, 3) | st.sampled_from(["", "x", "fast", 1.5, 2.0]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from([*SCHEMA["properties"], "name", "x"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@given(PLAIN)
def test_both_libraries_find_the_same_places(args: Any) -> None:
    """The quick one judges, the other one where it cannot: a verdict depends on neither."""
    quick = jsonschema_rs.validator_for(SHARED)
    slow = jsonschema.Draft202012Validator(SHARED)

    assert slow.is_valid(args) == quick.is_valid(args)
    assert {(one.at, one.keyword) for one in violations_by_jsonschema(slow.iter_errors(args))} == {
        (one.at, one.keyword) for one in violations(quick.iter_errors(args), SHARED)
    }


@contextmanager
def without_the_quick_library(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Judge as on a platform that it has no wheel for."""

    def missing(_: Any) -> Any:
        raise ImportError

    monkeypatch.setattr(judging, "_fast_validator", missing)
    judging._compiled.cache_clear()
    try:
        yield
    finally:
        judging._compiled.cache_clear()


def test_without_the_quick_library_nothing_is_fetched_either(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What cannot be resolved takes no arguments for valid ones."""
    fetched: list[str] = []
    monkeypatch.setattr(urllib.request, "urlopen", fetched.append)
    with without_the_quick_library(monkeypatch):
        verdict = answer({}, tool="far", judge=contract(far={"$ref": "http://127.0.0.1:9/x"}))

    assert verdict is not None
    assert Decision.NOT_ASSESSABLE is verdict.decision
    assert [] == fetched


def test_without_the_quick_library_what_never_may_be_there_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The keyword is that of the quick one, which names a schema that is false."""
    with without_the_quick_library(monkeypatch):
        verdict = refused({"command": "x", "never": 1})

    assert ["false schema"] == [one["keyword"] for one in verdict.facts["violations"]]


@pytest.mark.parametrize("args", [{"command": "ls"}, {}, {"command": 5, "limit": 0}])
def test_without_the_quick_library_the_verdict_is_the_same(
    args: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """There are platforms that it has no wheel for."""
    expected = answer(args)
    with without_the_quick_library(monkeypatch):
        found = answer(args)

    assert (expected and expected.reason) == (found and found.reason)
    assert (expected and [one["at"] for one in expected.facts["violations"]]) == (
        found and [one["at"] for one in found.facts["violations"]]
    )


# -- where schemas come from


def test_a_registry_a_dump_and_a_document_tell_the_same(tmp_path: Path) -> None:
    """One contract in three forms."""
    tools = [{"name": "run", "description": "Run.", "inputSchema": SCHEMA}]
    (tmp_path / "tools.json").write_text(json.dumps({"tools": tools}))
    (tmp_path / "argument_host.py").write_text(
        f"REGISTRY = [{{'name': 'run', 'schema': {json.dumps(SCHEMA)!r}}}]"
    )
    (tmp_path / "CONTRACT.md").write_text(
        "## Tools\n\n| Tool | Read-only | Description |\n| --- | --- | --- |\n"
        "| `run` | false | Run. |\n| `look` | true | Look. |\n\n"
        f"### `run`\n\n```json\n{json.dumps(SCHEMA)}\n```\n"
    )

    found = {
        spec: dict(load(spec, tmp_path).tools)
        for spec in ("tools.json", "argument_host:REGISTRY", "CONTRACT.md")
    }

    assert {None} == {tools.pop("look", None) for tools in found.values()}
    assert [["run"]] * 3 == [list(tools) for tools in found.values()]
    assert load("CONTRACT.md", tmp_path).complete
    assert [SCHEMA] * 3 == [json.loads(tools["run"] or b"") for tools in found.values()]


def test_the_reference_runtime_tells_every_schema() -> None:
    """It is the yardstick."""
    told = load(DEFAULT_SUBJECT, Path())

    assert told.complete
    assert len(told.tools) > 40
    assert all(schema for _, schema in told.tools)


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("nothing.json", SubjectError, "nothing.json"),
        ("no such thing", SubjectError, "is neither package.module:attribute nor"),
        ("MISSING.md", DocumentFileError, "MISSING.md does not exist"),
        ("EMPTY.md", SubjectError, "EMPTY.md tells no schema of any tool"),
    ],
)
def test_what_tells_no_schema_is_refused_at_the_door(
    spec: str, error: type[Exception], said: str, tmp_path: Path
) -> None:
    """A run that could validate nothing must not look like one that did."""
    (tmp_path / "EMPTY.md").write_text(
        "| Tool | Read-only | Description |\n| --- | --- | --- |\n| `run` | false | Run. |\n"
    )

    with pytest.raises(error, match=said):
        load(spec, tmp_path)


@pytest.mark.parametrize("schema", [True, False, [], "object"])
def test_a_schema_that_is_no_object_judges_nothing(schema: Any) -> None:
    """`true` would take whatever a model sends, and no tool has it for a schema."""
    verdict = answer({}, tool="other", judge=contract(other=schema))

    assert verdict is not None
    assert Decision.NOT_ASSESSABLE is verdict.decision
    assert "The schema of other cannot be used: it is no object." == verdict.message


@pytest.mark.parametrize(
    ("second", "decision"), [(SCHEMA, Decision.REJECT), ({}, Decision.NOT_ASSESSABLE)]
)
def test_a_tool_that_is_listed_twice_judges_only_if_both_are_alike(
    second: dict[str, Any], decision: Decision
) -> None:
    """The laxer one of the two, listed last, took everything."""
    tools = [("run", json.dumps(schema).encode()) for schema in (SCHEMA, second)]
    judge = Judge(Schemas(label="tools.json", tools=tuple(tools), complete=True))
    verdict = answer({"command": 1}, judge=judge)

    assert verdict is not None
    assert decision is verdict.decision
