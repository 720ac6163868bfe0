"""What goal events of the host carry, by name and type; a wrong type raises `ValidationError`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import msgspec

from reasonix_runtime.gates.goal.state import BudgetClass, ResearchMode, StopCause

UNCOUNTED = frozenset({"title", "title_generation"})
"""Sources of usage that are not the goal's: a generated title is nobody's work."""

_MODES = tuple(ResearchMode)
_Data = TypeVar("_Data", bound=msgspec.Struct)


class SetData(msgspec.Struct, frozen=True, kw_only=True):
    """`set`: the goal text, its class where it is given, and whether the file could be written."""

    text: str = ""
    scope: str | None = None
    budget_class: BudgetClass | None = msgspec.field(default=None, name="class")
    research_mode: str | int = ResearchMode.AUTOMATIC.value
    research_task: str = msgspec.field(default="", name="auto_research_task_id")
    strict: bool = False
    write_failed: bool = False


class PauseData(msgspec.Struct, frozen=True, kw_only=True):
    """`pause`: the cause, and a text for the user."""

    cause: str = StopCause.MANUAL.value
    text: str = ""
    block: str = ""

    @property
    def shown(self) -> str:
        """The text for the user, under either name."""
        return self.text or self.block


class AdmitData(msgspec.Struct, frozen=True, kw_only=True):
    """`admit`: the epoch that a continuation was prepared at; the continue flag is set."""

    epoch: int | None = None
    continues: bool = msgspec.field(default=True, name="continue")


class UsageData(msgspec.Struct, frozen=True, kw_only=True):
    """`usage`: tokens spent; a total wins over its parts, cached tokens are part of the prompt.

    Recordings spell the counts with and without `_tokens`.
    """

    scope: str | None = None
    epoch: int | None = None
    source: str = ""
    tokens: int | None = None
    total_tokens: int | None = None
    total: int | None = None
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt: int = 0
    completion: int = 0

    @property
    def counted(self) -> int:
        """The tokens that are the goal's."""
        if self.source in UNCOUNTED:
            return 0
        for total in (self.tokens, self.total_tokens, self.total):
            if total is not None:
                return total
        prompt = self.prompt_tokens or self.prompt
        return prompt + (self.completion_tokens or self.completion)


def read(data: Mapping[str, Any], kind: type[_Data]) -> _Data:
    """Read the data of an event; keys of no meaning here are left alone."""
    return msgspec.convert(dict(data), kind)


def research_mode_of(value: str | int) -> ResearchMode:
    """Read a research mode: its word, or the number that older files hold.

    Raises:
        msgspec.ValidationError: there is no such mode.
    """
    if isinstance(value, int) and 0 <= value < len(_MODES):
        return _MODES[value]
    return msgspec.convert(value or ResearchMode.AUTOMATIC.value, ResearchMode)
