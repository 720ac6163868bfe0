"""The words of one command as its program reads them: options with their values, and operands."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reasonix_runtime.evidence.checks.verification import is_option
from reasonix_runtime.evidence.options import common
from reasonix_runtime.evidence.options.places import FOLDERS, PROJECTS
from reasonix_runtime.evidence.options.tool_options import ToolOptions
from reasonix_runtime.evidence.options.tools import ALIASES, ASKING, JOINING, TOOL_OPTIONS
from reasonix_runtime.evidence.scratch_places import UNTOLD, is_scratch

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

_UNKNOWN = ToolOptions()
_NONE: frozenset[str] = frozenset()
_ONE_LETTER = len("-k")
# Letters that take no value wherever they may stand before one that does.
_PLAIN_LETTERS = frozenset("qvxskBi")
_TOOL_FOLDERS = frozenset({"bin", ".bin", "sbin", "scripts"})
_WRAPPER_SCRIPTS = frozenset({"mvnw", "gradlew", "manage.py", "artisan"})
_SCRIPT_ENDINGS = (".js", ".mjs", ".cjs")
_EXECUTABLE_ENDINGS = (".exe", ".cmd", ".bat", ".ps1")


@dataclass(frozen=True, slots=True)
class Item:
    """An operand (then `option` is empty), or an option and the value that belongs to it."""

    option: str
    value: str = ""

    @property
    def name(self) -> str:
        """The option without dashes, in lower case."""
        return self.option.lstrip("-").lower()


@dataclass(frozen=True, slots=True)
class CommandLine:
    """A program and its items in order. `foreign` are the words after a lone `--`."""

    program: str
    items: tuple[Item, ...]
    foreign: tuple[str, ...] = ()

    @property
    def operands(self) -> tuple[str, ...]:
        """The operands in order."""
        return tuple(item.value for item in self.items if not item.option)

    @property
    def start(self) -> str:
        """The program and its first operand: of many programs, that is a sub-command."""
        return f"{self.program} {next(iter(self.operands), '')}"

    @property
    def options(self) -> tuple[Item, ...]:
        """The options in order."""
        return tuple(item for item in self.items if item.option)


def names_given(line: CommandLine, commands: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Return the names that a program is given to run, after one of its sub-commands.

    `commands` tells the sub-commands of each program, with the empty one where none is needed.
    """
    known, operands = commands.get(line.program, _NONE), line.operands
    if operands and operands[0] in known:
        return operands[1:]
    return operands if "" in known else ()


def starts_with(operands: Sequence[str], commands: Set[str]) -> bool:
    """Whether operands begin with one of some sub-commands of up to two words.

    The empty one says that none is needed.
    """
    if not operands:
        return "" in commands
    return operands[0] in commands or " ".join(operands[:2]) in commands


def tool_name(word: str) -> str:
    """Return the program that a command word names, or the word when it names a local file.

    A directory is ignored when it is one where programs are installed (`/usr/bin`,
    `.venv/bin`, `node_modules/.bin`): `./pytest` is some script of that name, not pytest.
    """
    folder, _, base = word.replace("\\", "/").rpartition("/")
    name = base.lower()
    for ending in _EXECUTABLE_ENDINGS:
        name = name.removesuffix(ending)
    if "node_modules/" in folder:
        for ending in _SCRIPT_ENDINGS:
            name = name.removesuffix(ending)
    installed = folder.rpartition("/")[2].lower() in _TOOL_FOLDERS
    if folder and not installed and name not in _WRAPPER_SCRIPTS:
        return word
    return ALIASES.get(name, name)


def options_of(program: str) -> ToolOptions:
    """Return what is known of a program's options."""
    return TOOL_OPTIONS.get(program, _UNKNOWN)


def read_command_line(program: str, arguments: Iterable[str]) -> CommandLine:
    """Pair options with their values; what is no option and no value is an operand."""
    known = options_of(program)
    places = FOLDERS.get(program, _NONE) | PROJECTS.get(program, _NONE)
    items: list[Item] = []
    words = list(arguments)
    at = 0
    while at < len(words):
        word = words[at]
        at += 1
        if word == "--":
            return CommandLine(program, tuple(items), tuple(words[at:]))
        if not is_option(word):
            items.append(Item("", word))
            continue
        option, equals, value = word.partition("=")
        if not equals and word.partition(":")[0] in known.values:  # `-only-testing:AppTests`
            option, equals, value = word.partition(":")
        if program == "go":
            option = "-" + option.lstrip("-").removeprefix("test.")
        letters, joined = _split(word, known.values | places) if program in JOINING else ("", "")
        items += [Item(f"-{letter}") for letter in letters[:-1]]
        if joined:
            items.append(Item(f"-{letters[-1]}", joined))
            continue
        option = f"-{letters[-1]}" if letters else option
        following = words[at : at + 1]
        if not equals and following and _takes_next(known, places, option, following[0]):
            value = words[at]
            at += 1
        items.append(Item(option, value))
    return CommandLine(program, tuple(items))


