"""Whose exit status is it? Which commands surely succeeded when the whole command line did.

A call has one exit status. `proven` walks over the statements like the shell does: `&&` needs
both sides, `||` proves nothing unless its right side cannot succeed, a pipe speaks for its last
part only (for all of them under `pipefail`), a list for its last statement (for all of them under
`set -e`), and what runs in the background for nobody. What each comes to is told in `outcome.py`.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from reasonix_runtime.evidence.shell.outcome import (
    FAILED,
    NOTHING,
    Outcome,
    after_condition,
    after_failure,
    after_success,
    behind,
    either_way,
    knowing,
    leaving,
    one_of,
)
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
    local_names,
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

_LEAVES = frozenset({"exit", "return", "exec"})
_RETURNS = frozenset({"return"})
_NAMED = re.compile(r"\$(?:(\w+|[?!])|\{(\w+|[?!])\})")
_FIRST_OF_PIPE = frozenset({"${PIPESTATUS[0]}", "${pipestatus[1]}"})
_LAST_JOB = "!"
_LAST_PROGRAM = "LASTEXITCODE"
_STATUSES = frozenset({"?", _LAST_PROGRAM})
# What PowerShell does itself, and what it takes for a value and no program.
_CMDLET = re.compile(r"(?!(?i:invoke)-)[A-Za-z]+-[A-Z]\w+")
# Cmdlets at the end of a pipe that read to its end: `Select-Object -First 5` stops what runs.
_TAKES_ALL = re.compile(
    r"(?i:tee-object|write-(?:host|output)|out-(?:host|file|string|null|default)|select-string|measure-object"
    r"|select-object[ \t]+-last)\b[^|;&(){}]*"
)
_VALUE = re.compile(r"[$\"'@\d]|\Z")
_TESTED = re.compile(
    r"""(?:\[{1,2}|test) ("?\$[^\s"]+"?) (-eq|==?|-ne|!=|-gt) ["']?0["']?(?: \]{1,2})?"""
)
_EQUAL = frozenset({"-eq", "=", "=="})


_Shell: TypeAlias = ShellState[Outcome]


def proven(script: Script) -> frozenset[int]:
    """Return the indices of the segments that surely ran and succeeded if the whole did."""
    shell: _Shell = ShellState(defined=script.defined)
    result = _Walk(script).visit(script.body, shell, Outcome())
    return NOTHING if shell.trapped else result.proven


class _Walk:
    def __init__(self, script: Script) -> None:
        self.script = script
        self.stateful = any(map(is_stateful, script.segments))
        self.functions = 0

    def visit(self, statement: Statement, shell: _Shell, before: Outcome) -> Outcome:
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
            case Group(body, own_shell, called):
                if called:
                    return self._called(statement, shell, before)
                if own_shell:
                    return self._subshell(body, shell, before)
                return self.visit(body, shell, before)
            case Background(body):
                shell.saved[_LAST_JOB] = self._subshell(body, shell, Outcome())
                return Outcome()
            case Loop():
                return self._loop(statement, shell, before)
            case If():
                return self._if(statement, shell, before)
            case Repeat():
                return self._repeat(statement, shell, before)
            case Uncertain():
                return self._uncertain(statement, shell)

    def _subshell(self, body: Statement, shell: _Shell, before: Outcome) -> Outcome:
        own = shell.copy()
        own.trapped = False
        result = self.visit(body, own, before)
        return Outcome() if own.trapped else Outcome(result.proven, fails=result.never_well)

    def _called(self, call: Group, shell: _Shell, before: Outcome) -> Outcome:
        """Tell of a function where it is called: its `return` ends it alone."""
        self.functions += 1
        visit = self._subshell if call.own_shell else self.visit
        result = visit(call.body, shell, before)
        self.functions -= 1
        for index in commands_in(call.body):
            shell.forget(local_names(self.script.segments[index]))
        return self._caught(result, call.body, _RETURNS)

    def _caught(self, result: Outcome, body: Statement, by: frozenset[str]) -> Outcome:
        """Tell of what ends where these commands stand in it, and of what leaves more than that."""
        at = list(commands_in(body))
        programs = {program_of(self.script.segments[index]) for index in at}
        if programs.isdisjoint(by):
            return result
        proven = result.proven
        leaves = any(self._may_leave_well(index, but=by) for index in at)
        return Outcome(proven, fails=result.never_well, left=proven if leaves else None)

    def _loop(self, loop: Loop, shell: _Shell, before: Outcome) -> Outcome:
        """Tell what succeeded in every round: what the shell does not go on without."""
        segments = [self.script.segments[index] for index in commands_in(loop)]
        if not SKIPS.isdisjoint(map(program_of, segments)):
            return self._until_left(loop, shell, before)
        self._set_in_rounds(loop, shell)
        result = self.visit(loop.body, shell, before)
        self._set_in_rounds(loop, shell)
        return result if result.ends else replace(result, zero=result.on)

    def _set_in_rounds(self, loop: Statement, shell: _Shell) -> None:
        """Forget what a round of a loop may have set anew before the next one."""
        for index in commands_in(loop):
            for name, value in assigned_by(self.script.segments[index]):
                shell.saved.pop(name, None)
                if not (_is_failure(value) or _speaks_of_last(value)):
                    shell.flags.pop(name, None)

    def _until_left(self, loop: Loop, shell: _Shell, before: Outcome) -> Outcome:
        """`for i in 1 2 3; do a && break; done`: its last round, or the one that left it, tells."""
        inner = shell.copy()
        self._set_in_rounds(loop, inner)
        result = self.visit(loop.body, inner, before)
        uncertain = self._uncertain(Uncertain((loop.body,)), shell)
        if not leaves_plainly(loop.body, self.script):
            return uncertain
        return self._caught(result, loop.body, SKIPS)

    def _repeat(self, statement: Repeat, shell: _Shell, before: Outcome) -> Outcome:
        """`until a; do b; done` goes on until `a` succeeds, or it is left; nothing else ends it."""
        self._set_in_rounds(statement, shell)
        held = FAILED
        if statement.condition is not None:
            outer, shell.ignoring = shell.ignoring, True
            held = self.visit(statement.condition, shell, before)
            shell.ignoring = outer
        body = self.visit(statement.body, shell.copy(), Outcome())
        uncertain = self._uncertain(statement, shell)
        if not leaves_plainly(statement.body, self.script):
            return uncertain
        left = either_way(held.left, body.left)
        known = Outcome(held.zero, on=held.zero, fails=held.fails, ends=held.fails, left=left)
        caught = self._caught(known, statement, SKIPS)
        return caught if caught is known else replace(caught, on=caught.zero)

    def _uncertain(self, statement: Uncertain, shell: _Shell) -> Outcome:
        for index in commands_in(statement):
            shell.doubt(self.script.segments[index])
        if has_arithmetic(statement):
            shell.forget_all()
        leaves = any(self._may_leave_well(index) for index in commands_in(statement))
        return Outcome(left=NOTHING if leaves else None)

    def _if(self, statement: If, shell: _Shell, before: Outcome) -> Outcome:
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
        return after_condition(held, one_of(*branches))

    def _unless(self, held: Outcome, body: Statement, shell: _Shell) -> Outcome:
        """`if ! held; then body; fi`, which is `held || body` but for `$?`: there it is 0."""
        if held.ends:
            return held
        raised = [name for name, failed in self._raised(body, first=False).items() if failed]
        flags = {name: shell.flags[name] | held.zero for name in raised if name in shell.flags}
        inner = shell.copy()
        result = after_failure(held, self.visit(body, inner, Outcome()))
        self._uncertain(Uncertain((body,)), shell)
        shell.flags.update(flags)
        return result

    def _missed(self, condition: Statement, shell: _Shell, before: Outcome) -> frozenset[int]:
        """Return what succeeded where a condition does not hold: `[ $? -ne 0 ]`."""
        if not isinstance(condition, Simple):
            return NOTHING
        tested = _TESTED.fullmatch(self.script.segments[condition.index].text)
        if tested is None or tested[2] in _EQUAL:
            return NOTHING
        return _told(tested[1], shell, before).zero

    def _branch(self, body: Statement | None, known: frozenset[int], shell: _Shell) -> Outcome:
        if body is None:
            return Outcome(zero=known, on=known)
        return knowing(known, self.visit(body, shell.copy(), Outcome()))

    def _simple(self, index: int, shell: _Shell, before: Outcome) -> Outcome:
        segment = self.script.segments[index]
        name = program_of(segment)
        if name == "exit" or (name == "return" and self.functions):
            return self._leave(segment, shell, before)
        if name == "return":  # outside of a function an error; some shells end
            return Outcome(fails=True, left=NOTHING if self._may_leave_well(index) else None)
        own = frozenset({index})
        if name in SKIPS:
            return leaving(own)
        if waits_for_jobs(segment):
            return Outcome(zero=own | _told(segment.words[-1].text, shell, before).zero)
        if self._may_run_anything(segment):
            shell.forget_all()
            return Outcome(left=NOTHING)
        if self.stateful and is_stateful(segment):
            return self._stateful(segment, own, shell, before)
        if name == "exec" and len(segment.words) > 1:
            return leaving(own)
        fails = name == "false" and not segment.negated
        return Outcome(zero=NOTHING if fails else own, fails=fails)

    def _stateful(
        self, segment: Segment, own: frozenset[int], shell: _Shell, before: Outcome
    ) -> Outcome:
        """Tell of a command that sets something in the shell, or tests a status."""
        tested = None if segment.negated else _TESTED.fullmatch(segment.text)
        if tested and tested[2] in _EQUAL:
            return Outcome(zero=own | _told(tested[1], shell, before).zero)
        shell.run(segment, partial(_told_or_none, shell=shell, before=before))
        return leaving(own) if reads_only_on(segment) else Outcome(zero=own)

    def _leave(self, segment: Segment, shell: _Shell, before: Outcome) -> Outcome:
        """`exit`: with a number, with the status of before, or with a saved one."""
        known = before
        if len(segment.words) > 1:
            text = segment.words[1].text
            failing = FAILED if _is_failure(text) else Outcome()
            known = failing if text.isdecimal() else _told(text, shell, before)
        return replace(leaving(known.zero), left=None if known.never_well else known.zero)

    def _and_or(self, statement: AndOr, shell: _Shell, before: Outcome) -> Outcome:
        """Read the parts from left to right; for all but the last one `set -e` means nothing."""
        outer = shell.ignoring
        shell.ignoring = True
        known = self.visit(statement.parts[0], shell, before)
        surely = shell.errexit, shell.pipefail
        alone = self._fails_alone(statement.parts[0])
        for operator, part in zip(statement.operators, statement.parts[1:], strict=False):
            if known.ends:
                break
            shell.ignoring = outer or part is not statement.parts[-1]
            if operator == "&&":
                if not known.fails:
                    result = self.visit(part, shell, known)
                    first = known.zero | result.first if alone else NOTHING
                    known = replace(after_success(known, result), first=first)
                alone = alone and self._fails_alone(part)
            else:
                known, alone = self._or(known, part, shell), False
        shell.ignoring = outer
        shell.errexit, shell.pipefail = shell.errexit and surely[0], shell.pipefail and surely[1]
        if self.stateful:
            self._doubt_all(statement, shell)
        return known

    def _fails_alone(self, part: Statement) -> bool:
        """Whether `${PIPESTATUS[0]}` is the status of a command where that failed."""
        segment = self.script.segments[part.index] if isinstance(part, Simple) else None
        return segment is not None and bool(segment.words) and not segment.negated

    def _doubt_all(self, statement: AndOr, shell: _Shell) -> None:
        """Take in that nobody knows whether the parts after the first one ran."""
        flags = dict(shell.flags)
        for operator, part in zip(statement.operators, statement.parts[1:], strict=False):
            raised = self._raised(part, first=True) if operator == "||" else {}
            for index in commands_in(part):
                shell.doubt(self.script.segments[index])
            kept = [name for name, failed in raised.items() if failed and name in flags]
            shell.flags.update({name: flags[name] for name in kept})

    def _or(self, known: Outcome, part: Statement, shell: _Shell) -> Outcome:
        """`known || part`; a variable that `part` sets to a failure tells of what failed."""
        if not self.stateful:
            return after_failure(known, self.visit(part, shell, FAILED))
        raised = [name for name, failed in self._raised(part, first=True).items() if failed]
        flags = {name: shell.flags[name] | known.zero for name in raised if name in shell.flags}
        result = after_failure(known, self.visit(part, shell, FAILED))
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

    def _pipe(self, parts: tuple[Statement, ...], shell: _Shell) -> Outcome:
        results = [self._subshell(part, shell, Outcome()) for part in parts]
        first = results[0].zero
        if shell.pipefail:
            zero = frozenset().union(*(result.zero for result in results))
            return Outcome(zero, fails=any(result.fails for result in results), first=first)
        return Outcome(results[-1].zero, fails=results[-1].fails, first=first)

    def _sequence(self, parts: tuple[Statement, ...], shell: _Shell, before: Outcome) -> Outcome:
        passed: frozenset[int] = NOTHING
        left: frozenset[int] | None = None
        last = before
        for part in parts:
            result = self.visit(part, shell, last)
            if self._is_program(part):
                shell.saved[_LAST_PROGRAM] = self._of_program(part, result)
            going_on = result.on
            if shell.errexit and not shell.ignoring and checked_by_errexit(part):
                going_on |= result.zero
            left = either_way(left, behind(passed, result.left))
            last = replace(result, zero=passed | result.zero, on=passed | going_on)
            passed = last.on
            if result.ends:
                break
        return replace(last, left=left) if parts else Outcome()

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

    def _of_program(self, part: Statement, result: Outcome) -> Outcome:
        """Return what PowerShell's status of the latest program tells of.

        In a pipe into cmdlets that is the first part, if these take all of what it says.
        """
        if not isinstance(part, Pipe):
            return result
        behind = [self.script.segments[at] for one in part.parts[1:] for at in commands_in(one)]
        texts = (segment.text for segment in behind)
        takes_all = all(_TAKES_ALL.fullmatch(text) for text in texts)
        return Outcome(result.first) if takes_all else Outcome()

    def _may_leave_well(self, index: int, *, but: frozenset[str] = frozenset()) -> bool:
        """Whether a command may end the shell, or a function, with status 0."""
        segment = self.script.segments[index]
        program = program_of(segment)
        if program in _LEAVES - but:
            status = segment.words[1].text if len(segment.words) > 1 else ""
            return not _is_failure(status)
        return self._may_run_anything(segment)

    def _may_run_anything(self, segment: Segment) -> bool:
        """Whether a command runs what the text defined, or a text that may end the shell."""
        program, *rest = segment.known_values or [""]
        if program in {"builtin", "command"}:
            return not _LEAVES.isdisjoint(rest[:1])
        if program == "eval":
            inner = parse(" ".join(rest))
            return not _LEAVES.isdisjoint(map(program_of, inner.segments))
        return program in self.script.defined


def _told(text: str, shell: _Shell, before: Outcome) -> Outcome:
    """Return what is known where a word is 0: `$?`, `$rc`, `${PIPESTATUS[0]}`."""
    return _told_or_none(text, shell, before) or Outcome()


def _told_or_none(text: str, shell: _Shell, before: Outcome) -> Outcome | None:
    word = text.strip('"')
    if word in _FIRST_OF_PIPE:
        return Outcome(before.first)
    named = _NAMED.fullmatch(word)
    if named is None:
        return None
    name = named[1] or named[2]
    if name in shell.saved:
        return shell.saved[name]
    if name in _STATUSES:
        return before
    return Outcome(shell.flags[name]) if name in shell.flags else None


def _speaks_of_last(value: str) -> bool:
    return value.strip('"') in {"$?", "${?}"}


def _is_failure(value: str) -> bool:
    return value.isdecimal() and int(value) % 256 != 0
