"""What the kit raises.

::

    ConformanceError              root: wrong use or unreadable input; the text says what to do
    ├── SettingsError             an option or ini value cannot be used
    ├── SubjectError              what is under test cannot be loaded
    ├── DocumentFileError         the file of a document is missing, unreadable or not writable
    ├── SnapshotError             a snapshot file cannot be read or written
    ├── KnownFailuresError        the list of known failures is malformed
    └── NothingToAssessError      there is nothing that could be judged; never a pass
"""

from __future__ import annotations


class ConformanceError(Exception):
    """Somebody used the kit wrongly or gave it something it cannot read.

    The text is one or more whole sentences for the user: what, where, expected, what to do.
    """


class SettingsError(ConformanceError):
    """An option or ini value cannot be used."""


class SubjectError(ConformanceError):
    """The subject (what is under test) cannot be loaded."""


class DocumentFileError(ConformanceError):
    """The file of a contract document is missing, or cannot be read or written at all."""


class SnapshotError(ConformanceError):
    """A snapshot file cannot be read or written."""


class KnownFailuresError(ConformanceError):
    """The list of known failures is malformed, or names what is not there."""


class NothingToAssessError(ConformanceError):
    """Nothing was found that could be judged; a run without verdicts is never a pass."""
