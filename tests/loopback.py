"""Servers on loopback for tests: they answer in a thread of their own until they are closed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = tuple[int, dict[str, str], bytes]
"""Status, headers and body."""


class Quiet(BaseHTTPRequestHandler):
    """Answers without a word on standard error."""

    def answer(self, answer: Answer | Callable[[Any], None]) -> None:
        """Send an answer; one that is a function does it itself."""
        if callable(answer):
            answer(self)
            return
        status, headers, body = answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


class Loopback:
    """A server with a handler of its own."""

    def __init__(self, handler: type[Quiet]) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()

    @property
    def url(self) -> str:
        """The address of its root, without a slash behind it."""
        return f"http://127.0.0.1:{self.server.server_port}"

    def close(self) -> None:
        """End the server."""
        self.server.shutdown()
        self.server.server_close()
