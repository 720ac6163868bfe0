"""What becomes of a verdict: weighed, held against what was expected, placed, fit to be shown.

The replay knows where in its trace an event stands and what the host decided. Here that is put
beside the verdicts on the event, and each becomes a record of the result, or is only counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from reasonix_conformance.redact import redact, redact_name
from reasonix_conformance.replay.expectations import mismatches
from reasonix_conformance.replay.host_decisions import deciding_of, lets_pass
from reasonix_conformance.replay.results import Grounds, Judged
from reasonix_conformance.replay.timeline import ReceiptPlaces
from reasonix_conformance.replay.untold import Untold
from reasonix_runtime.gates.verdict import Decision, Later, Told, Verdict, not_assessable, text_of
from reasonix_runtime.trace.events import MAIN, Host, ToolCall, ToolResult, TurnEnd
from reasonix_runtime.trace.transcript import Expectation
from reasonix_runtime.trace.transcript_events import Place

About: TypeAlias = ToolCall | Host | TurnEnd
"""What a verdict is about: a call, something that the host did, the end of a turn."""


class VerdictLog:
    """The verdicts on one trace, as they fall.

    Args:
        sink: where they go; without one they are kept in `kept`.
        receipts: knows the receipts behind a verdict, where reports name them.
        untold: weighs a verdict that differs from the host's decision.
    """

    def __init__(
        self, sink: Callable[[Judged], None] | None, receipts: ReceiptPlaces | None, untold: Untold
    ) -> None:
        self.kept: list[Judged] = []
        self.let_pass: Counter[str] = Counter()
        """By gate, the calls that it let pass and of which no verdict is kept."""
        self.muted = False
        """Whether verdicts fall that somebody else tells."""
        self.turn = 0
        """The turn that verdicts belong to; the replay sets it where one begins."""
        self.places: Mapping[int, Place] = {}
        """Of a transcript, the places of its events by their `seq`; empty for a recording."""
        self._expectations: Mapping[Place, Expectation] = {}
        self._sink = sink or self.kept.append
        self._receipts = receipts
        self._untold = untold

    def expect(
        self, places: Mapping[int, Place], expectations: Mapping[Place, Expectation]
    ) -> None:
        """Take what a transcript expects; `places` are by the `seq` of an event."""
        self.places = places
        self._expectations = expectations

    def note(
        self,
        verdicts: Sequence[Verdict],
        event: ToolCall | ToolResult | Host | TurnEnd,
        about: About,
        index: int | None,
        host: Decision | None = None,
        grounds: Grounds | None = None,
    ) -> None:
        """Take the verdicts on an event; expectation and host decision belong to the deciding one.

        Args:
            verdicts: what the gates say, in their order.
            event: the event that was judged.
            about: what it is about: of a result, its call.
            index: the index of the event in its turn, None for the end of the turn.
            host: what the host decided itself, where the recording tells it.
            grounds: the receipts of an end; every other verdict names its own.
        """
        place = self.places.get(event.seq) if self.places else None
        expected = self._expectations.get(place) if place else None
        if expected is not None and not verdicts:
            verdicts = [not_assessable("none", "no gate of this rule set judges this")]
        deciding = deciding_of(verdicts)
        for given in verdicts:
            decides, verdict = given is deciding, given
            if decides and expected is None:
                verdict = self._untold.weigh(given, about, host)
            if decides and expected is not None:
                wrong = mismatches(expected, verdict)
                self.keep(
                    verdict, about, index, host, expected=expected, wrong=wrong, grounds=grounds
                )
            elif lets_pass(verdict, host if decides else None):
                self.let_pass[verdict.gate] += 1
            else:
                self.keep(verdict, about, index, host if decides else None, grounds=grounds)

    def keep(
        self,
        verdict: Verdict,
        about: About,
        index: int | None,
        host: Decision | None,
        *,
        expected: Expectation | None = None,
        wrong: tuple[str, ...] = (),
        grounds: Grounds | None = None,
    ) -> None:
        """Keep one verdict in its place, with what it says fit to be shown."""
        if self.muted:
            return
        scope, number, subject, native = MAIN, None, "end", None
        if isinstance(about, ToolCall):
            scope, _, number = about.uid.rpartition("#")
            subject = redact_name(about.name)
            native = None if about.native_id is None else redact(about.native_id)
        elif isinstance(about, Host):
            subject = redact_name(about.name)
        if grounds is None and self._receipts is not None:
            grounds = self._receipts.of_verdict(scope, verdict)
        if verdict.told:
            verdict = msgspec.structs.replace(verdict, told=_fit_to_show(verdict.told))
        self._sink(
            Judged(
                turn=self.turn,
                event=index,
                verdict=verdict,
                subject=subject,
                scope=scope if scope == MAIN else redact(scope),
                call=number,
                native_id=native,
                src=about.src,
                expected=expected,
                mismatches=tuple(map(redact, wrong)),
                host=host,
                grounds=grounds or Grounds(),
            )
        )


def _fit_to_show(told: Told) -> Told:
    """Return what a verdict tells with its secrets masked, or masked once it is written."""
    return redact(told) if isinstance(told, str) else Later(_redacted, (told,))


def _redacted(told: Later) -> str:
    return redact(text_of(told))
