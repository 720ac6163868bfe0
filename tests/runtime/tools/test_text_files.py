"""Bytes to text and back: nothing is lost, and what would be lost is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.tools.errors import BinaryFileError, UndecodableError, UnencodableError
from reasonix_runtime.tools.support.text_files import UTF8, Encoding, decode, encode

CJK_UTF16 = "a中b文c字".encode("utf-16-le")


@pytest.mark.parametrize(
    ("data", "codec", "mark", "text"),
    [
        (b"", "utf-8", b"", ""),
        (b"x=1\n", "utf-8", b"", "x=1\n"),
        ("naïve\n".encode(), "utf-8", b"", "naïve\n"),
        (b"\xef\xbb\xbfx=1\n", "utf-8", b"\xef\xbb\xbf", "x=1\n"),
        (b"\xff\xfe" + CJK_UTF16, "utf-16-le", b"\xff\xfe", "a中b文c字"),
        (b"\xfe\xff\x00a\x4e\x2d", "utf-16-be", b"\xfe\xff", "a中"),
        ("plain text\n".encode("utf-16-le"), "utf-16-le", b"", "plain text\n"),
        ("plain text\n".encode("utf-16-be"), "utf-16-be", b"", "plain text\n"),
        (b"\xc4\xe3\xba\xc3\n", "gb18030", b"", "你好\n"),
        (b"# -*- coding: latin-1 -*-\ns = 'caf\xe9'\n", "iso8859-1", b"", None),
        (b"#!/bin/sh\n# vim: set fileencoding=cp1252 :\n\x93q\x94\n", "cp1252", b"", None),
        (b"# coding: no-such-codec\nx\n", "utf-8", b"", None),
        (b"# coding: rot13\nx\n", "utf-8", b"", None),
    ],
)
def test_the_encoding_that_gives_the_bytes_back_is_found(
    data: bytes, codec: str, mark: bytes, text: str | None
) -> None:
    """What is written back later is written the way the file was stored."""
    found = decode(data, path="f")

    assert Encoding(codec=codec, mark=mark) == found.encoding
    assert text is None or text == found.text
    assert data == encode(found.text, found.encoding, path="f")


@pytest.mark.parametrize(
    ("data", "error"),
    [
        (b"caf\xe9\n", UndecodableError),
        (b"\xff\xfe\x00\x00a\x00\x00\x00", BinaryFileError),
        (b"\xff\xfea\x00\xd8", UndecodableError),
        (b"\xef\xbb\xbf\xff", UndecodableError),
        (b"\x7fELF\x00\x01\x02", BinaryFileError),
        (b"a\x00" * 7, BinaryFileError),
    ],
)
def test_bytes_that_no_encoding_gives_back_are_refused(data: bytes, error: type[Exception]) -> None:
    """Decoding with replacement characters would destroy the file at the next write."""
    with pytest.raises(error, match="f"):
        decode(data, path="f")


def test_a_declared_encoding_binds() -> None:
    """The host's word about a file is not overruled by a guess that happens to fit."""
    assert decode(b"caf\xc3\xa9", path="f", declared="latin-1").text == "cafÃ©"
    with pytest.raises(UndecodableError, match="ascii"):
        decode(b"caf\xc3\xa9", path="f", declared="ascii")


def test_a_declared_encoding_must_give_the_bytes_back() -> None:
    """Some encodings have two forms of one character, and an edit would change one to the other."""
    assert b"\x87\x90".decode("cp932").encode("cp932") == b"\x81\xe0"

    with pytest.raises(UndecodableError, match="cp932"):
        decode(b"\x87\x90", path="f", declared="cp932")


def test_a_character_that_the_encoding_lacks_is_named() -> None:
    """A question mark in its place would be a silent loss."""
    with pytest.raises(UnencodableError, match=r"iso8859-1.*U\+20AC on line 2"):
        encode("a\n€", Encoding(codec="iso8859-1"), path="f")


@given(st.binary(max_size=64))
def test_whatever_is_decoded_gives_its_bytes_back(data: bytes) -> None:
    """The one property that every edit rests on."""
    try:
        found = decode(data, path="f")
    except (BinaryFileError, UndecodableError):
        return
    assert data == encode(found.text, found.encoding, path="f")


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_utf8_text_is_read_as_it_is(text: str) -> None:
    """Ordinary files never take the detour through a legacy encoding."""
    data = text.encode()
    if data.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")):
        return

    assert decode(data, path="f").encoding == UTF8 or b"coding" in data
