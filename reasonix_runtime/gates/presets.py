"""Completion presets: how much of the work a host insists on before it lets go.

A user chooses one by its name. The end of a turn asks it, and the end of a goal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType


class MediumReview(StrEnum):
    """What a medium-risk change owes."""

    NONE = "none"
    CONDITIONAL = "conditional"
    """A report, or the content of every changed path seen after the change."""
    FORCED = "forced"
    """A report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One row of the preset table.

    `partial_completion` says that missing checks may be declared instead of made. `medium_review`
    and `medium_review_closed` are what a medium-risk change owes in an ordinary turn and in a
    closed loop.
    """

    name: str
    partial_completion: bool
    medium_review: MediumReview
    medium_review_closed: MediumReview


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                name="light",
                partial_completion=True,
                medium_review=MediumReview.NONE,
                medium_review_closed=MediumReview.NONE,
            ),
            Preset(
                name="balanced",
                partial_completion=True,
                medium_review=MediumReview.CONDITIONAL,
                medium_review_closed=MediumReview.CONDITIONAL,
            ),
            Preset(
                name="delivery",
                partial_completion=False,
                medium_review=MediumReview.CONDITIONAL,
                medium_review_closed=MediumReview.FORCED,
            ),
        )
    }
)

DEFAULT_PRESET = "balanced"

BALANCED = PRESETS[DEFAULT_PRESET]


def preset_of(name: str) -> Preset:
    """Return the preset of that name; an unknown name means balanced."""
    return PRESETS.get(name.strip().lower(), BALANCED)
