"""The policy points of a rule set, by their dotted names."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import reduce
from typing import Any

from reasonix_runtime.gates.policy import CONTRACT, Policy


def leaves(record: Any, prefix: str = "") -> Iterator[str]:
    """Yield the dotted names of the policy points of a record."""
    for field in dataclasses.fields(record):
        value = getattr(record, field.name)
        if dataclasses.is_dataclass(value):
            yield from leaves(value, f"{prefix}{field.name}.")
        elif field.name != "name":
            yield f"{prefix}{field.name}"


def value_at(policy: Policy, point: str) -> Any:
    return reduce(getattr, point.split("."), policy)


def with_value(record: Any, point: str, value: Any) -> Any:
    """Return a copy of a record in which one point, at any depth, has another value."""
    head, _, rest = point.partition(".")
    inner = with_value(getattr(record, head), rest, value) if rest else value
    return dataclasses.replace(record, **{head: inner})


POINTS = tuple(leaves(CONTRACT))
CHOSEN_BY_WORKSPACE = {"ledger.commands.work", "ledger.paths"}
"""Points whose value comes from the root of the workspace, under every rule set."""
