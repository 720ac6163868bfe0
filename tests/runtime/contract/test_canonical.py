"""The canonical bytes of a schema are those that Go hosts write."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import RECORDED

from reasonix_runtime.contract.canonical import (
    EMPTY,
    MAX_DEPTH,
    canonicalise,
    fingerprint,
    is_canonical,
)
from reasonix_runtime.errors import SchemaError

ROWS = [
    json.loads(line)
    for line in (RECORDED / "schema_canon.jsonl").read_text("utf-8").split("\n")
    if line
]

EMPTY_TEXT = EMPTY.decode()


@pytest.mark.parametrize("record", ROWS, ids=lambda record: str(record["id"]))
def test_recorded_schemas_have_the_recorded_bytes(record: dict[str, Any]) -> None:
    """A real host wrote these; one byte of difference breaks its cached prefix."""
    schema = record["in"]["schema"]

    canonical = canonicalise(schema).decode()

    assert record["out"]["canonical"] == canonical
    assert record["out"]["accept"] == (canonical == schema)


@pytest.mark.parametrize(
    ("schema", "expected"),
    [
        ("", EMPTY_TEXT),
        ("null", EMPTY_TEXT),
        (" null\n", EMPTY_TEXT),
        ("{}", EMPTY_TEXT),
        ('{"type":"object"}', EMPTY_TEXT),
        ('{"type":"object","properties":{},"required":null}', EMPTY_TEXT),
        ('{"type":"object","properties":{},"required":true}', EMPTY_TEXT),
        ('{"type":"object","properties":{},"required":"a"}', EMPTY_TEXT),
        (
            '{"type":"object","properties":{"q":{"type":"string","required":true}}}',
            '{"properties":{"q":{"type":"string"}},"type":"object"}',
        ),
        (
            '{"properties":{"required":{"type":"boolean"}},"required":["required"]}',
            '{"properties":{"required":{"type":"boolean"}},"required":["required"],'
            '"type":"object"}',
        ),
        (
            '{"$defs":{"required":{"required":true}},"definitions":{"required":{"required":[]}}}',
            '{"$defs":{"required":{}},"definitions":{"required":{"required":[]}},'
            '"properties":{},"type":"object"}',
        ),
        (
            '{"type":"array","items":{"required":["z","y"]}}',
            '{"items":{"required":["y","z"]},"type":"array"}',
        ),
        ('{"type":["object","null"]}', '{"type":["object","null"]}'),
        ('{"type":"string"}', '{"type":"string"}'),
        ('{"properties":[{"required":true}]}', '{"properties":[{}],"type":"object"}'),
        (
            '{"default":{"required":["b","a"]},"enum":[{"required":1}],"const":{"required":[]}}',
            '{"const":{"required":[]},"default":{"required":["a","b"]},"enum":[{}],'
            '"properties":{},"type":"object"}',
        ),
        (
            '{"dependentRequired":{"a":["z","b"],"c":true}}',
            '{"dependentRequired":{"a":["b","z"]},"properties":{},"type":"object"}',
        ),
        ('{"dependentRequired":5}', EMPTY_TEXT),
        (
            '{"type":"object","properties":{"s":{"enum":["b","a"],"description":"a<b & c"}}}',
            '{"properties":{"s":{"description":"a\\u003cb \\u0026 c","enum":["b","a"]}},'
            '"type":"object"}',
        ),
        ("true", "true"),
        ('[{"required":["b","a"]},1.0]', '[{"required":["a","b"]},1]'),
        ("{} x", "{} x"),
        ("{}{}", "{}{}"),
        (" ", " "),
        ('\ufeff{"type":"object"}', '\ufeff{"type":"object"}'),
        ("{'a':1}", "{'a':1}"),
        ('{"a":1,}', '{"a":1,}'),
        ('{"a":NaN}', '{"a":NaN}'),
        ("-Infinity", "-Infinity"),
        ('{"a":"\t"}', '{"a":"\t"}'),
        ('{"a":1e400}', '{"a":1e400}'),
        ('{"a":01}', '{"a":01}'),
    ],
)
def test_a_schema_has_this_canonical_form(schema: str, expected: str) -> None:
    """Faults that users met: null lists, boolean `required`, no schema, no JSON."""
    assert expected == canonicalise(schema).decode()


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        ("1.0", "1"),
        ("-0", "-0"),
        ("-0.0", "-0"),
        ("0e5", "0"),
        ("1e6", "1000000"),
        ("1e20", "100000000000000000000"),
        ("100000000000000000000", "100000000000000000000"),
        ("1e21", "1e+21"),
        ("123456789012345678901", "123456789012345680000"),
        ("9007199254740993", "9007199254740992"),
        ("0.000001", "0.000001"),
        ("-0.0000015", "-0.0000015"),
        ("1e-7", "1e-7"),
        ("1.5e-10", "1.5e-10"),
        ("1e300", "1e+300"),
        ("1e-400", "0"),
        ("0.1", "0.1"),
        ("1.7976931348623157e308", "1.7976931348623157e+308"),
        ("5e-324", "5e-324"),
    ],
)
def test_a_number_is_the_shortest_form_of_its_double(number: str, expected: str) -> None:
    """Python and Go write the same double differently; the bytes must be Go's."""
    assert expected == canonicalise(f"[{number}]").decode()[1:-1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"\u00e9\ud83d\ude00", "é😀"),
        (r"\ud800", "\ufffd"),
        (r"\ud800\u0041", "\ufffdA"),
        (r"\udc00\ud800", "\ufffd\ufffd"),
        (r"\ud800\ud83d\ude00", "\ufffd😀"),
        (r"\u2028\u2029", r"\u2028\u2029"),
        ("\u2028<>&", r"\u2028\u003c\u003e\u0026"),
        (r"\u003c\/", r"\u003c/"),
        (r"\b\f\n\r\t", r"\b\f\n\r\t"),
        (r"\u0001\u001f\u007f", "\\u0001\\u001f\x7f"),
        (r"\"\\", r"\"\\"),
    ],
)
def test_a_string_is_escaped_as_go_does(text: str, expected: str) -> None:
    """Go writes `<` as an escape and `é` as itself; Python's default does the opposite."""
    assert f'["{expected}"]' == canonicalise(f'["{text}"]').decode()


