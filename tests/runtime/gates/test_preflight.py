"""Calls before they run: what is refused, in which order."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, classify
from reasonix_runtime.gates.preflight import Attempt, Situation, attempt_of, judge, refusals
from reasonix_runtime.gates.verdict import Decision, switched_off

OPEN = Situation()
CLOSED = Situation(closed_loop=True)
READY = Situation(closed_loop=True, criteria=True, current_task=True)


def bash(command: str, **more: bool) -> Attempt:
    """Return an attempt to run a command."""
    shell = classify(command, CLASSIC_COMMANDS)
    return attempt_of("bash", read_only=False, mutates=shell.mutates, shell=shell, **more)


EDIT = attempt_of("edit_file", read_only=False, mutates=True)
READ = attempt_of("read_file", read_only=True, mutates=False)
TASK = attempt_of("task", read_only=False, mutates=False)


def reasons(attempt: Attempt, situation: Situation) -> list[str]:
    """Return everything that speaks against an attempt, in order."""
    return [refusal.reason for refusal in refusals(attempt, situation)]


@pytest.mark.parametrize(
    ("attempt", "situation", "expected"),
    [
        (
            bash("pytest; echo $?"),
            OPEN,
            ["preflight.exit_masked", "preflight.mixed_mutation_verification"],
        ),
        (bash("rm x; pytest"), OPEN, ["preflight.mixed_mutation_verification"]),
        (bash("rm x && pytest"), OPEN, []),
        (bash("rm x && pytest"), READY, ["preflight.mixed_mutation_verification"]),
        (bash("python -c 'a'; ls"), OPEN, ["preflight.inline_nonterminal"]),
        (bash("python -c 'a'"), OPEN, []),
        (bash("python -c 'a'"), READY, ["preflight.inline_opaque"]),
        (EDIT, CLOSED, ["preflight.criteria_required", "preflight.active_todo_required"]),
        (bash("pytest"), CLOSED, ["preflight.criteria_required"]),
        (EDIT, Situation(closed_loop=True, criteria=True), ["preflight.active_todo_required"]),
        (bash("pytest"), Situation(closed_loop=True, criteria=True), []),
        (EDIT, READY, []),
        (READ, CLOSED, []),
        (TASK, CLOSED, []),
        (EDIT, OPEN, []),
    ],
)
def test_a_call_is_refused_for_its_shape_and_its_task(
    attempt: Attempt, situation: Situation, expected: list[str]
) -> None:
    """The table of DL-02, in its order."""
    assert expected == reasons(attempt, situation)


@pytest.mark.parametrize(
    ("attempt", "held"),
    [
        (EDIT, True),
        (bash("pytest"), True),
        (TASK, True),
        (READ, False),
        (bash("git status"), False),
        (bash("git diff --check"), True),
        (bash("git status", starts_background=True), True),
        (attempt_of("todo_write", read_only=True, mutates=False), False),
    ],
)
def test_after_a_failed_change_only_reads_and_bookkeeping_run(
    attempt: Attempt, *, held: bool
) -> None:
    """Whatever could build on the change that did not happen waits for the next message."""
    found = reasons(attempt, Situation(change_failed=True))

    assert (["preflight.failed_change_barrier"] if held else []) == found


@pytest.mark.parametrize(
    ("attempt", "raises"),
    [
        (EDIT, True),
        (bash("rm x"), True),
        (bash("pytest"), False),
        (bash("find . -delete; pytest"), False),
        (bash("git status"), False),
        (READ, False),
        (attempt_of("mcp__s__t", read_only=False, mutates=True, proxied=True), True),
        (attempt_of("mcp__s__t", read_only=True, mutates=False, proxied=True), False),
        (attempt_of("task", read_only=False, mutates=False, proxied=True), True),
        (TASK, False),
    ],
)
def test_only_a_failed_change_raises_the_barrier(attempt: Attempt, *, raises: bool) -> None:
    """A failing check is an answer, not a change that went wrong."""
    assert raises == attempt.raises_barrier


def test_the_barrier_comes_first_for_a_call_and_last_for_a_proxy_target() -> None:
    """The target is known only after everything else was asked of it (DL-02)."""
    situation = Situation(closed_loop=True, change_failed=True)
    target = attempt_of("edit_file", read_only=False, mutates=True, proxied=True)

    last = reasons(target, situation)
    assert "preflight.failed_change_barrier" == reasons(EDIT, situation)[0] == last[-1]
    assert "preflight.failed_change_barrier" not in last[:-1]


def test_saving_a_memory_on_request_needs_no_task() -> None:
    """The user asked for it and for nothing else (G5, G6 exception)."""
    remember = attempt_of("remember", read_only=False, mutates=True)

    assert [] == reasons(remember, Situation(closed_loop=True, memory_only=True))
    assert reasons(remember, CLOSED)
    assert reasons(EDIT, Situation(closed_loop=True, memory_only=True))


@pytest.mark.parametrize(("planning", "expected"), [(True, ["guard.planning"]), (False, [])])
def test_steps_are_signed_off_once_the_plan_is_made(expected: list[str], *, planning: bool) -> None:
    """Everything else may be done while it is."""
    sign_off = attempt_of("complete_step", read_only=True, mutates=False)

    assert expected == reasons(sign_off, Situation(planning=planning))
    assert [] == reasons(READ, Situation(planning=planning))


@pytest.mark.parametrize(
    ("command", "situation", "hides"),
    [("rm x; pytest", OPEN, True), ("rm x && pytest", READY, False)],
)
def test_what_changes_and_checks_is_told_what_could_be_hidden(
    command: str, situation: Situation, *, hides: bool
) -> None:
    """In a closed loop the two are apart whatever they hide."""
    assert hides is ("can hide that the change failed" in judge(bash(command), situation).message)


def test_a_switched_off_rule_lets_the_next_one_speak() -> None:
    """A test takes one rule out and sees what the others say."""
    with switched_off("preflight.criteria_required"):
        verdict = judge(EDIT, CLOSED)

    assert "preflight.active_todo_required" == verdict.reason


def test_an_allowed_call_tells_what_it_is() -> None:
    """Transcripts compare these two facts."""
    verdict = judge(bash("pytest"), OPEN)

    assert Decision.ACCEPT is verdict.decision
    assert {"mutates": False, "verification": True} == verdict.facts
