"""Why a value does not fit a schema, in words that name the key.

The fast validator says yes or no; this module says what is wrong and where. It knows the keywords
that the schemas of our own file formats use and no other: a keyword it does not know is a fault of
ours. A `oneOf` is read as a choice by type, or by which required key is there, so that a misspelt
key of a call is reported for the call and not for everything the call could have been instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reasonix_runtime.errors import or_nearest
from reasonix_runtime.masking import mask

Path = tuple[str | int, ...]
Check = Callable[[Any, Any, Path, Mapping[str, Any], "Explainer"], Iterator["Problem"]]

_TYPES: Mapping[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: (
        not isinstance(v, bool)
        and (isinstance(v, int) or (isinstance(v, float) and v.is_integer()))
    ),
    "number": lambda v: isinstance(v, (int, float)) and not isinstance(v, bool),
}
_WORDS = {
    "object": "a mapping", "array": "a list", "string": "text", "boolean": "true or false",
    "null": "nothing", "integer": "a whole number", "number": "a number",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: where, which keyword says so, and what to do."""

    path: Path
    keyword: str
    text: str


class Explainer:
    """Explains values against one schema document with its `$defs`."""

    def __init__(self, schema: Mapping[str, Any]) -> None:
        self._root = schema

    def problems(self, value: Any) -> Iterator[Problem]:
        """Yield what is wrong with `value`, in the order of its keys."""
        yield from self.check(value, self._root, ())

    def check(self, value: Any, schema: Mapping[str, Any], path: Path) -> Iterator[Problem]:
        """Yield what is wrong with `value` at `path` against a part of the schema."""
        while "$ref" in schema:
            schema = self._resolve(schema["$ref"])
        for keyword, wanted in schema.items():
            if keyword not in _IGNORED:
                yield from _CHECKS[keyword](value, wanted, path, schema, self)

    def _resolve(self, reference: str) -> Mapping[str, Any]:
        here: Any = self._root
        for part in reference.removeprefix("#/").split("/"):
            here = here[part]
        resolved: Mapping[str, Any] = here
        return resolved

    def choose(self, value: Any, choices: list[Mapping[str, Any]]) -> Mapping[str, Any]:
        """Return the choice of a `oneOf` that `value` is meant to be."""
        resolved = [self._resolve(c["$ref"]) if "$ref" in c else c for c in choices]
        fitting = [c for c in resolved if _has_type(value, c.get("type", "string"))]
        if isinstance(value, dict):
            named = [c for c in fitting if set(c.get("required", ())) & value.keys()]
            if named:
                return named[-1]
        return (fitting or resolved)[0]


def _type(value: Any, wanted: Any, path: Path, _s: Any, _e: Any) -> Iterator[Problem]:
    if not _has_type(value, wanted):
        names = wanted if isinstance(wanted, list) else [wanted]
        words = " or ".join(_WORDS[n] for n in names)
        yield Problem(path, "type", f"expected {words}, got {_shown(value)}")


def _required(value: Any, wanted: Any, path: Path, _s: Any, _e: Any) -> Iterator[Problem]:
    if isinstance(value, dict):
        for name in wanted:
            if name not in value:
                yield Problem(path, "required", f"the key {name!r} is missing")


def unknown_key(name: str, known: Sequence[str], path: Path) -> Problem:
    """Return the problem of a key that is none of the known ones of the mapping at `path`."""
    told = f"; known are {', '.join(known)}" if known else "; nothing is known here"
    hint = or_nearest(name, known) or told
    return Problem((*path, name), "additionalProperties", f"unknown key{hint}")


def _additional(
    value: Any, wanted: Any, path: Path, schema: Any, e: Explainer
) -> Iterator[Problem]:
    known = schema.get("properties", {})
    for name, item in value.items() if isinstance(value, dict) else ():
        if name in known:
            continue
        if wanted is False:
            yield unknown_key(name, list(known), path)
        else:
            yield from e.check(item, wanted, (*path, name))


