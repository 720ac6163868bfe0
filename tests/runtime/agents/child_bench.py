"""Answers that start children, and what came of them, for the tests of delegation."""

from __future__ import annotations

import threading
from typing import Any

from run_bench import Live, calls, says

from reasonix_runtime.agents.script import ScriptedAnswer
from reasonix_runtime.trace.events import ToolResult

WRITE = says("", calls("write_file", path="a.py", content="x = 1\n"))
LOOK = says("", calls("read_file", path="a.py"))
CHECK = says("", calls("bash", command="python3 -m unittest -q"))
TEST = "import unittest\nclass T(unittest.TestCase):\n    def test(self): import a\n"
DONE = says("done")


def task(*answers: ScriptedAnswer, tool: str = "task", **args: Any) -> ScriptedAnswer:
    """Make an answer that starts one child, which gives these answers."""
    given = {"prompt": "do it", **args} if "task" in tool else {"task": "do it", **args}
    return says("", calls(tool, children=[answers], **given))


def results(live: Live, scope: str = "main") -> list[ToolResult]:
    """Return the results of the calls of one agent."""
    return [event for event in live.told(ToolResult) if event.uid.startswith(f"{scope}#")]


def texts(live: Live, scope: str = "main") -> list[str]:
    """Return what they said, without references."""
    told = [event.text for event in results(live, scope)]
    return [text.partition("Final answer:\n")[2] or text for text in told]


def group(tool: str, *children: Any, items: Any = None) -> ScriptedAnswer:
    """Make an answer that starts several children."""
    asked = items or [{"prompt": f"part {number}"} for number in range(len(children))]
    return says("", calls(tool, children=children, tasks=asked))


def join_children() -> None:
    """Wait until the threads of children have ended.

    One that is only being started has no number yet and cannot be joined; the thread of its job
    is there by then, and waits for it.
    """
    for thread in threading.enumerate():
        if thread.name.startswith("child ") and thread.ident is not None:
            thread.join(20)
