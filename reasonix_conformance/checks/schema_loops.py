"""References that lead back to themselves before any part of a value was looked at.

A schema may refer to itself for the parts of a value; that ends with the value. A reference that
comes round on the value itself never ends, so nothing says what it demands (JSON Schema, core,
9.4.1), and validators take anything for it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from reasonix_conformance.checks.schema_faults import (
    Fault,
    Placed,
    anchors_of,
    nodes,
    references_of,
    refers,
)
from reasonix_runtime.contract.pointers import pointer, resolve

# Keywords whose schemas are held against the same value as the one that they stand in.
_SAME_VALUE = ("if", "then", "else", "not")
_SAME_VALUE_LISTS = ("allOf", "anyOf", "oneOf")
_SAME_VALUE_MAP = "dependentSchemas"


def loops_of(text: bytes) -> list[Fault]:
    """Return the references of a schema that never come to an end, from its JSON."""
    if not refers(text):
        return []  # there is nothing in it to walk for
    schema = json.loads(text)
    placed: list[Placed] = list(nodes(schema))
    referring = [(path, node) for path, node in placed if any(references_of(node))]
    turning = _turning(schema, (node for _, node in referring), anchors_of(placed))
    return [
        Fault(pointer((*path, key)), f"{target!r} leads back to itself on the same value")
        for path, node in referring
        if id(node) in turning
        for key, target in references_of(node)
    ]


def _turning(
    schema: Any, starts: Iterable[Mapping[str, Any]], anchors: Mapping[str, Any]
) -> set[int]:
    """Return the ids of the schemas to which what holds for the same value comes again.

    Each schema is walked through once, by Tarjan's search for strongly connected parts: a chain of
    references that is walked from each of them takes the square of its length.
    """
    turning: set[int] = set()
    low: dict[int, int] = {}
    waiting: dict[int, None] = {}  # met, and not known yet to be in a part of their own
    for start in starts:
        if id(start) in low:
            continue
        low[id(start)], waiting[id(start)] = len(low), None
        walk = [(id(start), len(low) - 1, _beside(schema, start, anchors))]
        while walk:
            here, number, others = walk[-1]
            for other in others:
                if not isinstance(other, Mapping):
                    continue
                if id(other) == here:
                    turning.add(here)
                elif id(other) not in low:
                    low[id(other)], waiting[id(other)] = len(low), None
                    walk.append((id(other), len(low) - 1, _beside(schema, other, anchors)))
                    break
                elif id(other) in waiting:
                    low[here] = min(low[here], low[id(other)])
            else:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[here])
                if low[here] == number:
                    part = _taken_off(waiting, here)
                    turning.update(part if len(part) > 1 else ())
    return turning


def _taken_off(waiting: dict[int, None], last: int) -> list[int]:
    """Take off what was met last, up to and with one of them."""
    part = [waiting.popitem()[0]]
    while part[-1] != last:
        part.append(waiting.popitem()[0])
    return part


def _beside(schema: Any, node: Mapping[str, Any], anchors: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the schemas that hold for the same value as one does."""
    for _, target in references_of(node):
        yield anchors.get(target) or resolve(schema, target)
    for key in _SAME_VALUE:
        yield node.get(key)
    for key in _SAME_VALUE_LISTS:
        inner = node.get(key)
        yield from inner if isinstance(inner, list) else ()
    depending = node.get(_SAME_VALUE_MAP)
    yield from depending.values() if isinstance(depending, Mapping) else ()
