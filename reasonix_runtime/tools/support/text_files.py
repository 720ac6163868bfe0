"""Bytes of a file to text and back without loss.

A file is decoded only by an encoding that gives its bytes back exactly, so that an edit changes
its own region and nothing else. Tried in this order: a byte order mark (UTF-8, UTF-16), NUL bytes
on one parity (UTF-16 without a mark), the encoding that is declared, UTF-8, and GB18030 where
decoding and encoding again proves it. What none of them reads is refused with its bytes intact.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from reasonix_runtime.tools.errors import BinaryFileError, UndecodableError, UnencodableError

SNIFFED = 8192
"""How many leading bytes decide whether a file is text."""

LEGACY_CODEC = "gb18030"
"""The one legacy encoding that is tried unasked; its round trip is the proof."""

_PARITY_LEAST_BYTES = 16
_PARITY_NULS = 0.30
_PARITY_OTHERS = 0.05

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_UTF32_MARKS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)

# Codecs that are no way to store a file, and those that the usual order tries anyway.
_NOT_FILE_CODECS = frozenset(
    {"utf-8", "utf-8-sig", "utf-7", "idna", "punycode", "undefined"}
    | {"unicode-escape", "unicode_escape", "raw-unicode-escape", "raw_unicode_escape"}
)

# The coding cookie of PEP 263, which editors read in any language's first two lines.
_COOKIE = re.compile(rb"^[ \t\f]*(?:#|//|;|--|/\*|\"|%).*?coding[:=][ \t]*([-\w.]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Encoding:
    """How a file is stored: a Python codec and the byte order mark in front, if any."""

    codec: str = "utf-8"
    mark: bytes = b""


UTF8 = Encoding()
"""What a new file gets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """The text of a file and how to store it again; the mark is not part of the text."""

    text: str
    encoding: Encoding = UTF8


def decode(data: bytes, *, path: str, declared: str | None = None) -> Text:
    """Return the text of `data`, such that `encode` gives `data` back.

    `path` is named in errors. `declared` is the encoding that the workspace states for this file.
    Raises BinaryFileError and UndecodableError.
    """
    found = _by_mark(data) or _by_parity(data)
    if found is None and b"\0" in data[:SNIFFED]:
        raise BinaryFileError(
            f"binary file {path} (NUL byte detected); use bash with a program for its format"
        )
    candidates = [found] if found else _candidates(data, declared)
    for encoding in candidates:
        text = _read(data, encoding)
        if text is not None:
            return Text(text=text, encoding=encoding)
    raise UndecodableError(
        f"cannot decode {path} without loss (tried {', '.join(c.codec for c in candidates)}); "
        "the file was left as it is. Declare its encoding to the host, or convert it first"
    )


def encode(text: str, encoding: Encoding, *, path: str) -> bytes:
    """Return the bytes of `text` in `encoding`; raises UnencodableError naming the character."""
    try:
        return encoding.mark + text.encode(encoding.codec)
    except UnicodeEncodeError as error:
        where = text.count("\n", 0, error.start) + 1
        raise UnencodableError(
            f"{path} is stored as {encoding.codec}, which has no form for "
            f"U+{ord(text[error.start]):04X} on line {where}; nothing was written"
        ) from error


def _read(data: bytes, encoding: Encoding) -> str | None:
    """Return the text if that encoding reads the bytes and gives them back, else None."""
    try:
        text = data[len(encoding.mark) :].decode(encoding.codec)
        return text if encoding.mark + text.encode(encoding.codec) == data else None
    except UnicodeError:
        return None


def _candidates(data: bytes, declared: str | None) -> list[Encoding]:
    """Return what to try on bytes that show no encoding: the host's word binds, a cookie leads."""
    if codec := text_codec(declared):
        return [Encoding(codec=codec)]
    cookie = text_codec(_cookie(data))
    usual = [UTF8, Encoding(codec=LEGACY_CODEC)]
    return [Encoding(codec=cookie), *usual] if cookie else usual


def _by_mark(data: bytes) -> Encoding | None:
    if data.startswith(_UTF32_MARKS):
        return None
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return Encoding(codec=codec, mark=mark)
    return None


def _by_parity(data: bytes) -> Encoding | None:
    """Recognise UTF-16 without a mark by its NUL bytes: many on one parity, few on the other."""
    sample = data[: min(len(data), SNIFFED) & ~1]
    if len(sample) < _PARITY_LEAST_BYTES:
        return None
    even, odd = (sample[start::2].count(0) / (len(sample) // 2) for start in (0, 1))
    if odd >= _PARITY_NULS and even <= _PARITY_OTHERS:
        return Encoding(codec="utf-16-le")
    if even >= _PARITY_NULS and odd <= _PARITY_OTHERS:
        return Encoding(codec="utf-16-be")
    return None


def _cookie(data: bytes) -> str | None:
    """Return the encoding that the file itself declares in its first two lines."""
    for line in data[:SNIFFED].split(b"\n", 2)[:2]:
        if match := _COOKIE.match(line):
            return match[1].decode("ascii")
    return None


def text_codec(name: str | None) -> str | None:
    """Return the text codec of that name; None for none, an unknown one, and UTF-8.

    A file that declares UTF-8 and is not is read like one that declares nothing.
    """
    try:
        info = codecs.lookup(name) if name else None
    except LookupError:
        return None
    if info is None or info.name in _NOT_FILE_CODECS:
        return None
    return info.name if getattr(info, "_is_text_encoding", True) else None
