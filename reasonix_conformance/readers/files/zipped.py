"""The members of a zip file, whole and bounded: stored, deflated, or packed with zstandard.

The module of the standard library reads the last kind from Python 3.14 on only, so the packed bytes
are taken from where the table of the file places them.
"""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import SEEK_END, BytesIO
from pathlib import Path
from typing import IO, Final

from reasonix_conformance.readers.files.lines import Broken, beyond
from reasonix_conformance.readers.files.sources import (
    DEFAULT_EXPANDED,
    PACKED,
    ZIP,
    ReadError,
    expands_beyond,
    opened,
    zstandard,
)

_ZSTD: Final = (20, 93)
_ENCRYPTED: Final = 1
_NAMES: Final = struct.Struct("<26xHH")
"""The header before a member: how long its name is, and what follows the name."""
_NO_TABLE: Final = (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error)
"""What the module of the standard library raises over a table that it cannot read."""


class Zipped:
    """The members of one zip file by their names; of several with one name the last counts."""

    def __init__(self, stream: IO[bytes], shown: str, cap: int) -> None:
        """Read the table.

        Raises:
            ReadError: the members expand to more than is read.
            zipfile.BadZipFile: there is no table, or members share bytes; or its kin.
        """
        self._stream = stream
        self._shown = shown
        self._cap = cap
        self._members = {info.filename: info for info in zipfile.ZipFile(stream).infolist()}
        # A table may name the same bytes for each of its members: a small file would have no end.
        if sum(info.compress_size for info in self._members.values()) > stream.seek(0, SEEK_END):
            raise zipfile.BadZipFile("it names more bytes than there are")
        if sum(info.file_size for info in self._members.values()) > DEFAULT_EXPANDED:
            raise expands_beyond(DEFAULT_EXPANDED, shown)

    @property
    def names(self) -> list[str]:
        """The names of the members, in the order of the table."""
        return list(self._members)

    def member(self, name: str) -> bytes | Broken:
        """Return what a member holds, or why it cannot be read.

        Raises:
            ReadError: it is packed with zstandard, and the extra is not installed.
        """
        info = self._members[name]
        if info.file_size > self._cap:
            return Broken(f"{name} is {beyond(self._cap)}")
        if info.flag_bits & _ENCRYPTED:
            return Broken(f"{name} is encrypted")
        module = zstandard(self._shown) if info.compress_type in _ZSTD else None
        try:
            packed = self._packed(info)
            if module is not None:
                with module.ZstdDecompressor().stream_reader(packed) as whole:
                    data = whole.read(info.file_size + 1)
            elif info.compress_type == zipfile.ZIP_DEFLATED:
                data = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, info.file_size + 1)
            elif info.compress_type == zipfile.ZIP_STORED:
                data = packed
            else:
                return Broken(f"{name} is packed in a way that is not read")
        except MemoryError:
            raise
        except Exception as error:  # each library has its own class for damaged data
            return Broken(f"{name} is damaged: {error}")
        if len(data) != info.file_size or zlib.crc32(data) != info.CRC:
            return Broken(f"{name} is damaged")
        return bytes(data)

    def _packed(self, info: zipfile.ZipInfo) -> bytes:
        self._stream.seek(info.header_offset)
        name, extra = _NAMES.unpack(self._stream.read(_NAMES.size))
        self._stream.seek(name + extra, 1)
        return self._stream.read(info.compress_size)


@contextmanager
def members(path: Path, shown: str, cap: int) -> Iterator[Zipped | Broken]:
    """Open a zip file, itself packed or not; `Broken` where it has no table that can be read.

    Raises:
        ReadError: the file cannot be opened, or expands to more than is read.
    """
    with opened(path, shown=shown) as stream:
        packed = stream.peek(4).startswith(ZIP) and not _is_plain(path)
        data = stream.read(cap + 1) if packed else b""
    if len(data) > cap:
        raise ReadError(f"{shown}: the file is {beyond(cap)}")
    with BytesIO(data) if packed else path.open("rb") as stream:
        try:
            found: Zipped | Broken = Zipped(stream, shown, cap)
        except _NO_TABLE as error:
            found = Broken(f"the table of the zip file cannot be read: {error}", torn=True)
        yield found


def _is_plain(path: Path) -> bool:
    with path.open("rb") as stream:
        return not stream.read(4).startswith(PACKED)
