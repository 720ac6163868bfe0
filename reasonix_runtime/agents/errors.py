"""What can go wrong with a model, before and during a run.

::

    ReasonixError
    ├── ModelError              the model gave no answer that can be worked with: the turn fails
    │   ├── UnreachableError    no connection, or no answer in time
    │   ├── StatusError         the provider answered with an error; `status` is its HTTP status
    │   ├── MalformedError      what came is no answer of the protocol
    │   └── ScriptEndError      a script has no further answer
    ├── ScopeEndedError         an agent goes on whose end was told: it was cancelled meanwhile
    ├── ModelSettingsError      a model cannot be set up as it was asked for
    └── RecordError             the record of a run cannot be written where it was asked for

A script that cannot be read is a `ValueFileError` with file and line.
"""

from __future__ import annotations

from reasonix_runtime.errors import ReasonixError


class ModelError(ReasonixError):
    """The model gave no answer that can be worked with."""


class UnreachableError(ModelError):
    """There was no connection to the provider, or no answer in time."""


class StatusError(ModelError):
    """The provider answered with an error; `retry_after` is how many seconds it asks to wait."""

    def __init__(self, message: str, *, status: int, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after


class MalformedError(ModelError):
    """What came is no answer of the protocol."""


class ScriptEndError(ModelError):
    """A script has no further answer."""


class ScopeEndedError(ReasonixError):
    """An agent goes on whose end was told: it was cancelled meanwhile."""


class ModelSettingsError(ReasonixError):
    """A model cannot be set up as it was asked for."""


class RecordError(ReasonixError):
    """The record of a run cannot be written where it was asked for."""
