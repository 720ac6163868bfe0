"""Normalise and compare paths, under path rules that are stated and never those of the machine.

Two comparisons are in use (EL-05): *exact*, and *suffix*, where an observed long path covers a
wanted short one. `resolve` and `same_file` add the workspace root for rule sets that ask for it.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Set
from enum import StrEnum
from fnmatch import fnmatchcase
from hashlib import blake2b
from typing import Final

from reasonix_runtime.evidence.memo import memoised

_DRIVE = re.compile(r"[a-z]:", re.IGNORECASE)
_STANDS_ALONE = re.compile(r"[/~\\]|[A-Za-z]:")


LONGEST_PATH: Final = (1 << 15) - 1
"""Most characters that the path of a file can have, on any system."""
_KEPT: Final = 1024


class PathStyle(StrEnum):
    """Whose path rules hold: letter case counts under POSIX only, drives exist under Windows."""

    POSIX = "posix"
    WINDOWS = "windows"


def style_of_root(root: str) -> PathStyle:
    """Return the path rules of a workspace: a root with a drive letter is one of Windows."""
    return PathStyle.WINDOWS if _DRIVE.match(root.strip()) else PathStyle.POSIX


def norm(path: str, style: PathStyle = PathStyle.POSIX) -> str:
    """Return the normal form of EL-05: trimmed, `/` only, lexically clean, lower on Windows.

    Empty stays empty. Nothing is joined, resolved or looked up. Of one that is too long to name a
    file its ends and a digest are kept.
    """
    clean = _clean(path)
    return clean.lower() if style is PathStyle.WINDOWS else clean


@memoised(8192)
def _clean(path: str) -> str:
    text = path.strip().replace("\\", "/")
    if not text:
        return ""
    clean = posixpath.normpath(text)
    # POSIX leaves two leading slashes alone; here they are one, like any other pair.
    clean = clean[1:] if clean.startswith("//") else clean
    if len(clean) > LONGEST_PATH:
        digest = blake2b(clean.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        clean = f"{clean[:_KEPT]}…{digest}…{clean[-_KEPT:]}"
    return path if path == clean else clean  # one text, however often it is kept


def exact(left: str, right: str, style: PathStyle = PathStyle.POSIX) -> bool:
    """Whether two paths have the same normal form; empty paths equal nothing."""
    clean = norm(left, style)
    return bool(clean) and clean == norm(right, style)


def suffix(observed: str, wanted: str) -> bool:
    """Whether an observed path covers a wanted one: equal, or ending in `/` + wanted, any case.

    One way only: the observed path may be the longer one, never the wanted one (EL-05).
    """
    seen, claim = norm(observed).lower(), norm(wanted).lower()
    return bool(claim) and (seen == claim or seen.endswith("/" + claim))


def either_way(reported: str, wanted: str) -> bool:
    """Whether a reported path covers a wanted one: equal, or one of them ends with the other.

    A reported path that is the shorter one needs a folder (RV-12).
    """
    if reported == wanted or reported.endswith(f"/{wanted}"):
        return True
    return "/" in reported and wanted.endswith(f"/{reported}")


def is_absolute(path: str, style: PathStyle = PathStyle.POSIX) -> bool:
    """Whether a path does not depend on a current directory under these rules."""
    clean = norm(path, style)
    return clean.startswith("/") or (style is PathStyle.WINDOWS and bool(_DRIVE.match(clean)))


def below(folder: str, *names: str) -> str:
    """Return a path that stands below a folder; an absolute one stands by itself."""
    for name in names:
        folder = f"{folder}/{name}" if folder and not _STANDS_ALONE.match(name) else name
    return folder


def stands_below(key: str, folders: Set[str]) -> bool:
    """Whether a path is below one of these folders, all of them in the same normal form."""
    if "." in folders:
        return True
    if len(folders) <= key.count("/"):
        return key.startswith(tuple([f"{folder}/" for folder in folders]))
    at = key.find("/")
    while at >= 0:
        if key[:at] in folders:
            return True
        at = key.find("/", at + 1)
    return False


def fits_pattern(key: str, patterns: Iterable[str]) -> bool:
    """Whether git means a path by one of these patterns, in which `*` stands for `/` as well."""
    return any(fnmatchcase(key, pattern) for pattern in patterns)


def meant_by(pathspecs: Set[str], paths: Iterable[str]) -> list[str]:
    """Return those of some paths that git means: by name, folder or pattern."""
    below = tuple([f"{one}/" for one in pathspecs])
    patterns = {one for one in pathspecs if "*" in one}
    return [
        path
        for path in paths
        if path.startswith(below)
        or path in pathspecs
        or (patterns and fits_pattern(path, patterns))
    ]


def resolve(path: str, root: str = "", style: PathStyle = PathStyle.POSIX) -> str:
    """Return the normal form of a path, a relative one placed under the workspace `root`.

    Without a root a relative path stays relative: what is not known is not made up.
    """
    clean = norm(path, style)
    if not clean or not root.strip() or is_absolute(clean, style):
        return clean
    return norm(f"{root}/{clean}", style)


def within(path: str, root: str, style: PathStyle = PathStyle.POSIX) -> str:
    """Return a path as it stands below the folder `root`, its case kept.

    One that does not stand there, and a relative one, stays as it is in its normal form.
    """
    clean, top = norm(path), norm(root)
    head = clean[: len(top) + 1]
    below_root = bool(top) and head.endswith("/") and norm(head, style) == norm(top, style)
    return clean[len(head) :] if below_root else clean


def same_file(
    observed: str, wanted: str, *, root: str = "", style: PathStyle = PathStyle.POSIX
) -> bool:
    """Whether two paths name one file of the workspace.

    Relative paths are resolved against `root`. When no root is known, an observed absolute path
    also covers a relative claim that it ends with, component by component and with the letter
    case that the style asks for (PATH-1); a claim is never shortened to fit.
    """
    seen, claim = resolve(observed, root, style), resolve(wanted, root, style)
    if not seen or not claim or claim == ".." or claim.startswith("../"):
        return bool(seen) and seen == claim
    if seen == claim:
        return True
    rootless = not root.strip() and is_absolute(seen, style) and not is_absolute(claim, style)
    return rootless and seen.endswith("/" + claim)


def same_tree(folder: str, root: str, style: PathStyle = PathStyle.POSIX) -> bool:
    """Whether a folder is the root, below it or above it; where no root is known, any may be.

    Of one below somebody's home it is known only what its end says: `~/work` may be `/home/a/work`.
    """
    place, top = resolve(folder, root, style), norm(root, style)
    if folder.startswith("~"):
        names = norm(folder, style).split("/")[1:]
        ends = ["/".join(names[:count]) for count in range(1, len(names) + 1)]
        return not top or not names or any(top.endswith(f"/{end}") for end in ends)
    if not is_absolute(place, style):
        return not place.startswith("..") or set(place.split("/")) == {".."}
    place, top = f"{place.rstrip('/')}/", f"{top.rstrip('/')}/"
    return not root.strip() or place.startswith(top) or top.startswith(place)


_INSTALLED = re.compile(r"(?:^|/)(?:node_modules|site-packages|\.?venv|vendor/bundle)(?:/|$)")


def is_installed(folder: str, root: str, style: PathStyle = PathStyle.POSIX) -> bool:
    """Whether a folder is one of what a project has installed, which is nobody's work there."""
    place = resolve(folder, root, style) if root.strip() else folder
    return _INSTALLED.search(place.removeprefix(norm(root, style))) is not None


def is_above(folder: str, root: str, style: PathStyle = PathStyle.POSIX) -> bool:
    """Whether a folder holds the root and more; where no root is known, nothing can be said.

    Somebody's home (`~`), and the folder before this one (`~-`), are never the root.
    """
    if not root.strip():
        return False
    if folder.startswith("~"):
        return "/" not in folder.rstrip("/")
    place, top = f"{resolve(folder, root, style).rstrip('/')}/", norm(root, style)
    return f"{top.rstrip('/')}/" != place and top.startswith(place)
