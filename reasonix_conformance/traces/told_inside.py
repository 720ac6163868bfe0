"""Files that are told inside another one, as their format names them in it.

A trajectory in ATIF names those of its sub-agents that lie beside it. In a folder they are parts of
that trace and none of their own: what a sub-agent did would be judged twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from reasonix_conformance.readers.detect import detect
from reasonix_conformance.readers.lines import DEFAULT_CAP
from reasonix_conformance.readers.recording import Recording
from reasonix_conformance.readers.sources import ReadError, opened

_NAMED = re.compile(rb'"trajectory_path"\s*:\s*("(?:[^"\\]|\\.)*")')


def told_inside(paths: Iterable[Path]) -> frozenset[Path]:
    """Return those of some files that are told inside another of them.

    Files that name each other in a circle are told inside the first of it.
    """
    named = {path.resolve(): list(_named_in(path)) for path in paths}
    inside: set[Path] = set()
    for path in named:
        if path not in inside:
            inside |= _reached(path, named)
    return frozenset(path for path in paths if path.resolve() in inside)


def _reached(start: Path, named: dict[Path, list[Path]]) -> set[Path]:
    """Return the files that one names, and those that they name; not itself."""
    reached, left = {start}, [start]
    while left:
        new = [path for path in named.get(left.pop(), ()) if path not in reached]
        reached.update(new)
        left += new
    return reached - {start}


def _named_in(path: Path) -> Iterator[Path]:
    """Yield the files in its folder that a trajectory names, nothing for any other file."""
    try:
        head = Recording(path=path, shown=str(path)).head()
        if b"ATIF" not in head or detect(head) != "atif":
            return
        with opened(path) as stream:
            data = stream.read(DEFAULT_CAP)
    except (OSError, ReadError):
        return
    folder = path.parent.resolve()
    for found in _NAMED.finditer(data):
        try:
            name = msgspec.json.decode(found[1], type=str)
            place = (folder / name).resolve()
        except (msgspec.DecodeError, UnicodeDecodeError, OSError, ValueError):
            continue
        if place.is_relative_to(folder):
            yield place
