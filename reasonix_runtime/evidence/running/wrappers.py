"""Takes wrappers (`timeout 60`, `uv run`) and assignments (`A=1`) off the command that they run.

`peel` takes them off a command. What it cannot be sure of stays, so that a command is never
taken for one that it may not be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import dropwhile, pairwise
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.names import names_check
from reasonix_runtime.evidence.checks.recognised import is_known_runner
from reasonix_runtime.evidence.options.command_line import tool_name
from reasonix_runtime.evidence.options.variables import CONTAINER, FOLDER, HANDED, MOUNTED
from reasonix_runtime.evidence.paths import norm, same_tree
from reasonix_runtime.evidence.running.inline_programs import runs_inline_program
from reasonix_runtime.evidence.running.inner_lines import inner_line
from reasonix_runtime.evidence.running.wrapper_tables import (
    BESIDE,
    BUILT,
    ENV,
    GIVEN_AT,
    IMAGE,
    INTERPRETER_OPTIONS,
    INTERPRETERS,
    KEEPS_WORK,
    OF_THE_WORK,
    PACKAGE,
    PACKAGE_WRAPPERS,
    PYTHON_ALONE,
    PYTHON_MODULES,
    PYTHON_PROGRAMS,
    PYTHON_WITH_VALUE,
    SCOPED_PACKAGES,
    SERVICE,
    WRAPPERS,
    XARGS,
    Wrapper,
)
from reasonix_runtime.evidence.shell.bash_gathered import whole_substitution
from reasonix_runtime.evidence.shell.script import Assignment, Script, Word, parse
from reasonix_runtime.evidence.shell.state import DECLARATIONS
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Segment

# Wrappers around wrappers beyond this are left alone.
_DEEPEST: Final = 12

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)=")
_PYTHON: Final = re.compile(r"python(?:3(?:\.\d+)?)?|py")

# What the launcher of Windows is told to start: `py -3.12`.
_PYTHON_VERSION: Final = re.compile(r"-3(?:\.\d+)?(?:-(?:32|64))?|-V:3[\w.-]*")
# `xargs` hands names on that nobody sees here; this word stands for them.
_HANDED_ON: Final = Word("{}", "{}")
_BUNDLE: Final = re.compile(r"-[A-Za-z0-9]{2,}")
# With these it runs nothing where no name is handed on.
_IF_ANY: Final = re.compile(r"-[0tx]*[rIi].*|--no-run-if-empty|--replace(?:=.*)?")
# With these a run takes the image of that name from elsewhere.
_FETCHING: Final = re.compile(r"--pull(?:=| )(?:always|newer)|\S+ --pull=(?:always|newer)")
# Programs of the shell that set the variables which they are told.
_SETTING: Final = word_set("read mapfile readarray getopts printf")
_NAME: Final = re.compile(r"[A-Za-z_]\w*")
_STANDING: Final = word_set("-w --workdir")
_MODULE_OPTIONS: Final = word_set("-m --module")
_PYTHON_WORD: Final = Word("python", "python")
_ENV_WORD: Final = Word("env", "env")
# What `xargs` runs where it is told nothing.
_ECHO_WORD: Final = Word("echo", "echo")
_ENVS: Final = word_set("env cross-env")


@dataclass(frozen=True, slots=True, kw_only=True)
class Peeled:
    """A command without what stood before it.

    `nested` is the command line that a shell was given with `-c`, or whose output is kept in a
    variable; then `words` are empty.
    `opaque` tells that an assignment has a value that is only known at run time.
    """

    words: tuple[Word, ...]
    assignments: tuple[Assignment, ...] = ()
    nested: Script | None = None

    @property
    def opaque(self) -> bool:
        """Whether an assignment has a value that is only known at run time."""
        return any(assignment.word.value is None for assignment in self.assignments)


def peel_assignments(segment: Segment) -> Peeled:
    """Take `A=1` and `env A=1` off a command; options of `env` are not looked through (EL-20)."""
    assignments, words = segment.assignments, segment.words
    if words and words[0].value == "env":
        inner, rest = _leading_assignments(words[1:])
        if inner and rest and not (rest[0].value or "-").startswith("-"):
            return Peeled(words=rest, assignments=(*assignments, *inner))
    return Peeled(words=words, assignments=assignments)


def lasting_assignments(segment: Segment) -> tuple[Assignment, ...]:
    """Return what a segment sets for the commands after it: `A=1` alone, `export A=1`, `read A`."""
    if not segment.words:
        return segment.assignments
    program = segment.words[0].value
    if program in _SETTING:
        return tuple(Assignment(name, Word("$_", None)) for name in _set_unseen(segment))
    if program not in DECLARATIONS:
        return ()
    named = [word for word in segment.words[1:] if not word.text.startswith("-")]
    return _leading_assignments(tuple(named))[0]


def _set_unseen(segment: Segment) -> list[str]:
    """Return the variables to which a program of the shell gives a value that stands nowhere."""
    texts = [word.text for word in segment.words]
    if texts[0] == "printf":
        texts = [name for option, name in pairwise(texts[:3]) if option == "-v"]
    return [text for text in texts if text not in _SETTING and _NAME.fullmatch(text)]


def peel(segment: Segment) -> Peeled:
    """Take assignments and transparent wrappers off a command, one after the other."""
    assignments = list(segment.assignments)
    words = segment.words
    if not words and (kept := _kept_output(segment.assignments)) is not None:
        return Peeled(words=(), nested=kept)
    for _ in range(_DEEPEST):
        if not words or words[0].value is None:
            break
        name = tool_name(words[0].value)
        nested = inner_line(name, words[1:])
        if nested is not None:
            return Peeled(words=(), assignments=tuple(assignments), nested=nested)
        if name in _ENVS:
            found = _behind_env(words[1:])
            if found is None:
                break
            inner, rest = found
            assignments.extend(inner)
        else:
            rest = _module(words) if _PYTHON.fullmatch(name) else _behind(name, words)
        if not rest:
            break
        words = rest
    return Peeled(words=words, assignments=tuple(assignments))


def _kept_output(assignments: tuple[Assignment, ...]) -> Script | None:
    """Return what runs in `out=$(pytest 2>&1)`, whose status that of the assignment is."""
    inner = whole_substitution(assignments)
    if inner is None or inner.count("$(") > _DEEPEST:
        return None
    script = parse(inner)
    # Of a program that is given as text, what it prints is asked for, and not how it ended.
    asked = any(runs_inline_program(segment.values or ("",)) for segment in script.segments)
    return None if asked else script


def _behind(name: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the command that a wrapper runs, or nothing where it is not sure which one it is.

    What the wrapper sets for the command is put before it, as `env` would be told.
    """
    if name == "xargs":
        _, found = _skip(XARGS, words[1:])
        own = {word.value or "" for word in words[1 : len(words) - len(found)]}
        found = found or (_ECHO_WORD,)
        if not _is_program(found[0]):
            return ()
        if_any = any(map(_IF_ANY.fullmatch, own))
        told = (_ENV_WORD, _assignment(HANDED, _HANDED_ON)) if if_any else ()
        return (*told, *found, _HANDED_ON)
    if name in INTERPRETERS:
        values = [word.value or "" for word in words[1:]]
        rest = [*dropwhile(INTERPRETER_OPTIONS.fullmatch, values)]
        return words[-len(rest) :] if rest and _is_installed(rest[0]) else ()
    for wrapper in WRAPPERS.get(name, ()):
        assigned, found = _skip(wrapper, words[1:])
        if name in {"uv", "coverage"} and found and found[0].value in _MODULE_OPTIONS:
            return (*assigned, _PYTHON_WORD, Word("-m", "-m"), *found[1:])
        named = wrapper.scripts and bool(found) and names_check(found[0].value or "")
        if found and not named and _is_program(found[0]):
            return (*assigned, *found)
    wrappers, programs = PACKAGE_WRAPPERS.get(name, ((), frozenset()))
    for wrapper in wrappers:
        assigned, found = _skip(wrapper, words[1:])
        package = PACKAGE.fullmatch((found[0].value or "").lower()) if found else None
        program = SCOPED_PACKAGES.get(package[1], package[1]) if package else ""
        if program in programs:
            return (*assigned, Word(program, program), *found[1:])
    return ()


