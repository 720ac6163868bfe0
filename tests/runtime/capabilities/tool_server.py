"""A server for the tests: what it offers and does is told by files in the folder it is given.

`tools.json` is read whenever it is asked for its tools, `called` gets a line for each call. With a
file `wait` it says nothing before that is a pipe that somebody has opened, with `dead` it ends.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

from mcp import types
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server

FOLDER = Path(sys.argv[1])


async def list_tools(_context: Any, _params: Any) -> types.ListToolsResult:
    told = json.loads((FOLDER / "tools.json").read_text())
    return types.ListToolsResult(tools=[tool(name, hints) for name, hints in told.items()])


def tool(name: str, hints: dict[str, bool]) -> types.Tool:
    annotations = types.ToolAnnotations(
        read_only_hint=hints.get("read_only"), destructive_hint=hints.get("destructive")
    )
    return types.Tool(
        name=name,
        description=f"Does {name}.",
        input_schema={"type": "object"},
        annotations=annotations if hints else None,
    )


async def call_tool(_context: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
    arguments = params.arguments or {}
    with (FOLDER / "called").open("a") as file:
        file.write(f"{params.name} {json.dumps(arguments)}\n")
    if params.name == "die":
        os._exit(3)
    if params.name == "hang":
        await asyncio.Event().wait()
    failed = params.name == "fail"
    text = arguments.get("text") or os.environ.get("TOKEN") or params.name
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=str(text))], is_error=failed
    )


async def main() -> None:
    server: Any = Server("for-tests", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())


(FOLDER / "pid").write_text(str(os.getpid()))
if (FOLDER / "dead").exists():
    sys.exit(2)
if (FOLDER / "wait").exists():
    (FOLDER / "wait").open().close()
asyncio.run(main())
