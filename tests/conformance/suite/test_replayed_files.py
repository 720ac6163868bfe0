"""Transcripts and traces as items: how they fail, which failures are known, how they are named."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from project_files import TRANSCRIPT, transcripts

from reasonix_conformance import known_failures


def test_transcripts_fail_with_place_expectation_and_verdict(project: Any) -> None:
    """The reader of a failure goes to the line and sees what was decided there."""
    transcripts(project)

    result = project.run("-k", "t-")

    result.assert_outcomes(passed=2, failed=1, deselected=5)
    result.stdout.fnmatch_lines([
        "t-bad?classic?*",
        "turn-1/0-complete_step: *",
        "*where     fixtures/transcripts/steps.yaml:12",
        "*expected  accept",
        "*found     reject step.missing*",
    ])  # fmt: skip


def test_a_broken_transcript_file_fails_and_the_others_run(project: Any) -> None:
    """Nothing is lost: one unreadable file is one failure."""
    transcripts(project)
    (project.root / "fixtures/transcripts/torn.yaml").write_text("- id: x\n  turms: []\n")

    result = project.run("fixtures/transcripts")

    result.assert_outcomes(passed=2, failed=2)
    result.stdout.fnmatch_lines(["transcript/readable: fixtures/transcripts/torn.yaml:*"])
    assert "turns" in result.stdout.str()


def test_a_key_that_nobody_reads_is_told_and_binding_in_strict_runs(project: Any) -> None:
    """The format leaves the keys of a goal open: one of them costs no other verdict of the file."""
    transcripts(
        project, TRANSCRIPT.replace("  turns", "  setup: {goal: {turn_used: 3}}\n  turns", 1)
    )

    relaxed = project.run("-k", "t-")
    strict = project.run("-k", "t-", "--reasonix-strict")

    assert ["t-bad[classic]"] == project.failed(relaxed)
    relaxed.stdout.fnmatch_lines(["recommended, not met: transcript/keys*"])
    assert ["t-bad[classic]", "t-good[classic]", "t-good[facts]"] == sorted(project.failed(strict))
    strict.stdout.fnmatch_lines([
        "transcript/keys: setup.goal.turn_used: unknown key; did you mean 'turns_used'?",
        "*where     fixtures/transcripts/steps.yaml:3",
    ])  # fmt: skip


KNOWN = "- id: t-bad\n  reason: the gate is not built\n"


def test_a_known_failure_is_expected_to_fail(project: Any) -> None:
    """What is known to be broken is visible and does not hide what breaks anew."""
    transcripts(project, known=KNOWN)

    result = project.run("-rx", "-k", "t- or entries")

    result.assert_outcomes(passed=3, xfailed=1, deselected=5)
    assert "fixtures/known-failures.yaml:1: the gate is not built" in result.stdout.str()


def test_a_report_marks_a_transcript_that_is_known_to_fail(project: Any) -> None:
    """A server that reads it was red where the run was green."""
    transcripts(project, known=KNOWN)

    project.run("-k", "t-", "--reasonix-report=r.xml")
    project.run("-k", "t-", "--reasonix-report=r.json")

    junit = (project.root / "r.xml").read_text("utf-8")
    assert (0, 1) == (junit.count("<failure"), junit.count(": known failure: not as expected"))
    summary = json.loads((project.root / "r.json").read_text("utf-8"))["summary"]
    assert {"known_failure": 1, "passed": 2} == summary


@pytest.mark.parametrize(
    ("known", "failed", "sentence"),
    [
        ("- {id: t-good, reason: no, rules: classic}\n" + KNOWN, "t-good[classic]", "passes, but"),
        (KNOWN + "- {id: t-gone, reason: no}\n", "entries", "no transcript has the id 't-gone'"),
        (KNOWN + "- {id: t-bad, reason: no, rules: facts}\n", "entries", "stands twice"),
        ("- {id: t-bad, reason: no, rules: facts}\n", "entries", "not under facts"),
        (KNOWN + KNOWN, "entries", "stands twice, first at fixtures/known-failures.yaml:1"),
        ("- {id: t-bad, raeson: no}\n", "entries", "did you mean 'reason'?"),
        ("- {id: t-bad, reason: no, rules: clasic}\n", "entries", "did you mean 'classic'?"),
        (
            KNOWN + "- {id: 'docs/TOOL_CONTRACT.md::peek', reason: no}\n",
            "entries",
            "'docs/TOOL_CONTRACT.md::peek' is an item of the contract, and no entry excuses one",
        ),
        ("id: t-bad\n", "entries", "expected a YAML list of entries"),
        ("- [", "entries", "fixtures/known-failures.yaml:"),
    ],
)
def test_the_list_of_known_failures_is_strict(
    project: Any, known: str, failed: str, sentence: str
) -> None:
    """An entry that passes, stands twice or names nothing would hide a regression some day."""
    transcripts(project, known=known)

    result = project.run("-k", "t- or entries")

    assert failed in project.failed(result)
    assert sentence in result.stdout.str()
    assert "Traceback" not in result.stdout.str()


@pytest.mark.parametrize(
    ("known", "sentence"),
    [
        ("- [", "fixtures/known-failures.yaml:"),
        (KNOWN + KNOWN, "stands twice, first at fixtures/known-failures.yaml:1"),
        (KNOWN + "  until: 2020-01-01\n", "the entry 't-bad' counted until 2020-01-01"),
        (
            "- {id: 'docs/TOOL_CONTRACT.md::peek', reason: no}\n",
            "'docs/TOOL_CONTRACT.md::peek' is an item of the contract, and no entry excuses one",
        ),
        (KNOWN, None),
    ],
)
@pytest.mark.parametrize("given", [(), ("--reasonix-known=fixtures/known-failures.yaml",)])
def test_the_list_is_read_where_there_are_no_transcripts(
    project: Any, known: str, sentence: str | None, given: tuple[str, ...]
) -> None:
    """A list that was given and is broken must not pass; of what it names only itself is judged."""
    (project.root / "fixtures").mkdir()
    (project.root / "fixtures" / "known-failures.yaml").write_text(known)

    result = project.run(*given)

    assert (["entries"] if sentence else []) == project.failed(result)
    result.assert_outcomes(passed=5 if sentence else 6, failed=1 if sentence else 0)
    assert (sentence or "") in result.stdout.str()


def test_a_list_says_which_failures_it_cannot_hold(project: Any) -> None:
    """Whoever writes a list to make a run green must not find it empty without a word."""
    project.tools["look"]["description"] = ""

    result = project.run("--reasonix-write-known=known.yaml")

    assert ["look"] == project.failed(result)
    assert "[]" in (project.root / "known.yaml").read_text()
    result.stdout.fnmatch_lines(["1 failed item not written: a list of known *"])


def test_a_list_written_by_a_contract_run_keeps_what_is_agreed_of_traces(project: Any) -> None:
    """The list lost every entry about traces, and those of transcripts that did not run."""
    ids = ("t-bad", "t-good", "t-none", "traces/*.jsonl::turn-1/end")
    known = "".join(f'- id: "{one}"\n  reason: agreed\n' for one in ids)
    transcripts(project, known=known)
    file = "fixtures/known-failures.yaml"
    write = f"--reasonix-write-known={file}"

    project.run(write, "-k", "t-bad")
    assert list(ids) == [one.id for one in known_failures.load(project.root / file, file).entries]
    project.run(write)

    kept = known_failures.load(project.root / file, file).entries
    assert [ids[0], ids[3]] == [one.id for one in kept]


CHAT = """\
{"role":"user","content":"do it"}
{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"complete_step",\
"arguments":"{\\"step\\":\\" \\",\\"result\\":\\"done\\",\\"evidence\\":[]}"}}]}
{"role":"tool","tool_call_id":"c1","content":"Step signed off."}
{"role":"assistant","content":"done"}
"""


def test_traces_are_replayed_alone(project: Any) -> None:
    """An audit needs no contract, nor what a host must decide: what the rules refuse fails it."""
    transcripts(project)
    folder = project.root / "traces"
    folder.mkdir()
    (folder / "chat.jsonl").write_text(CHAT)
    (folder / "notes.txt").write_text("no trace")

    result = project.pytester.runpytest_inprocess("--reasonix-replay", "traces")

    output = result.stdout.str()
    assert pytest.ExitCode.TESTS_FAILED == result.ret
    assert ["replay"] == project.failed(result)
    assert "turn-1/0-complete_step: " in output
    assert "traces/chat.jsonl:2" in output
    result.assert_outcomes(failed=1, skipped=1)


@pytest.mark.parametrize(("content", "told"), [(None, 1), ("no trace", 0)])
def test_a_folder_without_traces_is_never_green(
    project: Any, content: str | None, told: int
) -> None:
    """Nothing was audited, whatever lies there; where nothing does the run says so."""
    folder = project.root / "traces"
    folder.mkdir()
    if content:
        (folder / "notes.txt").write_text(content)

    result = project.pytester.runpytest_inprocess("--reasonix-replay", "traces")

    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.NO_TESTS_COLLECTED)
    assert told == result.stdout.str().count("traces: no trace in this folder")


def test_a_named_file_that_is_no_trace_fails(project: Any) -> None:
    """Who names a file says that it is one."""
    (project.root / "notes.txt").write_text("no trace")

    result = project.pytester.runpytest_inprocess("--reasonix-replay", "notes.txt")

    output = result.stdout.str()
    assert ["replay"] == project.failed(result)
    assert "trace/readable: notes.txt: not a trace of a known format" in output
    assert "`reasonix-conformance replay notes.txt --format-in NAME`" in output
    assert "name the format with --format-in" not in output


def test_a_named_file_that_no_reader_takes_says_what_to_do_with_it(project: Any) -> None:
    """A command that names its format would say the same."""
    (project.root / "notes.txt").write_bytes("{}".encode("utf-16"))

    result = project.pytester.runpytest_inprocess("--reasonix-replay", "notes.txt")

    output = result.stdout.str()
    assert "leave the file out of --reasonix-replay, or save it as UTF-8" in output
    assert "--format-in" not in output


def test_files_outside_of_the_root_have_ids_that_can_be_given_back(
    project: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Recorded sessions lie elsewhere, often under the same name in many folders."""
    folder = tmp_path_factory.mktemp("sessions")
    for name in ("a", "b"):
        (folder / name).mkdir()
        (folder / name / "chat.jsonl").write_text('{"role": "user", "content": "hi"}\n')
    (project.pytester.path / "pytest.ini").write_text("[pytest]\n")
    argv = ("-c", "pytest.ini", "-rs", "-v", f"--reasonix-replay={folder}")

    every, one = (
        [
            line.split()[0]
            for line in project.pytester.runpytest_inprocess(*argv, *ids).outlines
            if "SKIPPED" in line and "::" in line
        ]
        for ids in ((), (f"{folder}/b/chat.jsonl::replay",))
    )

    assert [f"{folder}/{name}/chat.jsonl::replay" for name in ("a", "b")] == every
    assert every[1:] == one


def test_transcripts_are_replayed_by_their_ids(project: Any) -> None:
    """A folder of transcripts gives the items that it gives in the contract suite."""
    transcripts(project)

    result = project.pytester.runpytest_inprocess("--reasonix-replay", "fixtures")

    result.assert_outcomes(passed=2, failed=1)
    assert ["t-bad[classic]"] == project.failed(result)


def test_a_file_that_cannot_be_opened_is_named_as_others_are(
    project: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report that holds the folder of the machine differs from machine to machine."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    (project.root / "run.jsonl.zst").write_bytes(b"\x28\xb5\x2f\xfd")

    project.pytester.runpytest_inprocess(
        "--reasonix-replay=run.jsonl.zst", "--reasonix-report=report.json"
    )

    (item,) = json.loads((project.root / "report.json").read_text())["items"]
    assert item["findings"][0]["what"].startswith("run.jsonl.zst: reading zstandard data needs")
