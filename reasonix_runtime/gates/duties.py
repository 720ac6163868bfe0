"""Duties: what a writer owes for what it touched, and what settles it (FC-03 to FC-06).

Every executed writer leaves duties that follow from the class of its targets. A later change
reopens what it may have undone. A :class:`DutyBook` is fed the receipts of a run in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from itertools import chain

from reasonix_runtime.evidence.checks.broad import is_broad
from reasonix_runtime.evidence.checks.declared import words_of
from reasonix_runtime.evidence.claims import cited
from reasonix_runtime.evidence.commands import CommandRules, classify, matches
from reasonix_runtime.evidence.effects.profile import Effect, Profile
from reasonix_runtime.evidence.looking.content import is_whole_diff, shown_operands, shows_path
from reasonix_runtime.evidence.owed.bearings import Bearing, Role
from reasonix_runtime.evidence.owed.path_class import PathClass, path_class
from reasonix_runtime.evidence.path_names import ByName
from reasonix_runtime.evidence.receipts import Receipt

ENOUGH_REVIEWS = 2
"""Good `review` reports after which no further independent review is asked (RV-12)."""
MANY_FILES = 8
MANY_MODULES = 2
"""Changed files, or modules with one, from which on an independent review is owed (FC-03)."""


class Kind(StrEnum):
    """What a duty asks for; the reason code is `obligation.<kind>`."""

    TARGETED = "targeted_verification"
    FULL = "full_verification"
    DIFF = "diff_review"
    INDEPENDENT = "independent_review"
    SECURITY = "security_review"
    SIGNOFF = "signoff"
    ACTION = "action_receipt"
    CRITERIA = "acceptance_criteria"


class Strength(IntEnum):
    """How much a duty binds."""

    ADVISORY = 0
    RECOVERABLE = 1
    STRICT = 2


VERIFICATIONS = frozenset({Kind.TARGETED, Kind.FULL})
REVIEWS = frozenset({Kind.DIFF, Kind.INDEPENDENT, Kind.SECURITY})
_SETTLED_BY = {
    Kind.TARGETED: Role.CHECK,
    Kind.FULL: Role.CHECK,
    Kind.DIFF: Role.LOOK,
    Kind.SIGNOFF: Role.SIGN_OFF,
    Kind.CRITERIA: Role.LIST,
}
_REOPENED = VERIFICATIONS | REVIEWS | {Kind.SIGNOFF}
_REPORT_SETTLES = {
    "review": frozenset({Kind.DIFF, Kind.INDEPENDENT}),
    "security": frozenset({Kind.DIFF, Kind.SECURITY}),
}


@dataclass(slots=True)
class Duty:
    """One duty: its targets (None: not known), its strength, and whether it is settled.

    `at` is the position of the receipt that it arose from, and `by` of the one that settled it, or
    failed to; -1 for none. `tries` counts the ends of a turn that found it open.
    """

    kind: Kind
    targets: tuple[str, ...] | None
    strength: Strength
    settled: bool = False
    at: int = -1
    by: int = -1
    tries: int = 0

    def settle(self, by: int, *, settled: bool = True) -> None:
        """Note whether a receipt settles the duty."""
        self.settled, self.by = settled, by

    def reopen(self) -> None:
        """Take back what settled it: something changed."""
        self.settled, self.by = False, -1


class _Duties:
    """The duties of one run in the order in which they arose, found by what moves them."""

    def __init__(self) -> None:
        self.all: list[Duty] = []
        self._of_kind: dict[Kind, list[Duty]] = {kind: [] for kind in Kind}
        self._of_target: dict[str | None, list[Duty]] = {}
        self._alike: dict[tuple[Kind, tuple[str, ...] | None], list[Duty]] = {}
        self._diffs: ByName[Duty] = ByName()

    def add(self, duty: Duty) -> None:
        """Take a duty in that has arisen."""
        self.all.append(duty)
        self._of_kind[duty.kind].append(duty)
        self._alike.setdefault((duty.kind, duty.targets), []).append(duty)
        for target in (None,) if duty.targets is None else duty.targets:
            self._of_target.setdefault(target, []).append(duty)
            if duty.kind is Kind.DIFF and target is not None:
                self._diffs.add(target, duty)

    def of_kind(self, *kinds: Kind) -> Iterator[Duty]:
        """Yield the duties of some kinds."""
        return chain.from_iterable(self._of_kind[kind] for kind in kinds)

    def alike(self, kind: Kind, targets: tuple[str, ...] | None) -> Iterable[Duty]:
        """Return the duties of a kind with these targets."""
        return self._alike.get((kind, targets), ())

    def touched_by(self, targets: Sequence[str] | None) -> Iterable[Duty]:
        """Return the duties that a change of these targets may undo; None for unknown ones."""
        if targets is None:
            return self.all
        return chain.from_iterable(self._of_target.get(target, ()) for target in (None, *targets))

    def shown_by(self, path: str) -> Iterable[Duty]:
        """Return the duties to look at a diff that a look at this path may settle."""
        return self._diffs.like(path)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of FC-03: what a class of writers owes, and whether a task list has to come first."""

    strength: Strength
    wants_list: bool = False
    verification: Kind | None = None
    reviews: tuple[Kind, ...] = ()
    signoff: bool = False
    action: bool = False


