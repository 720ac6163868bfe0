"""Commands that are confined: what they see and write, and where they end."""

from __future__ import annotations

import os
import shutil
import sys
import threading
from pathlib import Path

import pytest
from tool_bench import MakeBench

from reasonix_runtime.tools.context import ToolSettings
from reasonix_runtime.tools.support.workspace import Workspace

needs_bwrap = pytest.mark.skipif(
    shutil.which("bwrap") is None, reason="bubblewrap is not installed"
)


@needs_bwrap
def test_a_sandboxed_command_writes_below_the_roots_only(make_bench: MakeBench) -> None:
    """Reading is wide, writing is not."""
    bench = make_bench(settings=ToolSettings(sandbox=True))
    outside = Path(f"/var/tmp/reasonix-{os.getpid()}")
    temporary = Path(f"/tmp/reasonix-{os.getpid()}")

    bench.ok("bash", command=f"echo in > file; cat /etc/passwd > copy; echo t > {temporary}")
    try:
        message = bench.fails("bash", command=f"echo out > {outside}")
        written = outside.exists()
    finally:
        outside.unlink(missing_ok=True)

    assert bench.get("file") == b"in\n"
    assert "Read-only file system" in message
    assert (written, temporary.exists()) == (False, False)


@needs_bwrap
def test_a_sandboxed_command_neither_sees_nor_changes_what_the_tools_may_not(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    """Hidden is empty, the host's own records are read-only, and other processes are not there."""
    root = tmp_path / "ws"
    (root / "private").mkdir()
    for name in ("private/k", "key", "ledger"):
        (root / name).write_text("secret\n")
    workspace = Workspace(root, hidden=[root / "private", root / "key"], guarded=[root / "ledger"])
    bench = make_bench(workspace=workspace, settings=ToolSettings(sandbox=True))

    assert bench.ok("bash", command="ls -A private; cat key 2>/dev/null; cat ledger") == "secret\n"
    assert "Read-only file system" in bench.fails("bash", command="echo x > ledger")
    assert "No such process" in bench.fails("bash", command=f"kill -0 {os.getpid()}")
    assert bench.get("ledger") == b"secret\n"


@needs_bwrap
def test_not_even_a_daemon_outlives_its_time_limit_in_the_sandbox(make_bench: MakeBench) -> None:
    """Forked twice into a session of its own, it is nobody's descendant; the sandbox has it all."""
    bench = make_bench(settings=ToolSettings(sandbox=True, bash_timeout_seconds=1))
    code = (
        "import os, time\n"
        "if os.fork() == 0:\n"
        "    os.setsid()\n"
        "    if os.fork() == 0:\n"
        "        time.sleep(2)\n"
        "        open('late', 'w').close()\n"
        "    os._exit(0)\n"
        "time.sleep(99)\n"
    )
    bench.put("daemon.py", code)

    # A virtual environment may lie below /tmp, which is empty in there.
    python = os.path.realpath(sys.executable)
    assert "timed out" in bench.fails("bash", command=f"{python} daemon.py")
    threading.Event().wait(1.5)
    assert not (bench.root / "late").exists()


def test_a_sandbox_that_is_asked_for_and_absent_runs_nothing(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Running bare what was to run confined is the worst of all answers."""
    (tmp_path / "bin").mkdir()
    for name in ("bash", "touch"):
        (tmp_path / "bin" / name).symlink_to(str(shutil.which(name)))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    bench = make_bench(settings=ToolSettings(sandbox=True))

    for background in (False, True):
        result = bench.call("bash", command="touch ran", run_in_background=background)
        assert result.outcome == "blocked"
        assert result.text.startswith("blocked: the sandbox is required and unavailable")
    assert not (bench.root / "ran").exists()


@needs_bwrap
def test_in_the_sandbox_the_session_s_directory_is_the_temporary_one(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    """Its path outside does not exist in there, or cannot be written."""
    own = tmp_path / "own"
    bench = make_bench(settings=ToolSettings(sandbox=True, temporary=str(own)))

    text = bench.ok(
        "bash", command='echo $TMPDIR $TMP $TEMP; echo x > "$(mktemp -d)/f"; echo > /tmp/g'
    )

    assert text == "/tmp /tmp /tmp\n"
    assert [file.read_text() for file in own.glob("tmp.*/f")] == ["x\n"]
    assert bench.ok("bash", command="ls $TMPDIR/g", run_in_background=False) == "/tmp/g\n"


@needs_bwrap
def test_in_the_sandbox_temporary_files_work_whatever_the_host_has_set(
    make_bench: MakeBench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The host's own directory for them is out of reach in there."""
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    bench = make_bench(settings=ToolSettings(sandbox=True))

    assert bench.ok("bash", command="mktemp > /dev/null && echo made") == "made\n"
