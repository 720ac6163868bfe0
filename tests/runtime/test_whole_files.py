"""What is read whole has a bound, so that a device or the wrong file ends in a sentence."""

from __future__ import annotations

import errno
import io
from pathlib import Path

import pytest

from reasonix_runtime.cli import main
from reasonix_runtime.whole_files import LARGEST, read_to_end, read_whole


def too_large(folder: Path, name: str) -> Path:
    """Return a file of one byte more than is read, which takes no room on the disk."""
    path = folder / name
    with path.open("wb") as stream:
        stream.truncate(LARGEST + 1)
    return path


def test_a_file_is_read_up_to_the_bound_and_no_further(tmp_path: Path) -> None:
    """The byte that is one too many tells that the rest was not read."""
    path = tmp_path / "file"
    path.write_bytes(b"12345")

    assert b"12345" == read_whole(path, most=5)
    with pytest.raises(OSError, match="larger than 4 bytes") as caught:
        read_whole(path, most=4)
    assert caught.value.errno == errno.EFBIG


def test_a_stream_without_an_end_is_left() -> None:
    """A device gives as much as is asked for, again and again."""

    class Endless(io.RawIOBase):
        given = 0

        def read(self, size: int = -1, /) -> bytes:
            self.given += size
            return bytes(size)

    stream = Endless()

    with pytest.raises(OSError, match="larger than 4 MiB"):
        read_to_end(stream, most=4 * 2**20)
    assert stream.given == 4 * 2**20 + 1


@pytest.mark.parametrize(
    "words",
    [
        ("run", "hello", "--script", "{}"),
        ("run", "hello", "--script", "script.yaml", "--servers", "{}"),
        ("run", "hello", "--script", "script.yaml", "--goal-file", "{}"),
        ("run", "hello", "--script", "script.yaml", "--skills", "skills"),
        ("call", "ls", "{{}}", "--servers", "{}"),
    ],
    ids=" ".join,
)
def test_a_file_of_an_option_that_is_too_large_is_named(
    words: tuple[str, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """It was read until the memory was full, and the traceback named a line of Python."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "script.yaml").write_text("answers: [{text: hello}]\n", encoding="utf-8")
    (tmp_path / "skills").mkdir()
    folder = tmp_path / "skills" if "skills" in words else tmp_path
    path = too_large(folder, "large.md")

    assert main([word.format(path) for word in words]) == 2
    error = capsys.readouterr().err
    assert f"{path.name}: " in error
    assert "it is larger than " in error
