"""Files that git has not met yet: a diff shows nothing of them, and a list of changes names them.

Nobody records what git knows. A file that was written as a whole before anything read, changed or
named it in the session is taken for new; who rewrites an old one has mostly looked at it.
"""

from __future__ import annotations

from reasonix_runtime.evidence.ledger import Ledger


def is_new(ledger: Ledger, path: str) -> bool:
    """Whether a file is one that the turn made, also that of the run that delegated to this one."""
    outer = ledger.outer
    if outer is not None and outer.met_first(path) is not None:
        return is_new(outer, path)
    at = ledger.met_first(path)
    if at is None or at < 0 or ledger[at].tool != "write_file":
        return False
    return not ledger.named_before(path, at)
