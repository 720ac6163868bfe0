"""Names for permission, hooks and evidence: what a target of the proxy is called.

Rules are written against these names, so every place that needs one builds it here.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.contract.surface import MCP_PREFIX

CONNECT_PREFIX: Final = "mcp_connect__"
"""Outside the namespace of tools on purpose: a rule for a server's tools never covers its start."""
RESULT_NAME: Final = "session_tool_result"

_OUTSIDE: Final = re.compile(r"[^A-Za-z0-9_-]+")
_UNNAMED: Final = "unnamed"
_HASH_DIGITS: Final = 6
_FNV_BASIS: Final = 0x811C9DC5
_FNV_PRIME: Final = 0x01000193


def fnv1a(text: str) -> str:
    """Return the 32-bit FNV-1a hash of a text, as 8 hexadecimal digits."""
    value = _FNV_BASIS
    for byte in text.encode("utf-8", "surrogatepass"):
        value = ((value ^ byte) * _FNV_PRIME) & 0xFFFFFFFF
    return f"{value:08x}"


def norm(text: str) -> str:
    """Return a text as part of a name; one that had to be changed carries a hash of itself."""
    name = _OUTSIDE.sub("_", text).strip("_") or _UNNAMED
    return name if name == text else f"{name}_{fnv1a(text)[:_HASH_DIGITS]}"


def tool_name(server: str, tool: str) -> str:
    """Return the name of a tool of a server."""
    return f"{server_prefix(server)}{norm(tool)}"


def server_prefix(server: str) -> str:
    """Return how the names of a server's tools begin; an unavailable server is told by it."""
    return f"{MCP_PREFIX}{norm(server)}__"


def connect_name(server: str) -> str:
    """Return the name of the start of a server."""
    return f"{CONNECT_PREFIX}{norm(server)}"
