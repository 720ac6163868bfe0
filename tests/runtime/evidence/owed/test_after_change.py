"""What a command line does behind its own change."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.owed.after_change import checks_its_change, look_behind


@pytest.mark.parametrize(
    ("command", "behind"),
    [
        ("sed -i s/a/b/ a.py && git diff", "git diff"),
        ("sed -i s/a/b/ a.py; git diff -- a.py", "git diff -- a.py"),
        ("cat > a.py <<'EOF'\nx\nEOF\ncat a.py", "cat a.py"),
        (
            "cd src && sed -i s/a/b/ a.py && git status && git diff",
            "cd src && git status && git diff",
        ),
        ("black . && git diff && pytest", "git diff && pytest"),
        ("bash -lc 'sed -i s/a/b/ a.py && git diff'", "git diff"),
        ("git diff && sed -i s/a/b/ a.py", ""),
        ("sed -i s/a/b/ a.py || git diff", ""),
        ("sed -i s/a/b/ a.py & git diff", ""),
        ("export GIT_EXTERNAL_DIFF=true; sed -i s/a/b/ a.py; git diff", ""),
        ("git() { :; }; sed -i s/a/b/ a.py; git diff", ""),
        ("git diff", ""),
    ],
)
def test_a_look_behind_a_change_is_one_at_it(command: str, behind: str) -> None:
    """In front of it, or beside it, a look shows something else."""
    assert behind == look_behind(command, CONTRACT_COMMANDS)
    assert not look_behind(command, CLASSIC_COMMANDS)


@pytest.mark.parametrize(
    ("command", "checks"),
    [
        ("sed -i s/a/b/ a.py && pytest -q", True),
        ("sed -i s/a/b/ a.py && pytest -q && git diff", True),
        ("black . && ruff check . && pytest -q", True),
        ("cat > a.py <<'EOF'\nx\nEOF\npytest -q", True),
        ("pytest -q && sed -i s/a/b/ a.py", False),
        ("ruff check . && black . && pytest -q", False),
        ("sed -i s/a/b/ a.py && git diff", False),
        ("ln -s /bin/true pytest && pytest -q", False),
        ("pytest() { :; }; black .; pytest -q", False),
        ("sh codemod.sh && pytest -q", False),
    ],
)
def test_a_check_behind_every_change_is_one_of_it(command: str, *, checks: bool) -> None:
    """A check in front of one says nothing of what is there behind it."""
    assert checks is checks_its_change(command, CONTRACT_COMMANDS)
