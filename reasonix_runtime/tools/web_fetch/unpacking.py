"""A body as it was packed for the way, unpacked in small pieces: bounded, and never half."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator

_PIECE = 65536
"""Bytes that are unpacked at a time: a few packed ones can stand for gigabytes."""

_GZIP = ("gzip", "x-gzip")
_GZIP_BEGIN = 0x1F
_GZIP_BITS = 16 + zlib.MAX_WBITS


class PackingError(Exception):
    """The body is packed in a way we do not read, or breaks off."""


def unpacked(pieces: Iterable[bytes], coding: str) -> Iterator[bytes]:
    """Yield the bytes of a body that comes in `pieces`, packed as its `Content-Encoding` says.

    One layer of gzip or deflate is read: servers send these although nothing was asked for.
    Raises PackingError for any other, and at the end for a body that is not whole.
    """
    coding = coding.strip().lower()
    if coding in {"", "identity"}:
        yield from pieces
    elif coding in _GZIP:
        yield from _inflated(pieces, gzip=True)
    elif coding == "deflate":
        yield from _inflated(pieces, gzip=False)
    else:
        raise PackingError(f"it is packed as {coding!r}, which was not asked for")


def _inflated(pieces: Iterable[bytes], *, gzip: bool) -> Iterator[bytes]:
    packer = None
    ended = False
    for piece in pieces:
        data = piece
        while data:
            if packer is None:
                # Behind the last member stands nothing, or what nobody reads.
                if ended and not (gzip and data[0] == _GZIP_BEGIN):
                    return
                packer = zlib.decompressobj(_bits(data[0], gzip=gzip))
            yield _piece(packer, data)
            data = packer.unconsumed_tail
            if packer.eof:
                data, packer, ended = packer.unused_data, None, True
    if packer is not None:
        yield from _rest(packer)


def _piece(packer: zlib._Decompress, data: bytes) -> bytes:
    try:
        return packer.decompress(data, _PIECE)
    except zlib.error as error:
        raise PackingError(str(error)) from error


def _rest(packer: zlib._Decompress) -> Iterator[bytes]:
    """Yield what the packer still holds; raises PackingError unless the data came to its end."""
    while not packer.eof:
        out = _piece(packer, b"")
        if not out:
            raise PackingError("the packed data ends in the middle")
        yield out


def _bits(first: int, *, gzip: bool) -> int:
    """Return how zlib is to read what begins so; some servers send deflate without its header."""
    if gzip:
        return _GZIP_BITS
    return zlib.MAX_WBITS if first & 0x0F == zlib.DEFLATED else -zlib.MAX_WBITS
