"""`bash` and its jobs: run for real, ended for real, and told as it was."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.bash.behaviour import run
from reasonix_runtime.tools.context import ToolSettings
from reasonix_runtime.tools.dispatch import Toolbox
from reasonix_runtime.tools.support import capture as capturing
from reasonix_runtime.tools.support import process, process_tree, watchdog
from reasonix_runtime.tools.support.cancellation import Cancellation
from reasonix_runtime.tools.support.capture import Capture, decode_output, full_text
from reasonix_runtime.tools.support.durations import short_duration
from reasonix_runtime.tools.support.environment import EnvironmentPolicy
from reasonix_runtime.tools.support.jobs import Job, Jobs, short_label
from reasonix_runtime.tools.support.workspace import Workspace


def alive(pid: int) -> bool:
    """Tell whether a process runs; a dead one that nobody has reaped does not."""
    return (
        pid in process_tree.group_members(os.getpgid(pid))
        if Path(f"/proc/{pid}").exists()
        else False
    )


def gone(pid: int) -> bool:
    """Wait a moment until a process is gone; tell whether it is."""
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        try:
            if not alive(pid):
                return True
        except ProcessLookupError:
            return True
        threading.Event().wait(0.01)
    return False


def runs(pid: int, program: bytes) -> bool:
    """Wait a moment until a process has become a program; tell whether it is that now."""
    deadline = time.monotonic() + 5
    line = Path(f"/proc/{pid}/cmdline")
    # Between its fork and the start of its program, and once it is dead, it has no command line.
    while time.monotonic() < deadline and line.exists():
        if program in line.read_bytes():
            return True
        threading.Event().wait(0.01)
    return False


def started(bench: Bench, file: str) -> int:
    """Return the process number that a command wrote to a file, once it is there."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        path = bench.root / file
        if path.exists() and path.read_text().endswith("\n"):
            return int(path.read_text())
        threading.Event().wait(0.01)
    raise AssertionError(f"{file} was not written")


@pytest.mark.parametrize(
    ("says", "command", "text"),
    [
        ("output is verbatim, nothing added", "printf 'a\\n\\n b '", "a\n\n b "),
        ("a silent command yields an empty string", "true", ""),
        (
            "both streams share one pipe, in the order written",
            "sh -c 'echo o1; echo e1 >&2; echo o2; echo e2 >&2'",
            "o1\ne1\no2\ne2\n",
        ),
        ("standard input is empty", "cat; echo end", "end\n"),
        ("the process starts in the workspace", "pwd", "<ws>\n"),
        ("it is read by bash", "[[ ab == a* ]] && echo ${BASH_VERSION:+bash}", "bash\n"),
        ("a plain `cmd &` is reaped and its output kept", "sleep 600 & echo hi", "hi\n"),
    ],
)
def test_bash_in_the_foreground(bench: Bench, says: str, command: str, text: str) -> None:
    """What a command printed is what the model sees."""
    result = bench.call("bash", command=command)

    assert ("ok", 0, text) == (result.outcome, result.exit_code, bench.short(result.text)), says


def test_nothing_but_files_survives_between_calls(bench: Bench) -> None:
    """Every call is a new process; a model that relies on `cd` must see so."""
    bench.ok("bash", command="mkdir d; cd d; X=1; f() { :; }; echo kept > ../file")

    assert bench.ok("bash", command='echo "$PWD:$X:$(cat file)"') == "<ws>::kept\n"


@pytest.mark.parametrize(
    ("command", "code", "text"),
    [
        ("echo out; exit 3", 3, "error: command exited: exit status 3\nout\n"),
        ("false", 1, "error: command exited: exit status 1\n"),
        ("nosuchprogram 2>/dev/null", 127, "error: command exited: exit status 127\n"),
        ("kill -9 $$", None, "error: command exited: signal: killed\n"),
    ],
)
def test_a_status_other_than_zero_is_an_error_with_its_output(
    bench: Bench, command: str, code: int | None, text: str
) -> None:
    """The status is a fact that verdicts rest on; a signal is none."""
    result = bench.call("bash", command=command)

    assert ("error", code, text) == (result.outcome, result.exit_code, result.text)


