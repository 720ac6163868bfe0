"""A server reached by the library `mcp`, which is imported here, and only when one is started."""

from __future__ import annotations

import json
import logging
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

from reasonix_runtime.capabilities import guarded
from reasonix_runtime.capabilities.session import Answer, CallFailedError, ConnectionLostError
from reasonix_runtime.gates.proxy.world import Flags

if TYPE_CHECKING:
    from reasonix_runtime.capabilities.guarded import Guard
    from reasonix_runtime.capabilities.settings import ServerSettings

# The library logs every line of a server that is no message, with what stands in it.
logging.getLogger("mcp").addHandler(logging.NullHandler())


@asynccontextmanager
async def open_session(settings: ServerSettings) -> AsyncIterator[McpSession]:
    """Start or reach a server and introduce us; the session ends with the context."""
    from mcp import ClientSession

    async with AsyncExitStack() as stack:
        guard = None
        if not settings.url and guarded.AVAILABLE:
            argv = (settings.command, *settings.args)
            guard = stack.enter_context(guarded.guarded(argv, settings.cwd, settings.env))
        read, write = await _open_transport(settings, stack, guard)
        session = await stack.enter_async_context(ClientSession(read, write))
        try:
            await session.initialize()
        except Exception as error:  # a server that ended is told in any way by the library
            if guard is None or guard.status is None:
                raise
            raise ConnectionLostError(f"it ended with exit status {guard.status}") from error
        yield McpSession(session)


async def _open_transport(
    settings: ServerSettings, stack: AsyncExitStack, guard: Guard | None
) -> tuple[Any, Any]:
    if settings.url:
        from mcp.client.streamable_http import create_mcp_http_client, streamable_http_client

        client = await stack.enter_async_context(
            create_mcp_http_client(headers=dict(settings.headers))
        )
        streams = await stack.enter_async_context(
            streamable_http_client(settings.url, http_client=client)
        )
        return streams[0], streams[1]
    from mcp import StdioServerParameters, stdio_client

    parameters = StdioServerParameters(
        command=settings.command if guard is None else guard.command,
        args=list(settings.args) if guard is None else guard.args,
        env=dict(settings.env) or None,
        cwd=settings.cwd,
    )
    # What a server prints beside its messages is its own affair.
    read, write = await stack.enter_async_context(
        stdio_client(parameters, errlog=subprocess.DEVNULL)
    )
    return read, write


class McpSession:
    """One conversation with a server."""

    def __init__(self, session: Any) -> None:
        self._session = session

    async def tools(self) -> dict[str, Flags]:
        """Return what the server reports now, page by page."""
        from mcp.types import PaginatedRequestParams

        found: dict[str, Flags] = {}
        cursor, seen = None, set()
        while True:
            params: Any = None if cursor is None else PaginatedRequestParams(cursor=cursor)
            page = await self._asked(self._session.list_tools(params=params))
            found |= {tool.name: _flags(tool) for tool in page.tools}
            cursor = page.next_cursor
            if not cursor or cursor in seen:
                return found
            seen.add(cursor)

    async def call(self, tool: str, arguments: Mapping[str, Any]) -> Answer:
        """Call a tool and return its answer."""
        result = await self._asked(self._session.call_tool(tool, dict(arguments)))
        return Answer(text=_text(result), failed=bool(result.is_error))

    async def _asked(self, request: Any) -> Any:
        """Await a request; raises what `session.py` says in place of the library's errors."""
        from mcp import MCPError
        from mcp.types import CONNECTION_CLOSED

        try:
            return await request
        except MCPError as error:
            if error.error.code == CONNECTION_CLOSED:
                raise ConnectionLostError("the server closed the connection") from error
            raise CallFailedError(error.error.message) from error
        except ValueError as error:
            raise CallFailedError("the server answered with what is no such answer") from error


def _flags(tool: Any) -> Flags:
    hints = tool.annotations
    return Flags(
        read_only=bool(hints and hints.read_only_hint),
        destructive=bool(hints and hints.destructive_hint),
        description=tool.description or "",
        input_schema=dict(tool.input_schema or {}),
        output_schema=tool.output_schema and dict(tool.output_schema),
    )


def _text(result: Any) -> str:
    """Return an answer as text; one of structured content alone is its JSON."""
    if not result.content and result.structured_content is not None:
        return json.dumps(result.structured_content, ensure_ascii=False)
    return "\n".join(map(_block_text, result.content))


def _block_text(block: Any) -> str:
    """Return a part of an answer as text; what is no text is named by its kind, and where it is."""
    if block.type == "text":
        return str(block.text)
    resource = block.resource if block.type == "resource" else block
    if block.type == "resource" and getattr(resource, "text", None) is not None:
        return str(resource.text)
    told = getattr(resource, "uri", None) or getattr(resource, "mime_type", None)
    return f"[{block.type} {told}]" if told else f"[{block.type}]"
