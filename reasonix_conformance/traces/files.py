"""The files that are traces: those that were named, and those that are found in a folder.

The order is that of the paths given, and by name inside a folder. What lies beside a trace, or is
read with one, is none itself.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeAlias

from reasonix_conformance.files import real, reason_of
from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.readers.files.json_values import at, name_at
from reasonix_conformance.readers.files.neighbours import json_beside, neighbour, unpacked
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError
from reasonix_conformance.readers.reasonix.side_files import session_of
from reasonix_conformance.traces.copied_history import CopiedHistories
from reasonix_conformance.traces.same_session import SessionFiles
from reasonix_conformance.traces.told_inside import told_inside
from reasonix_runtime.whole_files import read_whole

TRANSCRIPT_ENDINGS = (".yaml", ".yml")
RECORDS = re.compile(r"\.(?:json|jsonl|ndjson)(?:\.gz|\.zst)?$", re.IGNORECASE)
"""How the name of a file ends that may hold records: one that cannot be read is worth a word."""

MOST_BLANKS = 64
"""Bytes up to which a file is looked at for holding nothing but blanks."""

# Side files of a session folder that are no traces, by the end of their names.
_SIDE_FILES = (
    ".conflicts.jsonl",
    ".guardian.jsonl",
    ".damaged",
    ".meta",
    ".meta.json",
    ".context.json",
    ".goal-state.json",
    ".event-index.json",
    ".display-index.json",
    ".acp.json",
    ".lock",
    ".offset-index.json",
    "manifest.json",
    "storage.identity.json",
)
_SIDE_FOLDERS = (".ckpt", ".jobs", ".content-v1", ".git", ".query-cache", ".recovery-cache")
TURNS = re.compile(rb"^[^\S\n]*(?:- )?[\"']?turns[\"']?:", re.MULTILINE)
"""What a YAML file has in it if it holds transcripts."""


@dataclass(frozen=True, slots=True)
class Aside:
    """The files of folders that are left out though their user may expect them to be read.

    `beside` are outputs of runs whose sessions have files of their own; `leading_out` are links out
    of their folder or to nothing; `no_files` are pipes and devices.
    """

    beside: list[Path] = field(default_factory=list)
    leading_out: list[Path] = field(default_factory=list)
    no_files: list[Path] = field(default_factory=list)


Place: TypeAlias = str | tuple[int, int]
"""Which file a path leads to: its real path, or device and number of one with several names."""


class FoundFile(NamedTuple):
    """A file that may be a trace, and whether it was named itself or found in a folder.

    `own_from` is its first line that no file before it tells, 0 where all of it counts.
    """

    path: Path
    named: bool
    own_from: int = 0


def files(paths: Sequence[Path], aside: Aside | None = None) -> Iterator[FoundFile]:
    """Yield the files that may be traces for files and folders, each file once.

    A file that is named, and lies in a folder that is named as well, is told at its own place in
    `paths`. Two names of one file, by a link of either kind, are one file. What is left out in
    folders and may be missed is added to `aside`.

    Raises:
        ReadError: a path does not exist, or is neither a file nor a folder.
    """
    asked = _Asked(paths, aside or Aside())
    for path in paths:
        kind = mode_of(path)
        if kind is None:
            raise ReadError(f"{path}: {_why_unseen(path)}")
        if stat.S_ISDIR(kind):
            if not _is_open(path):
                raise ReadError(f"{path}: the folder cannot be read")
            yield from asked.found_in(path)
        elif stat.S_ISREG(kind):
            if asked.is_new(_place(path)):
                yield FoundFile(path, named=True)
        else:
            raise ReadError(
                f"{path}: no regular file; a trace is read more than once, so write it to a file"
            )


class _Asked:
    """The files and folders of one run, which have to be known together.

    A file that is read as a part of a trace is no trace of its own, but only if that trace is among
    them: a sub-agent's file that was given alone is read by itself.
    """

    def __init__(self, paths: Sequence[Path], aside: Aside) -> None:
        self.aside = aside
        # A link that leads to itself is no error here: `files` says that nothing is there.
        self._paths = frozenset(Path(os.path.realpath(path)) for path in paths)
        kinds = {path: mode_of(path) or 0 for path in paths}
        self._found = {
            path: list(_below(path, self))
            for path, kind in kinds.items()
            if stat.S_ISDIR(kind) and _is_open(path)
        }
        named = [path for path, kind in kinds.items() if stat.S_ISREG(kind)]
        self._named = frozenset(map(_place, named))
        self._told: set[Place] = set()
        records = (file for found in self._found.values() for file in found)
        asked = [*named, *filter(_may_hold_records, records)]
        self._inside = told_inside(asked)
        self._sessions = SessionFiles(asked)
        self._copies = CopiedHistories(asked)

    def __contains__(self, file: Path) -> bool:
        """Whether a file is one of them, or in one of the folders."""
        place = real(file)
        return place in self._paths or not self._paths.isdisjoint(place.parents)

    def is_new(self, place: Place) -> bool:
        """Whether the file there was not told yet; from now on it is."""
        new = place not in self._told
        self._told.add(place)
        return new

    def found_in(self, folder: Path) -> Iterator[FoundFile]:
        """Yield the files of a folder that are to be told there, for what no other one tells."""
        for file in self.files_of(folder):
            place = _place(file)
            if place in self._named or not self.is_new(place):
                continue
            own = self._copies.own_from(file)
            if own is None:
                self.aside.beside.append(file)
            else:
                yield FoundFile(file, named=False, own_from=own)

    def files_of(self, folder: Path) -> Iterator[Path]:
        """Yield the files below a folder that may be traces, by name."""
        for file in self._found[folder]:
            if file in self._inside:
                continue
            if self._sessions.tell(file):
                self.aside.beside.append(file)
            else:
                yield file


def files_of(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder that may be traces, by name."""
    return _Asked([folder], Aside()).files_of(folder)


