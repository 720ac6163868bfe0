"""Canonical schema snapshots: one reviewable JSON file a tool.

A file holds the schema indented and with sorted keys, so that a change reads well in a review.
Compared are canonical bytes, so the layout of a file never matters.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import quote, unquote

from reasonix_conformance.errors import SnapshotError
from reasonix_conformance.files import failing_as, write_whole
from reasonix_runtime.contract.canonical import is_canonical
from reasonix_runtime.whole_files import read_whole

SUFFIX = ".json"

LONGEST_NAME = 255
"""Bytes that file systems take as the name of a file; ours are ASCII."""

_KEY = re.compile(rb'(\n *"(?:[^"\\]|\\.)*"): ')
_BREAK = re.compile(rb"\n *")
_PLAIN = re.compile(r"[A-Za-z0-9_-][A-Za-z0-9_.-]*").fullmatch


def file_name(name: str) -> str:
    """Return the name of a tool's file; characters that a file name cannot hold are escaped."""
    return (name if _PLAIN(name) else _escape(name)) + SUFFIX


def path_of(folder: Path, name: str) -> Path:
    """Return the snapshot file of a tool."""
    return folder / file_name(name)


def can_hold(name: str) -> bool:
    """Whether a tool of this name can have a snapshot."""
    return len(file_name(name)) <= LONGEST_NAME


def exists(folder: Path, name: str) -> bool:
    """Whether a tool has a snapshot."""
    return can_hold(name) and path_of(folder, name).is_file()


def names(folder: Path) -> tuple[str, ...]:
    """Return the tools that have a snapshot, in bytewise order."""
    if not folder.is_dir():
        return ()
    found = (
        unquote(path.name.removesuffix(SUFFIX), errors="surrogatepass")
        for path in folder.iterdir()
        if path.name.endswith(SUFFIX) and not path.name.startswith(".")
    )
    return tuple(sorted(found))


def read(folder: Path, name: str) -> bytes | None:
    """Return the file of a tool's snapshot as it is, or None if it has none.

    Raises:
        SnapshotError: the file is there but cannot be read.
    """
    if not can_hold(name):
        return None
    path = path_of(folder, name)
    with failing_as(SnapshotError, f"{path}: cannot be read"):
        try:
            return read_whole(path)
        except FileNotFoundError:
            return None
        except NotADirectoryError:
            raise SnapshotError(f"{folder} is a file; give the folder of the snapshots") from None


def stands_for(text: bytes, canonical: bytes) -> bool:
    """Whether a file is exactly what `render` writes for these canonical bytes.

    A quick yes for the usual case; a no says nothing, since a file may be laid out otherwise. Only
    JSON is taken, so that a line break inside of a string is not mistaken for layout.
    """
    if _BREAK.sub(b"", _KEY.sub(rb"\1:", text)) != canonical:
        return False
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def render(canonical: bytes) -> bytes:
    """Return the text of a snapshot file: the schema indented by two blanks, a final newline.

    Only blanks are added, so numbers and escapes stay as the canonical form writes them.
    """
    import msgspec  # reading needs no more than the standard library

    return msgspec.json.format(canonical, indent=2) + b"\n"


def write(folder: Path, name: str, canonical: bytes) -> None:
    """Write a tool's snapshot; a file that says the same already is left as it is.

    Raises:
        SnapshotError: the bytes are no canonical JSON, or the file cannot be written.
    """
    if not is_canonical(canonical):
        raise SnapshotError(f"the schema of {name!r} is no canonical JSON; it has no snapshot")
    path = path_of(folder, name)
    text = render(canonical)
    with failing_as(SnapshotError, f"{path}: cannot be written"):
        if not path.is_file() or path.read_bytes() != text:
            folder.mkdir(parents=True, exist_ok=True)
            write_whole(path, text)


def delete(folder: Path, name: str) -> None:
    """Delete a tool's snapshot, if there is one.

    Raises:
        SnapshotError: the file cannot be deleted.
    """
    path = path_of(folder, name)
    with failing_as(SnapshotError, f"{path}: cannot be deleted"):
        path.unlink(missing_ok=True)


def _escape(name: str) -> str:
    """Percent-encode a name; a leading dot would hide the file."""
    text = quote(name, safe="", errors="surrogatepass")
    return f"%2E{text[1:]}" if text.startswith(".") else text
