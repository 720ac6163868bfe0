"""What an entry leaves out: a fault where the subject tells it of other tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_conformance.checks import Breach, Report, Untold

if TYPE_CHECKING:
    from reasonix_conformance.checks.tool import ToolCase


def left_out(case: ToolCase, aspect: str, thing: str) -> Report:
    """Return what to report of an aspect that the entry of a tool does not tell.

    A subject that tells it of no tool cannot be judged. One that tells it of others lost it here,
    and a tool must not pass for what it does not say any more.
    """
    if case.tool.problem:
        return Untold("the subject's entry cannot be used")
    if not case.subject.tells(aspect):
        return Untold(f"the subject ({case.subject.form}) tells {thing} of no tool")
    return Breach(
        what=f"the subject tells {thing} of other tools, not of this one",
        at=case.tool.at,
        expected=f"{thing} in every entry",
        hint="give the entry what it lacks",
    )
