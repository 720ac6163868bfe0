"""Files: written whole or not at all, and what to say of one that cannot be read or written.

A file is written under another name and then renamed, so that a reader or a second writer never
meets half of it.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reasonix_conformance.errors import ConformanceError


def reason_of(error: OSError) -> str:
    """Return why the system refused something, in its words: `Permission denied`."""
    return error.strerror or str(error)


@contextmanager
def failing_as(kind: type[ConformanceError], what: str) -> Iterator[None]:
    """Turn an error of the system inside the block into one for the user: `WHAT: REASON`.

    Args:
        kind: the error to raise.
        what: what failed, and of which file: `report.json: cannot be written`.
    """
    try:
        yield
    except OSError as error:
        raise kind(f"{what}: {reason_of(error)}") from None


def write_whole(path: Path, content: bytes) -> None:
    """Replace a file in one step.

    Raises:
        OSError: the file cannot be written; what was there before is left as it was.
    """
    with whole_file(path) as stream:
        stream.write(content)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """Give a stream whose content replaces a file in one step, once nothing failed.

    The process id keeps parallel writers apart. A device or a pipe is written into: in its place,
    nobody could use it as one any more. So is the file that a link leads to.

    Raises:
        OSError: the file cannot be written; what was there before is left as it was.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    path = Path(os.path.realpath(path))
    # Of a long name a part is enough, and the whole would not leave room for the rest.
    temporary = path.with_name(f".{path.name[:48]}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as stream:
            yield stream
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def below(folder: Path) -> Iterator[Path]:
    """Yield whatever is no folder below a folder, in no order; links to folders are not followed.

    Raises:
        OSError: a folder cannot be read. `Path.rglob` passes over it as if it were empty.
    """

    def refuse(error: OSError) -> None:
        """Raise what stands in the way; `os.walk` would go on without the folder."""
        raise error

    for at, _, names in os.walk(folder, onerror=refuse):
        yield from (Path(at, name) for name in names)


def real(path: Path) -> Path:
    """Return a path without links; one that leads round in a circle stays as far as it was told.

    `Path.resolve` raises no `OSError` of such a path in older versions of Python.
    """
    return Path(os.path.realpath(path))
