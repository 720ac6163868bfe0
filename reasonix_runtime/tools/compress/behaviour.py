"""What `compress` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support import compression


def run(arguments: Arguments, context: Context) -> Output:
    """Fold what lies before or after an anchor into a summary, and answer with the figures."""
    anchor: str = arguments["anchor"].strip()
    focus: str = arguments.get("focus", "").strip()
    if not anchor:
        raise ToolError("anchor is required")
    for name, text, most in (
        ("anchor", anchor, compression.ANCHOR_BYTES),
        ("focus", focus, compression.FOCUS_BYTES),
    ):
        if len(text.encode()) > most:
            raise ToolError(f"{name} is longer than {most} bytes")
    if context.compressor is None:
        raise ToolError("compress is unavailable: this host bound no conversation to the call")
    return Output(
        text=compression.compress(
            context.compressor, direction=arguments["direction"], anchor=anchor, focus=focus
        )
    )
