"""What records look like that libraries of agents write and that are not read.

Many of them look like those of a format that is: some have its roles, others its fields.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from reasonix_conformance.readers.files.json_values import at, list_at, text_at
from reasonix_conformance.readers.model_apis.answers import messages_at

_RUN_OF_NODES = re.compile(r"on_(?:chain|chat_model|llm|tool|retriever|prompt|parser)_")


def _states(record: Any) -> Iterator[Any]:
    """Yield a record, and the states inside it: of a graph, or of each of its nodes."""
    yield record
    if isinstance(record, dict):
        yield from (value for value in record.values() if isinstance(value, dict))


def _is_langchain(record: Any) -> bool:
    """Whether a message, or one of a state, has a kind in place of a role."""
    if _RUN_OF_NODES.match(text_at(record, "event")) and "run_id" in record:
        return True
    return any(
        at(message, "lc") == 1
        or (
            text_at(message, "type") in ("human", "ai", "tool", "system")
            and ("additional_kwargs" in message or at(message, "data", "content") is not None)
        )
        for message in (record, *(m for state in _states(record) for m in messages_at(state)))
    )


def _has_parts(record: Any) -> bool:
    """Whether a message consists of parts; an event may hold it as its content."""
    content = at(record, "content")
    message = content if isinstance(content, dict) else record
    written = at(message, "role") is not None and at(message, "content") is None
    return written and bool(list_at(message, "parts"))


def _is_of_parts(record: Any) -> bool:
    inside = (list_at(record, key) for key in ("contents", "events"))
    return _has_parts(record) or any(_has_parts(message) for found in inside for message in found)


def _is_converse(record: Any) -> bool:
    """Whether a message, or one of a request, has blocks that are named by their key."""
    return any(
        isinstance(block, dict) and ("toolUse" in block or "toolResult" in block)
        for message in (record, *messages_at(record))
        for block in list_at(message, "content")
    )


def _is_of_ai_sdk(record: Any) -> bool:
    """Whether a message, or one of a request, calls or answers by a block with a hyphen."""
    return any(
        text_at(block, "type") in ("tool-call", "tool-result") and "toolCallId" in block
        for message in (record, *messages_at(record))
        for block in list_at(message, "content")
    )


def _is_of_qwen(record: Any) -> bool:
    """Whether a record is Qwen Code's, whose output and files have the fields of Claude Code's."""
    return "qwen_code_version" in record or (
        "sessionId" in record and "uuid" in record and bool(list_at(record, "message", "parts"))
    )


def _is_of_opencode(record: Any) -> bool:
    """Whether a record is an event of an OpenCode run, a session, or a message of one."""
    return ("sessionID" in record and at(record, "part", "messageID") is not None) or any(
        at(message, "info", "sessionID") is not None and isinstance(at(message, "parts"), list)
        for message in (record, *messages_at(record))
    )


def _is_of_smolagents(record: Any) -> bool:
    """Whether a record is a step that was remembered, or a message of one."""
    return "model_input_messages" in record or (
        text_at(record, "role") in ("tool-call", "tool-response")
    )


def _is_of_copilot(record: Any) -> bool:
    """Whether a record is an event of a Copilot CLI session, or of the output of a run."""
    return (
        re.match(r"(?:session|assistant|tool|user)\.\w+$", text_at(record, "type")) is not None
        and isinstance(at(record, "data"), dict)
        and {"id", "parentId"} <= record.keys()
    )


def _is_of_cline(record: Any) -> bool:
    """Whether a record is an event of a Cline run, or a session with its messages."""
    event = at(record, "event", "type")
    session = {"agent", "messages", "origin", "sessionId"} <= record.keys()
    return session or (text_at(record, "type") == "agent_event" and isinstance(event, str))


def _is_of_semantic_kernel(record: Any) -> bool:
    """Whether a record is a message of Semantic Kernel, or a history of them."""
    return any(
        text_at(message, "content_type") == "message" and isinstance(at(message, "items"), list)
        for message in (record, *messages_at(record))
    )


def _is_of_mlflow(record: Any) -> bool:
    """Whether a record is a trace of MLflow: its spans keep inputs and outputs as attributes."""
    spans = list_at(record, "data", "spans")
    return bool(spans) and at(record, "info", "trace_id") is not None


def _is_of_gemini(record: Any) -> bool:
    """Whether a record is of a session of Gemini CLI, or of the output of one of its runs."""
    begins = text_at(record, "type") == "init" and {"model", "session_id"} <= record.keys()
    acts = text_at(record, "type") in ("tool_use", "tool_result") and "tool_id" in record
    return begins or acts or "projectHash" in record or "$set" in record or "$rewindTo" in record


def _is_of_haystack(record: Any) -> bool:
    """Whether a message, or one of a request, has parts that are named by their key."""
    return any(
        isinstance(part, dict) and not {"tool_call", "tool_call_result"}.isdisjoint(part)
        for message in (record, *messages_at(record))
        for part in list_at(message, "content")
    )


def _is_of_llama_index(record: Any) -> bool:
    """Whether a message, or one of those that came in, consists of blocks."""
    return any(
        at(message, "blocks", 0, "block_type") is not None
        for message in (record, *list_at(record, "input"), *messages_at(record))
    )


def _is_of_pi(record: Any) -> bool:
    """Whether a record begins a session of pi, or the output of its run, or holds a result."""
    begins = text_at(record, "type") == "session" and {"version", "id", "cwd"} <= record.keys()
    results = ("role",), ("message", "role")
    return begins or any(text_at(record, *path) == "toolResult" for path in results)


def _is_of_kimi(record: Any) -> bool:
    """Whether a record is of a session of Kimi CLI: an event, or a note between its messages."""
    event = at(record, "message")
    wire = "timestamp" in record and text_at(event, "type") and isinstance(event, dict)
    begins = text_at(record, "type") == "metadata" and "protocol_version" in record
    noted = text_at(record, "role") in ("_system_prompt", "_checkpoint", "_usage")
    return noted or begins or bool(wire and isinstance(at(event, "payload"), dict))


FOREIGN_TESTS: tuple[tuple[str, Callable[[Any], bool]], ...] = (
    ("langsmith", lambda r: "run_type" in r and "trace_id" in r),
    ("agents-sdk-spans", lambda r: text_at(r, "object") in ("trace", "trace.span")),
    ("pydantic-ai-messages", lambda r: at(r, "parts", 0, "part_kind") is not None),
    ("qwen-code", _is_of_qwen),
    ("gemini-cli", _is_of_gemini),
    ("opencode", _is_of_opencode),
    ("copilot", _is_of_copilot),
    ("kimi", _is_of_kimi),
    ("pi", _is_of_pi),
    ("cline", _is_of_cline),
    ("continue", lambda r: at(r, "history", 0, "contextItems") is not None),
    ("data-set", lambda r: {"input", "target"} <= r.keys() and not {"model", "output"} & r.keys()),
    ("crewai", lambda r: "tasks_output" in r and "token_usage" in r),
    ("haystack-messages", _is_of_haystack),
    ("llama-index", _is_of_llama_index),
    ("semantic-kernel", _is_of_semantic_kernel),
    ("mlflow", _is_of_mlflow),
    ("autogen-messages", lambda r: {"source", "models_usage"} <= r.keys() or "llm_context" in r),
    ("smolagents-memory", _is_of_smolagents),
    ("ai-sdk-messages", _is_of_ai_sdk),
    ("converse", _is_converse),
    ("messages-of-parts", _is_of_parts),
    ("langchain-messages", _is_langchain),
)
"""What a record is, the first that holds."""
FOREIGN_WORDS: tuple[tuple[bytes, str], ...] = (
    (rb'"part_kind"', "pydantic-ai-messages"),
    (rb'"sessionId"\s*:\s*"[^"]{1,64}",\s*"origin"\s*:\s*\{\s*"source"', "cline"),
    (rb'"contextItems"\s*:', "continue"),
    (rb'"mlflow\.', "mlflow"),
    (rb'"block_type"\s*:', "llama-index"),
    (rb'"tool_call(?:_result)?"\s*:\s*\{\s*"(?:tool_name|result)"', "haystack-messages"),
    (rb'"sessionID"\s*:\s*"ses_', "opencode"),
    (rb'"model_input_messages"', "smolagents-memory"),
    (rb'"type"\s*:\s*"tool-(?:call|result)"', "ai-sdk-messages"),
    (rb'"toolUse"\s*:\s*\{\s*(?:\}|"(?:toolUseId|name|input)")', "converse"),
    (rb'"invocation(?:Id|_id)"', "messages-of-parts"),
    (rb'"additional_kwargs"', "langchain-messages"),
)
"""What a value may be whose start alone is at hand, by words in it."""
