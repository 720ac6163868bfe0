"""Where the latest of everything stands that a ledger is asked for."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Latest:
    """The latest of everything that is asked for, by its index in the ledger; -1 for none."""

    passed: dict[str, int] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    read: dict[str, int] = field(default_factory=dict)
    written: dict[str, int] = field(default_factory=dict)
    changed: dict[str, int] = field(default_factory=dict)
    opaque_change: int = -1
    latest_todos: int = -1
    latest_list: int = -1
    latest_mutation: int = -1
    latest_write: int = -1
    work: bool = False
    progress: bool = False
