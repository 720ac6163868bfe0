"""What records of each format look like: the marks by which `detect.py` tells formats apart.

Who adds a format adds its test to `RECORD_TESTS`, before every test that its records pass as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from reasonix_conformance.readers.detection.foreign_marks import FOREIGN_TESTS, FOREIGN_WORDS
from reasonix_conformance.readers.files.json_values import at, list_at, text_at
from reasonix_conformance.readers.model_apis.answers import ANTHROPIC, CHAT, answer_in, messages_at
from reasonix_conformance.readers.otel_events import has_messages

_WIRE_KINDS = frozenset(
    {
        "turn_started", "turn_status", "turn_done", "stream_attempt", "tool_dispatch",
        "tool_result", "tool_started", "message", "user_message", "text", "notice", "usage",
        "reasoning", "runtime_state", "turn_phase",
    }
)  # fmt: skip
_LOG_2_TYPES = frozenset(
    {
        "log", "writer", "message", "patch", "turn_begin", "turn_end", "select", "rewind",
        "redact",
    }
)  # fmt: skip
_CLAUDE_TYPES = frozenset(
    {
        "user", "assistant", "system", "progress", "summary", "file-history-snapshot",
        "queue-operation",
    }
)  # fmt: skip
_CODEX_STREAM = frozenset(
    {
        "session.created", "thread.started", "turn.started", "turn.completed", "turn.failed",
        "item.started", "item.updated", "item.completed",
    }
)  # fmt: skip
_CODEX_BEGINS = frozenset({"session_configured", "task_started", "agent_message", "error"})
_EXCHANGED = (
    (),
    ("body",),
    ("params",),
    ("request",),
    ("request", "body"),
    ("response",),
    ("response", "body"),
)
"""Where a record of a log may have what was sent to the Responses interface, or came back."""
_SDK_CLASSES = ("AssistantMessage", "ResultMessage", "SystemMessage", "UserMessage")
_SDK_FIELDS = (
    {"content", "parent_tool_use_id"},
    {"data", "subtype"},
    {"duration_ms", "num_turns", "session_id", "subtype"},
)


def _blocks(record: Any) -> Iterator[str]:
    content = at(record, "content")
    if content is None:
        content = at(record, "message", "content")
    for block in content if isinstance(content, list) else ():
        yield text_at(block, "type")


def _uses_blocks(record: Any) -> bool:
    """Whether a message calls or answers by content blocks."""
    return any(kind.endswith(("tool_use", "tool_result")) for kind in _blocks(record))


def _is_anthropic(record: Any) -> bool:
    """Whether a message, or a request with its answer, is one of the Anthropic interface."""
    if "uuid" in record:
        return False
    if _uses_blocks(record) or any(map(_uses_blocks, _history(record))):
        return True
    if _is_answer(record) or text_at(record, "type") == "message_start":
        return True
    if text_at(record, "role") == "assistant" and "stop_reason" in record:
        return True
    if not messages_at(record):
        return False
    found = answer_in(record, ANTHROPIC)
    answer = at(record, "response") if found is None else found.message
    return at(answer, "stop_reason") is not None


def _is_answer(record: Any) -> bool:
    """Whether a record is an answer of the Anthropic interface as it was sent."""
    return text_at(record, "type") == "message" and "stop_reason" in record


def _answers(record: Any) -> bool:
    """Whether a record is an answer, or holds one, and does not hold its request."""
    if messages_at(record):
        return False
    if isinstance(at(record, "result", "message"), dict) and "custom_id" in record:
        return True
    return _is_answer(record) or ("role" not in record and _chat_answer(record))


def _chat_answer(record: Any) -> bool:
    streamed = isinstance(at(record, "choices", 0, "delta"), dict)
    return not streamed and answer_in(record, CHAT) is not None


def _history(record: Any) -> list[Any]:
    """Return the messages that a request holds, with what may be its answer."""
    found = messages_at(record)
    return [*found, at(record, "response")] if found else []


def holds_messages(record: Any) -> bool:
    """Whether a request, or its answer, is one of messages that somebody said in a role."""
    return any(text_at(message, "role") for message in _history(record))


def _is_transcript_turn(turn: Any) -> bool:
    """Whether a turn is one of a transcript: either of its parts may be missing."""
    return isinstance(at(turn, "events"), list) or isinstance(at(turn, "end"), dict)


def _is_interface_call(record: Any) -> bool:
    """Whether an item calls or answers by a type of the Responses interface."""
    return text_at(record, "type").endswith(("_call", "_call_output"))


def _is_sdk_object(record: Any) -> bool:
    """Whether a message is one of the Agent SDK for Python, by its class or by its fields."""
    if "type" in record:
        return text_at(record, "type") in _SDK_CLASSES
    return "role" not in record and any(fields <= record.keys() for fields in _SDK_FIELDS)


def holds_items(record: Any) -> bool:
    """Whether a request, or its answer, is one of the Responses interface, by its items."""
    sides = [at(record, *path) for path in _EXCHANGED]
    items = (item for side in sides for key in ("input", "output") for item in list_at(side, key))
    return any(text_at(side, "object") == "response" for side in sides) or any(
        _is_interface_call(item) or text_at(item, "type") in ("message", "reasoning")
        for item in items
    )


def _is_of_swe_agent(record: Any) -> bool:
    """Whether a trajectory is SWE-agent's, or one of mini-swe-agent without calls in its messages.

    The others of mini-swe-agent hold Chat Completions messages.
    """
    if "trajectory_format" in record:
        return not any(list_at(message, "tool_calls") for message in messages_at(record))
    return "trajectory" in record and "history" in record


def _is_version(record: Any, number: int) -> bool:
    return bool(at(record, "schema_version") == number)


_Test = Callable[[Any], bool]
RECORD_TESTS: tuple[tuple[str, _Test], ...] = (
    ("neutral", lambda r: "ev" in r),
    ("transcript", lambda r: any(map(_is_transcript_turn, list_at(r, "turns")))),
    ("redacted-events", lambda r: _is_version(r, 1) and "sequence" in r and "kind" in r),
    ("reasonix-trajectory", lambda r: _is_version(r, 1) and "seq" in r and "ts" in r),
    (
        "reasonix-log-1",
        lambda r: (
            _is_version(r, 1) and text_at(r, "type") in ("replace", "append") and "messages" in r
        ),
    ),
    ("reasonix-log-2", lambda r: _is_version(r, 2) and text_at(r, "type") in _LOG_2_TYPES),
    ("acp", lambda r: text_at(r, "jsonrpc") == "2.0"),
    ("reasonix-stream", lambda r: text_at(r, "kind") in _WIRE_KINDS and "schema_version" not in r),
    ("typescript-transcript", lambda r: text_at(r, "role") == "_meta"),
    (
        "typescript-events",
        lambda r: "." in text_at(r, "type") and "turn" in r and "ts" in r,
    ),
    ("atif", lambda r: text_at(r, "schema_version").startswith("ATIF")),
    ("otel", lambda r: "resourceSpans" in r or has_messages(r)),
    ("logs", lambda r: "resourceLogs" in r or "resourceMetrics" in r),
    ("otel-console", lambda r: at(r, "context", "trace_state") is not None),
    ("otel-console", lambda r: "severity_number" in r and "trace_id" in r),
    ("jaeger", lambda r: "traceID" in r or bool(text_at(r, "data", 0, "traceID"))),
    ("zipkin", lambda r: "traceId" in r and "localEndpoint" in r),
    ("har", lambda r: bool(list_at(r, "log", "entries"))),
    ("inspect", lambda r: "eval" in r and ("samples" in r or "version" in r)),
    *FOREIGN_TESTS,
    ("codex-exec-stream", lambda r: text_at(r, "type") in _CODEX_STREAM),
    ("codex-exec-stream", lambda r: "id" in r and text_at(r, "msg", "type") in _CODEX_BEGINS),
    ("codex", lambda r: "payload" in r and "type" in r and "timestamp" in r),
    ("codex", lambda r: "record_type" in r or {"id", "timestamp", "instructions"} <= r.keys()),
    ("claude-stream", lambda r: text_at(r, "type") == "system" and text_at(r, "subtype") == "init"),
    (
        "claude-stream",
        lambda r: (
            text_at(r, "type") in ("user", "assistant", "system", "stream_event", "result")
            and isinstance(r.get("session_id"), str)
            and not {"event", "message", "parent_tool_use_id", "subtype"}.isdisjoint(r)
        ),
    ),
    (
        "claude-code",
        lambda r: text_at(r, "type") in ("user", "assistant") and "uuid" in r and "sessionId" in r,
    ),
    ("claude-sdk-objects", _is_sdk_object),
    ("summary", lambda r: text_at(r, "type") in _CLAUDE_TYPES and "role" not in r),
    ("swe-agent", _is_of_swe_agent),
    (
        "openhands",
        lambda r: (
            text_at(r, "kind").endswith("Event")
            or (
                "source" in r
                and isinstance(r.get("id"), int)
                and ("action" in r or "observation" in r)
            )
        ),
    ),
    ("answer", _answers),
    ("anthropic-messages", _is_anthropic),
    (
        "reasonix-messages",
        lambda r: "role" in r and isinstance(at(r, "tool_calls", 0, "name"), str),
    ),
    ("reasonix-messages", lambda r: "role" in r and "raw_content" in r),
    ("chat-completions", lambda r: "role" in r and at(r, "tool_calls", 0, "function") is not None),
    ("chat-completions", lambda r: "role" in r and isinstance(r.get("function_call"), dict)),
    (
        "openai-responses",
        lambda r: _is_interface_call(r) and ("call_id" in r or "id" in r),
    ),
    (
        "openai-responses",
        lambda r: text_at(r, "type").startswith("response.") and "sequence_number" in r,
    ),
    ("openai-responses", holds_items),
    ("item", lambda r: text_at(r, "type") in ("message", "reasoning")),
    ("chat-completions-document", lambda r: bool(list_at(r, "traj"))),
    ("role", lambda r: "role" in r),
    (
        "chat-requests",
        lambda r: (
            any(list_at(message, "tool_calls") for message in _history(r))
            or isinstance(at(r, "choices", 0, "delta"), dict)
        ),
    ),
    ("requests", holds_messages),
)
"""The tests of a record in their order; the first that holds names it.

