"""What lies beside the message file or the log of a Reasonix session, and tells something of it.

A session has a `.jsonl.meta`, one of an editor an `.acp.json`. Its sub-agents have a `.meta.json`
each under `subagents/`, which names the session and the call that started it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from reasonix_conformance.readers.files.json_values import name_at
from reasonix_conformance.readers.files.neighbours import json_beside, neighbours, unpacked

_OF_SUB_AGENT = ".meta.json"
_OF_SESSION = (".jsonl.meta", ".acp.json", _OF_SUB_AGENT)
_FOLDER = ("workspace_root", "workspaceRoot", "cwd")
"""The keys of the folder that a session ran in."""


def session_of(path: Path) -> str:
    """Return the name that the files of a session have in common, by one of its files."""
    return unpacked(path).name.removesuffix(".jsonl").removesuffix(".events")


def folder_of(path: Path) -> str | None:
    """Return the folder that a session ran in, by its message file or log; None if nothing tells.

    Its sub-agents worked in it, too, if all of them tell the same one.
    """
    session = session_of(path)
    own = (json_beside(path.with_name(f"{session}{ending}")) for ending in _OF_SESSION)
    told = next(filter(None, map(_folder_in, own)), None)
    if told is not None:
        return told
    of_agents = {_folder_in(meta) for _, meta in sub_agents(path)}
    return of_agents.pop() if len(of_agents) == 1 else None


def _folder_in(meta: Any) -> str | None:
    return next((found for key in _FOLDER if (found := name_at(meta, key))), None)


def sub_agents(path: Path) -> Iterator[tuple[Path, dict[str, Any]]]:
    """Yield the sub-agents that can be of a session: their path but for endings, and their meta."""
    folder, session = path.parent / "subagents", session_of(path)
    if not folder.is_dir():
        return
    looked = folder.stat()
    paths = _by_session(folder, looked.st_mtime_ns, looked.st_ctime_ns)
    for file in sorted(paths.get(session, ()) + paths.get(None, ())):
        meta = _meta(file)
        if meta.get("parentSession") in (session, None):
            yield file.with_name(file.name.removesuffix(_OF_SUB_AGENT)), meta


@lru_cache(maxsize=8)
def _by_session(
    folder: Path, _modified: int, _changed: int
) -> Mapping[str | None, tuple[Path, ...]]:
    """Return the meta files of a folder by the session that they name, None for those without one.

    They are told by their unpacked paths. Thousands of sessions may share a folder: while its times
    stay, no file has come or gone.
    """
    paths: dict[str | None, list[Path]] = {}
    for path in map(unpacked, neighbours(folder, f"*{_OF_SUB_AGENT}", root=folder.parent)):
        session = _meta(path).get("parentSession")
        if session is None or isinstance(session, str):
            paths.setdefault(session, []).append(path)
    return {session: tuple(found) for session, found in paths.items()}


def _meta(path: Path) -> dict[str, Any]:
    value = json_beside(path)
    return value if isinstance(value, dict) else {}
