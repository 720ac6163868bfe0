"""Changes without a known path of which it is known what they may have done (policy point).

A formatter lays files out, `git add -A && git commit` takes in what was changed. Both make a check
and a look old, and what they did is seen by a diff; any other change without a path may have done
anything, and only reviews speak for it (R2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.formatters import only_formats
from reasonix_runtime.evidence.git_record import Step, only_records, steps_of
from reasonix_runtime.evidence.shown import State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reasonix_runtime.evidence.command_rules import CommandRules

# Which of what is unseen a look at everything in a state shows.
_SHOWN: Final = {
    State.FILE: frozenset({"formatted", "staged", "committed"}),
    State.UNSTAGED: frozenset({"formatted"}),
    State.UNCOMMITTED: frozenset({"formatted", "staged"}),
    State.STAGED: frozenset({"staged"}),
    State.COMMITTED: frozenset({"committed"}),
}
# The look that shows each of them, the one that shows most first.
_LOOKS: Final = {"committed": "git diff HEAD~1", "staged": "git diff HEAD", "formatted": "git diff"}


@dataclass(slots=True)
class TameChanges:
    """The pathless changes of a run: whether one may have done anything, and what is unseen."""

    #: Whether a change may have done anything.
    wild: bool = False
    _unseen: set[str] = field(default_factory=set)

    def take(self, command: str, rules: CommandRules) -> None:
        """Take in a change without a known path."""
        if command and only_records(command, rules):
            self._unseen = self._unseen & {"committed"} | {"staged"}
            self.recorded(steps_of(command, rules))
        elif command and only_formats(command, rules):
            self._unseen.add("formatted")
        else:
            self.wild = True

    def recorded(self, steps: Iterable[Step]) -> None:
        """Take in what a command staged and committed."""
        if "staged" in self._unseen and any(step.commits for step in steps):
            self._unseen.remove("staged")
            self._unseen.add("committed")

    def saw_all(self, state: State) -> None:
        """Take in a look at everything that was changed, as far as a state shows it."""
        self._unseen -= _SHOWN.get(state, frozenset())

    @property
    def records(self) -> bool:
        """Whether something was taken into the record, and not seen there."""
        return not self._unseen.isdisjoint({"staged", "committed"})

    @property
    def unseen_by(self) -> str:
        """The command that shows what is unseen of them, empty when all was seen."""
        return next((look for kind, look in _LOOKS.items() if kind in self._unseen), "")