DOCUMENTS = Row(Strength.ADVISORY, verification=Kind.TARGETED)
ORDINARY = Row(Strength.RECOVERABLE, verification=Kind.TARGETED, reviews=(Kind.DIFF,))
SEVERAL = Row(
    Strength.RECOVERABLE, wants_list=True, verification=Kind.TARGETED, reviews=(Kind.DIFF,)
)
INTERFACE = Row(
    Strength.STRICT,
    wants_list=True,
    verification=Kind.FULL,
    reviews=(Kind.DIFF, Kind.INDEPENDENT),
    signoff=True,
)
SENSITIVE = Row(
    Strength.STRICT,
    wants_list=True,
    verification=Kind.FULL,
    reviews=(Kind.SECURITY,),
    signoff=True,
)
DRASTIC = Row(Strength.STRICT, wants_list=True, reviews=(Kind.DIFF,), action=True)
OPAQUE = Row(
    Strength.STRICT, wants_list=True, verification=Kind.FULL, reviews=(Kind.DIFF,), signoff=True
)
NONE = Row(Strength.ADVISORY)

_INTERFACES = frozenset({PathClass.SCHEMA, PathClass.MIGRATION, PathClass.PUBLIC_API})
_SENSITIVE = frozenset({PathClass.AUTH, PathClass.SECRET})


def row_of(profile: Profile) -> Row:
    """Return the row of FC-03 for a writer; the most binding class of its targets decides."""
    if profile.effect is Effect.OPAQUE:
        return OPAQUE
    classes = {path_class(path) for path in profile.targets or ()}
    if classes & _SENSITIVE:
        return SENSITIVE
    if classes & _INTERFACES:
        return INTERFACE
    if profile.destructive or profile.effect is Effect.EXTERNAL:
        return DRASTIC
    if not profile.writes:
        return NONE
    if classes == {PathClass.LOW}:
        return DOCUMENTS
    return SEVERAL if len(set(profile.targets or ())) > 1 else ORDINARY


def wants_independent_review(profile: Profile, row: Row) -> bool:
    """Whether an independent review is owed beyond the row itself (FC-03)."""
    if row is DOCUMENTS or row is SENSITIVE:
        return False
    targets = set(profile.targets or ())
    classes = {path_class(path) for path in targets}
    return (
        bool(classes & (_INTERFACES | {PathClass.CONCURRENCY}))
        or len(targets) >= MANY_FILES
        or len(modules(targets)) >= MANY_MODULES
    )


_DEEP = frozenset({"cmd", "desktop", "docs", "internal", "tools"})


