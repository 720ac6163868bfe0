"""What changed since the last turn end that passed, and what was done about it.

A host that forgets a change at the next turn lets it slip through. A :class:`ChangeSet` is fed
every receipt in order and keeps only what is still owed: for each changed path whether it was
looked at, whether its content was seen and which reviews cover it *since its last change*, whether
a verification passed and a step was signed off since the latest change of all. A later change takes
back what it may have undone. Its size grows with distinct changed paths, not with calls.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from functools import lru_cache, partial

import msgspec

from reasonix_runtime.evidence.checks.declared import is_made_of
from reasonix_runtime.evidence.checks.missed import NOTHING_MISSED, Missed, limits_of, misses
from reasonix_runtime.evidence.checks.places import places_of
from reasonix_runtime.evidence.checks.runs import CheckRuns
from reasonix_runtime.evidence.claims import cites_kind
from reasonix_runtime.evidence.commands import CommandRules, classify
from reasonix_runtime.evidence.effects.formatters import formatted_by, only_takes_back, stashing
from reasonix_runtime.evidence.effects.git_record import Recorded
from reasonix_runtime.evidence.effects.installs import leaves_work
from reasonix_runtime.evidence.effects.products import builds_of
from reasonix_runtime.evidence.effects.shell_edits import NO_EDIT, ToldEdit, cleared_by, edit_of
from reasonix_runtime.evidence.owed.after_change import checks_its_change
from reasonix_runtime.evidence.owed.bearings import MOST_NAMED, Bearing, Positions, Role
from reasonix_runtime.evidence.owed.builds import Built
from reasonix_runtime.evidence.owed.changed_paths import Change, ChangedPaths, SomePaths
from reasonix_runtime.evidence.owed.inspection import Inspection
from reasonix_runtime.evidence.owed.placeless import PlacelessLooks
from reasonix_runtime.evidence.owed.review import REVIEW_KINDS, OwedReview
from reasonix_runtime.evidence.owed.risk import CONTRACT_RISK, Risk, RiskRules
from reasonix_runtime.evidence.owed.untold_ends import UntoldEnds
from reasonix_runtime.evidence.owed.workplace import NOWHERE, Workplace
from reasonix_runtime.evidence.receipts import Receipt, left_paths
from reasonix_runtime.evidence.tool_kinds import HOST_STATE_TOOLS, UNNAMED
from reasonix_runtime.trace.events import UNTOLD

Keys = dict[str, None]
MOST_DOUBTS = 8
"""How many calls of unknown outcome are told."""


class ChangeSet:
    """The outstanding changes of one run.

    Args:
        commands: how commands are classified and compared.
        checks: the declared project checks.
        where: what is known of the folder that the run works in.
        latest_only: whether only the latest change counts; earlier ones are then forgotten.
        inconclusive_exits: exit codes that say nothing about a check.
        selection_outweighs: whether any test that passed outweighs any that failed.
        risk: how changes are rated; no check is owed for what is of low risk.
    """

    def __init__(
        self,
        commands: CommandRules,
        *,
        checks: Sequence[str] = (),
        where: Workplace = NOWHERE,
        latest_only: bool = False,
        inconclusive_exits: frozenset[int] = frozenset(),
        selection_outweighs: bool = False,
        risk: RiskRules = CONTRACT_RISK,
    ) -> None:
        self._commands = commands
        self._risk = risk
        self._declared = tuple(checks)
        self._where = where
        self._key = lru_cache(maxsize=4096)(where.key)
        self._root = self._key(".")
        self._latest_only = latest_only
        self._inconclusive = inconclusive_exits
        self._selection_outweighs = selection_outweighs
        #: Whether the first change or check of this turn came before there were criteria.
        self.unplanned = False
        self._turn = 0
        #: The position of the latest change.
        self.latest_at = -1
        self._at = -1
        self._running: dict[int, str] = {}
        self._owe_nothing(Recorded())

    def settle(self) -> None:
        """Forget everything: a turn end passed."""
        self._owe_nothing(self.inspection.recorded.settled())

    def _owe_nothing(self, recorded: Recorded) -> None:
        self._paths = ChangedPaths(self._key, self._where.fits)
        self._done = Positions()
        #: What was looked at since.
        self.inspection = Inspection(
            self._commands, self._where, self._key, self._paths, self._done, recorded
        )
        self._owed = {kind: OwedReview(self._paths.to_cover) for kind in REVIEW_KINDS}
        #: The runs of checks.
        self.checks = CheckRuns(
            self._commands,
            self._declared,
            selection_outweighs=self._selection_outweighs,
            key=self._key,
        )
        #: The command of the latest change, empty for one by another tool and one that failed.
        self.latest_command = ""
        #: Tool of the latest change without a known path, empty when there is none.
        self.opaque_tool = ""
        #: The command behind such a change, for messages.
        self.opaque_command = ""
        #: Whether a check ran, passed or failed.
        self.checked = False
        # The turn of the first change that is owed for.
        self._since = 0
        self._doubts: dict[str, None] = {}
        #: Calls since the latest change that may have looked or checked, None without any.
        self.untold: UntoldEnds | None = None
        self._placeless: PlacelessLooks | None = None
        # Whether a change may stand elsewhere than in the workspace.
        self._far = False
        self._wild_at = -1
        self._built = Built()
        self.signed_off = False
        #: Whether the latest sign-off after the changes says that something is only claimed.
        self.declared_manual = False

    def restore(self, tool: str) -> None:
        """Take over a change of an earlier run whose receipt is gone; nothing is known of it."""
        self._change(Receipt(tool=tool, args={}, success=True, mutation=True), -1)

    def new_turn(self, turn: int = 0) -> None:
        """Begin another turn, by its number, with the same outstanding changes."""
        self.unplanned = False
        self._turn = turn

    # -- what is known -----------------------------------------------------------------------

    def __bool__(self) -> bool:
        """Whether something changed."""
        return bool(self._paths) or bool(self.opaque_tool)

    @property
    def paths(self) -> SomePaths:
        """The changed paths as they were named last, in the order of their first change."""
        return self._paths.some(self._paths, len(self._paths))

    @property
    def earlier_turn(self) -> int:
        """The number of the earlier turn since which something is owed for, 0 for none."""
        return self._since if self and self._since < self._turn else 0

    def risk(self) -> Risk | None:
        """Rate everything that changed together, None when nothing did (DL-04)."""
        if not self:
            return None
        if self.inspection.pathless.wild:
            return "high"
        rated = self._paths.risk(self._risk) if self._paths else "medium"
        return "medium" if self.opaque_tool and rated == "low" else rated

    @property
    def unseen(self) -> SomePaths:
        """Changed paths that nobody looked at since their last change."""
        unseen = self.inspection.unseen
        return self._paths.some(unseen, len(unseen))

    def may_be_seen(self) -> Sequence[str]:
        """Return changed paths that somebody may have looked at from a folder that nobody knows."""
        if self._placeless is None:
            return ()
        unread = [self._paths[key] for key in self.inspection.unread]
        changed = {change.path: max(change.at, self._wild_at) for change in unread}
        return self._placeless.may_have_seen(changed)

    def content_seen(self) -> bool:
        """Whether all content that a review has to cover was seen since its last change.

        A path that a report forbade to deliver is not proved by seeing its content.
        """
        if self.inspection.pathless.unseen_by:
            return False
        unread, forced = self.inspection.unread, self._owed["review"].forced
        to_review = self._paths.to_review().keys()
        return to_review.isdisjoint(unread) and to_review.isdisjoint(forced)

    def unreviewed(self, kind: str) -> SomePaths | None:
        """Return the paths to review without a good report of this kind since their last change.

        None means that nothing is owed; no path that only a change without one is.
        """
        owed = self._owed[kind]
        count = owed.to_cover if self._paths.to_cover else len(owed.paths)
        if not (count or owed.opaque):
            return None
        return self._paths.some(filter(owed.paths.__contains__, self._paths.to_review()), count)

    def blocked(self, kind: str) -> SomePaths | None:
        """Return what a report of this kind forbids to deliver, None when it forbids nothing.

        Nothing of it changed since. No path means a change without a known one.
        """
        owed = self._owed[kind]
        if not (owed.blocked or owed.blocked_opaque):
            return None
        return self._paths.some(owed.blocked, len(owed.blocked))

    @property
    def doubts(self) -> Sequence[str]:
        """Calls that may have changed something, or still may: unknown outcomes, running jobs."""
        return [*self._doubts, *list(self._running.values())[:MOST_DOUBTS]]

    def supposing(self, seen: Sequence[str] = ()) -> ChangeSet:
        """Return what would be owed had all untold ends been good, and these files been seen."""
        twin = copy(self)
        twin._placeless, twin._running = None, self._running.copy()
        twin._done = Positions()
        twin.inspection = self.inspection.copy(twin._done)
        twin.checks = self.checks.copy()
        for receipt, at in self.untold.as_good() if self.untold else ():
            twin.record(receipt, at=at, criteria=True)
        twin.inspection.saw(self._paths.named(seen), content=True)
        return twin

    def as_settled(self) -> ChangeSet:
        """Return the same for what comes next, with nothing owed for what changed so far."""
        twin = copy(self)
        twin._running = self._running.copy()
        twin._owe_nothing(Recorded(new=self.inspection.recorded.new.copy()))
        return twin

    def mended(self, kind: str) -> bool:
        """Whether what a report of this kind forbade was changed, and not reported on since."""
        return bool(self._owed[kind].forced)

    def bearings(self) -> Iterator[Bearing]:
        """Yield the receipts of the latest changes, and of what was done about them since."""
        done, pathless, inspection = self._done, self._done.pathless, self.inspection
        for at in (*done.unknown, *self._running):
            yield Bearing(at, Role.UNKNOWN)
        if not self:
            return
        for key, change in self._paths.latest(MOST_NAMED):
            yield Bearing(change.at, Role.CHANGE)
            content = key not in inspection.unread
            if key not in inspection.unseen:
                yield Bearing(done.look_at(key, content=content, since=change.at), Role.LOOK)
        if self.opaque_tool:
            yield Bearing(pathless, Role.CHANGE)
            if not inspection.opaque_unseen:
                yield Bearing(done.look_at_pathless(), Role.LOOK)
        for at in self.checks.bearing():
            yield Bearing(at, Role.CHECK)
        for (kind, key), at in done.reports.items():
            if self._owed[kind].is_heard(key) and (key in self._paths or at > pathless >= 0):
                yield Bearing(at, Role.REVIEW)
        if self.signed_off:
            yield Bearing(done.sign_off, Role.SIGN_OFF)

    # -- what is fed -------------------------------------------------------------------------

    def record(self, receipt: Receipt, *, at: int, criteria: bool) -> None:
        """Take in the next receipt of the run; `at` is its position in the session, over turns.

        `criteria` tells whether acceptance criteria stood before it.
        """
        self._at = at
        command, success, began = receipt.command, receipt.success, receipt.began
        # What ran in the background may have written until its end, however it ended.
        done = success or receipt.partly or began is not None
        # What the host itself holds is no change of the workspace.
        changes = receipt.mutation and done and receipt.tool not in HOST_STATE_TOOLS
        # Nor is a run of what the project wants to see pass after a change.
        if changes and self._declared and command:
            changes = not is_made_of(command, self._declared)
        verifies = bool(command) and classify(command, self._commands).verification
        self.unplanned |= (changes or verifies) and not criteria
        self.checked |= verifies
        if began is not None and receipt.mutation:
            self._running.pop(began, None)
        if receipt.outcome in UNTOLD:
            self._take_untold(receipt, at)
        if changes:
            self._change(receipt, at)
        inspection = self.inspection
        steps = inspection.steps_behind_look(command) if success and "git" in command else ()
        if changes:
            inspection.look_behind_change(receipt, at)
        elif (
            success
            and (
                inspection.unread
                or inspection.unseen
                or inspection.opaque_unseen
                or (self.opaque_tool and inspection.pathless.unseen_by)
            )
            and (began is None or began >= self.latest_at or self._stands(receipt, began))
        ):
            if self._placeless is not None:
                self._placeless.take(at, receipt)
            inspection.look(receipt, at)
        if changes and success and command and checks_its_change(command, self._commands):
            self._run(receipt, verifies=True, changes=False)
        elif command and (verifies or self._declared or not success):
            self._run(receipt, verifies=verifies, changes=changes)
        if steps:
            inspection.take_steps(steps)
        if success and command and self._placeless is not None:
            self._forget(self._paths.meant_by(cleared_by(command, self._commands)))
        if success and receipt.tool == "complete_step":
            self._sign_off(receipt, at)

    def _sign_off(self, receipt: Receipt, at: int) -> None:
        self.signed_off = True
        self._done.sign_off = at
        self.declared_manual = cites_kind(receipt.args, "manual")

    def _stands(self, receipt: Receipt, began: int) -> bool:
        """Whether what a read saw, that began before the latest change, is still there.

        What else ran beside changes may have looked before any of them.
        """
        if not receipt.read or receipt.command or self._wild_at > began:
            return False
        seen = self._paths.named(receipt.paths)
        return all(self._paths[key].at <= began for key in seen)

    def doubt(self, call: str) -> None:
        """Note a call that would change something and whose outcome nobody recorded."""
        if len(self._doubts) < MOST_DOUBTS:
            self._doubts[call] = None

    def report(self, kind: str, paths: Sequence[str], *, blocking: bool) -> None:
        """Take a review report in that the host accepted."""
        owed = self._owed.get(kind)
        if owed is None or not paths:
            return
        covered = self._paths.reported(paths, blocking=blocking)
        for key in covered or ("",):
            self._done.reports[kind, key] = self._at
        if not blocking:
            owed.passed(covered)
        elif covered or self.opaque_tool:
            owed.forbidden(covered, opaque=bool(self.opaque_tool))

    def _forget(self, keys: Sequence[str]) -> None:
        """Owe nothing for files that stood in scratch and were taken away again."""
        self.inspection.forget(keys)
        for owed in self._owed.values():
            owed.forget(keys)
        self._paths.drop(keys)

    def _take_untold(self, receipt: Receipt, at: int) -> None:
        if receipt.mutation and receipt.tool not in HOST_STATE_TOOLS:
            self._done.unknown.append(at)
        elif not receipt.mutation and self:
            self.untold = self.untold or UntoldEnds()
            self.untold.take(receipt, at)

    def _change(self, receipt: Receipt, at: int) -> None:
        self.latest_at = at
        if not receipt.settled:
            self._running[at] = receipt.command
        if self._latest_only:
            self.settle()
        if not (self._paths or self.opaque_tool):
            self._since = self._turn
        self.checks.changed()
        self.untold = None
        self.signed_off = self.declared_manual = False
        command = receipt.command
        self.latest_command = command if receipt.success else ""
        if command or self._built.programs:
            self._built = self._built.after(command, at, self._commands)
        edit = edit_of(command, self._commands) if command and receipt.paths else NO_EDIT
        if edit.unsure and not self._has_all(edit.unsure):
            receipt, edit = msgspec.structs.replace(receipt, paths=()), NO_EDIT
        touched, gone = self._note_paths(receipt, edit, at)
        opaque = not (touched or any(self._paths[key].back for key in gone))
        if opaque:
            self.opaque_tool, self.opaque_command = receipt.tool or UNNAMED, command
            self._done.pathless = at
            opaque = not (command and leaves_work(command, self._paths, self._commands))
        if opaque:
            self._wild_at = at
            formatted = formatted_by(command, self._commands) if command else ()
            below = self._paths.below(formatted, self._paths) if formatted else self._paths
            touched = dict.fromkeys(below)
            gone += self._put_back("" if receipt.kept_nothing else command, touched, at)
        if gone:
            gone = [key for key in gone if key not in touched]
        self.inspection.changed(receipt, touched, gone, edit=edit, opaque=opaque)
        for owed in self._owed.values():
            owed.changed(touched, gone=gone, opaque=opaque)

    def _has_all(self, paths: Sequence[str]) -> bool:
        """Whether all of some paths are changed ones: git takes no such name for a branch's."""
        return all(self._key(path) in self._paths for path in paths)

    def _put_back(self, command: str, touched: Keys, at: int) -> list[str]:
        """Take out of some paths those that a command takes back, and return them.

        What was taken back is there again as far as it does anything else.
        """
        back: list[str] = []
        stashes = bool(command) and stashing(command, self._commands).puts
        restores = bool(command) and only_takes_back(command, self._commands)
        if stashes or restores:
            recorded = self.inspection.recorded
            held = [key for key in touched if recorded.holds_unchanged(key, by_name=False)]
            if stashes and any(not self._paths[key].back for key in held):
                self.inspection.pathless.stashed = True
            if restores:
                back = held
        for key in back:
            del touched[key]
        for is_back, keys in ((True, back), (False, touched)):
            for key in keys:
                change = self._paths[key]
                if change.back is not is_back:
                    self._paths.note(key, msgspec.structs.replace(change, at=at, back=is_back))
        return back

    def _note_paths(self, receipt: Receipt, edit: ToldEdit, at: int) -> tuple[Keys, list[str]]:
        """Note the paths of a change; return the keys of those with new content, and the others."""
        touched: Keys = {}
        tool, left = receipt.tool, left_paths(receipt)
        gone = edit.gone(self._key) if edit.moved else []
        places = self._where.places(receipt, receipt.paths)
        for path, place in zip(receipt.paths, places, strict=True):
            key = self._key(path)
            back = edit is not NO_EDIT and self._takes_back(edit, path, key)
            self._paths.note(key, Change(path, place, tool, at, back))
            self._far = self._far or place[:1] == "/" or place[1:2] == ":"
            if self._placeless is None and (path[:1] == "/" or path[1:2] == ":"):
                self._placeless = PlacelessLooks()
            if path in left and key not in gone and not back:
                touched[key] = None
            else:
                gone.append(key)
        return touched, gone

    def _takes_back(self, edit: ToldEdit, path: str, key: str) -> bool:
        """Whether an edit takes the earlier changes of a path back, which git holds as it was."""
        if path in edit.removed:
            return key in self.inspection.recorded.new
        held = self.inspection.recorded.holds_unchanged(key, by_name=True)
        return path in edit.restored and key in self._paths and held

    def _run(self, receipt: Receipt, *, verifies: bool, changes: bool) -> None:
        """Note a run of a check; one that changes something proves nothing about the result."""
        command = receipt.command
        if verifies:
            self.checks.ran[command] = self._at
        if receipt.ran_nothing:
            self.checks.told_nothing(command, belied=receipt.belied)
        elif not receipt.success:
            if receipt.outcome == "error" and receipt.exit_code not in self._inconclusive:
                self.checks.failed_now(command, verifies=verifies)
        elif changes or not receipt.settled:
            return
        elif self._where.own_text(command) or not self._ran_on_the_work(command):
            self.checks.elsewhere = command if verifies else self.checks.elsewhere
        elif (
            verifies
            and (needed := builds_of(command, self._commands).needed)
            and self._built.is_old(needed, self._paths, wild_at=self._wild_at)
        ):
            self.checks.of_old_build = command
        elif receipt.began is not None and receipt.began < self.latest_at:
            self.checks.stale = command if verifies else self.checks.stale
        else:
            missed = NOTHING_MISSED
            if verifies and (self._far or limits_of(command, self._commands, self._root)):
                asked = partial(misses, command, rules=self._commands, root=self._root)
                if self._far and not self.opaque_tool:
                    asked = partial(self._is_missed, command, places_of(command, self._commands))
                owed = self._paths.to_check
                missed = Missed(
                    self._paths.find_to_check(self._risk) if owed is None else owed, asked
                )
            self.checks.ran_well(command, at=self._at, verifies=verifies, missed=missed)

    def _is_missed(self, command: str, places: Sequence[Sequence[str]], key: str) -> bool:
        """Whether a command left a path out, or its checks are of other folders than its own."""
        return self._paths.is_far_from(places, key, work=self._commands.work) or misses(
            command, key, self._commands, self._root
        )

    def _ran_on_the_work(self, command: str) -> bool:
        """Whether the checks of a command are about the workspace, or where something changed."""
        places = places_of(command, self._commands)
        far = self._placeless is not None and not self.opaque_tool
        if not (places or far):
            return True
        return self._paths.are_checked_in(places, self._where.holds, far=far)
