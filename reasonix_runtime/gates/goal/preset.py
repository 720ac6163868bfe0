"""Completion presets: how much of the work a host insists on before a goal counts as reached."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """One row of the preset table (goal format, section 7.1)."""

    name: str
    verification: str
    partial_completion: bool
    contract: str = ""
    review: Mapping[str, str]


PRESETS: Mapping[str, Preset] = MappingProxyType(
    {
        preset.name: preset
        for preset in (
            Preset(
                name="light",
                verification="targeted",
                partial_completion=True,
                review={"low": "none", "medium": "none", "high": "forced"},
            ),
            Preset(
                name="balanced",
                verification="targeted",
                partial_completion=True,
                review={"low": "none", "medium": "conditional", "high": "forced"},
            ),
            Preset(
                name="delivery",
                verification="full",
                partial_completion=False,
                contract="atomic",
                review={"low": "none", "medium": "forced", "high": "forced"},
            ),
        )
    }
)

DEFAULT_PRESET = "balanced"


BALANCED = PRESETS[DEFAULT_PRESET]


def preset_of(name: str) -> Preset:
    """Return the preset of that name; an unknown name means balanced."""
    return PRESETS.get(name.strip().lower(), BALANCED)
