"""What a command started is ended with it: at its limit, by a cancelled turn, with its host."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from running import alive, gone, runs, started
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.context import ToolSettings
from reasonix_runtime.tools.support import process, process_tree, watchdog


def test_the_time_limit_ends_the_whole_tree(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ignores TERM, and one that left the group, are part of the command."""
    monkeypatch.setattr(process, "GRACE_S", 0.3)
    bench = make_bench(settings=ToolSettings(bash_timeout_seconds=0.5))
    command = (
        "trap '' TERM; echo early; setsid sleep 99 & echo $! > escaped; "
        "sleep 99 & echo $! > child; echo $$ > leader; sleep 99; sleep 99"
    )

    result = bench.call("bash", command=command)

    assert result.text == "error: command timed out (> 500ms)\nearly\n"
    assert (result.outcome, result.exit_code) == ("error", None)
    for name in ("escaped", "child", "leader"):
        assert gone(int(bench.get(name)))


@pytest.mark.parametrize(
    ("seconds", "ended"), [(-1, True), (0, False), (5, False)], ids=["default", "none", "enough"]
)
def test_a_foreground_command_has_a_limit_unless_the_host_says_none(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch, seconds: float, ended: bool
) -> None:
    """Nobody may be watching; a negative setting is the default, 0 is no limit."""
    from reasonix_runtime.tools.bash import behaviour as bash

    monkeypatch.setattr(bash, "DEFAULT_TIMEOUT_S", 0.1)
    bench = make_bench(settings=ToolSettings(bash_timeout_seconds=seconds))

    result = bench.call("bash", command="sleep 0.4; echo end")

    assert ("timed out" in result.text) is ended
    assert ToolSettings().bash_timeout_seconds == 120


def test_cancelling_the_turn_ends_the_command(bench: Bench) -> None:
    """The user pressed stop; the command must not go on unseen."""
    threading.Thread(
        target=lambda: (started(bench, "pid"), bench.context.cancellation.cancel())
    ).start()

    result = bench.call("bash", command="echo $$ > pid; echo so far; exec sleep 99")

    assert (result.outcome, result.exit_code) == ("cancelled", None)
    assert result.text == "error: command cancelled before its end\nso far\n"
    assert gone(int(bench.get("pid")))


def test_what_is_kept_on_purpose_lives_on(bench: Bench) -> None:
    """A daemon that the user asked for must not die with the call, nor hold it up."""
    bench.ok("bash", command="sleep 99 & echo $! > a; echo hi", preserve_background_processes=True)
    text = bench.ok("bash", command="nohup sleep 99 & echo $! > b; echo hi")

    assert text == "hi\n"
    for name in ("a", "b"):
        pid = int(bench.get(name))
        assert alive(pid)
        os.kill(pid, signal.SIGKILL)


