"""Short forms for the JSON Schemas of tool arguments.

Declarations are read more often than they are written. Each function returns a fresh schema; the
keyword arguments are JSON Schema keywords by their own names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Schema = dict[str, Any]


def string(description: str = "", **keywords: int) -> Schema:
    """Return the schema of a text, limited by `minLength` and `maxLength`."""
    return _described({"type": "string", **keywords}, description)


def integer(description: str, **keywords: int) -> Schema:
    """Return the schema of a whole number, limited by `minimum` and `maximum`."""
    return _described({"type": "integer", **keywords}, description)


def boolean(description: str) -> Schema:
    """Return the schema of a yes or no."""
    return _described({"type": "boolean"}, description)


def choice(values: Sequence[str], description: str = "") -> Schema:
    """Return the schema of one text out of several; their order is kept."""
    return _described({"type": "string", "enum": list(values)}, description)


def whole_choice(values: Sequence[int], description: str) -> Schema:
    """Return the schema of one whole number out of several."""
    return _described({"type": "integer", "enum": list(values)}, description)


def array(items: Schema, description: str, **keywords: int) -> Schema:
    """Return the schema of a list, limited by `minItems` and `maxItems`."""
    return _described({"type": "array", "items": items, **keywords}, description)


def record(
    properties: Mapping[str, Schema],
    *,
    required: Sequence[str] | None = None,
    closed: bool = False,
    description: str = "",
) -> Schema:
    """Return the schema of an object with named properties.

    An empty `required` list is written, a missing one is not: both occur in the contract. `closed`
    forbids other properties.
    """
    schema: Schema = {"type": "object", "properties": dict(properties)}
    if required is not None:
        schema["required"] = list(required)
    if closed:
        schema["additionalProperties"] = False
    return _described(schema, description)


def mapping(description: str) -> Schema:
    """Return the schema of an object about whose members nothing is said."""
    return _described({"type": "object"}, description)


def string_map(description: str) -> Schema:
    """Return the schema of an object whose members are all texts."""
    return _described({"type": "object", "additionalProperties": {"type": "string"}}, description)


def _described(schema: Schema, description: str) -> Schema:
    return {**schema, "description": description} if description else schema
