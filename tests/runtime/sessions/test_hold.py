"""One run at a time on a file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reasonix_runtime.sessions.hold import HeldError, held, lock_of

HOLD = """
import sys
from pathlib import Path
from reasonix_runtime.sessions.hold import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_file_is_held_by_one_at_a_time(tmp_path: Path) -> None:
    """Whoever comes second is told who holds it; behind the first nothing is left."""
    path = tmp_path / "goal.json"

    with held(path), pytest.raises(HeldError) as raised, held(path):
        pass

    assert (path, str(os.getpid())) == (raised.value.path, raised.value.holder)
    assert str(raised.value).startswith(f"{path}: another run (process {os.getpid()}) works on")
    assert [] == list(tmp_path.iterdir())


def test_a_file_may_be_held_again(tmp_path: Path) -> None:
    """Also after an error."""
    path = tmp_path / "goal.json"
    with pytest.raises(KeyError), held(path):
        raise KeyError

    with held(path):
        assert [lock_of(path)] == list(tmp_path.iterdir())


def test_a_lock_that_somebody_left_holds_nobody_back(tmp_path: Path) -> None:
    """It is the process that holds, not the file."""
    path = tmp_path / "goal.json"
    lock_of(path).write_text("1\n")

    with held(path):
        assert f"{os.getpid()}\n" == lock_of(path).read_text()


def test_where_no_file_can_be_made_nothing_is_held(tmp_path: Path) -> None:
    """Whoever writes there is told so by the write."""
    path = tmp_path / "no" / "goal.json"

    with held(path), held(path):
        assert not path.parent.exists()


def test_what_a_killed_process_held_is_free(tmp_path: Path) -> None:
    """Its lock ends with it."""
    path = tmp_path / "goal.json"
    command = [sys.executable, "-c", HOLD, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert b"held\n" == other.stdout.readline()
        with pytest.raises(HeldError, match=f"process {other.pid}"), held(path):
            pass
        other.kill()

    with held(path):
        assert lock_of(path).exists()
