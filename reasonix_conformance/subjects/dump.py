"""A JSON dump of tools as subject.

Read are the `tools` array of a Chat Completions request, Anthropic and Responses tools, an MCP
`tools/list` result and our own contract JSON; each as the bare array, inside its request or
result, or inside a JSON-RPC envelope. A dump tells less than a registry: what it leaves out is
None and is reported as not assessable.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from reasonix_conformance.errors import SubjectError
from reasonix_conformance.files import reason_of
from reasonix_conformance.subjects import repeated_keys
from reasonix_conformance.subjects.model import REQUEST_FORMS, Form, Subject, SubjectTool, names_of
from reasonix_runtime.contract.pointers import pointer
from reasonix_runtime.excerpts import clipped, odd_byte
from reasonix_runtime.whole_files import read_whole

LONGEST_VALUE = 60
"""Characters of a wrong value that are shown."""

SCHEMA_KEYS = {
    Form.CHAT: "function",
    Form.ANTHROPIC: "input_schema",
    Form.MCP: "inputSchema",
    Form.RESPONSES: "parameters",
    Form.CONTRACT: "schema",
}
"""What the entries of each form have beside their name, and are told by."""

KINDS: Mapping[type, str] = MappingProxyType(
    {
        str: "a text",
        int: "a number",
        float: "a number",
        bool: "true or false",
        type(None): "null",
        dict: "an object",
        list: "a list",
    }
)
"""What JSON calls the values of Python."""

_FREE_TEXT = "custom"
"""The type of a tool of the host that takes text in place of JSON arguments."""

EXPECTED = (
    "expected the tools array of a Chat Completions, Anthropic or Responses request (or the whole "
    "request), an MCP tools/list result, or contract JSON"
)


def load(path: Path, *, label: str) -> Subject:
    """Return the subject of a dump; `label` is what it is called in messages.

    Raises:
        SubjectError: the file cannot be read, is no JSON, or holds no tools.
    """
    document = _read(path, label)
    found = _find(document, label)
    entries, forms = found.entries, [_form(entry) for entry in found.entries]
    known = [form for form in forms if form is not None]
    if not known:
        raise SubjectError(
            f"{label}: none of its {len(entries)} entries is a tool: {EXPECTED}; "
            f"the first entry is {_clip(entries[0])}"
        )
    form = max(set(known), key=lambda one: (known.count(one), one.value))
    tools = tuple(
        _tool(entry, kind, form, f"{label}: tools[{number}]", f"#{number}")
        for number, (entry, kind) in enumerate(zip(entries, forms, strict=True))
    )
    if form is Form.MCP:
        tools = _with_usual_hints(tools)
    return Subject(
        label=label,
        form=form,
        tools=tools,
        complete=found.whole and form not in REQUEST_FORMS,
        surfaces=found.surfaces,
    )


def _read(path: Path, label: str) -> Any:
    try:
        text = read_whole(path).decode("utf-8-sig")
    except FileNotFoundError:
        raise SubjectError(f"subject {label}: there is no file {path}") from None
    except OSError as error:
        raise SubjectError(f"subject {label}: cannot be read: {reason_of(error)}") from None
    except UnicodeDecodeError as error:
        odd = odd_byte(error)
        raise SubjectError(f"subject {label}:{odd.line}: {odd.what}; {EXPECTED}") from None
    if not text.strip():
        raise SubjectError(f"subject {label}: the file is empty; {EXPECTED}")
    try:
        return repeated_keys.loads(text)
    except RecursionError:
        raise SubjectError(f"subject {label}: nested too deeply to be a tools dump") from None
    except json.JSONDecodeError as error:
        raise SubjectError(
            f"subject {label}:{error.lineno}:{error.colno}: not JSON: {error.msg}; {EXPECTED}"
        ) from None
    except ValueError:  # more digits than Python converts
        raise SubjectError(f"subject {label}: a number in it has too many digits") from None


class _Found(NamedTuple):
    """The entries of a dump, its surfaces, and whether the list is whole."""

    entries: list[Any]
    surfaces: Mapping[str, tuple[str, ...]]
    whole: bool


def _find(document: Any, label: str) -> _Found:
    for key in ("result", "body", "request", "params"):
        if isinstance(document, dict) and "tools" not in document and key in document:
            _check_once(document, (key,), label)
            document = document[key]
    surfaces: Mapping[str, tuple[str, ...]] = MappingProxyType({})
    whole = True
    entries = document
    if isinstance(document, dict):
        _check_once(document, ("tools", "nextCursor", "surfaces"), label)
        entries = document.get("tools")
        whole = not document.get("nextCursor")
        told = document.get("surfaces")
        if isinstance(told, dict):
            _check_once(told, told, label)
            surfaces = MappingProxyType(
                {key: names_of(key, names, label) for key, names in told.items()}
            )
    if not isinstance(entries, list):
        found = (
            f"an object with the keys {', '.join(sorted(document)) or 'none'}"
            if isinstance(document, dict)
            else KINDS[type(document)]
        )
        raise SubjectError(f"subject {label}: {EXPECTED}; found {found}")
    if not entries:
        raise SubjectError(f"subject {label}: its tools array is empty: there is nothing to check")
    return _Found(entries, surfaces, whole)


def _check_once(document: Mapping[str, Any], keys: Iterable[str], label: str) -> None:
    """Refuse an object in which one of these keys, all that is read of it, stands twice."""
    if isinstance(document, repeated_keys.Repeating):
        found = [key for key in keys if key in document.repeated]
        if found:
            raise SubjectError(f"subject {label}: {repeated_keys.sentence(found)}; leave one")


def _form(entry: Any) -> Form | None:
    """Tell in which form one entry is written; None for what is no function tool."""
    if not isinstance(entry, dict):
        return None
    if isinstance(entry.get("function"), dict):
        return Form.CHAT
    return next(
        (form for form, key in SCHEMA_KEYS.items() if key in entry and "name" in entry), None
    )


def _with_usual_hints(tools: tuple[SubjectTool, ...]) -> tuple[SubjectTool, ...]:
    """Return the tools of a server that gives the hint at all with what it means to leave it out.

    The protocol takes a tool without the hint for one that may write. A server that gives it to no
    tool says nothing about any of them.
    """
    if all(tool.read_only is None for tool in tools):
        return tools
    return tuple(
        tool if tool.problem or tool.read_only is not None else tool._replace(read_only=False)
        for tool in tools
    )


def _other(entry: Any, usual: Form, at: str, place: str) -> SubjectTool:
    """Return an entry that has not the form of a function tool.

    A request may hold tools of other types: what the provider runs itself, and tools of the host
    that take free text. A contract speaks of neither.
    """
    told = entry if isinstance(entry, dict) else {}
    kind = told.get("type")
    inner = told.get(kind) if isinstance(kind, str) else None
    name = told.get("name") or (inner.get("name") if isinstance(inner, dict) else None)
    name = name if isinstance(name, str) else ""
    if usual in REQUEST_FORMS and isinstance(kind, str) and kind != "function":
        return SubjectTool(
            name=name or f"{place} {kind}",
            at=at,
            apart=f"it is no function tool but of type {kind!r}, which has no schema",
            listed=bool(name) and kind == _FREE_TEXT,
        )
    lacks = " and ".join(key for key in ("name", SCHEMA_KEYS[usual]) if key not in told)
    return SubjectTool(
        name=name or place,
        at=at,
        problem=f"it has no {lacks} ({_clip(entry)})" if told else f"it is {_clip(entry)}",
        listed=bool(name),
    )


def _tool(entry: Any, form: Form | None, usual: Form, at: str, place: str) -> SubjectTool:
    if form is None:
        return _other(entry, usual, at, place)
    body = entry["function"] if form is Form.CHAT else entry
    problems: list[str] = []

    def told(key: str, kind: type, source: Mapping[str, Any] = body) -> Any:
        """Return a field of the entry; one of another kind is a problem, and none is told."""
        value = source.get(key)
        if value is not None and not isinstance(value, kind):
            problems.append(f"its {key} is {_clip(value)}, not {KINDS[kind]}")
            return None
        return value

    name = told("name", str)
    if not name:
        problems.append("it has no name")
    repeated = _repeated(entry, form)
    if repeated:
        problems.append(repeated_keys.sentence(repeated))
        return SubjectTool(name or place, at, problem="; ".join(problems), listed=bool(name))
    description = told("description", str)
    if description is None and form is not Form.CONTRACT:
        description = ""  # a form of providers that leaves the field out has no description
    schema, told_schema = _schema(body, form, problems)
    return SubjectTool(
        name=name or place,
        at=at,
        description=description,
        read_only=_read_only(form, told),
        schema=schema if told_schema else None,
        exact=form is Form.CONTRACT and isinstance(body.get("schema"), str),
        problem="; ".join(problems) or None,
        listed=bool(name),
    )


def _repeated(entry: Mapping[str, Any], form: Form) -> list[str]:
    """Return the keys that stand twice in an entry, or in a schema that it gives as text."""
    found = list(repeated_keys.places(entry))
    path = ("function", "parameters") if form is Form.CHAT else (SCHEMA_KEYS[form],)
    schema: Any = entry
    for key in path:
        schema = schema.get(key)
    if isinstance(schema, str):
        found += (pointer(path) + place for place in repeated_keys.places_in_text(schema))
    return found


def _schema(body: Mapping[str, Any], form: Form, problems: list[str]) -> tuple[bytes, bool]:
    """Return the schema of an entry as bytes, and whether the entry tells one."""
    key = "parameters" if form is Form.CHAT else SCHEMA_KEYS[form]
    if key not in body:
        # Requests leave `parameters` out for a tool without any; that is the empty schema.
        return b"", form is Form.CHAT
    value = body[key]
    if value is None and form is Form.CONTRACT:
        return b"", False  # as `contract show` writes what a subject does not tell
    if isinstance(value, str):
        return value.encode("utf-8", "surrogatepass"), True
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False).encode(), True
    except ValueError as error:
        problems.append(f"its schema is no JSON data: {error}")
        return b"", False


def _read_only(form: Form, told: Callable[..., Any]) -> bool | None:
    """Return the flag where the form has one; an MCP hint counts as the host's word."""
    flag: bool | None = None
    if form is Form.CONTRACT:
        flag = told("read_only", bool)
    elif form is Form.MCP and (annotations := told("annotations", dict)):
        flag = told("readOnlyHint", bool, annotations)
    return flag


def _clip(value: Any) -> str:
    return clipped(json.dumps(value, ensure_ascii=False), LONGEST_VALUE)
