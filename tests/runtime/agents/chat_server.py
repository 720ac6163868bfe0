"""A provider on loopback that answers what a test lays ready, one answer a request."""

from __future__ import annotations

import http.server
import json
import threading
from collections.abc import Callable
from typing import Any

Reply = tuple[int, dict[str, str], bytes] | Callable[[Any], None]


class ChatServer:
    """Serves `/v1/chat/completions`; `requests` are the headers and bodies that came."""

    def __init__(self) -> None:
        self.replies: list[Reply] = []
        self.requests: list[tuple[dict[str, str], dict[str, Any]]] = []
        served = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                served.requests.append((dict(self.headers), json.loads(body)))
                known = self.path == "/v1/chat/completions" and served.replies
                reply = served.replies.pop(0) if known else (404, {}, b"gone")
                if callable(reply):
                    reply(self)
                    return
                status, headers, data = reply
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: Any) -> None:
                """Say nothing."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        """The endpoint."""
        return f"http://127.0.0.1:{self.server.server_port}/v1"

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

    def close(self) -> None:
        """End the server."""
        self.server.shutdown()
        self.server.server_close()
