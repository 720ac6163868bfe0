"""Events through the one state machine of the runtime, and what comes out, as records.

Nothing is decided here: `HostState` judges. This module hands it the events, many at once where
nothing has to be followed, knows where in the trace each stands, and reads off what the host
decided itself. What becomes of the verdicts is in `verdict_log.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from reasonix_conformance.redact import redact
from reasonix_conformance.replay.gaps import FOLLOWED, HAVE_GATES
from reasonix_conformance.replay.host_decisions import (
    BEFORE_CALLS,
    deciding_of,
    told_by_audit,
    told_by_result,
)
from reasonix_conformance.replay.results import Grounds, Judged, TraceResult
from reasonix_conformance.replay.timeline import ReceiptPlaces, Timeline
from reasonix_conformance.replay.untold import Untold, doubtful
from reasonix_conformance.replay.verdict_log import VerdictLog
from reasonix_runtime.gates.delivery.turn_end import GATE as END_GATE
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.preflight import GATE as PREFLIGHT
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.host.goals import TURN_GATE
from reasonix_runtime.host.passing import Pair
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    IN_MAIN,
    NO_ARGUMENTS,
    Basis,
    Diag,
    Event,
    Handlers,
    Host,
    HostVerdict,
    Notice,
    Session,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
    User,
    scope_of,
)
from reasonix_runtime.trace.host_events import (
    GOAL_TURN_ENDED,
    HELD_BACK,
    PLAN_MODE,
    PROJECT_CHECK,
    SETUP,
)
from reasonix_runtime.trace.transcript import Expectation, Transcript
from reasonix_runtime.trace.transcript_events import Place, unfold

MOST_HELD: Final = 256
"""How many calls are held with their results: a turn may have any number of them."""
HEAVY: Final = 1 << 15
"""Weight of a result after which nothing is held any longer (:attr:`ToolResult.weight`)."""
_UNPLACED: Final = frozenset({SETUP, PLAN_MODE, PROJECT_CHECK})
"""Host events of a recording that tell a fact; they are no step of the turn."""


def replay_transcript(transcript: Transcript, policy: Policy) -> TraceResult:
    """Replay one transcript under one rule set and compare with what it expects."""
    unfolded = unfold(transcript)
    replay = Replay(
        policy, path=transcript.path, trace_id=transcript.id, format_name="transcript/1"
    )
    replay.expect(unfolded.places, unfolded.expectations)
    replay.feed(unfolded.events)
    return replay.result()


class Replay:
    """One trace under one rule set; feed it events, then ask for the result."""

    def __init__(
        self,
        policy: Policy,
        *,
        path: str,
        trace_id: str,
        format_name: str,
        keep_receipts: bool = False,
        keep_timeline: bool = False,
        doubted: frozenset[Basis] = frozenset(),
        asks_before: bool = True,
        sink: Callable[[Judged], None] | None = None,
    ) -> None:
        """Take where verdicts go: to `sink` as they fall, else into the result.

        A success that is only known on one of the `doubted` bases is none: it may be one. A host
        that asks no gate of the rules before a call (`asks_before`) is not measured by these.
        """
        self._doubted = doubted
        self._asks_before = asks_before
        self._state = HostState(policy)
        self._receipts = ReceiptPlaces(self._state) if keep_receipts else None
        self._timeline = Timeline() if keep_timeline else None
        self._untold = Untold(self._state.runs)
        self._policy = policy
        self._path = path
        self._id = trace_id
        self._format = format_name
        self._log = VerdictLog(sink, self._receipts, self._untold)
        self._watched = keep_receipts or keep_timeline
        self._diagnostics: list[Diag] = []
        self._events = 0
        self._calls = 0
        self._unjudged = 0
        self._next_event = 0
        self._pairs: list[Pair] = []
        self._held: ToolCall | None = None
        self._open: dict[str, tuple[ToolCall, int]] = {}
        self._scope_event: dict[str, int] = {}
        self._end_decision: Decision | None = None
        self._goal_decision: Decision | None = None

    def expect(
        self, places: Mapping[int, Place], expectations: Mapping[Place, Expectation]
    ) -> None:
        """Take what a transcript expects; `places` are by the `seq` of an event."""
        self._log.expect(places, expectations)

    def carry(self, session: Session, events: Iterable[Event]) -> None:
        """Take in what earlier runs of a session did; nothing of it is judged here."""
        self._state.apply(Session(sid=session.sid, format=self._format, cwd=session.cwd))
        for event in events:
            self._untold.carry(event)
            self._state.apply(event)
        if self._receipts is not None:
            self._receipts.follow(self._log.turn)

    def mute(self, *, on: bool) -> None:
        """Judge what comes without keeping what is said of it, or keep it again."""
        self._log.muted = on

    def begins_late(self) -> None:
        """Take in that the session has earlier runs that are not at hand."""
        self._untold.begins_late()

    def feed(self, events: Iterable[Event]) -> Session | None:
        """Take events in, in order; the start of another session is given back, not taken.

        Calls that have their result as the next event are held, and taken in many at once.
        """
        if self._watched or self._log.places:
            return self._feed_singly(events)
        take, catch_up, is_plain, pairs = self.take, self._catch_up, self._is_plain, self._pairs
        event: Any
        for event in events:
            handler, call = _HANDLERS[type(event)], self._held
            if handler is _ON_RESULT and call is not None and is_plain(call, event):
                pairs.append((call, event))
                self._held = None
                if len(pairs) == MOST_HELD or event.weight > HEAVY:
                    self._settle()
            elif handler is None:
                self._events += 1
            elif handler is _ON_CALL:
                if call is not None:
                    catch_up()
                self._held = event
            else:
                catch_up()
                if type(event) is Session and self._events and event.resumed_from is None:
                    return event
                take(event)
        catch_up()
        return None

    def _feed_singly(self, events: Iterable[Event]) -> Session | None:
        """Take events in one by one, so that what each of them moved can be seen."""
        for event in events:
            if type(event) is Session and self._events and event.resumed_from is None:
                return event
            self.take(event)
        return None

    def _is_plain(self, call: ToolCall, result: ToolResult) -> bool:
        """Whether a call and the event after it are a pair that nothing here has to follow."""
        return (
            call.uid == result.uid
            and call.uid.startswith(IN_MAIN)
            and call.name not in HAVE_GATES
            and call.origin == "model"
            and result.basis not in self._doubted
            and call.args_ok
            and call.args is not NO_ARGUMENTS
        )

    def _catch_up(self) -> None:
        """Take in what is held: the pairs, then the call whose result has not come yet."""
        self._settle()
        call, self._held = self._held, None
        if call is not None:
            self.take(call)

    def _settle(self) -> None:
        """Take in the pairs that are held, in order: at once as far as they pass by."""
        pairs = self._pairs
        while pairs:
            passed = self._state.pass_by(pairs)
            self._events += 2 * passed
            self._calls += passed
            self._next_event += passed
            if passed:
                self._log.let_pass[PREFLIGHT] += passed
            if passed < len(pairs):
                call, result = pairs[passed]
                self.take(call)
                self.take(result)
            del pairs[: passed + 1]

    def take(self, event: Event) -> None:
        """Take the next event in."""
        self._events += 1
        handler = _HANDLERS[type(event)]
        if handler is not None:
            handler(self, event)
        if self._watched:
            self._watch(event)

    def add(self, verdict: Verdict, call: ToolCall, host: Decision | None) -> None:
        """Take the verdict of a stage beside the state machine on a call that is open."""
        self._catch_up()
        self._log.keep(verdict, call, self._open[call.uid][1], host)

    def opened(self, uid: str) -> ToolCall | None:
        """Return a call that is not answered yet."""
        held = self._held
        if held is not None and held.uid == uid:
            return held
        told = self._open.get(uid)
        if told is not None and self._pairs:  # its result may be among what is held
            self._settle()
            told = self._open.get(uid)
        return None if told is None else told[0]

    def let_pass(self, gate: str, calls: int) -> None:
        """Count calls that such a stage let pass."""
        self._log.let_pass[gate] += calls

    def _watch(self, event: Event) -> None:
        """Keep what is kept for people."""
        if isinstance(event, ToolResult) and event.basis in self._doubted:
            event = doubtful(event)
        if self._receipts is not None:
            self._receipts.follow(self._log.turn)
        if self._timeline is not None:
            self._timeline.take(event, self._log.turn, self._index_of(event))

    def result(self) -> TraceResult:
        """Return what was found so far; a reader that failed has left what is held untaken."""
        self._catch_up()
        return TraceResult(
            path=self._path,
            id=self._id,
            format=self._format,
            rules=self._policy.name,
            verdicts=tuple(self._log.kept),
            diagnostics=tuple(self._diagnostics),
            timeline=self._timeline.moments() if self._timeline else (),
            events=self._events,
            calls=self._calls,
            let_pass=dict(self._log.let_pass),
            unjudged=self._unjudged,
        )

    def _on_other(self, event: Event) -> None:
        self._untold.take(event)
        self._state.apply(event)

    def _on_notice(self, event: Notice) -> None:
        self._untold.take(event)

    def _on_turn_start(self, event: TurnStart) -> None:
        self._log.turn = event.turn
        self._next_event = 0
        self._end_decision = self._goal_decision = None
        self._untold.take(event)
        self._state.apply(event)

    def _on_call(self, call: ToolCall) -> None:
        """Place a call; one that is told again (its target is known now) keeps its place."""
        uid = call.uid
        told = self._open.get(uid)
        if told is not None:
            index = told[1]
        elif call.origin == "host":
            index = max(self._next_event - 1, 0)
        else:
            self._calls += 1
            index = self._place(uid)
        self._open[uid] = (call, index)
        # `is_wordless` or nearly: that is not called for every call that does not pass by.
        if call.target in FOLLOWED or not call.args_ok or call.args is NO_ARGUMENTS:
            self._untold.take(call)
        if self._receipts is not None:
            self._receipts.at = index
        verdicts = self._state.called(call)
        if verdicts or self._log.places:
            self._log.note(verdicts, call, call, index)

    def _place(self, uid: str) -> int:
        """Return the event index of the next call: inside a sub-agent, that of its parent."""
        index = self._scope_event.get(scope_of(uid)) if self._scope_event else None
        if index is None:
            index = self._next_event
            self._next_event += 1
        return index

    def _index_of(self, event: Event) -> int | None:
        """Return the event index of a call or host event that was just taken in."""
        if isinstance(event, ToolCall):
            return self._open[event.uid][1]
        if isinstance(event, Host) and self._is_step(event):
            return self._next_event - 1
        return None

    def _on_result(self, result: ToolResult) -> None:
        call, index = self._open.pop(result.uid, (None, 0))
        if result.uid in self._untold.calls:
            self._untold.take(result)
        if self._receipts is not None and call is not None:
            self._receipts.at = index
        if result.basis in self._doubted:
            self._untold.doubted(result)
            result = doubtful(result)
        if result.outcome == "none" and call is not None:
            self._untold.unanswered(result)
            if not self._asks_before:  # then no gate of ours may have kept it from running
                result = msgspec.structs.replace(result, outcome="unknown")
        verdicts = self._state.answered(result)
        if self._untold.unseen.just_ended:
            self._untold.unseen.mark_end()
        if len(verdicts) == 1 and not self._log.places:
            only = verdicts[0]
            # Nearly all results; `lets_pass` says the same of what the host let run.
            passes = only.decision is Decision.ACCEPT and result.outcome != "blocked"
            if passes and only.gate in BEFORE_CALLS:
                self._log.let_pass[only.gate] += 1
                return
        # What the host did by itself is no act of the model; it moves the state and that is all.
        if verdicts and call is not None and call.origin == "model":
            deciding = deciding_of(verdicts)
            if deciding is None or (deciding.gate in BEFORE_CALLS and not self._asks_before):
                return
            self._log.note(verdicts, result, call, index, told_by_result(result, deciding))

    def _on_sub_start(self, event: SubStart) -> None:
        opened = self._open.get(event.parent_uid)
        self._scope_event[event.scope] = opened[1] if opened else self._next_event
        self._on_other(event)

    def _on_sub_end(self, event: SubEnd) -> None:
        self._scope_event.pop(event.scope, None)
        self._on_other(event)

    def _on_host(self, event: Host) -> None:
        index = self._next_event
        if self._is_step(event):
            self._next_event += 1
        self._untold.take(event)
        if event.name != HELD_BACK:
            told = self._goal_decision if event.name == GOAL_TURN_ENDED else None
            self._log.note(self._state.apply(event), event, event, index, told)
            return
        # Which answers it held back is the host's own decision; no other event tells one.
        grounds = self._grounds_of_end()
        self._log.note(self._state.apply(event), event, event, index, Decision.REJECT, grounds)

    def _grounds_of_end(self) -> Grounds | None:
        """Return what an end rests on, if somebody will read it: the end itself may settle it."""
        return None if self._receipts is None else self._receipts.of_end()

    def _is_step(self, event: Host) -> bool:
        """Whether a host event is counted; what a transcript lists always is, but for its setup."""
        return event.name not in _UNPLACED or (bool(self._log.places) and event.name != SETUP)

    def _on_verdict(self, event: HostVerdict) -> None:
        if not self._asks_before:
            return
        if event.gate == END_GATE:
            self._untold.take(event)
            self._end_decision = told_by_audit(event)
        elif event.gate == TURN_GATE:
            self._goal_decision = told_by_audit(event)
        self._state.apply(event)

    def _on_turn_end(self, event: TurnEnd) -> None:
        self._untold.take(event)
        grounds = self._grounds_of_end()
        verdicts = self._state.apply(event)
        self._log.note(verdicts, event, event, None, self._end_decision, grounds)
        self._unjudged += event.status != "completed" and not (verdicts or self._log.muted)
        self._untold.turn_ended()
        self._end_decision = self._goal_decision = None

    def _on_diag(self, event: Diag) -> None:
        self._untold.take(event)
        self._diagnostics.append(msgspec.structs.replace(event, text=redact(event.text)))


_ON_CALL: Final = Replay._on_call
_ON_RESULT: Final = Replay._on_result
_HANDLERS: Final = Handlers(
    {
        Session: Replay._on_other,
        User: Replay._on_other,
        TurnStart: Replay._on_turn_start,
        ToolCall: _ON_CALL,
        ToolResult: _ON_RESULT,
        SubStart: Replay._on_sub_start,
        SubEnd: Replay._on_sub_end,
        Host: Replay._on_host,
        HostVerdict: Replay._on_verdict,
        Notice: Replay._on_notice,
        TurnEnd: Replay._on_turn_end,
        Diag: Replay._on_diag,
    }
)
