"""Write claims: which paths a writer holds, and when two of them cannot run at once."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from reasonix_runtime.gates.delegation.world import HeldPaths, Paths
from reasonix_runtime.gates.verdict import Refusal, refuse

Claim: TypeAlias = "frozenset[str] | None"
"""The paths of a writer, relative to the workspace; None is the whole of it."""

_PATTERN: Final = re.compile(r"[*?\[]")
_DRIVE: Final = re.compile(r"^[A-Za-z]:")


def path_refusals(paths: Sequence[str], workspace: str, **where: Any) -> Iterator[Refusal]:
    """Yield what is wrong with the paths that a writer asks for; `where` names the item."""
    for index, path in enumerate(paths):
        facts: dict[str, Any] = {"state_after": {"started": 0, "index": index, **where}}
        if not path.strip():
            yield refuse("subagent.wp_blank", f"write_paths[{index}] is blank", **facts)
        elif _PATTERN.search(path):
            yield refuse(
                "subagent.wp_glob", f"write_paths[{index}] is a pattern: name paths", **facts
            )
        elif inside(path, workspace) is None:
            yield refuse(
                "subagent.wp_outside", f"write_paths[{index}] lies outside the workspace", **facts
            )


def inside(path: str, workspace: str) -> str | None:
    """Return a path relative to the workspace, `.` for its root; None outside of it."""
    plain = path.strip().replace("\\", "/")
    root = posixpath.normpath(workspace.replace("\\", "/")) if workspace else ""
    if posixpath.isabs(plain) or _DRIVE.match(plain):
        plain = posixpath.normpath(plain)
        if not root or not _within(root, plain):
            return None
        return posixpath.relpath(plain, root)
    found = posixpath.normpath(plain)
    return None if found == ".." or found.startswith("../") else found


def _within(outer: str, inner: str) -> bool:
    return outer in (inner, ".", "/") or inner.startswith(f"{outer}/")


def covers(claim: Claim, path: str) -> bool:
    """Whether a writer with that claim may write a path, which is relative to the workspace."""
    return claim is None or any(_within(own, path) for own in claim)


def claim_of(paths: Sequence[str], workspace: str) -> Claim:
    """Return what a writer holds; without paths it is the whole workspace."""
    found = frozenset(inside(path, workspace) or path for path in paths)
    return found or None


def held(told: HeldPaths | Paths, workspace: str) -> Claim:
    """Return a claim that a running writer holds, told as a path, a list of paths or an object."""
    paths = (told.write_paths or told.paths) if isinstance(told, HeldPaths) else told
    return claim_of((paths,) if isinstance(paths, str) else paths, workspace)


def overlap(one: Claim, other: Claim) -> bool:
    """Whether two writers could write the same: a path of one contains one of the other."""
    if one is None or other is None:
        return True
    return any(_within(a, b) or _within(b, a) for a in one for b in other)