@pytest.mark.parametrize("command", ["", "  \n"])
def test_a_blank_command_is_refused(bench: Bench, command: str) -> None:
    """An empty shell call would count as a success that proves nothing."""
    assert bench.fails("bash", command=command) == "command is required\n"


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


def test_a_shell_that_is_not_there_is_an_error(make_bench: MakeBench) -> None:
    """A command that never started has no status."""
    bench = make_bench(settings=ToolSettings(shell="/nix/bash"))

    result = bench.call("bash", command="true")

    assert (result.outcome, result.exit_code) == ("error", None)
    assert result.text == "error: cannot start /nix/bash: no such program\n"


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


def test_secrets_of_the_host_do_not_reach_commands(
    make_bench: MakeBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command prints its environment sooner or later."""
    for name in (
        "OPENAI_API_KEY",
        "MY_TOKEN",
        "DB_PASSWORD",
        "aws_secret_access_key",
        "MINE",
        "KEYBOARD",
        "SSH_AUTH_SOCK",
    ):
        monkeypatch.setenv(name, "value")
    policy = EnvironmentPolicy(credentials=frozenset({"MINE"}), keep=frozenset({"MY_TOKEN"}))
    bench = make_bench(settings=ToolSettings(environment=policy))

    seen = {line.split("=")[0] for line in bench.ok("bash", command="env").splitlines()}

    assert {"MY_TOKEN", "KEYBOARD", "PATH", "HOME", "SSH_AUTH_SOCK"} <= seen
    assert not {"OPENAI_API_KEY", "DB_PASSWORD", "aws_secret_access_key", "MINE"} & seen


def test_temporary_files_go_to_the_session_s_own_directory(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    """Consecutive calls share temporary files, and nobody else does."""
    (tmp_path / "own").mkdir()
    bench = make_bench(settings=ToolSettings(temporary=str(tmp_path / "own")))

    text = bench.ok("bash", command="echo $TMPDIR $TMP $TEMP; mktemp > /dev/null")

    assert f"{tmp_path}/own {tmp_path}/own {tmp_path}/own\n" == text
    assert len(list((tmp_path / "own").iterdir())) == 1


def test_the_session_s_directory_is_made_or_nothing_runs(
    make_bench: MakeBench, tmp_path: Path
) -> None:
    """A command that cannot have its temporary files would put them where others see them."""
    bench = make_bench(settings=ToolSettings(temporary=str(tmp_path / "new" / "own")))
    assert bench.ok("bash", command='[ -d "$TMPDIR" ] && echo there') == "there\n"
    assert (tmp_path / "new" / "own").stat().st_mode & 0o777 == 0o700

    (tmp_path / "file").write_text("")
    bench = make_bench(settings=ToolSettings(temporary=str(tmp_path / "file" / "own")))
    for background in (False, True):
        message = bench.fails("bash", command="touch ran", run_in_background=background)
        assert message == "session temporary directory: not a directory\n"
    assert not (bench.root / "ran").exists()


@pytest.mark.parametrize(
    ("tool", "arguments", "message"),
    [
        (
            "bash",
            {"command": "touch ran", "run_in_background": True},
            "background execution is not available in this context\n",
        ),
        (
            "bash_output",
            {"job_id": "bash-1"},
            "background jobs are not available in this context\n",
        ),
        (
            "kill_shell",
            {"job_id": "bash-1"},
            "background jobs are not available in this context\n",
        ),
        ("wait", {}, "background jobs are not available in this context\n"),
    ],
)
def test_a_host_without_jobs_says_so(
    bench: Bench, tool: str, arguments: dict[str, Any], message: str
) -> None:
    """An answer as if there were none would be a lie."""
    box = Toolbox(replace(bench.context, jobs=None), state=bench.state)

    assert box.call(tool, arguments).text == f"error: {message}"
    assert not (bench.root / "ran").exists()


def test_output_is_drained_without_end_and_kept_within_bounds(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that writes a gigabyte must neither block nor fill the memory, nor cut unseen."""
    monkeypatch.setattr(capturing, "FOREGROUND_LIMIT", 0)
    result = bench.call("bash", command="head -c 40000000 /dev/zero | tr '\\0' x; echo; echo last")

    assert "not kept]" in result.body
    assert result.body.endswith("x\nlast\n")
    assert len(result.body) < 20_000_000
    assert result.text.endswith("x\nlast\n")


def test_a_gap_in_the_output_is_counted() -> None:
    """What was dropped is said to the byte."""
    capture = Capture(limit=10)
    capture.write(b"0123456789")
    capture.write(b"a" * capturing.TAIL + b"bc")

    text = full_text(capture)
    capture.close()

    assert f"0123456789\n[2 bytes of output were not kept]\n{'a' * (capturing.TAIL - 2)}bc" == text


@pytest.mark.parametrize(
    ("data", "code_page", "text"),
    [
        (b"\xb3\xc9\xb9\xa6\n", "gb18030", "成功\n"),
        ("成功\n".encode(), "gb18030", "成功\n"),
        (b"a\xffb", None, "a\\xffb"),
        (b"a\xffb", "gb18030", "a\\xffb"),
    ],
)
def test_output_is_utf8_or_the_set_code_page(data: bytes, code_page: str | None, text: str) -> None:
    """Decided over all bytes together, so a character split between two reads is whole."""
    assert text == decode_output(data, code_page)


def test_progress_is_told_as_it_comes(bench: Bench) -> None:
    """A person watching a long command sees it live; the result is unchanged."""
    pieces: list[bytes] = []
    context = replace(bench.context, progress=pieces.append)
    output = run({"command": "echo one; sleep 0.05; echo two"}, context)

    assert (output.text, b"".join(pieces)) == ("one\ntwo\n", b"one\ntwo\n")


def test_a_listener_that_fails_does_not_stop_the_command(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    """Showing output is a courtesy; the result is what counts."""

    def fail(data: bytes) -> None:
        raise ValueError("display is gone")

    output = run(
        {"command": "echo one; sleep 0.05; echo two"}, replace(bench.context, progress=fail)
    )

    assert output.text == "one\ntwo\n"
    assert caplog.text.count("a listener of command output failed") == 1


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(120, "2m0s"), (30, "30s"), (0.5, "500ms"), (1.5, "1.5s"), (3600, "1h0m0s")],
)
def test_durations_have_the_short_form(seconds: float, text: str) -> None:
    """The form that hosts of this family print."""
    assert text == short_duration(seconds)


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


