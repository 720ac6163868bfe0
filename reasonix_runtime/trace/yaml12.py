"""YAML 1.2 core scalars, JSON types only, with the line of every key and item.

PyYAML follows YAML 1.1: `on` is a boolean, `2024-01-02` a date, `1_000` a number, and of a key
given twice the last one wins in silence. This loader takes only the parser from PyYAML (libyaml's
where it is built) and makes JSON values from the parser's events itself:

* a plain scalar is null, a boolean, a number or text by the core schema of YAML 1.2;
* a key is always text, as it is written;
* a key given twice, an alias, a foreign tag and a second document are refused with their line;
* where each key and each list item starts is kept, so that a message can name its line.
"""

from __future__ import annotations

import math
import re
from typing import Any

import yaml

from reasonix_runtime.excerpts import odd_byte
from reasonix_runtime.trace.value_file import ValueFile, ValueFileError, whole

MAX_DEPTH = 200
"""Deepest nesting that is read; whatever walks a document may then recurse."""

_WORDS = {
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys(("null", "Null", "NULL", "~", ""), None),
}
_NUMBER_START = frozenset("0123456789-+.")
_INT = re.compile(r"[-+]?[0-9]+\Z").match
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?\Z").match
_OCTAL = re.compile(r"0o[0-7]+\Z").match
_HEX = re.compile(r"0x[0-9a-fA-F]+\Z").match
_NOT_FINITE = re.compile(r"([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))\Z").match
# PyYAML takes these for line breaks and alters the text around them; YAML 1.2 and JSON do not.
_OLD_BREAKS = re.compile("[\x85\u2028\u2029]")

_TAG = "tag:yaml.org,2002:"
_SCALAR_TAGS = {
    f"{_TAG}str": str,
    f"{_TAG}int": int,
    f"{_TAG}float": float,
    f"{_TAG}bool": bool,
    f"{_TAG}null": type(None),
}
_SCALAR = yaml.ScalarEvent
_MAP, _MAP_END = yaml.MappingStartEvent, yaml.MappingEndEvent
_LIST, _LIST_END = yaml.SequenceStartEvent, yaml.SequenceEndEvent
_NO_KEY = object()


def load(data: bytes, source: str) -> ValueFile:
    """Return the one document of `data` (UTF-8, with or without a byte order mark).

    Raises:
        ValueFileError: with the line, for everything that is not one JSON-typed YAML document.
    """
    text = decode(data, source)
    found = _OLD_BREAKS.search(text)
    if found:
        line = text.count("\n", 0, found.start()) + 1
        mark = f"\\u{ord(found[0]):04x}"
        raise ValueFileError(
            source, line, f"a raw U+{ord(found[0]):04X}; write {mark} in double quotes"
        )
    parser = _parser(text)
    try:
        return whole(_build(parser, source), text)
    except yaml.MarkedYAMLError as error:
        mark_ = error.problem_mark or error.context_mark
        what = ", ".join(part for part in (error.context, error.problem) if part)
        at = mark_.line + 1 if mark_ else None
        raise ValueFileError(source, at, f"not YAML: {what}") from None
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        code = error.character if isinstance(error.character, int) else ord(error.character)
        raise ValueFileError(
            source, line, f"the character U+{code:04X} is not allowed in YAML"
        ) from None
    finally:
        parser.dispose()


