"""A file of an option that is far too large, or a device, is named and left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from reasonix_conformance.cli import main
from reasonix_runtime.whole_files import LARGEST

if TYPE_CHECKING:
    from conftest import Project

LARGE = "large"
TOOLS = json.dumps([{"name": "look", "description": "Look.", "input_schema": {"type": "object"}}])


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand in a folder with files that are read, and large ones that take no room."""
    monkeypatch.chdir(tmp_path)
    Path("tools.json").write_text(TOOLS, encoding="utf-8")
    Path("trace.jsonl").write_text('{"type": "session", "format": "neutral/1"}\n', encoding="utf-8")
    Path("snapshots").mkdir()
    for name in ("large.json", "large.md", "large.yaml", "large.jsonl", "snapshots/look.json"):
        with Path(name).open("wb") as stream:
            stream.truncate(LARGEST + 1)


@pytest.mark.parametrize(
    "words",
    [
        "contract show --subject large.json",
        "contract diff tools.json large.json",
        "contract check --subject tools.json --document large.md",
        "docs build --descriptions large.md --output out",
        "replay trace.jsonl --known large.yaml",
        "replay trace.jsonl --schemas large.json",
        "replay large.yaml",
        "verdicts large.jsonl",
    ],
)
def test_a_file_of_an_option_is_named(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """It was read until the memory was full, and the traceback named a line of Python."""
    assert main(words.split()) == 2

    error = capsys.readouterr().err
    assert "large." in error
    assert "larger than 64 MiB" in error or "longer than 64 MiB" in error


def test_an_ini_file_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """It is looked for, so that nobody may have thought of it."""
    with Path("pytest.ini").open("wb") as stream:
        stream.truncate(LARGEST + 1)

    assert main(["contract", "show"]) == 2
    assert "pytest.ini: cannot be read: it is larger than 64 MiB" in capsys.readouterr().err


def test_a_snapshot_is_a_finding_of_its_tool(project: Project) -> None:
    """The other tools are judged."""
    with (project.snapshots / "look.json").open("wb") as stream:
        stream.truncate(LARGEST + 1)

    result = project.run()

    assert ["look"] == project.failed(result)
    result.stdout.fnmatch_lines(["*look.json: cannot be read: it is larger than 64 MiB*"])
