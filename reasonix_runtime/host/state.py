"""The one state machine: events in, verdicts out.

A live host and a replay feed the same events. A call is registered when it appears and judged when
its result arrives, because calls of one message run in order and the later ones are judged by what
the earlier ones left. A recorded outcome stands, also where our verdict differs; where none was
recorded the verdict moves the state.

The parts are modules of their own: `host/tool_gates.py` (sign-off, task list, reviews),
`host/recording.py` (what a call leaves), `host/turn.py` (before a call and after it),
`host/turn_memory.py` (what waits until a gate asks), `host/turn_end.py` (the end of a turn),
`host/goals.py` (goal tool and goal turns), `host/delegated.py` (delegated runs),
`host/host_events.py` (what the host itself tells), `host/settling.py` (what verdicts make of a
call).
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from reasonix_runtime.contract.surface import PROXY
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.session import history_of
from reasonix_runtime.evidence.tasks import repair, task_of
from reasonix_runtime.evidence.tool_kinds import SIGN_OFFS
from reasonix_runtime.gates import preflight
from reasonix_runtime.gates.delivery.turn_end import GATE as END_GATE
from reasonix_runtime.gates.goal.ungated import GOAL_TOOLS
from reasonix_runtime.gates.loop_guards import Advice
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.steps import told_list
from reasonix_runtime.gates.verdict import Verdict, not_assessable
from reasonix_runtime.host import delegated, doubts, host_events, tool_gates, turn_end
from reasonix_runtime.host.goals import Goals
from reasonix_runtime.host.known_calls import KnownCall, KnownCalls
from reasonix_runtime.host.passing import Pair, pass_by
from reasonix_runtime.host.prompt_blocks import blocks_around
from reasonix_runtime.host.proxy import ProxyHost
from reasonix_runtime.host.recording import READ_ONLY_ROLES, record
from reasonix_runtime.host.run import Opened, Run
from reasonix_runtime.host.settling import failing, refusing, settled
from reasonix_runtime.host.setup import Setup, delegated_setup
from reasonix_runtime.host.told_world import ToldWorld
from reasonix_runtime.host.turn import TurnGates
from reasonix_runtime.trace.events import (
    IN_MAIN,
    MAIN,
    Event,
    Handlers,
    Host,
    HostVerdict,
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

NOTHING: Sequence[Verdict] = ()
GATED = tool_gates.JUDGED.union(GOAL_TOOLS)
"""Tools whose calls a gate of their own judges."""
OVERTAKEN = (
    "The call has no result, and calls that were made behind it have: what it was judged by is not "
    "told."
)

WRITTEN = "transcript/1"
"""The format of sessions whose setup is told in full: what it leaves out has its default."""

DELIVERY_BLOCK = "delivery-runtime"
"""The host's block in the prompt of a turn that runs in the delivery profile."""


