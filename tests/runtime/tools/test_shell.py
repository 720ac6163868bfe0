"""`bash` in the foreground: run for real and told as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.bash.behaviour import run
from reasonix_runtime.tools.context import ToolSettings
from reasonix_runtime.tools.support import capture as capturing
from reasonix_runtime.tools.support.capture import Capture, decode_output, full_text
from reasonix_runtime.tools.support.durations import short_duration
from reasonix_runtime.tools.support.environment import EnvironmentPolicy


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


def test_a_shell_that_is_not_there_is_an_error(make_bench: MakeBench) -> None:
    """A command that never started has no status."""
    bench = make_bench(settings=ToolSettings(shell="/nix/bash"))

    result = bench.call("bash", command="true")

    assert (result.outcome, result.exit_code) == ("error", None)
    assert result.text == "error: cannot start /nix/bash: no such program\n"


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
        "HOME",
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


def test_the_shell_gets_the_command_and_no_profile(make_bench: MakeBench) -> None:
    """A login shell may print, wait, or change where a command starts."""
    bench = make_bench()
    bench.put("shell", "#!/bin/sh\nprintf '<%s>' \"$@\"\n").chmod(0o755)
    bench = make_bench(settings=ToolSettings(shell=str(bench.root / "shell")))

    assert bench.ok("bash", command="echo 'a b' >nul") == "<-c><echo 'a b' >nul>"
