"""Where arguments break a schema: the place, the keyword, what was expected and what was found.

Built for invalid arguments only. Values are shown in short, secrets and home folders masked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from reasonix_conformance.redact import redact
from reasonix_runtime.contract.pointers import pointer, resolve
from reasonix_runtime.masking import MASK

WIDTH = 60
"""How many characters of a value are shown."""
_LOOKED_AT = 2000
"""How many characters of a value are looked at for secrets before it is cut."""
_FALSE = "false schema"
"""Stands for the keyword where the schema is `false`."""
_GAVE_UP = ("BacktrackLimitExceeded", "RegexEngineFailure")
"""Kinds of errors that tell nothing of the arguments."""


class UndecidedError(Exception):
    """The engine of the schema's patterns gave up on a text."""


class Violation(NamedTuple):
    """One breach: the JSON pointer into the arguments, the keyword, and both sides in short."""

    at: str
    keyword: str
    expected: str
    found: str

    def text(self) -> str:
        """Return the breach as a phrase."""
        expected = f" {self.expected}" if self.expected else ""
        return f"{self.at or 'the arguments'}: {self.keyword}{expected}, found {self.found}"


def violations(errors: Iterable[Any], schema: Any) -> list[Violation]:
    """Return the breaches behind errors of jsonschema-rs, by their places.

    Raises:
        UndecidedError: a pattern could not be decided.
    """
    return sorted({_of(error, schema) for error in errors})


def violations_by_jsonschema(errors: Iterable[Any]) -> list[Violation]:
    """Return the breaches behind errors of jsonschema, by their places."""
    return sorted({_of_jsonschema(error) for error in errors})


def _of(error: Any, schema: Any) -> Violation:
    path, place = list(error.instance_path), list(error.schema_path)
    kind = type(error.kind).__name__
    if kind.endswith(_GAVE_UP):
        raise UndecidedError(f"a pattern at {pointer(path)} takes too long")
    if kind.endswith("FalseSchema"):
        return _violation(path, _FALSE, "", error.instance)
    keyword = str(place[-1]) if place else ""
    missing = getattr(error.kind, "property", None)
    unexpected = getattr(error.kind, "unexpected", None)
    wanted = _wanted(schema, place) if missing is None else missing
    return _violation(path, keyword, wanted, unexpected or error.instance)


def _of_jsonschema(error: Any) -> Violation:
    path = list(error.absolute_path)
    if error.validator is None:
        return _violation(path, _FALSE, "", error.instance)
    return _violation(path, str(error.validator), error.validator_value, error.instance)


def _violation(path: list[Any], keyword: str, wanted: Any, found: Any) -> Violation:
    name = str(path[-1]) if path else ""
    return Violation(
        at=shown_text(pointer(path)),
        keyword=keyword,
        expected="" if wanted is _UNTOLD or wanted == "" else shown(wanted),
        found=shown(found, name),
    )


_UNTOLD = object()


def _wanted(schema: Any, place: list[Any]) -> Any:
    """Return the value of the keyword at a place of a schema, following references."""
    here = schema
    for part in place:
        try:
            here = resolve(schema, here["$ref"]) if part == "$ref" else here[part]
        except (KeyError, IndexError, TypeError, AttributeError):
            return _UNTOLD
    return here


def shown(value: Any, name: str = "") -> str:
    """Return a value as JSON in short; `name` is the key it stands under, which may tell a secret.

    What is cut is masked before, so that no part of a secret is left.
    """
    if isinstance(value, str):
        value = value[:_LOOKED_AT]
    try:
        text = json.dumps(value, ensure_ascii=False)[:_LOOKED_AT]
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    head = f'"{name}": '
    masked = redact(head + text)
    return _cut(masked.removeprefix(head) if masked.startswith(head) else MASK)


def shown_text(text: str) -> str:
    """Return a text in short, secrets masked."""
    return _cut(redact(text[:_LOOKED_AT]))


def _cut(text: str) -> str:
    printable = "".join(_printable(text[: WIDTH + 1]))
    return printable if len(text) <= WIDTH else f"{printable[:WIDTH]}…"


def _printable(text: str) -> Iterator[str]:
    """Yield the characters of a text, halves of surrogate pairs as U+FFFD."""
    for character in text:
        yield "\ufffd" if "\ud800" <= character <= "\udfff" else character
