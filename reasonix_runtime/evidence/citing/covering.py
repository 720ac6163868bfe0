"""Which of many commands may cover a citation, found without comparing it with each of them.

By grammar a run has the program of what it covers, the same words that are no options, and each
cited option. So commands are kept by these, and a citation is compared with the few that share the
rarest of them with it: a session runs thousands, and may sign off on as many.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from reasonix_runtime.evidence.citing.grammar import Told, claims_of, told_of
from reasonix_runtime.evidence.kept import unpacked, whole
from reasonix_runtime.evidence.options.variables import runs_contained, set_behind
from reasonix_runtime.evidence.running.built_images import CONTAINERS

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules

Runs: TypeAlias = dict[str, int] | dict[str | bytes, int]
"""Commands as they are kept, with where they ran; those that ran last stand last."""

FEW: Final = 64
"""So many commands are compared one by one: that costs less than to keep them in order."""


class Covering:
    """The commands of a mapping that grows, by what a citation has to share with them.

    It looks at them when it is asked. Of a feature a hash is kept, since a word may be long; where
    two have the same one, a command more is compared.
    """

    __slots__ = ("_by_feature", "_kept", "_rules", "_seen")

    def __init__(self, rules: CommandRules) -> None:
        self._rules = rules
        self._kept: list[str | bytes] = []
        self._seen: set[str | bytes] = set()
        self._by_feature: dict[int, list[int]] = {}

    def among(self, cited: str, runs: Runs) -> Iterable[tuple[str, int]]:
        """Return the commands that may cover a citation, with their values, in order of adding."""
        if len(runs) <= FEW or not self._rules.citation_by_grammar:
            return zip(unpacked(runs), runs.values(), strict=True)
        self._catch_up(runs)
        found = set(self._with(_text(cited)))
        claims = claims_of(cited, self._rules)
        if claims:
            features = [feature for claim in claims for feature in _features(claim)]
            found.update(self._with(min(features, key=self._how_many)))
            for claim in claims:
                if claim.line.program in CONTAINERS:  # it may have run as it is written
                    found.update(self._with(_text(claim.plain.segment.text)))
        kept = (self._kept[at] for at in sorted(found))
        ran: dict[Any, int] = runs
        return ((whole(command), ran[command]) for command in kept)

    def _with(self, feature: int) -> Sequence[int]:
        return self._by_feature.get(feature, ())

    def _how_many(self, feature: int) -> int:
        return len(self._with(feature))

    def _catch_up(self, runs: Runs) -> None:
        """Take in the commands that came since; they are among those that ran last."""
        missing = len(runs) - len(self._kept)
        new: list[str | bytes] = []
        latest: Iterable[str | bytes] = reversed(runs)
        for command in latest:
            if len(new) == missing:
                break
            if command not in self._seen:
                new.append(command)
        for command in reversed(new):
            text = command if isinstance(command, str) else whole(command)
            for feature in _all_features(text, self._rules):
                self._by_feature.setdefault(feature, []).append(len(self._kept))
            self._kept.append(command)
            self._seen.add(command)


_ANY: Final = 0
"""What a citation that is not compared by grammar shares with all that run."""


class Claims:
    """Commands as citations, by what each shares with a run that covers it.

    A command is kept by the rarest part of the first thing that it claims, since whatever covers it
    has that; and by its text, which is all that is compared where nobody can read it.
    """

    __slots__ = ("_by_feature", "_rules")

    def __init__(self, rules: CommandRules) -> None:
        self._rules = rules
        self._by_feature: dict[int, list[str]] = {}

    def keep(self, command: str) -> None:
        """Take in a command."""
        claims = claims_of(command, self._rules) if self._rules.citation_by_grammar else ()
        features = _features(claims[0]) if claims else ()
        rarest = min(features, key=self._how_many, default=_ANY)
        kept = {_text(command), rarest}
        if claims and claims[0].line.program in CONTAINERS:  # it may have run as it is written
            kept.add(_text(claims[0].plain.segment.text))
        for feature in kept:
            self._by_feature.setdefault(feature, []).append(command)

    def _how_many(self, feature: int) -> int:
        return len(self._by_feature.get(feature, ()))

    def covered_by(self, command: str) -> Collection[str]:
        """Return those that a run of a command may cover."""
        features = {_ANY, *_all_features(command, self._rules)}
        found = (self._by_feature.get(feature, ()) for feature in features)
        return dict.fromkeys(chain.from_iterable(found))


class Alike(Covering):
    """The same, which also finds what a command may cover."""

    __slots__ = ("_claims",)

    def __init__(self, rules: CommandRules) -> None:
        super().__init__(rules)
        self._claims = Claims(rules)

    def to(self, command: str, runs: Runs) -> Collection[str]:
        """Return the commands that may cover a command or be covered by it."""
        covering = (ran for ran, _ in self.among(command, runs))
        return dict.fromkeys(chain(covering, self._claims.covered_by(command)))

    def _catch_up(self, runs: Runs) -> None:
        known = len(self._kept)
        super()._catch_up(runs)
        for command in self._kept[known:]:
            self._claims.keep(whole(command))


def _all_features(command: str, rules: CommandRules) -> set[int]:
    """Return what a run shares with whatever it covers."""
    features = {_text(command)}
    for told in told_of(command, rules):
        features.update(_features(told))
        if "run" in command and runs_contained(told.plain.assignments):
            features.add(_text(told.plain.segment.text))
    return features


def _text(command: str) -> int:
    """Return what two texts share that nobody can read and that are the same but for blanks."""
    return hash(tuple(command.split()))


def _features(told: Told) -> list[int]:
    """Return what a run shares with each claim that it covers."""
    program = told.line.program
    named: list[str] = []
    found: list[int] = []
    for item in told.line.items:
        if item.option:
            found.append(hash((program, item.option, item.value)))
        elif "=" not in item.value or set_behind(program, item.value) is None:
            named.append(item.value)
    handed_on = [item.value for item in told.foreign if not item.option] if told.foreign else []
    return [hash((program, tuple(named), tuple(handed_on))), *found]