def test_a_background_job_answers_at_once_and_is_read_bit_by_bit(bench: Bench) -> None:
    """Each read shows what is new, and nothing is shown twice or lost."""
    command = "echo one; while ! [ -e go ]; do sleep 0.01; done; echo two"
    result = bench.call("bash", command=command, run_in_background=True)
    assert result.outcome == "running"
    assert result.text.startswith('Started background job "bash-1". ')
    for tool in ("bash_output", "wait", "kill_shell"):
        assert tool in result.text

    seen = ""
    while "one" not in seen:
        seen = bench.ok("bash_output", job_id="bash-1")
    assert seen == "[bash-1] running\none\n"
    assert bench.ok("bash_output", job_id="bash-1") == "[bash-1] running\n(no new output)"
    bench.put("go", "")
    label = command[:48] + "…"
    assert f"[bash-1 ({label})] done\none\ntwo\n" == bench.ok("wait", job_ids=["bash-1"])
    assert bench.ok("bash_output", job_id="bash-1") == "[bash-1] done\ntwo\n"
    assert bench.ok("bash_output", job_id="bash-1") == "[bash-1] done\n(no new output)"
    assert bench.ok("wait") == "No background jobs to wait for."


def test_a_failed_job_tells_its_status(bench: Bench) -> None:
    """The status stands on a line of its own behind what the job wrote."""
    bench.ok("bash", command="printf partial; exit 4", run_in_background=True)

    assert (
        bench.ok("wait", job_ids=["bash-1"])
        == "[bash-1 (printf partial; exit 4)] failed\npartial\nexit status 4"
    )
    assert bench.ok("bash_output", job_id="bash-1") == "[bash-1] failed\npartial\nexit status 4"


