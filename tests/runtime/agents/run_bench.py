"""A live session on a scripted model, for the tests of the loop: what it tells and judges."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from reasonix_conformance.replay.host_decisions import lets_pass
from reasonix_conformance.replay.results import Judged
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.agents.journal import Record
from reasonix_runtime.agents.model import Answer, Request
from reasonix_runtime.agents.pursuit import Pursuit
from reasonix_runtime.agents.script import Script, ScriptedAnswer, ScriptedCall, ScriptedModel
from reasonix_runtime.agents.session import AgentSession, RunSettings
from reasonix_runtime.agents.turn import TurnResult
from reasonix_runtime.gates.goal.life import SetGoal
from reasonix_runtime.gates.goal.state import GoalState, new_scope
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host.state import HostState
from reasonix_runtime.tools.support.jobs import Jobs
from reasonix_runtime.tools.support.workspace import Workspace
from reasonix_runtime.trace.events import Event


def says(text: str = "", *calls: ScriptedCall, **more: Any) -> ScriptedAnswer:
    """Make an answer."""
    return ScriptedAnswer(text=text, calls=calls, **more)


Answers = Sequence[ScriptedAnswer]


def calls(
    tool: str, raw: str | None = None, children: Sequence[Answers] = (), **args: Any
) -> ScriptedCall:
    """Make a call with arguments, or with their raw text; `children` are the answers of each."""
    if children:
        return ScriptedCall(tool=tool, args=args, children=tuple(map(tuple, children)))
    return (
        ScriptedCall(tool=tool, raw=raw) if raw is not None else ScriptedCall(tool=tool, args=args)
    )


class Asked(ScriptedModel):
    """A scripted model that remembers what it was asked."""

    def __init__(self, answers: Sequence[ScriptedAnswer]) -> None:
        super().__init__(Script(answers=tuple(answers)))
        self.requests: list[Request] = []

    def more(self, *answers: ScriptedAnswer) -> None:
        """Go on with further answers."""
        self._answers = (*self._answers, *answers)

    def answer(self, request: Request) -> Answer:
        """Remember the request, then answer it."""
        self.requests.append(request)
        return super().answer(request)


class Watched(HostState):
    """A state machine that remembers the verdicts it gave."""

    given: list[Verdict]

    def apply(self, event: Event) -> Sequence[Verdict]:
        """Take an event in, and remember what it was judged."""
        verdicts = super().apply(event)
        self.given = [*getattr(self, "given", ()), *verdicts]
        return verdicts


class Clock:
    """Goes on by a second whenever it is asked."""

    def __init__(self) -> None:
        self.now = datetime(2026, 8, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        """Return the next second."""
        self.now += timedelta(seconds=1)
        return self.now


class Live:
    """A session in a folder, recorded beside it."""

    def __init__(self, root: Path, *answers: ScriptedAnswer, **settings: Any) -> None:
        self.root = root / "ws"
        self.root.mkdir(exist_ok=True)
        self.file = root / "run.jsonl"
        self.record = Record(self.file)
        self.events: list[Event] = []
        self.kept: list[GoalState] = []
        self.model = Asked(answers)
        self.jobs = Jobs()
        ids = map("{:012x}".format, itertools.count(1)) if settings.pop("keeps", True) else None
        given = RunSettings(**settings)
        self.state = Watched(given.policy)
        self.session = AgentSession(
            self.model,
            Workspace(self.root),
            given,
            sid="live",
            clock=Clock(),
            jobs=self.jobs,
            child_ids=None if ids is None else ids.__next__,
            listeners=[self.events.append, self.record.take],
            state=self.state,
        )

    def turn(self, text: str = "go") -> TurnResult:
        """Take a turn."""
        return self.session.turn(text)

    def pursue(self, goal: str, text: str = "go") -> list[TurnResult]:
        """Give the session a goal and work on it."""
        pursuit = Pursuit(self.session, keep=self.kept.append)
        pursuit.set(SetGoal(text=goal, scope=new_scope(goal)))
        return list(pursuit.turns(text))

    @property
    def goal(self) -> GoalState:
        """The goal as it stands."""
        return self.state.goals.goal

    def close(self) -> None:
        """End what the session left running."""
        self.session.close()
        self.jobs.close()
        self.record.close()

    def told(self, kind: type[Event]) -> list[Any]:
        """Return the events of one kind."""
        return [event for event in self.events if type(event) is kind]

    def heard(self, role: str) -> list[str]:
        """Return what the model was told last in messages of one role."""
        return [
            message.text for message in self.model.requests[-1].messages if message.role == role
        ]


def replayed(file: Path) -> tuple[Judged, ...]:
    """Replay a record as the command does."""
    (result,) = file_results(file, Options())
    assert () == result.diagnostics
    return result.verdicts


def essence(verdicts: Sequence[Verdict]) -> list[Any]:
    """Return what of verdicts must be the same: what they say but the words, which are masked."""
    return [(v.gate, v.decision, v.reason, v.rule, dict(v.facts), v.grounds) for v in verdicts]


def assert_circle(live: Live) -> None:
    """Hold the verdicts of the replay against those of the run; the host is always agreed with."""
    live.session.close()  # what runs in the background is told no more
    judged = replayed(live.file)
    host = {id(one.verdict): one.host for one in judged}
    told = [v for v in live.state.given if not lets_pass(v, None)]
    again = [one.verdict for one in judged if not lets_pass(one.verdict, host[id(one.verdict)])]
    assert essence(told) == essence(again)
    assert set() == {one.agreement for one in judged} - {"agree", "unknown"}
