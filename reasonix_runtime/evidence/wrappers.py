"""Programs that only run what follows them, and assignments in front: looked through, or not.

`peel` takes them off a command. What it cannot be sure of stays, so that a command is never
taken for one that it may not be.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.check_names import names_check
from reasonix_runtime.evidence.command_line import tool_name
from reasonix_runtime.evidence.shell import Assignment, Dialect, Script, Word, parse
from reasonix_runtime.evidence.variables import CONTAINER
from reasonix_runtime.evidence.wide_checks import is_known_runner
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell import Segment

# Wrappers around wrappers beyond this are left alone.
_DEEPEST: Final = 12

_ASSIGNMENT: Final = re.compile(r"([A-Za-z_]\w*)=")
_PYTHON: Final = re.compile(r"python(?:3(?:\.\d+)?)?|py")
_DURATION: Final = re.compile(r"\d+(?:\.\d+)?[smhd]?")

_SERVICE: Final = re.compile(r"[\w.-]+")
_ANYTHING: Final = re.compile(r".+")

# Options of Python itself that leave alone what is checked (`-O` would drop every assert).
_PYTHON_ALONE: Final = word_set("-B -u -s -E -I -P -3 -bb -b")
_PYTHON_WITH_VALUE: Final = word_set("-W -X")
# Modules and packages that are programs; a `_` in the name of a module is a `-` in the program.
_PYTHON_PROGRAMS: Final = word_set(
    "pytest unittest doctest mypy ruff flake8 black isort pylint tox nox pyright basedpyright ty"
    " pyrefly pycodestyle pyflakes pydocstyle bandit vulture interrogate deptry codespell pip-audit"
    " pre-commit coverage pip json.tool"
)
_NODE_PROGRAMS: Final = word_set(
    "vitest jest mocha ava tap eslint prettier tsc vue-tsc stylelint oxlint knip solhint playwright"
    " cypress biome svelte-check astro next ng markdownlint markdownlint-cli2 web-test-runner wdio"
    " turbo nx lerna hardhat pyright cross-env spectral redocly"
)
_SCOPED_PACKAGES: Final = {
    "@biomejs/biome": "biome",
    "@stoplight/spectral-cli": "spectral",
    "@redocly/cli": "redocly",
    "@angular/cli": "ng",
}
_PACKAGE: Final = re.compile(r"((?:@[a-z0-9-]+/)?[a-z0-9][a-z0-9-]*)(?:@[a-z0-9.\-+_~^*]+)?")
# Programs that run a program of another language by the path of its file.
_INTERPRETERS: Final = word_set("node php ruby")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wrapper:
    """How to find the command behind a wrapper.

    `lead` words come first (`run` in `uv run`), options around them: `alone`, `values` with a word
    behind them, `assigns` with an assignment behind them. `before` must match one word in front of
    the command (the duration of `timeout`). `behind` are signs of which one stands in front of the
    command, whatever stands before it. With `scripts` a project may name what is run.
    """

    lead: tuple[str, ...] = ()
    alone: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    assigns: frozenset[str] = frozenset()
    before: re.Pattern[str] | None = None
    behind: frozenset[str] = frozenset()
    scripts: bool = False


_RUN: Final = _Wrapper(lead=("run",), values=word_set("-C --directory -P --project"), scripts=True)
_EXEC: Final = _Wrapper(lead=("exec",), alone=word_set("--"))
_SCRIPT_RUN: Final = _Wrapper(
    lead=("run",), values=word_set("-e --environment --env -p --project"), scripts=True
)
_CONDA: Final = _Wrapper(
    lead=("run",),
    alone=word_set("--no-capture-output --live-stream"),
    values=word_set("-n --name -p --prefix --cwd"),
)
_CONTAINER: Final = _Wrapper(
    lead=("exec",),
    alone=word_set("-i -t -it -ti -T --interactive --tty --privileged"),
    values=word_set("-w --workdir -u --user"),
    assigns=word_set("-e --env"),
    before=_SERVICE,
)
_COMPOSE_VALUES: Final = word_set(
    "-f --file -p --project-name --profile --env-file --project-directory -w --workdir -u --user"
)
_COMPOSE: Final = tuple(
    _Wrapper(
        lead=(verb,),
        alone=word_set("-i -t -it -T --no-TTY --rm --no-deps --quiet-pull"),
        values=_COMPOSE_VALUES,
        assigns=word_set("-e --env"),
        before=_SERVICE,
    )
    for verb in ("exec", "run")
)
_DOTENV: Final = tuple(
    _Wrapper(lead=lead, alone=word_set("--"), values=word_set("-f -e")) for lead in (("run",), ())
)
_SUDO: Final = _Wrapper(
    alone=word_set("-E -n -H -S --preserve-env --"), values=word_set("-u --user -g --group")
)
_WRAPPERS: Final[dict[str, tuple[_Wrapper, ...]]] = {
    "time": (_Wrapper(alone=word_set("-p -v")),),
    "timeout": (
        _Wrapper(
            alone=word_set("--foreground --preserve-status -v --verbose"),
            values=word_set("-k --kill-after -s --signal"),
            before=_DURATION,
        ),
    ),
    "nice": (_Wrapper(alone=word_set("-5 -10 -15 -19"), values=word_set("-n --adjustment")),),
    "ionice": (_Wrapper(alone=word_set("-t"), values=word_set("-c -n")),),
    "taskset": (_Wrapper(lead=("-c",), before=_ANYTHING),),
    "caffeinate": (_Wrapper(alone=word_set("-d -i -m -s -u")),),
    "stdbuf": (_Wrapper(values=word_set("-i -o -e")),),
    "command": (_Wrapper(alone=word_set("-p")),),
    "builtin": (_Wrapper(),),
    "call": (_Wrapper(),),
    "exec": (_Wrapper(alone=word_set("-c -l")),),
    "nohup": (_Wrapper(),),
    "sudo": (_SUDO,),
    "doas": (_SUDO,),
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
            scripts=True,
        ),
    ),
    "coverage": (
        _Wrapper(
            lead=("run",),
            alone=word_set("--branch -p --parallel-mode -a --append"),
            values=word_set("--source --rcfile --omit --include"),
        ),
    ),
    "poetry": (_RUN,),
    "pipenv": (_RUN,),
    "pdm": (_SCRIPT_RUN,),
    "rye": (_SCRIPT_RUN,),
    "hatch": (_SCRIPT_RUN,),
    "pixi": (_SCRIPT_RUN,),
    "devbox": (_Wrapper(lead=("run",), alone=word_set("--"), scripts=True),),
    "bundle": (_EXEC,),
    "opam": (_EXEC,),
    "pyenv": (_EXEC,),
    "rbenv": (_EXEC,),
    "asdf": (_EXEC,),
    "direnv": (_Wrapper(lead=("exec",), before=_ANYTHING),),
    "mise": tuple(_Wrapper(lead=(verb,), behind=word_set("--")) for verb in ("exec", "x")),
    "nix": tuple(
        _Wrapper(lead=(verb,), behind=word_set("-c --command")) for verb in ("develop", "shell")
    ),
    "conda": (_CONDA,),
    "mamba": (_CONDA,),
    "micromamba": (_CONDA,),
    "dotenv": _DOTENV,
    "dotenvx": _DOTENV,
    "docker": (
        _CONTAINER,
        *(replace(wrapper, lead=("compose", *wrapper.lead)) for wrapper in _COMPOSE),
    ),
    "podman": (_CONTAINER,),
    "docker-compose": _COMPOSE,
    "devcontainer": (
        _Wrapper(lead=("exec",), values=word_set("--workspace-folder --container-id --config")),
    ),
}
_YES: Final = word_set("--yes -y --no --no-install --")
_PNPM_PLACES: Final = word_set("-C --dir")
# Wrappers that fetch a program by the name of its package, and the names that are trusted.
_PACKAGE_WRAPPERS: Final[dict[str, tuple[tuple[_Wrapper, ...], frozenset[str]]]] = {
    "npx": ((_Wrapper(alone=_YES),), _NODE_PROGRAMS),
    "npm": ((_Wrapper(lead=("exec",), alone=_YES),), _NODE_PROGRAMS),
    "pnpm": (
        tuple(_Wrapper(lead=lead, values=_PNPM_PLACES) for lead in (("exec",), ("dlx",), ())),
        _NODE_PROGRAMS,
    ),
    "yarn": (
        tuple(
            _Wrapper(lead=lead, values=word_set("--cwd"))
            for lead in (("exec",), ("dlx",), ("run",), ())
        ),
        _NODE_PROGRAMS,
    ),
    "bun": ((_Wrapper(lead=("x",)),), _NODE_PROGRAMS),
    "uvx": (
        (_Wrapper(alone=word_set("-q --quiet"), values=word_set("-p --python --with")),),
        _PYTHON_PROGRAMS,
    ),
    "uv": (
        (_Wrapper(lead=("tool", "run"), values=word_set("-p --python --with")),),
        _PYTHON_PROGRAMS,
    ),
    "pipx": ((_Wrapper(lead=("run",)),), _PYTHON_PROGRAMS),
}
# `xargs` hands names on that nobody sees here; this word stands for them.
_HANDED_ON: Final = Word("{}", "{}")
_XARGS: Final = _Wrapper(
    alone=word_set("-0 -r -t -x --null --no-run-if-empty"),
    values=word_set("-n -P -L -I -d -s --max-args --max-procs --delimiter"),
)
_SHELLS: Final = word_set("bash sh zsh dash")
_SHELL_LETTERS: Final = frozenset("lceuxio")
_SHELL_OPTIONS: Final = word_set("pipefail errexit nounset xtrace")
_POWERSHELLS: Final = word_set("powershell pwsh")
_POWERSHELL_ALONE: Final = word_set("-noprofile -nologo -noninteractive -nop")
_DECLARATIONS: Final = word_set("export declare typeset readonly local")
_MODULE_OPTIONS: Final = word_set("-m --module")
_PYTHON_WORD: Final = Word("python", "python")
_ENV_WORD: Final = Word("env", "env")
_ENVS: Final = word_set("env cross-env")
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
        nested = _nested(name, words[1:])
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


def _behind(name: str, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return the command behind a wrapper, or nothing when there is none that is sure."""
    if name == "xargs":
        found = _skip(_XARGS, words[1:])
        return (*found, _HANDED_ON) if found and _is_program(found[0]) else ()
    if name in _INTERPRETERS:
        return words[1:] if len(words) > 1 and _is_installed(words[1].value or "") else ()
    for wrapper in _WRAPPERS.get(name, ()):
        found = _skip(wrapper, words[1:])
        if name in {"uv", "coverage"} and found and found[0].value in _MODULE_OPTIONS:
            return (_PYTHON_WORD, Word("-m", "-m"), *found[1:])
        named = wrapper.scripts and bool(found) and names_check(found[0].value or "")
        if found and not named and _is_program(found[0]):
            return found
    wrappers, programs = _PACKAGE_WRAPPERS.get(name, ((), frozenset()))
    for wrapper in wrappers:
        found = _skip(wrapper, words[1:])
        package = _PACKAGE.fullmatch((found[0].value or "").lower()) if found else None
        program = _SCOPED_PACKAGES.get(package[1], package[1]) if package else ""
        if program in programs:
            return (Word(program, program), *found[1:])
    return ()