def test_bytes_that_are_no_utf8_become_replacement_characters_one_by_one() -> None:
    """A host that reads a broken file must not invent other bytes than the reference does."""
    assert '["\ufffd\ufffdx\ufffd"]'.encode() == canonicalise(b'["\xe2\x82x\xff"]')
    assert b"\xff not json" == canonicalise(b"\xff not json")


def test_the_last_of_duplicate_keys_counts() -> None:
    """Also if the keys become the same only by replacing what is no character."""
    assert b'{"a":2,"properties":{},"type":"object"}' == canonicalise('{"a":1,"a":2}')
    twice = canonicalise('{"\\ud800":1,"\ufffd":2,"\\ud800":3}').decode()
    assert '{"properties":{},"type":"object","\ufffd":3}' == twice


def test_keys_are_ordered_by_their_utf8_bytes() -> None:
    """UTF-16 order, as some encoders have it, puts an emoji before a full-width letter."""
    assert (
        '{"A":1,"a":1,"a b":1,"é":1,"\uff21":1,"😀":1}'
        == canonicalise('[{"😀":1,"\uff21":1,"é":1,"a b":1,"a":1,"A":1}]').decode()[1:-1]
    )


def test_required_names_are_ordered_by_their_json_text() -> None:
    """The closing quote takes part, and so does the escaping of `<`."""
    assert (
        '{"required":["A","a b","a!","a","a\\u003c"],"type":"x"}'
        == canonicalise('{"type":"x","required":["a","a<","a!","a b","A"]}').decode()
    )


@pytest.mark.parametrize("opening", ['{"a":', "[", '{"properties":{"a":', '{"required":['])
@pytest.mark.parametrize("depth", [MAX_DEPTH + 1, 5_000, 100_000])
def test_what_nests_too_deeply_is_left_unchanged(opening: str, depth: int) -> None:
    """A hostile schema is reported as it is; it must not take the whole run down."""
    closing = "".join({"{": "}", "[": "]"}[c] for c in reversed(opening) if c in "{[")
    schema = opening * depth + "1" + closing * depth

    assert schema.encode() == canonicalise(schema)
    assert not is_canonical(schema.encode())


def test_a_deep_schema_within_the_limit_is_canonicalised() -> None:
    """The limit is far from what any provider accepts."""
    depth = MAX_DEPTH - 3
    assert (
        '{"items":' * depth + '{"required":["a","b"]}' + "}" * depth
        == canonicalise(
            '[{"items": '
            + '{"items": ' * (depth - 1)
            + '{"required":["b","a"]}'
            + "}" * depth
            + "]"
        ).decode()[1:-1]
    )


def test_a_self_referencing_definition_is_only_rewritten() -> None:
    """Expanding it would never end."""
    schema = '{"$ref":"#/$defs/n","$defs":{"n":{"items":{"$ref":"#/$defs/n"},"type":"array"}}}'
    assert (
        '{"$defs":{"n":{"items":{"$ref":"#/$defs/n"},"type":"array"}},"$ref":"#/$defs/n",'
        '"properties":{},"type":"object"}' == canonicalise(schema).decode()
    )


