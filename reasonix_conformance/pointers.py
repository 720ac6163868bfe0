"""JSON pointers (RFC 6901)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def pointer(path: Sequence[Any]) -> str:
    """Return the JSON pointer of a path of keys and indices."""
    return "".join(f"/{str(part).replace('~', '~0').replace('/', '~1')}" for part in path)
