"""How far a command brings changes into git: what it stages, and what it commits."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CONTRACT_COMMANDS
from reasonix_runtime.evidence.effects.git_record import Step, steps_of


@pytest.mark.parametrize(
    ("command", "steps"),
    [
        ("git mv a.py b.py", (Step(adds=("a.py", "b.py")),)),
        ("git rm a.py", (Step(adds=("a.py",)),)),
        ("git mv -n a.py b.py", ()),
        ("git rm --dry-run a.py", ()),
        ("git add -n a.py", ()),
    ],
)
def test_what_is_only_tried_stages_nothing(command: str, steps: tuple[Step, ...]) -> None:
    """A look at the unstaged change behind a trial still shows it."""
    assert steps == steps_of(command, CONTRACT_COMMANDS)


@pytest.mark.parametrize(
    ("command", "steps"),
    [
        ("git restore --staged a.py", (Step(adds=("a.py",), unstages=True),)),
        ("git reset -q", (Step(adds=(".",), unstages=True),)),
        ("cd web && git reset -q HEAD a.py", (Step(adds=(".",), unstages=True),)),
        ("git reset HEAD~1", ()),
    ],
)
def test_what_is_taken_back_from_the_index_is_a_step_of_its_own(
    command: str, steps: tuple[Step, ...]
) -> None:
    """A plain `git diff` shows it again."""
    assert steps == steps_of(command, CONTRACT_COMMANDS)
