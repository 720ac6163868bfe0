"""The class of a goal text."""

from __future__ import annotations

import pytest

from reasonix_runtime.gates.goal.budget import QUOTA, budget_class
from reasonix_runtime.gates.goal.state import BudgetClass, ResearchMode

SIMPLE, WRITE, RESEARCH = BudgetClass.SIMPLE, BudgetClass.WRITE, BudgetClass.RESEARCH


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("add dark mode", WRITE),
        ("Please fix the parser, then run the tests", WRITE),
        ("do not modify a.go, but refactor b.go", WRITE),
        ("explain the lexer; also update the docs", WRITE),
        ("the login page crashes on start", WRITE),
        ("tests are failing since yesterday", WRITE),
        ("登录页面报错", WRITE),
        ("修复登录问题", WRITE),
        ("先分析，然后修复它", WRITE),
        ("make changes", WRITE),
        ("make sure that it builds", WRITE),
        ("make a list of the modules", SIMPLE),
        ("make what changes visible", SIMPLE),
        ("why did you add a cache", SIMPLE),
        ("don’t fix it", SIMPLE),
        ("do not modify anything", SIMPLE),
        ("only look at the crash, without changing code", SIMPLE),
        ("why does the build fail", SIMPLE),
        ("does it crash?", SIMPLE),
        ("explain the error", SIMPLE),
        ("diagnose the crash", SIMPLE),
        ("review the code and report issues", SIMPLE),
        ("分析这个错误", SIMPLE),
        ("不要修改代码", SIMPLE),
        ("只分析不要修改代码", SIMPLE),
        ("只排查不要修改代码", SIMPLE),
        ("研究这个项目", SIMPLE),
        ("what is the weather", SIMPLE),
        ("deep research on parsers", RESEARCH),
        ("keep researching until nothing new turns up", RESEARCH),
        ("深入研究这个项目", RESEARCH),
    ],
)
def test_the_class_of_a_text(text: str, expected: BudgetClass) -> None:
    """The class decides how many turns an unattended loop may take."""
    assert expected == budget_class(text, ResearchMode.AUTOMATIC)


def test_the_mode_decides_before_the_text() -> None:
    """A user who chose the mode is not second-guessed."""
    assert RESEARCH == budget_class("what is the weather", ResearchMode.ON)
    assert SIMPLE == budget_class("deep research on parsers", ResearchMode.OFF)


def test_the_quotas() -> None:
    """The numbers are part of the contract."""
    assert {SIMPLE: 10, WRITE: 20, RESEARCH: 40} == dict(QUOTA)
