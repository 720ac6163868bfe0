"""Regular expressions of callers: the RE2 dialect, whose matching takes linear time."""

from __future__ import annotations

from typing import Any, Protocol

from reasonix_runtime.tools.errors import ToolError


class Pattern(Protocol):
    """A compiled expression."""

    def search(self, text: str) -> Any:
        """Return the first match in `text`, or None."""


def compile_pattern(expression: str, what: str) -> Pattern:
    """Compile an expression; raises ToolError that begins with `what`."""
    # Imported here: a host that only shows its contract needs no expressions.
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        pattern: Pattern = re2.compile(expression, options=options)
    except re2.error as error:
        reason = error.args[0]
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise ToolError(f"{what}: {text}") from error
    return pattern