def test_an_external_reference_is_never_read(tmp_path: Path) -> None:
    """Checking a schema does no I/O, whatever it refers to."""
    schema = {"properties": {"a": {"$ref": (tmp_path / "defs.json").as_uri()}}}
    assert b'"$ref":"file:' in canonicalise(schema)


@pytest.mark.parametrize(
    "keyword", ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]
)
def test_a_name_in_a_map_of_names_is_no_keyword(keyword: str) -> None:
    """A property that happens to be called `required` or `type` must survive."""
    members = '{"dependentRequired":{"type":"x"},"required":{"required":["a","b"]}}'
    shuffled_names = members.replace('["a","b"]', '["b","a"]')
    assert (
        f'[{{"{keyword}":{members}}}]'
        == canonicalise(f'[{{"{keyword}":{shuffled_names}}}]').decode()
    )


def test_false_and_zero_are_different_values() -> None:
    """Python holds them equal; a schema does not."""
    assert len({canonicalise(f'{{"const":{v}}}') for v in ("0", "false", "null", '"0"')}) == 4


@pytest.mark.parametrize(
    ("schema", "problem"),
    [
        ({"a": {1, 2}}, "not JSON data"),
        ({1: "a"}, "key 1 is no text"),
        ({"a": {True: 1}}, "key True is no text"),
        ({"a": float("nan")}, "not JSON data"),
        ({"a": b"bytes"}, "not JSON data"),
        (None, "got NoneType"),
        (5, "got int"),
        ([1], "got list"),
    ],
)
def test_what_is_no_json_data_is_refused(schema: Any, problem: str) -> None:
    """Writing `1` as `"1"` would be a repair that nobody sees."""
    with pytest.raises(SchemaError, match=problem):
        canonicalise(schema)


def test_a_mapping_that_contains_itself_is_refused() -> None:
    """A clear error, not a RecursionError."""
    schema: dict[str, Any] = {}
    schema["a"] = [schema]
    with pytest.raises(SchemaError, match="contains itself"):
        canonicalise(schema)


def test_a_fingerprint_is_the_beginning_of_the_sha256() -> None:
    """It can be recomputed with any tool."""
    assert hashlib.sha256(EMPTY).hexdigest()[:16] == fingerprint(EMPTY)


KEYS = st.sampled_from(
    ["required", "properties", "items", "$defs", "dependentRequired", "type", "enum", "a", "é", "<"]
)
SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(KEYS | st.text(max_size=3), inner, max_size=5)
    ),
    max_leaves=20,
)


def shuffled(value: Any) -> Any:
    """Return the value with every object's keys in reverse order."""
    if isinstance(value, dict):
        return {key: shuffled(value[key]) for key in reversed(value)}
    return [shuffled(item) for item in value] if isinstance(value, list) else value


@settings(deadline=None)
@given(VALUES)
def test_canonicalising_twice_changes_nothing(value: Any) -> None:
    """Snapshots and documents canonicalise what may be canonical already."""
    once = canonicalise(json.dumps(value))

    assert once == canonicalise(once)
    assert is_canonical(once)


@settings(deadline=None)
@given(VALUES)
def test_the_order_of_keys_and_blanks_does_not_matter(value: Any) -> None:
    """Two hosts that build the same schema in another order send the same bytes."""
    assert canonicalise(json.dumps(value)) == canonicalise(
        json.dumps(shuffled(value), indent=2, ensure_ascii=False)
    )


@settings(deadline=None)
@given(VALUES)
def test_canonical_bytes_mean_what_was_written(value: Any) -> None:
    """Only `required` lists, and the root's completion, may differ from the input."""

    def expected(node: Any, *, names: bool = False) -> Any:
        if isinstance(node, list):
            return [expected(item) for item in node]
        if not isinstance(node, dict):
            return node
        maps = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
        return {
            key: expected(member, names=not names and key in maps)
            for key, member in node.items()
            if names or key not in ("required", "dependentRequired")
        }

    node = [value]
    assert expected(node) == expected(json.loads(canonicalise(json.dumps(node)), parse_int=float))


@settings(deadline=None)
@given(st.binary(max_size=60) | st.text(max_size=60))
def test_anything_has_canonical_bytes(schema: bytes | str) -> None:
    """A tool's schema comes from anywhere; one bad tool must not stop the others."""
    once = canonicalise(schema)

    assert once == canonicalise(once) or not schema
