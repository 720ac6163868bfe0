"""What is known of the folder that a run works in: how paths compare there, what is of its work.

In a host the ledger answers all of it. Left out, paths are what they are called, and everything is
of the work.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from reasonix_runtime.evidence.receipts import Receipt


@dataclass(frozen=True, slots=True, kw_only=True)
class Workplace:
    """The answers about one folder.

    Attributes:
        key: gives the form in which paths are compared (`Ledger.key`).
        fits: tells whether an observed path shows a wanted one (`Ledger.fits`).
        places: gives the places of changed paths in the workspace, in their own case, where the
            receipt tells it (`Ledger.places`).
        inside: tells whether what git says in a folder is said of the workspace (`Ledger.inside`).
        holds: tells whether a check of a folder is one of the workspace (`Ledger.holds`).
        is_new: tells whether a file is one that git has not met (`new_files.is_new`).
        own_text: gives what a check took in that the session wrote (`Ledger.own_text`).
    """

    key: Callable[[str], str] = str
    fits: Callable[[str, str], bool] = str.__eq__
    places: Callable[[Receipt, Sequence[str]], Sequence[str]] = lambda _, paths: paths
    inside: Callable[[str], bool] = lambda _: True
    holds: Callable[[str], bool] = lambda _: True
    is_new: Callable[[str], bool] = lambda _: False
    own_text: Callable[[str], str] = lambda _: ""


NOWHERE = Workplace()
"""A folder of which nothing is known."""
