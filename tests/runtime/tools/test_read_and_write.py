"""`read_file` and `write_file`, line by line of what they promise."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench, allowed

from reasonix_runtime.tools.read_file.behaviour import window

TEN = "".join(f"l{n}\n" for n in range(1, 11))
UTF16 = "one\ntwo\n"


@pytest.mark.parametrize(
    ("says", "content", "arguments", "text"),
    [
        ("every line has its number, an arrow and LF", "alpha\n", {}, "1→alpha\n"),
        ("a last line without end is a line", "a\nb", {}, "1→a\n2→b\n"),
        ("a final LF makes no further line", "a\n\n", {}, "1→a\n2→\n"),
        ("numbers are as wide as the last shown", TEN, {"offset": 8}, " 9→l9\n10→l10\n"),
        (
            "offset counts skipped lines, numbers count from 1",
            TEN,
            {"offset": 2, "limit": 1},
            "3→l3\n\n[more lines below; pass offset=3 to continue]",
        ),
        (
            "no padding beyond the window",
            TEN,
            {"limit": 1},
            "1→l1\n\n[more lines below; pass offset=1 to continue]",
        ),
        ("a window that ends with the file says no more", "a\nb\n", {"limit": 2}, "1→a\n2→b\n"),
        ("one CR before the LF is not shown", "p\r\nq\r\r\n", {}, "1→p\n2→q\r\n"),
        ("an empty file", "", {}, "(empty file)"),
        ("a file that is only a mark is empty", b"\xef\xbb\xbf", {}, "(empty file)"),
        ("at the end", "a\nb\n", {"offset": 2}, "(offset 2 is past EOF — file has 2 lines)"),
        ("past the end", "a", {"offset": 7}, "(offset 7 is past EOF — file has 1 lines)"),
        ("the UTF-8 mark is not shown", b"\xef\xbb\xbfx\n", {}, "1→x\n"),
        ("UTF-16 with mark", b"\xff\xfe" + UTF16.encode("utf-16-le"), {}, "1→one\n2→two\n"),
        ("UTF-16 big end", b"\xfe\xff" + UTF16.encode("utf-16-be"), {}, "1→one\n2→two\n"),
        ("UTF-16 without mark, 16 bytes", UTF16.encode("utf-16-le"), {}, "1→one\n2→two\n"),
        ("UTF-8", "é中\n", {}, "1→é中\n"),
        ("GB18030", b"\xc4\xe3\xba\xc3\n", {}, "1→你好\n"),
        ("a NUL after 8 KiB is text", b"a" * 8192 + b"\0\n", {}, f"1→{'a' * 8192}\0\n"),
        ("only LF ends a line", "a\x0bb\u2028c\x85d\n", {}, "1→a\x0bb\u2028c\x85d\n"),
    ],
)
def test_read_file(
    bench: Bench, says: str, content: str | bytes, arguments: dict[str, int], text: str
) -> None:
    """A window of lines, numbered, in whatever encoding the file is stored."""
    bench.put("f", content)

    assert text == bench.ok("read_file", path="f", **arguments), says


@pytest.mark.parametrize(
    ("says", "content", "arguments", "message"),
    [
        ("an empty path", "", {"path": ""}, "path is required\n"),
        (
            "missing",
            "",
            {"path": "nix"},
            "read <ws>/nix: open <ws>/nix: no such file or directory\n",
        ),
        ("a directory", "", {"path": "."}, "read <ws>: is a directory; list it with the ls tool\n"),
        (
            "a NUL in the first 8 KiB",
            b"\x7fELF\0",
            {"path": "f"},
            "binary file <ws>/f (NUL byte detected); use bash with a program for its format\n",
        ),
        (
            "few NULs on both parities are binary",
            b"a\0b\0" * 3 + b"\0\0\0\0",
            {"path": "f"},
            "binary file <ws>/f (NUL byte detected); use bash with a program for its format\n",
        ),
        (
            "a line over 1 MiB",
            b"ok\n" + b"x" * (1024 * 1024 + 1),
            {"path": "f", "limit": 1},
            "scan: line 2 is longer than the limit of 1 MiB\n",
        ),
    ],
)
def test_read_file_refuses(
    bench: Bench, says: str, content: str | bytes, arguments: dict[str, object], message: str
) -> None:
    """The refusal tells which file and why."""
    bench.put("f", content)

    assert message == bench.fails("read_file", **arguments), says


def test_a_long_line_behind_the_window_is_not_reached(bench: Bench) -> None:
    """The scan stops one line after the window."""
    bench.put("f", b"a\nb\n" + b"x" * (1024 * 1024 + 1))

    assert bench.ok("read_file", path="f", limit=1).startswith("1→a\n")


def test_a_line_of_exactly_one_mebibyte_is_read(bench: Bench) -> None:
    """The limit is what it says."""
    bench.put("f", b"x" * (1024 * 1024))

    assert bench.call("read_file", path="f").ok


def test_2000_lines_are_the_default(bench: Bench) -> None:
    """A model that names no limit gets a window, not the file."""
    bench.put("f", "x\n" * 2001)

    text = bench.call("read_file", path="f").body

    assert text.endswith("2000→x\n\n[more lines below; pass offset=2000 to continue]")


@given(st.text(alphabet="ab\r\n", max_size=30), st.integers(1, 5))
def test_windows_put_together_are_the_file(text: str, limit: int) -> None:
    """Continuing where the marker says shows every line once."""
    shown: list[str] = []
    offset = 0
    while True:
        part = window(text, offset=offset, limit=limit)
        if part.startswith("("):
            break
        lines, _, more = part.partition("\n\n[more lines below; pass offset=")
        shown += [
            line.split("→", 1)[1] for line in (lines.removesuffix("\n") + "\n").split("\n")[:-1]
        ]
        if not more:
            break
        offset = int(more.split("]")[0].split()[0])

    lines = text.removesuffix("\n").split("\n") if text else []
    assert [line.removesuffix("\r") for line in lines] == shown


@pytest.mark.parametrize(
    ("says", "before", "content", "after"),
    [
        ("a new file is plain UTF-8", None, "né\n", "né\n".encode()),
        ("no newline is added", None, "x", b"x"),
        ("line ends are not adapted", b"a\r\nb\r\n", "a\nb\n", b"a\nb\n"),
        ("an empty text empties the file", b"a", "", b""),
        ("the UTF-8 mark is kept", b"\xef\xbb\xbfa", "b", b"\xef\xbb\xbfb"),
        ("UTF-16 is kept", b"\xff\xfea\0", "中", b"\xff\xfe\x2d\x4e"),
        ("UTF-16 without mark is kept", UTF16.encode("utf-16-le"), "x", b"x\0"),
        ("GB18030 is kept", b"\xc4\xe3\xba\xc3\n", "你好吗\n", b"\xc4\xe3\xba\xc3\xc2\xf0\n"),
    ],
)
def test_write_file(
    bench: Bench, says: str, before: bytes | None, content: str, after: bytes
) -> None:
    """The text is stored as given, in the way the file was stored before."""
    if before is not None:
        bench.put("f", before)

    text = bench.ok("write_file", path="f", content=content)

    assert after == bench.get("f"), says
    assert f"wrote {len(content.encode())} bytes to <ws>/f" == text


@pytest.mark.parametrize("content", ["same\n", "sämé"])
def test_write_file_leaves_an_equal_file_alone(bench: Bench, content: str) -> None:
    """A new time stamp would start every build over."""
    file = bench.put("f", "\ufeff" + content)
    os.utime(file, ns=(1, 1))

    text = bench.ok("write_file", path="f", content=content)

    assert "<ws>/f already contains the exact content; no changes made" == text
    assert 1 == file.stat().st_mtime_ns


def test_write_file_makes_the_missing_directories(bench: Bench) -> None:
    """One call is enough for a file in a new folder."""
    bench.ok("write_file", path="a/b/c", content="x")

    assert b"x" == bench.get("a/b/c")
    assert allowed(0o755) == (bench.root / "a").stat().st_mode & 0o777


@pytest.mark.parametrize(
    ("says", "path", "message"),
    [
        ("an empty path", "", "path is required\n"),
        ("a directory", "d", "write <ws>/d: is a directory; list it with the ls tool\n"),
        ("a FIFO", "p", "write <ws>/p: is a FIFO, not a regular file\n"),
        ("a file where a folder is needed", "f/x", "mkdir <ws>/f: not a directory\n"),
        (
            "binary",
            "bin",
            "binary file <ws>/bin (NUL byte detected); use bash with a program for its format\n",
        ),
    ],
)
def test_write_file_refuses(bench: Bench, says: str, path: str, message: str) -> None:
    """Nothing is written, and what was there stays as it was."""
    bench.put("f", "kept")
    bench.put("d/x", "kept")
    bench.put("bin", b"\0\1")
    os.mkfifo(bench.root / "p")

    assert message == bench.fails("write_file", path=path, content="x"), says
    assert [b"kept", b"kept", b"\0\1"] == [bench.get(name) for name in ("f", "d/x", "bin")]


def test_outside_names_the_path_the_roots_and_the_way_out(bench: Bench) -> None:
    """The model can tell the user what to allow."""
    message = bench.fails("write_file", path="../x", content="x")

    assert message.startswith("../x is outside the workspace (<ws>); ")
    assert not (bench.root.parent / "x").exists()


def test_text_without_a_form_in_the_file_s_encoding_is_refused(bench: Bench) -> None:
    """A question mark in its place would be a silent loss."""
    bench.put("f", b"# coding: latin-1\nx = '\xe9'\n")

    message = bench.fails("write_file", path="f", content="# coding: latin-1\n€\n")

    assert "U+20AC on line 2" in message
    assert bench.get("f").endswith(b"\xe9'\n")


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    text=st.text(
        alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1
    ),
    encoding=st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "gb18030"]),
)
def test_what_was_written_is_read(bench: Bench, text: str, encoding: str) -> None:
    """Write, then write again over any encoding, then read: the text is the text."""
    bench.begin_turn()
    old = "中文文件\n" if encoding == "gb18030" else "old\n"
    file: Path = bench.put("f", old.encode(encoding))

    bench.ok("write_file", path="f", content=text)

    stored = file.read_bytes()
    assert text == stored.decode(encoding)