def _is_program(word: Word) -> bool:
    return not (word.value or "-").startswith("-")


def _is_installed(word: str) -> bool:
    """Whether a word is the path of a runner that is known, where programs are installed."""
    program = tool_name(word)
    return (program != word and is_known_runner(program)) or word in {
        "artisan",
        "manage.py",
        "setup.py",
    }


def _skip(wrapper: Wrapper, words: tuple[Word, ...]) -> tuple[tuple[Word, ...], tuple[Word, ...]]:
    """Return what a wrapper sets, as `env` and its words, and what stands behind its own words."""
    assigned: list[Word] = []
    at = _past_options(wrapper, words, 0, assigned)
    for lead in wrapper.lead:
        if at >= len(words) or words[at].value != lead:
            return (), ()
        at = _past_options(wrapper, words, at + 1, assigned)
    if wrapper.behind:
        signs = [place for place in range(at, len(words)) if words[place].value in wrapper.behind]
        at = signs[0] + 1 if signs else len(words)
    if wrapper.before is not None:
        if at >= len(words) or not wrapper.before.fullmatch(words[at].value or ""):
            return (), ()
        if wrapper.before is SERVICE:
            away = (one for one in _standing(words[:at]) if not KEEPS_WORK.fullmatch(one))
            assigned += [_assignment(FOLDER, Word(one, one)) for one in away]
        if wrapper.before in (SERVICE, IMAGE):
            assigned.append(_assignment(CONTAINER, words[at]))
        at += 1
    if wrapper.mounts:
        if not _mounts_work(wrapper, words[:at]):
            return (), ()
        assigned += [_assignment(MOUNTED, Word(one, one)) for one in _below(wrapper, words[:at])]
    started = _entry(wrapper, words[:at])
    return (_ENV_WORD, *assigned) if assigned else (), (*started, *words[at:])


