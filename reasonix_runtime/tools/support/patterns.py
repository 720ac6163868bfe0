"""Regular expressions of callers: the RE2 dialect, whose matching takes linear time."""

from __future__ import annotations

from typing import Any

from reasonix_runtime.tools.errors import ToolError


class Pattern:
    """A compiled expression."""

    def __init__(self, compiled: Any) -> None:
        self._compiled = compiled

    def search(self, text: str) -> bool:
        """Whether the expression matches anywhere in the text.

        A file name that is no valid text is matched with a replacement for each odd byte.
        """
        try:
            return self._compiled.search(text) is not None
        except UnicodeEncodeError:
            plain = text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            return self._compiled.search(plain) is not None


def compile_pattern(expression: str, what: str) -> Pattern:
    """Compile an expression; raises ToolError that begins with `what`."""
    # Imported here: a host that only shows its contract needs no expressions.
    import re2

    options = re2.Options()
    options.log_errors = False
    try:
        return Pattern(re2.compile(expression, options=options))
    except re2.error as error:
        reason = error.args[0]
        text = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
        raise ToolError(f"{what}: {text}") from error
