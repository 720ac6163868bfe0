"""Schemas that a provider refuses are found, each with its place and how sure that is."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from reasonix_runtime.contract.dialects import (
    LEVELS,
    PROFILES,
    RULES,
    lint,
    rules_for,
)
from reasonix_runtime.contract.entry import ContractEntry
from reasonix_runtime.errors import ContractError
from reasonix_runtime.tools.registry import default_registry


def found(schema: Any, *profiles: str, name: str = "tool") -> list[tuple[str, str, str]]:
    """Return profile, rule and pointer of each finding; without profiles the default ones."""
    text = schema if isinstance(schema, str) else json.dumps(schema)
    entry = ContractEntry.of(name, description="", read_only=None, schema=text)
    return [
        (f.rule.profile, f.rule.id, f.pointer) for f in lint([entry], profiles=profiles or None)
    ]


def prop(schema: Any) -> dict[str, Any]:
    """Return an object schema with one property `p`."""
    return {"type": "object", "properties": {"p": schema}}


LOOP = {
    "type": "object",
    "$defs": {"n": {"properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}},
    "properties": {"p": {"$ref": "#/$defs/n"}},
}


@pytest.mark.parametrize(
    ("schema", "profile", "expected"),
    [
        ("true", "openai", []),
        ("[1]", "openai", []),
        ("{}", "openai", []),
        (LOOP, "openai", []),
        (prop({"type": "array"}), "openai", [("openai", "DIALECT-1", "/properties/p")]),
        (prop({"type": "array"}), "gemini", [("gemini", "DIALECT-1", "/properties/p")]),
        (prop({"type": "array", "items": {}}), "openai", []),
        (
            prop({"type": "array", "items": {"type": ["array", "null"]}}),
            "openai",
            [("openai", "DIALECT-1", "/properties/p/items")],
        ),
        (prop({"type": "array"}), "anthropic", []),
        (
            {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]},
            "openai/strict",
            [("openai/strict", "DIALECT-2", "")],
        ),
        (
            prop({"type": "string"}) | {"additionalProperties": False},
            "openai/strict",
            [("openai/strict", "DIALECT-2", "/properties/p")],
        ),
        (prop({"type": "string"}), "openai", []),
        (
            prop({}) | {"anyOf": [{"required": ["p"]}], "oneOf": []},
            "anthropic",
            [("anthropic", "DIALECT-3", "/anyOf"), ("anthropic", "DIALECT-3", "/oneOf")],
        ),
        (prop({"anyOf": [{"type": "string"}]}), "anthropic", []),
        (
            {"type": "object", "properties": {"a b": {}, "x/y": {}, "a.b-c_1": {}}},
            "anthropic/managed",
            [
                ("anthropic/managed", "DIALECT-4", "/properties/a b"),
                ("anthropic/managed", "DIALECT-4", "/properties/x~1y"),
            ],
        ),
        ({"type": "object", "properties": {"a b": {}}}, "anthropic", []),
        (
            prop({"$ref": "#/$defs/x"}) | {"$defs": {"x": {}}},
            "anthropic/managed",
            [("anthropic/managed", "DIALECT-4", "/properties/p/$ref")],
        ),
        (
            prop({}) | {"anyOf": [{"required": ["p"]}]},
            "moonshot",
            [("moonshot", "DIALECT-5", "/anyOf")],
        ),
        (
            prop({"$ref": "#/$defs/R", "description": "which"})
            | {"$defs": {"R": {"type": "string", "description": "ref"}}},
            "moonshot",
            [("moonshot", "DIALECT-6", "/properties/p/description")],
        ),
        (
            prop({"$ref": "#/$defs/R", "description": "which"})
            | {"$defs": {"R": {"type": "string"}}},
            "moonshot",
            [],
        ),
        (
            prop({"$ref": "#/$defs/a~1b~0c", "type": "string"})
            | {"$defs": {"a/b~c": {"type": "string"}}},
            "moonshot",
            [],
        ),
        (
            prop({"$ref": "#/$defs/a%20b", "type": "string"})
            | {"$defs": {"a b": {"type": "string"}}},
            "moonshot",
            [],
        ),
        (
            prop({"$ref": "#/$defs/none", "type": "string"}),
            "moonshot",
            [("moonshot", "DIALECT-6", "/properties/p/type")],
        ),
        (
            prop({"type": ["string", "null"]}),
            "gemini",
            [("gemini", "DIALECT-7", "/properties/p/type")],
        ),
        (prop({"type": "string", "nullable": True}), "gemini", []),
        (
            prop({"type": "integer", "enum": [1, 2]}),
            "gemini",
            [("gemini", "DIALECT-8", "/properties/p/enum")],
        ),
        (prop({"enum": ["a"]}), "gemini", [("gemini", "DIALECT-8", "/properties/p/enum")]),
        (prop({"type": "string", "enum": ["a"]}), "gemini", []),
        (
            {"type": "object", "propertyNames": {"pattern": "^a"}, "additionalProperties": False},
            "gemini",
            [
                ("gemini", "DIALECT-9", "/additionalProperties"),
                ("gemini", "DIALECT-9", "/propertyNames"),
            ],
        ),
        (prop({"const": "x"}), "gemini", [("gemini", "DIALECT-9", "/properties/p/const")]),
        (prop({"default": {"const": 1}, "type": "object"}), "gemini", []),
    ],
)
def test_a_dialect_finds_what_it_refuses_and_nothing_else(
    schema: Any, profile: str, expected: list[tuple[str, str, str]]
) -> None:
    """Each finding points at its place; a rule stays with its provider and variant."""
    assert expected == found(schema, profile)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("read_file", []),
        ("srv.admin/list", ["any"]),
        ("n" * 64, []),
        ("n" * 70, ["any"]),
        ("", ["any"]),
        ("größe", ["any"]),
        ("name\n", ["any"]),
        ("3d_render", ["gemini"]),
    ],
)
def test_tool_names_are_those_that_every_provider_takes(name: str, expected: list[str]) -> None:
    """A bad name fails the whole request, not only its tool."""
    assert [(profile, "DIALECT-10", "") for profile in expected] == found("{}", name=name)


def test_by_default_a_contract_is_held_against_all_providers_but_no_variant() -> None:
    """A contract should work with any of them; strict modes are somebody's choice."""
    assert {rule.profile for rule in rules_for()} == {
        "any",
        "anthropic",
        "gemini",
        "moonshot",
        "openai",
    }
    assert ("anthropic", "anthropic/managed", "gemini", "moonshot", "openai", "openai/strict") == (
        PROFILES
    )


