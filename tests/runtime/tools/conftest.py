"""The workspace that a test of a tool works in."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.support.jobs import Jobs


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[MakeBench]:
    """Make benches in one workspace; their jobs end with the test."""
    root = tmp_path / "ws"
    root.mkdir()
    jobs = Jobs()

    def make(**options: Any) -> Bench:
        return Bench(root, jobs, **options)

    yield make
    jobs.close()


@pytest.fixture
def bench(make_bench: MakeBench) -> Bench:
    """Make the bench of an ordinary host."""
    return make_bench()


@pytest.fixture
def tree(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Fill a workspace with what listings stumble over."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(bench.root.parent / "config"))
    for path in (
        "a/x.py", "a-b/x.py", "a/deep/y.py", ".hidden/z.py", ".dot", "B.txt",
        "node_modules/m.js", "vendor/v.go", "__pycache__/p.pyc", ".venv/e.py", ".idea/i.py",
    ):  # fmt: skip
        bench.put(path, "x\n")
    (bench.root / "link").symlink_to("a")
    return bench