def _is_program(word: Word) -> bool:
    return not (word.value or "-").startswith("-")


def _is_installed(word: str) -> bool:
    """Whether a word is the path of a runner that is known, where programs are installed."""
    program = tool_name(word)
    return (program != word and is_known_runner(program)) or word in {"artisan", "manage.py"}


def _skip(wrapper: _Wrapper, words: tuple[Word, ...]) -> tuple[Word, ...]:
    """Return what stands behind a wrapper's own words; what it assigns comes as `env` does."""
    assigned: list[Word] = []
    at = _past_options(wrapper, words, 0, assigned)
    for lead in wrapper.lead:
        if at >= len(words) or words[at].value != lead:
            return ()
        at = _past_options(wrapper, words, at + 1, assigned)
    if wrapper.behind:
        signs = [place for place in range(at, len(words)) if words[place].value in wrapper.behind]
        return words[signs[0] + 1 :] if signs else ()
    if wrapper.before is not None:
        if at >= len(words) or not wrapper.before.fullmatch(words[at].value or ""):
            return ()
        if wrapper.before is _SERVICE:
            name = f"{CONTAINER}={words[at].value}"
            assigned.append(Word(name, name))
        at += 1
    return (_ENV_WORD, *assigned, *words[at:]) if assigned else words[at:]


