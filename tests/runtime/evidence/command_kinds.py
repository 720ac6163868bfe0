"""The kind of a command line in one word, as the tables of these tests write it."""

from __future__ import annotations

from reasonix_runtime.evidence.commands import (
    CLASSIC_COMMANDS,
    CONTRACT_COMMANDS,
    CommandRules,
    classify,
)


def kind(command: str, rules: CommandRules) -> str:
    """Return `check`, `change`, `both` or `read`."""
    found = classify(command, rules)
    names = {(True, False): "check", (False, True): "change", (True, True): "both"}
    return names.get((found.verification, found.mutates), "read")


def both_ways(command: str) -> tuple[str, str]:
    """Return the kind of a command under `classic` and under `contract`."""
    return kind(command, CLASSIC_COMMANDS), kind(command, CONTRACT_COMMANDS)
