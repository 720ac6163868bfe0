"""Background jobs: started, read bit by bit, waited for, ended, each told as it was."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from running import alive, gone, started
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.context import ToolSettings
from reasonix_runtime.tools.dispatch import Toolbox
from reasonix_runtime.tools.support import process
from reasonix_runtime.tools.support.cancellation import Cancellation
from reasonix_runtime.tools.support.capture import Capture
from reasonix_runtime.tools.support.jobs import Job, Jobs, short_label


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


def test_a_job_has_no_time_limit_and_outlives_its_turn(make_bench: MakeBench) -> None:
    """The limit is for commands that the model waits for."""
    bench = make_bench(settings=ToolSettings(bash_timeout_seconds=0.05))
    bench.ok("bash", command="sleep 0.3; echo end", run_in_background=True)

    bench.begin_turn()

    assert bench.ok("wait", job_ids=["bash-1"]) == "[bash-1 (sleep 0.3; echo end)] done\nend\n"


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
