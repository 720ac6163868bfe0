"""What is kept of children, so that their answers can be read and their work be carried on with.

A reference is good as long as the session runs; what a child said stands in the record as well.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from reasonix_runtime.gates.delegation.stored import PREFIX
from reasonix_runtime.gates.delegation.world import StoredAnswer

if TYPE_CHECKING:
    from datetime import datetime

    from reasonix_runtime.agents.model import Message

Identity: TypeAlias = tuple[str, ...]
"""What must be the same to carry on: kind, workspace, prompt, tools, schemas, model, effort."""


@dataclass(slots=True, kw_only=True)
class KeptRun:
    """One child: how it stands, its final answer, and its conversation."""

    ref: str
    identity: Identity
    status: str = "running"
    answer: str = ""
    messages: tuple[Message, ...] = ()


class Kept:
    """The children of a session, by reference.

    Args:
        clock: the time, for references.
        ids: makes the 12 hexadecimal digits of a reference.
    """

    def __init__(self, *, clock: Callable[[], datetime], ids: Callable[[], str]) -> None:
        self._clock = clock
        self._ids = ids
        self._runs: dict[str, KeptRun] = {}

    def begin(self, identity: Identity) -> KeptRun:
        """Keep a child that starts."""
        now = self._clock()
        ref = f"{PREFIX}{now:%Y%m%d_%H%M%S}_{now.microsecond * 1000:09}_{self._ids()}"
        run = self._runs[ref] = KeptRun(ref=ref, identity=identity)
        return run

    def of(self, ref: str) -> KeptRun:
        """Return a child that is kept."""
        return self._runs[ref]

    def told(self, identity: Identity | None = None) -> tuple[StoredAnswer, ...]:
        """Return what the gates are told of the children; `identity` is that of a new run."""
        return tuple(
            StoredAnswer(
                ref=run.ref,
                status=run.status,
                identity="same" if run.identity == identity else "other",
                locked=run.status == "running",
                answer=run.answer,
            )
            for run in tuple(self._runs.values())
        )
