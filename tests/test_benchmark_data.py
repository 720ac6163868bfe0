"""The traces that speed is measured on: the same bytes everywhere, and of the size they claim."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

from places import ROOT

EVENTS = 6_000
DIGEST = "e6dbe57408cbc07299ade361c3cf64ccb8a93b375ec58399c9e2bba16e082c31"


def _trace(path: Path, hash_seed: str) -> bytes:
    """Write a trace in an interpreter of its own and return its bytes."""
    program = f"from benchmarks.trace_data import *; write(Path({str(path)!r}), {EVENTS})"
    subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed},
        check=True,
    )
    return path.read_bytes()


def test_a_trace_has_the_same_bytes_whatever_the_interpreter(tmp_path: Path) -> None:
    for hash_seed in ("1", "2"):
        found = hashlib.sha256(_trace(tmp_path / hash_seed, hash_seed)).hexdigest()
        assert found == DIGEST


def test_a_trace_has_about_a_kilobyte_an_event(tmp_path: Path) -> None:
    assert 0.8 < len(_trace(tmp_path / "trace", "1")) / EVENTS / 1024 < 1.2
