"""Blocks that a host puts around a prompt, and those that its user quotes."""

from __future__ import annotations

import pytest

from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.prompt_blocks import blocks_around, inside
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import TurnStart, User

LANGUAGE = "<response-language>\nen\n</response-language>\n\n"
DELIVERY = "<delivery-runtime>\nrules\n</delivery-runtime>"
GOAL = "<active-goal>\nShip it\n</active-goal>"
PASTED = f"{LANGUAGE}fix it\n\n{DELIVERY}"


@pytest.mark.parametrize(
    ("prompt", "delivery"),
    [
        (f"{LANGUAGE}fix it\n\n{DELIVERY}", True),
        (f"fix it\n\n{DELIVERY}\n", True),
        (f"{DELIVERY}\n\nfix it", True),
        (f"{LANGUAGE}{DELIVERY}\n\nfix it", True),
        (f'fix it\n\n{DELIVERY}\n\n<note version="1">x</note>', True),
        (f"{LANGUAGE}fix it", False),
        (f"{LANGUAGE}why was this refused?\n\n{PASTED}\n\nI see no reason", False),
        (f"{LANGUAGE}why?\n```\n{PASTED}\n```", False),
        (f"{LANGUAGE}what is <delivery-runtime>?", False),
        ("</delivery-runtime> before <delivery-runtime>", False),
    ],
)
def test_the_profile_is_told_by_the_blocks_around_a_prompt(prompt: str, *, delivery: bool) -> None:
    """Who asks about a prompt works in no other profile."""
    state = HostState(CONTRACT)
    state.apply(TurnStart(turn=1))
    state.apply(User(turn=1, text="fix it", raw_text=prompt))

    assert delivery is state.main.gates.closed_loop


@pytest.mark.parametrize(
    ("prompt", "runs"),
    [
        (f"{LANGUAGE}{GOAL}\n\ngo on", True),
        (f"go on {GOAL}", True),
        (f"{LANGUAGE}what does {GOAL} mean?", False),
        (f"see\n```\n{GOAL}\n```\nwhy?", False),
    ],
)
def test_a_goal_is_told_by_the_blocks_around_a_prompt(prompt: str, *, runs: bool) -> None:
    """A goal that is quoted is nobody's."""
    state = HostState(CONTRACT)
    state.apply(TurnStart(turn=1))
    state.apply(User(turn=1, text="go on", raw_text=prompt))

    assert runs is state.goals.goal.running


def test_a_block_that_is_not_closed_is_none() -> None:
    """Nor is one of another name."""
    assert not blocks_around("active-goal", "<active-goal>\nShip it")
    assert not blocks_around("active-goal", f"{LANGUAGE}go on")


@pytest.mark.parametrize(
    ("prompt", "told"),
    [
        ("<goal>\na\n</goal>", "\na\n"),
        ("before <goal>a</goal> between <goal>b</goal>", "a"),
        ("</goal><goal>a</goal>", "a"),
        ("<goal><goal>a</goal>", "<goal>a"),
        ("<goal></goal>", ""),
        ("<goal>a", None),
        ("", None),
    ],
)
def test_what_stands_in_a_block_ends_at_its_first_end(prompt: str, told: str | None) -> None:
    """One that is not closed says nothing."""
    assert told == inside("goal", prompt)


def test_openings_without_an_end_are_read_once() -> None:
    """From each of many a pattern looks for an end up to that of the text."""
    assert inside("goal", "<goal>" * 300_000) is None
