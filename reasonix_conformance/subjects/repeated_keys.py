"""Keys that stand twice in an object of a JSON text.

Some readers take the first one, some the last and some refuse the text, so nobody knows what such
an object tells the model and what its host.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from reasonix_runtime.contract.pointers import pointer
from reasonix_runtime.excerpts import clipped

SHOWN = 3
LONGEST = 120
"""How many keys are named, and how much of each is shown."""


class Repeating(dict[str, Any]):
    """An object in which keys stand more than once; it holds the last value of each."""

    __slots__ = ("repeated",)
    repeated: tuple[str, ...]


def loads(text: str | bytes) -> Any:
    """Return the value of a JSON text; objects with a key that stands twice are `Repeating`."""
    return json.loads(text, object_pairs_hook=_object)


def places(value: Any) -> Iterator[str]:
    """Yield the JSON pointer of each key that stands twice in a value that `loads` returned."""
    waiting: list[tuple[tuple[str | int, ...], Any]] = [((), value)]
    while waiting:
        path, here = waiting.pop()
        if isinstance(here, Repeating):
            yield from (pointer((*path, key)) for key in here.repeated)
        members: list[Any] = []
        if isinstance(here, dict):
            members = list(here.items())
        elif isinstance(here, list):
            members = list(enumerate(here))
        inner = [((*path, key), one) for key, one in members if isinstance(one, dict | list)]
        waiting += reversed(inner)


def places_in_text(text: str) -> list[str]:
    """Return the same of a JSON text; none of one that cannot be read, which others tell."""
    try:
        return list(places(loads(text)))
    except (ValueError, RecursionError):
        return []


def sentence(found: Sequence[str]) -> str:
    """Return what is wrong where keys stand twice: `found` are their names or pointers."""
    shown = [json.dumps(clipped(key, LONGEST), ensure_ascii=False) for key in found[:SHOWN]]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    keys = "the key" if len(found) == 1 else "the keys"
    stand = "stands" if len(found) == 1 else "stand"
    which = "which one counts is not told"
    return f"{keys} {', '.join(shown)}{more} {stand} twice in one object; {which}"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    repeating = Repeating(found)
    counts = Counter(key for key, _ in pairs)
    repeating.repeated = tuple(key for key, number in counts.items() if number > 1)
    return repeating
