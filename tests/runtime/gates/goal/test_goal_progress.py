"""What a turn of a goal leaves that counts as visible progress."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.evidence.ledger_rules import CONTRACT_LEDGER
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates.goal.policy import CLASSIC_GOAL, CONTRACT_GOAL
from reasonix_runtime.gates.goal.progress import progress_facts


def kinds(*calls: tuple[str, dict[str, Any], str], rules: Any = CONTRACT_GOAL) -> list[str]:
    """Return the kinds of facts that these calls leave, each fact once."""
    receipts = [
        receipt_of(tool, args, rules=CONTRACT_LEDGER, outcome=outcome)
        for tool, args, outcome in calls
    ]
    return sorted(fact[0] for fact in progress_facts(receipts, (), rules))


OPEN_LIST = {"todos": [{"content": "Build it", "status": "pending"}]}


@pytest.mark.parametrize(
    ("tool", "args", "outcome", "left"),
    [
        ("edit_file", {"path": "a.py"}, "ok", ["call"]),
        ("edit_file", {"path": "a.py"}, "error", []),
        ("bash", {"command": "pytest -q"}, "ok", ["command"]),
        ("bash", {"command": "pytest -q"}, "error", ["command"]),
        ("complete_step", {"step": "1"}, "ok", ["call"]),
        ("review_report", {"kind": "review"}, "ok", ["review"]),
        ("todo_write", OPEN_LIST, "ok", []),
        ("update_goal", {"status": "continue"}, "ok", []),
        ("ask", {"questions": []}, "ok", []),
        ("wait", {"job_id": "1"}, "ok", []),
    ],
)
def test_only_work_is_progress(
    tool: str, args: dict[str, Any], outcome: str, left: list[str]
) -> None:
    """A list that is written anew with the same items moved nothing, nor did waiting for a job."""
    assert left == kinds((tool, args, outcome))


@pytest.mark.parametrize(
    ("rules", "left"), [(CONTRACT_GOAL, ["read", "search"]), (CLASSIC_GOAL, [])]
)
def test_the_first_look_is_progress_where_the_rules_say_so(rules: Any, left: list[str]) -> None:
    look = ("read_file", {"path": "a.py"}, "ok")
    search = ("grep", {"pattern": "x"}, "ok")

    assert left == kinds(look, search, look, search, rules=rules)


@pytest.mark.parametrize(
    ("one", "other", "left"),
    [
        (("read_file", {"path": "a"}), ("read_file", {"path": "b"}), ["read", "read"]),
        (("ls", {"path": "a"}), ("ls", {"path": "b"}), ["search", "search"]),
        (("read_file", {}), ("read_file", {}), ["search"]),
        (("move_file", {"from": "a"}), ("move_file", {"from": "b"}), ["call", "call"]),
        (
            ("move_file", {"from": "a", "to": "b"}),
            ("move_file", {"to": "b", "from": "a"}),
            ["call"],
        ),
    ],
)
def test_what_a_call_is_about_tells_it_from_others(
    one: tuple[str, Any], other: tuple[str, Any], left: list[str]
) -> None:
    """A repetition moves nothing, however its arguments are ordered."""
    assert left == kinds((*one, "ok"), (*other, "ok"))


def test_a_new_state_of_the_list_is_progress() -> None:
    pending, done = (Task(content="Build it", status=status) for status in ("pending", "completed"))

    before, after = (progress_facts((), [task], CONTRACT_GOAL) for task in (pending, done))

    assert [1, 1] == [len(after), len(after - before)]