def test_an_escaped_process_that_holds_the_output_is_an_error(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its later output would be lost, so the call does not pretend to be complete."""
    monkeypatch.setattr(process, "PIPE_WAIT_S", 0.2)
    code = "import os,time; os.setsid(); open('pid','w').write(f'{os.getpid()}\\n'); time.sleep(99)"

    message = bench.fails(
        "bash", command=f'{sys.executable} -c "{code}" & while ! [ -s pid ]; do :; done; echo hi'
    )

    assert "kept its output open" in message
    assert message.endswith("\nhi\n")
    os.kill(int(bench.get("pid")), signal.SIGKILL)


def test_a_command_does_not_run_before_the_watchdog_knows_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Otherwise a host that is killed at that moment leaves it running for ever."""
    real = watchdog.WATCHDOG.add

    def slow(group: int) -> None:
        threading.Event().wait(0.1)
        assert not (bench.root / "ran").exists()
        real(group)

    monkeypatch.setattr(watchdog.WATCHDOG, "add", slow)

    bench.ok("bash", command="touch ran")

    assert (bench.root / "ran").exists()


def test_an_interrupt_while_a_command_is_started_leaves_none(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody has the process yet, so nobody else could end it."""
    real = process.Process._open_gate

    def interrupted(self: process.Process) -> None:
        real(self)
        started(bench, "pid")
        raise KeyboardInterrupt

    monkeypatch.setattr(process.Process, "_open_gate", interrupted)

    with pytest.raises(KeyboardInterrupt):
        bench.call("bash", command="echo $$ > pid; exec sleep 99")

    assert gone(int(bench.get("pid")))


def test_no_zombie_and_no_thread_is_left(bench: Bench) -> None:
    """A long session runs thousands of commands."""
    bench.ok("bash", command="true")
    threads = threading.active_count()
    for _ in range(20):
        bench.ok("bash", command="(sleep 0.01 &) ; true")

    own = os.getpid()
    states = [
        Path(f"/proc/{member.pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
        for member in process_tree.descendants(own)
        if Path(f"/proc/{member.pid}/stat").exists()
    ]
    assert "Z" not in states
    assert threading.active_count() <= threads + 2


HOST = """
import sys, time
from reasonix_runtime.tools.context import Context
from reasonix_runtime.tools.support.jobs import Jobs
from reasonix_runtime.tools.support.workspace import Workspace
from reasonix_runtime.tools.bash.behaviour import run
context = Context(workspace=Workspace(sys.argv[1]), jobs=Jobs())
run({"command": "echo $$ > pid; exec sleep 99", "run_in_background": True}, context)
time.sleep(0 if sys.argv[2] == "exit" else 99)
"""


@pytest.mark.parametrize("how", ["kill", "exit"])
def test_a_job_dies_with_its_host(bench: Bench, how: str) -> None:
    """Also when the host is killed and can do nothing about it any more."""
    host = subprocess.Popen([sys.executable, "-c", HOST, str(bench.root), how])
    pid = started(bench, "pid") if how == "kill" else 0
    if how == "kill":
        host.kill()
    host.wait()
    if how == "exit":
        # The host may have been gone before the shell wrote its number; then it never will.
        threading.Event().wait(0.3)
        pid = int((bench.root / "pid").read_text() or 0) if (bench.root / "pid").exists() else 0

    assert pid == 0 or gone(pid)


@pytest.mark.parametrize(
    ("says", "command", "stays"),
    [
        ("nohup", "nohup sleep 99 & echo $! > pid", True),
        ("setsid", "setsid sleep 99 & echo $! > pid", True),
        ("disown", "sleep 99 & echo $! > pid; disown", True),
        ("only put in the background", "sleep 99 & echo $! > pid", False),
        ("only called nohup", "(sleep 99 > out & echo $! > pid); echo nohup", False),
    ],
)
def test_what_is_left_behind_stays_only_when_it_was_meant_to(
    bench: Bench, says: str, command: str, stays: bool
) -> None:
    """A server that was started on purpose is wanted, a forgotten process is not."""
    bench.ok("bash", command=command)
    pid = int(bench.get("pid"))

    if stays:
        assert runs(pid, b"sleep"), says
        os.kill(pid, signal.SIGKILL)
    else:
        assert gone(pid), says


@pytest.mark.parametrize("how", ["time", "cancel"])
def test_an_end_by_force_takes_what_was_to_stay_as_well(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    """The flags are about a normal end."""
    monkeypatch.setattr(process, "GRACE_S", 0.3)
    bench = make_bench(settings=ToolSettings(bash_timeout_seconds=0.5 if how == "time" else 0))
    if how == "cancel":
        threading.Thread(
            target=lambda: (started(bench, "pid"), bench.context.cancellation.cancel())
        ).start()

    bench.fails(
        "bash",
        command="nohup sleep 99 & echo $! > pid; exec sleep 99",
        preserve_background_processes=True,
    )

    assert gone(int(bench.get("pid")))
