"""What a run says about a citation."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class ExitStatus(StrEnum):
    """Whose exit status the status of the whole call is."""

    OWNED = "owned"  # the call succeeded only if the cited command did
    MASKED = "masked"  # the cited command may have failed and the call still succeeds
    UNKNOWN = "unknown"  # nothing can be said


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """What a run says about a citation; true when the run covers it.

    `why` tells, for a citation that is not covered, what stands against it, in words made for a
    message; it is empty when covered. `near` tells that the program of the citation did run.
    """

    covered: bool
    status: ExitStatus = ExitStatus.UNKNOWN
    why: str = ""
    near: bool = False

    def __bool__(self) -> bool:
        return self.covered

    @property
    def status_owned(self) -> bool:
        """Whether a successful call means that the cited command succeeded."""
        return self.covered and self.status is ExitStatus.OWNED