def _may_hold_records(file: Path) -> bool:
    return RECORDS.search(file.name) is not None


def mode_of(path: Path) -> int | None:
    """Return the mode of what a path leads to, None where nothing can be seen."""
    try:
        return path.stat().st_mode
    except OSError:
        return None


def _place(path: Path) -> Place:
    """Return what two paths of one file have in common, and no two files."""
    try:
        found = path.stat()
    except OSError:
        return os.path.realpath(path)
    # Some file systems number no files; where they do, a second name is a second link.
    return (found.st_dev, found.st_ino) if found.st_nlink > 1 else os.path.realpath(path)


def _why_unseen(path: Path) -> str:
    """Return why nothing can be seen of a path."""
    try:
        path.stat()
    except FileNotFoundError:
        link = f"a link to {path.readlink()}, and nothing is there" if path.is_symlink() else ""
        return link or "no such file or folder"
    except OSError as error:
        return reason_of(error)
    return "no such file or folder"


def _is_open(folder: Path) -> bool:
    return os.access(folder, os.R_OK | os.X_OK)


def _below(folder: Path, asked: _Asked) -> Iterator[Path]:
    """Yield the files below a folder that may be traces; links out of it are left out."""
    root = real(folder)
    closed: set[Path] = set()
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).parts
        if any(part.endswith(_SIDE_FOLDERS) for part in inside[:-1]) or path.parent in closed:
            continue
        kind = mode_of(path) or 0
        if stat.S_ISDIR(kind) and not _is_open(path):
            # Reading it says why; of one that may only be listed the names are seen.
            closed.add(path)
            yield path
        link = path.is_symlink()
        leads_out = link and not Path(os.path.realpath(path)).is_relative_to(root)
        if stat.S_ISDIR(kind):
            if leads_out:
                asked.aside.leading_out.append(path)
            continue
        if unpacked(path).name.endswith(_SIDE_FILES):
            continue
        if leads_out or not stat.S_ISREG(kind):
            # Of a pipe or a dead link only the name tells what it might hold.
            if RECORDS.search(path.name):
                aside = asked.aside.leading_out if link else asked.aside.no_files
                aside.append(path)
            continue
        try:
            part = _is_aside(path, asked)
        except (OSError, ReadError):
            part = False
        if not part:
            yield path


def _is_aside(path: Path, asked: _Asked) -> bool:
    """Whether a file is read with another one, or is none by what it lacks.

    A YAML file may hold no transcripts; an empty file is a log that was never written only if its
    name says so, as captured error output says nothing by being empty.
    """
    name = unpacked(path).name
    return (
        (not name.endswith(".frames") and not RECORDS.search(name) and _is_blank(path))
        or (name.endswith(TRANSCRIPT_ENDINGS) and not _may_be_transcripts(path))
        or (path.parent.name == "subagents" and _has_parent(path, asked))
        or _is_of_session(path, asked)
        or (name.startswith("agent-") and _has_session(path))
        or (name.endswith(".jsonl") and _has_log(path))
    )


def _is_blank(path: Path) -> bool:
    """Whether a file holds nothing but a few blanks."""
    return path.stat().st_size <= MOST_BLANKS and not path.read_bytes().strip()


def _may_be_transcripts(path: Path) -> bool:
    """Whether a YAML file in a folder holds transcripts; other YAML files are none of ours."""
    return TURNS.search(read_whole(path)) is not None


def _has_log(path: Path) -> bool:
    """Whether a message file is only the first checkpoint of an event log beside it."""
    if unpacked(path).name.endswith(".events.jsonl"):
        return False
    return neighbour(path.with_name(f"{session_of(path)}.events.jsonl")) is not None and (
        detect(Recording(path=path).head()) in ("reasonix-messages", "chat-completions")
    )


def _has_parent(path: Path, asked: _Asked) -> bool:
    """Whether a sub-agent's file is read with the session that started it."""
    meta = json_beside(path.with_name(f"{session_of(path)}.meta.json"))
    parent = name_at(meta, "parentSession")
    if parent is None or Path(parent).name != parent:
        return False
    names = (f"{parent}.jsonl", f"{parent}.events.jsonl")
    sessions = [neighbour(path.parent.parent / name) for name in names]
    return any(session is not None and session in asked for session in sessions)


def _is_of_session(path: Path, asked: _Asked) -> bool:
    """Whether a file is in the folder of a Claude Code session.

    What is a sub-agent's is read with the session; the rest is what tools and workflows left.
    """
    for folder in path.parents:
        session = neighbour(folder.with_name(f"{folder.name}.jsonl")) if folder.name else None
        if session is not None and session in asked:
            head = Recording(path=session).head()
            return detect(head) == "claude-code"
    return False


def _has_session(path: Path) -> bool:
    """Whether a file beside a Claude Code session is that of a sub-agent, read with it."""
    record = Recording(path=path).first_record()
    session = name_at(record, "sessionId") if at(record, "isSidechain") is True else None
    if session is None:
        return False
    return neighbour(path.with_name(Path(f"{session}.jsonl").name)) is not None
