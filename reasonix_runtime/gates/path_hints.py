"""The part of a refusal that says what happened to the cited paths, and what to cite instead.

One reason code has four different answers: a path was never touched, was touched by a call that
failed, was only read, or stands in the ledger under another name. Failures stand on a line of their
own, for the loop guards compare the first lines of refusals (DL-10): these are to stay the same
while nothing new succeeds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown, shown_all
from reasonix_runtime.evidence.paths import meant_by
from reasonix_runtime.gates import found

TOLD = 3
"""Of how many paths a message tells what happened."""
# Lines of a file, as people name them: `a.py:10-20`, `a.py#L10`. More than three numbers are tried
# from every one of them.
_LINES: Final = re.compile(r"(?::\d{1,9}(?:[-:,]\d{1,9}){0,2}|#L\d{1,9}(?:-L?\d{1,9})?)$")


def not_written(paths: Sequence[str], ledger: Ledger) -> str:
    """Say that no writer named these paths, what is known of them, and what to cite instead."""
    known = ledger.written_paths()
    cite = "Cite what was written, or cite" if known else "Change the file first, or cite"
    return told(
        [
            f"No file writer changed {_list(paths)}.",
            *(_read_only(path, ledger) or nearest(path, known, ledger) for path in paths[:TOLD]),
            found.paths(known, "written"),
            f"{cite} a change that was made through the shell as `files`.",
        ],
        [failed(path, ledger, reads=False) for path in paths[:TOLD]],
    )


def not_touched(paths: Sequence[str], ledger: Ledger) -> str:
    """Say that nothing read, wrote or named these paths, what is known of them, and what to do."""
    known = ledger.touched_paths()
    return told(
        [
            f"Nothing that succeeded read, wrote or named {_list(paths)}.",
            *(nearest(path, known, ledger) for path in paths[:TOLD]),
            found.paths(known, "read or written"),
            "Read the file, or cite the path as it was used.",
        ],
        [failed(path, ledger, reads=True) for path in paths[:TOLD]],
    )


def told(first: Sequence[str], second: Sequence[str]) -> str:
    """Return a message of two lines: what decided, and what failed; without the blank parts."""
    lines = (" ".join(filter(None, first)), " ".join(filter(None, second)))
    return "\n".join(filter(None, lines))


def _list(paths: Sequence[str]) -> str:
    named = filter(str.strip, paths[: found.MOST_OF_TURN])
    return shown_all(named) or "what is cited, for the paths are blank"


def _read_only(path: str, ledger: Ledger) -> str:
    if path.strip() and ledger.key(path) in ledger.read:
        return f"`{shown(path)}` was read, which proves `files`."
    return ""


def failed(path: str, ledger: Ledger, *, reads: bool) -> str:
    """Tell the latest write, or read, that named a path and failed; empty when there is none."""
    wanted = ledger.key(path)
    for receipt in reversed(ledger.receipts):
        tried = receipt.write or (reads and receipt.read)
        if tried and not receipt.success and wanted in map(ledger.key, receipt.paths):
            return f"`{receipt.tool}` of `{shown(path)}` failed: mend that and call it again."
    return ""


def nearest(path: str, known: Sequence[str], ledger: Ledger) -> str:
    """Tell the latest known path with the same file name, or one that a folder or pattern means."""
    name = _LINES.sub("", path.replace("\\", "/").rstrip("/")).rpartition("/")[2].lower()
    for other in reversed(known):
        if name and other.rpartition("/")[2].lower() == name:
            return f"The nearest is `{shown(other)}`: cite that if it is what you mean."
    meant = meant_by({ledger.key(path)}, known) if path.strip() else []
    if meant:
        return (
            f"`{shown(path)}` names no file: cite each by its name, such as `{shown(meant[-1])}`."
        )
    return ""
