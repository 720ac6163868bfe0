"""Parts of messages and results that are no text: images, files, refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from claude_records import answers, asks, says
from claude_records import record as claude
from codex_records import BEGIN, META, call, event, item, output
from read_records import ends, read, read_text, texts
from trace_samples import lines

from reasonix_runtime.trace.events import Assistant, TurnStart, User

Record = dict[str, Any]

IMAGE = {"type": "image", "source": {"type": "base64", "data": "AA"}}
URL = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AA"}}
INPUT = {"type": "input_image", "image_url": "data:image/png;base64,AA"}
DONE = {"role": "assistant", "content": "done"}


def tool(ident: str) -> Record:
    function = {"name": "view", "arguments": "{}"}
    return {**DONE, "content": None, "tool_calls": [{"id": ident, "function": function}]}


def update(what: str, **more: Any) -> Record:
    told = {"sessionId": "A", "update": {"sessionUpdate": what, "toolCallId": "1", **more}}
    return {"jsonrpc": "2.0", "method": "session/update", "params": told}


@pytest.mark.parametrize(
    ("records", "shown"),
    [
        (
            [claude("user", "0", "go"), says("1", "done"), claude("user", "2", [IMAGE])],
            "[image]",
        ),
        ([{"role": "user", "content": "go"}, DONE, {"role": "user", "content": [URL]}],
         "[image_url]"),
        (
            [{"role": "user", "content": "go"}, DONE,
             {"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]}],
            "[input_audio]",
        ),
        (
            [{"type": "message", "role": "user", "content": "go"},
             {"type": "message", "role": "assistant", "content": "done"},
             {"type": "message", "role": "user", "content": [INPUT]}],
            "[input_image]",
        ),
        (
            [META, BEGIN, item("message", role="user", content=[INPUT]),
             event("user_message", message="")],
            "[input_image]",
        ),
    ],
    ids=["claude-code", "chat", "chat-audio", "responses", "codex"],
)  # fmt: skip
def test_an_image_alone_is_a_prompt(records: list[Record], shown: str, tmp_path: Path) -> None:
    """What was done for it was done for the prompt before it, whose end nobody judged."""
    stream = read_text(tmp_path, lines(*records))
    begun = [e for e in stream if isinstance(e, TurnStart)]
    prompts = [e.text for e in stream if isinstance(e, User) and e.origin == "user"]

    assert shown == prompts[-1]
    assert len(begun) == len(prompts)
    assert [("completed", True)] * (len(begun) - 1) == ends(stream)[:-1]


@pytest.mark.parametrize(
    ("records", "shown"),
    [
        (
            [claude("user", "0", "go"), asks("1", "Read", file_path="/w/a.png"),
             answers("2", "1", [{"type": "text", "text": "a"}, IMAGE])],
            "a[image]",
        ),
        (
            [{"role": "user", "content": "go"}, tool("1"),
             {"role": "tool", "tool_call_id": "1", "content": [URL]}],
            "[image_url]",
        ),
        ([META, BEGIN, call("view_image", "1"), output("1", [INPUT])], "[input_image]"),
        (
            [{"type": "function_call", "call_id": "1", "name": "view", "arguments": "{}"},
             {"type": "function_call_output", "call_id": "1", "output": [INPUT]}],
            "[input_image]",
        ),
        (
            [{"jsonrpc": "2.0", "id": 1, "method": "session/prompt",
              "params": {"sessionId": "A", "prompt": []}},
             update("tool_call", title="view"),
             update("tool_call_update", status="completed",
                    content=[{"type": "content", "content": IMAGE}])],
            "[image]",
        ),
    ],
    ids=["claude-code", "chat", "codex", "responses", "acp"],
)  # fmt: skip
def test_a_result_that_is_an_image_is_not_empty(
    records: list[Record], shown: str, tmp_path: Path
) -> None:
    assert [shown] == list(texts(read(tmp_path, *records)).values())


CHUNKS = [{"choices": [{"index": 0, "delta": {"refusal": word}}]} for word in ("I ", "cannot")]


@pytest.mark.parametrize(
    "records",
    [
        [{"role": "assistant", "content": None, "refusal": "I cannot"}],
        [{"role": "assistant", "content": [{"type": "refusal", "refusal": "I cannot"}]}],
        [{"messages": [{"role": "user", "content": "go"}], "response": CHUNKS}],
    ],
    ids=["beside", "part", "streamed"],
)
def test_a_refusal_is_what_the_model_said(records: list[Record], tmp_path: Path) -> None:
    asked = [] if "messages" in records[0] else [{"role": "user", "content": "go"}]
    stream = read_text(tmp_path, json.dumps([*asked, *records]))

    assert ["I cannot"] == [event.text for event in stream if isinstance(event, Assistant)]
