"""Products: what a project is built into, and what it is built from that others wrote.

A build, or the installation of what a project has pinned, writes no file of the work. It is a
change all the same, and no check. Before a check it does what the check would do itself, so
that `cargo build && cargo test` is one verification; after it, or alone, it makes checks old, but
has not done what only a review could tell.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from reasonix_runtime.evidence.checks.names import RUN_BY_NAME, names_build, names_format
from reasonix_runtime.evidence.command_kinds import changes_only_by
from reasonix_runtime.evidence.effects.compilers import compiles, is_product, is_program
from reasonix_runtime.evidence.effects.product_tables import BUILDING
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.options.command_line import (
    CommandLine,
    Item,
    line_of_words,
    names_given,
    read_command_line,
    starts_with,
)
from reasonix_runtime.evidence.options.replacements import line_as_named, replaces_program
from reasonix_runtime.evidence.running.reading import Plain, read
from reasonix_runtime.evidence.shell.script import Assignment, Word
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reasonix_runtime.evidence.command_rules import CommandRules

CTEST: Final = "ctest"
"""A program that runs what others built, and never builds it."""
_NONE: Final[frozenset[str]] = frozenset()
_COMPILED: Final = re.compile(r".+\.(?:c|cc|cpp|cxx|h|hh|hpp|hxx|inl|ipp|m|mm|cu|f|f90|asm|s)")
# Programs that build before they test, and the option, or task, by which they do not.
_UNBUILT: Final = {
    "dotnet": "--no-build",
    "swift": "--skip-build",
    "mvn": "surefire:test",
    "meson": "--no-rebuild",
    CTEST: "",
}
_BUILDS_FIRST: Final = {
    "dotnet": words("build"),
    "swift": words("build"),
    "mvn": words("test-compile compile process-test-classes package verify install"),
    "meson": words("compile"),
}
_ASKED: Final = words("help h ? version info")
_CONTAINERS: Final = words("docker podman")
_BUILDING_IMAGES: Final = frozenset({"build", "image build", "buildx build"})
_BESIDE_IMAGES: Final = words("-o --output --iidfile --metadata-file --cache-to --push")
# Programs that build what is named, and everything where nothing is.
_BUILDERS: Final = words("make ninja")
# Programs that do nothing but compile what they are given, into a folder of their own.
_COMPILERS: Final = words("py-compile compileall")
# Builders that are given targets, or one more thing to do, behind the word by which they build.
_WITH_TARGETS: Final = words("meson pants dotnet nx")
_NAMED: Final = {
    **RUN_BY_NAME,
    "turbo": words("run") | {""},
    "rake": frozenset({""}),
    "gradle": frozenset({""}),
}
# Programs that are given tasks: those that build.
_TASKS: Final = {
    "mvn": words("clean validate compile test-compile package"),
    "sbt": words("clean compile package assembly Test/compile test:compile update"),
    "xcodebuild": words("clean build build-for-testing analyze"),
    "zig": words("build"),
    "idf.py": words("build all app bootloader partition-table clean fullclean size"),
    "setup.py": words("sdist bdist bdist_wheel build build_ext build_py egg_info"),
}
# Options that say where the product goes; in one of these folders it is no file of the work.
_OUTPUT: Final = words(
    "-o --output --out-dir --outDir --outdir -outputdir --output-dir --outfile --out-file"
)
# Other options of builders that have a value, which says how and not what.
_VALUES: Final = words("--mode -m --target --env --base --configuration -c --profile --preset -G")
# Folders and files that tools make again; in a folder of their own they are a package's.
_MADE_AGAIN: Final = re.compile(
    r"(?:[\w-]+/)*(?:__pycache__|node_modules|[\w*.-]+\.(?:egg-info|tsbuildinfo))"
    r"|(?!(?:.*/)?(?:src|lib|tests?)/)(?:[\w-]+/)*(?:_?build|dist|out|target|htmlcov|coverage"
    r"|cmake-build-\w+|\.(?:pytest_cache|mypy_cache|ruff_cache|next|nuxt|turbo|parcel-cache|tox|nox"
    r"|coverage|eslintcache|eggs))"
)
# Folders for builds, as they are called for cmake: `build-debug`, `out/x64`, `cmake-build-release`.
_BUILD_FOLDER: Final = re.compile(
    r"(?!(?:.*/)?(?:src|lib|tests?|include)(?:/|$))(?:[\w.-]+/|/)*"
    r"(?=[\w.-]*?(?i:build|out|bin|dist|target|obj|tmp|debug|release))[\w.-]+(?:/[\w.-]+)*/?"
)
_LETTERS_OF_RM: Final = re.compile(r"-[rfRv]+|--recursive|--force")
# Options of builds that are known to name no program, no script and no other folder of the work.
_HARMLESS: Final = words(
    "release r debug j jobs parallel b build s q quiet silent v verbose k keep-going"
    " all all-targets workspace p package bin bins lib features all-features no-default-features"
    " locked offline frozen target profile c configuration mode production prod noemit pretty"
    " incremental if-present color no-color no-restore nologo trimpath race preset"
    " no-daemon no-run stacktrace batch-mode x exclude-task destination scheme select"
)
# Of one that nobody listed: a word of its name by which it would do more, or name what it runs.
_DOES_MORE: Final = re.compile(
    r"fix|write|update|upgrade|install|deploy|publish|push|upload|save|watch|serve|open|generate"
    r"|migrate|init|exec|run|shell|script|compil|link|tool|wrap|plugin|load|require|import|hook"
    r"|command|cmd|file|config|setting|root|path|prefix|include|overlay|eval|env|dir|out|dest"
    r"|promot|^auto$|^(?:t|target):"
)
_GENERATOR: Final = re.compile(r"(?:Ninja|Unix|NMake|MinGW|MSYS|Xcode|Visual Studio)[\w .-]*")
_PLAIN_VALUE: Final = re.compile(r"[\w+-][\w.,:+=-]*")
# A letter with a number, and the properties of .NET that name no file.
_NUMBERED: Final = re.compile(
    r"-\w(?:\d+=|=\d+)|[-/]p(?:roperty)?:\w*(?:Configuration|Version|Platform)=.+"
)
_SCRIPT: Final = re.compile(r".+\.(?!json$)[a-z]+")
_AWAY: Final = re.compile(r"\.\.(?:/.*)?|/.*|.*://.*", re.DOTALL)
# Sub-commands that install what the project has pinned, or into its environment alone.
_PINNED: Final = {
    "npm": words("ci clean-install"),
    "pipenv": words("sync"),
    "pdm": words("sync"),
    "poetry": words("install sync"),
    "composer": words("install dump-autoload dumpautoload"),
    "go": frozenset({"mod download"}),
    "uv": words("venv"),
}
# Sub-commands that do so with one of these options.
_PINNED_BY: Final = words(
    "frozen-lockfile immutable frozen locked locked-mode check-locked enforce-lockfile deployment"
    " dry-run"
)
_INSTALLS: Final = {
    "yarn": words("install") | {""},
    "pnpm": words("install i"),
    "bun": words("install i"),
    "uv": words("sync"),
    "cargo": words("fetch"),
    "bundle": words("install") | {""},
    "dotnet": words("restore"),
    "pipenv": words("install"),
    "pdm": words("install"),
    "dart": frozenset({"pub get"}),
    "mix": words("deps.get"),
}
_ENVIRONMENTS: Final = words("venv env virtualenv")
_PIP: Final = words("-r --requirement -e --editable")
_PIP_ELSEWHERE: Final = words("-t --target --prefix --root --src")


class Builds(NamedTuple):
    """The programs by which a command builds, and those whose tests run what was built before it.

    `dotnet test --no-build` tests an old build, unless the command builds anew in front of it,
    and that surely succeeded.
    """

    built: frozenset[str]
    needed: frozenset[str]


@memoised(1024)
def builds_of(command: str, rules: CommandRules) -> Builds:
    """Return what a command builds, and what it needs to have been built."""
    built: set[str] = set()
    needed: set[str] = set()
    for plain in read(command, rules).commands if rules.wide_checks else ():
        line = line_of_words(plain.words or ("",))
        built.update(_built_by(line, plain))
        option = _UNBUILT.get(line.program)
        given = {"", *(item.option for item in line.options), *line.operands}
        if option in given and line.program not in built:
            needed.add(line.program)
    return Builds(frozenset(built), frozenset(needed))


def _built_by(line: CommandLine, plain: Plain) -> Iterator[str]:
    """Yield what runs new programs behind a command that builds, and surely succeeded."""
    if not plain.owned or any(item.name in _ASKED for item in line.options):
        return
    if not _BUILDS_FIRST.get(line.program, _NONE).isdisjoint(line.operands):
        yield line.program
    if makes_products(plain):
        yield CTEST


@memoised(1024)
def only_makes_products(command: str, rules: CommandRules) -> bool:
    """Whether all that a command changes are products."""
    return rules.wide_checks and changes_only_by(makes_products, command, rules)


_OF_RAILS: Final = words("rails rake")
_MADE_BY_RAILS: Final = words(
    "db:test:prepare db:test:load db:test:load_schema db:test:purge"
    " assets:precompile assets:clobber assets:clean"
)


def makes_products(plain: Plain) -> bool:
    """Whether a command builds the project, or installs what it has pinned, and nothing else."""
    line = line_as_named(plain)
    return line is not None and (
        _installs(line)
        or _removes_products(line)
        or _builds_image(line)
        or _makes_by_rails(line)
        or compiles(line.program, (plain.words or ())[1:])
        or _builds_in_place(with_values(line))
    )


def _builds_in_place(line: CommandLine) -> bool:
    return _writes_products_only(line) and _builds(line)


def with_values(line: CommandLine) -> CommandLine:
    """Return what a builder is told, the words behind some options taken for their values."""
    items: list[Item] = []
    for item in line.items:
        before = items[-1] if items else item
        if not item.option and not before.value and before.option in _OUTPUT | _VALUES:
            items[-1] = Item(before.option, item.value)
        else:
            items.append(item)
    return replace(line, items=tuple(items))


def is_compiled(path: str) -> bool:
    """Whether a file is one of those from which native programs are built."""
    return _COMPILED.fullmatch(path.lower()) is not None


def _makes_by_rails(line: CommandLine) -> bool:
    """`rails db:test:prepare`, `assets:precompile`: made anew of what the work holds."""
    operands = line.operands
    return line.program in _OF_RAILS and bool(operands) and _MADE_BY_RAILS.issuperset(operands)


def _builds_image(line: CommandLine) -> bool:
    """Whether an image is built, and nothing written beside it."""
    told = line.operands[:1] if line.operands[:1] == ("build",) else line.operands[:2]
    written = any(
        item.option in _BESIDE_IMAGES or item.option.startswith("-o") for item in line.options
    )
    return line.program in _CONTAINERS and " ".join(told) in _BUILDING_IMAGES and not written


def _removes_products(line: CommandLine) -> bool:
    """Whether `rm` takes away what is built again: `rm -rf build`, the caches of tools."""
    if line.program != "rm" or not line.operands:
        return False
    letters = all(_LETTERS_OF_RM.fullmatch(item.option) for item in line.options)
    return letters and all(
        _MADE_AGAIN.fullmatch(posixpath.normpath(word)) for word in line.operands
    )


def _installs(line: CommandLine) -> bool:
    program, operands = line.program, line.operands
    if any(_AWAY.fullmatch(item.value) for item in line.items):
        return False
    if program in {"pip", "pip3"} or (program == "uv" and operands[:1] == ("pip",)):
        return _installs_by_pip(line)
    if program in {"venv", "virtualenv"}:
        return all(word.lstrip(".") in _ENVIRONMENTS for word in operands)
    told = " ".join(operands)
    if told in _PINNED.get(program, frozenset()):
        return True
    pinned = any(item.name in _PINNED_BY for item in line.options)
    return pinned and told in _INSTALLS.get(program, frozenset())


def _installs_by_pip(line: CommandLine) -> bool:
    """Whether pip installs the project or its requirements, and no package by its name."""
    items = line.items[1:] if line.program == "uv" else line.items
    if not items or items[0].value != "install" or items[0].option:
        return False
    given = [item.option for item in items]
    named = [
        item.value
        for before, item in pairwise(items)
        if not item.option and (before.option not in _PIP or before.value)
    ]
    return (
        _PIP_ELSEWHERE.isdisjoint(given)
        and not any(option.startswith("-t") for option in given)
        and all(word.partition("[")[0] == "." for word in named)
        and (named != [] or not _PIP.isdisjoint(given))
    )


def _builds(line: CommandLine) -> bool:
    program, operands = line.program, line.operands
    commands = BUILDING.get(program)
    if program in _WITH_TARGETS and not all(map(_is_built, operands[1:])):
        return False
    if program == "cargo" and operands[:1] and operands[0].startswith("+"):
        operands = operands[1:]  # a toolchain that is installed
    if program == "cargo" and operands[:1] == ("bench",):
        return any(item.name == "no-run" for item in line.options)
    if commands is not None and starts_with(operands, commands):
        # A program of others is installed, not built.
        own = all(word[:1] == "." for word in operands[1:])
        return own or (program, operands[0]) != ("go", "install")
    if program in _COMPILERS:
        return True
    if program in _BUILDERS:
        return all(names_build(word) for word in operands if "=" not in word)
    if program in _TASKS:
        return bool(operands) and _TASKS[program].issuperset(operands)
    if program == "elm":  # which writes a page into the work where it is not told another place
        return operands[:1] == ("make",) and any(item.option in _OUTPUT for item in line.options)
    if program == "cmake":
        return _builds_by_cmake(line)
    if program == "mkdir":
        return True  # An empty folder is no file.
    names = names_given(line, _NAMED)
    return bool(names) and all(map(names_build, names))


def _is_built(target: str) -> bool:
    """Whether what a builder is told to make is not called like what does more: `format`."""
    return not (names_format(target) or _DOES_MORE.search(target) or target.startswith("/t"))


def _builds_by_cmake(line: CommandLine) -> bool:
    """Whether cmake builds, or lays out the folder in which it builds."""
    given = {item.option for item in line.options}
    if "--build" in given:
        targets = [item.value for item in line.options if item.option == "--target"]
        return not line.operands and all(map(_is_built, targets))
    return given.isdisjoint({"-P", "-E", "--install"}) and _lays_out_beside(line)


def _lays_out_beside(line: CommandLine) -> bool:
    """Whether cmake lays a build out in a folder for it: `cmake -B build`, `cd build; cmake ..`.

    Without such a folder it does so where it stands, and `.` is the work; a preset tells its own.
    """
    named, sources = [], []
    for at, item in enumerate(line.items):
        behind = "".join(one.value for one in line.items[at + 1 : at + 2] if not one.option)
        if item.option.startswith("-B"):
            named.append(item.option[2:] or item.value or behind)
        elif item.option.startswith("-S"):
            sources.append(item.option[2:] or item.value or behind)
        elif not item.option:
            sources.append(item.value)
    if named:
        return all(_BUILD_FOLDER.fullmatch(one) or is_product(one) for one in named)
    preset = any(item.name == "preset" for item in line.options)
    return preset or not any(posixpath.normpath(one) == "." for one in sources)


def _writes_products_only(line: CommandLine) -> bool:
    """Whether all options leave the work alone, and the product goes where it may."""
    handed_on = read_command_line("", _joined(line.foreign))
    settings = [word for word in line.operands if "=" in word]
    options = [item for item in line.options if not _names_program(line, item)]
    return (
        not handed_on.operands
        and all(map(_is_harmless, (*options, *handed_on.options)))
        and all(map(_sets_nothing_else, settings))
    )


def _names_program(line: CommandLine, item: Item) -> bool:
    """Whether an option tells how the program that is built is called: `go build -o app`."""
    return line.program == "go" and item.option == "-o" and is_program(item.value)


def _joined(words: Sequence[str]) -> list[str]:
    """Return words of options with each plain word after an option joined to it."""
    joined: list[str] = []
    for word in words:
        takes = joined and joined[-1].startswith("--") and "=" not in joined[-1]
        if takes and not word.startswith("-"):
            joined[-1] += f"={word}"
        else:
            joined.append(word)
    return joined


def _is_harmless(item: Item) -> bool:
    if item.option in _OUTPUT:
        return is_product(item.value)
    if item.name == "destination":  # of a device (`platform=iOS Simulator`), else of what is built
        return "=" in item.value
    if item.option == "-G":  # by which program cmake has it built
        return _GENERATOR.fullmatch(item.value) is not None
    if item.option.startswith("-D") or _NUMBERED.fullmatch(f"{item.option}={item.value}"):
        return True
    if item.name in _HARMLESS:
        return not _SCRIPT.fullmatch(item.value)
    # What has a name and no value names nothing; a plain word may be the name of a program.
    told = len(item.name) > 1 and not _DOES_MORE.search(item.name)
    return told and (not item.value or _PLAIN_VALUE.fullmatch(item.value) is not None)


def _sets_nothing_else(word: str) -> bool:
    """Whether a variable of make sets a plain value: `CC=gcc`, `V=1`."""
    name, _, value = word.partition("=")
    told = Assignment(name.rstrip(":+?"), Word(value, value))
    return not replaces_program(told) and (not value or _PLAIN_VALUE.fullmatch(value) is not None)
