"""What to look for in a tool schema that a provider may refuse: one generator each, guard first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from reasonix_runtime.contract.pointers import escape, resolve
from reasonix_runtime.contract.schema_walk import Place, places

if TYPE_CHECKING:
    from collections.abc import Iterator


class Found(NamedTuple):
    """Where a check found something, and what."""

    pointer: str
    what: str


def array_without_items(tool: str, schema: Any) -> Iterator[Found]:
    """Yield arrays that do not say what their items are."""
    for place in places(schema):
        if "array" in _types(place) and not {"items", "prefixItems"} & place.schema.keys():
            yield Found(place.pointer, "an array without items")


def strict_objects(tool: str, schema: Any) -> Iterator[Found]:
    """Yield objects that are open, and properties that are not required."""
    for place in places(schema):
        if "object" not in _types(place):
            continue
        if place.schema.get("additionalProperties") is not False:
            yield Found(place.pointer, "additionalProperties is not false")
        properties = place.schema.get("properties")
        required = place.schema.get("required")
        names = required if isinstance(required, list) else []
        for name in properties if isinstance(properties, dict) else ():
            if name not in names:
                yield Found(
                    f"{place.pointer}/properties/{escape(name)}",
                    f"property {name!r} is not required",
                )


def composition_at_root(tool: str, schema: Any) -> Iterator[Found]:
    """Yield compositions at the root."""
    for keyword in ("allOf", "anyOf", "oneOf"):
        if isinstance(schema, dict) and keyword in schema:
            yield Found(f"/{keyword}", f"{keyword} at the root")


_PROPERTY = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def property_names(tool: str, schema: Any) -> Iterator[Found]:
    """Yield property names with other characters, or too long ones."""
    for place in places(schema):
        properties = place.schema.get("properties")
        for name in properties if isinstance(properties, dict) else ():
            if not _PROPERTY.fullmatch(name):
                yield Found(f"{place.pointer}/properties/{escape(name)}", f"property name {name!r}")


def any_reference(tool: str, schema: Any) -> Iterator[Found]:
    """Yield references."""
    for place in places(schema):
        if "$ref" in place.schema:
            yield Found(f"{place.pointer}/$ref", "a reference")


def type_beside_any_of(tool: str, schema: Any) -> Iterator[Found]:
    """Yield types beside anyOf."""
    for place in places(schema):
        if {"type", "anyOf"} <= place.schema.keys():
            yield Found(f"{place.pointer}/anyOf", "anyOf beside type")


def beside_reference(tool: str, schema: Any) -> Iterator[Found]:
    """Yield keywords beside a reference that say otherwise than its target."""
    for place in places(schema):
        reference = place.schema.get("$ref")
        if not isinstance(reference, str):
            continue
        target = resolve(schema, reference)
        for keyword, value in place.schema.items():
            if keyword in ("$ref", "$defs", "definitions"):
                continue
            if not isinstance(target, dict) or target.get(keyword, value) != value:
                yield Found(
                    f"{place.pointer}/{escape(keyword)}",
                    f"{keyword} beside a reference that says otherwise",
                )


def list_of_types(tool: str, schema: Any) -> Iterator[Found]:
    """Yield types that are lists."""
    for place in places(schema):
        if isinstance(place.schema.get("type"), list):
            yield Found(f"{place.pointer}/type", "a list of types")


def enum_of_strings(tool: str, schema: Any) -> Iterator[Found]:
    """Yield enums of anything but strings, or without that type."""
    for place in places(schema):
        members = place.schema.get("enum")
        if members is None:
            continue
        if not isinstance(members, list) or not all(isinstance(m, str) for m in members):
            yield Found(f"{place.pointer}/enum", "an enum with members that are no strings")
        elif place.schema.get("type") != "string":
            yield Found(f"{place.pointer}/enum", "an enum without type string")


_GEMINI_KEYWORDS = frozenset(
    (
        "anyOf",
        "default",
        "description",
        "enum",
        "example",
        "format",
        "items",
        "maxItems",
        "maxLength",
        "maxProperties",
        "maximum",
        "minItems",
        "minLength",
        "minProperties",
        "minimum",
        "nullable",
        "pattern",
        "properties",
        "propertyOrdering",
        "required",
        "title",
        "type",
    )
)


def unknown_keywords(tool: str, schema: Any) -> Iterator[Found]:
    """Yield keywords that are not the provider's own."""
    for place in places(schema):
        for keyword in place.schema:
            if keyword not in _GEMINI_KEYWORDS:
                yield Found(f"{place.pointer}/{escape(keyword)}", f"the keyword {keyword}")


_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")


def tool_name(tool: str, schema: Any) -> Iterator[Found]:
    """Yield a tool name that most providers refuse."""
    if not _NAME.fullmatch(tool):
        yield Found("", f"tool name {tool!r} does not match ^[A-Za-z0-9_-]{{1,64}}$")


def leading_digit(tool: str, schema: Any) -> Iterator[Found]:
    """Yield a tool name that begins with a digit."""
    if tool[:1].isdigit():
        yield Found("", f"tool name {tool!r} begins with a digit")


def _types(place: Place) -> tuple[Any, ...]:
    kind = place.schema.get("type")
    return tuple(kind) if isinstance(kind, list) else (kind,)
