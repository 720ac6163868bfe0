"""Properties of command reading over commands that are built from pieces of the grammar."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from reasonix_runtime.evidence.commands import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    FACTS_COMMANDS,
    CommandRules,
    ExitStatus,
    classify,
    matches,
)
from reasonix_runtime.evidence.shell.script import parse

RULES = st.sampled_from([CLASSIC_COMMANDS, CONTRACT_COMMANDS, FACTS_COMMANDS])

CHECKS = st.sampled_from(
    ["pytest -q", "go test ./...", "go vet ./...", "npm test", "make lint", "tsc --noEmit"]
)
READERS = st.sampled_from(["ls -la", "git status", "cat a.txt", "echo done", "cd sub", "true"])
CHANGERS = st.sampled_from(
    ["rm -rf build", "git add .", "sed -i s/a/b/ f", "python gen.py", "echo x > f", "touch y"]
)
SIMPLE = CHECKS | READERS | CHANGERS
PREFIXES = st.sampled_from(["", "CI=1 ", "env A=b ", "timeout 60 ", "nice -n 5 ", "uv run "])
JOINS = st.sampled_from([" && ", " || ", "; ", " | ", " & ", "\n", "&&", ";"])
ENDINGS = st.sampled_from(["", " 2>&1", " > /dev/null", " # note", " &", "\n"])
GROUPS = st.sampled_from(["{}", "({})", "{{ {}; }}", "set -e; {}", "bash -c '{}'", "! {}"])


@st.composite
def command_lines(draw: st.DrawFn) -> str:
    """Build a command line: simple commands with prefixes, joined, perhaps grouped."""
    parts = draw(st.lists(st.tuples(PREFIXES, SIMPLE), min_size=1, max_size=4))
    line = "".join(parts[0])
    for prefix, simple in parts[1:]:
        line += draw(JOINS) + prefix + simple
    return draw(GROUPS).format(line) + draw(ENDINGS)


PROGRAM = st.from_regex(r"[a-z][a-z0-9./:-]{0,8}", fullmatch=True)
ARGUMENT = st.from_regex(r"[a-z0-9./:=_-]{1,9}", fullmatch=True)
STATIC = st.tuples(PROGRAM, st.lists(ARGUMENT, max_size=4)).map(
    lambda parts: shlex.join([parts[0], *parts[1]])
)


@given(command_lines(), RULES)
def test_classifying_is_total_and_repeatable(command: str, rules: CommandRules) -> None:
    """Every call is something, and the same thing twice."""
    assert classify(command, rules) == classify(command, rules)


@given(command_lines())
def test_under_the_contract_no_verification_changes_anything(command: str) -> None:
    """A verification checks and leaves the tree as it was; only the classic table has both."""
    found = classify(command, CONTRACT_COMMANDS)

    assert not (found.verification and found.mutates)
    assert not (found.permission_readonly and found.mutates)


@given(command_lines(), RULES)
def test_the_shapes_of_preflight_hang_together(command: str, rules: CommandRules) -> None:
    """What is mixed changes something; what can be masked is mixed."""
    found = classify(command, rules)

    assert found.mutates or not found.mixed
    assert found.mixed or not found.mixed_maskable
    assert found.inline_opaque or not found.inline_nonterminal


@given(STATIC, RULES)
def test_matching_is_reflexive_for_plain_commands(command: str, rules: CommandRules) -> None:
    """What ran can always be cited as it ran."""
    assert matches(command, command, rules).status_owned


@given(STATIC, RULES)
def test_a_directory_change_in_front_never_breaks_a_match(
    command: str, rules: CommandRules
) -> None:
    """CMD-1, for any plain command."""
    if rules is CONTRACT_COMMANDS or command.split()[0] not in {"cd", "pushd"}:
        assert matches(command, f"cd sub && {command}", rules).status_owned


@given(STATIC)
def test_a_masked_run_is_never_owned(command: str) -> None:
    """Unknown is never a pass (MASK)."""
    assume(command not in {"true", "tail"})
    runs = [f"{command} || true", f"{command} | tail", f"{command} &", f"{command}; echo $?"]

    for ran in runs:
        found = matches(command, ran, CONTRACT_COMMANDS)
        assert not found.status_owned
        assert found.status is not ExitStatus.OWNED


@given(command_lines(), CHANGERS)
def test_a_change_at_the_end_makes_any_command_a_change(command: str, changer: str) -> None:
    """Nothing that stands before it can hide a change."""
    line = f"{command}\n{changer}"
    if parse(line).problem is None:
        for rules in (CLASSIC_COMMANDS, CONTRACT_COMMANDS, FACTS_COMMANDS):
            assert classify(line, rules).mutates


@given(CHECKS, PREFIXES)
def test_prefixes_do_not_change_what_a_command_is(check: str, prefix: str) -> None:
    """VER-7: the same class whatever runs it."""
    found = classify(prefix + check, CONTRACT_COMMANDS)

    assert (True, False) == (found.verification, found.mutates)
    assert matches(check, prefix + check, CONTRACT_COMMANDS).status_owned


@pytest.mark.parametrize("separator", [";", " ; ", "&&", " && ", "||", "|"])
def test_blanks_around_operators_mean_nothing(separator: str) -> None:
    """CMD-8."""
    line = f"git log{separator}git push origin x"

    assert [("git", "log"), ("git", "push", "origin", "x")] == [
        segment.values for segment in parse(line).segments
    ]
