"""A command line as a rule set reads it: plain commands, and whose exit status the call has.

`classic` takes segments as they are; other rule sets take prefixes off first, and may look into
groups and into the text behind `bash -c`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.checks.recognised import is_known_runner
from reasonix_runtime.evidence.command_rules import CommandRules, GitOptions, Prefixes
from reasonix_runtime.evidence.effects.collecting import collecting
from reasonix_runtime.evidence.effects.handed_over import with_files, without_readers
from reasonix_runtime.evidence.effects.redirects import (
    is_plain_input,
    is_safe,
    leaves_log,
    puts_aside,
    says_something_new,
    takes_nothing,
    unsafe,
)
from reasonix_runtime.evidence.effects.scratch import goes_to_temporary, in_scratch
from reasonix_runtime.evidence.effects.temporaries import temporaries
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import tool_name
from reasonix_runtime.evidence.options.git import without_git_options
from reasonix_runtime.evidence.options.variables import runs_contained
from reasonix_runtime.evidence.running.built_images import with_built_images
from reasonix_runtime.evidence.running.made_programs import made_programs, runs_made_text
from reasonix_runtime.evidence.running.moves import Folders, moves_of
from reasonix_runtime.evidence.running.preparation import runs_unseen_text
from reasonix_runtime.evidence.running.settled_words import addition, settled
from reasonix_runtime.evidence.running.wrappers import (
    Peeled,
    lasting_assignments,
    peel,
    peel_assignments,
)
from reasonix_runtime.evidence.shell.exit_status import proven
from reasonix_runtime.evidence.shell.script import (
    Assignment,
    Dialect,
    Problem,
    Redirect,
    Script,
    Segment,
    parse,
)
from reasonix_runtime.evidence.shell.told_values import parse_told

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

# What a grammar reads as well as a plain list; everything else stays unreadable.
_READ_BY_GRAMMAR = frozenset(
    {Problem.TIMED, Problem.GROUP, Problem.DECLARATION, Problem.HERE_DOCUMENT, Problem.NEGATION}
    | {Problem.NO_COMMAND, Problem.CONTROL, Problem.FUNCTION}
)

_NONE: tuple[Redirect, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Plain:
    """A simple command, its prefixes taken off.

    `segment` is what is left; its `text` stays that of the source. `assignments` are those that
    were looked through, and those that an earlier command of the same text left behind. `opaque`
    tells that the value of an assignment runs a command. `owned` tells that the command surely
    succeeded when the call did. `moves` are the folders that the shell went to before, `temporary`
    the variables that hold paths of scratch and nothing else. `aside` are the redirects that were
    taken off, which only put what the command prints into scratch. `collects` tells that it takes
    what other programs print.
    """

    segment: Segment
    assignments: tuple[Assignment, ...] = ()
    opaque: bool = False
    owned: bool = True
    moves: Folders = ()
    temporary: frozenset[str] = frozenset()
    aside: tuple[Redirect, ...] = ()
    collects: bool = False

    @property
    def words(self) -> tuple[str, ...] | None:
        """The words, when all are static and nothing is read from or written to a file."""
        segment = self.segment
        if (
            self.opaque
            or segment.negated
            or segment.assignments
            or not segment.words
            or unsafe(segment)
        ):
            return None
        return segment.values


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The plain commands of a command line, in order.

    `readable` is false when there is more to the text than these commands; nothing may then be
    concluded from what is seen. `hides` tells that an earlier part may fail unnoticed,
    `writes_groups` that the output of a group of commands goes to a file. `replaced`
    are programs to which the text itself gives another meaning: a function, an alias, a file;
    `unseen` tells that it runs another text, which may do so to any program.
    """

    commands: tuple[Plain, ...]
    readable: bool
    hides: bool
    writes_groups: bool
    script: Script
    replaced: frozenset[str] = frozenset()
    unseen: bool = False

    @property
    def is_whole(self) -> bool:
        """Whether these commands are all that the line does: no group of them writes to a file."""
        return self.readable and not self.writes_groups


@memoised(2048)
def read(command: str, rules: CommandRules) -> Reading:
    """Read a command line under the given rules; never raises."""
    by_grammar = rules.prefixes is Prefixes.WRAPPERS
    script = parse_told(command) if by_grammar else parse(command)
    if not by_grammar:
        peeled = peel_assignments if rules.prefixes is Prefixes.ASSIGNMENTS else _as_it_is
        commands = tuple(
            _plain(segment, peeled(segment), rules, owned=True) for segment in script.segments
        )
        return Reading(
            commands=commands,
            readable=script.splittable,
            hides=script.splittable and script.can_hide_status,
            writes_groups=False,
            script=script,
        )
    script = with_built_images(script)
    scripts = (script, *_nested(script))
    # Of a control structure DL-02 does not ask what it hides.
    controlled = any(one.problem is Problem.CONTROL for one in scripts)
    redirects = [redirect for one in scripts for redirect in one.group_redirects]
    commands = tuple(_unfold(script, rules))
    replaced = made_programs(commands).union(*(one.defined for one in scripts))
    unseen = runs_made_text(commands) or any(
        runs_unseen_text(segment) for one in scripts for segment in one.segments
    )
    return Reading(
        commands=commands,
        readable=not (replaced or unseen) and all(map(_is_readable, scripts)),
        hides=not controlled and any(one.can_hide_status for one in scripts),
        writes_groups=not all(
            is_safe(one) or is_plain_input(one) or leaves_log(one) for one in redirects
        ),
        script=script,
        replaced=replaced,
        unseen=unseen,
    )


