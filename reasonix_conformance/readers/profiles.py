"""Which rule set a recording belongs to, as far as its first part shows.

Told by `docs/trace-formats.md` under Rule sets.
"""

from __future__ import annotations

import re
from typing import Any

from reasonix_conformance.readers.recording import Recording

# Keys and whole answers of a host: a file that quotes them has no such quote before them.
_UNGATED = (
    b'"tool_retired',
    b'"runState"',
    b'"tool_run_state"',
    b'"argument validation failed for ',
    b'"goal tools require the current ',
)
# What a session of such a host has before its first call: a file that was read may quote it.
_SURELY_UNGATED = (
    b"<session-context version=",
    b"u003csession-context version=",
    b'"sessionInbox"',
    b'"mcpInteraction"',
)
# The same in a prompt further on, where a compaction took what stood before the first call.
_CONTEXT = re.compile(rb'"role":\s?"user",\s?"content":\s?"(?:<|\\u003c)session-context version=')
_FIRST_CALL = re.compile(
    rb'"tool_calls":\s?\[|"role":\s?"tool"|"tool_(?:call|call_update|dispatch|result|use)"'
)
_FACTS = (b"[receipt r_", b'\\"receipt_ids\\"', b'"receipt_ids"')
_CLASSIC = (
    b'"readiness_audit"',
    b'"contract_shadow"',
    b'"complete_step"',
    b'"workDurationMs"',
)
# What a session of such a host has before its first call.
_CLASSIC_TEXTS = (
    b"<response-language>",
    b"<delivery-runtime>",
    b"<review-report-contract",
    b"_reasonix.io/session/",
)
_WIRE = ("reasonix-stream", "reasonix-trajectory")
# What these programs write belongs to no Reasonix host, whatever the texts in it say.
_OTHER_HOSTS = ("claude-code", "claude-stream", "codex", "codex-exec-stream")


# What only a run in the delivery profile (or with a goal) is asked for or refused with.
_DELIVERY = re.compile(
    rb'"missing_(?:verification|review|signoff|mutation|criteria)":[1-9]'
    rb"|blocked: delivery acceptance criteria required|blocked: active delivery todo required"
)
_GOAL = b'"goal set '


def setup_of(recording: Recording, format_name: str) -> dict[str, Any]:
    """Return what the first part of a wire recording shows of the run's profile.

    Other formats tell it turn by turn, in the prompts.
    """
    if format_name not in _WIRE:
        return {}
    head = recording.head()
    if _GOAL in head or _DELIVERY.search(head) is None:
        return {}
    return {"profile": "delivery"}


def rules_of(recording: Recording, format_name: str) -> str | None:
    """Return the rule set that the recording's own host follows, or None where nothing tells.

    Receipt lines stand in builds that also have `tool_run_state`, so they are asked for before
    that; a text of a session may hold such a line, so what only the newest line writes comes first.
    """
    if format_name == "reasonix-v4":
        return "ungated"
    if format_name in _OTHER_HOSTS:
        return None
    head = recording.head()
    if format_name in _WIRE and b'"sessionId"' in head and b'"runState"' in head:
        return "ungated"
    begin = _FIRST_CALL.split(head, maxsplit=1)[0]
    if any(mark in begin for mark in _SURELY_UNGATED) or _CONTEXT.search(head):
        return "ungated"
    if any(mark in head for mark in _FACTS):
        return "facts"
    if any(mark in head for mark in _UNGATED):
        return "ungated"
    if format_name in _WIRE and b'"kind"' in head:
        return "classic"
    if any(mark in head for mark in _CLASSIC) or any(mark in begin for mark in _CLASSIC_TEXTS):
        return "classic"
    return None
