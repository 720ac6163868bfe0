"""Would a provider take the tool: the dialect rules of the runtime as checks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from reasonix_conformance.checks import Breach, Check, Report, Untold
from reasonix_conformance.findings import Level
from reasonix_runtime.contract.dialects import Confidence, lint, rules_for
from reasonix_runtime.contract.entry import ContractEntry

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reasonix_conformance.checks.tool import ToolCase


def checks(profiles: Sequence[str] = ()) -> tuple[Check[ToolCase], ...]:
    """Return the checks for these provider profiles, or for every provider.

    What a provider is known to refuse is binding if that provider was asked for; what is only
    reported, and what matters to nobody in particular, is advice.

    Raises `ContractError` for a profile that there is not.
    """
    asked = tuple(profiles) or None
    rules_for(asked)  # an unknown profile is the user's mistake, told before anything is checked
    sure = Level.MUST if asked else Level.SHOULD
    return (
        Check(
            "tool/dialect",
            sure,
            "The providers take the tool.",
            partial(dialect, profiles=asked, sure=True),
        ),
        Check(
            "tool/dialect-reported",
            Level.SHOULD,
            "Nobody reported that a provider refuses such a tool.",
            partial(dialect, profiles=asked, sure=False),
        ),
    )


def dialect(case: ToolCase, *, profiles: Sequence[str] | None, sure: bool) -> Iterator[Report]:
    """Report what the providers refuse, or only are said to refuse, in a tool."""
    if case.canonical is None:
        yield Untold("there is no schema to judge")
        return
    entry = ContractEntry(name=case.name, description="", read_only=None, schema=case.canonical)
    for found in lint([entry], profiles=profiles):
        if (found.rule.confidence is Confidence.HIGH) == sure:
            yield Breach(
                what=f"{found.what} ({found.rule.id}, {found.rule.profile})",
                at=f"{case.tool.at}, schema {found.pointer or 'root'}",
                expected=found.rule.sentence,
                hint=found.rule.fix,
            )
