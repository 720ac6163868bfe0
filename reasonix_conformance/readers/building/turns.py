"""The turns of a trace, and what is said in them: by the user, the model and the host."""

from __future__ import annotations

from typing import Any

from reasonix_conformance.readers.building.event_log import EventLog
from reasonix_runtime.gates.delivery.turn_end import GATE as END_GATE
from reasonix_runtime.trace.events import (
    MAIN,
    Assistant,
    Compaction,
    Host,
    HostVerdict,
    Judgement,
    KnownBy,
    Notice,
    Source,
    TextOrigin,
    TurnEnd,
    TurnStart,
    TurnStatus,
    User,
)
from reasonix_runtime.trace.host_events import PLAN_MODE


class Turns(EventLog):
    """Makes the events of turns; what was called in one is closed by whoever knows the calls."""

    def __init__(self, file: str) -> None:
        """Take the file's name; no turn is open."""
        super().__init__(file)
        self.turn = 0
        """The number of the turn that is open, or was the last; turns count from 1."""
        self.in_turn = False
        self.quiet = False
        """Whether nothing has happened in the open turn yet."""
        self.calls = 0
        """How many calls were told, in all conversations."""
        self._said_at: Source | None = None
        """Where the model said something last in the open turn."""
        self._planning = False
        """Whether a refusal in this turn told that the run is in plan mode."""

    def start_turn(self, *, by: KnownBy = "explicit", native: str | None = None) -> None:
        """Begin a turn; an open one in which something happened is closed first."""
        if self.in_turn:
            if self.quiet:
                return
            self.end_turn("unknown", by="inferred")
        self.turn += 1
        self._said_at = None
        self.in_turn = True
        self.quiet = True
        if self._planning:
            # A refusal tells the mode of its own turn only.
            self._planning = False
            self.host(PLAN_MODE, {"on": False})
        self._put(TurnStart(turn=self.turn, by=by, native=native, **self._stamp()))
        if by == "inferred":
            self.count("turn_inferred", "turns are read off the user's messages")

    def end_turn(
        self,
        status: TurnStatus,
        *,
        by: KnownBy = "explicit",
        error: str | None = None,
        judge: bool = True,
    ) -> None:
        """End the open turn; its unanswered calls are reported and get the outcome `none`.

        An end that no record tells stands where the model said something last.
        """
        if not self.in_turn:
            return
        self.close_calls()
        stamp = self._stamp()
        if by == "inferred" and self._said_at is not None:
            stamp["src"] = self._said_at
        self._put(TurnEnd(turn=self.turn, status=status, by=by, error=error, judge=judge, **stamp))
        self.in_turn = False

    def user(self, text: str, *, origin: TextOrigin = "user", raw: str | None = None) -> None:
        """Say that text came in; a turn must be open for the user's own text."""
        self._put(User(turn=self.turn, text=text, origin=origin, raw_text=raw, **self._stamp()))

    def assistant(self, text: str, *, step: str, scope: str = MAIN, final: bool = False) -> None:
        """Say that the model answered."""
        if not self.in_turn:
            self.start_turn(by="inferred")
        self.quiet = False
        self._seq += 1
        src = Source(self.file, self.line)
        if scope == MAIN:
            self._said_at = src
        self._put(
            Assistant(
                seq=self._seq,
                src=src,
                turn=self.turn,
                step=step,
                text=text,
                final=final,
                scope=scope,
            )
        )

    def verdict(self, result: Judgement, details: dict[str, Any]) -> None:
        """Say what the host itself judged of the end of the turn."""
        self._put(
            HostVerdict(
                gate=END_GATE,
                result=result,
                turn=self.turn,
                details=details,
                **self._stamp(),
            )
        )

    def notice(self, text: str, *, code: str | None = None, level: str | None = None) -> None:
        """Pass on news of the host."""
        self._put(Notice(text=text, code=code, level=level, **self._stamp()))

    def host(self, name: str, data: dict[str, Any]) -> None:
        """Say what the host did."""
        self._put(Host(name=name, turn=self.turn, data=data, **self._stamp()))

    def compaction(self, kind: str | None = None, dropped: int | None = None) -> None:
        """Say that the model's view was shortened; evidence before it stands.

        Where a recording begins with the summary, what was summarised is not in it.
        """
        if kind == "summary" and self.turn == 0 and self.calls == 0:
            self.note("mid_chain_start", "the recording begins after what was compacted away")
        self._put(Compaction(turn=self.turn, kind=kind, dropped=dropped, **self._stamp()))

    def close_calls(self) -> None:
        """Close what is open at the end of a turn."""
        raise NotImplementedError
