"""Whose exit status is it? Which commands surely succeeded when the whole command line did.

A call has one exit status. `proven` walks over the statements like the shell does: `&&` needs
both sides, `||` proves nothing unless its right side cannot succeed, a pipe speaks for its last
part only (for all of them under `pipefail`), a list for its last statement (for all of them under
`set -e`), and what runs in the background for nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from reasonix_runtime.evidence.shell.script import (
    AndOr,
    Background,
    Dialect,
    Group,
    If,
    Loop,
    Pipe,
    Repeat,
    Script,
    Segment,
    Sequence,
    Simple,
    Statement,
    Uncertain,
    parse,
)
from reasonix_runtime.evidence.shell.state import (
    ShellState,
    assigned_by,
    is_stateful,
    program_of,
    reads_only_on,
    waits_for_jobs,
)
from reasonix_runtime.evidence.shell.statements import (
    SKIPS,
    checked_by_errexit,
    commands_in,
    has_arithmetic,
    leaves_plainly,
)

if TYPE_CHECKING:
    pass

_NOTHING: frozenset[int] = frozenset()
_LEAVES = frozenset({"exit", "return", "exec"})
_NAMED = re.compile(r"\$(?:(\w+|[?!])|\{(\w+|[?!])\})")
_FIRST_OF_PIPE = frozenset({"${PIPESTATUS[0]}", "${pipestatus[1]}"})
_LAST_JOB = "!"
_LAST_PROGRAM = "LASTEXITCODE"
_STATUSES = frozenset({"?", _LAST_PROGRAM})
# What PowerShell does itself, and what it takes for a value and no program.
_CMDLET = re.compile(r"(?!(?i:invoke)-)[A-Za-z]+-[A-Z]\w+")
_VALUE = re.compile(r"[$\"'@\d]|\Z")
_TESTED = re.compile(
    r"""(?:\[{1,2}|test) ("?\$[^\s"]+"?) (-eq|==?|-ne|!=|-gt) ["']?0["']?(?: \]{1,2})?"""
)
_EQUAL = frozenset({"-eq", "=", "=="})


@dataclass(frozen=True, slots=True)
class _Result:
    """What is known of a statement.

    `zero`: segments that succeeded if it has status 0. `on`: segments that succeeded if the shell
    goes on after it. `fails`: its status is never 0. `ends`: the shell never goes on after it.
    `leaks`: it may end the shell with status 0, so that nothing after it is proven. `first`:
    segments that succeeded if the first part of it, a pipe, has status 0.
    """

    zero: frozenset[int] = _NOTHING
    on: frozenset[int] = _NOTHING
    fails: bool = False
    ends: bool = False
    leaks: bool = False
    first: frozenset[int] = _NOTHING


_FAILED = _Result(fails=True)


_Shell: TypeAlias = ShellState[_Result]


def proven(script: Script) -> frozenset[int]:
    """Return the indices of the segments that surely ran and succeeded if the whole did."""
    shell: _Shell = ShellState(defined=script.defined)
    result = _Walk(script).visit(script.body, shell, _Result())
    return _NOTHING if shell.trapped else result.zero


class _Walk:
    def __init__(self, script: Script) -> None:
        self.script = script
        self.stateful = any(map(is_stateful, script.segments))

    def visit(self, statement: Statement, shell: _Shell, before: _Result) -> _Result:
        """Return what is known of a statement; `before` is what `$?` speaks of."""
        match statement:
            case Simple(index):
                return self._simple(index, shell, before)
            case AndOr():
                return self._and_or(statement, shell, before)
            case Pipe(parts):
                return self._pipe(parts, shell)
            case Sequence(parts):
                return self._sequence(parts, shell, before)
            case Group(body, own_shell):
                if own_shell:
                    return self._subshell(body, shell, before)
                return self.visit(body, shell, before)
            case Background(body):
                shell.saved[_LAST_JOB] = self._subshell(body, shell, _Result())
                return _Result()
            case Loop():
                return self._loop(statement, shell, before)
            case If():
                return self._if(statement, shell, before)
            case Repeat():
                return self._repeat(statement, shell, before)
            case Uncertain():
                return self._uncertain(statement, shell)

    def _subshell(self, body: Statement, shell: _Shell, before: _Result) -> _Result:
        own = shell.copy()
        own.trapped = False
        result = self.visit(body, own, before)
        return _Result() if own.trapped else _Result(result.zero, fails=result.fails)

    def _loop(self, loop: Loop, shell: _Shell, before: _Result) -> _Result:
        """Tell what succeeded in every round: what the shell does not go on without."""
        segments = [self.script.segments[index] for index in commands_in(loop)]
        if not SKIPS.isdisjoint(map(program_of, segments)):
            return self._until_left(loop, shell, before)
        result = self.visit(loop.body, shell, before)
        # A later round may set anew what an earlier one left.
        for name, value in (one for segment in segments for one in assigned_by(segment)):
            shell.saved.pop(name, None)
            if not (_is_failure(value) or _speaks_of_last(value)):
                shell.flags.pop(name, None)
        if result.ends:
            return result
        return replace(result, zero=_NOTHING if result.leaks else result.on, fails=False)

    def _until_left(self, loop: Loop, shell: _Shell, before: _Result) -> _Result:
        """`for i in 1 2 3; do a && break; done`: its last round, or the one that left it, tells.

        A `break` ends the round well, as `exit 0` would end the shell.
        """
        inner = shell.copy()
        result = self.visit(loop.body, inner, before)
        uncertain = self._uncertain(Uncertain((loop.body,)), shell)
        known = leaves_plainly(loop.body, self.script) and not (uncertain.leaks or inner.trapped)
        return replace(uncertain, zero=result.zero) if known else uncertain

    def _repeat(self, statement: Repeat, shell: _Shell, before: _Result) -> _Result:
        """`until a; do b; done` goes on until `a` succeeds; nothing else ends it, or it leaves."""
        outer, shell.ignoring = shell.ignoring, True
        held = self.visit(statement.condition, shell, before)
        shell.ignoring = outer
        programs = {program_of(self.script.segments[at]) for at in commands_in(statement)}
        uncertain = self._uncertain(statement, shell)
        if uncertain.leaks or not SKIPS.isdisjoint(programs):
            return uncertain
        return replace(uncertain, zero=held.zero, on=held.zero)

    def _uncertain(self, statement: Uncertain, shell: _Shell) -> _Result:
        for index in commands_in(statement):
            shell.doubt(self.script.segments[index])
        if has_arithmetic(statement):
            shell.forget_all()
        return _Result(leaks=any(self._may_leave_well(index) for index in commands_in(statement)))

    def _if(self, statement: If, shell: _Shell, before: _Result) -> _Result:
        """Tell what either branch proves, with what the condition tells there."""
        outer, shell.ignoring = shell.ignoring, True
        held = self.visit(statement.condition, shell, before)
        shell.ignoring = outer
        if statement.body is None and statement.otherwise is not None:
            return self._unless(held, statement.otherwise, shell)
        missed = self._missed(statement.condition, shell, before)
        branches = [
            self._branch(statement.body, held.zero, shell),
            self._branch(statement.otherwise, missed, shell),
        ]
        self._uncertain(statement, shell)
        return _after_condition(held, _either(*branches))

    def _unless(self, held: _Result, body: Statement, shell: _Shell) -> _Result:
        """`if ! held; then body; fi`, which is `held || body` but for `$?`: there it is 0."""
        if held.ends:
            return held
        raised = [name for name, failed in self._raised(body, first=False).items() if failed]
        flags = {name: shell.flags[name] | held.zero for name in raised if name in shell.flags}
        inner = shell.copy()
        result = _after_failure(held, self.visit(body, inner, _Result()))
        self._uncertain(Uncertain((body,)), shell)
        shell.flags.update(flags)
        return result

    def _missed(self, condition: Statement, shell: _Shell, before: _Result) -> frozenset[int]:
        """Return what succeeded where a condition does not hold: `[ $? -ne 0 ]`."""
        if not isinstance(condition, Simple):
            return _NOTHING
        tested = _TESTED.fullmatch(self.script.segments[condition.index].text)
        if tested is None or tested[2] in _EQUAL:
            return _NOTHING
        return _told(tested[1], shell, before).zero

    def _branch(self, body: Statement | None, known: frozenset[int], shell: _Shell) -> _Result:
        if body is None:
            return _Result(zero=known, on=known)
        result = self.visit(body, shell.copy(), _Result())
        return replace(result, zero=result.zero | known, on=result.on | known)

    def _simple(self, index: int, shell: _Shell, before: _Result) -> _Result:
        segment = self.script.segments[index]
        name = program_of(segment)
        if name == "exit":
            return self._leave(segment, shell, before)
        if name == "return":  # outside of a function an error; some shells end
            return _Result(fails=True, leaks=self._may_leave_well(index))
        own = frozenset({index})
        if name in SKIPS:
            return _Result(zero=own, ends=True)
        if waits_for_jobs(segment):
            return _Result(zero=own | _told(segment.words[-1].text, shell, before).zero)
        if self._may_run_anything(segment):
            shell.forget_all()
            return _Result(leaks=True)
        if self.stateful and is_stateful(segment):
            return self._stateful(segment, own, shell, before)
        if name == "exec" and len(segment.words) > 1:
            return _Result(zero=own, ends=True)
        fails = name == "false" and not segment.negated
        return _Result(zero=_NOTHING if fails else own, fails=fails)

    def _stateful(
        self, segment: Segment, own: frozenset[int], shell: _Shell, before: _Result
    ) -> _Result:
        """Tell of a command that sets something in the shell, or tests a status."""
        tested = None if segment.negated else _TESTED.fullmatch(segment.text)
        if tested and tested[2] in _EQUAL:
            return _Result(zero=own | _told(tested[1], shell, before).zero)
        shell.run(segment, partial(_told_or_none, shell=shell, before=before))
        return _Result(zero=own, ends=reads_only_on(segment))

    def _leave(self, segment: Segment, shell: _Shell, before: _Result) -> _Result:
        """`exit`: with a number, with the status of before, or with a saved one."""
        if len(segment.words) == 1:
            return _Result(before.zero, fails=before.fails, ends=True)
        text = segment.words[1].text
        if text.isdecimal():
            return _Result(fails=_is_failure(text), ends=True)
        known = _told(text, shell, before)
        return _Result(known.zero, fails=known.fails, ends=True)

    def _and_or(self, statement: AndOr, shell: _Shell, before: _Result) -> _Result:
        """Read the parts from left to right; for all but the last one `set -e` means nothing."""
        outer = shell.ignoring
        shell.ignoring = True
        known = self.visit(statement.parts[0], shell, before)
        surely = shell.errexit, shell.pipefail
        for operator, part in zip(statement.operators, statement.parts[1:], strict=False):
            if known.ends:
                break
            shell.ignoring = outer or part is not statement.parts[-1]
            if operator == "&&":
                if not known.fails:
                    known = _after_success(known, self.visit(part, shell, known))
            else:
                known = self._or(known, part, shell)
        shell.ignoring = outer
        shell.errexit, shell.pipefail = shell.errexit and surely[0], shell.pipefail and surely[1]
        if self.stateful:
            self._doubt_all(statement, shell)
        return known

    def _doubt_all(self, statement: AndOr, shell: _Shell) -> None:
        """Take in that nobody knows whether the parts after the first one ran."""
        flags = dict(shell.flags)
        for operator, part in zip(statement.operators, statement.parts[1:], strict=False):
            raised = self._raised(part, first=True) if operator == "||" else {}
            for index in commands_in(part):
                shell.doubt(self.script.segments[index])
            kept = [name for name, failed in raised.items() if failed and name in flags]
            shell.flags.update({name: flags[name] for name in kept})

    def _or(self, known: _Result, part: Statement, shell: _Shell) -> _Result:
        """`known || part`; a variable that `part` sets to a failure tells of what failed."""
        if not self.stateful:
            return _after_failure(known, self.visit(part, shell, _FAILED))
        raised = [name for name, failed in self._raised(part, first=True).items() if failed]
        flags = {name: shell.flags[name] | known.zero for name in raised if name in shell.flags}
        result = _after_failure(known, self.visit(part, shell, _FAILED))
        for name in flags:
            shell.saved.pop(name, None)
        shell.flags.update(flags)
        return result

    def _raised(self, statement: Statement, *, first: bool) -> dict[str, bool]:
        """Tell of the variables that a statement surely sets whether to a failure in the end.

        The `first` command after `||` may keep the status of what failed.
        """
        raised: dict[str, bool] = {}
        match statement:
            case Simple(index):
                for name, value in assigned_by(self.script.segments[index]):
                    raised[name] = _is_failure(value) or (first and _speaks_of_last(value))
            case Sequence(parts):
                for at, part in enumerate(parts):
                    raised |= self._raised(part, first=first and at == 0)
            case Group(body, own_shell=False):
                raised = self._raised(body, first=first)
        return raised

    def _pipe(self, parts: tuple[Statement, ...], shell: _Shell) -> _Result:
        results = [self._subshell(part, shell, _Result()) for part in parts]
        first = results[0].zero
        if shell.pipefail:
            zero = frozenset().union(*(result.zero for result in results))
            return _Result(zero, fails=any(result.fails for result in results), first=first)
        return _Result(results[-1].zero, fails=results[-1].fails, first=first)

    def _sequence(self, parts: tuple[Statement, ...], shell: _Shell, before: _Result) -> _Result:
        passed: frozenset[int] = _NOTHING
        last = before
        # What was proven before the shell may have ended well; after that nothing is.
        sure: frozenset[int] | None = None
        for part in parts:
            result = self.visit(part, shell, last)
            if self._is_program(part):
                shell.saved[_LAST_PROGRAM] = result
            going_on = result.on
            if shell.errexit and not shell.ignoring and checked_by_errexit(part):
                going_on |= result.zero
            zero = passed | result.zero if sure is None else sure
            last = replace(result, zero=zero, on=passed | going_on)
            if result.leaks and sure is None:
                sure = passed
            passed = last.on
            if result.ends:
                break
        return replace(last, leaks=sure is not None) if parts else _Result()

    def _is_program(self, part: Statement) -> bool:
        """Whether PowerShell sets the status of the latest program anew: no cmdlet does."""
        if self.script.dialect is not Dialect.POWERSHELL:
            return False
        if not isinstance(part, Simple):
            return True
        segment = self.script.segments[part.index]
        given = [one.word.text for one in segment.assignments if not segment.words]
        runs = any(not _VALUE.match(text) for text in given) or "$(" in segment.text
        return runs or (bool(segment.words) and not _CMDLET.fullmatch(program_of(segment)))

    def _may_leave_well(self, index: int) -> bool:
        """Whether a command may end the shell with status 0."""
        segment = self.script.segments[index]
        program = program_of(segment)
        if program in _LEAVES:
            status = segment.words[1].text if len(segment.words) > 1 else ""
            return not _is_failure(status)
        return self._may_run_anything(segment)

    def _may_run_anything(self, segment: Segment) -> bool:
        """Whether a command runs what the text defined, or a text that may end the shell."""
        program, *rest = [word.value or "" for word in segment.words] or [""]
        if program in {"builtin", "command"}:
            return not _LEAVES.isdisjoint(rest[:1])
        if program == "eval":
            inner = parse(" ".join(rest))
            return not _LEAVES.isdisjoint(map(program_of, inner.segments))
        return program in self.script.defined


def _after_success(left: _Result, right: _Result) -> _Result:
    """`left && right`."""
    return _Result(
        _NOTHING if left.leaks else left.zero | right.zero,
        fails=right.fails,
        leaks=left.leaks or right.leaks or (right.ends and not right.fails),
    )


def _after_failure(left: _Result, right: _Result) -> _Result:
    """`left || right`."""
    leaks = left.leaks or right.leaks or (right.ends and not right.fails)
    if left.leaks:
        return _Result(leaks=True)
    if left.fails:
        return replace(right, leaks=leaks)
    if right.fails:
        on = left.zero if right.ends else _NOTHING
        return _Result(left.zero, on=on, fails=left.fails, leaks=leaks)
    return _Result(left.zero & right.zero, leaks=leaks)


def _after_condition(condition: _Result, result: _Result) -> _Result:
    """Return what is known of branches whose condition may itself end the shell."""
    if condition.ends:
        return condition
    return replace(result, zero=_NOTHING, leaks=True) if condition.leaks else result


def _either(held: _Result, missed: _Result) -> _Result:
    """Join what is known of two branches of which one ran."""
    both = (held, missed)
    return _Result(
        _common([one.zero for one in both if not one.fails]),
        on=_common([one.on for one in both if not one.ends]),
        fails=held.fails and missed.fails,
        ends=held.ends and missed.ends,
        leaks=any(one.leaks or (one.ends and not one.fails) for one in both),
    )


def _common(sets: list[frozenset[int]]) -> frozenset[int]:
    return frozenset.intersection(*sets) if sets else _NOTHING


def _told(text: str, shell: _Shell, before: _Result) -> _Result:
    """Return what is known where a word is 0: `$?`, `$rc`, `${PIPESTATUS[0]}`."""
    return _told_or_none(text, shell, before) or _Result()


def _told_or_none(text: str, shell: _Shell, before: _Result) -> _Result | None:
    word = text.strip('"')
    if word in _FIRST_OF_PIPE:
        return _Result(before.first)
    named = _NAMED.fullmatch(word)
    if named is None:
        return None
    name = named[1] or named[2]
    if name in shell.saved:
        return shell.saved[name]
    if name in _STATUSES:
        return before
    return _Result(shell.flags[name]) if name in shell.flags else None


def _speaks_of_last(value: str) -> bool:
    return value.strip('"') in {"$?", "${?}"}


def _is_failure(value: str) -> bool:
    return value.isdecimal() and int(value) % 256 != 0
