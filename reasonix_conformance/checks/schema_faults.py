"""Is a schema one that every provider takes: judged without any input or output.

The meta-schema is checked by jsonschema-rs where it is installed and by jsonschema elsewhere; both
give the same verdict. Patterns are judged by our own reading, because the engines differ there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from reasonix_runtime.contract.canonical import NAME_MAPS
from reasonix_runtime.contract.pointers import pointer, resolve
from reasonix_runtime.excerpts import clipped

Path = tuple[str | int, ...]
Placed = tuple[Path, Mapping[str, Any]]
"""An object that stands where a schema may stand, and its path."""

LONGEST_VALUE = 60
"""Characters of a wrong value that are shown."""

REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
"""Keywords that name another schema."""

_DATA = frozenset(("default", "const", "enum", "examples", "example"))
"""Keywords whose value is data: what looks like a schema in it is none."""

# ECMA syntax that Python's engine does not know, rewritten to something of the same shape.
_ECMA = (
    (r"\\[pP]\{[^}]*\}", r"\\w"),
    (r"\\u\{[0-9A-Fa-f]+\}", "x"),
    (r"\\c[A-Za-z]", "x"),
    (r"\(\?<(?=[A-Za-z_])", "(?P<"),
    (r"\\k<([^>]*)>", r"(?P=\1)"),
)


class Fault(NamedTuple):
    """What is wrong at one place of a schema: its JSON pointer and the sentence."""

    at: str
    what: str


def faults_of(canonical: bytes) -> list[Fault]:
    """Return what makes a schema unusable, from its canonical bytes."""
    schema = json.loads(canonical)
    if refers(canonical) or b'"pattern' in canonical:
        return faults(schema)
    return _shape(schema)  # there is nothing in it to walk for


def faults(schema: Any) -> list[Fault]:
    """Return what makes a parsed schema unusable as the arguments of a tool."""
    found = _shape(schema)
    if not isinstance(schema, dict):
        return found
    placed = list(nodes(schema))
    found += _references(schema, placed)
    found += _patterns(placed)
    return list(dict.fromkeys(found))


def _shape(schema: Any) -> list[Fault]:
    """Return what is wrong with the root, and where the meta-schema is broken."""
    if not isinstance(schema, dict):
        return [Fault("", f"the schema is {_kind(schema)}, not an object")]
    return list(dict.fromkeys([*_root(schema), *meta_faults(schema)]))


def _root(schema: Mapping[str, Any]) -> Iterator[Fault]:
    root = schema.get("type")
    if root != "object":
        yield Fault("/type", f"the root type is {root!r}; the arguments of a tool are an object")


class _UnknownDialect:
    """Stands for the validator of a dialect that jsonschema does not know."""


def meta_faults(schema: dict[str, Any]) -> list[Fault]:
    """Return where a schema breaks the meta-schema of its own dialect (2020-12 by default)."""
    if is_valid(schema):
        return []
    return explain(schema)


def is_valid(schema: dict[str, Any]) -> bool:
    """Whether a schema fits the meta-schema of its dialect."""
    try:
        import jsonschema_rs
    except ImportError:  # no wheel for this platform: slower, same verdict
        return not explain(schema)
    try:
        return bool(jsonschema_rs.meta.is_valid(schema))
    except Exception:  # an unknown dialect: jsonschema says so in words
        return not explain(schema)


def explain(schema: dict[str, Any]) -> list[Fault]:
    """Return the breaches of the meta-schema, found and worded with jsonschema."""
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import best_match
    from jsonschema.validators import validator_for

    dialect = schema.get("$schema")
    if dialect is not None and not isinstance(dialect, str):
        return [Fault("/$schema", f"{dialect!r} is no text; it names a dialect by its URI")]
    if dialect is None:
        validator_class: Any = Draft202012Validator
    else:
        validator_class = validator_for({"$schema": dialect}, default=cast("Any", _UnknownDialect))
        if validator_class is _UnknownDialect:
            return [Fault("/$schema", f"{dialect!r} is no dialect of JSON Schema that is known")]
    validator = validator_class(validator_class.META_SCHEMA)
    errors = sorted(
        validator.iter_errors(schema), key=lambda error: [str(part) for part in error.path]
    )
    leaves = (best_match([error]) or error for error in errors)
    return [Fault(pointer(tuple(leaf.absolute_path)), _sentence(leaf)) for leaf in leaves]


def _sentence(error: Any) -> str:
    """Return one sentence for an error; the value is shown clipped."""
    shown, wanted = clipped(repr(error.instance), LONGEST_VALUE), error.validator_value
    if error.absolute_path and error.absolute_path[-1] == "type":
        return f"{shown} is no type of JSON Schema"
    if error.validator == "type":
        kinds = " or ".join(wanted) if isinstance(wanted, list) else wanted
        return f"{shown} is not of type {kinds}"
    if error.validator == "enum":
        return f"{shown} is none of {', '.join(map(str, wanted))}"
    return f"{shown} breaks {error.validator!r} of the meta-schema"


def _references(schema: Mapping[str, Any], placed: Sequence[Placed]) -> Iterator[Fault]:
    """Yield references that nothing in the schema answers; nothing is fetched to find out."""
    anchors = anchors_of(placed)
    for path, node in placed:
        for key, target in references_of(node):
            if not target.startswith("#"):
                what = f"{target!r} points outside the schema; a provider cannot read it"
                yield Fault(pointer((*path, key)), what)
            elif target not in anchors and resolve(schema, target) is None:
                yield Fault(pointer((*path, key)), f"{target!r} points to nothing in the schema")


def refers(canonical: bytes) -> bool:
    """Whether a schema may hold a reference, from its canonical bytes."""
    return any(b'"%s"' % key.encode() in canonical for key in REFERENCES)


def references_of(node: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the references of a schema itself: keyword and target."""
    return ((key, node[key]) for key in REFERENCES if isinstance(node.get(key), str))


