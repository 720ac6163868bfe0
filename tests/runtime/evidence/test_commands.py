"""A command line as one answer: its kind, the points that decide it, the shapes of preflight."""

from __future__ import annotations

from dataclasses import replace

import pytest
from command_kinds import both_ways, kind

from reasonix_runtime.evidence.command_rules import GitOptions
from reasonix_runtime.evidence.commands import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    FACTS_COMMANDS,
    classify,
    matches,
)


@pytest.mark.parametrize(
    ("command", "classic", "contract"),
    [
        # the same by both
        ("pytest -q", "check", "check"),
        ("go vet ./...", "check", "check"),
        ("go test trace", "check", "check"),
        ("go test -trace t.out", "change", "change"),
        ("tsc --noEmit", "check", "check"),
        ("tsc", "change", "change"),
        ("go build ./...", "change", "change"),
        ("python -m compileall src", "change", "change"),
        ("pytest --snapshot-update", "change", "change"),
        ("pytest --junitxml=r.xml", "change", "change"),
        ("go test -coverprofile=c.out ./...", "change", "change"),
        ("npx eslint@9 .", "check", "check"),
        ("npx eslint@npm:otherpkg .", "change", "change"),
        ("npx ./eslint .", "change", "change"),
        ("npm test -- -u", "change", "change"),
        ("pytest > out.txt", "change", "change"),
        ("sed -i s/a/b/ f", "change", "change"),
        ("git add . && git commit -m x", "change", "change"),
        ('git commit -m "$(cat a)"', "change", "read"),
        ('! git commit -m "$(cat a)"', "change", "change"),
        ("git log $(mkdir z)", "change", "change"),
        ("diff <(rm q) b", "change", "change"),
        ("ls -la", "read", "read"),
        ("ls 2>&-", "read", "read"),
        ("ls <&-", "read", "read"),
        ("mvn -q test", "check", "check"),
        # the shells of Windows
        ("Set-Location web; npm test", "change", "check"),
        ("Test-Path a.txt", "change", "read"),
        ("Sort-Object { rm a }", "change", "change"),
        ("$env:CI='1'; pytest -q", "change", "check"),
        (".\\venv\\Scripts\\python.exe -m pytest", "change", "check"),
        ("Get-Content (rm x)", "change", "change"),
        ("Get-ChildItem | ForEach-Object { rm $_ }", "change", "change"),
        ("Get-Content a.txt | Select-String x", "read", "read"),
        ("ls\r\npytest -q\r\n", "check", "check"),
        ("pytest; if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }", "change", "check"),
        ("$ErrorActionPreference = 'Stop'; pytest", "change", "check"),
    ],
)
def test_a_command_is_classified_both_ways(command: str, classic: str, contract: str) -> None:
    """What one set takes for a check or a change, the other may take for neither."""
    assert (classic, contract) == both_ways(command)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("CI=1 pytest", "check"),
        ("env CI=1 pytest", "check"),
        ("env -i pytest", "change"),
        ("CI=$X pytest", "change"),
        ("timeout 5 pytest", "change"),
        ("git -C sub diff --check", "check"),
        ("git --no-pager diff --check", "change"),
        ("cargo check", "change"),
        ("cargo doc", "change"),
        ("cargo test", "check"),
        ("git commit -q -m x", "read"),
        ("git push", "read"),
        ("git tag v1", "read"),
    ],
)
def test_the_facts_rules_look_through_assignments_only(command: str, expected: str) -> None:
    """EL-20: prefixes and options of git are skipped, builds write, records are no change."""
    assert expected == kind(command, FACTS_COMMANDS)


@pytest.mark.parametrize(
    ("point", "command", "without", "with_it"),
    [
        ("wide_checks", "ruff check .", "change", "check"),
        ("arguments_decide_change", "git tag v1", "read", "change"),
        ("commit_is_change", "git commit -m x", "read", "change"),
        ("push_is_change", "git push", "read", "change"),
        ("cargo_builds_check", "cargo check", "change", "check"),
    ],
)
def test_each_policy_point_works_by_itself(
    point: str, command: str, without: str, with_it: str
) -> None:
    """A rule set may choose any combination of the points."""
    off = replace(CONTRACT_COMMANDS, **{point: False})
    on = replace(CONTRACT_COMMANDS, **{point: True})

    assert (without, with_it) == (kind(command, off), kind(command, on))


@pytest.mark.parametrize(
    ("skipped", "kinds"),
    [
        (GitOptions.NONE, ["change", "change", "change", "change"]),
        (GitOptions.PLACES, ["read", "read", "change", "change"]),
        (GitOptions.ALL, ["read", "read", "read", "read"]),
    ],
)
def test_options_of_git_are_skipped_as_the_rules_say(skipped: GitOptions, kinds: list[str]) -> None:
    """EL-09 skips none, EL-20 those that name a place, `contract` all that change nothing."""
    options = ("-C a", "--git-dir=x --work-tree y", "--no-pager", "-c color.ui=never")
    rules = replace(CONTRACT_COMMANDS, git_global_options=skipped)

    assert kinds == [kind(f"git {option} status", rules) for option in options]


