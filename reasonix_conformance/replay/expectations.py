"""Does a verdict say what a transcript expects of it (`expect` of transcript format 1)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.trace.transcript import Expectation

NEW = "<new>"
"""Stands in an expectation for text that the host makes afresh."""

_ABSENT = object()
# What a verdict that does not speak of a fact says about it.
_SILENT: Mapping[str, Any] = {"partial": False}
# Lists whose order means nothing.
_SETS = frozenset({"missing", "unavailable"})
# Mappings that must be the same; of others only the keys that were written are compared.
_WHOLE = frozenset({"ledger"})


def mismatches(expected: Expectation, verdict: Verdict) -> tuple[str, ...]:
    """Return one sentence for each point in which the verdict is not what was expected."""
    return tuple(_mismatches(expected, verdict))


def _mismatches(expected: Expectation, verdict: Verdict) -> Iterator[str]:
    if expected.verdict != verdict.decision:
        yield f"expected {expected.verdict}, got {verdict.decision}"
    if expected.reason is not None and expected.reason != verdict.reason:
        yield f"reason: expected {expected.reason}, got {verdict.reason or 'none'}"
    if expected.reason_in and verdict.reason not in expected.reason_in:
        choices = ", ".join(expected.reason_in)
        yield f"reason: expected one of {choices}, got {verdict.reason or 'none'}"
    for name, wanted in expected.facts.items():
        got = verdict.facts.get(name, _SILENT.get(name, _ABSENT))
        yield from _differences(name, wanted, got)


def _differences(name: str, wanted: Any, got: Any) -> Iterator[str]:
    key = name.rpartition(".")[2]
    if isinstance(wanted, Mapping) and isinstance(got, Mapping) and key not in _WHOLE:
        for inner, value in wanted.items():
            yield from _differences(f"{name}.{inner}", value, got.get(inner, _ABSENT))
    elif not _fits(key, wanted, got):
        yield f"{name}: expected {_shown(wanted)}, got {_shown(got)}"


def _fits(key: str, wanted: Any, got: Any) -> bool:
    if got is _ABSENT:
        return False
    if wanted == NEW:
        return isinstance(got, str) and got != ""
    if key in _SETS and _is_list(wanted) and _is_list(got):
        return same(sorted(map(str, wanted)), sorted(map(str, got)))
    return same(wanted, got)


def same(one: Any, other: Any) -> bool:
    """Whether two JSON values are equal; `true` is not 1, and a tuple is a list."""
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if _is_list(one) and _is_list(other):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return bool(one == other)


def _is_list(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return "nothing"
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key}: {_shown(item)}" for key, item in value.items()) + "}"
    if _is_list(value):
        return f"[{', '.join(map(_shown, value))}]"
    return str(value) or "''"
