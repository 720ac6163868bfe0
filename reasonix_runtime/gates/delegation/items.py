"""What a call of a delegating tool asks for: its items, each read as far as it goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One child that is asked for."""

    prompt: str = ""
    description: str = ""
    tools: tuple[str, ...] | None = None
    max_steps: int | None = None
    model: str = ""
    effort: str = ""


class FleetItem(Item, frozen=True, kw_only=True):
    """One child of a fleet: it may write."""

    profile: str = ""
    write_paths: tuple[str, ...] = ()
    read_only: bool = False


class Task(FleetItem, frozen=True, kw_only=True):
    """The one child of `task`; fields that are not known are ignored."""

    run_in_background: bool = False
    continue_from: str = ""
    fork_from: str = ""


class _ParallelItem(Item, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class _StrictFleetItem(FleetItem, frozen=True, kw_only=True, forbid_unknown_fields=True):
    pass


class _Parallel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tasks: tuple[_ParallelItem, ...] = ()


class _Fleet(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    tasks: tuple[_StrictFleetItem, ...] = ()
    run_in_background: bool = False


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call, read: its items, and whether they run in the background."""

    items: tuple[FleetItem, ...] = ()
    background: bool = False


def read_task(args: Any) -> Task | None:
    """Read the arguments of `task`; None where they do not decode."""
    found: Task | None = decoded(args, Task)
    return found


def read_single(args: Any) -> Item | None:
    """Read the arguments of `read_only_task`; None where they do not decode."""
    found: Item | None = decoded(args, Item)
    return found


def read_parallel(args: Any) -> Call | None:
    """Read the arguments of `parallel_tasks`; None where they do not decode."""
    found = decoded(args, _Parallel)
    return None if found is None else Call(items=tuple(map(_reader, found.tasks)))


def read_fleet(args: Any) -> Call | None:
    """Read the arguments of `fleet`; None where they do not decode."""
    found = decoded(args, _Fleet)
    if found is None:
        return None
    return Call(items=found.tasks, background=found.run_in_background)


def _reader(item: Item) -> FleetItem:
    return FleetItem(**msgspec.structs.asdict(item), read_only=True)


def decoded(args: Any, kind: type[Any]) -> Any:
    """Return arguments as a record of that kind; None where they do not fit."""
    try:
        return msgspec.convert(_told(args), kind)
    except msgspec.ValidationError:
        return None


def _told(value: Any) -> Any:
    """Return arguments without what is null: it is as good as not given."""
    if isinstance(value, dict):
        return {key: _told(inner) for key, inner in value.items() if inner is not None}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_told(inner) for inner in value]
    return value
