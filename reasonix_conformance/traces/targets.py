"""Where a run may write: never over what it reads, nor over a trace that lies elsewhere.

A word that lands in the wrong option must not cost anybody a recording, which exists once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import failing_as, real
from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.traces.files import RECORDS, TRANSCRIPT_ENDINGS, TURNS, mode_of

HEAD: Final = 2**16
"""How many bytes of a file are looked at."""

_LINES = re.compile(r"\.(?:jsonl|ndjson)(?:\.gz|\.zst)?$", re.IGNORECASE)
# How our own reports in JSON begin, and, with its tool, the one in SARIF.
_OWN = re.compile(
    rb'\{\s*"schema":\s*"reasonix-conformance/'
    rb'|\{\s*"\$schema":[^{}]*\{\s*"tool":\s*\{\s*"driver":\s*\{\s*"name":\s*"reasonix-conformance"'
)


def check(
    targets: Mapping[str, Path | None], inputs: Iterable[Path], *, events: bool = False
) -> None:
    """Refuse files to write that would destroy what is read, or a trace, or one another.

    Args:
        targets: the files, by the option that asks for each.
        inputs: files and folders that are read.
        events: whether what is written are neutral events, which may replace their like.

    Raises:
        ConformanceError: a file is one of the inputs, an existing one of records in an input
            folder, an existing trace, or the file of another option.
    """
    taken: dict[Path, str] = {}
    # What may not be seen is told when it is read.
    read = [path for path in inputs if mode_of(path) is not None]
    for option, path in targets.items():
        if path is None or (path.exists() and not path.is_file()):
            # A pipe or a device loses nothing.
            continue
        other = taken.setdefault(real(path), option)
        if other != option:
            raise ConformanceError(f"{option} {path}: {other} writes this file, too")
        why = _lost(path, read, events=events)
        if why is not None:
            raise ConformanceError(f"{option} {path}: {why}; give another file")


def check_list(option: str, path: Path | None, known: Path | None, known_option: str) -> None:
    """Refuse to write a list of known failures over one that is not read: reasons would be lost.

    Raises:
        ConformanceError: the file has content, and is not the list that is read.
    """
    if path is None or not path.is_file() or _head(path).strip() in (b"", b"[]"):
        return
    if known is None or real(known) != real(path):
        raise ConformanceError(
            f"{option} {path}: this file is not read, and what is agreed in it would be lost; "
            f"give it as {known_option}, too, or another file"
        )


def _lost(path: Path, inputs: Iterable[Path], *, events: bool) -> str | None:
    """Return why a file must not be written, None if it may."""
    if not path.exists():
        return None
    if any(one.is_file() and path.samefile(one) for one in inputs):
        return "this file is read, and its content would be lost"
    head = _head(path)
    if not head.strip() or _OWN.match(head):
        return None
    folders = (one for one in inputs if one.is_dir())
    inside = any(real(path).is_relative_to(real(folder)) for folder in folders)
    if inside and RECORDS.search(path.name):
        return "this file lies in a folder that is read, and its content would be lost"
    if events and not inside and detect(head) == "neutral":
        return None
    return "this file holds a trace, which would be lost" if _is_trace(path, head) else None


def _is_trace(path: Path, head: bytes) -> bool:
    if path.name.endswith(TRANSCRIPT_ENDINGS):
        return TURNS.search(head) is not None
    return _LINES.search(path.name) is not None or detect(head) is not None


def _head(path: Path) -> bytes:
    """Return the beginning of a file; one that cannot be read cannot be replaced unseen either.

    Raises:
        ConformanceError: the file cannot be read.
    """
    with failing_as(ConformanceError, f"{path}: cannot be read"), path.open("rb") as stream:
        return stream.read(HEAD)