class HostState:
    """What a host knows of one session under one rule set."""

    def __init__(self, policy: Policy, setup: Setup | None = None) -> None:
        self.setup = setup or Setup()
        #: The rule set, as it reads commands in the workspace.
        self.policy = policy.in_workspace(self.setup.workspace)
        self.turn = 0
        self._recorded_end: bool | None = None
        self._last_goal = ""
        self._written = False
        #: What a setup tells beside the turn, where somebody wrote it; None for a recording.
        self.world: ToldWorld | None = None
        self.runs: dict[str, Run] = {}
        self._forget_known_calls()
        main = self.open_run(MAIN, depth=self.setup.subagent_depth)
        self.goals = Goals(policy, self.setup, main)

    def _forget_known_calls(self) -> None:
        """Forget what follows from calls alone: it was worked out under another setup."""
        self._known = KnownCalls(
            self.policy,
            judged=GATED.union(() if self.world is None else (PROXY,)),
            read_only_shell=self.setup.role in READ_ONLY_ROLES,
        )

    @property
    def main(self) -> Run:
        """The run of the main conversation."""
        return self.runs[MAIN]

    def apply(self, event: Event) -> Sequence[Verdict]:
        """Take one event in and return the verdicts that it asked for, in order."""
        handler = _HANDLERS[type(event)]
        return NOTHING if handler is None else handler(self, event)

    def open_run(self, scope: str, *, depth: int, outer: Ledger | None = None) -> Run:
        """Open the run of a scope; a delegated one sees the ledger of the run around it."""
        root = self.setup.workspace
        rules = self.policy.ledger.in_workspace(root)
        ledger = Ledger(rules, workspace=root, outer=outer)
        run = Run(scope, ledger, history_of(rules), depth)
        setup = self.setup if scope == MAIN else delegated_setup(self.setup)
        run.tasks = repair([task_of(item) for item in setup.tasks])
        run.gates = TurnGates(self.policy, setup, run)
        self.runs[scope] = run
        return run

    def set_up(self, setup: Setup) -> None:
        """Begin with a setup; one that a person wrote tells a world beside the turn."""
        self.setup = setup
        self.policy = self.policy.in_workspace(setup.workspace)
        if self.policy.proxy_is_judged and (self._written or setup.host is not None):
            self.world = ToldWorld(setup)
        self._forget_known_calls()
        main = self.open_run(MAIN, depth=setup.subagent_depth)
        self.goals = Goals(self.policy, setup, main)

    def _on_session(self, event: Session) -> Sequence[Verdict]:
        self._written = event.format == WRITTEN
        if event.cwd and not self.setup.workspace and not self.policy.ledger.suffix_paths:
            self._take_workspace(event.cwd)
        self.goals.session_starts(event)
        return NOTHING

    def _on_turn_start(self, event: TurnStart) -> Sequence[Verdict]:
        self.turn = event.turn
        before = self._goal_scope() or self._last_goal
        self.goals.turn_starts()
        same_goal = before != "" and before == self._goal_scope()
        self.main.gates.memory.absorb()
        kept = same_goal and self.policy.ledger.goal_keeps_ledger
        self.main.begin_turn(keeps_ledger=kept)
        self._last_goal = ""
        self._recorded_end = None
        self.main.gates.begin(goal_active=self.goals.recorder is not None, turn=event.turn)
        return NOTHING

    def _take_workspace(self, root: str) -> None:
        """Take the folder that a session runs in for its workspace, if nothing was recorded yet."""
        if any(run.ledger.receipts or run.ledger.base for run in self.runs.values()):
            return
        self.setup = msgspec.structs.replace(self.setup, workspace=root)
        self.policy = self.policy.in_workspace(root)
        self._forget_known_calls()
        for run in self.runs.values():
            run.ledger.workspace = root
            run.ledger.rules = self.policy.ledger.in_workspace(root)
            for opened in run.open.values():
                opened.in_doubt = None
            gates, run.gates = run.gates, TurnGates(self.policy, run.gates.setup, run)
            run.gates.begin(goal_active=gates.goal_active, turn=self.turn)

    def _goal_scope(self) -> str:
        """Return the scope of the goal that the turn works on, empty without a goal turn."""
        recorder = self.goals.recorder
        return recorder.bound[0] if recorder is not None else ""

    def _on_user(self, event: User) -> Sequence[Verdict]:
        self.goals.user_spoke(event)
        if event.origin == "user" and event.raw_text is not None:
            told = blocks_around(DELIVERY_BLOCK, event.raw_text)
            self.main.gates.set_profile("delivery" if told else "ordinary")
        return NOTHING

    def called(self, call: ToolCall) -> Sequence[Verdict]:
        """Take in a call; it is judged with its result."""
        uid = call.uid
        run = self.runs[MAIN if uid.startswith(IN_MAIN) else scope_of(uid)]
        message = run.enter(call.step)
        if uid in run.open:
            self._told_again(run, run.open[uid], call)
        else:
            run.made += 1
            run.open[uid] = Opened(call, message, run.made)
        if run.session.hears_calls:
            run.session.called(uid, call.name, call.args)
        return NOTHING

    def _told_again(self, run: Run, opened: Opened, call: ToolCall) -> None:
        """Take in what is known now of an open call; of one that it hides nobody knows the end."""
        known = opened.call
        run.open[call.uid] = Opened(call, opened.message, opened.number)
        if not known.preview and (known.name, known.args) != (call.name, call.args):
            doubts.note(run, known, self._known.of(known).attempt)

    def ask(self, uid: str) -> Verdict | None:
        """Return whether a registered call may run: what a live host asks before it runs it.

        None means that nothing is asked of it here. The verdict is given again with the result.
        """
        run = self.runs[scope_of(uid)]
        call = run.opened(uid)
        return None if call is None else self._before(run, call)

    def ask_end(self, scope: str, answer: str | None = None) -> Verdict | None:
        """Return whether a run may end with an answer; None when no such run is open.

        For the main conversation it is what a live host asks before it tells the end, or that the
        answer is held back (`HELD_BACK`); the verdict is given again with either. A refusal does
        not take the answer of a delegated run away (DL-14): it reaches the parent marked as
        unverified, and the receipts are merged in any case.
        """
        run = self.runs.get(scope)
        if run is None:
            return None
        return turn_end.would_end(run.gates, TurnEnd(turn=self.turn, answer=answer))

    def advice(self, scope: str) -> Advice:
        """Return what loop guards say of a run's latest message, for a live host (DL-10).

        None is given to a run that has ended, and under a rule set without gates.
        """
        run = self.runs.get(scope)
        return run.gates.memory.advice if run and self.policy.evidence_gates else Advice()

    def answered(self, result: ToolResult) -> Sequence[Verdict]:
        """Take in a result: judge its call, leave its receipt, move what it moves."""
        uid = result.uid
        run = self.runs[MAIN if uid.startswith(IN_MAIN) else scope_of(uid)]
        opened = run.open.pop(uid, None)
        if opened is None:
            return NOTHING
        call, number = opened.call, opened.number
        late = result.outcome == "none" and number < run.ended
        if result.outcome != "none" and number > run.ended:
            run.ended = number
        if self.world is not None and uid.startswith(IN_MAIN) and call.name == PROXY:
            proxy = self.world.proxy
            if proxy.judges(call, result):
                return self._through_proxy(proxy, run, call, result)
        if late:
            return self._overtaken(run, opened, result)
        known, start = self._known.of(call), len(run.ledger.receipts)
        verdicts = self._judge(run, call, known, result)
        if verdicts is known.passed:
            refusal, outcome = None, result.outcome
        else:
            refusal, outcome = refusing(verdicts), settled(result.outcome, verdicts)
        record(self, run, call, known, result, outcome)
        if run.open or run.overtaking:
            run.settle_beside_others(start, number)
        run.gates.ended(call, known, result, outcome, refusal)
        if call.name in SIGN_OFFS and outcome == "ok":
            return self._held_to_list(run, result, verdicts)
        return verdicts

    def _overtaken(self, run: Run, opened: Opened, result: ToolResult) -> Sequence[Verdict]:
        """Answer for a call without a result after which later calls have ended; it moves nothing.

        Its gate would judge it by what those left, which it did not know, so no verdict is given.
        Nor is it told to the loop guards: when it ended among the others is not known.
        """
        call = opened.call
        known = self._known.of(call)
        verdicts: Sequence[Verdict] = ()
        if call.target in GATED:
            untold = msgspec.structs.replace(result, outcome="unknown")
            verdicts = self._judge(run, call, known, untold)
            run.judged = None
        record(self, run, call, known, result, "none")
        doubts.note(run, call, known.attempt, at=doubts.position_of(opened, run))
        return [not_assessable(v.gate, OVERTAKEN) for v in verdicts if v.gate != preflight.GATE]

    def _through_proxy(
        self, proxy: ProxyHost, run: Run, call: ToolCall, result: ToolResult
    ) -> Sequence[Verdict]:
        """Judge a call of the proxy, and leave what it left: its own receipt, and its target's."""
        passage = proxy.passage(call, run.gates)
        meant = passage.meant
        verdict = passage.judge(lambda: self._before(run, meant))
        if verdict.accepted:
            verdict = failing(tool_gates.judge(self, run, meant)) or verdict
        outcome = settled(result.outcome, (verdict,))
        left = passage.left(verdict, outcome)
        known = self._known.of(left)
        refusal = None if verdict.accepted else verdict
        record(self, run, left, known, result, outcome)
        run.gates.ended(left, known, result, outcome, refusal, settled=True)
        return (passage.settle(verdict, outcome),)

    def _before(self, run: Run, call: ToolCall) -> Verdict | None:
        """Ask the gates before a call, where this rule set has them."""
        if not self.policy.evidence_gates:
            return None
        return run.gates.before(call, self._known.of(call))

    def _held_to_list(
        self, run: Run, result: ToolResult, verdicts: Sequence[Verdict]
    ) -> Sequence[Verdict]:
        """Hold what a result says of the task list against the list as it is stored now (TW-10)."""
        if not self.policy.todo.told_list_agrees:
            return verdicts
        return [told_list.judge(verdict, result.text, run.tasks) for verdict in verdicts]

    def pass_by(self, pairs: Sequence[Pair]) -> int:
        """Take in calls of the main conversation that no gate has to look at (`host/passing.py`).

        Returns how many were taken in, from the first on. The next one needs a look: tell it by
        :meth:`called` and :meth:`answered`.
        """
        return pass_by(self.main, pairs, self._known) if pairs else 0

    def _judge(
        self, run: Run, call: ToolCall, known: KnownCall, result: ToolResult
    ) -> Sequence[Verdict]:
        """Ask the gates of this call: before it runs, then the gate of the tool itself."""
        before = run.gates.before(call, known) if self.policy.evidence_gates else None
        if before is not None:
            if not before.accepted:
                return (before,)
            if self.world is not None and run.scope == MAIN:
                told = self.world.judge(call, result, before)
                if told is not None:
                    return (told,)
            if known.plain and before is known.passed[0]:
                return known.passed
        if call.name in GOAL_TOOLS and call.target == call.name:
            return (self.goals.judge(call, result),)
        verdict = tool_gates.judge(self, run, call) or before
        return NOTHING if verdict is None else (verdict,)

    def _on_verdict(self, event: HostVerdict) -> Sequence[Verdict]:
        """Keep the host's own judgement of the end of the turn; it stands."""
        if event.gate == END_GATE and event.result != "unknown":
            self._recorded_end = event.result == "accept"
        return NOTHING

    def _on_turn_end(self, event: TurnEnd) -> Sequence[Verdict]:
        """Judge the end of a turn that the model wants to end; others just stop."""
        main = self.main
        self._last_goal = self._goal_scope()
        if not event.judge or event.status in ("interrupted", "failed"):
            main.gates.memory.message_ended()
            main.jobs.end_turn(passed=False)
            self.goals.turn_broke(event)
            return NOTHING
        verdict = turn_end.judge_end(main.gates, event)
        passed = verdict.accepted if self._recorded_end is None else self._recorded_end
        turn_end.finish(main.gates, passed=passed)
        main.jobs.end_turn(passed=passed)
        return (self.goals.turn_ended(verdict) or verdict,)


_HANDLERS = Handlers(
    {
        Host: host_events.take,
        Session: HostState._on_session,
        TurnStart: HostState._on_turn_start,
        User: HostState._on_user,
        ToolCall: HostState.called,
        ToolResult: HostState.answered,
        SubStart: delegated.start,
        SubEnd: delegated.end,
        TurnEnd: HostState._on_turn_end,
        HostVerdict: HostState._on_verdict,
    }
)
