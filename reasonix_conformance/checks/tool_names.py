"""Names of tools: which of them a document can hold, and which two may be meant to be one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reasonix_runtime.contract.document_tables import NAME


def is_tool_name(name: str) -> bool:
    """Whether a row of a contract document can have this name."""
    return NAME.fullmatch(name) is not None


def odd_characters(name: str) -> Iterator[str]:
    """Yield each character that keeps a name out of a document, by its number and its own name.

    Many of them look like a letter, or like nothing.
    """
    from unicodedata import name as character_name

    for character in dict.fromkeys(name):
        if not is_tool_name(f"a{character}"):
            yield f"U+{ord(character):04X} {character_name(character, '')}".rstrip()
    if name and is_tool_name(f"a{name}"):
        yield f"{name[0]!r} as the first character"


def nearest(name: str, names: Iterable[str]) -> str | None:
    """Return the name that is most like another one, if any is like it."""
    from difflib import get_close_matches

    return next(iter(get_close_matches(name, sorted(names), n=1, cutoff=0.75)), None)
