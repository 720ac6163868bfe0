"""Canonical bytes of a schema, and its fingerprint.

A provider caches a request by its prefix, and the tool schemas stand at the front of it, so the
same schema has to be the same bytes whoever wrote it. The form is the one Go hosts write: compact,
keys sorted, `required` lists sorted, numbers as doubles in shortest form, `<`, `>`, `&`, U+2028 and
U+2029 escaped. The same bytes make two hosts comparable.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from json.encoder import encode_basestring
from typing import Any, NoReturn

from reasonix_runtime.errors import SchemaError

EMPTY = b'{"properties":{},"type":"object"}'
"""The canonical schema of a tool without parameters."""

MAX_DEPTH = 200
"""Deepest nesting of objects and lists that is canonicalised; what lies deeper is left unchanged.

The limit keeps the walk far from the interpreter's own and is independent of the caller's stack.
"""

NAME_MAPS = frozenset(
    ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas")
)
"""Keywords whose value maps free names to schemas: a property called `required` is no keyword."""

_ESCAPED = re.compile("[<>&\u2028\u2029\ud800-\udfff]")
_ESCAPES = {ord(c): f"\\u{ord(c):04x}" for c in "<>&\u2028\u2029"} | dict.fromkeys(
    range(0xD800, 0xE000), "\ufffd"
)
_SURROGATE = re.compile(r"\\u[dD]|[\ud800-\udfff]")
_TO_REPLACEMENT = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")


class _TooDeepError(Exception):
    """The nesting passes MAX_DEPTH."""


def canonicalise(schema: bytes | str | Mapping[str, Any]) -> bytes:
    """Return the canonical bytes of a schema.

    Nothing, or JSON `null`, becomes the schema of a tool without parameters. What is not JSON (or
    has more than one value, a number beyond a double, or a nesting deeper than `MAX_DEPTH`) is
    returned unchanged, so that it can be shown and reported as it is. The operation is idempotent.

    Raises `SchemaError` for a mapping that holds something else than JSON data, and for anything
    that is no mapping, text or bytes.
    """
    if isinstance(schema, Mapping):
        text = _dump(schema)
        raw = text.encode()
    elif isinstance(schema, str):
        text = schema
        raw = schema.encode("utf-8", "surrogatepass")
    elif isinstance(schema, bytes | bytearray | memoryview):
        raw = bytes(schema)
        text = raw.decode("utf-8", "surrogateescape")
    else:
        raise SchemaError(f"expected a mapping, text or bytes, got {type(schema).__name__}")
    if not raw:
        return EMPTY
    canonical = _canonical(text)
    return raw if canonical is None else canonical


def canonical_or_none(schema: bytes) -> bytes | None:
    """Return the canonical bytes of a schema, None where `canonicalise` leaves it as it is."""
    return _canonical(schema.decode("utf-8", "surrogateescape")) if schema else EMPTY


def why_not_canonical(schema: bytes) -> str:
    """Say why a schema has no canonical form: `not JSON: ...`, or what no schema can hold."""
    try:
        _written(schema.decode("utf-8", "surrogateescape"))
    except json.JSONDecodeError as error:
        return f"not JSON: {error.msg} (line {error.lineno}, column {error.colno})"
    except ValueError as error:
        return f"not JSON: {error}"
    except (RecursionError, _TooDeepError):
        return f"nested deeper than {MAX_DEPTH} levels"
    return "canonical as it is"


def is_canonical(schema: bytes) -> bool:
    """Whether these bytes are JSON in canonical form."""
    return _canonical(schema.decode("utf-8", "surrogateescape")) == schema


def _canonical(text: str) -> bytes | None:
    """Return the canonical bytes of a JSON text, or None if it has none."""
    try:
        return _written(text)
    except (ValueError, RecursionError, _TooDeepError):
        return None


def _written(text: str) -> bytes:
    """Return the canonical bytes of a JSON text; raises what stands in their way."""
    value = parse(text)
    return EMPTY if value is None else _encode(_complete_root(value), 0).encode()


def fingerprint(canonical: bytes) -> str:
    """Return the first 16 hex digits of the SHA-256 of canonical bytes."""
    return hashlib.sha256(canonical).hexdigest()[:16]


def parse(text: str) -> Any:
    """Return the JSON value of a text as a Go host reads it.

    Every number is a float, of duplicate keys the last one counts, an unpaired surrogate becomes
    U+FFFD. Raises `ValueError` for anything that is not exactly one JSON value.
    """
    hook = _pairs if _SURROGATE.search(text) else None
    return json.loads(
        text,
        parse_int=_double,
        parse_float=_double,
        parse_constant=refuse_constant,
        object_pairs_hook=hook,
    )


def well_formed(text: str) -> str:
    """Return a text with every unpaired surrogate as U+FFFD, so that it can be written."""
    return text.translate(_TO_REPLACEMENT) if _SURROGATE.search(text) else text


def _dump(schema: Mapping[str, Any]) -> str:
    """Return a mapping as JSON text, refusing what JSON cannot hold."""
    try:
        return json.dumps(_plain(schema, 0), allow_nan=False)
    except _TooDeepError:
        raise SchemaError(f"nested deeper than {MAX_DEPTH} levels, or it contains itself") from None
    except (TypeError, ValueError) as error:
        raise SchemaError(f"not JSON data: {error}") from None


def _plain(value: Any, depth: int) -> Any:
    """Return a value with its mappings as dicts; a key that is no text is refused."""
    if depth > MAX_DEPTH:
        raise _TooDeepError
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"key {key!r} is no text")
        return {key: _plain(member, depth + 1) for key, member in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(member, depth + 1) for member in value]
    return value


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {key.translate(_TO_REPLACEMENT): value for key, value in pairs}


def _double(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{digits[:40]} is beyond a double")
    return value


def refuse_constant(word: str) -> NoReturn:
    """Raise `ValueError` for `NaN` and its kin, which Python's decoder takes for numbers."""
    raise ValueError(f"{word} is no JSON value")


