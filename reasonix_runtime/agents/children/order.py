"""What a child is to do, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from reasonix_runtime.agents.children.kept import KeptRun
from reasonix_runtime.agents.skills import Skill
from reasonix_runtime.gates.delegation.items import FleetItem

EPHEMERAL: Final = frozenset({"read_only_skill", "read_only_task"})
"""Tools whose children are never kept."""

Status: TypeAlias = Literal["completed", "failed", "cancelled", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """One child that is to run.

    `kind` is the tool that starts it, `item` what was asked for, `number` its place among the
    children of its call, from 0. `continues` is the run that it carries on with. `skill` is what it
    is, where a file tells it: the text of that is all that it is told before.
    """

    kind: str
    item: FleetItem
    number: int = 0
    continues: KeptRun | None = None
    skill: Skill | None = None

    @property
    def keeps(self) -> bool:
        """Whether it may be carried on with, in a session that keeps its children."""
        return self.kind not in EPHEMERAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Came:
    """What came of a child: its answer if it completed, else why not; `ref` where it is kept."""

    status: Status
    answer: str = ""
    error: str = ""
    ref: str = ""
