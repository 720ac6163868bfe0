"""The events of one session as those of a sub-agent in another one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from reasonix_runtime.trace.events import (
    MAIN,
    Assistant,
    Diag,
    Event,
    Host,
    Notice,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    User,
    scope_of,
)

OF_THE_FILE: Final = frozenset({"mid_chain_start", "several_sessions", "turn_inferred"})
"""Remarks on how a file begins and is divided: inside another session they say nothing."""


def retold(events: Iterable[Event], scope: str) -> Iterator[Event]:
    """Yield the events of the first session of a file, as those of a conversation inside another.

    Its turns are none there, and what its user said, its parent did.
    """
    sessions = 0
    for event in events:
        if isinstance(event, Session):
            sessions += 1
            if sessions > 1:
                return
        elif isinstance(event, ToolCall):
            parent = event.parent_uid and _inside(event.parent_uid, scope)
            uid, step = _inside(event.uid, scope), f"{scope}-{event.step}"
            yield msgspec.structs.replace(event, uid=uid, step=step, parent_uid=parent)
        elif isinstance(event, ToolResult):
            yield msgspec.structs.replace(event, uid=_inside(event.uid, scope))
        elif isinstance(event, Assistant):
            named, step = _named(event.scope, scope), f"{scope}-{event.step}"
            yield msgspec.structs.replace(event, scope=named, step=step, final=False)
        elif isinstance(event, SubStart | SubEnd):
            named, parent = _named(event.scope, scope), _inside(event.parent_uid, scope)
            yield msgspec.structs.replace(event, scope=named, parent_uid=parent)
        elif isinstance(event, User):
            origin = "parent" if event.origin == "user" else event.origin
            yield msgspec.structs.replace(event, origin=origin, raw_text=None)
        elif isinstance(event, Host) and "uid" in event.data:
            data = {**event.data, "uid": _inside(str(event.data["uid"]), scope)}
            yield msgspec.structs.replace(event, data=data)
        elif isinstance(event, Notice) or (
            isinstance(event, Diag) and event.code not in OF_THE_FILE
        ):
            yield event


def _named(own: str, scope: str) -> str:
    return scope if own == MAIN else f"{scope}/{own}"


def _inside(uid: str, scope: str) -> str:
    own = scope_of(uid)
    return f"{_named(own, scope)}{uid[len(own) :]}"
