"""Runs of the command and of pytest, as a user starts them."""

from __future__ import annotations

from collections.abc import Iterable
from io import StringIO

import pytest

from reasonix_conformance.cli import main
from reasonix_conformance.replay.results import TraceResult, write
from reasonix_conformance.reports.json_report import JsonWriter


def replay(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """Replay and return (exit code, output, errors)."""
    code = main(["replay", *map(str, args)])
    said = capsys.readouterr()
    return code, said.out, said.err


def written_json(results: Iterable[TraceResult], *, receipts: bool = False) -> str:
    """Return the JSON report as it is written while traces are read."""
    out = StringIO()
    write(JsonWriter(out, receipts=receipts), results)
    return out.getvalue()


def run_pytest(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    """Run pytest in this process, without plugins that write or shuffle."""
    return pytester.runpytest_inprocess(*args, "-p", "no:cacheprovider", "-p", "no:randomly")
