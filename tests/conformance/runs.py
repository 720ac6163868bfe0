"""Runs of the command and of pytest, as a user starts them."""

from __future__ import annotations

import pytest

from reasonix_conformance.cli import main


def replay(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """Replay and return (exit code, output, errors)."""
    code = main(["replay", *map(str, args)])
    said = capsys.readouterr()
    return code, said.out, said.err


def run_pytest(pytester: pytest.Pytester, *args: str) -> pytest.RunResult:
    """Run pytest in this process, without plugins that write or shuffle."""
    return pytester.runpytest_inprocess(*args, "-p", "no:cacheprovider", "-p", "no:randomly")
