"""Programs that only run what follows them, and assignments in front: looked through, or not.

`peel` takes them off a command. What it cannot be sure of stays, so that a command is never
taken for one that it may not be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.command_line import tool_name
from reasonix_runtime.evidence.shell import Assignment, Script, Word, parse
from reasonix_runtime.evidence.verification import npx_runner
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell import Segment

# Wrappers around wrappers beyond this are left alone.
_DEEPEST: Final = 12

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)=")
_PYTHON: Final = re.compile(r"python(?:3(?:\.\d+)?)?|py")
_DURATION: Final = re.compile(r"\d+(?:\.\d+)?[smhd]?")

# Options of Python itself that leave alone what is checked (`-O` would drop every assert).
_PYTHON_ALONE: Final = word_set("-B -u -s -E -I -P -3 -bb -b")
_PYTHON_WITH_VALUE: Final = word_set("-W -X")
_PYTHON_MODULES: Final = word_set(
    "pytest mypy ruff flake8 black isort pylint tox nox pyright pycodestyle pyflakes bandit"
)
_NODE_RUNNERS: Final = word_set(
    "vitest jest mocha ava eslint prettier tsc stylelint playwright cypress biome"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wrapper:
    """How to find the command behind a wrapper.

    `lead` words come first (`run` in `uv run`), then options: `alone`, or `values` with a word
    behind them. `before` must match one word in front of the command (the duration of `timeout`).
    """

    lead: tuple[str, ...] = ()
    alone: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    before: re.Pattern[str] | None = None


_WRAPPERS: Final[dict[str, tuple[_Wrapper, ...]]] = {
    "time": (_Wrapper(alone=word_set("-p -v")),),
    "timeout": (
        _Wrapper(
            alone=word_set("--foreground --preserve-status -v --verbose"),
            values=word_set("-k --kill-after -s --signal"),
            before=_DURATION,
        ),
    ),
    "nice": (_Wrapper(values=word_set("-n --adjustment")),),
    "ionice": (_Wrapper(alone=word_set("-t"), values=word_set("-c -n")),),
    "stdbuf": (_Wrapper(values=word_set("-i -o -e")),),
    "command": (_Wrapper(alone=word_set("-p")),),
    "builtin": (_Wrapper(),),
    "exec": (_Wrapper(alone=word_set("-c -l")),),
    "nohup": (_Wrapper(),),
    "xvfb-run": (_Wrapper(alone=word_set("-a --auto-servernum"), values=word_set("-s -n")),),
    "uv": (
        _Wrapper(
            lead=("run",),
            alone=word_set(
                "--frozen --locked --no-sync --all-extras --dev --no-dev --isolated --quiet -q"
                " --active --offline --exact --all-groups --no-project --"
            ),
            values=word_set(
                "--with --with-editable --with-requirements --python -p --extra --group --package"
                " --project --directory --env-file --no-group --only-group"
            ),
        ),
    ),
    "poetry": (_Wrapper(lead=("run",)),),
    "pipenv": (_Wrapper(lead=("run",)),),
    "pdm": (_Wrapper(lead=("run",)),),
    "rye": (_Wrapper(lead=("run",)),),
    "hatch": (_Wrapper(lead=("run",)),),
    "bundle": (_Wrapper(lead=("exec",)),),
}
_NPX_WRAPPERS: Final[dict[str, tuple[_Wrapper, ...]]] = {
    "npx": (_Wrapper(alone=word_set("--yes -y --no --no-install --")),),
    "npm": (_Wrapper(lead=("exec",), alone=word_set("--yes -y --no --")),),
    "pnpm": (_Wrapper(lead=("exec",)), _Wrapper(lead=("dlx",)), _Wrapper()),
    "yarn": (_Wrapper(lead=("exec",)), _Wrapper(lead=("dlx",)), _Wrapper()),
    "bun": (_Wrapper(lead=("x",)),),
}
_SHELLS: Final = word_set("bash sh zsh dash")
_SHELL_LETTERS: Final = frozenset("lceuxio")
_SHELL_OPTIONS: Final = word_set("pipefail errexit nounset xtrace")
_DECLARATIONS: Final = word_set("export declare typeset readonly local")
_MODULE_OPTIONS: Final = word_set("-m --module")
_PYTHON_WORD: Final = Word("python", "python")
_ENV_ALONE: Final = word_set("-i - --ignore-environment")
_ENV_VALUES: Final = word_set("-u --unset")


@dataclass(frozen=True, slots=True, kw_only=True)
class Peeled:
    """A command without what stood in front of it.

    `nested` is the command line that a shell was given with `-c`; then `words` are empty.
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
    """Return what a segment sets for the commands behind it: `A=1` alone, `export A=1`."""
    if not segment.words:
        return segment.assignments
    if segment.words[0].value not in _DECLARATIONS:
        return ()
    named = [word for word in segment.words[1:] if not word.text.startswith("-")]
    return _leading_assignments(tuple(named))[0]


