"""Tools that keep books, through the gates, and the receipts that calls leave."""

from __future__ import annotations

from typing import Any

import pytest
from tool_bench import Bench

from reasonix_runtime.gates.policy import CONTRACT, UNGATED
from reasonix_runtime.host.state import HostState
from reasonix_runtime.tools.dispatch import Toolbox
from reasonix_runtime.trace.events import ToolCall, ToolResult, TurnStart

ONE = [{"content": "Fix add", "status": "in_progress"}]


@pytest.fixture
def turn(bench: Bench) -> Bench:
    """Begin a turn."""
    bench.state.apply(TurnStart(turn=1))
    return bench


def statuses(bench: Bench) -> list[str]:
    return [task.status for task in bench.state.main.tasks]


def test_a_list_is_stored_when_its_gate_accepts_it(turn: Bench) -> None:
    """And counted in the answer."""
    todos = [*ONE, {"content": "Test it", "status": "pending"}]

    text = turn.ok("todo_write", todos=todos)

    assert text == "Todos updated: 2 total — 0 completed, 1 in progress, 1 pending."
    assert statuses(turn) == ["in_progress", "pending"]


@pytest.mark.parametrize(
    ("todos", "reason"),
    [
        ([{"content": " ", "status": "pending"}], None),
        ([{"content": "a", "status": "pending"}], "todo_write.no_current"),
        (
            [{"content": "a", "status": "in_progress"}, {"content": "b", "status": "in_progress"}],
            None,
        ),
        ([{"content": "a", "status": "in_progress", "level": 1}], None),
        ([{"content": "a", "status": "completed"}], "todo_write.initial_completed"),
    ],
)
def test_a_list_that_its_gate_refuses_changes_nothing(
    turn: Bench, todos: list[dict[str, Any]], reason: str | None
) -> None:
    """The refusal is the gate's, with its reason and its words."""
    result = turn.call("todo_write", todos=todos)

    assert result.outcome == "error"
    assert result.text == f"error: {result.verdicts[0].message}\n"
    assert reason in (None, result.verdicts[0].reason)
    assert statuses(turn) == []


def test_a_step_is_signed_off_by_what_really_happened(turn: Bench) -> None:
    """The evidence is looked up among the receipts that the calls of this turn left."""
    turn.ok("todo_write", todos=ONE)
    evidence = [{"kind": "verification", "summary": "it works", "command": "test -e a.py"}]
    step = {"step": "Fix add", "result": "done", "evidence": evidence}

    early = turn.call("complete_step", **step)
    turn.ok("write_file", path="a.py", content="x = 1\n")
    turn.fails("bash", command="test -e a.py && false")
    failed = turn.call("complete_step", **step)
    turn.ok("bash", command="test -e a.py")
    text = turn.ok("complete_step", **step)

    assert [early.verdicts[0].decision, failed.verdicts[0].decision] == ["reject", "reject"]
    assert text.startswith('Step "Fix add" signed off with 1 evidence')
    assert statuses(turn) == ["completed"]


def test_a_goal_report_needs_a_goal_turn(turn: Bench) -> None:
    """Elsewhere it fails closed and says that nothing was changed."""
    assert turn.fails("update_goal", status="complete") == (
        "No goal turn is running. No goal state was changed.\n"
    )


def test_a_rule_set_without_the_gate_refuses_the_tool(turn: Bench) -> None:
    """What nobody judges must not look accepted."""
    box = Toolbox(turn.context, state=HostState(UNGATED))

    result = box.call(
        "complete_step", {"result": "x", "evidence": [{"kind": "manual", "summary": "x"}]}
    )

    assert result.outcome == "blocked"


def test_calls_leave_the_receipts_that_gates_ask_for(turn: Bench) -> None:
    """Reads, writes, commands and failures, each as what it was."""
    turn.ok("write_file", path="a", content="x\n")
    turn.ok("read_file", path="a")
    turn.fails("edit_file", path="a", old_string="nix", new_string="y")
    turn.fails("bash", command="exit 3")
    turn.ok("bash", command="ls")
    turn.ok("kill_shell", job_id="bash-9")
    turn.call("read_file", pth="a")

    receipts = [
        (r.tool, r.success, r.read, r.write, r.mutation, r.paths, r.exit_code)
        for r in turn.state.main.ledger.receipts
    ]

    assert receipts == [
        ("write_file", True, False, True, True, ("a",), None),
        ("read_file", True, True, False, False, ("a",), None),
        ("edit_file", False, False, True, True, ("a",), None),
        ("bash", False, False, False, False, (), 3),
        ("bash", True, False, False, False, (), 0),
        ("kill_shell", True, False, False, False, (), None),
        ("read_file", False, True, False, False, (), None),
    ]


