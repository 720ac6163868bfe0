"""What messages say of a change whose files are not all told: by what it was made, what it names.

A `rm tests/test_a.py` owes what a change of anything does, for no look shows what a missing test
would have said; but its file is known, and a message says so.
"""

from __future__ import annotations

import msgspec

from reasonix_runtime.evidence.commands import CommandRules
from reasonix_runtime.evidence.effects.named_files import named_by
from reasonix_runtime.evidence.masking import shown, shown_all
from reasonix_runtime.evidence.owed.changed_paths import SomePaths
from reasonix_runtime.evidence.owed.changes import ChangeSet
from reasonix_runtime.gates.delivery.turn_end import listed

_BY_NAME = "; files that are staged by name (`git add PATH`) need no new look when committed"


class WithoutPaths(msgspec.Struct, frozen=True):
    """The latest change of a run without a known path, as far as it decides.

    Attributes:
        tool: the tool that made it.
        command: its command, empty for another tool.
        look: what shows all that it did, empty where that may be anything.
        records: whether it only takes into git what was changed.
        rules: how commands are read.
    """

    tool: str
    command: str
    look: str
    records: bool
    rules: CommandRules

    @classmethod
    def of(cls, changes: ChangeSet, rules: CommandRules) -> WithoutPaths:
        """Take what is known now; a message is written later, when more may have changed."""
        pathless = changes.inspection.pathless
        if pathless.wild:
            return cls(pathless.tool, pathless.command, "", records=False, rules=rules)
        return cls(
            changes.opaque_tool,
            changes.opaque_command,
            pathless.unseen_by,
            records=pathless.records,
            rules=rules,
        )

    def unseen(self, known: SomePaths) -> str:
        """Say that nobody looked at it, after the known paths at which nobody did."""
        if self.look:
            left = f"what {self._what()} changed"
        elif names := named_by(self.command, self.rules).files:
            left = f"what {self._what()} did to {shown_all(names)}"
        else:
            left = f"whatever {self._what()} changed, which may be anything"
        run = f"`{self.look}`" if self.look else "`git diff` or `git status`"
        by_name = _BY_NAME if self.look and self.records else ""
        if known.count:
            left = f"{listed(known)} since the last change, nor at {left}"
        return f"nobody looked at {left}: run {run}{by_name}"

    def why_high(self) -> str:
        """Say why no reading of files stands for reviews of it."""
        files, tests = named_by(self.command, self.rules)
        if tests:
            return f"{self._what()} takes tests away: {shown_all(tests)}"
        if files:
            return f"{self._what()} names {shown_all(files)}, and nobody knows what else it changed"
        return f"nobody knows which files {self._what()} changed"

    def _what(self) -> str:
        return f"`{shown(self.command) or shown(self.tool)}`"