def decode(data: bytes, source: str) -> str:
    """Return `data` as text without its byte order mark; bytes that are not UTF-8 are an error."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        odd = odd_byte(error)
        raise ValueFileError(source, odd.line, f"{odd.what}; save the file as UTF-8") from None


def resolve(text: str) -> object:
    """Return what a plain scalar `text` stands for by the core schema of YAML 1.2.

    Raises:
        ValueError: for a number that JSON cannot hold.
    """
    if text in _WORDS:
        return _WORDS[text]
    if text[0] not in _NUMBER_START:
        return text
    if _INT(text):
        return _integer(text, 10)
    if _FLOAT(text):
        value = float(text)
        if math.isinf(value):
            raise ValueError(_no_json(text))
        return value
    if _OCTAL(text):
        return _integer(text[2:], 8)
    if _HEX(text):
        return _integer(text[2:], 16)
    if _NOT_FINITE(text):
        raise ValueError(_no_json(text))
    return text


def _integer(digits: str, base: int) -> int:
    try:
        return int(digits, base)
    except ValueError:  # more digits than Python converts
        raise ValueError(_no_json(digits)) from None


def _no_json(text: str) -> str:
    shown = text if len(text) <= 20 else f"{text[:17]}..."
    return f"the number {shown} has no JSON form; quote it if it is text"


def _parser(text: str) -> Any:
    """Return PyYAML's parser over `text`: libyaml's where it is built, else the one in Python.

    The one in Python refuses a little more (a plain `allow?` inside braces, for one); what both
    read, they read alike.
    """
    return getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)


def _build(parser: Any, source: str) -> ValueFile:
    """Build the values from the parser's events; one loop, for speed, no recursion."""
    root: list[Any] = []
    current: Any = root
    marks: list[int] = []  # lines of the entries of `current`
    top = marks
    lines: dict[int, list[int]] = {}  # never of `root`: it dies here, and its id is used again
    stack: list[tuple[Any, list[int], bool]] = []
    in_map, key = False, _NO_KEY
    for event in iter(parser.get_event, None):
        kind = type(event)
        if kind is _SCALAR:
            if in_map and key is _NO_KEY:
                key = event.value
                if key in current:
                    raise ValueFileError(source, event.start_mark.line + 1, _twice(key))
                marks.append(event.start_mark.line + 1)
                continue
            value = event.value
            if event.tag is not None:
                value = _tagged(event, source)
            elif event.implicit[0] and (value in _WORDS or value[0] in _NUMBER_START):
                value = _plain(event, source)
        elif kind is _MAP or kind is _LIST:
            if in_map and key is _NO_KEY:
                raise ValueFileError(source, event.start_mark.line + 1, "a key must be text")
            value = {} if kind is _MAP else []
            _check_collection(event, source, len(stack))
        elif kind is _MAP_END or kind is _LIST_END:
            current, marks, in_map = stack.pop()
            key = _NO_KEY
            continue
        elif kind is yaml.StreamEndEvent:
            break
        else:
            _check_other(event, source, root)
            continue
        if in_map:
            current[key] = value
            key = _NO_KEY
        else:
            current.append(value)
            marks.append(event.start_mark.line + 1)
        if kind is not _SCALAR:
            stack.append((current, marks, in_map))
            current, marks, in_map = value, [], kind is _MAP
            lines[id(value)] = marks
    if not root:
        raise ValueFileError(source, None, "the file is empty")
    return ValueFile(root[0], source, top[0], lines)


def _plain(event: Any, source: str) -> object:
    try:
        return resolve(event.value)
    except ValueError as error:
        raise ValueFileError(source, event.start_mark.line + 1, str(error)) from None


def _tagged(event: Any, source: str) -> object:
    """Return the value of a scalar with a tag; only the tags of the core schema are known."""
    line = event.start_mark.line + 1
    if event.tag == "!":
        return event.value
    wanted = _SCALAR_TAGS.get(event.tag)
    if wanted is None:
        raise ValueFileError(source, line, f"the tag {event.tag} is not read; write a plain value")
    value = event.value if wanted is str else _plain(event, source)
    if wanted is float and type(value) is int:
        value = float(value)
    if type(value) is not wanted:
        short = event.tag.removeprefix(_TAG)
        raise ValueFileError(source, line, f"{event.value!r} is not of its tag !!{short}")
    return value


def _check_collection(event: Any, source: str, depth: int) -> None:
    """Refuse a collection that is nested too deeply or tagged as something else."""
    line = event.start_mark.line + 1
    if depth >= MAX_DEPTH:
        raise ValueFileError(source, line, f"nested deeper than {MAX_DEPTH} levels")
    if event.tag is not None:
        kind = "map" if isinstance(event, yaml.MappingStartEvent) else "seq"
        if event.tag not in (f"{_TAG}{kind}", "!"):
            raise ValueFileError(
                source, line, f"the tag {event.tag} is not read; write a plain value"
            )


def _check_other(event: Any, source: str, root: list[Any]) -> None:
    """Refuse aliases and second documents; other events (stream, document) carry nothing."""
    line = event.start_mark.line + 1
    if isinstance(event, yaml.AliasEvent):
        raise ValueFileError(
            source, line, f"the alias *{event.anchor} is not read; write the value out"
        )
    if isinstance(event, yaml.DocumentStartEvent) and root:
        raise ValueFileError(source, line, "a second document; use a list in one document instead")


def _twice(key: str) -> str:
    return f"{key}: this key is given twice"
