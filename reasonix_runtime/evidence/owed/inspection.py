"""What was looked at of the changes of a run since they were made: that they are there, and how.

`git status` tells that a path changed, `git diff` and a read tell how. Which of them shows a change
depends on how far that came into git (`effects/git_record.py`). A change without a known path was
looked at when all that was changed was.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy, deepcopy
from typing import TYPE_CHECKING

import msgspec

from reasonix_runtime.evidence.effects.git_record import (
    Recorded,
    Step,
    only_records,
    steps_before_look,
    steps_of,
)
from reasonix_runtime.evidence.effects.pathless_changes import PathlessChanges
from reasonix_runtime.evidence.looking.globs import fits_glob
from reasonix_runtime.evidence.looking.looks import NO_LOOK, Look, look_of
from reasonix_runtime.evidence.looking.shown import Shown
from reasonix_runtime.evidence.owed.after_change import look_behind
from reasonix_runtime.evidence.tool_kinds import UNNAMED

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.effects.shell_edits import ToldEdit
    from reasonix_runtime.evidence.owed.bearings import Positions
    from reasonix_runtime.evidence.owed.changed_paths import ChangedPaths
    from reasonix_runtime.evidence.owed.workplace import Workplace
    from reasonix_runtime.evidence.receipts import Receipt


class Inspection:
    """The looks at the changes of one run; files are told by their keys (`Ledger.key`).

    Args:
        commands: how commands are classified.
        where: what is known of the folder that the run works in.
        key: gives the form in which paths are compared.
        paths: the changed paths, which somebody else keeps.
        done: where the looks that count stand, for reports.
        recorded: how far earlier changes came into git.
    """

    def __init__(
        self,
        commands: CommandRules,
        where: Workplace,
        key: Callable[[str], str],
        paths: ChangedPaths,
        done: Positions,
        recorded: Recorded,
    ) -> None:
        self._commands = commands
        self._where = where
        self._key = key
        self._paths = paths
        self._done = done
        self._at = -1
        #: How far the changes have come into git.
        self.recorded = recorded
        #: The changed files that nobody looked at since their last change.
        self.unseen: dict[str, None] = {}
        #: Those whose content nobody saw since then.
        self.unread: dict[str, None] = {}
        #: Whether nobody looked since a change without a known path.
        self.opaque_unseen = False
        #: What is known of such changes.
        self.pathless = PathlessChanges()

    def copy(self, done: Positions) -> Inspection:
        """Return the same, to take others looks in on trial."""
        twin = copy(self)
        twin._done = done
        twin.unseen, twin.unread = self.unseen.copy(), self.unread.copy()
        twin.recorded, twin.pathless = deepcopy(self.recorded), deepcopy(self.pathless)
        return twin

    def changed(
        self,
        receipt: Receipt,
        touched: dict[str, None],
        gone: Sequence[str],
        *,
        edit: ToldEdit,
        opaque: bool,
    ) -> None:
        """Take in a change: what was seen of its files before is not what is there now.

        Args:
            receipt: the change.
            touched: the files that it may have changed.
            gone: those that it named and that are not there after it.
            edit: what its command says that it did to its files.
            opaque: whether it has no known path, and may have written any file.
        """
        command = receipt.command
        if opaque:
            self.opaque_unseen = True
            self.pathless.take(command, self._commands, self._key, tool=receipt.tool or UNNAMED)
        self.unseen |= touched
        self.unread |= edit.to_read(touched, self._key) if edit.kept or edit.removed else touched
        if not (command and only_records(command, self._commands)):
            self.recorded.changed(touched)
        if receipt.tool == "write_file":
            self.recorded.new.update(key for key in touched if self._where.is_new(key))
        if gone:
            self.forget(gone)
        for key in map(self._key, edit.removed):  # of which nothing is left to read
            self.unread.pop(key, None)

    def forget(self, keys: Iterable[str]) -> None:
        """Owe no look at files of which nothing is left."""
        for key in keys:
            self.unseen.pop(key, None)
            self.unread.pop(key, None)

    def steps_behind_look(self, command: str) -> tuple[Step, ...]:
        """Take in the steps into git before the look of a command; return those after it.

        What stands before the look decides what the look shows.
        """
        steps = steps_of(command, self._commands)
        in_front = steps_before_look(command, self._commands) if steps else ()
        if in_front:
            self.take_steps(in_front)
        return steps[len(in_front) :]

    def take_steps(self, steps: tuple[Step, ...]) -> None:
        """Take in how far a command brought the changes into git."""
        self.recorded.take(steps, self._paths, self._key)
        self.pathless.recorded(steps)

    def look_behind_change(self, receipt: Receipt, at: int) -> None:
        """Take in the look that a command takes at the end of what it changed itself."""
        command = receipt.command
        if receipt.success and command and (behind := look_behind(command, self._commands)):
            self.look(msgspec.structs.replace(receipt, command=behind), at)

    def look(self, receipt: Receipt, at: int) -> None:
        """Note which changed paths a successful call without changes looked at, or showed."""
        self._at = at
        if receipt.command:
            look = look_of(receipt.command, self._commands)
            if look is not NO_LOOK and receipt.settled:
                self._look_by_command(receipt, look)
        elif receipt.read and receipt.paths:
            self.saw(self._paths.named(receipt.paths), content=receipt.content)

    def _look_by_command(self, receipt: Receipt, look: Look) -> None:
        whole = look.whole and self._is_of_all(look.folder)
        if whole or (look.folders and self._paths.is_root(look.folders)):
            self.opaque_unseen = False
            self.unseen = self.recorded.unnamed(self.unseen, lists=look.lists)
            self._done.all_named = self._at
        if receipt.has_output:
            if look.whole and not whole:
                beside = self._paths.standing_in((look.folder,))
                self.saw(self.recorded.named(beside, lists=look.lists), content=False)
            if look.files:
                self.saw(self._paths.named(look.files), content=False)
            if look.folders:
                below = self._paths.below(look.folders, self.unseen)
                self.saw(self.recorded.named(below, lists=look.lists), content=False)
        for shown in look.shown.each:
            if not shown.cut or self._is_of_one(shown):
                self._see(shown, has_output=receipt.has_output)

    def _is_of_all(self, folder: str) -> bool:
        """Whether git, asked in this folder, speaks of what was changed."""
        inside = self._where.inside(folder)
        return inside and not (folder and self._paths.stand_apart_from(folder))

    def _see(self, shown: Shown, *, has_output: bool) -> None:
        """Note what a look shows the content of."""
        if shown.whole or (shown.below and self._paths.is_root(shown.operands)):
            inside = not shown.whole or self._is_of_all(shown.folder)
            meant = self._paths if inside else self._paths.standing_in((shown.folder,))
            # An empty diff tells of a formatter that it found nothing to do.
            if inside and (has_output or not self.pathless.records):
                self.pathless.saw_all(shown.state)
            if has_output:
                self._saw_all(self.recorded.shown_of(meant, shown.state))
        elif shown.below and self.pathless.unseen_by:
            self.pathless.saw_below({self._key(name) for name in shown.operands}, shown.state)
            self.opaque_unseen = self.pathless.wild or bool(self.pathless.unseen_by)
            self._done.below = self._at
        if has_output and shown.globs and not shown.cut:
            globs = [*map(self._key, shown.globs)]
            self.saw([key for key in self.unread if fits_glob(key, globs)], content=True)
        if has_output and shown.operands:
            named = self._paths.named(shown.operands)
            if shown.below and len(named) < len(shown.operands):
                named += self._paths.below(shown.operands, self.unread)
            self.saw(self.recorded.shown_of(named, shown.state), content=True)

    def _is_of_one(self, shown: Shown) -> bool:
        """Whether one changed file alone is shown: of several, a part shows only the first."""
        operands = shown.operands
        return len(self._paths) == 1 or (
            len(operands) == 1 and self._key(operands[0]) in self._paths
        )

    def _saw_all(self, keys: Collection[str]) -> None:
        if keys is self._paths:
            self.unseen.clear()
            self.unread.clear()
            self._done.all_read = self._at
        else:
            self.saw(keys, content=True)

    def saw(self, keys: Iterable[str], *, content: bool) -> None:
        """Note that the names of some files were looked at, or their `content` was."""
        looks = self._done.read if content else self._done.named
        for key in keys:
            looks[key] = self._at
            self.unseen.pop(key, None)
            if content:
                self.unread.pop(key, None)
