"""A command line as the shell sees it: simple commands, their words, and what joins them.

`parse` never raises. A text that the grammar cannot read, or that is more than a list of simple
commands in the sense of EL-08, has a `problem`; its segments are then what could still be seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from reasonix_runtime.evidence.memo import memoised


class Dialect(StrEnum):
    """Whose separators and quotes a command line is read with."""

    BASH = "bash"
    POWERSHELL = "powershell"
    CMD = "cmd"


class Problem(StrEnum):
    """Why a command line does not split into segments (EL-08).

    With `SYNTAX` and `TOO_LONG` nothing of it was read for sure.
    """

    SYNTAX = "syntax error"
    HERE_DOCUMENT = "here-document"
    RUNNING_DOCUMENT = "here-document that runs commands"
    NEGATION = "negated command"
    COPROCESS = "coprocess"
    GROUP = "subshell or group"
    CONTROL = "control structure"
    FUNCTION = "function definition"
    DECLARATION = "declaration"
    TIMED = "time keyword"
    BACKGROUND_LIST = "list or pipeline in the background"
    NO_COMMAND = "redirect without a command"
    TOO_LONG = "more commands than anybody reads"


@dataclass(frozen=True, slots=True)
class Substitution:
    """A command inside a word: `$(...)`, backquotes, or `<(...)` (then `process` is true)."""

    command: str
    quoted: bool
    process: bool


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its source text and its value after quote removal, None when it expands.

    `opaque` tells that something else than a command substitution expands in it.
    """

    text: str
    value: str | None
    substitutions: tuple[Substitution, ...] = ()
    opaque: bool = False


@dataclass(frozen=True, slots=True)
class Assignment:
    """`NAME=value` before a command."""

    name: str
    word: Word


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect: descriptor digits (often empty), operator, and target (None for `>&-`)."""

    descriptor: str
    operator: str
    target: Word | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """One simple command. `text` is its source without a background sign or a `!` before it."""

    text: str
    words: tuple[Word, ...]
    assignments: tuple[Assignment, ...] = ()
    redirects: tuple[Redirect, ...] = ()
    background: bool = False
    negated: bool = False

    @property
    def values(self) -> tuple[str, ...] | None:
        """The values of all words, or None when one of them is only known at run time."""
        values = tuple(word.value for word in self.words)
        # No checker sees that `in` has ruled None out.
        return None if None in values else values  # type: ignore[return-value]

    @property
    def known_values(self) -> list[str]:
        """The values of all words, empty for one that is only known at run time."""
        return [word.value or "" for word in self.words]

    @property
    def static(self) -> tuple[str, ...] | None:
        """The words when the whole segment is static (EL-08): no assignment, no redirect."""
        if self.assignments or self.redirects or not self.words:
            return None
        return self.values


@dataclass(frozen=True, slots=True)
class Simple:
    """A simple command: the index of its segment."""

    index: int


@dataclass(frozen=True, slots=True)
class AndOr:
    """`a && b || c`, read from left to right: `operators[i]` stands after `parts[i]`."""

    parts: tuple[Statement, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pipe:
    """`a | b | c`."""

    parts: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Sequence:
    """Statements that follow each other, whatever the status of each."""

    parts: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """`( ... )`, a shell of its own, or `{ ...; }`, which shares the shell around it.

    `called` tells that it is the body of a function, in the place of a call of it.
    """

    body: Statement
    own_shell: bool
    called: bool = False


@dataclass(frozen=True, slots=True)
class Background:
    """`statement &` or a coprocess: nobody waits for its status."""

    body: Statement


@dataclass(frozen=True, slots=True)
class Loop:
    """`for` over words that stand there: its body runs at least once."""

    body: Statement


@dataclass(frozen=True, slots=True)
class Uncertain:
    """Statements whose running or status is not told by the whole: `if`, loops, `!` of a list.

    `computes` tells that arithmetic in it may set any variable.
    """

    parts: tuple[Statement, ...]
    computes: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat(Uncertain):
    """`until condition`, or `while ! condition`: it ends where the condition holds.

    Of one that nothing ends but what leaves it (`while true`) there is no condition.
    """

    condition: Statement | None
    body: Statement


@dataclass(frozen=True, slots=True, kw_only=True)
class If(Uncertain):
    """`if` with at most an `else`: one of two branches runs, where there is one."""

    condition: Statement
    body: Statement | None
    otherwise: Statement | None


Statement: TypeAlias = Simple | AndOr | Pipe | Sequence | Group | Background | Loop | Uncertain


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A read command line.

    `operators[i]` stands between `segments[i]` and `segments[i + 1]`: ``&&``, ``||``, ``|``,
    ``|&``, ``;``, ``&`` or a line break. `defined` are the functions and aliases that the text
    itself makes, which may shadow a program of the same name; of functions that are read where
    they are called, which are `followed`, only those whose other calls nobody follows.
    `group_redirects` are those of subshells, groups and calls of functions, `looped` the variables
    of loops that go over one word (`*.py`), which may be many files.
    """

    text: str
    segments: tuple[Segment, ...] = ()
    operators: tuple[str, ...] = ()
    body: Statement = field(default=Sequence(()))
    problem: Problem | None = None
    dialect: Dialect = Dialect.BASH
    defined: frozenset[str] = frozenset()
    followed: frozenset[str] = frozenset()
    group_redirects: tuple[Redirect, ...] = ()
    looped: tuple[Assignment, ...] = ()

    @property
    def splittable(self) -> bool:
        """Whether the text is a list of simple commands in the sense of EL-08."""
        return self.problem is None

    @property
    def can_hide_status(self) -> bool:
        """Whether an earlier part may fail unnoticed (DL-02): anything but a pure `&&` chain."""
        return any(operator != "&&" for operator in self.operators) or any(
            segment.background for segment in self.segments
        )


@memoised(2048)
def parse(command: str, dialect: Dialect = Dialect.BASH) -> Script:
    """Read a command line with the grammar of its shell.

    Never raises; a text that is no command line at all comes back with `Problem.SYNTAX`.
    """
    # The readers import the records above, so they are fetched when the first command comes.
    if dialect is Dialect.BASH:
        from reasonix_runtime.evidence.shell.bash import read_bash

        return read_bash(command)
    from reasonix_runtime.evidence.shell.windows import read_windows

    return read_windows(command, dialect)