def anchors_of(placed: Iterable[Placed]) -> dict[str, Mapping[str, Any]]:
    """Return the schemas that a reference reaches by a name of their own, by that reference."""
    return {
        f"#{name}": node
        for _, node in placed
        for key in ("$anchor", "$dynamicAnchor")
        if isinstance(name := node.get(key), str)
    }


def recursion(schema: Any) -> list[Fault]:
    """Return the references that lead back to a schema they stand in.

    Such a schema is valid, but several providers expand or refuse it.
    """
    placed = list(nodes(schema))
    anchors = anchors_of(placed)
    return [
        Fault(pointer((*path, key)), f"{target!r} leads back to itself")
        for path, node in placed
        for key, target in references_of(node)
        if _recurs(schema, target, anchors)
    ]


def _recurs(schema: Any, start: str, anchors: Mapping[str, Any]) -> bool:
    """Whether following references from a target comes back to that target."""
    waiting, seen = [start], set[str]()
    while waiting:
        target = waiting.pop()
        for _, node in nodes(anchors.get(target) or resolve(schema, target)):
            for _, reference in references_of(node):
                if reference == start:
                    return True
                if reference not in seen:
                    seen.add(reference)
                    waiting.append(reference)
    return False


def _patterns(placed: Sequence[Placed]) -> Iterator[Fault]:
    for path, node in placed:
        pattern = node.get("pattern")
        if isinstance(pattern, str) and (why := _broken(pattern)):
            yield Fault(pointer((*path, "pattern")), f"{pattern!r} is no regular expression: {why}")
        keyed = node.get("patternProperties")
        for name in keyed if isinstance(keyed, Mapping) else ():
            if why := _broken(name):
                yield Fault(
                    pointer((*path, "patternProperties")),
                    f"{name!r} is no regular expression: {why}",
                )


def _broken(pattern: str) -> str | None:
    for syntax, same_shape in _ECMA:
        pattern = re.sub(syntax, same_shape, pattern)
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError) as error:
        return str(error)
    return None


def nodes(value: Any) -> Iterator[Placed]:
    """Yield every object that stands where a schema may stand, with its path; data is left out."""
    stack: list[tuple[Any, Path, bool]] = [(value, (), False)]
    while stack:
        here, at, names = stack.pop()
        if isinstance(here, Mapping):
            if not names:
                yield at, here
            for key, member in here.items():
                if names or key not in _DATA:
                    stack.append((member, (*at, key), not names and key in NAME_MAPS))
        elif isinstance(here, list):
            stack.extend((item, (*at, index), False) for index, item in enumerate(here))


def _kind(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    return f"a {type(value).__name__}"