def test_a_job_leaves_its_receipt_when_its_end_is_seen(turn: Bench) -> None:
    """A start proves nothing yet."""
    turn.ok("bash", command="true", run_in_background=True)
    start = turn.state.main.ledger.receipts[-1]
    turn.ok("wait", job_ids=["bash-1"])
    end = turn.state.main.ledger.receipts[-1]

    assert (start.background, start.settled) == (True, False)
    assert (end.tool, end.success) == ("bash", True)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("pytest -q; echo $?", "preflight.exit_masked"),
        ("touch made; pytest -q", "preflight.mixed_mutation_verification"),
    ],
)
def test_the_host_refuses_before_anything_runs(turn: Bench, command: str, reason: str) -> None:
    """A refusal that comes after the command is none."""
    result = turn.call("bash", command=command)

    assert (result.outcome, result.verdicts[0].reason) == ("blocked", reason)
    assert result.text.startswith("blocked: ")
    assert not (turn.root / "made").exists()
    assert len(turn.state.main.ledger.receipts) == 0


def test_the_third_equal_write_of_a_turn_is_stopped(turn: Bench) -> None:
    """With a hint, and without being run."""
    for _ in range(2):
        turn.ok("write_file", path="a", content="x")
    turn.put("a", "changed by somebody else")

    result = turn.call("write_file", path="a", content="x")

    assert result.text.startswith("blocked: [loop guard] ")
    assert turn.get("a") == b"changed by somebody else"


def test_the_third_equal_failure_is_stopped_until_something_changed(turn: Bench) -> None:
    """The same call would fail the same way."""
    turn.put("a", "x")
    edit = {"path": "a", "old_string": "nix", "new_string": "y"}
    for _ in range(2):
        turn.fails("edit_file", **edit)
    assert turn.call("edit_file", **edit).text.startswith("blocked: [loop guard] ")

    turn.ok("write_file", path="a", content="nix")

    turn.ok("edit_file", **edit)


def test_a_range_is_deleted_after_a_fresh_read_only(turn: Bench) -> None:
    """Anchors of a file that was written in this turn may have moved."""
    turn.ok("write_file", path="a", content="x\ny\n")
    delete = {"path": "a", "start_anchor": "x", "end_anchor": "x"}
    assert turn.call("delete_range", **delete).text.startswith("blocked: [fresh read required] ")
    turn.ok("read_file", path="a", limit=1)
    assert turn.call("delete_range", **delete).outcome == "blocked"

    turn.ok("read_file", path="a")

    turn.ok("delete_range", **delete)


def test_a_live_run_replayed_gives_the_same_receipts_and_verdicts(turn: Bench) -> None:
    """What the toolbox tells its listener is the trace that a replay reads."""
    turn.ok("todo_write", todos=ONE)
    turn.ok("write_file", path="a", content="x")
    turn.fails("bash", command="exit 2")
    turn.call("bash", command="pytest; echo $?")
    turn.ok("bash", command="true", run_in_background=True)
    turn.ok("wait", job_ids=["bash-1"])
    live = turn.ok(
        "complete_step",
        step="Fix add",
        result="done",
        evidence=[{"kind": "diff", "summary": "a", "paths": ["a"]}],
    )
    replayed = HostState(CONTRACT)
    replayed.apply(TurnStart(turn=1))

    verdicts = [verdict for event in turn.events for verdict in replayed.apply(event)]

    assert live
    # A call that was judged while it ran has its result recorded before its text is known.
    told = [replace_output(receipt) for receipt in turn.state.main.ledger.receipts]
    assert [replace_output(receipt) for receipt in replayed.main.ledger.receipts] == told
    assert replayed.main.tasks == turn.state.main.tasks
    assert [verdict.gate for verdict in verdicts if not verdict.accepted] == ["preflight"]
    assert all(isinstance(event, ToolCall | ToolResult) for event in turn.events)


def replace_output(receipt: Any) -> Any:
    """Return a receipt without its output where the call was judged while it ran."""
    import msgspec

    judged = receipt.tool in ("todo_write", "complete_step")
    return msgspec.structs.replace(receipt, has_output=False) if judged else receipt