def _past_options(wrapper: _Wrapper, words: tuple[Word, ...], at: int, assigned: list[Word]) -> int:
    """Return the place behind the options of a wrapper from a place on."""
    while at < len(words):
        value = words[at].value or ""
        option, equals, _ = value.partition("=")
        attached = len(option) > 2 and option[:2] in wrapper.values and option[1] != "-"
        if value in wrapper.alone or (equals and option in wrapper.values) or attached:
            at += 1
        elif option in wrapper.values:
            at += 2
        elif value in wrapper.assigns:
            assigned.extend(words[at + 1 : at + 2])
            at += 2
        else:
            break
    return at


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


def _nested(name: str, words: tuple[Word, ...]) -> Script | None:
    """Return the command line that a shell, or a program that starts one, was given as text."""
    if name in _SHELLS:
        script = _shell_script(words)
    elif name == "script":
        script = _recorded(words)
    elif name == "nix-shell":
        runs = len(words) > 1 and words[-2].value in {"--run", "--command"}
        script = words[-1].value if runs else None
    elif name == "cmd":
        runs = len(words) > 1 and (words[0].value or "").lower() == "/c"
        return _on_windows(words[1:], Dialect.CMD) if runs else None
    elif name in _POWERSHELLS:
        lowered = [(word.value or "").lower() for word in words]
        at = next((at for at, word in enumerate(lowered) if word not in _POWERSHELL_ALONE), 0)
        runs = lowered[at : at + 1] in (["-command"], ["-c"])
        return _on_windows(words[at + 1 :], Dialect.POWERSHELL) if runs else None
    else:
        return None
    return None if script is None else parse(script)


