"""Texts that Claude Code puts into records of the user by itself."""

from __future__ import annotations

import re
from typing import Any

from reasonix_conformance.readers.files.json_values import at
from reasonix_conformance.readers.files.message_content import flat_text

_CONTINUED = "This session is being continued from a previous conversation"
"""How the summary begins that takes the place of what was said before."""
_NOT_TYPED = "[SYSTEM NOTIFICATION - NOT USER INPUT]"
NOTICES = (
    "<task-notification>", "<bash-notification>", "<agent-notification>",
    _NOT_TYPED, f"<system-reminder>\n{_NOT_TYPED}",
)  # fmt: skip
"""What news of a job in the background begin with; versions call them by several names."""
# Wrappers of texts that the program puts into user records by itself.
_HOST_TEXT = (
    "<command-", "<local-command-", "<bash-", *NOTICES, "<system-reminder>",
    "<ide_", "<user-memory-input>", "Caveat: ", _CONTINUED,
)  # fmt: skip
_OF_HOOK = re.compile(r"<[a-z-]+-hook>|\w+ (?:operation|hook) feedback:\n")
"""What a hook has to say: about a prompt, a call, or the end of a turn."""


def typed(content: Any) -> str:
    """Return what the user wrote: the text without the parts that the program puts in."""
    parts = content if isinstance(content, list) else [content]
    texts = [flat_text([part]) for part in parts]
    return "".join(text for text in texts if not is_host_text(text))


def is_host_text(text: str) -> bool:
    """Whether a text of a user record is the program's own."""
    return text.startswith(_HOST_TEXT) or _OF_HOOK.match(text) is not None


def is_summary(record: Any, text: str) -> bool:
    """Whether a user record is the summary of a conversation that was compacted.

    The records of the first versions have no mark of it but their words.
    """
    return at(record, "isCompactSummary") is True or text.startswith(_CONTINUED)
