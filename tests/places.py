"""Where the files are that tests read."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FIXTURES = ROOT / "fixtures"
RECORDED = FIXTURES / "verdicts"
"""Recorded verdict files."""
TRACES = FIXTURES / "traces"
CLASSIC = TRACES / "classic-2026-08"
RECENT = TRACES / "reasonix-1.38.11"
GOOD = CLASSIC / "step-command-failed" / "1.trajectory.jsonl"
"""A recording whose host the rules agree with in every verdict."""
TRANSCRIPTS = FIXTURES / "transcripts"


def shut(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nobody list a folder, not even whom the system refuses nothing."""

    def refusing(ask: Callable[..., Any]) -> Callable[..., Any]:
        def asked(path: Any = ".") -> Any:
            if Path(os.fsdecode(path)) == folder:
                raise PermissionError(13, "Permission denied", str(folder))
            return ask(path)

        return asked

    monkeypatch.setattr(os, "scandir", refusing(os.scandir))
    monkeypatch.setattr(os, "listdir", refusing(os.listdir))
