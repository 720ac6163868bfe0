"""What a `complete_step` call claims, decoded once for all checks (CS-01, CS-03)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from reasonix_runtime.evidence.arguments import Fields
from reasonix_runtime.evidence.tasks import Task, current, fold, match
from reasonix_runtime.gates.steps.policy import StepRules

KINDS = ("verification", "review", "diff", "files", "manual")
"""The kinds of evidence, in the order of the schema."""


class Item(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One evidence item."""

    kind: str = ""
    summary: str = ""
    command: str = ""
    paths: tuple[str, ...] = ()
    criterion_id: str = ""


class _Sent(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Arguments that hold what the contract lists, each of its type."""

    step_id: str = ""
    step: str = ""
    step_index: int = 0
    result: str = ""
    evidence: tuple[Item, ...] = ()
    notes: str = ""


class Claim(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of a sign-off; `problems` names every member of a wrong type.

    `current_of_equals` is the policy point of that name.
    """

    step_id: str
    step: str
    step_index: int
    result: str
    evidence: tuple[Item, ...]
    problems: tuple[str, ...]
    current_of_equals: bool = False

    @property
    def identity(self) -> str:
        """The item that is meant, as text: its id, its positive number, or its title."""
        if self.step_id:
            return self.step_id
        return str(self.step_index) if self.step_index > 0 else self.step

    def find(self, tasks: Sequence[Task]) -> int | None:
        """Return the index of the item in a list (CS-05; by `step_id` CS-20)."""
        if not self.step_id:
            found = match(self.identity, tasks)
            return found if found is None else self._current_of_equals(found, tasks)
        return next((i for i, task in enumerate(tasks) if task.step_id == self.step_id), None)

    def _current_of_equals(self, found: int, tasks: Sequence[Task]) -> int:
        """Return the current one of the items that have the title of the one that was found."""
        now = current(tasks)
        if not self.current_of_equals or now is None or tasks[found].open:
            return found
        named = fold(self.identity)
        equal = (
            named in (fold(tasks[i].content), fold(tasks[i].active_form)) for i in (found, now)
        )
        return now if all(equal) else found


def claim_of(args: Any, rules: StepRules) -> Claim:
    """Decode the arguments; a key that the rules do not know may hold anything (CS-01).

    Nearly all of them are as the contract lists them and are decoded in one go. Others are read
    member by member, so that every fault is named and the rest is looked at.
    """
    try:
        sent = msgspec.convert(args, _Sent)
    except msgspec.ValidationError:
        return read_claim(args, rules)
    if not rules.plan_criteria and any(item.criterion_id for item in sent.evidence):
        return read_claim(args, rules)
    return Claim(
        step_id=sent.step_id.strip() if rules.step_ids else "",
        step=sent.step.strip(),
        step_index=sent.step_index,
        result=sent.result,
        evidence=sent.evidence,
        problems=(),
        current_of_equals=rules.current_of_equals,
    )


def read_claim(args: Any, rules: StepRules) -> Claim:
    """Read the arguments member by member, whatever they are."""
    fields = Fields(args)
    step_id = fields.text("step_id").strip() if rules.step_ids else ""
    step = fields.text("step").strip()
    index = fields.integer("step_index")
    result = fields.text("result")
    evidence = tuple([_item(item, rules) for item in fields.objects("evidence")])
    fields.text("notes")
    return Claim(
        step_id=step_id,
        step=step,
        step_index=index,
        result=result,
        evidence=evidence,
        problems=tuple(fields.problems),
        current_of_equals=rules.current_of_equals,
    )


def _item(fields: Fields, rules: StepRules) -> Item:
    return Item(
        kind=fields.text("kind"),
        summary=fields.text("summary"),
        command=fields.text("command"),
        paths=fields.texts("paths"),
        criterion_id=fields.text("criterion_id") if rules.plan_criteria else "",
    )