def test_what_is_not_sure_is_no_error() -> None:
    """Reports contradict each other; a careful re-test found no refusal."""
    entry = ContractEntry.of("t", description="", read_only=None, schema=prop({}) | {"anyOf": []})
    levels = {f.rule.id: f.level for f in lint([entry], profiles=["moonshot", "anthropic"])}
    assert {"DIALECT-3": "error", "DIALECT-5": "warning"} == levels


def test_a_finding_says_where_for_whom_and_what_to_do() -> None:
    """It is all that a reader of a report gets."""
    entry = ContractEntry.of("t", description="", read_only=None, schema=prop({"type": "array"}))
    assert (
        "t#/properties/p: an array without items (openai, DIALECT-1); add items"
        == lint([entry], profiles=["openai"])[0].message
    )


def test_every_rule_says_where_it_looks_and_what_helps() -> None:
    """A rule without a place or a remedy cannot be argued with."""
    for rule in RULES:
        assert rule.sentence.endswith("."), rule.id
        assert rule.fix
        assert rule.place
        assert rule.confidence in LEVELS


def test_an_unknown_profile_is_answered_with_the_nearest() -> None:
    """A misspelt provider must not make everything pass."""
    with pytest.raises(ContractError, match="did you mean 'openai/strict'"):
        lint([], profiles=["openai/strikt"])


def test_a_schema_that_is_no_json_stops_no_other_tool() -> None:
    """It is reported by the check of validity; the others are still looked at."""
    broken = ContractEntry.of("broken", description="", read_only=None, schema="{")
    other = ContractEntry.of("3d", description="", read_only=None, schema="{}")
    assert ["3d"] == [f.tool for f in lint([broken, other])]


def test_our_own_contract_breaks_only_what_its_structure_prescribes() -> None:
    """Closed objects and numbers to choose from are part of the contract's structure."""
    findings = lint(default_registry(review=True).entries())
    assert {
        ("compress", "DIALECT-9", "/additionalProperties"),
        ("install_source", "DIALECT-9", "/properties/env/additionalProperties"),
        ("install_source", "DIALECT-9", "/properties/headers/additionalProperties"),
        ("todo_write", "DIALECT-8", "/properties/todos/items/properties/level/enum"),
    } == {(f.tool, f.rule.id, f.pointer) for f in findings}


KEYS = st.sampled_from(
    ["type", "properties", "items", "$ref", "$defs", "enum", "anyOf", "required", "x"]
)
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(0, 3)
    | st.sampled_from(["object", "array", "#", "#/$defs/x"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=15,
)


@settings(deadline=None)
@given(VALUES)
@example({"type": "object", "required": [{}, []], "properties": {"p": 1}})
@example({"$ref": {}, "enum": 1, "properties": []})
def test_any_schema_can_be_linted(value: Any) -> None:
    """Schemas come from servers that nobody checked."""
    found(json.dumps(value), *PROFILES)
