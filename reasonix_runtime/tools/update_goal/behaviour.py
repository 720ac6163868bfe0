"""What `update_goal` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.judged import judged
from reasonix_runtime.tools.update_goal import DECLARATION


def run(arguments: Arguments, context: Context) -> Output:
    """Report how a goal turn went, if its gate accepts the report."""
    return judged(DECLARATION.name, context)
