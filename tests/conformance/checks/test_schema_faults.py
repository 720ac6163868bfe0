"""Schemas that providers refuse are found, whichever engine is installed."""

from __future__ import annotations

import builtins
import json
from typing import Any

import pytest
from places import RECORDED

from reasonix_conformance.checks import schema_faults, schema_loops
from reasonix_runtime.contract.canonical import parse

TYPES = "array, boolean, integer, null, number, object, string"

CASES: list[tuple[Any, list[str]]] = [
    ({"type": "object"}, []),
    ({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}, []),
    ({"type": "string"}, ["/type"]),
    ({"type": ["object", "null"]}, ["/type"]),
    ({}, ["/type"]),
    ([], [""]),
    (True, [""]),
    ({"type": "object", "properties": {"a": {"type": "text"}}}, ["/properties/a/type"]),
    ({"type": "object", "properties": {"a": {"type": ["null", "text"]}}}, ["/properties/a/type/1"]),
    ({"type": "object", "properties": {"a": {"minLength": -1}}}, ["/properties/a/minLength"]),
    ({"type": "object", "properties": {"a": {"enum": 3}}}, ["/properties/a/enum"]),
    ({"type": "object", "required": "a"}, ["/required"]),
    ({"type": "object", "properties": {"a": {"items": [{}]}}}, ["/properties/a/items"]),
    ({"type": "object", "properties": {"a": {"$ref": "file:defs.json"}}}, ["/properties/a/$ref"]),
    ({"type": "object", "properties": {"a": {"$ref": "#/$defs/no"}}}, ["/properties/a/$ref"]),
    ({"type": "object", "items": {"$dynamicRef": "#no"}}, ["/items/$dynamicRef"]),
    (
        {"type": "object", "$defs": {"n": {}}, "properties": {"a": {"$ref": "#/$defs/n"}}},
        [],
    ),
    (
        {
            "type": "object",
            "$defs": {"n": {"$anchor": "here"}},
            "properties": {"a": {"$ref": "#here"}},
        },
        [],
    ),
    ({"type": "object", "properties": {"a": {"pattern": "("}}}, ["/properties/a/pattern"]),
    ({"type": "object", "properties": {"a": {"pattern": r"^\p{L}+(?<n>x)\k<n>$"}}}, []),
    ({"type": "object", "patternProperties": {"[": {}}}, ["/patternProperties"]),
    ([{"$ref": "file:x"}], [""]),
    ({"type": "object", "properties": {"pattern": "("}}, ["/properties/pattern"]),
    (
        {"type": "object", "properties": {"default": {"pattern": "("}}},
        ["/properties/default/pattern"],
    ),
    (
        {"type": "object", "properties": {"properties": {"pattern": "("}}},
        ["/properties/properties/pattern"],
    ),
    # Data is not a schema, whatever it looks like.
    ({"type": "object", "default": {"$ref": "file:x", "pattern": "("}}, []),
    ({"type": "object", "properties": {"pattern": {"type": "string"}}}, []),
    ({"type": "object", "$schema": "http://json-schema.org/draft-07/schema#"}, []),
    ({"type": "object", "$schema": "http://example.org/own"}, ["/$schema"]),
    ({"type": "object", "$schema": 7}, ["/$schema"]),
]


@pytest.mark.parametrize(("value", "expected"), CASES)
def test_a_fault_is_reported_at_its_place(value: Any, expected: list[str]) -> None:
    """One bad schema makes a provider refuse the whole request."""
    assert expected == [fault.at for fault in schema_faults.faults(value)]


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (True, "the schema is true, not an object"),
        (False, "the schema is false, not an object"),
        (None, "the schema is null, not an object"),
        ([], "the schema is a list, not an object"),
        ("object", "the schema is a str, not an object"),
        ({"properties": {"a": {"type": "text"}}}, "'text' is no type of JSON Schema"),
        ({"properties": {"a": {"type": ["null", "text"]}}}, f"'text' is none of {TYPES}"),
        ({"required": "a"}, "'a' is not of type array"),
        ({"properties": {"a": 5}}, "5 is not of type object or boolean"),
        ({"minProperties": -1}, "-1 breaks 'minimum' of the meta-schema"),
        (
            {"$schema": "http://json-schema.org/draft-04/schema#", "exclusiveMaximum": True},
            "breaks 'dependencies' of the meta-schema",
        ),
    ],
)
def test_a_fault_says_what_is_there_and_what_is_not_met(value: Any, said: str) -> None:
    """In the words of the keyword that speaks against it."""
    schema = {"type": "object"} | value if isinstance(value, dict) else value
    (fault,) = schema_faults.faults(schema)

    assert fault.what.endswith(said)


