"""A changed schema is told in words, and nothing that changed goes unsaid."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_conformance.changes import describe
from reasonix_runtime.contract.canonical import canonicalise
from reasonix_runtime.contract.pointers import pointer

BASE: dict[str, Any] = {
    "type": "object",
    "properties": {
        "a": {"type": "string", "description": "x" * 90 + " here"},
        "m": {"enum": ["x", "y"], "minimum": 1},
        "__p": {"type": "string"},
        "required": {"type": "array", "items": [1, 2]},
        "t": {"const": 1},
        "a/b~c": {"type": "string"},
        "properties": {"type": "object", "properties": {"enum": {"enum": [1, 2]}}},
    },
    "allOf": [{"enum": ["a", "é"]}],
    "required": ["a"],
    "dependentRequired": {"a": ["m"]},
}


def said(edit: Any) -> list[str]:
    """Return what is said of a copy of BASE after an edit."""
    changed = copy.deepcopy(BASE)
    edit(changed)
    return [str(change) for change in describe(canonicalise(BASE), canonicalise(changed))]


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (lambda s: s["required"].append("m"), ['root: required gained "m"']),
        (lambda s: s["required"].clear(), ['root: required lost "a"']),
        (lambda s: s.pop("required"), ['root: lost required ["a"]']),
        (
            lambda s: s["required"].__setitem__(0, "m"),
            ['root: required gained "m"', 'root: required lost "a"'],
        ),
        (lambda s: s["properties"]["m"]["enum"].append("z"), ['/properties/m: enum gained "z"']),
        (
            lambda s: s["properties"]["m"]["enum"].reverse(),
            ['/properties/m: enum was reordered from ["x", "y"] to ["y", "x"]'],
        ),
        (
            lambda s: s["properties"]["m"]["enum"].append("x"),
            ['/properties/m: enum repeats what it has: from ["x", "y"] to ["x", "y", "x"]'],
        ),
        (
            lambda s: s["properties"].update(m=True),
            ['/properties/m: changed from {"enum": ["x", "y"], "minimum": 1} to true'],
        ),
        (
            lambda s: s["properties"]["m"].update(minimum=2.5),
            ["/properties/m: minimum changed from 1 to 2.5"],
        ),
        (
            lambda s: s["properties"]["t"].update(const=True),
            ["/properties/t: const changed from 1 to true"],
        ),
        (
            lambda s: s["properties"].update(n={"type": "integer"}),
            ['root: properties gained "n" ({"type": "integer"})'],
        ),
        (
            lambda s: s["properties"].pop("__p"),
            ['root: properties lost "__p" ({"type": "string"})'],
        ),
        (
            lambda s: s["properties"]["__p"].update(type="integer"),
            ['/properties/__p: type changed from "string" to "integer"'],
        ),
        (
            lambda s: s["properties"]["required"].update(items=[2, 1]),
            [
                "/properties/required/items: 0 changed from 1 to 2",
                "/properties/required/items: 1 changed from 2 to 1",
            ],
        ),
        (
            lambda s: s["properties"]["a/b~c"].update(type="null"),
            ['/properties/a~1b~0c: type changed from "string" to "null"'],
        ),
        (
            lambda s: s["dependentRequired"]["a"].append("t"),
            ['/dependentRequired: a gained "t"'],
        ),
        (
            lambda s: s.update(additionalProperties=False),
            ["root: gained additionalProperties false"],
        ),
        (
            lambda s: s["properties"]["properties"].update(type="array"),
            ['/properties/properties: type changed from "object" to "array"'],
        ),
        (
            lambda s: s["properties"]["properties"]["properties"].pop("enum"),
            ['/properties/properties: properties lost "enum" ({"enum": [1, 2]})'],
        ),
        (
            lambda s: s["properties"]["properties"]["properties"]["enum"]["enum"].reverse(),
            ["/properties/properties/properties/enum: enum was reordered from [1, 2] to [2, 1]"],
        ),
        (
            lambda s: s["allOf"][0]["enum"].reverse(),
            ['/allOf/0: enum was reordered from ["a", "é"] to ["é", "a"]'],
        ),
        (
            lambda s: s["allOf"][0]["enum"].append("z"),
            ['/allOf/0: enum gained "z"'],
        ),
    ],
)
def test_a_change_is_one_sentence_at_its_place(edit: Any, expected: list[str]) -> None:
    """A reader of a red build must see the property and what happened to it, nothing else."""
    assert expected == said(edit)


def test_long_texts_are_shown_where_they_part() -> None:
    """Two descriptions of a kilobyte that differ in a word are useless in full."""
    (sentence,) = said(lambda s: s["properties"]["a"].update(description="x" * 90 + " there"))

    assert sentence.startswith("/properties/a: description changed from")
    assert 'here"' in sentence
    assert 'there"' in sentence
    assert len(sentence) < 160


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"{no json", b"{}"),
        (b'{"a":-0.0}', b'{"a":0}'),
        (b'{"required":["a","a"]}', b'{"required":["a"]}'),
        (b"[]", b"{}"),
        (b"\xff", b"{}"),
    ],
)
def test_what_cannot_be_said_better_is_said_by_its_place(old: bytes, new: bytes) -> None:
    """An empty list of changes beside a failure would leave the reader with nothing."""
    assert describe(old, new)


def test_texts_are_shown_in_full_as_long_as_a_sentence_holds_them() -> None:
    """Of short ones the part that is alike says what they are about."""
    (sentence,) = said(lambda s: s["properties"]["a"].update(type="strong"))

    assert '/properties/a: type changed from "string" to "strong"' == sentence


def test_bytes_are_told_around_the_place_where_they_part() -> None:
    """By its number, and by what stands there on both sides."""
    (change,) = describe(b"{" + b"a" * 60 + b"b" * 60, b"{" + b"a" * 60 + b"c" * 60)

    left, right = "a" * 20 + "b" * 30, "a" * 20 + "c" * 30
    assert f"root: the bytes differ from byte 61 on: {left!r} became {right!r}" == str(change)


def test_equal_bytes_have_no_changes() -> None:
    """The gate before any comparison is equality of bytes."""
    assert [] == describe(b"whatever", b"whatever")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab_", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["required", "enum", "type", "properties", "__x", "a", "const"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@given(json_values, json_values)
def test_schemas_that_differ_are_never_called_equal(old: Any, new: Any) -> None:
    """Deepdiff overlooks private names and set-like repetitions by default; we may not."""
    before, after = canonicalise(json.dumps(old)), canonicalise(json.dumps(new))

    assert (before == after) == (not describe(before, after))


def test_a_pointer_escapes_its_separators() -> None:
    """RFC 6901: a slash in a name is not a level."""
    assert "/a~1b/~0/0" == pointer(["a/b", "~", 0])
