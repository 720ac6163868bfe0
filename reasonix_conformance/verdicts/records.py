"""Recorded verdict files: one JSON object a line (`docs/verdict-files.md`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

import msgspec

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.files import below, reason_of
from reasonix_conformance.readers.files.json_values import NOT_JSON

SUFFIX: Final = ".jsonl"

LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a line."""


class VerdictFileError(ConformanceError):
    """A recorded verdict file cannot be read, or a line of it is not a recorded verdict."""

    def __init__(self, path: Path, line: int | None, problem: str) -> None:
        where = f"{path}:{line}" if line is not None else str(path)
        super().__init__(f"{where}: {problem}")
        self.path = path
        self.line = line
        self.problem = problem


class InvalidInputError(ConformanceError):
    """The `in` of a line is not what its kind asks for; the reader of the file says where."""


class Recorded(msgspec.Struct, frozen=True, kw_only=True, rename={"data": "in"}):
    """One line: an input and the verdict that the recording host gave for it.

    `rules` names the rule set of a line that differs from the rest; a line with `stable: false`
    is advisory and never counted.
    """

    id: str
    kind: str
    data: dict[str, Any]
    out: dict[str, Any]
    stable: bool = True
    rules: str | None = None


_DECODER: Final = msgspec.json.Decoder(Recorded)


def find_files(paths: Iterable[Path], without: list[Path] | None = None) -> list[Path]:
    """Return the files to read: files as given, and every `*.jsonl` below a folder, sorted.

    Folders that hold no such file are added to `without`.

    Raises:
        VerdictFileError: a path does not exist or is a device, also one below a folder, or a
            folder cannot be read.
    """
    found: list[Path] = []
    for path in paths:
        if path.is_dir():
            try:
                inside = sorted(one for one in below(path) if one.name.endswith(SUFFIX))
            except OSError as error:
                raise VerdictFileError(Path(error.filename), None, reason_of(error)) from None
            if not inside and without is not None:
                without.append(path)
            found.extend(inside)
        else:
            found.append(path)
    for path in found:
        if not path.exists():
            raise VerdictFileError(path, None, "no such file or folder")
        if not path.is_file():
            raise VerdictFileError(path, None, "neither a file nor a folder; write it to a file")
    return list(dict.fromkeys(found))


def read(path: Path) -> Iterator[tuple[int, Recorded]]:
    """Yield line number (from 1) and record of each line; blank lines are skipped.

    Raises:
        VerdictFileError: the file cannot be opened, or a line is not a recorded verdict.
    """
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(iter(partial(lines.readline, LONGEST + 1), b""), 1):
                if len(line) > LONGEST:
                    raise VerdictFileError(path, number, "longer than 64 MiB, so it is no verdict")
                if line.strip():
                    yield number, _decode(path, number, line)
    except OSError as error:
        raise VerdictFileError(path, None, f"cannot be read: {reason_of(error)}") from error


def _decode(path: Path, number: int, line: bytes) -> Recorded:
    try:
        record = _DECODER.decode(line)
    except NOT_JSON as error:
        raise VerdictFileError(
            path,
            number,
            f"not a recorded verdict: {error}; expected one JSON object with id, kind, in and out",
        ) from error
    if not isinstance(record.out.get("accept"), bool):
        raise VerdictFileError(path, number, "out.accept must be true or false")
    return record