def _on_windows(words: tuple[Word, ...], dialect: Dialect) -> Script | None:
    """Return the command line that stands in one word, or in the words up to the end."""
    if len(words) == 1:
        return None if words[0].value is None else parse(words[0].value, dialect)
    return parse(" ".join(word.text for word in words), dialect) if words else None


def _recorded(words: tuple[Word, ...]) -> str | None:
    """Return the command of `script -qec COMMAND /dev/null`, which hands its status on."""
    *options, command, file = [word.value for word in words] if len(words) > 2 else ["", None, ""]
    letters = "".join(option or "?" for option in options).replace("-", "")
    sure = file == "/dev/null" and letters.endswith("c") and set(letters) <= set("qefc")
    return command if sure and "e" in letters else None


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
    """Return the program in `python -m pytest ...` or `python manage.py ...`, else nothing."""
    at = 1
    while at < len(words):
        value = words[at].value or ""
        if value in _PYTHON_ALONE:
            at += 1
        elif value in _PYTHON_WITH_VALUE:
            at += 2
        else:
            break
    values = [word.value or "" for word in words[at : at + 2]]
    if values[:1] == ["-m"] and len(values) == 2:
        program = values[1].replace("_", "-")
        return (Word(program, program), *words[at + 2 :]) if program in _PYTHON_PROGRAMS else ()
    return words[at:] if values and _is_installed(values[0]) else ()