def _complete_root(value: Any) -> Any:
    """Give a root object the type and the properties that providers ask for."""
    if not isinstance(value, dict):
        return value
    root = value if "type" in value else value | {"type": "object"}
    if root["type"] == "object" and "properties" not in root:
        root = root | {"properties": {}}
    return root


def _encode(value: Any, depth: int) -> str:
    """Return the canonical text of a value met where a schema may stand.

    Written with loops rather than generators: two frames a level keep `MAX_DEPTH` levels well
    inside the interpreter's recursion limit.
    """
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, float):
        return _number(value)
    if not isinstance(value, dict | list):
        return json.dumps(value)
    if depth >= MAX_DEPTH:
        raise _TooDeepError
    parts = []
    if isinstance(value, list):
        for item in value:
            parts.append(_encode(item, depth + 1))
        return f"[{','.join(parts)}]"
    for key in sorted(value):
        text = _member(key, value[key], depth + 1)
        if text is not None:
            parts.append(f"{_string(key)}:{text}")
    return f"{{{','.join(parts)}}}"


def _member(key: str, value: Any, depth: int) -> str | None:
    """Return the text of a keyword's value, or None where the keyword is dropped."""
    if key == "required":
        return _sorted_list(value, depth) if isinstance(value, list) else None
    names = key == "dependentRequired"
    if names and not isinstance(value, dict):
        return None
    if not names and not (key in NAME_MAPS and isinstance(value, dict)):
        return _encode(value, depth)
    if depth >= MAX_DEPTH:
        raise _TooDeepError
    parts = []
    for name in sorted(value):
        member = value[name]
        if not names:
            parts.append(f"{_string(name)}:{_encode(member, depth + 1)}")
        elif isinstance(member, list):
            parts.append(f"{_string(name)}:{_sorted_list(member, depth + 1)}")
    return f"{{{','.join(parts)}}}"


def _sorted_list(value: list[Any], depth: int) -> str:
    """Return a set-like list ordered by the JSON text of its elements."""
    texts = []
    for item in value:
        texts.append(_encode(item, depth + 1))
    texts.sort()
    return f"[{','.join(texts)}]"


def _string(value: str) -> str:
    text = encode_basestring(value)
    return text.translate(_ESCAPES) if _ESCAPED.search(text) else text


def _number(value: float) -> str:
    """Return the shortest decimal form: plain from 1e-6 up to 1e21, else with an exponent."""
    mantissa, _, power = repr(value).partition("e")
    if not power:
        return mantissa.removesuffix(".0")
    exponent = int(power)
    if not -6 <= exponent < 21:
        return f"{mantissa}e{exponent:+d}"
    sign = "-" if mantissa.startswith("-") else ""
    digits = mantissa.lstrip("-").replace(".", "")
    if exponent < 0:
        return f"{sign}0.{'0' * (-exponent - 1)}{digits}"
    return sign + digits.ljust(exponent + 1, "0")
