"""The stage of a replay that judges arguments: it sees the events before the state machine does.

A call is judged when it is made and told when it is answered, because what came back is the host's
own decision about the arguments. Nothing is changed, held back or dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from typing import Any, Final

from reasonix_conformance.arguments.judge import GATE, Judge, passes
from reasonix_conformance.readers.format_facts import MAY_LACK_ARGUMENTS
from reasonix_conformance.readers.hosts.outcomes import BAD_ARGUMENTS
from reasonix_conformance.replay.host_decisions import by_no_gate
from reasonix_conformance.replay.replay import Replay
from reasonix_runtime.gates.verdict import Decision, Verdict, not_assessable
from reasonix_runtime.trace.events import (
    NO_ARGUMENTS,
    Basis,
    Event,
    Handlers,
    ToolCall,
    ToolResult,
    TurnStart,
)


class Stage:
    """Judges the calls of one trace and gives the verdicts to its replay.

    Calls that are valid, and that the host took, are only counted.
    """

    def __init__(
        self, judge: Judge, replay: Replay, *, format_name: str, doubted: Set[Basis]
    ) -> None:
        """Take who judges, where verdicts go, and the bases on which no success is believed."""
        self._judge = judge
        self._replay = replay
        self._doubted = doubted
        self._may_lack = format_name.partition("/")[0] in MAY_LACK_ARGUMENTS
        self._faulty: dict[str, tuple[ToolCall, Verdict]] = {}
        self._left: set[str] = set()
        self._passed = 0

    def watch(self, events: Iterable[Any]) -> Iterator[Event]:
        """Pass events on, judged before each is taken in."""
        kinds, faulty, opened = _KINDS, self._faulty, self._replay.opened
        checks = {} if self._may_lack else self._judge.checks
        for event in events:
            kind = kinds[type(event)]
            # Nearly all calls are valid, nearly all results are good. A call that is told again was
            # judged before, and what the host does by itself is no call of the model.
            if kind is _CALL:
                if opened(event.uid) is None and event.origin == "model":
                    check = checks.get(event.name)
                    if check is not None and event.args_ok and check(event.args):
                        self._passed += 1
                    else:
                        self._on_call(event)
            elif kind is _RESULT:
                if faulty or event.outcome != "ok":
                    self._on_result(event)
            elif kind is not None:
                self._leave()
            yield event

    def finish(self) -> None:
        """Tell what was not answered, and count what passed."""
        self._leave()
        self._replay.let_pass(GATE, self._passed)
        self._passed = 0

    def _on_call(self, call: ToolCall) -> None:
        verdict = self._answer(call)
        if verdict is None:
            self._passed += 1
        else:
            self._faulty[call.uid] = (call, verdict)

    def _answer(self, call: ToolCall) -> Verdict | None:
        if self._may_lack and call.args is NO_ARGUMENTS:
            why = f"The recording does not tell the arguments of {call.name}."
            return not_assessable(GATE, why, tool=call.name)
        return self._judge.answer(call)

    def _on_result(self, result: ToolResult) -> None:
        call, verdict = self._faulty.pop(result.uid, (None, None))
        if call is not None and verdict is not None:
            self._replay.add(verdict, call, self._decision(result))
        elif result.uid not in self._left and (result.error or "").startswith(BAD_ARGUMENTS):
            refused = self._replay.opened(result.uid)
            if refused is not None and refused.origin == "model":
                self._passed -= 1
                self._replay.add(passes(), refused, Decision.REJECT)

    def _decision(self, result: ToolResult) -> Decision | None:
        """Return what the host made of arguments that it should refuse: a call that ran took them.

        A call that failed without an exit status may have failed by them.
        """
        if result.outcome == "not_run":
            return Decision.REJECT
        if result.outcome == "ok" and result.basis in self._doubted:
            return None
        if result.outcome in ("ok", "running") or result.exit_code is not None:
            return Decision.ACCEPT
        if result.outcome in ("error", "blocked"):
            return None if by_no_gate(result) else Decision.REJECT
        return None

    def _leave(self) -> None:
        """Tell what the turn that ends here has left unanswered."""
        for call, verdict in self._faulty.values():
            self._replay.add(verdict, call, None)
        self._left.update(self._faulty)
        self._faulty.clear()


_CALL, _RESULT, _TURN = "call", "result", "turn"
_KINDS: Final = Handlers({ToolCall: _CALL, ToolResult: _RESULT, TurnStart: _TURN})
