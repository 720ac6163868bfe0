"""No command line takes longer to read than its length allows: whoever is judged writes it."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS, classify
from reasonix_runtime.evidence.effects.shell_edits import edit_of
from reasonix_runtime.gates.loop_guards import repeats_writes

LONG = 300_000
"""So many characters, taken in pairs, take minutes; each by itself, a moment."""


@pytest.mark.parametrize(
    "command",
    [
        f"perl -{'0' * 80}pX -e s/a/b/ f",
        f"perl -{'0p' * 80}X -e s/a/b/ f",
        f"tar {'t' * LONG}x f",
        f"[[ {'[' * LONG} =~ x",
        f"(( {'(' * 2000} == x",
        f"bash <<'E'\nuv{' ' * LONG}x\npytest\nE",
        f"cmake -B {'bin' * LONG}+ .",
        f"PYTHONPATH='{'bogus ' * LONG}\n' pytest",
    ],
    ids=["zeros", "letters", "tar", "tests", "sums", "blanks", "cmake", "newline"],
)
def test_a_word_of_many_letters_is_read_in_one_go(command: str) -> None:
    """Patterns that try every way to take a word apart never come to an end."""
    classify(command, CONTRACT_COMMANDS)
    edit_of(command, CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    "command",
    [
        f"export {' '.join(f'a{at}=/tmp/x{at}' for at in range(20_000))}; rm -rf $a1",
        f"{'a=$(' * 1000}pytest{')' * 1000}",
        f"mktemp {'a ' * LONG}!",
        f"find {'a ' * LONG}-delete",
        f"Get-Item x; {'try {} finally {' * 20_000}",
        f"Get-Item x; try {{{' ' * LONG}}} catch {{{'Write-Host x;' * 20_000}}}",
        "".join(f'f{at}() {{ "$@"; }};' for at in range(400)) + "f1 pytest",
        "".join(f"f{at}() {{ f{at - 1}; f{at - 1}; }};" for at in range(1, 60)) + "f59",
        "".join(f"for a{at} in {'x ' * 9}; do : $a{at};" for at in range(60)) + "done;" * 60,
    ],
    ids=["names", "kept", "mktemp", "find", "tries", "catch", "functions", "doubling", "loops"],
)
def test_what_follows_scratch_and_functions_reads_a_text_once(command: str) -> None:
    """Every name is held against the whole text, and every text may stand in another one."""
    rules = CONTRACT_COMMANDS.in_workspace("/srv/app")

    assert classify(command, rules).status_owned in (True, False)


def test_many_calls_are_looked_behind_once() -> None:
    """What stands behind one of them stands behind the first."""
    calls = "open(" * (LONG // 5)

    assert not repeats_writes("bash", calls, redirects=False, background=False)
    assert repeats_writes("bash", f"{calls}, 'w')", redirects=False, background=False)


@pytest.mark.parametrize(
    ("flags", "edits"),
    [("-pi", True), ("-pi.bak", True), ("-0pie", True), ("-0777pi", True), ("-piX", False)],
)
def test_flags_of_perl_are_read_as_before(flags: str, edits: bool) -> None:
    """What edits its files in place names them."""
    rest = "s/a/b/ f.py" if flags.endswith("e") else "-e s/a/b/ f.py"

    assert (("f.py",) if edits else ()) == edit_of(f"perl {flags} {rest}", CONTRACT_COMMANDS).paths
