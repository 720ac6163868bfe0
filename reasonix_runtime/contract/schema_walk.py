"""Walking over a JSON Schema: every place where a schema stands, with its JSON pointer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from reasonix_runtime.contract.canonical import NAME_MAPS
from reasonix_runtime.contract.pointers import escape

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_SINGLE = (
    "items",
    "additionalProperties",
    "additionalItems",
    "contains",
    "else",
    "if",
    "not",
    "propertyNames",
    "then",
    "unevaluatedItems",
    "unevaluatedProperties",
)
_LISTS = ("allOf", "anyOf", "items", "oneOf", "prefixItems")
_MAPS = tuple(sorted(NAME_MAPS))


class Place(NamedTuple):
    """A schema inside a schema, and the JSON pointer to it; the root's pointer is empty."""

    pointer: str
    schema: Mapping[str, Any]


def places(schema: Any) -> Iterator[Place]:
    """Yield every sub-schema that is an object, the root first, without following references."""
    waiting = [("", schema)]
    while waiting:
        pointer, value = waiting.pop()
        if not isinstance(value, dict):
            continue
        yield Place(pointer, value)
        waiting.extend(reversed(list(_children(pointer, value))))


def _children(pointer: str, schema: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key in _MAPS:
        members = schema.get(key)
        if isinstance(members, dict):
            for name, member in members.items():
                yield f"{pointer}/{key}/{escape(name)}", member
    for key in _SINGLE:
        yield f"{pointer}/{key}", schema.get(key)
    for key in _LISTS:
        members = schema.get(key)
        if isinstance(members, list):
            for position, member in enumerate(members):
                yield f"{pointer}/{key}/{position}", member