def test_a_filter_shows_matching_lines_and_consumes_the_rest(bench: Bench) -> None:
    """A pattern that does not compile consumes nothing."""
    bench.ok("bash", command="printf 'a1\\nb2\\na3\\n'", run_in_background=True)
    bench.ok("wait", job_ids=["bash-1"])

    assert bench.fails("bash_output", job_id="bash-1", filter="(").startswith(
        "invalid filter regexp: "
    )
    assert bench.ok("bash_output", job_id="bash-1", filter="^a") == "[bash-1] done\na1\na3"
    assert bench.ok("bash_output", job_id="bash-1") == "[bash-1] done\n(no new output)"


def test_a_filter_waits_for_whole_lines(bench: Bench) -> None:
    """Half a line cannot be held against a pattern."""
    bench.ok(
        "bash",
        command="printf 'needle in ha'; touch half; while ! [ -e go ]; do sleep 0.01; done; echo y",
        run_in_background=True,
    )
    while not (bench.root / "half").exists():
        threading.Event().wait(0.01)
    assert (
        bench.ok("bash_output", job_id="bash-1", filter="hay")
        == "[bash-1] running\n(no new output)"
    )
    bench.put("go", "")
    bench.ok("wait", job_ids=["bash-1"])

    assert bench.ok("bash_output", job_id="bash-1", filter="hay") == "[bash-1] done\nneedle in hay"


def test_kill_shell_ends_a_running_job_and_nothing_else(bench: Bench) -> None:
    """A job that ended by itself keeps its real status, and an unknown id is no error."""
    bench.ok("bash", command="echo $$ > pid; exec sleep 99", run_in_background=True)
    bench.ok("bash", command="true", run_in_background=True)
    bench.ok("wait", job_ids=["bash-2"])
    pid = started(bench, "pid")

    assert bench.ok("kill_shell", job_id="bash-1") == 'Killed background job "bash-1".'
    assert bench.ok("bash_output", job_id="bash-1").startswith("[bash-1] killed\n")
    assert gone(pid)
    for job_id in ("bash-1", "bash-2", "bash-9"):
        assert "was not running" in bench.ok("kill_shell", job_id=job_id)
    assert bench.ok("bash_output", job_id="bash-2").startswith("[bash-2] done\n")


@pytest.mark.parametrize("tool", ["bash_output", "kill_shell"])
def test_a_job_needs_its_id(bench: Bench, tool: str) -> None:
    """An empty id names no job."""
    assert bench.fails(tool, job_id="") == "job_id is required\n"


def test_an_unknown_job_has_no_output(bench: Bench) -> None:
    """An empty answer would look like a job that said nothing."""
    assert bench.fails("bash_output", job_id="bash-7") == 'no background job "bash-7"\n'


def test_jobs_belong_to_the_session_that_started_them(bench: Bench) -> None:
    """One session must not read or stop another's work."""
    bench.jobs.open("task", "other", owner="else")

    assert bench.fails("bash_output", job_id="task-1") == 'no background job "task-1"\n'
    assert "was not running" in bench.ok("kill_shell", job_id="task-1")
    assert bench.ok("wait") == "No background jobs to wait for."


