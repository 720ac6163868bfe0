"""What the runtime raises.

::

    ReasonixError                 root: everything a caller may want to catch
    └── UnknownRuleSetError       a rule set was named that does not exist
"""

from __future__ import annotations

from collections.abc import Sequence


class ReasonixError(Exception):
    """Something a caller of the runtime did wrong or handed in broken; the text says what to do."""


class UnknownRuleSetError(ReasonixError):
    """No rule set has that name; `choices` are the valid ones, `nearest` the likely one."""

    def __init__(self, name: str, *, choices: Sequence[str], nearest: Sequence[str] = ()) -> None:
        hint = f"; did you mean {nearest[0]!r}?" if nearest else ""
        super().__init__(f"unknown rule set {name!r}: expected one of {', '.join(choices)}{hint}")
        self.name = name
        self.choices = tuple(choices)
        self.nearest = tuple(nearest)
