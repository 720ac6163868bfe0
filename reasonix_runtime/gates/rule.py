"""The shape of a rule of the catalogue."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One rule of a gate.

    `id` is that of `docs/GATES.md` (for example `CS-02.V4`), `area` the part of the catalogue it
    stands in, `sentence` and `sentence_zh` what it demands, `reasons` the codes of verdicts that it
    decides, `points` the policy points that change it. `moves` are codes of the goal machine where
    a goal moves and nobody asked for a verdict.
    """

    id: str
    area: str
    sentence: str
    sentence_zh: str
    reasons: tuple[str, ...] = ()
    points: tuple[str, ...] = ()
    moves: tuple[str, ...] = ()
