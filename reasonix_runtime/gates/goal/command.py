"""The `/goal` command of a user: show, clear, pause, resume, or set a goal with flags."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType

from reasonix_runtime.gates.goal.state import ResearchMode


class GoalAction(StrEnum):
    """What a user asks of the goal."""

    STATUS = "status"
    CLEAR = "clear"
    PAUSE = "pause"
    RESUME = "resume"
    SET = "set"


_WORDS: Mapping[str, GoalAction] = MappingProxyType(
    {
        "": GoalAction.STATUS,
        "status": GoalAction.STATUS,
        "clear": GoalAction.CLEAR,
        "off": GoalAction.CLEAR,
        "stop": GoalAction.CLEAR,
        "done": GoalAction.CLEAR,
        "pause": GoalAction.PAUSE,
        "resume": GoalAction.RESUME,
    }
)
_RESEARCH_FLAGS: Mapping[str, ResearchMode] = MappingProxyType(
    {
        "--research": ResearchMode.ON,
        "--auto-research": ResearchMode.ON,
        "--deep": ResearchMode.ON,
        "--simple": ResearchMode.OFF,
        "--no-research": ResearchMode.OFF,
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GoalCommand:
    """A `/goal` command as it is meant; `text` and the flags only with `set`."""

    action: GoalAction
    text: str = ""
    research_mode: ResearchMode = ResearchMode.AUTOMATIC
    strict: bool = False


def parse_goal_command(rest: str) -> GoalCommand:
    """Read what stands behind `/goal`; flags stand before the text."""
    rest = rest.strip()
    action = _WORDS.get(rest.lower())
    if action is not None:
        return GoalCommand(action=action)
    strict, mode = False, ResearchMode.AUTOMATIC
    while rest.startswith("--"):
        flag, _, behind = rest.partition(" ")
        if flag == "--strict":
            strict = True
        elif flag in _RESEARCH_FLAGS:
            mode = _RESEARCH_FLAGS[flag]
        else:
            break
        rest = behind.strip()
    if not rest:
        return GoalCommand(action=GoalAction.STATUS)
    return GoalCommand(action=GoalAction.SET, text=rest, research_mode=mode, strict=strict)
