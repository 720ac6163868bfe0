"""Whose exit status is it? Which commands surely succeeded when the whole command line did.

A call has one exit status. `proven` walks over the statements like the shell does: `&&` needs
both sides, `||` proves nothing unless its right side cannot succeed, a pipe speaks for its last
part only (for all of them under `pipefail`), a list for its last statement (for all of them under
`set -e`), and what runs in the background for nobody.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.shell import (
    AndOr,
    Background,
    Group,
    Pipe,
    Script,
    Segment,
    Sequence,
    Simple,
    Statement,
    Uncertain,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

_NOTHING: frozenset[int] = frozenset()
_LEAVES = frozenset({"exit", "return", "exec"})
_SAVED = re.compile(r'"?\$\{?(\w+|\?)\}?"?')
_FIRST_OF_PIPE = re.compile(r'"?\$\{(?:PIPESTATUS\[0\]|pipestatus\[1\])\}"?')
_TRAPS = frozenset({"exit", "0", "err", "sigexit"})


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


@dataclass(slots=True)
class _Shell:
    """The state of one shell: its options, and the statuses that variables hold."""

    errexit: bool = False
    pipefail: bool = False
    trapped: bool = False
    saved: dict[str, _Result] = field(default_factory=dict)

    def copy(self) -> _Shell:
        """Return the state that a subshell starts with."""
        return replace(self, saved=dict(self.saved))


def proven(script: Script) -> frozenset[int]:
    """Return the indices of the segments that surely ran and succeeded if the whole did."""
    shell = _Shell()
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
                result = self.visit(body, shell.copy() if own_shell else shell, before)
                return _Result(result.zero, fails=result.fails) if own_shell else result
            case Background():
                return _Result()
            case Uncertain():
                leaves = any(self._may_leave_well(index) for index in _simples(statement))
                return _Result(leaks=leaves)

    def _simple(self, index: int, shell: _Shell, before: _Result) -> _Result:
        segment = self.script.segments[index]
        name = _program(segment)
        if segment.assignments and not segment.words:
            self._save(segment, shell, before)
            return _Result(zero=frozenset({index}))
        if name == "set":
            _set_options(segment, shell)
        elif name == "trap" and any(word.text.lower() in _TRAPS for word in segment.words[2:]):
            shell.trapped = True
        elif name in {"exit", "return"}:
            return self._leave(segment, shell, before)
        own = frozenset({index})
        if name == "exec" and len(segment.words) > 1:
            return _Result(zero=own, ends=True)
        fails = name == "false" and not segment.negated
        return _Result(zero=_NOTHING if fails else own, fails=fails)

    def _save(self, segment: Segment, shell: _Shell, before: _Result) -> None:
        for assignment in segment.assignments:
            shell.saved.pop(assignment.name, None)
            if assignment.word.text in {"$?", '"$?"', "${?}"}:
                shell.saved[assignment.name] = before

    def _leave(self, segment: Segment, shell: _Shell, before: _Result) -> _Result:
        """`exit`: with a number, with the status of before, or with a saved one."""
        if len(segment.words) == 1:
            return _Result(before.zero, fails=before.fails, ends=True)
        text = segment.words[1].text
        if text.isdecimal():
            return _Result(fails=int(text) % 256 != 0, ends=True)
        if _FIRST_OF_PIPE.fullmatch(text):
            return _Result(before.first, ends=True)
        name = _SAVED.fullmatch(text)
        if name is None:
            return _Result(ends=True)
        known = before if name[1] == "?" else shell.saved.get(name[1], _Result())
        return _Result(known.zero, fails=known.fails, ends=True)

    def _and_or(self, statement: AndOr, shell: _Shell, before: _Result) -> _Result:
        known = self.visit(statement.parts[0], shell, before)
        for operator, part in zip(statement.operators, statement.parts[1:], strict=False):
            if known.ends:
                break
            if operator == "&&":
                if not known.fails:
                    known = _after_success(known, self.visit(part, shell, known))
            else:
                known = _after_failure(known, self.visit(part, shell, _FAILED))
        return known

    def _pipe(self, parts: tuple[Statement, ...], shell: _Shell) -> _Result:
        results = [self.visit(part, shell.copy(), _Result()) for part in parts]
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
            if shell.errexit and _checked_by_errexit(part):
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
        if _program(segment) not in _LEAVES:
            return False
        status = segment.words[1].text if len(segment.words) > 1 else ""
        return not (status.isdecimal() and int(status) % 256)


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
        case Group(body) | Background(body):
            yield from _simples(body)


def _program(segment: Segment) -> str:
    return (segment.words[0].value or "") if segment.words else ""


def _set_options(segment: Segment, shell: _Shell) -> None:
    """`set -e`, `set -euo pipefail`, `set +e`, `set -o errexit`."""
    words = [word.text for word in segment.words[1:]]
    for at, word in enumerate(words):
        if word[:1] not in {"-", "+"} or word in {"-", "--"}:
            continue
        on = word.startswith("-")
        if "e" in word[1:]:
            shell.errexit = on
        following = words[at + 1] if at + 1 < len(words) else ""
        if "o" in word[1:] and following == "pipefail":
            shell.pipefail = on
        elif "o" in word[1:] and following == "errexit":
            shell.errexit = on
