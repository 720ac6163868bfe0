"""Which rule set a recording belongs to, as far as its first part shows.

Told by `docs/trace-formats.md` under Rule sets.
"""

from __future__ import annotations

import re
from typing import Any

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.format_facts import OF_OTHER_HOSTS, WIRE

# Keys and whole answers of a host: a file that quotes them has no such quote before them.
_UNGATED = (
    b'"tool_retired',
    b'"runState"',
    b'"tool_run_state"',
    b'"argument validation failed for ',
    b'"goal tools require the current ',
)
# A prompt of a host begins with its block: one that is quoted stands in a text, inside quotes
# that are escaped there, or behind other words. A route to a capability may stand in front of it.
_BEGINS = (
    rb'(?<!\\)"(?:<capability-route [^>]*>(?:[^"\\<]|\\.|<(?!/capability))*</capability-route>'
    rb"(?:\\n)*)?"
)
# What a session of such a host has before the model acts: a file that was read may quote it.
_SURELY_UNGATED = re.compile(
    _BEGINS + rb'<session-context version=|"sessionInbox"|"mcpInteraction"', re.DOTALL
)
# The same in a prompt further on, where a compaction took what stood before the first call.
_CONTEXT = re.compile(rb'"role"\s*:\s*"user"\s*,\s*"content"\s*:\s*"<session-context version=')
_FIRST_ACT = re.compile(
    rb'"(?:role|ev|source)"\s*:\s*"(?:assistant|agent|tool)"|"tool_calls"\s*:\s*\['
    rb'|"(?:agent_message_chunk|tool_(?:call|call_update|dispatch|result|use))"'
)
# A receipt ends a result, and arguments name receipts; what a text quotes stands inside it.
_FACTS = re.compile(
    rb'\[receipt r_[^"\\\]]*\](?:\\n)?"'
    rb'|"receipt_ids"'
    rb'|"(?:args|arguments)"\s*:\s*"(?:[^"\\]|\\.)*?\\"receipt_ids\\"'
)
# What such a host writes beside its results; a command can print the line, and a model name the
# argument, but neither can write a key of a record.
_WITH_FACTS = (b'"tool_run_state"', b'"runState"')
_CLASSIC = (b'"readiness_audit"', b'"contract_shadow"', b'"workDurationMs"')
_CLASSIC_TOOL = re.compile(
    rb'"(?:name|title|function|function_name|stringValue)"\s*:\s*"complete_step"'
)
# Who signs off cites evidence. Other agents have a tool of that name, too, and mean something else.
_EVIDENCE = re.compile(rb'"evidence\\*"\s*:')
# What a session of such a host has before the model acts.
_CLASSIC_TEXTS = re.compile(
    _BEGINS + rb"<(?:response-language>|delivery-runtime>|review-report-contract)"
    rb'|"_reasonix\.io/session/',
    re.DOTALL,
)
# The same of any host of the contract, and its tools: one by its name, others with an argument.
_BLOCKS = re.compile(
    _BEGINS + rb"<(?:response-language>|delivery-runtime>|(?:session|subagent)-context )", re.DOTALL
)
_OWN_TOOLS = (
    (re.compile(rb'"name"\s*:\s*"use_capability"'), None),
    (re.compile(rb'"name"\s*:\s*"complete_step"'), _EVIDENCE),
    (re.compile(rb'"name"\s*:\s*"review_report"'), re.compile(rb'\\*"reviewed_paths\\*"\s*:')),
)

# What only a run in the delivery profile (or with a goal) is asked for or refused with.
_DELIVERY = re.compile(
    rb'"missing_(?:verification|review|signoff|mutation|criteria)"\s*:\s*[1-9]'
    rb'|"err"\s*:\s*"blocked: (?:delivery acceptance criteria|active delivery todo) required'
)
_GOAL = b'"goal set '

# Some programs write these letters as escapes.
_ESCAPED = (
    (b"\\u0022", b'\\"'),
    *((b"\\u003c", b"<"), (b"\\u003C", b"<")),
    *((b"\\u003e", b">"), (b"\\u003E", b">")),
)


def _head_of(recording: Recording) -> bytes:
    """Return the first part of a recording, written as most programs write it."""
    head = recording.head()
    if b"\\u00" not in head:
        return head
    # Between escaped backslashes every backslash begins an escape, so none is cut.
    parts = head.split(b"\\\\")
    for escape, letter in _ESCAPED:
        parts = [part.replace(escape, letter) for part in parts]
    return b"\\\\".join(parts)


def marks_failures(recording: Recording) -> bool:
    """Whether messages are those of a host of the contract, which puts a mark before failures.

    Only what the host itself says counts: the text of a tool may quote it, and other agents have
    lists and goals too.
    """
    head = _head_of(recording)
    if _CONTEXT.search(head) or any(
        tool.search(head) and (argument is None or argument.search(head))
        for tool, argument in _OWN_TOOLS
    ):
        return True
    return _BLOCKS.search(_FIRST_ACT.split(head, maxsplit=1)[0]) is not None


def setup_of(recording: Recording, format_name: str) -> dict[str, Any]:
    """Return what the first part of a wire recording shows of the run's profile.

    Other formats tell it turn by turn, in the prompts.
    """
    if format_name not in WIRE:
        return {}
    head = _head_of(recording)
    if _GOAL in head or _DELIVERY.search(head) is None:
        return {}
    return {"profile": "delivery"}


def rules_of(recording: Recording, format_name: str) -> str | None:
    """Return the rule set that the recording's own host follows, or None where nothing tells.

    Receipt lines stand in builds that also have `tool_run_state`, so they are asked for before
    that, and only beside it; a text of a session may hold such a line, so what only the newest line
    writes comes first.
    """
    if format_name == "reasonix-v4":
        return "ungated"
    if format_name in OF_OTHER_HOSTS:
        return None
    head = _head_of(recording)
    if format_name in WIRE and b'"sessionId"' in head and b'"runState"' in head:
        return "ungated"
    begin = _FIRST_ACT.split(head, maxsplit=1)[0]
    if _SURELY_UNGATED.search(begin) or _CONTEXT.search(head):
        return "ungated"
    if any(key in head for key in _WITH_FACTS) and _FACTS.search(head):
        return "facts"
    if any(mark in head for mark in _UNGATED):
        return "ungated"
    if format_name in WIRE and b'"kind"' in head:
        return "classic"
    if any(mark in head for mark in _CLASSIC):
        return "classic"
    own = format_name.startswith("reasonix")
    if _CLASSIC_TOOL.search(head) and (own or _EVIDENCE.search(head)):
        return "classic"
    return "classic" if _CLASSIC_TEXTS.search(begin) else None