The name is that of a format, of one that is recognised and refused (`refused.py`), or a weak one
(`GUESSES`).
"""
DOCUMENT_TESTS: tuple[tuple[str, _Test], ...] = tuple(
    (name, test)
    for name, test in RECORD_TESTS
    if name
    in (
        "anthropic-messages",
        "atif",
        "autogen-messages",
        "cline",
        "continue",
        "crewai",
        "data-set",
        "har",
        "inspect",
        "jaeger",
        "langchain-messages",
        "messages-of-parts",
        "mlflow",
        "neutral",
        "otel",
        "otel-console",
        "swe-agent",
        "transcript",
    )
)
"""Those of the tests that also tell a document: one JSON value over many lines."""

GUESSES = {
    "answer": "answers",
    "logs": "otlp-logs",
    "role": "chat-completions",
    "summary": "claude-code",
    "item": "openai-responses",
    "requests": "chat-requests",
}
"""Weak names: what records of several formats look like, and which format is taken for it.

A later record with a name that is not weak overrules it.
"""

# A word that other documents use as well counts only with what stands behind it.
WORDS = tuple(
    (re.compile(word, re.DOTALL), name)
    for word, name in (
        (rb'"resourceSpans"', "otel"),
        (rb'"resourceLogs"', "otlp-logs"),
        (rb'"trace_state"', "otel-console"),
        (rb'"severity_number"', "otel-console"),
        (rb'"traceID"', "jaeger"),
        (rb'"localEndpoint"', "zipkin"),
        (rb'"ATIF-', "atif"),
        (rb'"subtype"\s*:\s*"init"', "claude-stream"),
        (rb'"eval"', "inspect"),
        (rb'"trajectory"', "swe-agent"),
        (rb'"mini_version".*"tool_calls"\s*:\s*\[', "chat-completions-document"),
        (rb'"instance_template"', "swe-agent"),
        *FOREIGN_WORDS,
        (rb'"tool_use"', "anthropic-messages"),
        (rb'"tool_result"', "anthropic-messages"),
        (rb'"function_call_output"', "openai-responses"),
        (
            rb'"role"\s*:\s*"(?:assistant|developer|function|system|tool|user)"',
            "chat-completions-document",
        ),
        (rb'"turns"', "transcript"),
        (rb'\A\{\s*"log"\s*:.*"entries"', "har"),
    )
)
"""What tells a document of which only the start is at hand, so that it cannot be decoded."""
