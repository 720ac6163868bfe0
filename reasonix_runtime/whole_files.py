"""What is read whole, such as settings, documents and lists: nothing without a bound."""

from __future__ import annotations

import errno
from pathlib import Path
from typing import Final, Protocol

LARGEST: Final = 64 * 1024 * 1024
"""Bytes: far more than a file of these kinds has, and little enough to be held and parsed."""

_PART: Final = 1024 * 1024


class Readable(Protocol):
    """What bytes are read from."""

    def read(self, size: int, /) -> bytes | None:
        """Return up to `size` bytes, none at the end."""


def read_whole(path: Path, *, most: int = LARGEST) -> bytes:
    """Return the bytes of a file, of which there are no more than `most`.

    Raises:
        OSError: the file cannot be read, or is larger (`EFBIG`).
    """
    with path.open("rb", buffering=0) as stream:
        return read_to_end(stream, most=most)


def read_to_end(stream: Readable, *, most: int = LARGEST) -> bytes:
    """Return what comes out of a stream; one without an end, such as a device, is left early.

    Raises:
        OSError: it cannot be read, or gives more than `most` bytes (`EFBIG`).
    """
    parts: list[bytes] = []
    left = most + 1
    while left > 0 and (part := stream.read(min(left, _PART))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        size = f"{most // 2**20} MiB" if most >= 2**20 else f"{most} bytes"
        raise OSError(
            errno.EFBIG, f"it is larger than {size}, more than such a file has; name another one"
        )
    return b"".join(parts)
