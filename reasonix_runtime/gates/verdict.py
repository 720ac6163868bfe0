"""What a gate answers, and the one place through which every refusal goes.

A gate is a generator that yields a :class:`Refusal` for each check that fails, in the order of
the checks, and carries on when it is resumed. :func:`decide` takes the first refusal,
:func:`decide_all` collects them (the end of a turn reports everything that is open). Both leave
out reasons that :func:`switched_off` names, so that a test can take one rule out of the whole
machine and see which fixture notices.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from enum import StrEnum
from typing import Any, TypeAlias

import msgspec

from reasonix_runtime.gates.rules import rule_of

_switched_off: ContextVar[frozenset[str]] = ContextVar("switched_off", default=frozenset())


class Decision(StrEnum):
    """The three values of a verdict; what is unknown is never an accept."""

    ACCEPT = "accept"
    REJECT = "reject"
    NOT_ASSESSABLE = "not_assessable"


class Later(msgspec.Struct, frozen=True):
    """A text that is written when somebody reads it: most messages of accepts never are.

    `write` is a function at the top of a module and `parts` what it is given. Parts never change,
    so the text is the same whenever it is written, and a verdict can be compared and be sent to
    another process.
    """

    write: Callable[..., str]
    parts: tuple[Any, ...]


Told: TypeAlias = str | Later


def text_of(told: Told) -> str:
    """Return what is told as text."""
    return told if isinstance(told, str) else told.write(*told.parts)


class Refusal(msgspec.Struct, frozen=True):
    """One check that failed.

    `reason` is the stable code, `message` the help for the model or the reader, `facts` what a
    transcript may compare, `grounds` the ledger indices it rests on.
    """

    reason: str
    message: Told
    facts: Mapping[str, Any] = msgspec.field(default_factory=dict)
    grounds: tuple[int, ...] = ()


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The answer of one gate to one call, host event or end of turn.

    `rule` is the id of the rule that decided (see `docs/GATES.md`), `told` makes the message, the
    help for the model or the reader, `facts` holds what an `expect`
    of transcript format 1 may compare (`missing`, `risk`, `todo_after`, ...), `grounds` the ledger
    indices of the receipts that the verdict rests on.
    """

    gate: str
    decision: Decision
    reason: str | None = None
    rule: str | None = None
    told: Told = ""
    facts: Mapping[str, Any] = msgspec.field(default_factory=dict)
    grounds: tuple[int, ...] = ()

    @property
    def message(self) -> str:
        """The help for the model or the reader; empty where nothing has to be said."""
        return text_of(self.told)

    @property
    def accepted(self) -> bool:
        """Whether the gate let it pass."""
        return self.decision is Decision.ACCEPT


def refuse(reason: str, message: Told, *, grounds: Iterable[int] = (), **facts: Any) -> Refusal:
    """Make the refusal that a gate yields."""
    return Refusal(reason, message, facts, tuple(grounds))


def accept(
    gate: str,
    *,
    reason: str | None = None,
    message: Told = "",
    grounds: Iterable[int] = (),
    **facts: Any,
) -> Verdict:
    """Make an accepting verdict; `reason` only where accepts have codes of their own.

    A reason that is switched off is not told, so that the fixtures of accepts notice it too.
    """
    reason = reason if reason is None or is_on(reason) else None
    return Verdict(
        gate=gate,
        decision=Decision.ACCEPT,
        reason=reason,
        rule=rule_of(reason),
        told=message,
        facts=facts,
        grounds=tuple(grounds),
    )


def reject(gate: str, refusal: Refusal, **facts: Any) -> Verdict:
    """Make the refusing verdict of one refusal; `facts` are added to the refusal's own."""
    return Verdict(
        gate=gate,
        decision=Decision.REJECT,
        reason=refusal.reason,
        rule=rule_of(refusal.reason),
        told=refusal.message,
        facts={**facts, **refusal.facts},
        grounds=refusal.grounds,
    )


def not_assessable(gate: str, missing: str, **facts: Any) -> Verdict:
    """Say that the gate lacks a fact; `missing` names it in a full sentence."""
    return Verdict(gate=gate, decision=Decision.NOT_ASSESSABLE, told=missing, facts=facts)


def standing(refusals: Iterable[Refusal]) -> Iterator[Refusal]:
    """Leave out the refusals whose reason is switched off."""
    off = _switched_off.get()
    return (refusal for refusal in refusals if refusal.reason not in off) if off else iter(refusals)


def decide(gate: str, refusals: Iterable[Refusal], accepted: Callable[[], Verdict]) -> Verdict:
    """Refuse with the first refusal that stands, else accept with what `accepted` makes."""
    for refusal in standing(refusals):
        return reject(gate, refusal)
    return accepted()


def decide_all(
    refusals: Iterable[Refusal],
    accepted: Callable[[], Verdict],
    summary: Callable[[tuple[Refusal, ...]], Verdict],
) -> Verdict:
    """Refuse with everything that stands, put together by `summary`, else accept."""
    found = tuple(standing(refusals))
    return summary(found) if found else accepted()


def is_on(reason: str) -> bool:
    """Whether a reason is in force; for rules that accept rather than refuse."""
    return reason not in _switched_off.get()


@contextmanager
def switched_off(*reasons: str) -> Iterator[None]:
    """Take reasons out of force inside the block: the mutation check of the test-suite."""
    token = _switched_off.set(_switched_off.get() | frozenset(reasons))
    try:
        yield
    finally:
        _switched_off.reset(token)
