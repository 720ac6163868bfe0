"""References that lead back to themselves before any part of a value was looked at.

A schema may refer to itself for the parts of a value; that ends with the value. A reference that
comes round on the value itself never ends, so nothing says what it demands (JSON Schema, core,
9.4.1), and validators take anything for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from reasonix_conformance.checks.schema_faults import Fault, Placed, nodes
from reasonix_runtime.contract.pointers import pointer, resolve

_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
# Keywords whose schemas are held against the same value as the one that they stand in.
_SAME_VALUE = ("if", "then", "else", "not")
_SAME_VALUE_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_VALUE_MAP = "dependentSchemas"


def loops_of(text: bytes) -> list[Fault]:
    """Return the references of a schema that never come to an end, from its JSON."""
    if not any(b'"%s"' % key.encode() in text for key in _REFERENCES):
        return []  # there is nothing in it to walk for
    schema = json.loads(text)
    placed: list[Placed] = list(nodes(schema))
    anchors = {
        f"#{name}": node
        for _, node in placed
        for key in ("$anchor", "$dynamicAnchor")
        if isinstance(name := node.get(key), str)
    }
    return [
        Fault(pointer((*path, key)), f"{target!r} leads back to itself on the same value")
        for path, node in placed
        for key in _REFERENCES
        if isinstance(target := node.get(key), str) and _comes_back(schema, node, anchors)
    ]


def _comes_back(schema: Any, start: Mapping[str, Any], anchors: Mapping[str, Any]) -> bool:
    """Whether what a schema holds its value against comes to that schema again."""
    waiting, seen = list(_beside(schema, start, anchors)), set[int]()
    while waiting:
        here = waiting.pop()
        if here is start:
            return True
        if isinstance(here, Mapping) and id(here) not in seen:
            seen.add(id(here))
            waiting.extend(_beside(schema, here, anchors))
    return False


def _beside(schema: Any, node: Mapping[str, Any], anchors: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the schemas that hold for the same value as one does."""
    for key in _REFERENCES:
        if isinstance(target := node.get(key), str):
            yield anchors.get(target) or resolve(schema, target)
    for key in _SAME_VALUE:
        yield node.get(key)
    for key in _SAME_VALUE_LISTS:
        inner = node.get(key)
        yield from inner if isinstance(inner, list) else ()
    depending = node.get(_SAME_VALUE_MAP)
    yield from depending.values() if isinstance(depending, Mapping) else ()
