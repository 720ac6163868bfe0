"""What a run writes never replaces what it reads, nor a trace."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from places import FIXTURES, GOOD

from reasonix_conformance.cli import main
from reasonix_conformance.files import write_whole
from reasonix_conformance.traces import targets

TOOLS = FIXTURES / "hosts" / "classic-2026-08" / "tools.json"
TRANSCRIPT = """\
- id: t
  rules: classic
  turns:
    - events:
        - call: complete_step
          args: {step: "  ", result: done, evidence: [{kind: manual, summary: looked}]}
          expect: {verdict: accept}
"""
READ, INSIDE, TRACE = "file is read", "in a folder that is read", "holds a trace"
AGREED = "this file is not read, and what is agreed in it would be lost"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with traces in it and beside it, in which the command runs."""
    inside = tmp_path / "traces"
    inside.mkdir()
    for path in (tmp_path / "a.jsonl", tmp_path / "b.jsonl", inside / "c.jsonl"):
        shutil.copy(GOOD, path)
    shutil.copy(TOOLS, tmp_path / "tools.json")
    shutil.copy(GOOD, tmp_path / "events.txt")
    (tmp_path / "link.jsonl").symlink_to("a.jsonl")
    (tmp_path / "damaged.jsonl").write_text("hello\n")
    (tmp_path / "told.yaml").write_text(TRANSCRIPT)
    (tmp_path / "neutral.jsonl").write_text('{"ev":"session","sid":"s","format":"neutral"}\n')
    (inside / "side.meta.json").write_text('{"parentSession": "c"}\n')
    (tmp_path / "known.yaml").write_text("[]\n")
    (tmp_path / "agreed.yaml").write_text("- id: b.jsonl::*\n  reason: agreed\n  owner: ann\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def content(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize(
    ("words", "option", "why"),
    [
        ("a.jsonl --coverage b.jsonl", "--coverage b.jsonl", TRACE),
        ("a.jsonl --coverage damaged.jsonl", "--coverage damaged.jsonl", TRACE),
        ("a.jsonl --coverage events.txt", "--coverage events.txt", TRACE),
        ("a.jsonl --coverage told.yaml", "--coverage told.yaml", TRACE),
        ("a.jsonl --output a.jsonl", "--output a.jsonl", READ),
        ("a.jsonl --output ./traces/../a.jsonl", "--output traces/../a.jsonl", READ),
        ("a.jsonl --output link.jsonl", "--output link.jsonl", READ),
        ("link.jsonl --output a.jsonl", "--output a.jsonl", READ),
        ("a.jsonl --write-known a.jsonl", "--write-known a.jsonl", READ),
        ("told.yaml --write-known told.yaml", "--write-known told.yaml", READ),
        ("a.jsonl --schemas tools.json --output tools.json", "--output tools.json", READ),
        ("a.jsonl --known known.yaml --output known.yaml", "--output known.yaml", READ),
        ("a.jsonl --write-known agreed.yaml", "--write-known agreed.yaml", AGREED),
        (
            "a.jsonl --known known.yaml --write-known agreed.yaml",
            "--write-known agreed.yaml",
            f"{AGREED}; give it as --known, too, or another file",
        ),
        ("traces --output traces/c.jsonl", "--output traces/c.jsonl", INSIDE),
        ("traces --coverage traces/side.meta.json", "--coverage traces/side.meta.json", INSIDE),
        ("neutral.jsonl --format neutral --output b.jsonl", "--output b.jsonl", TRACE),
        (". --format neutral --output neutral.jsonl", "--output neutral.jsonl", INSIDE),
        ("a.jsonl --output x.json --coverage ./x.json", "--coverage x.json", "--output writes"),
    ],
)
def test_a_run_that_would_destroy_a_recording_is_refused(
    words: str, option: str, why: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A recording exists once, and argparse gives an option the next word."""
    before = content(folder)

    assert 2 == main(["replay", *words.split()])

    said = capsys.readouterr().err.splitlines()
    assert 1 == len(said)
    assert said[0].startswith(f"reasonix-conformance replay: {option}: ")
    assert why in said[0]
    assert before == content(folder)


@pytest.mark.parametrize(
    ("words", "written"),
    [
        ("traces --format json --output traces/report.json", "traces/report.json"),
        ("traces --format sarif --output traces/report.json", "traces/report.json"),
        ("traces --format junit --output traces/report.xml", "traces/report.xml"),
        ("traces --format html --output traces/report.html", "traces/report.html"),
        ("traces --format markdown --output traces/report.md", "traces/report.md"),
        ("traces --coverage=traces/coverage.json", "traces/coverage.json"),
        ("traces --coverage=traces/coverage.txt", "traces/coverage.txt"),
        ("traces --write-known traces/known.yaml", "traces/known.yaml"),
        ("a.jsonl --known known.yaml --write-known known.yaml", "known.yaml"),
        ("a.jsonl --format neutral --output new.jsonl", "new.jsonl"),
        ("traces --format neutral --output neutral.jsonl", "neutral.jsonl"),
        ("a.jsonl --output tools.json", "tools.json"),
    ],
)
def test_a_run_may_be_repeated(words: str, written: str, folder: Path) -> None:
    """What an earlier run has written is replaced, also beside the traces."""
    first = main(["replay", *words.split()])
    once = (folder / written).read_bytes()

    assert (0, 0) == (first, main(["replay", *words.split()]))

    assert once == (folder / written).read_bytes()


def test_a_link_that_leads_to_itself_ends_in_no_traceback(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some versions of Python raise something else of it than the system does."""
    (folder / "ring").symlink_to("ring")

    assert 0 == main(["replay", "a.jsonl", "--output", "ring"])

    assert "" == capsys.readouterr().err
    assert "a.jsonl" in (folder / "ring").read_text()


def test_a_pipe_is_written_into_and_stays_one(tmp_path: Path) -> None:
    """Replaced by a file, a device such as the null device would be lost to the whole machine."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDWR)

    targets.check({"--output": pipe, "--coverage": pipe}, [])
    write_whole(pipe, b"whole")

    assert pipe.is_fifo()
    assert b"whole" == os.read(reader, 10)
    os.close(reader)


@pytest.mark.parametrize(
    ("option", "name"),
    [("coverage", "a.jsonl"), ("report", "a.json"), ("write-known", "a.jsonl")],
)
def test_a_session_of_pytest_replaces_no_trace(option: str, name: str, pytester: Any) -> None:
    """The plugin asks before anything runs, as commands do."""
    trace = pytester.path / name
    shutil.copy(GOOD, trace)

    result = pytester.runpytest_inprocess(
        *("--reasonix-replay", name, f"--reasonix-{option}", name),
    )

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines([f"ERROR: --reasonix-{option} {trace}: this {READ}*"])
    result.stdout.no_fnmatch_line("*collected*")
    assert GOOD.read_bytes() == trace.read_bytes()


@pytest.mark.parametrize(
    ("option", "name"),
    [
        ("report", "tools.json"),
        ("report", "contract.md"),
        ("report", "recorded/run_tests.json"),
        ("coverage", "known.yaml"),
        ("coverage", "cases/step.json"),
    ],
)
def test_a_session_of_pytest_replaces_nothing_that_the_contract_suite_reads(
    option: str, name: str, pytester: Any
) -> None:
    """The subject, its document and snapshots, the transcripts, the list of known failures."""
    for file in ("tools.json", "contract.md", "recorded/run_tests.json", "cases/step.json"):
        path = pytester.path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text("[1]", encoding="utf-8")
    (pytester.path / "known.yaml").write_text("[]", encoding="utf-8")
    before = (pytester.path / name).read_bytes()

    result = pytester.runpytest_inprocess(
        "--reasonix-contract",
        "--reasonix-subject=tools.json",
        "--reasonix-document=contract.md",
        "--reasonix-snapshots=recorded",
        "--reasonix-transcripts=cases",
        "--reasonix-known=known.yaml",
        f"--reasonix-{option}={name}",
    )

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    result.stderr.fnmatch_lines([f"ERROR: --reasonix-{option} {pytester.path / name}: this file *"])
    assert before == (pytester.path / name).read_bytes()


def test_a_session_of_pytest_replaces_no_list_that_it_does_not_read(pytester: Any) -> None:
    """Reasons and owners are somebody's words; the list that is read keeps them."""
    shutil.copy(GOOD, pytester.path / "a.jsonl")
    agreed = pytester.path / "agreed.yaml"
    agreed.write_text("- id: b.jsonl::*\n  reason: agreed\n  owner: ann\n")
    asked = ("--reasonix-replay", "a.jsonl", "--reasonix-write-known", "agreed.yaml")

    result = pytester.runpytest_inprocess(*asked)

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    told = f"{AGREED}; give it as --reasonix-known, too, or another file"
    result.stderr.fnmatch_lines([f"ERROR: --reasonix-write-known {agreed}: {told}"])
    assert "owner: ann" in agreed.read_text()
