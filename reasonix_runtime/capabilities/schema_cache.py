"""What servers offered when they were listed last, kept on disk, one file a configuration.

The key of a file is made of names, never of the values of variables or headers. Another key is a
miss; so is a file that cannot be read.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

import msgspec

from reasonix_runtime.gates.proxy.world import Flags

VERSION = 2
"""The form of the files; those of another one are read anew from the server."""


class _File(msgspec.Struct, frozen=True):
    version: int
    key: str
    tools: dict[str, Flags]


class SchemaCache:
    """The schemas in one directory; it is made when something is first written."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory

    def get(self, key: str) -> dict[str, Flags] | None:
        """Return the tools of a configuration, None without a valid file."""
        try:
            found = msgspec.json.decode(self._path(key).read_bytes(), type=_File)
        except (OSError, msgspec.MsgspecError, RecursionError):
            return None
        return found.tools if (found.version, found.key) == (VERSION, key) else None

    def put(self, key: str, tools: dict[str, Flags]) -> None:
        """Keep the tools of a configuration; a directory that cannot be written keeps nothing."""
        data = msgspec.json.encode(_File(VERSION, key, tools))
        with contextlib.suppress(OSError):
            self._directory.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(dir=self._directory, prefix=".schemas-")
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                Path(name).replace(self._path(key))
            finally:
                Path(name).unlink(missing_ok=True)  # There only if something went wrong.

    def _path(self, key: str) -> Path:
        return self._directory / f"{key}.json"
