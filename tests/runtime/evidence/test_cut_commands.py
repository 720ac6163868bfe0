"""Command lines that end too early, or whose words nobody knows, raise in no question."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from places import RECORDED

from reasonix_runtime.evidence.checks.broad import is_broad
from reasonix_runtime.evidence.checks.left_out import left_out_by
from reasonix_runtime.evidence.checks.places import places_of
from reasonix_runtime.evidence.checks.reach import reaches_of
from reasonix_runtime.evidence.checks.runs import passes
from reasonix_runtime.evidence.checks.strength import is_static
from reasonix_runtime.evidence.command_kinds import checks_nothing
from reasonix_runtime.evidence.commands import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    CommandRules,
    classify,
    is_permission_readonly,
)
from reasonix_runtime.evidence.effects.formatters import formatted_by, only_formats
from reasonix_runtime.evidence.effects.git_record import (
    only_records,
    steps_before_look,
    steps_of,
)
from reasonix_runtime.evidence.effects.partial_failure import may_have_changed
from reasonix_runtime.evidence.effects.products import only_makes_products
from reasonix_runtime.evidence.effects.profile import command_profile
from reasonix_runtime.evidence.effects.shell_edits import edit_of
from reasonix_runtime.evidence.looking.content import shown_operands
from reasonix_runtime.evidence.looking.looks import look_of
from reasonix_runtime.evidence.looking.shown import shown_by
from reasonix_runtime.evidence.owed.after_change import checks_its_change, look_behind
from reasonix_runtime.evidence.running.sourced_files import taken_in

QUESTIONS: tuple[Callable[[str, CommandRules], Any], ...] = (
    *(classify, is_permission_readonly, checks_nothing, passes, is_static, is_broad),
    *(left_out_by, places_of, reaches_of, formatted_by, only_formats, only_records, steps_of),
    *(steps_before_look, may_have_changed, only_makes_products, command_profile, edit_of),
    *(shown_operands, look_of, shown_by, checks_its_change, look_behind, taken_in),
)


def lines() -> list[str]:
    """Return recorded command lines up to each word, with words that nobody knows, and joined."""
    found = set()
    for line in (RECORDED / "command_class.jsonl").read_text("utf-8").splitlines():
        command = json.loads(line)["in"]["command"]
        found |= {
            f"{command}; X=1",
            f"X=1; {command}",
            f"{command} &&",
            f"{command} |",
            f"| {command}",
        }
        words = command.split(" ")
        found.add(" ".join(("$X", *words[1:])))
        for count in range(1, len(words) + 1):
            found.add(" ".join(words[:count]))
            found.add(" ".join((*words[: count - 1], "$X")))
    return sorted(found)


@pytest.mark.parametrize(
    "rules", [CLASSIC_COMMANDS, CONTRACT_COMMANDS], ids=["classic", "contract"]
)
def test_every_question_has_an_answer(rules: CommandRules) -> None:
    """A recording holds any command line, and one that raised would end the replay of all."""
    for command in lines():
        for question in QUESTIONS:
            try:
                question(command, rules)
            except Exception as error:  # whatever is raised is the fault that is looked for
                pytest.fail(f"{question.__name__}({command!r}): {error!r}")
