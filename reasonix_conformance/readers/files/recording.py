"""One recording that a reader is given: its file, how it is read, and what to call it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import IO, Any

from reasonix_conformance.readers.files.json_values import json_in
from reasonix_conformance.readers.files.laid_out import REMEDY, one_a_line, records_in
from reasonix_conformance.readers.files.lines import (
    ANYTHING,
    BOM,
    DEFAULT_CAP,
    Broken,
    Decoder,
    Lines,
    beyond,
    read_blocks,
)
from reasonix_conformance.readers.files.neighbours import unpacked
from reasonix_conformance.readers.files.sources import ReadError, damage_of, opened

HEAD = 256 * 1024
"""Bytes at the start of a recording that are looked at to tell its format."""
FIRST_LINE = 16 * 2**20
"""Bytes up to which a first line that is longer than these is looked at whole."""


@dataclass(slots=True, kw_only=True)
class Recording:
    """A file to read; `shown` is what messages call it, by default its path.

    `cap` is its longest line in bytes.

    `trusting` says that a result without any sign of failure counts as a success; formats that
    tell nothing about outcomes leave that choice to the user. `talk` says that the reader is asked
    for where the model's own texts stand, too, which only a timeline shows.
    """

    path: Path
    shown: str = ""
    cap: int = DEFAULT_CAP
    trusting: bool = False
    talk: bool = True
    laid_out: bool = field(default=False, init=False)
    """Whether the records do not stand one a line, and are put there (`laid_out.py`)."""
    damage: str | None = field(default=None, init=False)
    """Why reading ended early, once the lines have been read."""

    def __post_init__(self) -> None:
        """Call the file by its path where it was given no other name."""
        self.shown = self.shown or str(self.path)

    @classmethod
    def of_records(cls, path: Path, **more: Any) -> Recording:
        """Return a file that belongs to another one and holds records, however they are laid out.

        Raises:
            ReadError: the file cannot be read.
        """
        found = cls(path=path, **more)
        found.laid_out = bool(records_in(found.head()).lines)
        return found

    @property
    def sid(self) -> str:
        """The name of the session where the recording gives none: that of its file, unpacked."""
        return unpacked(self.path).name

    def sid_of(self, index: int) -> str:
        """Return such a name for the session of an index from 0, where a file holds several."""
        return f"{self.sid}#{index + 1}" if index else self.sid

    def blocks(self) -> Iterator[Lines]:
        """Yield the lines of the file, some at a time: as many as are read at once.

        A last line of which damage took the end off is none: the damage is what there is to say.
        """
        with opened(self.path, shown=self.shown) as stream:
            lines = self._one_a_line(stream) if self.laid_out else stream
            for block in read_blocks(lines, self.shown, cap=self.cap):
                torn = not block[-1].endswith(b"\n") and damage_of(stream) is not None
                yield block[:-1] if torn and json_in(block[-1]) is None else block
            self.damage = damage_of(stream)

    def _one_a_line(self, stream: IO[bytes]) -> BytesIO:
        data = stream.read(self.cap + 1)
        lines = None if len(data) > self.cap else one_a_line(data.removeprefix(BOM))
        if lines is None:
            size = f", and the file is {beyond(self.cap)}" if len(data) > self.cap else ""
            raise ReadError(f"{self.shown}: its records do not stand one a line{size}; {REMEDY}")
        return BytesIO(lines)

    def records(self, decoder: Decoder[Any] = ANYTHING) -> Iterator[tuple[int, Any]]:
        """Yield each line's number and record; a line that holds none is a `Broken`."""
        number = 0
        for lines in self.blocks():
            for record in decoder.each(lines):
                number += 1
                if record is not None:
                    yield number, record

    def document(self, decoder: Decoder[Any] = ANYTHING) -> Any:
        """Return the file as one JSON value, or a `Broken` if it is none or above the cap."""
        with opened(self.path, shown=self.shown) as stream:
            data = stream.read(self.cap + 1)
            damage = damage_of(stream)
        if len(data) > self.cap:
            return Broken(f"the document is {beyond(self.cap)}")
        if not data.strip():
            return Broken("the file is empty", torn=True)
        value = decoder(data.removeprefix(BOM))
        if damage is not None and isinstance(value, Broken):
            return Broken(damage, torn=True)
        self.damage = damage
        return value

    def head(self) -> bytes:
        """Return the first bytes of the file, without a byte order mark.

        A log of requests with long instructions has a first line that is longer than most files.
        """
        with opened(self.path, shown=self.shown) as stream:
            data = stream.read(HEAD)
            if b"\n" not in data:
                data += stream.readline(FIRST_LINE - len(data))
            return data.removeprefix(BOM)

    def first_records(self) -> bytes:
        """Return the head with one record a line, however they are laid out, no blank one first."""
        head = self.head()
        return records_in(head).lines or head.lstrip()

    def first_record(self) -> Any:
        """Return the first record, None where the first line holds none."""
        return json_in(self.first_records().partition(b"\n")[0])
