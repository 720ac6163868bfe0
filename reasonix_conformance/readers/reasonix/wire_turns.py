"""The sessions and turns of wire events: where each begins and ends, and what its host said."""

from __future__ import annotations

from typing import Any, Final

from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.hosts.host_facts import BY_SILENCE
from reasonix_conformance.readers.hosts.outcomes import CUT_OFF
from reasonix_conformance.readers.reasonix.wire_announced import Announced
from reasonix_conformance.readers.reasonix.wire_by_user import Users
from reasonix_conformance.readers.reasonix.wire_nesting import Nesting
from reasonix_conformance.readers.reasonix.wire_records import Wire
from reasonix_runtime.trace.events import Judgement, KnownBy, TurnStatus

STREAM = "reasonix-stream"
# Words for a turn that the user stopped.
_STOPPED: Final = ("cancelled", "canceled", "interrupted")


class WireTurns:
    """Tells the builder of sessions and turns; their messages and calls are told by the reader."""

    def __init__(self, recording: Recording) -> None:
        self.build = Builder(recording.shown)
        self.sid = recording.sid
        self._sid_of = recording.sid_of
        self._runs = 0
        self._over = False
        """Whether the run has ended, or another one has begun: a file may hold several."""
        self.format_name = STREAM
        self._begun = False
        self._told: str | None = None
        """The id of the session, where an event names it."""
        self._announced = Announced()
        self._said: set[str] = set()
        """The steps whose response was told."""
        self._final_text: str | None = None
        """The answer that no call followed, None where there is none."""
        self._not_ready: str | None = None
        """Why the host did not take the end of a goal turn."""
        self._audit: tuple[Judgement, dict[str, Any]] | None = None
        """What the host judged of the end of the turn, and its words."""
        self._ended_well = False
        """Whether a record tells that the turn was completed."""
        self._nesting = Nesting()
        self._users = Users()

    def _begin(self, event: Wire) -> None:
        self._begun = True
        if isinstance(event.session_id, str):
            self.sid = self._told = event.session_id
        self.build.session(self.sid, self.format_name, profile="ungated" if self._told else None)

    def _next_session(self, event: Wire) -> None:
        """Go on with another session: recordings of several were put into one file."""
        text = "the recordings of several sessions stand in one file"
        self.build.count("several_sessions", text)
        self._cut_off()
        self.build.finish()
        self.build = self.build.successor()
        self._said.clear()
        self._nesting = Nesting()
        self._runs += 1
        self.sid = self._sid_of(self._runs)
        self._begin(event)
        if not isinstance(event.session_id, str):
            text = "whether this run goes on with the one before it in the file is not told"
            self.build.note("mid_chain_start", text)

    def _turn_started(self, event: Wire) -> None:
        """Begin a turn; what is open ends first, and so does the session where another begins."""
        over, self._over = self._over, False
        if isinstance(event.session_id, str):
            if self._told not in (None, event.session_id) and (over or not self.build.in_turn):
                self._next_session(event)
            self._told = event.session_id
        elif over or (self.format_name == STREAM and self._stops_short()):
            self._next_session(event)
        if self._stops_short():
            self._cut_off()
        elif self.build.in_turn and not self.build.quiet:
            # The host went on by itself: a goal turn ended here.
            self._end("completed", by="inferred", went_on=True)
        self.build.start_turn(native=event.turn_id if isinstance(event.turn_id, str) else None)

    def _stops_short(self) -> bool:
        """Whether the open turn has calls behind its last answer, and nothing tells its end."""
        ended = self._final_text is not None or self._audit or self._not_ready or self._ended_well
        return self.build.in_turn and not self.build.quiet and not ended

    def _turn_done(self, event: Wire) -> None:
        """End the turn; what its host judged of the end follows from how it says that it went."""
        if not self.build.in_turn:
            return
        error = event.err if isinstance(event.err, str) and event.err else None
        stopped = event.status in _STOPPED or event.outcome in _STOPPED
        if stopped or (error or "").startswith(CUT_OFF):
            self._audit = None
            self._end("interrupted", error=error)
            return
        if self._audit is None:
            if error is None and event.status != "failed":
                self._audit = ("accept", {})
            elif error and (event.outcome == "final_readiness" or event.status == "failed"):
                readiness = event.readiness if isinstance(event.readiness, dict) else {}
                self._audit = ("reject", {"error": error, **readiness})
        # An answer that the host refused ended the turn, too; a failure did not.
        failed = (error or event.status == "failed") and event.outcome != "final_readiness"
        self._end("failed" if failed else "completed", error=error)

    def _end(
        self,
        status: TurnStatus,
        *,
        by: KnownBy = "explicit",
        error: str | None = None,
        went_on: bool = False,
    ) -> None:
        """Close the turn with what the host said about its end."""
        self._not_dispatched()
        if went_on:
            said: Judgement = "reject" if self._not_ready else "accept"
            told = {"notice": self._not_ready} if self._not_ready else BY_SILENCE
            self._audit = (said, told)
        if self._audit is not None:
            result, details = self._audit
            self.build.verdict(result, details)
        answered = self._final_text is not None or self._audit is not None
        if self._users.turn_ended() and self.build.quiet:
            answered = False  # nobody asked the model anything
        self.build.end_turn(status, by=by, error=error, judge=answered)
        self._audit = None
        self._not_ready = None
        self._final_text = None
        self._ended_well = False
        self._nesting.turn_ended()

    def _last_line(self, record: Wire) -> None:
        """Take the `result` line of a stream: success, or an answer that the host refused."""
        self._over = True
        if not self.build.in_turn:
            return
        if record.is_error is False:
            self._audit = self._audit or ("accept", {})
            self._end("completed")
        elif self._final_text is not None and record.result == self._final_text:
            self._audit = self._audit or ("reject", {})
            self._end("completed", error="the host did not take the final answer")
        else:
            self._end("failed", error=str(record.result))

    def begin(self, format_name: str, *, profile: str | None = None) -> None:
        """Begin the session of a recording that tells about it elsewhere."""
        self._begun = True
        self.format_name = format_name
        self.build.session(self.sid, format_name, profile=profile)

    def finish(self, records: int, damage: str | None = None) -> None:
        """Close what is open at the end of the recording."""
        self.build.file_ended(empty=records == 0, damage=damage)
        if not self._begun:
            self.begin(self.format_name)
        self._cut_off()
        self.build.finish()

    def _cut_off(self) -> None:
        """Close a turn that is open where its recording stops."""
        if not self.build.in_turn:
            return
        if self._audit is None and self._ended_well:
            self._audit = ("accept", {})
        if self._audit is not None:
            self._end("completed", by="inferred")
        else:
            self._not_dispatched()
            self.build.note("truncated_tail", "the file stops inside a turn")
            self.build.end_turn("unknown", by="inferred", judge=False)

    def _not_dispatched(self) -> None:
        """Report the calls that were announced in the turn and never dispatched."""
        for name in self._announced.turn_ended():
            text = f"a call of {name or 'a tool without a name'} was announced and never dispatched"
            self.build.note("unanswered_call", text)
