"""What is kept of long texts: agents write whole files through calls, and a session makes many.

A command may be asked for word by word as long as its session lasts, and a claim as long as its
turn does, so long ones are kept packed. Of other arguments, of the prose of a claim and of what
failed calls answered it is only asked which are equal, so of a long one a digest is kept.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Collection, Iterable
from hashlib import blake2b
from typing import Any, Final

import msgspec

from reasonix_runtime.evidence.arguments import MOST_PATHS, PATH_KEYS
from reasonix_runtime.evidence.paths import LONGEST_PATH, norm

LONGEST_WHOLE: Final = 4096
"""Longest text that is kept as it is, in characters."""
_BEGINNING = 256
LONGEST_MARK: Final = 96
"""Longest JSON that is its own mark, in bytes."""

READ_AGAIN: Final = frozenset(
    {"bash", "complete_step", "review_report", "todo_write", "update_goal"}
)
"""Tools of whose arguments more is read than which are equal: a command, or what is claimed."""
CLAIMS: Final = READ_AGAIN - {"bash"}
"""Those of them whose arguments are claims."""
_UNENCODABLE: Final = (UnicodeEncodeError, OverflowError)
"""What encoding a JSON value raises: half a surrogate pair, a number of 65 bits."""
_encoded: Final = msgspec.json.Encoder().encode
_PROSE = frozenset({"next_action", "result", "summary"})
"""Keys of claims under which prose stands: whether there is any is asked, and not what it says."""
NESTED: Final = frozenset({dict, list})


def is_long(args: Any) -> bool:
    """Whether the JSON of arguments has more than :data:`LONGEST_WHOLE` bytes, or cannot be had."""
    try:
        return len(_encoded(args)) > LONGEST_WHOLE
    except _UNENCODABLE:
        return True


def packed(text: str) -> str | bytes:
    """Return a text as it is kept: one that is not short as bytes, equal for equal texts."""
    if len(text) <= LONGEST_WHOLE:
        return text
    return zlib.compress(text.encode("utf-8", "surrogatepass"), 1)


def whole(kept: str | bytes) -> str:
    """Return the text that is kept."""
    if isinstance(kept, str):
        return kept
    return zlib.decompress(kept).decode("utf-8", "surrogatepass")


def unpacked(kept: Collection[str | bytes]) -> Iterable[str]:
    """Return the texts that are kept, in their order; each long one is unpacked when it is due."""
    if bytes in map(type, kept):
        return map(whole, kept)
    return kept  # type: ignore[return-value]  # the look above found no bytes in it


def mark(value: Any) -> bytes:
    """Return bytes that are equal for equal JSON values, whatever the order of the keys.

    They are no more than :data:`LONGEST_MARK`: of a longer value they are a digest.
    """
    try:
        encoded = msgspec.json.encode(value, order="deterministic")
    except _UNENCODABLE:
        encoded = json.dumps(value, sort_keys=True).encode()
    return encoded if len(encoded) <= LONGEST_MARK else blake2b(encoded, digest_size=16).digest()


def brief(args: Any) -> Any:
    """Return arguments as they are kept beside what is read of them at once.

    In the place of a long text, a list or an object stands its mark; paths stay whole, unless none
    can be so long, or they are so many that none is told from another.
    """
    if type(args) is not dict:
        return args
    kept = args
    for key, value in args.items():
        long = len(value) > LONGEST_WHOLE if type(value) is str else type(value) in NESTED
        if long and (key not in PATH_KEYS or (type(value) is list and len(value) > MOST_PATHS)):
            kept = {**kept, key: mark(value).hex()}
        elif long and len(value) > LONGEST_PATH and type(value) is str:
            kept = {**kept, key: norm(value)}
    return kept


def brief_claim(value: Any) -> Any:
    """Return a claim as it is kept: of long prose the beginning and a digest."""
    if type(value) is list:
        return [brief_claim(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: f"{member[:_BEGINNING]}… {mark(member).hex()}"
        if key in _PROSE and type(member) is str and len(member) > LONGEST_WHOLE
        else brief_claim(member)
        for key, member in value.items()
    }
