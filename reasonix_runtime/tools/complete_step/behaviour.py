"""What `complete_step` does when it is called."""

from __future__ import annotations

from reasonix_runtime.tools.complete_step import DECLARATION
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.judged import judged


def run(arguments: Arguments, context: Context) -> Output:
    """Sign a step off if its gate finds the evidence."""
    return judged(DECLARATION.name, context)