def test_wait_has_one_limit_for_the_whole_call(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At its end the snapshot of all targets is a success."""
    for _ in range(2):
        bench.ok("bash", command="sleep 99", run_in_background=True)
    waits: list[tuple[list[str], float | None]] = []
    really = bench.jobs.wait

    def wait(jobs: list[Job], *, seconds: float | None, cancellation: Cancellation) -> None:
        waits.append(([job.id for job in jobs], seconds))
        really(jobs, seconds=seconds, cancellation=cancellation)

    monkeypatch.setattr(bench.jobs, "wait", wait)

    text = bench.ok("wait", timeout_seconds=1, job_ids=["bash-2", "nix", "bash-1"])

    assert text == "[bash-2 (sleep 99)] running\n\n[bash-1 (sleep 99)] running"
    assert [(["bash-2", "bash-1"], 1)] == waits


@pytest.mark.parametrize("arguments", [{}, {"job_ids": []}])
def test_waiting_for_no_named_job_is_waiting_for_all(bench: Bench, arguments: Any) -> None:
    """An empty list is how some models leave it out; they must not hear that nothing runs."""
    bench.ok("bash", command="sleep 0.1; echo end", run_in_background=True)

    assert bench.ok("wait", **arguments) == "[bash-1 (sleep 0.1; echo end)] done\nend\n"


def test_any_number_of_seconds_is_a_limit(bench: Bench) -> None:
    """More than a clock can count is as good as none."""
    bench.ok("bash", command="echo end", run_in_background=True)

    text = bench.ok("wait", job_ids=["bash-1"], timeout_seconds=10**20)

    assert text == "[bash-1 (echo end)] done\nend\n"


def test_cancelling_ends_waiting_and_not_the_job(bench: Bench) -> None:
    """The job outlives the turn."""
    bench.ok("bash", command="sleep 99", run_in_background=True)
    timer = threading.Timer(0.1, bench.context.cancellation.cancel)
    timer.start()

    assert bench.ok("wait") == "[bash-1 (sleep 99)] running"
    assert bench.jobs.of("main", running=True)


def test_ids_count_over_all_kinds_and_labels_are_short() -> None:
    """One counter, so that an id is never ambiguous."""
    jobs = Jobs()

    ids = [jobs.open(kind, "x", owner="o").id for kind in ("bash", "task", "bash")]
    jobs.close()

    assert ids == ["bash-1", "task-2", "bash-3"]
    assert short_label("a\nb" + "c" * 46) == "a b" + "c" * 45 + "…"


def test_a_task_without_a_log_shows_its_answer_once() -> None:
    """A delegated task says nothing until its end."""
    jobs = Jobs()
    job = jobs.open("task", "look", owner="o")
    assert jobs.take(job) == ("running", "")

    jobs.finish(job, "done", answer="the answer")

    assert jobs.take(job) == ("done", "the answer")
    assert jobs.take(job) == ("done", "")
    assert job.text() == "the answer"
    jobs.close()


def test_a_log_beyond_the_limit_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """An incomplete log must not look complete."""
    monkeypatch.setattr("reasonix_runtime.tools.support.jobs.BACKGROUND_LIMIT", 4)
    jobs = Jobs()
    job = jobs.open("task", "x", owner="o")
    job.write(b"0123456789")
    jobs.finish(job, "done")

    text = jobs.take(job)[1]
    jobs.close()

    assert text == "0123\njob artifact incomplete: 6 bytes beyond the limit are not in this log\n"


def test_a_character_split_between_two_reads_is_shown_whole() -> None:
    """Half a character is no text."""
    jobs = Jobs()
    job = jobs.open("task", "x", owner="o")
    data = "a成".encode()
    job.write(data[:2])
    assert jobs.take(job) == ("running", "a")
    job.write(data[2:])
    assert jobs.take(job) == ("running", "成")
    jobs.close()


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


def test_the_shell_gets_the_command_and_no_profile(make_bench: MakeBench) -> None:
    """A login shell may print, wait, or change where a command starts."""
    bench = make_bench()
    bench.put("shell", "#!/bin/sh\nprintf '<%s>' \"$@\"\n").chmod(0o755)
    bench = make_bench(settings=ToolSettings(shell=str(bench.root / "shell")))

    assert bench.ok("bash", command="echo 'a b' >nul") == "<-c><echo 'a b' >nul>"


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


def test_a_job_has_no_time_limit_and_outlives_its_turn(make_bench: MakeBench) -> None:
    """The limit is for commands that the model waits for."""
    bench = make_bench(settings=ToolSettings(bash_timeout_seconds=0.05))
    bench.ok("bash", command="sleep 0.3; echo end", run_in_background=True)

    bench.begin_turn()

    assert bench.ok("wait", job_ids=["bash-1"]) == "[bash-1 (sleep 0.3; echo end)] done\nend\n"


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


@pytest.mark.parametrize(
    ("pattern", "shown"),
    [("e2", "[bash-1] done\none2\nthree2"), ("^two$", "[bash-1] done\ntwo"), (r"\d$", None)],
)
def test_a_filter_is_held_against_each_line(bench: Bench, pattern: str, shown: str | None) -> None:
    """Anywhere in the line, and the lines that fit are joined again."""
    bench.ok("bash", command="printf 'one2\\ntwo\\nthree2\\n'", run_in_background=True)
    bench.ok("wait", job_ids=["bash-1"])

    assert bench.ok("bash_output", job_id="bash-1", filter=pattern) == (
        shown or "[bash-1] done\none2\nthree2"
    )


@pytest.mark.parametrize("pattern", ["(?=a)", r"(a)\1", "["])
def test_a_filter_is_an_expression_without_look_around(bench: Bench, pattern: str) -> None:
    """A catastrophic pattern would hang the reader of a log."""
    bench.ok("bash", command="true", run_in_background=True)

    message = bench.fails("bash_output", job_id="bash-1", filter=pattern)

    assert message.startswith("invalid filter regexp: ")


def test_the_output_of_a_job_is_complete_and_not_its_tail(bench: Bench) -> None:
    """Only the bound of a result shortens it, and what it was is kept with the call."""
    bench.ok("bash", command="seq 100000", run_in_background=True)
    bench.ok("wait", job_ids=["bash-1"])

    result = bench.call("bash_output", job_id="bash-1")

    assert result.body == "[bash-1] done\n" + "".join(f"{n}\n" for n in range(1, 100_001))
    assert len(result.text.encode()) <= 32768


def test_a_log_beyond_memory_is_a_file_without_a_name(bench: Bench, tmp_path: Path) -> None:
    """Nobody else can open what has no name, and nothing is left of it afterwards."""
    capture = Capture(limit=100_000_000)
    capture.write(b"x" * 20_000_000)

    held = [
        os.readlink(f"/proc/self/fd/{fd}")
        for fd in os.listdir("/proc/self/fd")
        if os.path.islink(f"/proc/self/fd/{fd}")
    ]
    capture.close()

    assert any(name.endswith(" (deleted)") for name in held)


def test_waiting_leaves_the_place_of_the_reader(bench: Bench) -> None:
    """Both answers are whole: the one of `wait` every time, the other bit by bit."""
    bench.ok("bash", command="echo a", run_in_background=True)
    for _ in range(2):
        assert bench.ok("wait", job_ids=["bash-1"]) == "[bash-1 (echo a)] done\na\n"

    assert bench.ok("bash_output", job_id="bash-1") == "[bash-1] done\na\n"


def test_jobs_are_told_in_the_order_of_their_start_and_without_an_empty_label(
    bench: Bench,
) -> None:
    """Where no order was asked for."""
    first = bench.jobs.open("task", "", owner="main")
    second = bench.jobs.open("task", "b", owner="main")
    threading.Timer(0.4, lambda: bench.jobs.finish(second, "done", answer="two")).start()
    threading.Timer(0.5, lambda: bench.jobs.finish(first, "done", answer="")).start()

    assert bench.ok("wait") == "[task-1] done\n\n[task-2 (b)] done\ntwo"


def test_killing_does_not_wait_for_the_process(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The status is told at once; what ignores the signal goes a moment later."""
    monkeypatch.setattr(process, "GRACE_S", 3)
    bench.ok(
        "bash",
        command="trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done",
        run_in_background=True,
    )
    pid = started(bench, "pid")

    assert bench.ok("kill_shell", job_id="bash-1") == 'Killed background job "bash-1".'
    assert bench.ok("bash_output", job_id="bash-1").startswith("[bash-1] killed\n")
    assert alive(pid)
    assert gone(pid)
