"""Messages of Chat Completions, as tests write them."""

from __future__ import annotations

from trace_samples import lines

CHAT = {"role": "user", "content": "go"}


def chat(*messages: dict[str, object]) -> str:
    return lines(CHAT, *messages)


def calls(*pairs: tuple[str, str]) -> dict[str, object]:
    return {
        "role": "assistant",
        "tool_calls": [
            {"id": ident, "function": {"name": name, "arguments": "{}"}} for ident, name in pairs
        ],
    }


def answer(ident: str | None, text: str = "x") -> dict[str, object]:
    return {"role": "tool", "tool_call_id": ident, "content": text}