@pytest.mark.parametrize(
    ("command", "shapes"),
    [
        ("go test ./...; echo $?", {"masks_exit"}),
        ("go test ./...; printf '%d' $?", {"masks_exit"}),
        ("echo $?; go test ./...", set()),
        ("rm -rf x && pytest", {"mixed"}),
        ("rm -rf x; pytest", {"mixed", "mixed_maskable"}),
        ("go vet ./...", set()),
        ("python -c 'x'", {"inline_opaque"}),
        ("python -c 'x' | cat", {"inline_opaque", "inline_nonterminal"}),
        ("python -c 'x' && ls", {"inline_opaque"}),
        ("for i in 1 2; do python -c 'x'; done; ls", {"inline_opaque"}),
        ("if true; then rm x; pytest; fi", {"mixed"}),
        ("uv run python -c 'x'", {"inline_opaque"}),
        ("deno eval x; ls", {"inline_opaque", "inline_nonterminal"}),
        ("deno run -e x; ls", set()),
    ],
)
def test_the_shapes_that_preflight_refuses(command: str, shapes: set[str]) -> None:
    """G1 to G4: only the command's own segments decide (VER-8)."""
    found = classify(command, CONTRACT_COMMANDS)
    names = {"mixed", "mixed_maskable", "masks_exit", "inline_opaque", "inline_nonterminal"}
    # Under `contract` a variable is harmless to echo, so printing `$?` is no change by itself.
    assert shapes == {name for name in names if getattr(found, name)}


@pytest.mark.parametrize(
    ("command", "readonly"),
    [
        ("ls -la", True),
        ("git status", True),
        ("git tag", True),
        ("git tag v1", False),
        ("go vet ./...", True),
        ("pytest", False),
        ("ls; pwd", False),
        ("ls | wc", False),
        ("ls &", False),
        ("A=1 ls", False),
        ("ls > f", False),
        ("ls > /dev/null", True),
        ("npm audit fix", False),
        ("git log `mkdir z`", False),
        ("Test-NetConnection localhost", False),
        ("export A=1", False),
        ("find . -exec cat {} +", True),
        ("curl http://localhost", False),
        ("./gradlew tasks", False),
        ("gcc --version", False),
        ("sudo ls", False),
        ("docker exec app ls", False),
        ("for f in a; do cat $f; done", False),
    ],
)
def test_the_permission_layer_sees_one_plain_reader(command: str, readonly: bool) -> None:
    """Read-only is a promise to run without asking (EL-10)."""
    assert readonly == classify(command, CONTRACT_COMMANDS).permission_readonly


@pytest.mark.parametrize(
    ("command", "owned"),
    [
        ("pytest", True),
        ("cd x && pytest 2>&1", True),
        ("pytest || true", False),
        ("pytest | tail", False),
        ("pytest; ls", False),
        ("pytest &", False),
        ("bash -c pytest", True),
        ("bash -c pytest || true", False),
        ("bash -c 'pytest; ls'", False),
        ("bash -ec 'pytest; ls'", True),
        ("bash -c -e 'pytest; ls'", True),
        ("bash <<'E'\nset -e\npytest\nls\nE", True),
        ("bash -euo pipefail <<E\npytest | cat\nE", True),
        ("sh <<-'E' && ls\n\tCI=1 uv run pytest\n\tE", True),
        ("cd a && bash <<'E'\n# all\npytest -q 'a b'\nE", True),
        ("bash <<'E'\npytest\nls\nE", False),
        ("bash -euo pipefail -c 'pytest | tail'", True),
        ("ruff check . && pytest", True),
        ("ruff check .; pytest", False),
    ],
)
def test_a_verification_knows_whether_the_status_is_its_own(command: str, owned: bool) -> None:
    """A masked check is a verification that proves nothing (MASK-1)."""
    assert owned == classify(command, CONTRACT_COMMANDS).status_owned
    assert classify(command, CLASSIC_COMMANDS).status_owned


def test_a_repeated_command_is_read_once() -> None:
    """Agents repeat commands; a long trace is replayed in little more than it takes to parse it."""
    command = "cd app && CI=1 uv run pytest -q tests 2>&1 | tail -20"

    assert classify(command, CONTRACT_COMMANDS) is classify(command, CONTRACT_COMMANDS)
    assert matches(command, command, CONTRACT_COMMANDS) is matches(
        command, command, CONTRACT_COMMANDS
    )
