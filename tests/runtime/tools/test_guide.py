"""The guide to the tools is true: its example runs, and it names every setting."""

from __future__ import annotations

import dataclasses
import inspect
import re
from pathlib import Path
from typing import Any

import pytest
from places import DOCS

from reasonix_runtime.tools.context import ToolSettings
from reasonix_runtime.tools.support.workspace import Workspace

GUIDE = (DOCS / "tools.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An example that does not run is worse than none."""
    monkeypatch.chdir(tmp_path)

    exec(compile(EXAMPLES[0], "docs/tools.md", "exec"), {})

    assert (tmp_path / "hello.txt").read_text() == "hello\n"


def test_the_example_with_a_server_runs_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a file of the form that the text shows; the server here is no program."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "servers.json").write_text('{"mcpServers": {"docs": {"command": "./none"}}}')
    found: dict[str, Any] = {}

    exec(compile(EXAMPLES[1], "docs/tools.md", "exec"), found)

    assert "mcp_connect__docs was not called" in found["shown"].text


def test_every_setting_is_named() -> None:
    """A setting that nobody can find is not there."""
    settings = {field.name for field in dataclasses.fields(ToolSettings)}
    settings |= set(inspect.signature(Workspace.__init__).parameters) - {"self", "directory"}

    assert {name for name in settings if f"{name}=" not in GUIDE} == set()
