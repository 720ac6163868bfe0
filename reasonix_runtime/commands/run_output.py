"""A run as a person reads it: what the model says and calls, what came of it, how the turn ended.

The answer goes to standard output, everything else to standard error. What looks like a secret is
masked, and what would steer a terminal is spelled out.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Mapping
from typing import Any, Final

from reasonix_runtime.agents.turn import Ending, TurnResult
from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.plain import readable
from reasonix_runtime.trace.events import (
    MAIN,
    Assistant,
    Event,
    Host,
    ToolCall,
    ToolResult,
    User,
    scope_of,
)

_GOAL: Final = re.compile(r"\A<active-goal>.*?</active-goal>\s*", re.DOTALL)
"""The goal in what the host says: it was told already."""

LINE = 100
"""Characters of a call, or of the first line of its result."""


def print_event(event: Event) -> None:
    """Show an event as it happens, if it is one that a reader follows."""
    show = _SHOWN.get(type(event))
    if show is not None:
        show(event)


def print_turn(result: TurnResult, goal: str) -> None:
    """Show the answer of a turn behind which another one comes, and how the goal stands."""
    if result.answer:
        tell(result.answer)
    tell(goal)


def print_end(result: TurnResult, goal: str) -> None:
    """Show the answer and how the turn ended, and how the goal stands where there is one."""
    if result.answer:
        print(readable(result.answer, lines=True), flush=True)
    why = result.why
    if result.verdict is not None and result.ending is Ending.UNJUDGED:
        why = result.verdict.message
    if result.goal is None:
        tell(f"{result.ending}: {why}" if why else str(result.ending))
    if goal:
        tell(goal)
    if result.verdict is not None and result.ending is Ending.INCOMPLETE:
        tell(result.verdict.message, indent="  ")


def tell(text: str, *, indent: str = "") -> None:
    """Print to standard error, each line behind the indent."""
    for line in readable(text, lines=True).splitlines() or ("",):
        print(f"{indent}{line}", file=sys.stderr, flush=True)


def _say(event: Assistant) -> None:
    # An answer without calls is shown at the end, or with what held it back.
    if event.text.strip() and not event.final:
        tell(event.text.strip(), indent=_indent(event.scope))


def _call(event: ToolCall) -> None:
    given = event.args if event.args_ok else event.args_raw
    target = event.target if event.target == event.name else f"{event.name} {event.target}"
    tell(f"> {target} {_brief(given)}".rstrip(), indent=_indent(scope_of(event.uid)))


def _result(event: ToolResult) -> None:
    first = event.text.strip().partition("\n")[0]
    told = event.outcome if event.outcome in ("ok", "running") else shown(first, LINE)
    tell(f"  {told or event.outcome}", indent=_indent(scope_of(event.uid)))


def _host(event: Host) -> None:
    if event.name == "held_back":
        tell(f"held back: {shown(str(event.data.get('answer', '')), LINE)}".rstrip())


def _user(event: User) -> None:
    if event.origin == "host":
        tell(_GOAL.sub("", event.text), indent="  ")


def _indent(scope: str) -> str:
    return "" if scope == MAIN else f"  [{scope}] "


def _brief(args: Any) -> str:
    """Return what a call is about in a few words: its command or path, else all of it."""
    if isinstance(args, Mapping):
        for key in ("command", "path", "capability_id", "pattern", "url"):
            if isinstance(args.get(key), str):
                return shown(args[key], LINE)
        args = json.dumps(args, ensure_ascii=False) if args else ""
    return shown(str(args or ""), LINE)


_SHOWN: Final[Mapping[type, Callable[[Any], None]]] = {
    Assistant: _say,
    Host: _host,
    ToolCall: _call,
    ToolResult: _result,
    User: _user,
}
