"""What the exit code of a command says; pytest keeps its own codes."""

from __future__ import annotations

from typing import Final

GOOD: Final = 0
FAILED: Final = 1
"""Something failed its check."""
WRONG_USE: Final = 2
"""Wrong use, or input that cannot be read."""
NOTHING_ASSESSED: Final = 3
"""Nothing could be assessed, which is never good."""
INTERRUPTED: Final = 130
