"""What changed between two schemas, in words.

Meant for schemas that are known to differ (their canonical bytes do), so nothing here runs while
all is well. deepdiff compares the parsed schemas; `required`, `enum` and list-valued `type` are
sets for a reader, so they are compared as such and a mere reordering is named as one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reasonix_runtime.contract.canonical import NAME_MAPS, parse
from reasonix_runtime.contract.pointers import pointer
from reasonix_runtime.excerpts import around, clipped, common_start

LONGEST = 72
"""Longest excerpt of a value in a sentence, in characters."""

_SETS = frozenset(("required", "enum", "type"))
_DEPENDENT = "dependentRequired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change: the JSON pointer of the schema it belongs to, and the sentence."""

    pointer: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.pointer or 'root'}: {self.sentence}"


class _Members(dict[str, Any]):
    """A set-like list as a mapping from the JSON text of each member to the member."""


def describe(old: bytes, new: bytes) -> list[Change]:
    """Return what changed from one schema to another, in the order of their pointers.

    The list is empty only if the bytes are equal. Bytes that are no JSON, and differences of
    spelling alone, are described by the place where they begin.
    """
    if old == new:
        return []
    try:
        before, after = parse(old.decode()), parse(new.decode())
    except (ValueError, RecursionError):
        return [_first_difference(old, new)]
    changes = [*_structural(before, after), *_reordered(before, after, ())]
    return sorted(changes, key=lambda change: (change.pointer, change.sentence)) or [
        _first_difference(old, new)
    ]


def _structural(before: Any, after: Any) -> Iterator[Change]:
    from deepdiff import DeepDiff

    difference = DeepDiff(
        _keyed(before),
        _keyed(after),
        view="tree",
        verbose_level=2,
        # The default would overlook a property whose name begins with two underscores.
        ignore_private_variables=False,
        threshold_to_diff_deeper=0,
    )
    for levels in difference.values():
        for level in levels:
            path = tuple(level.path(output_format="list"))
            yield _change(path, _value(level.t1), _value(level.t2), _in_set(level))


def _in_set(level: Any) -> bool:
    """Whether a level is a member of a set-like list."""
    parent = level.up
    return parent is not None and (
        isinstance(parent.t1, _Members) or isinstance(parent.t2, _Members)
    )


def _keyed(value: Any, *, names: bool = False) -> Any:
    """Return a copy in which set-like lists are mappings; `names` marks a map of free names."""
    if isinstance(value, Mapping):
        return {key: _keyed_member(key, member, names) for key, member in value.items()}
    if isinstance(value, list):
        return [_keyed(member) for member in value]
    return value


def _keyed_member(key: str, member: Any, names: bool) -> Any:
    if not names:
        if key in _SETS and isinstance(member, list):
            return _members(member)
        if key == _DEPENDENT and isinstance(member, Mapping):
            return {
                name: _members(needed) if isinstance(needed, list) else needed
                for name, needed in member.items()
            }
        if key in NAME_MAPS:
            return _keyed(member, names=True)
    return _keyed(member)


def _members(values: list[Any]) -> _Members:
    return _Members({_text(value): value for value in values})


def _value(value: Any) -> Any:
    """Return a value of the compared copies as the JSON value it stands for."""
    if isinstance(value, _Members):
        return list(value.values())
    return value


def _change(path: Sequence[Any], old: Any, new: Any, in_set: bool) -> Change:
    """Return the change at a path; what is absent on one side is deepdiff's `not present`."""
    *owner, last = path or ("",)
    if not path:
        return Change(pointer="", sentence=f"{_clip(old)} became {_clip(new)}")
    gained, lost = _absent(old), _absent(new)
    if in_set:
        *owner, keyword = owner
        verb = "gained" if gained else "lost"
        return Change(pointer=pointer(owner), sentence=f"{keyword} {verb} {last}")
    named = bool(owner) and owner[-1] in NAME_MAPS and not _is_name(owner)
    if not (gained or lost):
        # A free name is no keyword: `path changed` would say it of one.
        place, what = (path, "") if named else (owner, f"{last} ")
        return Change(pointer=pointer(place), sentence=f"{what}changed from {_pair(old, new)}")
    verb, value = ("gained", new) if gained else ("lost", old)
    if named:
        *owner, group = owner
        return Change(
            pointer=pointer(owner), sentence=f"{group} {verb} {_text(last)} ({_clip(value)})"
        )
    return Change(pointer=pointer(owner), sentence=f"{verb} {last} {_clip(value)}")


def _is_name(path: Sequence[Any]) -> bool:
    """Whether the last part of a path is a free name, not a keyword."""
    named = False
    for part in path[:-1]:
        named = not named and part in NAME_MAPS
    return named


def _absent(value: Any) -> bool:
    return type(value).__name__ == "NotPresent"


def _pair(old: Any, new: Any) -> str:
    """Return `old to new`; two long texts are shown around the place where they part."""
    if isinstance(old, str) and isinstance(new, str) and max(len(old), len(new)) > LONGEST:
        left, right = around(old, new, LONGEST)
        return f"{_text(left)} to {_text(right)}"
    return f"{_clip(old)} to {_clip(new)}"


def _reordered(before: Any, after: Any, path: tuple[Any, ...]) -> Iterator[Change]:
    """Yield the set-like lists that hold the same members in another order or number."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in before.keys() & after.keys():
            old, new = before[key], after[key]
            if (
                key in _SETS
                and isinstance(old, list)
                and isinstance(new, list)
                and not _is_name((*path, key))
            ):
                if _members(old).keys() == _members(new).keys() and _text(old) != _text(new):
                    again = "was reordered" if len(old) == len(new) else "repeats what it has:"
                    yield Change(
                        pointer=pointer(path),
                        sentence=f"{key} {again} from {_clip(old)} to {_clip(new)}",
                    )
            else:
                yield from _reordered(old, new, (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        for index, (old, new) in enumerate(zip(before, after, strict=False)):
            yield from _reordered(old, new, (*path, index))


def _first_difference(old: bytes, new: bytes) -> Change:
    """Return where two byte strings part, for what cannot be said better."""
    place = common_start(old, new)
    first = max(0, place - 20)
    left = old[first : place + 30].decode("utf-8", "replace")
    right = new[first : place + 30].decode("utf-8", "replace")
    return Change(
        pointer="", sentence=f"the bytes differ from byte {place} on: {left!r} became {right!r}"
    )


def _clip(value: Any) -> str:
    return clipped(_text(value), LONGEST)


def _text(value: Any) -> str:
    """Return a value as JSON, whole doubles as integers, as the canonical form has them."""
    return json.dumps(_plain(value), ensure_ascii=False)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, _Members):
        return [_plain(member) for member in value.values()]
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    return value
