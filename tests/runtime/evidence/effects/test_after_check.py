"""What a command line changes behind the check that it ran."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.effects.after_check import changes_behind

CHANGE = "sed -i s/a/b/ app.py"


@pytest.mark.parametrize(
    ("ran", "expected"),
    [
        (f"pytest -q && {CHANGE}", CHANGE),
        (f"pytest -q; {CHANGE}", CHANGE),
        (f"(pytest -q && {CHANGE})", CHANGE),
        (f"pytest -q && ({CHANGE})", CHANGE),
        (f"pytest -q && {{ ls; {CHANGE}; }}", CHANGE),
        (f"bash -c 'pytest -q && {CHANGE}'", CHANGE),
        (f"for d in a b; do pytest -q || exit 1; {CHANGE}; done", CHANGE),
        (f"if true; then pytest -q; {CHANGE}; fi", CHANGE),
        (f"pytest -q && pytest -q && {CHANGE}", CHANGE),
        ("git stash -q && pytest -q && git stash pop -q", "git stash pop -q"),
        ("git checkout -q main && pytest -q && git checkout -q -", "git checkout -q -"),
        (f"CI=1 pytest -q | tail && {CHANGE}", CHANGE),
        # what it prints goes over the work
        ("pytest -q > app.py", "pytest -q > app.py"),
        ("pytest -q | tee src/app.py", "tee src/app.py"),
        ("CI=1 pytest -q 2>&1 | tail -3 > app.py", "tail -3 > app.py"),
        ("pytest -q | tee log.txt >(cat > app.py)", "cat > app.py"),
        ("pytest -q > >(tee src/app.py)", "tee src/app.py"),
        ("pytest -q < /dev/null > >(tee src/app.py)", "tee src/app.py"),
        (f"pytest -q > >(if a; then {CHANGE}; fi)", f"if a; then {CHANGE}; fi"),
        (f"pytest -q 2> >({CHANGE})", CHANGE),
        ("pytest -q > >(tee out.log)", ""),
        ("pytest -q | tee >(grep -c passed)", ""),
        (f"pytest -q && {CHANGE} && git diff | cat", CHANGE),
        (f"trap '{CHANGE}' EXIT; pytest -q", CHANGE),
        (f"f() {{ {CHANGE}; }}; trap f EXIT; pytest -q", CHANGE),
        (f"f() ({CHANGE}); trap f EXIT; pytest -q", f"({CHANGE})"),
        (f"{CHANGE}; d=$(mktemp -d); trap 'rm -rf \"$d\"' EXIT; pytest -q", ""),
        (f"{CHANGE}; trap 'echo done' EXIT; pytest -q", ""),
        ("pytest -q > out", ""),
        ("pytest -q 2> err.log | tee -a r.JSON", ""),
        ("pytest -q 2>&1 > /dev/null", ""),
        ("pytest -q > $LOG", ""),
        # in front of the check, beside it, or nothing of the files
        (f"{CHANGE} && pytest -q", ""),
        (f"pytest -q && {CHANGE} && pytest -q", ""),
        ("pytest -q | tee log.txt", ""),
        ("pytest -q > log.txt", ""),
        ("pytest -q && git add -A && git commit -m x", ""),
        ("pytest -q && git add src/app.py && git commit -m x", ""),
        ("pytest -q && git diff && ls", ""),
        (CHANGE, ""),
    ],
)
def test_a_change_behind_the_check_is_found(ran: str, expected: str) -> None:
    """Of two runs the last one counts; git's records leave the files as they are."""
    assert expected == changes_behind("pytest -q", ran, CONTRACT_COMMANDS)


def test_each_part_of_a_citation_has_to_stand() -> None:
    """`a && b` says nothing of `a` where something changed between the two."""
    ran = f"pytest -q && {CHANGE} && ruff check ."

    assert changes_behind("pytest -q && ruff check .", ran, CONTRACT_COMMANDS) == CHANGE
    assert changes_behind("ruff check .", ran, CONTRACT_COMMANDS) == ""


def test_where_nobody_asks_for_the_status_of_a_part_nothing_is_behind_it() -> None:
    """CS-08: a host of the 1.2x line accepts the citation."""
    assert changes_behind("pytest -q", f"pytest -q && {CHANGE}", CLASSIC_COMMANDS) == ""
