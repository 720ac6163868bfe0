"""Folders for what nobody keeps, and whether the work itself stands in one of them.

Work may stand below `/tmp`, and then what is removed there may be the work. So a path is scratch
only where it is known that the work stands apart from it. Where nobody told the workspace, only a
log directly in such a folder is: the work may stand in any folder below.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.evidence.options.common import SCRATCH_FOLDERS, SCRATCH_LOG
from reasonix_runtime.evidence.paths import PathStyle, is_absolute, norm, same_tree

UNTOLD: Final = "untold"
"""Nobody told where the work stands."""
APART: Final = "apart"
"""The work stands neither in a folder for scratch nor around one."""

# By other names macOS and Windows have such folders too.
_PREFIX: Final = "/private"
_ELSEWHERE: Final = re.compile(r"/te?mp/|/var/folders/", re.IGNORECASE)
_PATTERN: Final = re.compile(r"[*?\[{]")
# To cmd such a name is a variable, whatever shell the rest of a text speaks of.
_OF_CMD: Final = re.compile(r"%\w+%|!\w+!")


def work_of(root: str) -> str:
    """Return what the root of the work says of scratch: `UNTOLD`, `APART`, or the root itself."""
    top = norm(root).removeprefix(_PREFIX)
    if not any(is_absolute(top, style) for style in PathStyle):
        return UNTOLD
    around = any(same_tree(place, top) for place in SCRATCH_FOLDERS)
    return top if around or _ELSEWHERE.search(f"{top}/") else APART


def is_scratch(path: str, work: str) -> bool:
    """Whether a path, or all that a pattern means, is scratch; `work` is that of `work_of`."""
    clean = norm(path).removeprefix(_PREFIX)
    if ".." in path.split("/") or _OF_CMD.search(path):
        return False
    if work == UNTOLD:
        return SCRATCH_LOG.fullmatch(clean) is not None
    if not any(clean.startswith(f"{place}/") for place in SCRATCH_FOLDERS):
        return False
    pattern = _PATTERN.search(clean)
    fixed = clean[: clean.rfind("/", 0, pattern.start())] if pattern else clean
    return work == APART or not same_tree(fixed, work)
