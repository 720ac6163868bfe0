"""Whether a command is a verification: it checks and leaves the tree as it was (DL-03)."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

from reasonix_runtime.evidence import command_tables as tables

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

_NPX_VERSION = re.compile(r"([a-z]+)(?:@[a-z0-9.\-+_~^*]+)?")
_MYPY_REPORT = re.compile(r"--.*-report")


def program_name(word: str) -> str:
    """Return the program of a command word: its base name in lower case."""
    return word.replace("\\", "/").rpartition("/")[2].lower()


def option_name(word: str) -> str:
    """Return the bare name of an option: no dashes, no `=value`, no leading `test.`, lower case."""
    name = word.lstrip("-").partition("=")[0].lower()
    return name.removeprefix("test.")


def is_option(word: str) -> bool:
    """Whether a word is an option; a lone dash, which means standard input, is none."""
    return word.startswith("-") and word != "-"


def writes_by_flag(arguments: tuple[str, ...]) -> bool:
    """Whether a flag that writes stands among the arguments, whatever the program."""
    for word in arguments:
        if word.lower() in tables.WRITING_FLAGS:
            return True
        if is_option(word):
            name = option_name(word)
            if not tables.WRITING_OPTION_NAMES.isdisjoint({name, name.partition(".")[0]}):
                return True
    return False


def is_listed_check(words: tuple[str, ...]) -> bool:
    """Whether static words are a verification by the table of DL-03, as it is written."""
    arguments = words[1:]
    if writes_by_flag(arguments):
        return False
    program = program_name(words[0])
    if program in tables.ALWAYS_CHECKS:
        return True
    check = _CHECKS.get(program)
    return check is not None and check(arguments)


def _first(arguments: tuple[str, ...]) -> str:
    return arguments[0] if arguments else ""


def _go(arguments: tuple[str, ...]) -> bool:
    if _first(arguments) == "vet":
        return True
    return _first(arguments) == "test" and not any(
        is_option(word) and option_name(word) in tables.GO_TEST_WRITES for word in arguments[1:]
    )


def _git(arguments: tuple[str, ...]) -> bool:
    return _first(arguments) == "diff" and "--check" in map(str.lower, arguments[1:])


def _tsc(arguments: tuple[str, ...]) -> bool:
    lowered = [word.lower() for word in arguments]
    if any(word.partition("=")[0] in tables.TSC_OTHER_MODES for word in lowered):
        return False
    refused = "--noemit=false" in lowered or ("--noemit", "false") in pairwise(lowered)
    return not refused and ("--noemit" in lowered or "--noemit=true" in lowered)


def _mypy(arguments: tuple[str, ...]) -> bool:
    return not any(_MYPY_REPORT.fullmatch(word.partition("=")[0].lower()) for word in arguments)


def _package(arguments: tuple[str, ...]) -> bool:
    if _first(arguments) == "run":
        return _first(arguments[1:]).lower() in tables.SCRIPT_CHECKS
    return _first(arguments).lower() in tables.PACKAGE_CHECKS


def npx_runner(word: str) -> str:
    """Return the runner that a bare `name` or `name@version` of npx names, else nothing."""
    match = _NPX_VERSION.fullmatch(word.lower())
    return match[1] if match else ""


def _npx(arguments: tuple[str, ...]) -> bool:
    runner = npx_runner(_first(arguments))
    options = [word.lower() for word in arguments[1:]]
    if runner == "tsc":
        return _tsc(arguments[1:])
    if any(
        word.partition("=")[0] in tables.NPX_WRITES or word.startswith("--coverage.")
        for word in options
    ):
        return False
    if runner == "prettier":
        return not tables.PRETTIER_CHECKS.isdisjoint(options)
    return runner in tables.NPX_RUNNERS


def _node(arguments: tuple[str, ...]) -> bool:
    if _first(arguments) in {"--check", "-c"}:
        return not any(is_option(word) for word in arguments[1:])
    return _first(arguments) == "--test" and not any(
        word.partition("=")[0].lower() in tables.NODE_TEST_WRITES for word in arguments[1:]
    )


def _make(arguments: tuple[str, ...]) -> bool:
    return _first(arguments).lower() in tables.MAKE_CHECKS


def _python(arguments: tuple[str, ...]) -> bool:
    return _first(arguments) == "-m" and _first(arguments[1:]).lower() in {"pytest", "unittest"}


def _dotnet(arguments: tuple[str, ...]) -> bool:
    return _first(arguments) == "test"


def _swift(arguments: tuple[str, ...]) -> bool:
    return _first(arguments) == "test" and tables.SWIFT_OTHER_MODES.isdisjoint(
        word.lstrip("-").partition("=")[0].lower() for word in arguments[1:]
    )


def _maven(arguments: tuple[str, ...]) -> bool:
    return not tables.MAVEN_CHECKS.isdisjoint(map(str.lower, arguments))


_CHECKS: Mapping[str, Callable[[tuple[str, ...]], bool]] = {
    "go": _go,
    "git": _git,
    "tsc": _tsc,
    "mypy": _mypy,
    "npm": _package,
    "pnpm": _package,
    "yarn": _package,
    "bun": _package,
    "cargo": _package,
    "npx": _npx,
    "node": _node,
    "make": _make,
    "just": _make,
    "python": _python,
    "python3": _python,
    "dotnet": _dotnet,
    "swift": _swift,
    "mvn": _maven,
    "mvnw": _maven,
    "gradle": _maven,
    "gradlew": _maven,
}
