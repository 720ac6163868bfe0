"""What `todo_write` does when it is called."""

from __future__ import annotations

from collections import Counter

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.judged import judged
from reasonix_runtime.tools.todo_write import DECLARATION


def run(arguments: Arguments, context: Context) -> Output:
    """Replace the task list if its gate accepts the new one."""
    judged(DECLARATION.name, context)
    counts = Counter(item["status"] for item in arguments["todos"])
    return Output(
        text=f"Todos updated: {counts.total()} total — {counts['completed']} completed, "
        f"{counts['in_progress']} in progress, {counts['pending']} pending."
    )
