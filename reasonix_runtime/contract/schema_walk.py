"""Walking over a JSON Schema: every place where a schema stands, with its JSON pointer.

References are looked up inside the schema and never read from anywhere else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from reasonix_runtime.contract.canonical import NAME_MAPS

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

    @property
    def root(self) -> bool:
        """Whether it is the whole schema."""
        return not self.pointer


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


def escape(name: str) -> str:
    """Return a name as a part of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def resolve(root: Any, reference: str) -> Any:
    """Return what a reference inside the schema points at, or None if it points nowhere in it."""
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return None
    value = root
    for part in reference[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value:
            value = value[name]
        elif isinstance(value, list) and name.isdecimal() and int(name) < len(value):
            value = value[int(name)]
        else:
            return None
    return value


def recursive(root: Any) -> Iterator[Place]:
    """Yield the places whose reference leads back to a schema that it stands in.

    Such a schema has no finite expansion, so a provider that expands references cannot take it.
    """
    edges = {place.pointer: set(_targets(root, place)) for place in places(root)}
    for place in places(root):
        reference = place.schema.get("$ref")
        if isinstance(reference, str) and _leads_back(place.pointer, edges):
            yield place


def _targets(root: Any, place: Place) -> Iterator[str]:
    """Yield the pointers of the places that a place leads to: its children and its reference."""
    for pointer, child in _children(place.pointer, place.schema):
        if isinstance(child, dict) and not _is_definition(place.pointer, pointer):
            yield pointer
    reference = place.schema.get("$ref")
    if isinstance(reference, str) and reference.startswith("#") and resolve(root, reference):
        yield reference[1:]


def _is_definition(parent: str, pointer: str) -> bool:
    """Tell whether a child is only kept for references and not part of what its parent says."""
    return pointer[len(parent) + 1 :].split("/")[0] in ("$defs", "definitions")


def _leads_back(start: str, edges: Mapping[str, set[str]]) -> bool:
    seen: set[str] = set()
    waiting = list(edges.get(start, ()))
    while waiting:
        pointer = waiting.pop()
        if pointer == start:
            return True
        if pointer not in seen:
            seen.add(pointer)
            waiting.extend(edges.get(pointer, ()))
    return False
