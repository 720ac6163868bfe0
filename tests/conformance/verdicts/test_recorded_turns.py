"""The recorded verdicts of the classic host about whole turns."""

from __future__ import annotations

from typing import Any

import pytest
from places import RECORDED

from reasonix_conformance.verdicts.agreement import assess
from reasonix_conformance.verdicts.turn import turn
from reasonix_runtime.gates.policy import CLASSIC, CONTRACT
from reasonix_runtime.gates.verdict import switched_off


def test_every_recorded_turn_is_recomputed() -> None:
    """Calls, refusals, guards, task list and end: what the classic host did is the yardstick."""
    agreement = assess([RECORDED / "turn.jsonl"], rules="classic")

    assert [] == agreement.disagreements
    assert agreement.kinds["turn"].lines > 300


@pytest.mark.slow
@pytest.mark.parametrize(
    "reason",
    [
        "finish.inspection_missing",
        "finish.loop_guard",
        "finish.mutation_missing",
        "finish.project_check_missing",
        "finish.signoff_missing",
        "finish.todos_incomplete",
        "finish.verification_missing",
        "guard.planning",
        "guard.repeat_success",
        "guard.stale_anchor",
        "preflight.active_todo_required",
        "preflight.criteria_required",
        "preflight.exit_masked",
        "preflight.failed_change_barrier",
        "preflight.inline_opaque",
        "preflight.mixed_mutation_verification",
    ],
)
def test_without_a_rule_some_recorded_turn_is_decided_otherwise(reason: str) -> None:
    """An agreement that no rule can disturb would say nothing about the rules."""
    with switched_off(reason):
        assert assess([RECORDED / "turn.jsonl"], rules="classic").disagreements


def call(tool: str, output: str = "ok", *, success: bool = True, **args: Any) -> dict[str, Any]:
    """Return one scripted call."""
    return {"tool": tool, "args": args, "success": success, "output": output}


def test_a_refused_call_takes_no_scripted_result() -> None:
    """The next equal call, in whichever order its arguments stand, gets that of the refused one."""
    rounds = [
        [call("bash", command="pytest", timeout=9, success=False)],
        [call("todo_write", todos=[{"content": "Run", "status": "in_progress"}])],
        [call("bash", timeout=9, command="pytest")],
    ]

    out = turn({"profile": "delivery", "rounds": rounds}, CLASSIC)

    assert [
        [{"outcome": "blocked", "reason": "preflight.criteria_required"}],
        [{"outcome": "ok"}],
        [{"outcome": "error", "reason": "tool.failed"}],
    ] == out["calls"]


@pytest.mark.parametrize("goal", [False, True])
def test_an_earlier_turn_leaves_its_calls_and_no_ledger(*, goal: bool) -> None:
    """A goal concerns `update_goal` alone: what was changed earlier owes nothing here."""
    rounds = [[call("read_file", path="b.py") | {"read_only": True}]]
    history = [call("edit_file", path="a.py", old_string="a", new_string="b")]

    out = turn(
        {"profile": "delivery", "task": "x", "goal": goal, "history": history, "rounds": rounds},
        CLASSIC,
    )

    assert out["accept"]


@pytest.mark.parametrize(
    ("history", "told"),
    [
        ([], {"outcome": "error", "reason": "verification.command_not_run"}),
        ([call("bash", command="pytest")], {"outcome": "ok"}),
        (
            [call("bash", command="pytest", success=False)],
            {"outcome": "error", "reason": "verification.command_not_run"},
        ),
    ],
)
def test_what_ran_in_an_earlier_turn_can_be_cited(
    history: list[dict[str, Any]], told: dict[str, str]
) -> None:
    """CS-09: a good run of it proves something, and a failed one is no failure of this turn."""
    cited = {"kind": "verification", "summary": "s", "command": "pytest"}
    rounds = [[call("complete_step", step="Test", result="done", evidence=[cited])]]

    assert [[told]] == turn({"history": history, "rounds": rounds}, CLASSIC)["calls"]


def test_a_report_that_is_called_directly_is_executed() -> None:
    """What is written of its result is ignored; the receipts of the run decide."""
    report = {"kind": "review", "verdict": "pass", "reviewed_paths": ["a.py"]}
    read = call("read_file", path="a.py") | {"read_only": True}
    rounds = [[call("review_report", **report)], [read], [call("review_report", **report)]]

    out = turn({"profile": "ordinary", "rounds": rounds}, CLASSIC)

    assert [
        [{"outcome": "error", "reason": "report.path_not_read"}],
        [{"outcome": "ok"}],
        [{"outcome": "ok"}],
    ] == out["calls"]


def test_what_a_refusal_tells_of_failed_calls_makes_no_other_answer() -> None:
    """DL-10: three messages, one answer, though only later ones know of the failed change."""
    signed = {"kind": "diff", "summary": "s", "paths": ["a.py"]}
    message = [
        call("complete_step", step="Fix", result="done", evidence=[signed]),
        call("delete_range", path="a.py", success=False, output="not found"),
    ]

    assert turn({"rounds": [message] * 3}, CONTRACT)["guards"]
    assert not turn({"rounds": [message] * 2}, CONTRACT)["guards"]
