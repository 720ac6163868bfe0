"""What a shell holds that decides whose exit status it ends with: options, traps, variables."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from reasonix_runtime.evidence.shell.script import Problem, parse
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from reasonix_runtime.evidence.shell.script import Script, Segment

Known = TypeVar("Known")

_TRAPS: Final = word_set("exit 0 err sigexit debug return")
DECLARATIONS: Final = word_set("export declare typeset readonly local")
"""Programs of the shell that give variables the values which stand after their names."""
# Those that begin variables anew, which in a function are gone when it ends.
_LOCAL: Final = word_set("declare typeset local")
# Programs of the shell that set the variables whose names they are given.
_SETTING: Final = word_set("let read unset mapfile readarray getopts printf")
# Programs of the shell that run a text which may set any.
_RUNNING: Final = word_set("eval source .")
_STATEFUL: Final = DECLARATIONS | _SETTING | _RUNNING | word_set("set trap [ [[ test")
# Programs with which a trap may end the shell well.
_LEAVING: Final = word_set("exit return exec eval source .")
# Of a text with more in it than commands nobody knows how it ends.
_ALLOWED: Final = frozenset({None, Problem.DECLARATION})
_NAME: Final = re.compile(r"\W*([A-Za-z_]\w*)")
_ASSIGNED: Final = re.compile(r"([A-Za-z_]\w*)\+?=")


@dataclass(slots=True)
class ShellState(Generic[Known]):
    """The state of one shell.

    `saved` are the variables that hold the status of something (`rc=$?`), `flags` those that are 0
    unless one of these segments failed (`rc=0; a || rc=1`). `ignoring` tells that the shell goes on
    after a failure whatever `set -e` says, as it does before `&&` and `||`. `defined` are the
    functions and aliases of the text.
    """

    defined: frozenset[str] = frozenset()
    errexit: bool = False
    ignoring: bool = False
    pipefail: bool = False
    trapped: bool = False
    saved: dict[str, Known] = field(default_factory=dict)
    flags: dict[str, frozenset[int]] = field(default_factory=dict)

    def copy(self) -> ShellState[Known]:
        """Return the state that a subshell starts with."""
        return replace(self, saved=dict(self.saved), flags=dict(self.flags))

    def run(self, segment: Segment, told: Callable[[str], Known | None]) -> None:
        """Take in a simple command; `told` says what is known where a word is 0."""
        for name, value in assigned_by(segment):
            known = told(value)
            self.forget((name,))
            if known is not None:
                self.saved[name] = known
            elif value == "0":
                self.flags[name] = frozenset()
        if segment.assignments and not segment.words:
            return
        name = program_of(segment)
        if name == "set":
            self._set_options(segment)
        else:
            self._upset(name, segment)

    def doubt(self, segment: Segment) -> None:
        """Take in a simple command of which nobody knows whether it runs."""
        self.forget(name for name, _ in assigned_by(segment))
        name = program_of(segment)
        if name == "set":
            known = self.errexit, self.pipefail
            self._set_options(segment)
            self.errexit = self.errexit and known[0]
            self.pipefail = self.pipefail and known[1]
        else:
            self._upset(name, segment)

    def _upset(self, name: str, segment: Segment) -> None:
        """Take in what a program of the shell makes uncertain, whether it surely runs or not."""
        if name == "trap":
            self.trapped = self.trapped or _may_end_well(segment, self.defined)
        elif name in _SETTING:
            self.forget(_names(segment))
        elif name in _LOCAL:
            told = {name for name, _ in assigned_by(segment)}
            self.forget(name for name in _names(segment) if name not in told)
        elif name in _RUNNING:
            self.forget_all()

    def forget(self, names: Iterable[str]) -> None:
        """Know nothing any more of what these variables hold."""
        for name in names:
            self.saved.pop(name, None)
            self.flags.pop(name, None)

    def forget_all(self) -> None:
        """Know nothing any more of any variable."""
        self.saved.clear()
        self.flags.clear()

    def _set_options(self, segment: Segment) -> None:
        """`set -e`, `set -euo pipefail`, `set +e`, `set -o errexit`."""
        words = [word.text for word in segment.words[1:]]
        for at, word in enumerate(words):
            if word[:1] not in {"-", "+"} or word in {"-", "--"}:
                continue
            on = word.startswith("-")
            if "e" in word[1:]:
                self.errexit = on
            following = words[at + 1] if at + 1 < len(words) else ""
            if "o" in word[1:] and following == "pipefail":
                self.pipefail = on
            elif "o" in word[1:] and following == "errexit":
                self.errexit = on


def is_stateful(segment: Segment) -> bool:
    """Whether a command may leave something behind that decides a status, or tests one."""
    return bool(segment.assignments) or program_of(segment) in _STATEFUL


def reads_only_on(segment: Segment) -> bool:
    """Whether a shell runs nothing any more after this: `set -n`, `set -o noexec`."""
    words = [word.text for word in segment.words[1:]]
    return program_of(segment) == "set" and any(
        word == "noexec" or (word[:1] == "-" and word[1:2] != "-" and "n" in word[1:])
        for word in words
    )


def program_of(segment: Segment) -> str:
    """Return the first word of a command, empty where it is not known or there is none."""
    return (segment.words[0].value or "") if segment.words else ""


def assigned_by(segment: Segment) -> list[tuple[str, str]]:
    """Return the variables that a command leaves behind, with the text of their values."""
    if not segment.words:
        return [(one.name, one.word.text) for one in segment.assignments]
    if program_of(segment) not in DECLARATIONS:
        return []
    texts = [(word.text, _ASSIGNED.match(word.text)) for word in segment.words[1:]]
    return [(found[1], text[found.end() :]) for text, found in texts if found]


def local_names(segment: Segment) -> list[str]:
    """Return the variables that a command makes for the function alone in which it stands."""
    return _names(segment) if program_of(segment) in _LOCAL else []


def _may_end_well(trap: Segment, defined: frozenset[str]) -> bool:
    """Whether what a `trap` runs at the end may give the shell another status."""
    if not any(word.text.lower() in _TRAPS for word in trap.words[2:]):
        return False
    script = parse(action_of(trap))
    programs = [program_of(segment) for segment in script.segments if segment.words]
    leaving = _LEAVING | defined | {""}
    if script.problem not in _ALLOWED:
        return True
    return not leaving.isdisjoint(programs) and not _hands_on(script)


def _hands_on(script: Script) -> bool:
    """`rc=$?; …; exit $rc`: it leaves in one way alone, with the status that the shell had."""
    first, *rest = script.segments
    kept = assigned_by(first)
    if len(kept) != 1 or kept[0][1].strip('"') != "$?":
        return False
    name = kept[0][0]
    told = {f"exit ${name}", f'exit "${name}"', f"exit ${{{name}}}", f'exit "${{{name}}}"'}
    leaves = [one.text for one in rest if program_of(one) in _LEAVING]
    # Wherever else the name stands, something may give it another value.
    named = re.findall(rf"(?<![\w${{]){name}\b", script.text)
    return len(leaves) == 1 and told.issuperset(leaves) and len(named) == 1


def waits_for_jobs(segment: Segment) -> bool:
    """Whether a command waits for jobs by their numbers: it has the status of the last one."""
    jobs = segment.words[1:]
    named = bool(jobs) and all(job.text.lstrip('"').startswith("$") for job in jobs)
    return program_of(segment) == "wait" and named and not segment.negated


def action_of(trap: Segment) -> str:
    """Return what a `trap` is to run, as far as its text tells; empty where it only resets."""
    action = trap.words[1] if len(trap.words) > 1 else None
    if action is None or action.value is None:
        return "" if action is None else action.text.removeprefix('"').removesuffix('"')
    return "" if action.value == "-" else action.value


def _names(segment: Segment) -> list[str]:
    """Return what may be names of variables among the words after a program."""
    found = [_NAME.match(word.text) for word in segment.words[1:]]
    return [one[1] for one in found if one]