def modules(paths: Iterable[str]) -> frozenset[str]:
    """Return the modules that paths belong to: the first folder, or the first two below `_DEEP`."""
    found = set()
    for path in paths:
        folders = path.strip("/").split("/")[:-1]
        if folders:
            found.add("/".join(folders[:2] if folders[0] in _DEEP else folders[:1]))
    return frozenset(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class DutyRules:
    """What a book needs to know of its run.

    `checks` are the declared project checks, `tests_forbidden` that the user forbade running tests,
    `always_full` that every change owes a full verification (policy floor, or the user's wish),
    `fits` compares an observed path with a wanted one, `covers` a reported path with a target.
    """

    commands: CommandRules
    checks: tuple[str, ...] = ()
    tests_forbidden: bool = False
    always_full: bool = False
    fits: Callable[[str, str], bool] = str.__eq__
    covers: Callable[[str, str], bool] = str.__eq__


class DutyBook:
    """The duties of one run, in the order in which they arose."""

    def __init__(self, rules: DutyRules) -> None:
        self.rules = rules
        self._duties = _Duties()
        #: Whether a strict duty exists, settled or not (FC-09).
        self.strict = False
        #: Declared checks that passed since the latest change of content.
        self.checks_passed: set[str] = set()
        #: Whether content of the workspace changed in this run.
        self.content_changed = False
        #: Whether some call changed something.
        self.wrote = False
        #: Targets of the content changes of this turn.
        self.written: dict[str, None] = {}
        self.proven_criteria: set[str] = set()
        self._good_reviews = 0
        self._at = -1

    @property
    def duties(self) -> Sequence[Duty]:
        """All duties, in the order of creation."""
        return self._duties.all

    def unsettled(self) -> Iterator[Duty]:
        """Yield the duties that are not settled, in the order of creation."""
        return (duty for duty in self.duties if not duty.settled)

    def open(self) -> Iterator[Duty]:
        """Yield those of them that bind."""
        return (duty for duty in self.unsettled() if duty.strength > Strength.ADVISORY)

    def bearings(self) -> Iterator[Bearing]:
        """Yield the receipts that the binding duties arose from, and those that settled them."""
        for duty in self.duties:
            if duty.strength > Strength.ADVISORY:
                yield Bearing(duty.at, Role.CHANGE)
                yield Bearing(duty.by, _SETTLED_BY.get(duty.kind, Role.REVIEW))

    def record(self, receipt: Receipt, profile: Profile, *, at: int, has_list: bool) -> None:
        """Take a receipt in, with its position; `has_list`: a task list stood before it."""
        self._at = at
        if receipt.success and profile.changes and not self._is_declared(receipt.command):
            self._reopen(profile)
            self._add(profile, has_list=has_list)
            self.wrote = True
            if profile.writes:
                self.content_changed = True
                self.checks_passed.clear()
                self.written.update(dict.fromkeys(profile.targets or ()))
            self._checks(receipt.command)
            return
        if receipt.command and classify(receipt.command, self.rules.commands).verification:
            self._verified(receipt)
        if not receipt.success:
            return
        self._checks(receipt.command)
        self._shown(receipt)
        if receipt.tool == "complete_step":
            self._settle(Kind.SIGNOFF)
            self.proven_criteria |= set(cited(receipt.args, "criterion_id"))
        if receipt.tool == "todo_write":
            self._settle(Kind.CRITERIA)

    def report(self, kind: str, paths: Sequence[str], *, blocking: bool) -> None:
        """Take a review report in that the host accepted (FC-05 C1).

        A good one settles what it covers as a whole; one that forbids delivery is heard for a part.
        """
        if kind == "review" and not blocking:
            self._good_reviews += 1
        wanted = any if blocking else all
        for duty in self._duties.of_kind(*_REPORT_SETTLES.get(kind, ())):
            if self._covered(duty, paths, wanted):
                duty.settle(self._at, settled=not blocking)

    # -- arising -----------------------------------------------------------------------------

    def _reopen(self, profile: Profile) -> None:
        """FC-04: a change takes back what it may have undone."""
        record_only = profile.effect is Effect.REPOSITORY
        kinds = frozenset({Kind.SIGNOFF}) if record_only else _REOPENED
        for duty in self._duties.of_kind(Kind.FULL):
            duty.reopen()
        for duty in self._duties.touched_by(profile.targets):
            if duty.kind in kinds:
                duty.reopen()

    def _add(self, profile: Profile, *, has_list: bool) -> None:
        """FC-03: the duties of one writer; what every change adds stands behind its own."""
        if profile.effect is Effect.OPAQUE:
            return
        row, targets = row_of(profile), profile.targets
        if row.wants_list and not has_list:
            self._owe(Kind.CRITERIA, None, row.strength)
        if row.verification is Kind.FULL:
            self._owe(Kind.FULL, None, row.strength)
        elif row.verification is not None:
            self._owe(row.verification, targets, row.strength)
        for kind in row.reviews:
            # Only of several ordinary files each is looked at by itself.
            for part in [(target,) for target in targets or ()] if row is SEVERAL else [targets]:
                self._owe(kind, part, row.strength)
        if Kind.INDEPENDENT not in row.reviews and wants_independent_review(profile, row):
            self._owe(Kind.INDEPENDENT, targets, row.strength)
        if row.signoff:
            self._owe(Kind.SIGNOFF, targets, row.strength)
        if row.action:
            self._owe(Kind.ACTION, targets, row.strength, settled=True)
        if self.rules.always_full and (profile.writes or profile.effect is Effect.REPOSITORY):
            self._owe(Kind.FULL, None, Strength.STRICT)

    def _owe(
        self,
        kind: Kind,
        targets: tuple[str, ...] | None,
        strength: Strength,
        *,
        settled: bool = False,
    ) -> None:
        if kind is Kind.INDEPENDENT and self._good_reviews >= ENOUGH_REVIEWS:
            return
        if kind in VERIFICATIONS and self.rules.tests_forbidden:
            strength = Strength.ADVISORY
        self.strict = self.strict or strength is Strength.STRICT
        for duty in self._duties.alike(kind, targets):
            if not duty.settled:
                duty.strength = max(duty.strength, strength)
                duty.at = self._at
                return
        self._duties.add(Duty(kind, targets, strength, settled, at=self._at))

    # -- settling ----------------------------------------------------------------------------

    def _settle(self, kind: Kind) -> None:
        for duty in self._duties.of_kind(kind):
            duty.settle(self._at)

    def _verified(self, receipt: Receipt) -> None:
        """V1 to V3: a verification ran; a failing one takes back what an earlier one settled.

        One that was stopped, or whose end nobody saw, does neither.
        """
        if not receipt.success and receipt.outcome != "error":
            return
        passed = receipt.success and not receipt.exit_code
        for duty in self._duties.of_kind(Kind.TARGETED, *(() if passed else (Kind.FULL,))):
            duty.settle(self._at, settled=passed)
        if passed and not self.rules.checks and is_broad(receipt.command, self.rules.commands):
            self._settle(Kind.FULL)

    def _is_declared(self, command: str) -> bool:
        """Whether a command is a declared check and nothing else; running it is no change."""
        return bool(command) and words_of(command) in map(words_of, self.rules.checks)

    def _checks(self, command: str) -> None:
        """V2: all declared checks together are the full verification."""
        commands = self.rules.commands
        passed = {check for check in self.rules.checks if matches(check, command, commands)}
        self.checks_passed |= passed
        if passed and self.checks_passed >= set(self.rules.checks):
            self._settle(Kind.FULL)

    def _shown(self, receipt: Receipt) -> None:
        """C2: content of the targets was seen."""
        if receipt.has_output and is_whole_diff(receipt.command):
            self._settle(Kind.DIFF)
            return
        commands = self.rules.commands
        seen = shown_operands(receipt.command, commands) if receipt.command else receipt.paths
        for path in seen or ():
            for duty in self._duties.shown_by(path):
                if not duty.settled and self._shows(receipt, duty):
                    duty.settle(self._at)

    def _shows(self, receipt: Receipt, duty: Duty) -> bool:
        fits, commands, targets = self.rules.fits, self.rules.commands, duty.targets or ()
        if receipt.command:
            return receipt.has_output and all(
                shows_path(receipt.command, target, commands, fits=fits) for target in targets
            )
        return receipt.tool == "read_file" and any(
            fits(path, target) for path in receipt.paths for target in targets
        )

    def _covered(
        self, duty: Duty, paths: Sequence[str], wanted: Callable[[Iterable[bool]], bool]
    ) -> bool:
        if duty.targets is None:
            return bool(paths)
        covers = self.rules.covers
        return wanted(any(covers(path, target) for path in paths) for target in duty.targets)
