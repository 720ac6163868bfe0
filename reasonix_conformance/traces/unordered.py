"""Calls of one response whose order nobody knows: a change then counts as the last of them.

A Reasonix host runs the writers of a response alone and in order. Of another agent's host that is
not known: a read and an edit of one response may have run at once, so that the read proves nothing
about the file after the edit, wherever its result stands. Nor does it about what a sub-agent
changed that was started beside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.trace.events import (
    Event,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    scope_of,
)

_Step = tuple[str, str]
"""A scope and the response in it."""


def changes_last(events: Iterable[Event]) -> Iterator[Event]:
    """Yield the events; results of changes wait for the other calls of their response.

    They wait no longer than to the next response of their scope, or to the end of the turn, of the
    scope or of the session, also where such an end is not told.
    """
    waiting = _Waiting()
    for event in events:
        if isinstance(event, ToolCall):
            yield from waiting.called(event)
            yield event
        elif isinstance(event, ToolResult):
            yield from waiting.answered(event)
        elif isinstance(event, SubStart):
            waiting.began(event)
            yield event
        elif isinstance(event, SubEnd):
            yield from waiting.ended(event.scope)
            yield from waiting.came_back(event)
        elif isinstance(event, TurnEnd | TurnStart | Session):
            yield from waiting.ended(None)
            yield event
        else:
            yield event
    yield from waiting.ended(None)


class _Waiting:
    """The open calls, and the results that wait for them, by response."""

    def __init__(self) -> None:
        self._open: dict[str, ToolCall] = {}
        self._unanswered: Counter[_Step] = Counter()
        self._held: dict[_Step, list[Event]] = {}
        self._parents: dict[str, str] = {}
        """The calls that started the open scopes."""
        self._changed: set[str] = set()
        """Those of them in whose scopes something may have been changed."""

    def called(self, call: ToolCall) -> Iterator[Event]:
        """Take a call in, and give what waited for earlier responses of its scope."""
        step = _step_of(call)
        for other in [held for held in self._held if held[0] == step[0] and held != step]:
            yield from self._held.pop(other)
        self._forget(call.uid)
        self._open[call.uid] = call
        self._unanswered[step] += 1

    def answered(self, result: ToolResult) -> Iterator[Event]:
        """Give a result, or keep it; with the last one of a response all that waited."""
        call = self._forget(result.uid)
        if call is None:
            yield result
            return
        step = _step_of(call)
        more = step in self._unanswered
        delegated = call.uid in self._changed
        changes = delegated or _changes(call)
        self._changed.discard(call.uid)
        if changes:
            self._note(scope_of(call.uid))
        if more and call.step and changes:
            self._held.setdefault(step, []).append(result)
            return
        if delegated:  # the end of its sub-agent, which stands before its result, may be held
            yield from self._held.pop(step, ())
        yield result
        if not more:
            yield from self._held.pop(step, ())

    def began(self, start: SubStart) -> None:
        """Take in that a sub-agent starts."""
        self._parents[start.scope] = start.parent_uid

    def came_back(self, end: SubEnd) -> Iterator[Event]:
        """Give the end of a sub-agent, or keep it: what it changed is a change of its call."""
        self._parents.pop(end.scope, None)
        call = self._open.get(end.parent_uid)
        step = None if call is None else _step_of(call)
        changed = end.parent_uid in self._changed
        if step is not None and step[1] and changed and self._unanswered[step] > 1:
            self._held.setdefault(step, []).append(end)
        else:
            yield end

    def _note(self, scope: str) -> None:
        """Note that something was changed in a scope, and so in the call that started it."""
        parent = self._parents.get(scope)
        if parent is not None:
            self._changed.add(parent)

    def ended(self, scope: str | None) -> Iterator[Event]:
        """Give what waited in a scope that ends, or everywhere; its open calls are forgotten."""
        if scope is None:
            self._parents.clear()
            self._changed.clear()
        for uid in [uid for uid in self._open if scope in (None, scope_of(uid))]:
            self._forget(uid)
        for step in [held for held in self._held if scope in (None, held[0])]:
            yield from self._held.pop(step)

    def _forget(self, uid: str) -> ToolCall | None:
        """Take a call out of the open ones, if it is there."""
        call = self._open.pop(uid, None)
        if call is not None:
            step = _step_of(call)
            self._unanswered[step] -= 1
            if not self._unanswered[step]:
                del self._unanswered[step]
        return call


def _step_of(call: ToolCall) -> _Step:
    return scope_of(call.uid), call.step


def _changes(call: ToolCall) -> bool:
    """Whether a call would be a change if it succeeded, by the rules that see most of them."""
    receipt = receipt_of(
        call.target,
        call.target_args,
        rules=CONTRACT.ledger,
        outcome="ok",
        read_only=call.target_read_only,
    )
    return receipt.mutation
