"""Spellings of one command line that mean the same: `npm t` and `npm run test`, `-a` and `--all`.

Only what the program itself reads alike; the order of the words stays as it is.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from reasonix_runtime.evidence.checks.recognised import is_known_runner
from reasonix_runtime.evidence.checks.verification import is_option
from reasonix_runtime.evidence.options.command_line import CommandLine, Item
from reasonix_runtime.evidence.options.places import FOLDERS
from reasonix_runtime.evidence.word_lists import words

_SUBCOMMANDS: Final = {
    "npm": {"t": "test", "tst": "test", "run-script": "run", "i": "install"},
    "cargo": {"t": "test", "c": "check", "b": "build", "r": "run"},
    "phpstan": {"analyze": "analyse"},
    "pnpm": {"run-script": "run"},
}
# Sub-commands that may as well be left out.
_IMPLIED: Final = {
    "pnpm": words("run"),
    "yarn": words("run"),
    "vitest": words("run"),
    "tox": words("run r"),
}
# What is checked when nothing is named.
_DEFAULTS: Final = {"ruff": ".", "golangci-lint": "./..."}
_OPTIONS: Final = {
    "prettier": {"-c": "--check", "-l": "--list-different"},
    "pre-commit": {"-a": "--all-files"},
    "isort": {"-c": "--check", "--check-only": "--check"},
}
_LINT_LEVELS: Final = words("-D -W -F -A")


def same_words(line: CommandLine) -> CommandLine:
    """Return a command line in the one spelling that all its spellings share.

    Options that only name a place are left out: places are compared by themselves.
    """
    places = FOLDERS.get(line.program, ())
    items = [_same(line.program, item) for item in line.items if item.option not in places]
    operands = [at for at, item in enumerate(items) if not item.option]
    if operands:
        first = operands[0]
        short = _SUBCOMMANDS.get(line.program, {})
        items[first] = Item("", short.get(items[first].value, items[first].value))
        if _is_implied(line.program, [items[at].value for at in operands]):
            del items[first]
    if line.program == "vitest":
        items = [item for item in items if item.option != "--run"]
    default = _DEFAULTS.get(line.program)
    items = [item for item in items if item.option or item.value != default]
    if line.program == "cargo" and Item("", "fmt") in items[:1]:
        return replace(line, items=(*items, *foreign_items(line)), foreign=())
    return replace(line, items=tuple(items))


def _is_implied(program: str, operands: list[str]) -> bool:
    # `npm test` runs the script of that name; no other script has such a command.
    if program == "npm":
        return operands[:2] == ["run", "test"]
    return operands[0] in _IMPLIED.get(program, frozenset())


def _same(program: str, item: Item) -> Item:
    if item.option:
        return Item(_OPTIONS.get(program, {}).get(item.option, item.option), item.value)
    # A folder of a runner is the same with a slash after it; to Go the dot in front matters.
    if is_known_runner(program) and program != "go":
        plain = item.value.removeprefix("./").rstrip("/")
        return Item("", plain or item.value)
    return item


def foreign_items(line: CommandLine) -> tuple[Item, ...]:
    """Return the words after a lone `--`, options told from other words."""
    items: list[Item] = []
    at = 0
    while at < len(line.foreign):
        word = line.foreign[at]
        option, _, value = word.partition("=")
        at += 1
        if line.program == "cargo" and word in _LINT_LEVELS and at < len(line.foreign):
            value = line.foreign[at]
            at += 1
        targets = line.program == "bazel"  # `-//slow/...` leaves targets out
        is_named = is_option(word) and not targets
        items.append(Item(option, value) if is_named else Item("", word))
    return tuple(items)
