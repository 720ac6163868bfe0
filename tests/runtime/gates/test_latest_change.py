"""What the end of a turn says of the latest change (DL-05, DL-06)."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.owed.bearings import Role
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.gates.capability import Route, RouteOutcome, RoutePolicy
from reasonix_runtime.gates.checkpoint import Checkpoint
from reasonix_runtime.gates.delivery.by_loop import LoopTurn, bearings, judge
from reasonix_runtime.gates.delivery.policy import GuardRelease, RiskScope
from reasonix_runtime.gates.delivery.turn_end import STOPPED, UNCHANGED
from reasonix_runtime.gates.policy import CLASSIC
from reasonix_runtime.gates.verdict import Verdict, switched_off

Call = tuple[str, dict[str, Any]]

TODO = ("todo_write", {"todos": [{"content": "Write parser", "status": "in_progress"}]})
DOCUMENT = ("edit_file", {"path": "README.md"})
EDIT = ("edit_file", {"path": "src/a.py"})
SENSITIVE = ("edit_file", {"path": "src/auth/login.py"})
FAILED = ("edit_file", {"path": "src/auth/login.py", "outcome": "error"})
UNFLAGGED = ("edit_file", {"path": "src/b.py", "read_only": True})
LOOK = ("read_file", {"path": "src/a.py"})
SEEN = ("read_file", {"path": "src/auth/login.py"})
SHELL = ("bash", {"command": "./generate"})
LIST = ("bash", {"command": "ls"})
CHECK = ("bash", {"command": "pytest -q"})
OWN_CHECK = ("bash", {"command": "ls LICENSE"})
CITED = [{"kind": "verification", "summary": "green", "command": "pytest -q"}]
DONE = ("complete_step", {"step": "1", "result": "r", "evidence": CITED})
MEMORY = frozenset({"persistent"})
GONE = (Route(id="skill:a", policy=RoutePolicy.REQUIRE, outcome=RouteOutcome.UNAVAILABLE),)
ORDINARY = {"closed_loop": False}
HANDED_OVER = {"criteria": True, "checkpoint": Checkpoint(mutation=True)}
PENDING = {"criteria": True, "checkpoint": Checkpoint(pending=True)}


def report(*paths: str, kind: str = "review") -> Call:
    """Return a report that finds nothing against files."""
    return ("review_report", {"kind": kind, "verdict": "pass", "reviewed_paths": [*paths]})


def turn(*calls: Call, **given: Any) -> LoopTurn:
    """Return a closed loop after calls, which succeeded unless their outcome is told."""
    ledger = Ledger(CLASSIC.ledger)
    for tool, told in calls:
        facts = {name: told[name] for name in ("outcome", "read_only") if name in told}
        args = {name: value for name, value in told.items() if name not in facts}
        ledger.record(receipt_of(tool, args, rules=CLASSIC.ledger, output="x", **facts))
    settings = {"closed_loop": True, "reviews": CLASSIC.reviews, "risk": CLASSIC.risk} | given
    return LoopTurn(ledger=ledger, **settings)


def end(*calls: Call, **given: Any) -> Verdict:
    """Judge the end of that turn."""
    return judge(turn(*calls, **given))


@pytest.mark.parametrize(
    ("calls", "given", "reasons"),
    [
        ((), {"answer": ""}, ["finish.answer_missing"]),
        ((), {"answer": "x"}, []),
        ((LIST,), {"routes": GONE}, []),
        ((DOCUMENT,), ORDINARY | {"routes": GONE}, ["capability.required_unavailable"]),
        ((), {"stands_down": True, "guard_release": GuardRelease.STOP}, ["finish.loop_guard"]),
        ((), {"guard_release": GuardRelease.STOP}, []),
        ((TODO, SHELL), ORDINARY, ["finish.todos_incomplete"]),
        ((TODO, SHELL), ORDINARY | {"stands_down": True}, []),
        ((TODO, SHELL), ORDINARY | {"stands_down": True, "expects": MEMORY}, []),
        (
            (UNFLAGGED,),
            ORDINARY | {"expects": MEMORY, "project_checks": ("ls LICENSE",)},
            ["finish.project_check_missing"],
        ),
        (
            (CHECK,),
            {"criteria": True, "project_checks": ("ls LICENSE",)},
            ["finish.signoff_missing", "finish.verification_missing"],
        ),
        ((DONE, CHECK), {"criteria": True}, ["finish.verification_missing"]),
        ((CHECK, DONE), HANDED_OVER, ["finish.inspection_missing"]),
        ((CHECK, DONE, LOOK), HANDED_OVER, []),
        (
            (UNFLAGGED, CHECK, DONE),
            HANDED_OVER | {"project_checks": ("ls LICENSE",)},
            [
                "finish.verification_missing",
                "finish.inspection_missing",
                "finish.project_check_missing",
            ],
        ),
        ((SENSITIVE, SEEN, CHECK, DONE), {"criteria": True}, ["review.high_missing_review"]),
    ],
)
def test_what_is_open_at_the_end(
    calls: tuple[Call, ...], given: dict[str, Any], reasons: list[str]
) -> None:
    """All of it is told, in the order in which it is asked, and of the reviews the first one."""
    assert reasons == [*end(*calls, **given).facts.get("reasons", ())]


@pytest.mark.parametrize(
    ("calls", "scope", "risk"),
    [
        ((LIST,), RiskScope.LATEST, "none"),
        ((DOCUMENT,), RiskScope.LATEST, "low"),
        ((EDIT,), RiskScope.LATEST, "medium"),
        ((SENSITIVE,), RiskScope.LATEST, "high"),
        ((SENSITIVE, DOCUMENT), RiskScope.LATEST, "low"),
        ((SENSITIVE, DOCUMENT), RiskScope.SINCE_PASSED_END, "high"),
        ((DOCUMENT, FAILED), RiskScope.LATEST, "low"),
    ],
)
def test_the_latest_change_is_rated(calls: tuple[Call, ...], scope: RiskScope, risk: str) -> None:
    """DL-04 R0: not what failed after it, and what was changed before it only where asked."""
    verdict = end(*calls, risk_scope=scope, **ORDINARY)

    assert (risk, UNCHANGED if risk == "none" else "") == (verdict.facts["risk"], verdict.message)


def test_a_review_covers_what_was_written_after_the_change() -> None:
    """Also by a writer that the registry takes for one that only reads (DL-07)."""
    reviewed = report("src/auth/login.py"), report("src/auth/login.py", kind="security")
    before = (SENSITIVE, SEEN, CHECK, DONE)

    assert () == end(*before, *reviewed, criteria=True).facts["missing"]
    assert ("review",) == end(*before, UNFLAGGED, *reviewed, criteria=True).facts["missing"]


@pytest.mark.parametrize(
    ("calls", "given", "said"),
    [
        ((EDIT,), {}, "nobody looked at `src/a.py` after the change"),
        ((SHELL,), {}, "nobody looked at what `bash` changed after the change"),
        ((), PENDING, "nobody looked at the pending change after the change"),
        ((EDIT,), {"criteria": True}, "1. nobody looked at"),
        ((EDIT,), {}, "No command ran since."),
        ((LIST, EDIT), {}, "No command ran since."),
        ((EDIT, LOOK, LIST), {}, "What ran since: `ls`."),
    ],
)
def test_a_refusal_names_the_change_and_what_ran_since(
    calls: tuple[Call, ...], given: dict[str, Any], said: str
) -> None:
    """Who reads it sees which change is meant, and which of the runs could have been the check."""
    assert said in end(*calls, **given).message


def test_a_refusal_rests_on_the_change_that_nobody_reviewed() -> None:
    """A report shows where that is."""
    assert (1,) == end(LIST, EDIT, criteria=True).grounds


def test_what_the_pass_of_a_guard_does_not_forgive_is_told_alone() -> None:
    """DL-10: a memory that was not saved is owed as in any turn, and nothing else is."""
    verdict = end(expects=MEMORY, stands_down=True)

    assert ("finish.memory_not_saved",) == verdict.facts["reasons"]


def test_an_end_that_the_pass_of_a_guard_forgives_says_so() -> None:
    """Otherwise it reads as if nothing had been open (DL-05 F11)."""
    verdict = end(TODO, SHELL, stands_down=True)

    assert verdict.message.startswith("a loop guard stopped the run")
    assert verdict.facts["stood_down"]
    with switched_off(STOPPED):
        assert not end(TODO, SHELL, stands_down=True).accepted


@pytest.mark.parametrize(
    ("calls", "given", "expected"),
    [
        ((TODO, LOOK), {}, []),
        ((TODO, LIST), {}, [(0, Role.LIST)]),
        ((EDIT, LOOK), {}, [(0, Role.CHANGE), (1, Role.LOOK)]),
        (
            (EDIT, LOOK, LOOK, CHECK, LIST, DONE),
            {},
            [(0, Role.CHANGE), (2, Role.LOOK), (3, Role.CHECK), (5, Role.SIGN_OFF)],
        ),
        ((CHECK, EDIT, CHECK, LIST), {}, [(1, Role.CHANGE), (2, Role.CHECK)]),
        (
            (DOCUMENT, OWN_CHECK, LIST),
            {"project_checks": ("ls LICENSE",)},
            [(0, Role.CHANGE), (1, Role.CHECK)],
        ),
        ((OWN_CHECK, DOCUMENT), {"project_checks": ("ls LICENSE",)}, [(1, Role.CHANGE)]),
    ],
)
def test_an_end_rests_on_the_latest_change_and_what_was_done_about_it(
    calls: tuple[Call, ...], given: dict[str, Any], expected: list[tuple[int, Role]]
) -> None:
    """Of several looks and checks the latest one is what it rests on."""
    assert expected == sorted((one.at, one.role) for one in bearings(turn(*calls, **given)))