def peel(segment: Segment) -> Peeled:
    """Take assignments and transparent wrappers off a command, one after the other."""
    assignments = list(segment.assignments)
    words = segment.words
    for _ in range(_DEEPEST):
        if not words or words[0].value is None:
            break
        name = tool_name(words[0].value)
        rest = _behind(name, words)
        if name == "env":
            found = _behind_env(words[1:])
            if found is None:
                break
            inner, rest = found
            assignments.extend(inner)
        elif name in _SHELLS:
            script = _shell_script(words[1:])
            if script is None:
                break
            return Peeled(words=(), assignments=tuple(assignments), nested=parse(script))
        elif _PYTHON.fullmatch(name):
            return Peeled(words=_module(words), assignments=tuple(assignments))
        if not rest:
            break
        words = rest
    return Peeled(words=words, assignments=tuple(assignments))


def _behind(name: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the command behind a wrapper, or nothing when there is none that is sure."""
    for wrapper in _WRAPPERS.get(name, ()):
        found = _skip(wrapper, words[1:])
        if name == "uv" and found and found[0].value in _MODULE_OPTIONS:
            return (_PYTHON_WORD, Word("-m", "-m"), *found[1:])
        if found and not (found[0].value or "-").startswith("-"):
            return found
    for wrapper in _NPX_WRAPPERS.get(name, ()):
        found = _skip(wrapper, words[1:])
        runner = npx_runner(found[0].value or "") if found else ""
        if runner in _NODE_RUNNERS:
            return (Word(runner, runner), *found[1:])
    return ()


def _skip(wrapper: _Wrapper, words: tuple[Word, ...]) -> tuple[Word, ...]:
    values = [word.value or "" for word in words]
    if tuple(values[: len(wrapper.lead)]) != wrapper.lead:
        return ()
    at = len(wrapper.lead)
    while at < len(words):
        option, equals, _ = values[at].partition("=")
        attached = len(option) > 2 and option[:2] in wrapper.values and option[1] != "-"
        if values[at] in wrapper.alone or (equals and option in wrapper.values) or attached:
            at += 1
        elif option in wrapper.values:
            at += 2
        else:
            break
    if wrapper.before is not None:
        if at >= len(words) or not wrapper.before.fullmatch(values[at]):
            return ()
        at += 1
    return words[at:]


def _behind_env(
    words: tuple[Word, ...],
) -> tuple[tuple[Assignment, ...], tuple[Word, ...]] | None:
    at = 0
    while at < len(words):
        value = words[at].value or ""
        if value in _ENV_ALONE or value.startswith("--unset="):
            at += 1
        elif value in _ENV_VALUES:
            at += 2
        else:
            break
    inner, rest = _leading_assignments(words[at:])
    if not rest or (rest[0].value or "-").startswith("-"):
        return None
    return inner, rest


def _leading_assignments(
    words: tuple[Word, ...],
) -> tuple[tuple[Assignment, ...], tuple[Word, ...]]:
    """Split the `NAME=value` words in front from the rest."""
    found: list[Assignment] = []
    for word in words:
        match = _ASSIGNMENT.match(word.text)
        if match is None:
            break
        value = None if word.value is None else word.value.partition("=")[2]
        text = word.text[match.end() :]
        found.append(Assignment(match[1], Word(text, value, word.substitutions, word.opaque)))
    return tuple(found), words[len(found) :]


def _shell_script(words: tuple[Word, ...]) -> str | None:
    """Return the static text behind `bash -c`, `bash -euo pipefail -c` and the like.

    It is the last argument; the options that decide whose status it is are set in front of it.
    """
    at, given, settings = 0, False, ""
    while at < len(words) and (words[at].value or "").startswith("-"):
        option = words[at].value or ""
        if option.startswith("--") or not _SHELL_LETTERS.issuperset(option[1:]):
            return None
        if "o" in option:
            at += 1
            name = words[at].value if at < len(words) else ""
            if name not in _SHELL_OPTIONS:
                return None
            settings += f" -o {name}"
        settings += " -e" if "e" in option else ""
        given = given or "c" in option
        at += 1
    if not given or at != len(words) - 1 or words[at].value is None:
        return None
    return f"set{settings}\n{words[at].value}" if settings else words[at].value


def _module(words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Turn `python -m pytest ...` into `pytest ...`; any other Python command stays."""
    at = 1
    while at < len(words):
        value = words[at].value or ""
        if value in _PYTHON_ALONE:
            at += 1
        elif value in _PYTHON_WITH_VALUE:
            at += 2
        else:
            break
    values = [word.value for word in words[at : at + 2]]
    if len(values) == 2 and values[0] == "-m" and values[1] in _PYTHON_MODULES | {"unittest"}:
        return words[at + 1 :]
    return words
