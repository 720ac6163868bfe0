"""Files that stand beside a recording: each of them may be packed, whether the recording is or not.

Side files are known by their names, and packing a file adds to its name. Here alone a name is
looked for with and without that. A link that leads out of the folder is none of them: whoever made
the recording would choose which other file of this machine is read, and shown.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

from reasonix_conformance.readers.files.json_values import json_in
from reasonix_conformance.readers.files.lines import BOM
from reasonix_conformance.readers.files.sources import ReadError, opened

PACKINGS: Final = (".gz", ".zst")
"""What packing adds to the name of a file."""

_MOST = 16 * 2**20
"""Most bytes of a side file that is read as one JSON value."""


def unpacked(path: Path) -> Path:
    """Return a path as it was before its file was packed."""
    return path.with_suffix("") if path.suffix in PACKINGS else path


def neighbour(path: Path, *, root: Path | None = None) -> Path | None:
    """Return a file by its unpacked path: itself, or a packed one; None where there is neither.

    It has to lie below `root`, by default in the folder that its path tells.
    """
    names = (path.name, *(f"{path.name}{packing}" for packing in PACKINGS))
    root = root or path.parent
    return next((found for name in names if _is_in(root, found := path.with_name(name))), None)


def neighbours(folder: Path, pattern: str, *, root: Path | None = None) -> list[Path]:
    """Return the files below a folder whose unpacked paths fit a pattern, by these paths.

    One that is there both ways is given once, as it is. They have to lie below `root`, by default
    the folder.
    """
    found: dict[Path, Path] = {}
    for packing in ("", *PACKINGS):
        for file in folder.glob(f"{pattern}{packing}"):
            if _is_in(root or folder, file):
                found.setdefault(unpacked(file), file)
    return [found[path] for path in sorted(found)]


def _is_in(root: Path, path: Path) -> bool:
    """Whether a path is a file that lies below a folder, whatever links are on the way."""
    return path.is_file() and Path(os.path.realpath(path)).is_relative_to(os.path.realpath(root))


def json_beside(path: Path) -> Any:
    """Return the JSON value of a file by its unpacked path, None where there is none to be read."""
    file = neighbour(path)
    if file is None:
        return None
    try:
        with opened(file) as stream:
            return json_in(stream.read(_MOST).removeprefix(BOM))
    except (ReadError, OSError):
        return None
