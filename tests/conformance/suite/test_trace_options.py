"""What pytest is told about traces that do not tell it themselves, as the command `replay` is."""

from __future__ import annotations

import json
import os
from typing import Any

import pytest
from runs import run_pytest

EDIT = {"path": "/w/src/a.py", "old_string": "a", "new_string": "b"}
CALLS = (
    ("edit_file", EDIT),
    ("bash", {"command": "cat src/a.py"}),
    ("bash", {"command": "pytest -q"}),
)


@pytest.fixture
def project(pytester: pytest.Pytester) -> pytest.Pytester:
    """Return a project with a chat log, which tells neither outcomes nor a folder."""
    said: list[dict[str, Any]] = [{"role": "user", "content": "go"}]
    for number, (name, args) in enumerate(CALLS):
        function = {"name": name, "arguments": json.dumps(args)}
        said += [
            {"role": "assistant", "tool_calls": [{"id": f"c{number}", "function": function}]},
            {"role": "tool", "tool_call_id": f"c{number}", "content": "x"},
        ]
    said.append({"role": "assistant", "content": "Done."})
    log = pytester.path / "chat.jsonl"
    log.write_text("".join(f"{json.dumps(message)}\n" for message in said))
    return pytester


def run(project: pytest.Pytester, *args: str) -> pytest.RunResult:
    return run_pytest(project, "--reasonix-replay=chat.jsonl", "-rs", *args)


@pytest.mark.parametrize(
    ("options", "missing"),
    [
        ((), "--reasonix-min-basis"),
        (("--reasonix-min-basis=absence",), "--reasonix-workspace"),
        (("--reasonix-min-basis=absence", "--reasonix-workspace=/w"), None),
    ],
)
def test_what_a_trace_lacks_can_be_told(
    options: tuple[str, ...], missing: str | None, project: pytest.Pytester
) -> None:
    """Each message names the option that helps; a skipped trace never gets better by itself."""
    ran = run(project, *options)

    ran.assert_outcomes(passed=missing is None, skipped=missing is not None)
    if missing is not None:
        ran.stdout.fnmatch_lines([f"*not assessable*{missing}*"])


def test_the_ini_file_tells_it_once_for_all(project: pytest.Pytester) -> None:
    """A project judges all its traces alike."""
    project.makeini(
        "[pytest]\nreasonix_min_basis = absence\nreasonix_workspace = /w\n"
        "reasonix_profile = ordinary\n"
    )

    run(project).assert_outcomes(passed=1)


def test_the_profile_says_what_a_turn_owes(project: pytest.Pytester) -> None:
    """A closed loop asks for criteria and a sign-off, too."""
    told = ("--reasonix-min-basis=absence", "--reasonix-workspace=/w")
    ran = run(project, *told, "--reasonix-profile=delivery")

    ran.assert_outcomes(failed=1)


@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("--reasonix-min-basis=sure", "sure: expected one of exit_code, state*"),
        ("--reasonix-profile=fast", "fast: expected one of ordinary, delivery*"),
        ("--reasonix-workspace=src", "'src' is no whole path*"),
        ("--reasonix-workspace=", "the value is empty*"),
    ],
)
def test_a_value_that_cannot_be_meant_is_wrong_use(
    option: str, said: str, project: pytest.Pytester
) -> None:
    """It names what can be."""
    ran = run(project, option)

    assert pytest.ExitCode.USAGE_ERROR == ran.ret
    ran.stderr.fnmatch_lines([f"*{option.partition('=')[0]}*{said}"])


def test_a_failure_is_headed_by_the_trace_that_failed(project: pytest.Pytester) -> None:
    """Each item of a trace is called `replay`: of a hundred, nobody would know which it is."""
    log = (project.path / "chat.jsonl").read_text().splitlines(keepends=True)
    (project.path / "unchecked.jsonl").write_text("".join(log[:3] + log[-1:]))
    options = ("--reasonix-replay=unchecked.jsonl", "--reasonix-min-basis=absence")

    ran = run(project, *options, "-v")

    ran.stdout.fnmatch_lines(["unchecked.jsonl::replay FAILED*", "*_ replay (unchecked.jsonl) _*"])
    ran.stdout.fnmatch_lines(["SKIPPED*: not assessable: The recording does not tell*"])


def test_what_is_left_out_of_a_folder_is_named(project: pytest.Pytester) -> None:
    """A green run must not look as if it had read it."""
    folder = project.path / "traces"
    folder.mkdir()
    (project.path / "chat.jsonl").rename(folder / "chat.jsonl")
    (folder / "latest.jsonl").symlink_to("gone.jsonl")
    os.mkfifo(folder / "pipe.jsonl")

    ran = project.runpytest_subprocess("--reasonix-replay=traces")

    ran.stdout.fnmatch_lines([
        "left out, links out of their folder or to no file: traces/latest.jsonl; name what *",
        "left out, pipes and devices: traces/pipe.jsonl; write what they give to a file, *",
    ])  # fmt: skip