@pytest.mark.parametrize("value", [value for value, _ in CASES])
def test_both_engines_give_the_same_verdict(value: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A platform without the fast engine must not see another contract."""
    fast = schema_faults.faults(value)
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "jsonschema_rs":
            raise ImportError(name)
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)

    assert fast == schema_faults.faults(value)


def test_both_engines_agree_on_every_recorded_schema() -> None:
    """The recorded schemas are the widest sample of odd inputs that there is."""
    path = RECORDED / "schema_canon.jsonl"
    disagreements = []
    for line in path.read_bytes().splitlines():
        text = json.loads(line)["out"].get("canonical", "")
        try:
            value = parse(text)
        except ValueError:
            continue
        if isinstance(value, dict) and schema_faults.is_valid(value) != (
            not schema_faults.explain(value)
        ):
            disagreements.append(text)

    assert [] == disagreements


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (
            {
                "$defs": {"n": {"properties": {"kids": {"items": {"$ref": "#/$defs/n"}}}}},
                "$ref": "#/$defs/n",
            },
            ["/$ref", "/$defs/n/properties/kids/items/$ref"],
        ),
        ({"properties": {"a": {"$ref": "#"}}}, ["/properties/a/$ref"]),
        ({"$defs": {"n": {"type": "string"}}, "$ref": "#/$defs/n"}, []),
        (
            {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"$ref": "#/$defs/a"}}},
            ["/$defs/a/$ref", "/$defs/b/$ref"],
        ),
        ({"$anchor": "me", "properties": {"a": {"$ref": "#me"}}}, ["/properties/a/$ref"]),
        (
            {"$dynamicAnchor": "me", "properties": {"a": {"items": {"$dynamicRef": "#me"}}}},
            ["/properties/a/items/$dynamicRef"],
        ),
        ({"properties": {"a": {"$recursiveRef": "#"}}}, ["/properties/a/$recursiveRef"]),
        ({"properties": {"a": {"$ref": "file:a#"}, "b": {"$ref": "#/properties/a"}}}, []),
        (
            {
                "$defs": {
                    "a": {"items": {"$ref": "#/$defs/b"}},
                    "b": {"items": {"$ref": "#/$defs/a"}},
                    "c": {"items": {"$ref": "#/$defs/a"}},
                },
                "$ref": "#/$defs/c",
            },
            ["/$defs/a/items/$ref", "/$defs/b/items/$ref", "/$defs/c/items/$ref"],
        ),
        ({"const": {"$ref": "#"}}, []),
        (["$ref"], []),
    ],
)
def test_recursion_ends_and_is_reported(value: Any, expected: list[str]) -> None:
    """Expanding a schema that contains itself must not hang, and providers differ on it."""
    assert sorted(expected) == sorted(fault.at for fault in schema_faults.recursion(value))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({"$ref": "#"}, ["/$ref"]),
        ({"$ref": "#/"}, []),
        ({"allOf": [{"type": "object"}, {"$ref": "#"}]}, ["/allOf/1/$ref"]),
        ({"if": {"$ref": "#"}}, ["/if/$ref"]),
        ({"dependentSchemas": {"a": {"$ref": "#"}}}, ["/dependentSchemas/a/$ref"]),
        ({"$anchor": "me", "$ref": "#me"}, ["/$ref"]),
        ({"$dynamicAnchor": "me", "anyOf": [{"$dynamicRef": "#me"}]}, ["/anyOf/0/$dynamicRef"]),
        ({"properties": {"a": {"$ref": "#/properties/a"}}}, ["/properties/a/$ref"]),
        (
            {"$defs": {"a": {"$ref": "#/$defs/b"}, "b": {"not": {"$ref": "#/$defs/a"}}}},
            ["/$defs/a/$ref", "/$defs/b/not/$ref"],
        ),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, ["/$defs/a/$ref"]),
        (
            {
                "$ref": "#/$defs/a",
                "$defs": {
                    "a": {"allOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/c"}]},
                    "b": {"type": "object"},
                    "c": {"allOf": [{"$ref": "#/$defs/b"}, {"$ref": "#/$defs/d"}]},
                    "d": {"$ref": "#/$defs/c"},
                },
            },
            ["/$defs/c/allOf/1/$ref", "/$defs/d/$ref"],
        ),
        ({"properties": {"a": {"$ref": "#"}}}, []),
        ({"items": {"anyOf": [{"$ref": "#"}]}}, []),
        ({"const": {"$ref": "#"}}, []),
    ],
    ids=str,
)
def test_a_reference_that_comes_round_on_the_same_value_never_ends(
    value: Any, expected: list[str]
) -> None:
    """Nothing says what it demands; a validator took any arguments for it."""
    assert sorted(expected) == sorted(
        f.at for f in schema_loops.loops_of(json.dumps(value).encode())
    )
