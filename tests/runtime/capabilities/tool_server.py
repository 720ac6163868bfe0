"""A server for the tests: what it offers and does is told by files in the folder it is given.

`tools.json` is read whenever it is asked for its tools, `called` gets a line for each call. With a
file `wait` it says nothing before that is a pipe that somebody has opened, with `dead` it ends.
It speaks the protocol by itself: the library takes a second to import, for each process.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
HINTS = {"read_only": "readOnlyHint", "destructive": "destructiveHint"}


def introduce(params: dict[str, Any]) -> dict[str, Any]:
    about = {"name": "for-tests", "version": "1"}
    version = params["protocolVersion"]
    return {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": about}


def list_tools(_params: dict[str, Any]) -> dict[str, Any]:
    told = json.loads((FOLDER / "tools.json").read_text())
    return {"tools": [tool(name, hints) for name, hints in told.items()]}


def tool(name: str, hints: dict[str, bool]) -> dict[str, Any]:
    described = {"name": name, "description": f"Does {name}.", "inputSchema": {"type": "object"}}
    return {**described, "annotations": {HINTS[hint]: hints[hint] for hint in hints}}


def call_tool(params: dict[str, Any]) -> dict[str, Any] | None:
    name, arguments = params["name"], params.get("arguments") or {}
    with (FOLDER / "called").open("a") as file:
        file.write(f"{name} {json.dumps(arguments)}\n")
    if name == "die":
        os._exit(3)
    if name == "hang":
        return None
    text = arguments.get("text") or os.environ.get("TOKEN") or name
    return {"content": [{"type": "text", "text": str(text)}], "isError": name == "fail"}


ANSWERS = {"initialize": introduce, "tools/list": list_tools, "tools/call": call_tool}


def answer(line: bytes) -> None:
    """Answer one message; what is no question, or none of ours, gets no answer."""
    message = json.loads(line)
    if message.get("method") in ANSWERS:
        result = ANSWERS[message["method"]](message.get("params", {}))
        if result is not None:
            print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)


(FOLDER / "pid").write_text(str(os.getpid()))
if (FOLDER / "dead").exists():
    sys.exit(2)
if (FOLDER / "wait").exists():
    (FOLDER / "wait").open().close()
for line in sys.stdin.buffer:
    answer(line)
