"""A provider on loopback that answers what a test lays ready, one answer a request."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from loopback import Answer, Loopback, Quiet

Reply = Answer | Callable[[Any], None]


class ChatServer(Loopback):
    """Serves `/v1/chat/completions`; `requests` are the headers and bodies that came."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []
        served = self

        class Handler(Quiet):
            def do_POST(self) -> None:  # noqa: N802 - the server calls it so
                body = self.rfile.read(int(self.headers["Content-Length"]))
                served.requests.append((dict(self.headers), json.loads(body)))
                known = self.path == "/v1/chat/completions" and served.replies
                self.answer(served.replies.pop(0) if known else (404, {}, b"gone"))

        super().__init__(Handler)

    @property
    def url(self) -> str:
        """The endpoint."""
        return f"{super().url}/v1"

    def says(self, text: str = "", **calls: Any) -> None:
        """Lay an answer ready: a text, or one call a tool with its arguments."""
        made = [
            {
                "id": f"call_{name}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for name, arguments in calls.items()
        ]
        message = {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}
        choice = {"message": message, "finish_reason": "tool_calls" if made else "stop"}
        self.replies.append((200, {}, json.dumps({"choices": [choice]}).encode()))

    def fails(self, status: int, body: bytes = b"{}", **headers: str) -> None:
        """Lay an error ready."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self.replies.append((status, named, body))