def _entry(wrapper: Wrapper, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the program that an option puts in front of the words of a command, if one does."""
    found = [
        told[-1]
        for at in range(len(words))
        if (told := _value_of(wrapper.entries, words[at : at + 2]))
    ]
    return tuple(word for word in found[-1:] if word.value != "")


def _mounts_work(wrapper: Wrapper, words: tuple[Word, ...]) -> bool:
    """Whether a container is given the folder of the work.

    One of an image that was built of the work is not where something else may lie over it.
    """
    texts = [word.text for word in words]
    given = _given(wrapper, texts)
    others = [value for value in given if not OF_THE_WORK.fullmatch(value)]
    if BUILT in given and not all(map(BESIDE.fullmatch, others)):
        return False
    fetches = BUILT in given and any(map(_FETCHING.fullmatch, map(" ".join, pairwise(texts))))
    return len(others) < len(given) and not fetches and _stands_in_work(words, given)


def _given(wrapper: Wrapper, texts: list[str]) -> list[str]:
    """Return what a container is given of the machine, as its options say it."""
    given = [value for option, value in pairwise(texts) if option in wrapper.mounts]
    return given + [value for text in texts if (value := _glued_mount(wrapper, text))]


def _below(wrapper: Wrapper, words: tuple[Word, ...]) -> list[str]:
    """Return the folders of the work that alone a container is given, `.` for all of it."""
    given = _given(wrapper, [word.text for word in words])
    work = [] if BUILT in given else [*map(OF_THE_WORK.fullmatch, given)]
    return [(found["below"] or "").strip("/") or "." for found in work if found]


def _stands_in_work(words: tuple[Word, ...], given: list[str]) -> bool:
    """Whether a container that is told where to stand may stand where it is given the work.

    Of an image that was built of the work that is in a folder of a usual name.
    """
    work = [GIVEN_AT.search(value) for value in given if OF_THE_WORK.fullmatch(value)]
    if not (BUILT in given or all(work)):
        return True
    at = {norm(place[1]) for place in work if place}
    stands = _standing(words)
    if BUILT in given:
        return all(map(KEEPS_WORK.fullmatch, stands))
    return all(any(same_tree(folder, place) for place in at) for folder in stands)


def _standing(words: tuple[Word, ...]) -> list[str]:
    """Return the folders by their whole paths that a container is told to stand in."""
    texts = [word.text.strip("\"'") for word in words]
    told = [value for option, value in pairwise(texts) if option in _STANDING]
    told += [text.partition("=")[2] for text in texts if text.partition("=")[0] in _STANDING]
    told += [text[2:] for text in texts if text[:2] in _STANDING]
    return [norm(folder) for folder in told if folder.startswith("/")]


def _glued_mount(wrapper: Wrapper, text: str) -> str:
    """Return what stands in one word with an option that mounts it, else nothing."""
    option, _, value = text.partition("=")
    if option in wrapper.mounts:
        return value
    return text[2:] if text[:2] in wrapper.mounts else ""


def _past_options(wrapper: Wrapper, words: tuple[Word, ...], at: int, assigned: list[Word]) -> int:
    """Return the place of the first word, from `at` on, that is no option of the wrapper."""
    while at < len(words):
        value = words[at].text if words[at].value is None else words[at].value or ""
        if value in wrapper.alone:
            at += 1
        elif folder := _value_of(wrapper.folders, words[at : at + 2]):
            assigned.append(_assignment(FOLDER, folder[-1]))
            at += len(folder)
        elif given := _value_of(wrapper.values, words[at : at + 2]):
            at += len(given)
        elif value in wrapper.assigns:
            assigned.extend(words[at + 1 : at + 2])
            at += 2
        elif bundled := _bundled(wrapper, value):
            at += bundled
        else:
            break
    return at


def _bundled(wrapper: Wrapper, word: str) -> int:
    """Return how many words a bundle of options in one word takes, as `-0rn 1` does; 0 for none."""
    if not _BUNDLE.fullmatch(word):
        return 0
    for at, letter in enumerate(word[1:], 2):
        if f"-{letter}" in wrapper.values:
            return 1 if word[at:] else 2
        if f"-{letter}" not in wrapper.alone:
            return 0
    return 1


def _value_of(options: frozenset[str], words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the words that give one of these options its value, which is the last of them."""
    word = words[0].text if words[0].value is None else words[0].value or ""
    option, equals, value = word.partition("=")
    if option in options:
        return (Word(value, value),) if equals else words
    attached = word[2:] if word[:2] in options and word[1] != "-" else ""
    return (Word(attached, attached),) if attached else ()


def _assignment(name: str, word: Word) -> Word:
    """Return the word by which `env` would set a name to what a word stands for."""
    value = None if word.value is None else f"{name}={word.value}"
    return Word(f"{name}={word.text}", value, word.substitutions, word.opaque)


def _behind_env(
    words: tuple[Word, ...],
) -> tuple[tuple[Assignment, ...], tuple[Word, ...]] | None:
    assigned: list[Word] = []
    at = _past_options(ENV, words, 0, assigned)
    inner, rest = _leading_assignments((*assigned, *words[at:]))
    if not rest or (rest[0].value or "-").startswith("-"):
        return None
    return inner, rest


def _leading_assignments(
    words: tuple[Word, ...],
) -> tuple[tuple[Assignment, ...], tuple[Word, ...]]:
    """Split the leading `NAME=value` words from the rest."""
    found: list[Assignment] = []
    for word in words:
        match = _ASSIGNMENT.match(word.text)
        if match is None:
            break
        value = None if word.value is None else word.value.partition("=")[2]
        text = word.text[match.end() :]
        found.append(Assignment(match[1], Word(text, value, word.substitutions, word.opaque)))
    return tuple(found), words[len(found) :]


def _module(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the program in `python -m pytest ...` or `python manage.py ...`, else nothing."""
    at = 1
    while at < len(words):
        value = words[at].value or ""
        if value in PYTHON_ALONE or (at == 1 and _PYTHON_VERSION.fullmatch(value)):
            at += 1
        elif value in PYTHON_WITH_VALUE:
            at += 2
        else:
            break
    values = [word.value or "" for word in words[at : at + 2]]
    if values[:1] == ["-m"] and len(values) == 2:
        program = PYTHON_MODULES.get(values[1], values[1].replace("_", "-"))
        return (Word(program, program), *words[at + 2 :]) if program in PYTHON_PROGRAMS else ()
    return words[at:] if values and _is_installed(values[0]) else ()
