"""Functions that a text defines and calls, and loops that name their words."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS, classify, matches
from reasonix_runtime.evidence.shell.exit_status import proven
from reasonix_runtime.evidence.shell.script import parse

CITED = "pytest -q"


@pytest.mark.parametrize(
    ("function", "proves"),
    [
        ('run() { "$@"; }', True),
        ("run() { $@; }", True),
        ('function run { echo "+ $*" >&2; "${@}"; }', True),
        ('run() { echo "[$(date)] $*"; "$@"; }', True),
        ('run() { "$@" || { echo failed; exit 1; }; }', True),
        ('run() { if ! "$@"; then echo failed; exit 1; fi; }', True),
        ('run() { [ -z "$DRY" ] && "$@"; }', True),
        ('run() { : start; printf "%s" "$*"; "$@"; }', True),
        ('run() ( "$@" )', True),
        ('run() { CI=1 "$@"; }', True),
        # a status that is kept and handed on
        ('run() { local rc; "$@"; rc=$?; return $rc; }', True),
        ('run() { "$@"; local rc=$?; echo "exit: $rc"; return $rc; }', True),
        ('run() { local rc=0; "$@" || rc=$?; return $rc; }', True),
        ('run() { "$@" && return 0; return 1; }', True),
        ('run() { for i in 1 2 3; do "$@" && return 0; sleep 1; done; return 1; }', True),
        ('run() { local n=0; until "$@"; do [ $n = 3 ] && return 1; sleep 1; done; }', True),
        ('run() { echo "$1"; eval "$*"; }', True),
        ('run() { "$@"; }; run() { :; }', False),
        ('run() { :; }; run() { "$@"; }', True),
        # one that swallows it
        ('run() { "$@" || true; }', False),
        ('run() { "$@"; echo done; }', False),
        ('run() { "$@"; return 0; }', False),
        ('run() { "$@"; local rc=$?; return 0; }', False),
        ('run() { "$@"; local rc=$?; rc=0; return $rc; }', False),
        ('run() { local rc=$("$@"); return $?; }', False),
        ('rc=0; run() { local rc; "$@"; true; return $rc; }', False),
        ('run() { for i in 1 2 3; do "$@" && return 0; sleep 1; done; }', False),
        ('run() { [ -n "$DRY" ] || "$@"; }', False),
        ('run() { [ -n "$DRY" ] && return 0; "$@"; }', False),
        ('run() { "$@" & }', False),
        ('run() { echo "$@"; }', False),
        ('run() { exit 0; "$@"; }', False),
        # one that does more, or of which it is not known what it runs
        ('run() { "$@" -k x; }', False),
        ('run() { PYTEST_ADDOPTS=--co "$@"; }', False),
        ('run() { set -- true; "$@"; }', False),
        ("run() { shift; pytest -q; }", True),
        ('run() { if [ -n "$1" ]; then shift; fi; "$@"; }', False),
        ('run() { pytest() { :; }; "$@"; }', False),
        ('run() { run "$@"; }', False),
        ('pytest() { :; }; run() { "$@"; }', False),
        ('run() { "$@"; }; pytest() { :; }', False),
        ('if a; then run() { "$@"; }; fi', False),
        ('a || run() { "$@"; }', False),
        ('run() { "$@"; } > app.py', False),
        ("run() { :; }; trap run EXIT", False),
        ('set -a; run() { "$@"; }', False),
        ('run() { "$@"; }; export -f run', False),
        ('run() { "$@"; }; unset -f run', False),
    ],
)
def test_a_function_runs_what_stands_in_it(function: str, *, proves: bool) -> None:
    """Where it is called it ends as its own commands do."""
    match = matches(CITED, f"{function}; run pytest -q", CONTRACT_COMMANDS)

    assert proves == (bool(match) and match.status_owned)


@pytest.mark.parametrize(
    ("command", "kind", "proves"),
    [
        ("run pytest -q", "check", True),
        ("run ruff check . && run pytest -q", "check", True),
        ("run pytest -q; run ruff check .", "check", False),
        ("run pytest -q || true", "check", False),
        ("run pytest -q || exit 1; echo ok", "check", True),
        ("if run pytest -q; then echo ok; fi", "check", False),
        ("run pytest -q | tail", "check", False),
        ("run pytest -q -k x", "check", False),
        ("run uv run pytest -q", "check", True),
        ("run run pytest -q", "change", False),
        ("CI=1 run pytest -q", "check", True),
        ("PYTEST_ADDOPTS=--co run pytest -q", "read", False),
        ("PATH=/tmp/fake:$PATH run pytest -q", "change", False),
        ("time run pytest -q", "check", True),
        ("time -p run pytest -q", "check", True),
        ("time run pytest -q | tail", "check", False),
        ("run pytest -q > app.py", "change", True),
        ("run pytest -q && run sed -i s/a/b/ app.py", "change", True),
        ("run rm -rf src", "change", False),
        ("run", "change", False),
        ("out=$(run pytest -q)", "check", True),
        ('out="$(run pytest -q 2>&1)"; rc=$?; echo "$out"; exit $rc', "check", True),
        ("out=$(run pytest -q); echo $out", "check", False),
        ("set -e; out=$(run pytest -q; run ls); echo $out", "check", False),
        ("set -e; out=$(run pytest -q); echo $out", "check", True),
        ("echo $(run pytest -q)", "change", False),
        ("set -e; t() { pytest -q; echo ok; }; t", "check", True),
        ("set -e; t() { pytest -q; echo ok; }; t && echo fine", "check", False),
        ("t() { ruff check . && pytest -q; }; t", "check", True),
        ("t() { pytest -q; }", "change", False),
        ("t() { pytest -q; }; false && t; true", "check", False),
        ("t() { cd web && pytest -q; }; t", "check", True),
        ("t() { pytest -q ${1:-tests}; }; t", "check", False),
        ('main() { pytest -q; }; main "$@"', "check", True),
        ("a() { pytest -q; }; b() { a || return 1; }; b", "check", True),
    ],
)
def test_a_call_is_what_it_runs(command: str, kind: str, *, proves: bool) -> None:
    """Agents show each command before it runs; that hides nothing."""
    ran = f'run() {{ echo "+ $*"; "$@"; }}; {command}'
    found, match = classify(ran, CONTRACT_COMMANDS), matches(CITED, ran, CONTRACT_COMMANDS)

    assert (kind == "check", kind == "change") == (found.verification, found.mutates)
    assert proves == (bool(match) and match.status_owned)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ('step() { local n=$1; shift; echo "$n"; "$@"; }; step test make test', ["make test"]),
        ('t() { pytest "$1" "$2"; }; t a "b c"', ['pytest "a" "b c"']),
        ('t() { pytest "$1"; }; t', ['pytest ""']),
        ("t() { pytest ${1:-tests} -q; }; t", ["pytest tests -q"]),
        ("t() { pytest ${1:-tests} -q; }; t web", ["pytest web -q"]),
        ("t() { pytest ${1:---co} -q; }; t", ["pytest --co -q"]),
        ("t() { pytest ${1--q}; }; t", ["pytest -q"]),
        ("t() { pytest '$1'; }; t web", ["pytest '$1'"]),
        ("t() { pytest $1; }; t 'a*'", ["pytest $1"]),
        ("for f in a.py b.py; do pytest $f || exit 1; done", ["pytest a.py", "pytest b.py"]),
        (
            'set -e; for f in a b; do pytest "t/${f}.py"; done',
            ['pytest "t/a.py"', 'pytest "t/b.py"'],
        ),
        ("for p in python3 pypy; do $p -m pytest || exit; done", []),
        ("for f in a.py b.py; do pytest $f; done", []),
        ("for f in a.py b.py; do pytest $f || true; done", []),
        ("rc=0; for f in a b; do pytest $f || rc=1; done; exit $rc", ["pytest a", "pytest b"]),
        ("for f in a.py; do f=--co; pytest $f || exit 1; done", ["pytest $f"]),
        ("for f in *.py; do pytest $f || exit 1; done", ["pytest $f"]),
        ("for f in a b; do pytest $f && break; done", ["pytest $f"]),
    ],
)
def test_words_that_are_known_stand_in_the_place_of_variables(
    command: str, expected: list[str]
) -> None:
    """What a function is handed, and what a loop goes through, is told by the text."""
    script = parse(command)
    programs = [script.segments[index].text for index in sorted(proven(script))]

    assert expected == [text for text in programs if text.startswith(("pytest", "make"))]


def test_words_that_double_at_each_call_are_not_followed() -> None:
    """A short text would come to one that no memory holds."""
    eight = '"$@" ' * 8
    calls = "".join(f"f{at}() {{ f{at + 1} {eight}; }}; " for at in range(4))
    text = f'{calls}f4() {{ echo "$@"; }}; f0'

    assert not parse(f"{text} a").defined
    assert "f0" in parse(f"{text} {'a' * 100}").defined


@pytest.mark.parametrize("call", ["t", "out=$(t)"])
@pytest.mark.parametrize(("times", "followed"), [(20, True), (80, False)])
def test_a_function_that_is_called_very_often_is_not_followed(
    call: str, times: int, *, followed: bool
) -> None:
    """What it does then nobody knows, which counts as a change."""
    found = classify(f"t() {{ pytest -q; }}\n{f'{call}{chr(10)}' * times}", CONTRACT_COMMANDS)

    assert (followed, not followed) == (found.verification, found.mutates)


@pytest.mark.parametrize(("length", "put"), [(100, True), (1000, False)])
def test_a_long_word_is_put_into_a_loop_so_often_and_no_more(length: int, *, put: bool) -> None:
    """What stands in the place of a variable counts like what is written there."""
    word = "a" * length
    script = parse(f"for f in {word}; do echo {'$f ' * 100}; done")

    assert [word if put else "$f"] * 100 == [one.text for one in script.segments[0].words[1:]]
