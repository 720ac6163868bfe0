"""Files that are told inside another one, as their format names them in it.

A trajectory in ATIF names those of its sub-agents that lie beside it; a rollout of Codex names the
thread that started its own. In a folder they are parts of that trace and none of their own: what a
sub-agent did would be judged twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from reasonix_conformance.files import real
from reasonix_conformance.readers.codex.children import file_of, parent_of, starts
from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.readers.files.lines import DEFAULT_CAP
from reasonix_conformance.readers.files.neighbours import neighbour
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError, opened

_NAMED = re.compile(rb'"trajectory_path"\s*:\s*("(?:[^"\\]|\\.)*")')


def told_inside(paths: Sequence[Path]) -> frozenset[Path]:
    """Return those of some files that are told inside another of them.

    Files that name each other in a circle are told inside the first of it.
    """
    named: dict[Path, list[Path]] = {real(path): [] for path in paths}
    for path, part in _parts(paths):
        if path in named:
            named[path].append(part)
    inside: set[Path] = set()
    for path in named:
        if path not in inside:
            inside |= _reached(path, named)
    return frozenset(path for path in paths if real(path) in inside)


def _reached(start: Path, named: dict[Path, list[Path]]) -> set[Path]:
    """Return the files that one names, and those that they name; not itself."""
    reached, left = {start}, [start]
    while left:
        new = [path for path in named.get(left.pop(), ()) if path not in reached]
        reached.update(new)
        left += new
    return reached - {start}


def _parts(paths: Iterable[Path]) -> Iterator[tuple[Path, Path]]:
    """Yield a file and one that is told in it."""
    for path in paths:
        try:
            head = Recording(path=path).head()
            if b"ATIF" in head and detect(head) == "atif":
                yield from ((real(path), part) for part in _named_in(path))
            elif b"parent_thread_id" in head and (parent := _starter_of(path)) is not None:
                yield real(parent), real(path)
        except (OSError, ReadError):
            continue


def _starter_of(path: Path) -> Path | None:
    """Return the rollout in which that of a sub-agent is told."""
    threads = parent_of(path)
    starter = file_of(threads[1], path) if threads is not None else None
    tells = threads is not None and starter is not None and starts(starter, threads[0])
    return starter if tells else None


def _named_in(path: Path) -> Iterator[Path]:
    """Yield the files in its folder that a trajectory names."""
    with opened(path) as stream:
        data = stream.read(DEFAULT_CAP)
    folder = real(path.parent)
    for found in _NAMED.finditer(data):
        try:
            name = msgspec.json.decode(found[1], type=str)
            place = real(folder / name)
        except (msgspec.DecodeError, UnicodeDecodeError, OSError, ValueError):
            continue
        if place.is_relative_to(folder) and place.name:
            yield neighbour(place) or place
