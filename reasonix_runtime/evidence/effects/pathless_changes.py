"""Changes that name no path although it is known what they may have done (policy point).

A formatter lays files out, `git add -A && git commit` takes in what was changed. Both make a check
and a look old, and what they did is seen by a diff; any other change without a path may have done
anything, and only reviews speak for it (R2).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.effects.formatters import formatted_by, stashing
from reasonix_runtime.evidence.effects.git_record import Step, only_records
from reasonix_runtime.evidence.looking.shown import State
from reasonix_runtime.evidence.paths import stands_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Set

    from reasonix_runtime.evidence.command_rules import CommandRules

# Which of what is unseen a look at a state shows: what was laid out, staged, committed.
_SHOWN: Final = {
    State.FILE: frozenset({"formatted", "staged", "committed"}),
    State.SINCE: frozenset({"formatted", "staged", "committed"}),
    State.UNSTAGED: frozenset({"formatted"}),
    State.UNCOMMITTED: frozenset({"formatted", "staged"}),
    State.STAGED: frozenset({"staged"}),
    State.COMMITTED: frozenset({"committed"}),
    State.LATEST: frozenset({"committed"}),
}


@dataclass(slots=True)
class PathlessChanges:
    """The pathless changes of a run: whether one may have done anything, and what is unseen."""

    #: Whether a change may have done anything.
    wild: bool = False
    #: The tool of the latest of these, and its command.
    tool: str = ""
    command: str = ""
    #: Whether the latest stash holds changes of this run, and nothing else.
    stashed: bool = False
    #: The keys of what was laid out.
    _formatted: set[str] = field(default_factory=set)
    _staged: bool = False
    _committed: bool = False
    # Whether another commit came on top of it.
    _buried: bool = False

    def take(
        self, command: str, rules: CommandRules, key: Callable[[str], str], *, tool: str = ""
    ) -> None:
        """Take in a change without a known path, by the tool that made it."""
        if not command or (stashing(command, rules).brings and not self.stashed):
            self.wild, self.tool, self.command = True, tool, command
        elif formatted := formatted_by(command, rules):
            self._formatted.update(map(key, formatted))
            told = stashing(command, rules)
            self.stashed = self.stashed and not (told.brings or told.drops)
        elif only_records(command, rules):
            self._formatted.clear()  # it is in the record as well
            self._staged = True
        else:
            self.wild, self.tool, self.command = True, tool, command

    def recorded(self, steps: Iterable[Step]) -> None:
        """Take in what a command staged and committed."""
        for step in steps:
            if step.commits:
                self._buried = self._committed and not step.amends
                self._committed, self._staged = self._committed or self._staged, False

    def saw_all(self, state: State) -> None:
        """Take in a look at everything that was changed, as far as a state shows it."""
        shown = _SHOWN.get(state, frozenset())
        if "formatted" in shown:
            self._formatted.clear()
        self._staged = self._staged and "staged" not in shown
        buried = self._buried and state is State.LATEST
        self._committed = self._committed and (buried or "committed" not in shown)

    def saw_below(self, folders: Set[str], state: State) -> None:
        """Take in a look at what was changed below some folders, told by their keys."""
        if "formatted" in _SHOWN.get(state, frozenset()):
            kept = [one for one in self._formatted if one not in folders]
            self._formatted = {one for one in kept if not stands_below(one, folders)}

    @property
    def records(self) -> bool:
        """Whether something was taken into the record, and not seen there."""
        return self._staged or self._committed

    @property
    def unseen_by(self) -> str:
        """The command that shows what is unseen of them, empty when all was seen."""
        if self._committed:
            return "git diff HEAD~1"
        if self._staged:
            return "git diff HEAD"
        return "git diff" if self._formatted else ""