def line_of_words(words: Sequence[str]) -> CommandLine:
    """Return the words of a command as the program that they name reads them."""
    return read_command_line(tool_name(words[0]), words[1:])


def _split(word: str, values: frozenset[str]) -> tuple[str, str]:
    """Split letters that stand together after one dash, the last of which takes a value.

    `-qk` are two letters and `-kx` is one with its value; no letters where none takes a value.
    """
    if word.startswith("--") or len(word) <= _ONE_LETTER:
        return "", ""
    at = next((at for at, letter in enumerate(word[1:], 2) if f"-{letter}" in values), 0)
    if not (at and _PLAIN_LETTERS.issuperset(word[1 : at - 1])):
        return "", ""
    return word[1:at], word[at:].removeprefix("=")


def _takes_next(known: ToolOptions, places: Set[str], option: str, following: str) -> bool:
    """Whether the word after an option is its value."""
    if option in known.numbers:
        return following.isdecimal()
    if option not in known.values and option not in places:
        return False
    return option not in known.optional or not is_option(following)


def is_harmless(line: CommandLine, item: Item, work: str = UNTOLD) -> bool:
    """Whether an option of the run alone leaves what is checked, and how it is told, as it was.

    Of a program whose options nobody listed, only those that mean the same everywhere.
    """
    if narrows(line, item) or empties(line, item) or writes(line, item, work):
        return False
    return line.program in TOOL_OPTIONS or item.name in common.HARMLESS_NAMES


def narrows(line: CommandLine, item: Item) -> bool:
    """Whether an option makes the program check less, or something else."""
    known = options_of(line.program)
    spelled = f"{item.option}={item.value}"
    if spelled in known.harmless or spelled in common.NOT_NARROWING:
        return False
    if item.option in known.narrows or spelled in known.narrows:
        return True
    name = item.name
    if item.option.startswith("-D") and line.program in {"mvn", "gradle"}:
        return True
    return name in common.NARROWING_NAMES or (
        item.option.startswith("--") and name.startswith(common.NARROWING_BEGINNINGS)
    )


def empties(line: CommandLine, item: Item) -> bool:
    """Whether nothing is checked with this option, or a failure is not told."""
    known = options_of(line.program)
    spelled = f"{item.option}={item.value}"
    if spelled in known.empties:
        return True
    if item.value == "false":
        return False
    asks = known.empties | ASKING.get(line.program, _NONE)
    if item.option in asks or _never_fails(item):
        return True
    if any(letter in asks or letter == common.ASKING_LETTER for letter in _letters(line, item)):
        return True
    return item.option not in known.values and (
        item.option == common.ASKING_LETTER
        or item.name in common.EMPTYING_NAMES
        or (item.option.startswith("-") and item.name.startswith(common.EMPTYING_BEGINNINGS))
    )


def may_run_none(item: Item) -> bool:
    """Whether an option lets a run pass that finds no test, so that its output has to tell."""
    if item.value == "false" or not item.option.startswith("-"):
        return False
    return item.name in common.LENIENT_NAMES or (
        f"{item.name}={item.value}" in common.LENIENT_NAMES
    )


def _letters(line: CommandLine, item: Item) -> Iterator[str]:
    """Yield options of one letter that stand together, up to one that may hold the rest.

    Of a program whose words after one dash may be names (`-fail`), letters are only what plain
    letters lead up to: `-qh`.
    """
    option, known = item.option, options_of(line.program)
    if option.startswith("--") or len(option) <= _ONE_LETTER or not option[1:].isalnum():
        return
    together = line.program in JOINING
    if not together and not _PLAIN_LETTERS.issuperset(option[1:].replace("h", "", 1)):
        return
    holding = known.values | known.numbers | FOLDERS.get(line.program, _NONE)
    for letter in option[1:]:
        yield f"-{letter}"
        if f"-{letter}" in holding or (letter.isupper() and letter not in _PLAIN_LETTERS):
            return


def _never_fails(item: Item) -> bool:
    """Whether an option says that no finding is a failure: `--failure-exit-code 0`."""
    return item.value in common.NEVER and common.FAILING.fullmatch(item.name) is not None


def writes(line: CommandLine, item: Item, work: str = UNTOLD) -> bool:
    """Whether an option makes the program change files, or write a report.

    What goes to scratch is no file of the work, as far as it is known where that stands.
    """
    known = options_of(line.program)
    told = item.value.partition(";")[0]
    if item.value == "false" or f"{item.option}={told}" in known.prints:
        return False
    if item.option.partition(":")[0] in known.writes or (
        item.option.startswith("-") and item.name.startswith(common.WRITING_BEGINNINGS)
    ):
        found = True
    elif item.option in common.WRITING_LETTERS:
        found = line.program not in common.OWN_LETTERS
    else:
        found = item.name.partition(".")[0] in common.WRITING_NAMES
    return found and not is_scratch(item.value.rpartition(":")[2], work)
