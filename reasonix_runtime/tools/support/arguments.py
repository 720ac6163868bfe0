"""Arguments at the door: read as JSON, then held against the tool's schema before anything runs."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import jsonschema

from reasonix_runtime.contract.canonical import refuse_constant
from reasonix_runtime.contract.entry import ContractEntry
from reasonix_runtime.errors import nearest
from reasonix_runtime.evidence.result_text import cut
from reasonix_runtime.excerpts import clipped
from reasonix_runtime.tools.errors import InvalidCallError, ToolError

MOST_VIOLATIONS = 8
"""How many breaches of a schema a message names."""

MESSAGE_LIMIT = 4096
"""Bytes of a message about arguments."""

_SHOWN = 60
_TYPES = {
    "object": "an object",
    "array": "an array",
    "string": "a string",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}


def read_arguments(raw: Any, entry: ContractEntry) -> dict[str, Any]:
    """Return the arguments of a call: from JSON text, or as they are; nothing at all is `{}`.

    Raises InvalidCallError, also for what does not fit the schema of `entry`.
    """
    try:
        value = json_value(raw)
    except InvalidCallError as error:
        raise InvalidCallError(f"invalid args: {error.message}. {_usage(entry)}") from error
    if value is None:
        value = {}
    if isinstance(value, Mapping):
        value = _whole_numbers(dict(value))
    violations = _violations(value, entry)
    if violations:
        raise InvalidCallError(_message(entry.name, violations))
    arguments: dict[str, Any] = value
    return arguments


def require(arguments: Mapping[str, Any], *names: str) -> None:
    """Raise ToolError for the first argument that is there, as the schema asks, and empty."""
    for name in names:
        if not arguments[name]:
            raise ToolError(f"{name} is required")


def json_value(raw: Any) -> Any:
    """Return what arguments are as JSON: from text, or as they are; raises InvalidCallError."""
    value = _read_json(raw) if isinstance(raw, str | bytes) else raw
    _require_encodable(value)
    return value


def _read_json(raw: str | bytes) -> Any:
    """Return the JSON value of a text; blank text is None.

    Raises InvalidCallError: keys that are given twice and constants that JSON does not have are
    refused, and a text that just ends was cut off and is never completed.
    """
    try:
        text = raw.decode() if isinstance(raw, bytes) else raw
        if not text.strip():
            return None
        return json.loads(text, object_pairs_hook=_unique, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise InvalidCallError(_not_json(error)) from error
    except RecursionError as error:
        raise InvalidCallError("the arguments are nested too deeply") from error
    except ValueError as error:
        raise InvalidCallError(str(error)) from error


def _require_encodable(value: Any) -> None:
    """Refuse half surrogate pairs: no file, path or command can hold them."""
    try:
        json.dumps(value, ensure_ascii=False, default=str).encode()
    except UnicodeEncodeError as error:
        raise InvalidCallError("a text holds one half of a surrogate pair") from error


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the key {twice!r} is given twice")
    return found


def _not_json(error: json.JSONDecodeError) -> str:
    """Say where JSON breaks off, and that a text which just ends was cut off."""
    ends = error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string")
    if ends:
        return (
            f"the arguments were cut off after {len(error.doc)} characters, so nothing was run; "
            "send the whole call again, with less in it"
        )
    return f"not valid JSON at line {error.lineno} column {error.colno} ({error.msg})"


def _usage(entry: ContractEntry) -> str:
    """Return the tool's schema in short."""
    schema = json.loads(entry.schema)
    required = schema.get("required", ())
    properties = schema["properties"]
    keys = [f'"{name}": {_kind(properties[name])}' for name in required]
    keys += [
        f'"{name}": {_kind(value)} (optional)'
        for name, value in properties.items()
        if name not in required
    ]
    return f"{entry.name} takes {{{', '.join(keys)}}}"


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"[{_kind(schema['items'])}, ...]"
    return str(schema.get("type", "any"))


def _whole_numbers(value: Any) -> Any:
    """Turn 2.0 into 2, which JSON does not tell apart, wherever it stands."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _whole_numbers(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_whole_numbers(member) for member in value]
    return value


@lru_cache(maxsize=256)
def _validator(schema: bytes) -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json.loads(schema))


def _violations(value: Any, entry: ContractEntry) -> list[str]:
    errors = sorted(
        _validator(entry.schema).iter_errors(value),
        key=lambda error: ([str(part) for part in error.absolute_path], str(error.validator)),
    )
    # What may stand in a place also says of which type it is.
    choices = {tuple(error.absolute_path) for error in errors if error.validator == "enum"}
    told = (
        error
        for error in errors
        if error.validator != "type" or tuple(error.absolute_path) not in choices
    )
    # The library raises one error a missing key; one of them is enough to tell about all.
    return list(dict.fromkeys(line for error in told for line in _lines(error)))


def _lines(error: jsonschema.ValidationError) -> list[str]:
    """Say in one line each: where, what was expected, what was found, the nearest key."""
    where = _where(error.absolute_path)
    found: Any = error.instance
    wanted: Any = error.validator_value
    schema: Any = error.schema
    known = list(schema.get("properties", ()))
    if error.validator == "required":
        spare = [name for name in found if name not in known]
        return [
            f"{where}: expected the key {name!r}, found none{_nearest(name, spare)}"
            for name in wanted
            if name not in found
        ]
    if error.validator == "additionalProperties":
        return [
            f"{where}: expected only {', '.join(known)}, found {name!r}{_nearest(name, known)}"
            for name in found
            if name not in known
        ]
    return [f"{where}: expected {_expected(error)}, found {_shown(found)}"]


def _expected(error: jsonschema.ValidationError) -> str:
    wanted: Any = error.validator_value
    match error.validator:
        case "type":
            return _TYPES.get(wanted, str(wanted))
        case "enum":
            choices = ", ".join(json.dumps(value) for value in wanted)
            near = _nearest(str(error.instance), [str(value) for value in wanted])
            return f"one of {choices}{near}"
        case "minimum":
            return f"at least {wanted}"
        case "minItems":
            return f"at least {wanted} item(s)"
        case "minLength":
            return f"at least {wanted} character(s)"
        case "maxLength":
            return f"at most {wanted} characters"
        case _:
            return f"{error.validator} {json.dumps(wanted)}"


def _where(path: Sequence[str | int]) -> str:
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
    return text or "arguments"


def _nearest(name: str, choices: Sequence[str]) -> str:
    near = nearest(name, choices)
    return f" (nearest: {near!r})" if near else ""


def _shown(value: Any) -> str:
    return clipped(json.dumps(value, ensure_ascii=False, default=str), _SHOWN)


def _message(tool: str, violations: Sequence[str]) -> str:
    shown = violations[:MOST_VIOLATIONS]
    more = len(violations) - len(shown)
    lines = [f"invalid args for {tool}:", *(f"- {line}" for line in shown)]
    if more:
        lines.append(f"- and {more} more")
    return cut("\n".join(lines).encode("utf-8", "backslashreplace"), MESSAGE_LIMIT).decode()
