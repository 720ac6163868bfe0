"""What the tools raise; each becomes an `error:` or `blocked:` result, never a traceback.

::

    ReasonixError
    └── ToolError                   the call failed; `output` is what the tool had to say by then
        ├── UnknownToolError        the agent has no such tool
        ├── InvalidCallError        the arguments do not fit the tool's schema or its own checks
        ├── BlockedError            refused before anything ran
        ├── CommandError            a command did not end with status 0
        ├── OutsideWorkspaceError   the path leads outside the roots
        ├── PathError               the operating system, or we, refused that path
        │   ├── NotRegularError     a directory, device, FIFO or socket where a file is needed
        │   └── ChangedError        the file is not the one that was read
        ├── NotFoundError           the text to replace is not there
        ├── NotUniqueError          the text to replace is there more than once
        └── TextError               bytes and text do not fit each other
            ├── BinaryFileError     it holds NUL bytes
            ├── UndecodableError    no encoding reads it without loss
            └── UnencodableError    the file's encoding cannot hold the new text
"""

from __future__ import annotations

from reasonix_runtime.errors import ReasonixError


class ToolError(ReasonixError):
    """A call failed; the text is for the model, `output` what the tool produced before."""

    def __init__(self, message: str, *, output: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.output = output


class UnknownToolError(ToolError):
    """The agent has no tool of that name; nothing ran."""


class InvalidCallError(ToolError):
    """The arguments are not what the tool takes; nothing ran."""


class BlockedError(ToolError):
    """The host refused the call before it ran."""


class CommandError(ToolError):
    """A command did not end with status 0; `exit_code` is None where it had no status."""

    def __init__(
        self, message: str, *, output: str, exit_code: int | None, cancelled: bool = False
    ) -> None:
        super().__init__(message, output=output)
        self.exit_code = exit_code
        self.cancelled = cancelled


class OutsideWorkspaceError(ToolError):
    """A path leads outside the roots of the workspace."""


class PathError(ToolError):
    """A path cannot be used; `reason` is the cause alone, without the operation and the path."""

    def __init__(self, operation: str, path: str, reason: str) -> None:
        super().__init__(f"{operation} {path}: {reason}")
        self.reason = reason


class NotRegularError(PathError):
    """Something other than a regular file stands at that path."""


class ChangedError(PathError):
    """The file changed after it was read, so the change was not written."""


class NotFoundError(ToolError):
    """The text to replace is not there."""


class NotUniqueError(ToolError):
    """The text to replace is there more than once."""


class TextError(ToolError):
    """Bytes and text do not fit each other; the file keeps its bytes."""


class BinaryFileError(TextError):
    """The bytes are not text."""


class UndecodableError(TextError):
    """No encoding that we would write back reads these bytes."""


class UnencodableError(TextError):
    """The encoding of the file has no bytes for a character of the new text."""


def os_reason(error: OSError) -> str:
    """Return the cause of a system error in lower case, as hosts word it."""
    text = error.strerror or str(error)
    return text[:1].lower() + text[1:]
