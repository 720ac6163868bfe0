"""What the state machine leaves behind a call: receipts, list, child evidence, jobs."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from reasonix_runtime.gates.policy import CLASSIC, CONTRACT, FACTS, Policy
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import (
    MAIN,
    Host,
    Outcome,
    SharedArguments,
    SubEnd,
    SubStart,
    ToolCall,
    ToolResult,
    TurnEnd,
    TurnStart,
)

MANUAL = {"kind": "manual", "summary": "looked"}
SIGN = {"step": "1", "result": "done", "evidence": [MANUAL]}
LIST = {"todos": [{"content": "Alpha", "status": "in_progress"}, {"content": "Beta"}]}


class Session:
    """A host that is told what happens, one call a message unless a step is named."""

    def __init__(self, policy: Policy = CONTRACT, **setup: Any) -> None:
        self.state = HostState(policy)
        self.state.apply(Host(name="setup", data=setup))
        self._numbers = count(1)
        self.turns = 0
        self.turn()

    def turn(self) -> Session:
        self.turns += 1
        self.state.apply(TurnStart(turn=self.turns))
        return self

    def end(self, status: Any = "completed") -> Session:
        self.state.apply(TurnEnd(turn=self.turns, status=status, judge=False))
        return self

    def start(self, tool: str, args: Any = None, *, scope: str = MAIN, **more: Any) -> str:
        number = next(self._numbers)
        more.setdefault("step", f"s{number}")
        uid = f"{scope}#{number}"
        self.state.apply(ToolCall(uid=uid, name=tool, args=args or {}, **more))
        return uid

    def answer(
        self, uid: str, outcome: Outcome = "ok", text: str = "x", code: int | None = None
    ) -> Verdict | None:
        result = ToolResult(uid=uid, outcome=outcome, text=text, exit_code=code)
        return next(iter(self.state.apply(result)), None)

    def call(
        self,
        tool: str,
        args: Any = None,
        outcome: Outcome = "ok",
        text: str = "x",
        **more: Any,
    ) -> Verdict | None:
        return self.answer(self.start(tool, args, **more), outcome, text)

    def child(
        self, parent: str, *calls: tuple[str, dict[str, Any]], background: bool | None = None
    ) -> Session:
        scope = f"sub{parent.rpartition('#')[2]}"
        self.state.apply(SubStart(scope=scope, parent_uid=parent, background=background))
        for tool, args in calls:
            self.call(tool, args, scope=scope)
        self.state.apply(SubEnd(scope=scope, parent_uid=parent))
        return self

    @property
    def tools(self) -> list[str]:
        return [receipt.tool for receipt in self.state.main.ledger]

    @property
    def statuses(self) -> list[str]:
        return [task.status for task in self.state.main.tasks]


@pytest.mark.parametrize(
    ("outcome", "recorded"),
    [
        ("ok", True),
        ("error", True),
        ("cancelled", True),
        ("unknown", True),
        ("running", True),
        ("blocked", False),
        ("not_run", False),
        ("none", False),
    ],
)
def test_a_call_that_did_not_run_leaves_no_receipt(outcome: Outcome, recorded: bool) -> None:
    """EL-02: blocked calls are invisible; so is a call that was never answered."""
    session = Session()

    session.call("bash", {"command": "make test"}, outcome)

    assert recorded is bool(session.tools)


def test_a_proxy_call_leaves_its_own_receipt_and_that_of_its_target() -> None:
    """EL-02: the meta half is forced read-only and has no output."""
    session = Session()
    session.call(
        "use_capability",
        {"action": "call", "path": "not/a/path"},
        resolved_name="mcp__fs__write",
        resolved_args={"path": "a.py"},
    )

    meta, target = session.state.main.ledger
    assert ("use_capability", True, False, False) == (
        meta.tool,
        meta.read,
        meta.mutation,
        meta.has_output,
    )
    assert ("mcp__fs__write", False, True, True, ("a.py",)) == (
        target.tool,
        target.read,
        target.mutation,
        target.has_output,
        target.paths,
    )


def test_a_sign_off_that_advances_leaves_the_new_list_in_the_ledger() -> None:
    """EL-02: the synthetic list is what later calls of the turn are held against."""
    session = Session(tasks=LIST["todos"])

    session.call("complete_step", SIGN, "none")

    assert ["complete_step", "todo_write"] == session.tools
    assert ["completed", "in_progress"] == session.statuses


def test_a_renewal_leaves_no_new_list() -> None:
    """CS-15: nothing advanced."""
    session = Session(tasks=[{"content": "Alpha", "status": "completed"}])

    session.call("complete_step", SIGN, "none")

    assert ["complete_step"] == session.tools


def test_an_inherited_list_is_repaired() -> None:
    """EL-18."""
    assert ["in_progress", "pending"] == Session(
        tasks=[{"content": "A"}, {"content": "B"}]
    ).statuses


@pytest.mark.parametrize("policy", [CONTRACT, CLASSIC, FACTS])
def test_the_second_sign_off_of_a_message_fails_and_stays_on_record(policy: Policy) -> None:
    """CS-16: it is not executed, and can open the recovery of TW-07."""
    session = Session(policy, tasks=LIST["todos"])

    first = session.call("complete_step", SIGN, "none", step="m1")
    second = session.call("complete_step", {**SIGN, "step": "2"}, "none", step="m1")

    assert first is not None
    assert first.accepted
    assert second is not None
    assert "batch.second_signoff" == second.reason
    assert [True, False] == [
        receipt.success for receipt in session.state.main.ledger if receipt.tool == "complete_step"
    ]
    assert ["completed", "in_progress"] == session.statuses


def test_of_what_was_kept_from_running_only_a_second_sign_off_is_on_record() -> None:
    """CS-16: any other call that never ran leaves nothing, also behind a sign-off."""
    session = Session(tasks=LIST["todos"])
    session.call("complete_step", SIGN, step="m1")
    session.call("bash", {"command": "pytest"}, "blocked", step="m1")
    session.call("complete_step", SIGN, "blocked", step="m1")

    left = [tool for tool in session.tools if tool != "todo_write"]
    assert ["complete_step", "complete_step"] == left


def test_after_a_refused_sign_off_the_next_of_the_message_may_run() -> None:
    """CS-16: only a success closes the message."""
    session = Session(tasks=LIST["todos"])
    session.call("complete_step", {**SIGN, "evidence": []}, "none", step="m1")

    verdict = session.call("complete_step", SIGN, "none", step="m1")

    assert verdict is not None
    assert verdict.accepted


def test_a_delegate_hands_its_receipts_over_before_the_call() -> None:
    """EL-15: in order, without its bookkeeping."""
    session = Session()
    parent = session.start("task", {"prompt": "x"})
    session.child(parent, ("edit_file", {"path": "a"}), ("todo_write", LIST), ("ask", {}))
    session.answer(parent)

    assert ["edit_file", "task"] == session.tools
    assert [] == session.statuses


def test_a_delegate_that_fails_hands_over_all_the_same() -> None:
    """EL-15: what it changed is changed."""
    session = Session()
    parent = session.start("task", {"prompt": "x"})
    session.child(parent, ("edit_file", {"path": "a"}))
    session.answer(parent, "error")

    assert 0 == session.state.main.ledger.latest_mutation


def test_nested_delegates_hand_over_through_their_parents() -> None:
    """EL-15."""
    session = Session()
    outer = session.start("task", {"prompt": "x"})
    scope = "outer"
    session.state.apply(SubStart(scope=scope, parent_uid=outer))
    inner = session.start("task", {"prompt": "y"}, scope=scope)
    session.child(inner, ("edit_file", {"path": "a"}))
    session.answer(inner)
    session.state.apply(SubEnd(scope=scope, parent_uid=outer))
    session.answer(outer)

    assert ["edit_file", "task", "task"] == session.tools


def test_a_report_is_judged_only_where_the_tool_exists() -> None:
    """RV-01: for the parent it is an unknown tool."""
    report = {"kind": "review", "verdict": "pass", "reviewed_paths": ["a"]}

    parent = Session().call("review_report", report)
    reviewer = Session(role="review").call("review_report", report)

    assert parent is None or parent.gate != "review_report"
    assert reviewer is not None
    assert "report.path_not_read" == reviewer.reason


def test_the_shell_of_a_read_only_agent_leaves_reads() -> None:
    """EL-06."""
    session = Session(role="read_only_subagent")

    session.call("bash", {"command": "ls"})

    assert session.state.main.ledger[0].read


# -- turns ---------------------------------------------------------------------------------------


def test_a_turn_starts_with_an_empty_ledger_and_the_same_list() -> None:
    """EL-17, EL-18."""
    session = Session()
    session.call("todo_write", LIST)
    session.end().turn()

    assert [] == session.tools
    assert ["in_progress", "pending"] == session.statuses


@pytest.mark.parametrize(("policy", "kept"), [(CLASSIC, True), (CONTRACT, False)])
def test_the_next_run_of_a_goal_keeps_the_ledger_where_the_rules_say_so(
    policy: Policy, kept: bool
) -> None:
    """`goal_keeps_ledger` (EL-17)."""
    session = Session(policy, goal_active=True, goal={"text": "Ship it"})
    session.call("read_file", {"path": "a"})
    session.end().turn()

    assert kept is bool(session.tools)


# -- jobs ----------------------------------------------------------------------------------------

STARTED = 'Started background job "task-1".'
BACKGROUND = {"prompt": "x", "run_in_background": True}


def background_edit(session: Session) -> Session:
    parent = session.start("task", BACKGROUND)
    session.child(parent, ("edit_file", {"path": "a"}))
    session.answer(parent, text=STARTED)
    return session


def test_background_evidence_waits_for_the_end_of_its_job() -> None:
    """EL-16."""
    session = background_edit(Session())
    assert ["task"] == session.tools

    session.call("bash_output", {"job_id": "task-1"}, text="[task-1] running\n...")
    assert -1 == session.state.main.ledger.latest_mutation

    session.call("bash_output", {"job_id": "task-1"}, text="[task-1] done\nok")
    assert "edit_file" in session.tools


@pytest.mark.parametrize(
    ("asked", "told", "waits"),
    [({}, None, False), (BACKGROUND, None, True), ({}, True, True), (BACKGROUND, False, False)],
)
def test_a_recording_tells_what_runs_in_the_background(
    asked: dict[str, Any], told: bool | None, waits: bool
) -> None:
    """What was asked for counts where it does not say."""
    session = Session()
    parent = session.start("task", asked)
    session.child(parent, ("edit_file", {"path": "a"}), background=told)

    assert waits is ("edit_file" not in session.tools)


@pytest.mark.parametrize("uid", ["main#1", "main#7", "sub9#1"])
def test_the_end_of_a_job_may_be_told_by_the_call_that_started_it(uid: str) -> None:
    """A host whose results name no job says it as the event `job_ended`."""
    session = Session()
    parent = session.start("task", {})
    session.child(parent, ("edit_file", {"path": "a"}), background=True)
    session.answer(parent, "running", "launched")

    session.state.apply(Host(name="job_ended", data={"uid": uid, "outcome": "ok"}))

    assert (uid == parent) is ("edit_file" in session.tools)


@pytest.mark.parametrize("told", [True, False])
def test_a_run_that_goes_on_behind_the_answer_of_its_call_waits_for_its_end(told: bool) -> None:
    """What it ran is as old as its start: something was changed beside it."""
    session = Session()
    parent = session.start("task", {})
    session.answer(parent, "running", "launched")
    session.state.apply(SubStart(scope="sub1", parent_uid=parent, background=told))
    session.call("bash", {"command": "make test"}, scope="sub1")
    session.call("edit_file", {"path": "a"})
    session.state.apply(SubEnd(scope="sub1", parent_uid=parent))
    assert ["task", "edit_file"] == session.tools

    session.state.apply(Host(name="job_ended", data={"uid": parent, "outcome": "ok"}))

    assert [None, None, 0] == [receipt.began for receipt in session.state.main.ledger]


@pytest.mark.parametrize(
    ("outcome", "proved"), [("ok", True), ("error", False), ("cancelled", False), (None, False)]
)
def test_a_command_that_ended_well_in_the_background_ran(outcome: str | None, proved: bool) -> None:
    """Its start alone proves nothing."""
    session = Session()
    args = {"command": "make test", "run_in_background": True}
    uid = session.start("bash", args)
    session.answer(uid, "running", "goes on")

    if outcome is not None:
        session.state.apply(Host(name="job_ended", data={"uid": uid, "outcome": outcome}))

    assert proved is session.state.main.ledger.command_ran("make test")


def test_a_command_in_the_background_changed_what_it_names() -> None:
    """Else its end would be a change of anything, which nobody can look at."""
    session = Session()
    uid = session.start("bash", {"command": "echo x > a.py", "run_in_background": True})
    session.answer(uid, "running", "goes on")

    session.state.apply(Host(name="job_ended", data={"uid": uid, "outcome": "ok"}))

    assert [("a.py",), ("a.py",)] == [receipt.paths for receipt in session.state.main.ledger]


def test_while_planning_background_evidence_is_not_collected() -> None:
    """EL-16: planning looks at nothing that was done meanwhile."""
    session = background_edit(Session(plan_mode=True))

    session.call("wait", {}, text="[task-1] done\nok")

    assert "edit_file" not in session.tools


@pytest.mark.parametrize(("status", "changes"), [("running", True), ("done", False)])
def test_a_job_is_running_until_its_end_was_seen(status: str, changes: bool) -> None:
    """Killing a delegate that has ended changes nothing any more."""
    session = background_edit(Session())
    session.call("bash_output", {"job_id": "task-1"}, text=f"[task-1] {status}\nx")

    session.call("kill_shell", {"job_id": "task-1"})

    assert changes is session.state.main.ledger[-1].mutation


def test_background_evidence_is_merged_once_in_a_turn() -> None:
    """EL-16: once per turn and job."""
    session = background_edit(Session())
    for _ in range(2):
        session.call("wait", {}, text="[task-1 (x)] done\nok")

    assert 1 == session.tools.count("edit_file")


@pytest.mark.parametrize("status", ["interrupted", "failed"])
def test_background_evidence_of_a_turn_that_died_comes_again(status: str) -> None:
    """SCOPE-3: the change is still outstanding in the next turn."""
    session = background_edit(Session())
    session.call("wait", {}, text="[task-1] done\nok")

    session.end(status).turn()

    assert "edit_file" in session.tools


def test_background_evidence_of_a_turn_that_passed_is_collected_for_good() -> None:
    """EL-16."""
    session = Session(CLASSIC)
    background_edit(session)
    session.call("wait", {}, text="[task-1] done\nok")
    session.state.apply(TurnEnd(turn=1, status="completed", judge=True))

    assert "edit_file" not in session.turn().tools


@pytest.mark.parametrize(("policy", "receipts"), [(CONTRACT, 2), (CLASSIC, 1)])
def test_the_end_of_a_command_leaves_a_receipt_where_the_rules_ask_for_it(
    policy: Policy, receipts: int
) -> None:
    """`background_from_start`."""
    session = Session(policy)
    text = 'Started background job "bash-1".'
    session.call("bash", {"command": "make test", "run_in_background": True}, "running", text)

    session.call("wait", {}, text="[bash-1] done\nok")

    assert receipts == session.tools.count("bash")
    assert session.state.main.ledger.command_ran("make test")


@pytest.mark.parametrize("policy", [CONTRACT, CLASSIC], ids=lambda policy: policy.name)
@pytest.mark.parametrize(
    ("tool", "setup", "reason"),
    [
        ("todo_write", {}, "args.invalid"),
        ("complete_step", {}, "args.invalid"),
        ("review_report", {"role": "review"}, "report.json_invalid"),
        ("update_goal", {"goal": {"text": "ship it"}}, "goal.args"),
    ],
)
def test_arguments_that_are_no_json_are_refused_as_such(
    policy: Policy, tool: str, setup: dict[str, Any], reason: str
) -> None:
    """Without arguments a list would be cleared, and a host that refused be called too strict."""
    host = Session(policy, **setup)

    verdict = host.call(tool, None, "none", args_raw='{"todos": [{"con', args_ok=False)

    assert verdict is not None
    assert reason == verdict.reason


@pytest.mark.parametrize("policy", [CLASSIC, CONTRACT])
@pytest.mark.parametrize(
    ("todos", "reason"), [([], "preflight.criteria_required"), (LIST["todos"], None)]
)
def test_a_list_without_an_item_is_no_criterion(
    policy: Policy, todos: list[Any], reason: str | None
) -> None:
    """DL-02 G5: the flag comes with the first list that says something."""
    session = Session(policy, profile="delivery")
    session.call("todo_write", {"todos": todos})

    uid = session.start("edit_file", {"path": "a.py"})
    (verdict,) = session.state.apply(ToolResult(uid=uid, outcome="none", text=""))

    assert reason == verdict.reason


def test_a_proxy_call_is_judged_by_its_target_however_often_it_is_made() -> None:
    """The same arguments of the proxy may reach another target, after a reload of its server."""
    args = SharedArguments({"action": "call", "capability_id": "x"})
    session = Session(CLASSIC, profile="delivery")
    reasons = []
    for target in ("read_file", "mcp__fs__write", "read_file"):
        given = {"resolved_name": target, "resolved_args": {"path": "a.py"}}
        uid = session.start("use_capability", args, **given)
        (verdict,) = session.state.apply(ToolResult(uid=uid, outcome="none", text=""))
        reasons.append(verdict.reason)

    assert [None, "preflight.criteria_required", None] == reasons


@pytest.mark.parametrize(
    ("errors", "reason"), [(["full", "full"], "guard.repeat_failure"), (["full", "locked"], None)]
)
def test_a_failure_is_the_same_when_its_first_line_is(
    errors: list[str], reason: str | None
) -> None:
    """DL-10: what the host let run and what failed otherwise this time is another finding."""
    session = Session()
    for text in errors:
        session.call("write_file", {"path": "a.py", "content": "x"}, "error", text)

    uid = session.start("write_file", {"path": "a.py", "content": "x"})
    (verdict,) = session.state.apply(ToolResult(uid=uid, outcome="none", text=""))

    assert reason == verdict.reason


@pytest.mark.parametrize(
    ("text", "error", "accepted"),
    [("cancelled: by the user", "cancelled", True), ("half of it", "killed", False)],
)
def test_of_an_earlier_turn_a_call_that_was_taken_back_counts_for_classic(
    text: str, error: str, accepted: bool
) -> None:
    """EL-19 T1: it only skips results that say `error:`; what was cut off ended with one."""
    session = Session(CLASSIC)
    uid = session.start("bash", {"command": "pytest -q"})
    session.state.apply(ToolResult(uid=uid, outcome="cancelled", text=text, error=error))
    session.end().turn()

    cited = {"kind": "verification", "summary": "green", "command": "pytest -q"}
    uid = session.start("complete_step", {"step": "x", "result": "done", "evidence": [cited]})
    (verdict,) = session.state.apply(ToolResult(uid=uid, outcome="none", text=""))

    assert accepted is verdict.accepted


@pytest.mark.parametrize(
    ("text", "accepted"),
    [
        ("error: exit status 1", False),
        ("blocked: not now", False),
        ("error:", False),
        ("Error: exit status 1", True),
        (" error: exit status 1", True),
        ("1 error: none new", True),
        ("cancelled: by the user", True),
    ],
)
@pytest.mark.parametrize("policy", [CLASSIC, FACTS, CONTRACT], ids=lambda policy: policy.name)
def test_of_an_earlier_turn_the_text_of_a_result_tells_whether_it_failed(
    policy: Policy, text: str, accepted: bool
) -> None:
    """EL-19 T1: a conversation keeps texts; where outcomes are kept they say more (`contract`)."""
    session = Session(policy)
    session.call("bash", {"command": "pytest -q"}, "ok", text)
    session.end().turn()

    cited = {"kind": "verification", "summary": "green", "command": "pytest -q"}
    verdict = session.call(
        "complete_step", {"step": "x", "result": "done", "evidence": [cited]}, "none"
    )

    assert verdict is not None
    assert (accepted or policy is CONTRACT) is verdict.accepted


@pytest.mark.parametrize(
    ("said", "proves"), [("Tests:  3 passed, 3 total", True), ("Done.", False), ("", False)]
)
@pytest.mark.parametrize("background", [False, True])
def test_a_check_that_passes_without_tests_proves_what_its_output_tells(
    background: bool, said: str, proves: bool
) -> None:
    """Its status is the same without a test; the refusal says so."""
    session = Session()
    command = "npx jest --passWithNoTests"
    if background:
        args = {"command": command, "run_in_background": True}
        session.call("bash", args, text='Started background job "bash-1".')
        session.call("wait", {"job_ids": ["bash-1"]}, text=f"[bash-1] done\n{said}")
    else:
        session.call("bash", {"command": command}, text=said)

    cited = {"kind": "verification", "summary": "green", "command": "npx jest"}
    args = {"step": "x", "result": "done", "evidence": [cited]}
    verdict = session.call("complete_step", args, "none")

    assert verdict is not None
    assert proves is verdict.accepted
    assert proves or "its output tells of none that ran" in str(verdict.message)
