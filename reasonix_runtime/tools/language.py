"""Arguments that the tools of the language servers have in common."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s

SOURCE_FILE = s.string("The source file, absolute or relative to the workspace.")


def source_position() -> dict[str, s.Schema]:
    """Return the properties that point at a symbol in a file."""
    return {
        "file": SOURCE_FILE,
        "line": s.integer("The line that the symbol is on, counted from 1."),
        "symbol": s.string("The symbol's text, exactly as on that line."),
    }