def _properties(value: Any, wanted: Any, path: Path, _s: Any, e: Explainer) -> Iterator[Problem]:
    if isinstance(value, dict):
        for name, item in value.items():
            if name in wanted:
                yield from e.check(item, wanted[name], (*path, name))


def _items(value: Any, wanted: Any, path: Path, _s: Any, e: Explainer) -> Iterator[Problem]:
    if isinstance(value, list):
        for index, item in enumerate(value):
            yield from e.check(item, wanted, (*path, index))


def _enum(value: Any, wanted: Any, path: Path, _s: Any, _e: Any) -> Iterator[Problem]:
    if not any(type(value) is type(choice) and value == choice for choice in wanted):
        known = [choice for choice in wanted if choice is not None]  # Null is none: left out.
        hint = or_nearest(value, known) if isinstance(value, str) else ""
        names = ", ".join(map(str, known))
        yield Problem(path, "enum", f"{_shown(value)} is not one of {names}{hint}")


def _pattern(value: Any, wanted: Any, path: Path, _s: Any, _e: Any) -> Iterator[Problem]:
    # `$` of Python also matches before a final newline; that of JSON Schema does not.
    if isinstance(value, str) and not re.search(re.sub(r"\$\Z", r"\\Z", wanted), value):
        yield Problem(path, "pattern", f"{_shown(value)} does not match {wanted}")


def _min_items(value: Any, wanted: Any, path: Path, _s: Any, _e: Any) -> Iterator[Problem]:
    if isinstance(value, list) and len(value) < wanted:
        yield Problem(path, "minItems", "the list is empty" if wanted == 1 else "too few items")


def _unique(value: Any, wanted: Any, path: Path, _s: Any, _e: Any) -> Iterator[Problem]:
    if wanted and isinstance(value, list):
        seen: list[Any] = []
        for item in value:
            if any(type(item) is type(old) and item == old for old in seen):
                yield Problem(path, "uniqueItems", f"{_shown(item)} is in the list twice")
                return
            seen.append(item)


def _min_length(value: Any, wanted: Any, path: Path, _s: Any, _e: Any) -> Iterator[Problem]:
    if isinstance(value, str) and len(value) < wanted:
        yield Problem(path, "minLength", "the text is empty" if wanted == 1 else "too short")


def _minimum(value: Any, wanted: Any, path: Path, _s: Any, _e: Any) -> Iterator[Problem]:
    if _has_type(value, "number") and value < wanted:
        yield Problem(path, "minimum", f"{value} is below {wanted}")


def _maximum(value: Any, wanted: Any, path: Path, _s: Any, _e: Any) -> Iterator[Problem]:
    if _has_type(value, "number") and value > wanted:
        yield Problem(path, "maximum", f"{_shown(value)} is above {wanted}")


def _one_of(value: Any, wanted: Any, path: Path, _s: Any, e: Explainer) -> Iterator[Problem]:
    yield from e.check(value, e.choose(value, wanted), path)


_CHECKS: Mapping[str, Check] = {
    "type": _type,
    "required": _required,
    "additionalProperties": _additional,
    "properties": _properties,
    "items": _items,
    "enum": _enum,
    "pattern": _pattern,
    "minItems": _min_items,
    "uniqueItems": _unique,
    "minLength": _min_length,
    "minimum": _minimum,
    "maximum": _maximum,
    "oneOf": _one_of,
}
_IGNORED = frozenset({"$schema", "$defs", "title", "description"})


def _has_type(value: Any, wanted: Any) -> bool:
    names = wanted if isinstance(wanted, list) else [wanted]
    return any(_TYPES[name](value) for name in names)


def _shown(value: Any) -> str:
    """Return a short form of a value for a message."""
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return "a list"
    if value is None or isinstance(value, bool):
        return {None: "nothing", True: "true", False: "false"}[value]
    text = repr(value)
    # What is cut is masked before, so that no part of a secret is left.
    text = mask(text)
    return text if len(text) <= 40 else f"{text[:37]}..."