def _as_it_is(segment: Segment) -> Peeled:
    return Peeled(words=segment.words, assignments=segment.assignments)


def _is_readable(script: Script) -> bool:
    """Whether all of a text was read; the small readers do not look into groups."""
    by_grammar = script.dialect is Dialect.BASH and script.problem in _READ_BY_GRAMMAR
    return script.problem is None or by_grammar


def _unfold(script: Script, rules: CommandRules) -> Iterator[Plain]:
    """Yield the commands of a script, those behind `bash -c` in the place of their shell."""
    owned = proven(script)
    moves = moves_of(script)
    collects = collecting(script)
    temporary = frozenset() if rules.scratch_is_work else temporaries(script, rules.work)
    made = temporaries(script) if temporary else temporary
    carried = {one.name: one for one in script.looped}
    for index, written in enumerate(script.segments):
        segment = settled(written, carried)
        peeled = peel(segment)
        here = moves.get(index, ())
        if peeled.nested is None:
            plain = _plain(segment, peeled, rules, owned=index in owned)
            if temporary:
                plain = _kept_apart(plain, temporary, made, rules)
            left = tuple(carried.values()) if plain.segment.words else ()
            own = _own(plain.assignments, carried)
            if left or here or temporary or own != plain.assignments:
                plain = replace(plain, assignments=(*left, *own), moves=here, temporary=temporary)
            yield replace(plain, collects=True) if index in collects else plain
            carried |= {one.name: one for one in _own(lasting_assignments(segment), carried)}
            continue
        for inner in _unfold(peeled.nested, rules):
            outer = _plain(segment, peeled, rules, owned=index in owned)
            yield replace(
                inner,
                segment=replace(
                    inner.segment,
                    redirects=(*segment.redirects, *inner.segment.redirects),
                    negated=segment.negated or inner.segment.negated,
                ),
                assignments=(*carried.values(), *outer.assignments, *inner.assignments),
                opaque=outer.opaque or inner.opaque,
                owned=outer.owned and inner.owned,
                # Where a container goes inside of itself says nothing of where the work is.
                moves=here if runs_contained(outer.assignments) else (*here, *inner.moves),
            )
        carried |= {one.name: one for one in _own(lasting_assignments(segment), carried)}


def _kept_apart(
    plain: Plain, temporary: frozenset[str], made: frozenset[str], rules: CommandRules
) -> Plain:
    """Return a command that knows variables of scratch, without what it writes to new files.

    What a program prints may go to any file there, and what it is told to use there is known.
    """
    segment = plain.segment
    prints = not says_something_new(segment)
    left = tuple(
        one
        for one in segment.redirects
        if not goes_to_temporary(one, made)
        and not (prints and goes_to_temporary(one, temporary, rules.work))
    )
    words = segment.words
    if words and is_known_runner(tool_name(words[0].value or "")):
        words = tuple(in_scratch(word, temporary, rules.work) for word in words)
    return replace(
        plain, segment=replace(segment, words=words, redirects=left), temporary=temporary
    )


def _own(
    assignments: tuple[Assignment, ...], carried: Mapping[str, Assignment]
) -> tuple[Assignment, ...]:
    """Return assignments, those that add to a value that nobody here set with what they add."""
    return tuple(one if one.name in carried else addition(one) for one in assignments)


def _nested(script: Script) -> Iterator[Script]:
    for segment in script.segments:
        nested = peel(segment).nested
        if nested is not None:
            yield nested
            yield from _nested(nested)


def _plain(segment: Segment, peeled: Peeled, rules: CommandRules, *, owned: bool) -> Plain:
    words = peeled.words
    skipped = rules.git_global_options
    if skipped is not GitOptions.NONE and words and words[0].value is not None:
        values = tuple(word.value or "" for word in words)
        kept = without_git_options(values, skipped)
        words = (words[0], *words[len(values) - len(kept) + 1 :])
    if rules.prefixes is Prefixes.NONE:
        return Plain(segment=replace(segment, words=words), owned=owned)
    runs_commands = any(assignment.word.substitutions for assignment in peeled.assignments)
    redirects, aside = segment.redirects, _NONE
    if rules.prefixes is Prefixes.WRAPPERS:
        if ">(" in segment.text:
            words = without_readers(words)
            redirects = with_files(redirects)
        redirects = tuple(one for one in redirects if not (takes_nothing(one) or leaves_log(one)))
        aside = tuple(one for one in redirects if puts_aside(one, segment, rules))
        redirects = tuple(one for one in redirects if one not in aside) if aside else redirects
    return Plain(
        segment=replace(segment, words=words, assignments=(), redirects=redirects),
        aside=aside,
        assignments=peeled.assignments,
        opaque=runs_commands if rules.prefixes is Prefixes.WRAPPERS else peeled.opaque,
        owned=owned,
    )
