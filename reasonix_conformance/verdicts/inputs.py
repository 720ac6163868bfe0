"""The `in` of a recorded line: read as the record of its kind, and what of it nobody reads."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from reasonix_conformance.verdicts.records import InvalidInputError
from reasonix_runtime.gates.policy import Policy

Input = TypeVar("Input", bound=msgspec.Struct)

_AS_SENT = frozenset({"args", "reports"})
"""Members that hold what a model sent: there a null is part of what is judged."""


@dataclass(frozen=True, slots=True)
class Kind(Generic[Input]):
    """How the lines of a kind are judged: the record that their `in` is, and what recomputes `out`.

    Called with an `in` and a policy it returns the `out`.
    """

    shape: type[Input]
    judge: Callable[[Input, Policy], dict[str, Any]]

    def __call__(self, data: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
        """Recompute the `out` of a line.

        Raises:
            InvalidInputError: a field has another type than the kind asks for.
        """
        return self.judge(read_input(data, self.shape), policy)

    def unread(self, data: Mapping[str, Any]) -> Iterator[str]:
        """Yield the places of members that are not read, as `in.calls[0].succes`."""
        return _unread(data, msgspec.inspect.type_info(self.shape), "in")


def reads(
    shape: type[Input],
) -> Callable[[Callable[[Input, Policy], dict[str, Any]]], Kind[Input]]:
    """Make a kind of what judges the record that its `in` is."""
    return lambda judge: Kind(shape, judge)


def read_input(data: Mapping[str, Any], shape: type[Input]) -> Input:
    """Read the `in` of a line as the record of its kind; absent fields have their zero value.

    Hosts in some languages write null for a list without members, which says the same.

    Raises:
        InvalidInputError: a field has another type than the kind asks for.
    """
    try:
        return msgspec.convert(_present(data), shape)
    except msgspec.ValidationError as error:
        raise InvalidInputError(f"in: {error}") from error


def _present(value: Any) -> Any:
    """Leave out the members that are null."""
    if isinstance(value, Mapping):
        return {
            key: member if key in _AS_SENT else _present(member)
            for key, member in value.items()
            if member is not None
        }
    return [_present(member) for member in value] if isinstance(value, list) else value


def _unread(value: Any, kind: msgspec.inspect.Type, at: str) -> Iterator[str]:
    """Yield the places of members, below a place, that the type of a value does not have."""
    if isinstance(kind, msgspec.inspect.StructType) and isinstance(value, Mapping):
        known = {field.encode_name: field.type for field in kind.fields}
        for key, member in value.items():
            if key in known:
                yield from _unread(member, known[key], f"{at}.{key}")
            else:
                yield f"{at}.{key}"
    elif isinstance(kind, msgspec.inspect.VarTupleType) and isinstance(value, list):
        for index, member in enumerate(value):
            yield from _unread(member, kind.item_type, f"{at}[{index}]")
    elif isinstance(kind, msgspec.inspect.UnionType):
        for one in kind.types:
            yield from _unread(value, one, at)
