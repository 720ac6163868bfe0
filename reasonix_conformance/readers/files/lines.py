"""Lines of a recording as bytes: bounded, split on LF only, with their numbers.

A recording is never read whole, but some lines at a time. U+2028 and its kin inside a string do not
end a line, a byte order mark and a carriage return are taken off, and the last line may be torn
without being an error.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from io import BufferedReader, BytesIO
from itertools import filterfalse
from typing import Any, Final, Generic, TypeAlias, TypeVar

import msgspec

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.readers.files.json_values import NOT_JSON, without_halves
from reasonix_runtime.excerpts import odd_byte
from reasonix_runtime.plain import plain

DEFAULT_CAP = 64 * 1024 * 1024
"""Longest line that is read, in bytes, unless the user sets another cap."""

BOM = b"\xef\xbb\xbf"
"""The mark that some editors and shells put before a file; it is no part of what it holds."""
_BLOCK = 1 << 16  # bytes; what fits the cache of a processor while it is worked on
_BLANK = b" \t\r\n"
_CODE = rb"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\))"
_STAMP = rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?[ \t]"
# What captured output puts before a record: codes of a terminal and titles of its window, the time
# in the log of a pipeline, the direction of a message, the field of a server-sent event.
_PREFIX = re.compile(rb"(?:" + _CODE + rb"|" + _STAMP + rb"|[<>]|[ \t]|data:)+")
# What stands between the records of a stream of such events.
_BETWEEN = re.compile(rb"(?:(?:event|id|retry)?:[^]\[{}\"\n]*|(?:data:)?[ \t]*\[DONE\][ \t\r]*)\n?")
_SUFFIX = re.compile(rb"(?:" + _CODE + rb"|[ \t\r])+\n?\Z")
_TAIL = 512
"""Bytes at the end of a line that are searched for codes of a terminal behind a record."""
# What begins with a time was written as a line: it is no rest of a record.
_LOGGED = re.compile(rb"(?:" + _CODE + rb")*" + _STAMP)

NOTHING_READ = "no record in the file can be read"
"""What is said of a file without a record."""
NO_RECORD = "no JSON record"
"""What is said of a line that never was a record: a banner in captured output, say."""
_NULL = "null stands where a record should"

Lines: TypeAlias = list[bytes]

T = TypeVar("T")


class LineTooLongError(ConformanceError):
    """A line is longer than the cap; `line` is its number, `cap` the cap in bytes."""

    def __init__(self, file: str, line: int, cap: int) -> None:
        super().__init__(plain(f"{file}:{line}: the line is {beyond(cap)}"))
        self.line = line
        self.cap = cap


def typeless(record: Any) -> Broken:
    """Return what to say of a record without a type: what it told is lost, if it is one at all."""
    lost = isinstance(record, (dict, list))
    return Broken("a record without a type that can be read" if lost else NO_RECORD)


def beyond(cap: int) -> str:
    """Return what to say of a line or a document that is longer than a cap in bytes."""
    size = f"{cap // 2**20} MiB" if cap >= 2**20 else f"{cap} bytes"
    return f"longer than the cap of {size}, which --max-line raises"


class Broken(msgspec.Struct, frozen=True):
    """A line that holds no record: why, and whether it is the torn end of the file."""

    text: str
    torn: bool = False

    @property
    def code(self) -> str:
        """The code of the diagnostic that says so."""
        return "truncated_tail" if self.torn else "bad_line"


def read_blocks(
    stream: BufferedReader[Any] | BytesIO, file: str, *, cap: int = DEFAULT_CAP
) -> Iterator[Lines]:
    """Yield the lines with their ends, from the start of the stream, some at a time.

    Raises:
        LineTooLongError: a line has more than `cap` bytes; the lines before it have been yielded,
            and hardly more than `cap` bytes are held in memory.
    """
    # What ends inside a block is no longer than the cap; only its last line can go on.
    size = min(_BLOCK, cap)
    number = 0
    # `read1` gives what is there: an error while more is read must not take that away.
    block = stream.read1(size)
    if block.startswith(BOM):
        block = block.removeprefix(BOM) or stream.read1(size)
    while block:
        lines = BytesIO(block).readlines()
        number += len(lines)
        if not lines[-1].endswith(b"\n"):
            lines[-1] += stream.readline(cap + 1 - len(lines[-1]))
            if len(lines[-1]) > cap:
                yield lines[:-1]
                raise LineTooLongError(file, number, cap)
        yield lines
        block = stream.read1(size)


class Decoder(Generic[T]):
    """Decodes lines into records of one type; what does not decode comes back as `Broken`."""

    def __init__(self, kind: type[T] | Any) -> None:
        self.decode: Callable[[bytes], T] = msgspec.json.Decoder(kind).decode
        """Decodes a line that is UTF-8; raises what `NOT_JSON` names."""

    def __call__(self, line: bytes) -> T | Broken | None:
        """Return the record of a line, None for a blank line, `Broken` for what is no record."""
        try:
            # The typed decoder does not look into strings that it skips.
            if not line.isascii():
                _refuse_other_than_utf8(line)
            record = self.decode(line)
        except NOT_JSON as error:
            return self.second_look(line, error)
        return Broken(_NULL) if record is None else record

    def each(self, lines: Lines) -> list[T | Broken | None]:
        """Return the record of each line as a call does; quick where all of them are records."""
        try:
            for line in filterfalse(bytes.isascii, lines):
                str(line, "utf-8")
            records: list[T | Broken | None] = list(map(self.decode, lines))
        except NOT_JSON:
            return list(map(self, lines))
        return list(map(self, lines)) if None in records else records

    def second_look(self, line: bytes, error: Exception) -> T | Broken | None:
        """Forgive what captures and hosts do to lines, and nothing else."""
        if not line.strip(_BLANK):
            return None
        torn = not line.endswith(b"\n")
        record = bare(line)
        if not record.strip(_BLANK):
            return None  # a code that sets a terminal back at the end of a capture
        if _BETWEEN.fullmatch(line):
            return None
        if len(record) < len(line) and record.startswith((b"{", b"[")):
            return self(record)
        if isinstance(error, UnicodeDecodeError):
            return Broken(odd_byte(error).what, torn)
        if isinstance(error, RecursionError):
            return Broken("nested too deeply", torn)
        mended = without_halves(line)
        if mended is not None:
            return self(mended)
        return Broken(_what(line, error), torn)


ANYTHING: Decoder[Any] = Decoder(Any)
"""Decodes any JSON value, as whatever it is."""

Scalar: TypeAlias = str | int | float | bool | None


class Parts:
    """The members of a list that are decoded one by one, where together they are the file."""

    def __init__(self, value: msgspec.Raw) -> None:
        """Take a value; of anything but a list there are no members."""
        is_list = bytes(memoryview(value)[:1]) == b"["
        self._left = _members(value) if is_list else []
        self._left.reverse()

    def __len__(self) -> int:
        return len(self._left)

    def __iter__(self) -> Iterator[Any]:
        """Yield each member once, `Broken` if it is none that is read.

        The text of the file is held as long as one is left.
        """
        while self._left:
            value = ANYTHING(bytes(self._left.pop()))
            yield Broken(value.text) if isinstance(value, Broken) else value


NO_PARTS: Final = msgspec.Raw(b"null")
_members = msgspec.json.Decoder(list[msgspec.Raw]).decode


def _refuse_other_than_utf8(data: bytes) -> None:
    """Raise what decoding raises; of much, part by part: text may be four times as long.

    Raises:
        UnicodeDecodeError: the data is not UTF-8.
    """
    if len(data) <= _BLOCK:
        str(data, "utf-8")
        return
    parts = getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(data), _BLOCK):
            parts.decode(data[start : start + _BLOCK])
        parts.decode(b"", final=True)
    except UnicodeDecodeError:
        # The place that it names is one in its part.
        str(data, "utf-8")
        raise


def bare(line: bytes) -> bytes:
    """Return a line without what captured output puts before a record, and behind it."""
    match = _PREFIX.match(line)
    record = line[match.end() :] if match else line
    start = max(0, len(record) - _TAIL)
    if record.find(b"\x1b", start) < 0:
        return record
    match = _SUFFIX.search(record, start)
    if match is None:
        return record
    return record[: match.start()] + (b"\n" if record.endswith(b"\n") else b"")


def _what(line: bytes, error: Exception) -> str:
    start = line.lstrip(_BLANK)[:1]
    if start == b"\0":
        return "zero bytes: what stood here was never written, or is gone"
    if start not in (b"{", b"["):
        rest = b'":' in line and not _LOGGED.match(line)
        return "the start of a record is missing" if rest else NO_RECORD
    if isinstance(error, msgspec.ValidationError):
        return f"not a record of this format: {error}"
    return f"no valid JSON: {error}"
