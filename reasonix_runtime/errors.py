"""The errors of the reference host; one root, so that a caller can catch them all.

::

    ReasonixError                 root: everything a caller may want to catch
    ├── ContractError             a contract, an entry or a surface is not usable
    │   ├── DuplicateToolError    one name is declared twice
    │   ├── UnknownToolError      a name that the contract does not have
    │   └── SchemaError           a schema is not JSON data
    ├── DocumentError             a contract document cannot be used for what was asked
    ├── HostDataError             what a host event carries does not fit it
    └── UnknownRuleSetError       a rule set was named that does not exist

Floors further down add their own branches in their own modules; every one of them starts here.
An error that a user caused says what, where, what was expected and what to do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.plain import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class ReasonixError(Exception):
    """Something a caller of the runtime did wrong or handed in broken; the text says what to do."""


class HostDataError(ReasonixError):
    """What a host event carries does not fit it; `event` is its name, `why` names the key."""

    def __init__(self, event: str, why: str, *, where: str = "") -> None:
        place = f"{where}: " if where else ""
        super().__init__(f"{place}host event {event!r} cannot be read: {why}")
        self.event = event
        self.why = why


class ContractError(ReasonixError):
    """A contract, an entry or a surface is not usable."""


class DuplicateToolError(ContractError):
    """Two entries of one contract have the same name.

    A provider would refuse or shadow one of them, so none is chosen silently.
    """

    def __init__(self, name: str) -> None:
        super().__init__(f"tool {name!r} is declared twice; names in a contract are unique")
        self.name = name


class UnknownToolError(ContractError):
    """A name was asked for that the contract does not have."""

    def __init__(self, name: str, known: Iterable[str]) -> None:
        self.name = name
        self.known = tuple(known)
        super().__init__(f"unknown tool {name!r}{did_you_mean(name, self.known)}")


class SchemaError(ContractError):
    """A schema is not JSON data, so it has no canonical form; `tool` tells whose, if known."""

    def __init__(self, problem: str, *, tool: str | None = None) -> None:
        self.problem = problem
        self.tool = tool
        super().__init__(f"schema of {tool!r}: {problem}" if tool else f"schema: {problem}")


class DocumentError(ReasonixError):
    """A contract document cannot be used for what was asked."""


class UnknownRuleSetError(ReasonixError):
    """No rule set has that name; `choices` are the valid ones."""

    def __init__(self, name: str, *, choices: Sequence[str]) -> None:
        near = or_nearest(name, choices)
        super().__init__(f"unknown rule set {name!r}: expected one of {', '.join(choices)}{near}")
        self.name = name
        self.choices = tuple(choices)


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Return the choice that a misspelt word most likely means, or None."""
    import difflib  # slow to import, and needed on the way to an error only

    return next(iter(difflib.get_close_matches(word, list(choices), n=1)), None)


def or_nearest(word: str, choices: Iterable[str]) -> str:
    """Return ``; did you mean 'x'?`` for the nearest choice, or nothing.

    Made to be appended to a message that has listed the choices.
    """
    near = nearest(word, choices)
    return f"; did you mean {near!r}?" if near else ""


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Return `` (did you mean 'x'?)`` for the nearest choice, or the choices, or nothing.

    Made to be appended to the message of an error about an unknown word.
    """
    known = sorted(choices)
    if near := nearest(word, known):
        return f" (did you mean {near!r}?)"
    if known and len(known) <= 12:
        return f" (known: {', '.join(map(plain, known))})"
    return ""
