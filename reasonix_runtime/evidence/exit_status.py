"""Whose exit status is it? Which commands surely succeeded when the whole command line did.

A call has one exit status. `proven` walks over the statements like the shell does: `&&` needs
both sides, `||` proves nothing unless its right side cannot succeed, a pipe speaks for its last
part only (for all of them under `pipefail`), a list for its last statement (for all of them under
`set -e`), and what runs in the background for nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from reasonix_runtime.evidence.shell import (
    AndOr,
    Background,
    Group,
    Loop,
    Pipe,
    Script,
    Segment,
    Sequence,
    Simple,
    Statement,
    Uncertain,
)
from reasonix_runtime.evidence.shell_state import (
    ShellState,
    assigned_by,
    program_of,
    reads_only_on,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOTHING: frozenset[int] = frozenset()
_LEAVES = frozenset({"exit", "return", "exec"})
_SAVED = re.compile(r'"?\$\{?(\w+|\?)\}?"?')
_FIRST_OF_PIPE = re.compile(r'"?\$\{(?:PIPESTATUS\[0\]|pipestatus\[1\])\}"?')
# PowerShell keeps that of the latest program; what stands between is taken for one.
_STATUSES = frozenset({"?", "LASTEXITCODE"})
_SKIPS = frozenset({"break", "continue"})
_IS_ZERO = re.compile(r"""(?:\[|test) "?\$\{?(\w+|\?)\}?"? (?:-eq|==?) ["']?0["']?(?: \])?""")


@dataclass(frozen=True, slots=True)
class _Result:
    """What is known of a statement.

    `zero`: segments that succeeded if it has status 0. `on`: segments that succeeded if the shell
    goes on behind it. `fails`: its status is never 0. `ends`: the shell never goes on behind it.
    `leaks`: it may end the shell with status 0, so that nothing behind it is proven. `first`:
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
    shell: _Shell = ShellState()
    result = _Walk(script).visit(script.body, shell, _Result())
    return _NOTHING if shell.trapped else result.zero


class _Walk:
    def __init__(self, script: Script) -> None:
        self.script = script

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
            case Background():
                return _Result()
            case Loop():
                return self._loop(statement, shell, before)
            case Uncertain():
                return self._uncertain(statement, shell)

    def _subshell(self, body: Statement, shell: _Shell, before: _Result) -> _Result:
        own = shell.copy()
        own.trapped = False
        result = self.visit(body, own, before)
        return _Result() if own.trapped else _Result(result.zero, fails=result.fails)

    def _loop(self, loop: Loop, shell: _Shell, before: _Result) -> _Result:
        """Tell what succeeded in every round: what the shell does not go on without."""
        segments = [self.script.segments[index] for index in _simples(loop)]
        if not _SKIPS.isdisjoint(map(program_of, segments)):
            return self._uncertain(Uncertain((loop.body,)), shell)
        result = self.visit(loop.body, shell, before)
        # A later round may set anew what an earlier one left.
        shell.forget(
            name
            for segment in segments
            for name, value in assigned_by(segment)
            if not _is_failure(value)
        )
        return result if result.ends else replace(result, zero=result.on, fails=False)

    def _uncertain(self, statement: Uncertain, shell: _Shell) -> _Result:
        for index in _simples(statement):
            shell.doubt(self.script.segments[index])
        if _computes(statement):
            shell.forget_all()
        return _Result(leaks=any(self._may_leave_well(index) for index in _simples(statement)))

    def _simple(self, index: int, shell: _Shell, before: _Result) -> _Result:
        segment = self.script.segments[index]
        name = program_of(segment)
        if name in {"exit", "return"}:
            return self._leave(segment, shell, before)
        tested = None if segment.negated else _IS_ZERO.fullmatch(segment.text)
        own = frozenset({index})
        if tested:
            return _Result(zero=own | _status_in(tested[1], shell, before).zero)
        shell.run(segment, before)
        if (name == "exec" and len(segment.words) > 1) or reads_only_on(segment):
            return _Result(zero=own, ends=True)
        fails = name == "false" and not segment.negated
        return _Result(zero=_NOTHING if fails else own, fails=fails)

    def _leave(self, segment: Segment, shell: _Shell, before: _Result) -> _Result:
        """`exit`: with a number, with the status of before, or with a saved one."""
        if len(segment.words) == 1:
            return _Result(before.zero, fails=before.fails, ends=True)
        text = segment.words[1].text
        if text.isdecimal():
            return _Result(fails=_is_failure(text), ends=True)
        if _FIRST_OF_PIPE.fullmatch(text):
            return _Result(before.first, ends=True)
        name = _SAVED.fullmatch(text)
        if name is None:
            return _Result(ends=True)
        known = _status_in(name[1], shell, before)
        return _Result(known.zero, fails=known.fails, ends=True)

    def _and_or(self, statement: AndOr, shell: _Shell, before: _Result) -> _Result:
        """Read the parts from left to right; for all but the last one `set -e` means nothing."""
        outer = shell.ignoring
        shell.ignoring = True
        known = self.visit(statement.parts[0], shell, before)
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
        return known

    def _or(self, known: _Result, part: Statement, shell: _Shell) -> _Result:
        """`known || part`; a variable that `part` sets to a failure tells of what failed."""
        raised = [name for name, failed in self._raised(part).items() if failed]
        flags = {name: shell.flags[name] | known.zero for name in raised if name in shell.flags}
        result = _after_failure(known, self.visit(part, shell, _FAILED))
        shell.flags.update(flags)
        return result

    def _raised(self, statement: Statement) -> dict[str, bool]:
        """Tell of the variables that a statement surely sets whether to a failure in the end."""
        raised: dict[str, bool] = {}
        match statement:
            case Simple(index):
                given = assigned_by(self.script.segments[index])
                raised = {name: _is_failure(value) for name, value in given}
            case Sequence(parts):
                for part in parts:
                    raised |= self._raised(part)
            case Group(body, own_shell=False):
                raised = self._raised(body)
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
        leaked = False
        last = before
        for part in parts:
            result = self.visit(part, shell, last)
            if leaked:
                result = replace(result, zero=_NOTHING, on=_NOTHING)
            going_on = result.on
            if shell.errexit and not shell.ignoring and _checked_by_errexit(part):
                going_on |= result.zero
            leaked = leaked or result.leaks
            last = replace(result, zero=passed | result.zero, on=passed | going_on)
            passed = last.on
            if result.ends:
                break
        return replace(last, leaks=leaked) if parts else _Result()

    def _may_leave_well(self, index: int) -> bool:
        """Whether a command may end the shell with status 0."""
        segment = self.script.segments[index]
        if program_of(segment) not in _LEAVES:
            return False
        status = segment.words[1].text if len(segment.words) > 1 else ""
        return not _is_failure(status)


def _after_success(left: _Result, right: _Result) -> _Result:
    """`left && right`."""
    return _Result(
        left.zero | right.zero,
        fails=right.fails,
        leaks=left.leaks or right.leaks or (right.ends and not right.fails),
    )


def _after_failure(left: _Result, right: _Result) -> _Result:
    """`left || right`."""
    leaks = left.leaks or right.leaks or (right.ends and not right.fails)
    if left.fails:
        return replace(right, leaks=leaks)
    if right.fails:
        on = left.zero if right.ends else _NOTHING
        return _Result(left.zero, on=on, fails=left.fails, leaks=leaks)
    return _Result(left.zero & right.zero, leaks=leaks)


def _checked_by_errexit(statement: Statement) -> bool:
    """Whether `set -e` ends the shell when the statement fails."""
    if isinstance(statement, AndOr):
        return statement.operators[-1] == "||"
    return isinstance(statement, Simple | Pipe | Group)


def _simples(statement: Statement) -> Iterator[int]:
    match statement:
        case Simple(index):
            yield index
        case AndOr(parts) | Pipe(parts) | Sequence(parts) | Uncertain(parts):
            for part in parts:
                yield from _simples(part)
        case Group(body) | Background(body) | Loop(body):
            yield from _simples(body)


def _computes(statement: Statement) -> bool:
    """Whether arithmetic stands in a statement."""
    match statement:
        case Uncertain(parts, computes):
            return computes or any(map(_computes, parts))
        case AndOr(parts) | Pipe(parts) | Sequence(parts):
            return any(map(_computes, parts))
        case Group(body) | Background(body) | Loop(body):
            return _computes(body)
        case Simple():
            return False


def _status_in(name: str, shell: _Shell, before: _Result) -> _Result:
    """Return what is known where a variable is 0; some are the status of before."""
    if name in _STATUSES:
        return before
    if name in shell.saved:
        return shell.saved[name]
    return _Result(shell.flags.get(name, _NOTHING))


def _is_failure(value: str) -> bool:
    return value.isdecimal() and int(value) % 256 != 0
