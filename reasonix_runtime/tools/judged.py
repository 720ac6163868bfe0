"""Tools that only keep books: their gate decides, and its message is the answer."""

from __future__ import annotations

from reasonix_runtime.tools.context import Context, Output
from reasonix_runtime.tools.errors import BlockedError, ToolError


def judged(name: str, context: Context) -> Output:
    """Ask the gate of the call that is running, and answer as it decides.

    Raises BlockedError where the rule set has no such gate, ToolError when it refuses.
    """
    # Imported here, because whoever only reads declarations should not load the rules.
    from reasonix_runtime.gates.verdict import Decision

    if context.judge is None:
        raise BlockedError(f"{name} needs a host that keeps the books; there is none here")
    verdict = context.judge()
    if verdict.decision is Decision.NOT_ASSESSABLE:
        raise BlockedError(verdict.message)
    if not verdict.accepted:
        raise ToolError(verdict.message)
    return Output(text=verdict.message)
