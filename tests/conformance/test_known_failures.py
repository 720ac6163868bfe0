"""The list of known failures: it excuses what it names, and is never longer than it has to be."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest

from reasonix_conformance import known_failures
from reasonix_conformance.cli import main
from reasonix_conformance.errors import KnownFailuresError
from reasonix_conformance.known_register import Failure, Register, write

STRICT = {"goal_active": True}
LENIENT = "turn-1/1-complete_step"
Run = Callable[..., tuple[int, str]]


@pytest.fixture
def trace(pytester: pytest.Pytester) -> Path:
    """Return a trace of a host that took a citation of nothing, in the current folder."""
    todos = {"todos": [{"content": "Fix it", "status": "in_progress"}]}
    evidence = [{"kind": "verification", "summary": "green", "command": "pytest -q"}]
    step = {"step_index": 1, "result": "done", "evidence": evidence}
    events: list[dict[str, object]] = [{"kind": "turn_started"}]
    for ident, name, args in (("a", "todo_write", todos), ("b", "complete_step", step)):
        tool = {"id": ident, "name": name, "args": json.dumps(args)}
        events.append({"kind": "tool_dispatch", "tool": tool})
        events.append({"kind": "tool_result", "tool": {**tool, "output": "done"}})
    events.append({"kind": "turn_done"})
    path = pytester.path / "run.jsonl"
    path.write_text("".join(f"{json.dumps(event)}\n" for event in events))
    return path


@pytest.fixture
def command(trace: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    """Return a function that replays the trace with a list and options."""

    def run(entries: str, *options: str) -> tuple[int, str]:
        Path("known.yaml").write_text(entries)
        code = main(["replay", trace.name, "--known", "known.yaml", *options])
        return code, capsys.readouterr().err

    return run


@pytest.fixture
def plugin(trace: Path, pytester: pytest.Pytester) -> Run:
    """Return a function that does the same with pytest."""

    def run(entries: str, *options: str) -> tuple[int, str]:
        Path("known.yaml").write_text(entries)
        shared = ("--reasonix-known=known.yaml", "-p", "no:cacheprovider", "-p", "no:randomly")
        asked = [option.replace("--", "--reasonix-", 1) for option in options]
        result = pytester.runpytest_inprocess("--reasonix-replay=run.jsonl", *shared, *asked)
        return int(result.ret), result.stdout.str()

    return run


@pytest.fixture(params=["command", "plugin"])
def run(request: pytest.FixtureRequest) -> Run:
    """Return both ways to replay with a list, one after the other."""
    found: Run = request.getfixturevalue(request.param)
    return found


def entry(ident: str, **more: str) -> str:
    keys = {"id": json.dumps(ident), "reason": "agreed", **more}
    return "- {" + ", ".join(f"{key}: {value}" for key, value in keys.items()) + "}\n"


def test_without_an_entry_the_failure_fails_the_run(run: Run) -> None:
    """The other tests here would pass for a run that never fails."""
    assert 1 == run("[]\n")[0]


@pytest.mark.parametrize("ident", [f"run.jsonl::{LENIENT}", "*::turn-?/1-*", "run.jsonl::*"])
def test_what_is_listed_does_not_fail_the_run(run: Run, ident: str) -> None:
    """A pattern may fit verdicts that pass, too, as long as one of them fails."""
    code, said = run(entry(ident))

    assert (0, True) == (code, "known failure" in said or "1 xfailed" in said)


@pytest.mark.parametrize("form", ["text", "markdown"])
@pytest.mark.parametrize(
    ("ident", "said"),
    [
        (f"run.jsonl::{LENIENT}", "1 known failure, and no other"),
        ("nothing.jsonl::*", "0 known failures, and 1 other"),
    ],
)
def test_a_summary_says_how_many_of_the_refusals_are_known(
    command: Run, form: str, ident: str, said: str
) -> None:
    """It counted them as refusals of a run that was green."""
    command(entry(ident), "--format", form, "--output", "report")

    assert said in Path("report").read_text("utf-8")


_MARKS = {
    "text": ("HOST LENIENT  known failure\n", "HOST LENIENT\n"),
    "junit": ('<skipped message="turn-1/1-complete_step: known failure: reject', "<failure"),
    "sarif": ('"kind": "external"', '"level": "error"'),
    "github": ("::notice ", "::error "),
    "markdown": ("| note | run.jsonl |", "| error | run.jsonl |"),
}
"""What a form of a report says of a known failure, and what of another."""


def hold_the_marks(replay: Callable[[str], object], report: Path, form: str) -> None:
    marked, unmarked = _MARKS[form]
    for ident, there, absent in (
        (f"run.jsonl::{LENIENT}", marked, unmarked),
        ("nothing.jsonl::*", unmarked, marked),
    ):
        replay(entry(ident))
        said = report.read_text("utf-8")
        assert there in said
        assert absent not in said


@pytest.mark.parametrize("form", _MARKS)
def test_every_form_of_a_report_tells_a_known_failure_from_another(command: Run, form: str) -> None:
    """What reads a report, a server for one, was red where the run was green."""

    def replay(entries: str) -> None:
        command(entries, "--format", form, "--output", "report")

    hold_the_marks(replay, Path("report"), form)


@pytest.mark.parametrize(
    ("form", "ending"), [("text", "txt"), ("junit", "xml"), ("sarif", "sarif"), ("markdown", "md")]
)
def test_a_report_of_pytest_tells_them_apart_as_well(plugin: Run, form: str, ending: str) -> None:
    """The item is expected to fail, and the report of the run says the same of its verdict."""

    def replay(entries: str) -> None:
        plugin(entries, f"--report=report.{ending}")

    hold_the_marks(replay, Path(f"report.{ending}"), form)


@pytest.mark.parametrize("form", ["json", "html"])
@pytest.mark.parametrize(
    ("ident", "marks"), [(f"run.jsonl::{LENIENT}", 1), ("nothing.jsonl::*", 0)]
)
def test_the_data_of_a_report_mark_a_known_failure(
    command: Run, form: str, ident: str, marks: int
) -> None:
    """A page shows them, and programs find them."""
    command(entry(ident), "--format", form, "--output", "report")

    assert marks == Path("report").read_text("utf-8").replace(" ", "").count('"known":true')


def test_an_entry_for_another_rule_set_does_not_count(run: Run) -> None:
    """It excuses nothing here, and names nothing."""
    code, said = run(entry("run.jsonl::*", rules="facts"))

    assert (1, True) == (code, "no verdict has the id" in said)


@pytest.mark.parametrize(
    "ident", [f"traces/run.jsonl::{LENIENT}", f"/home/me/run.jsonl::{LENIENT}"]
)
def test_an_entry_of_another_folder_is_told_what_fits_from_here(run: Run, ident: str) -> None:
    """The failure is there; "delete the entry" would lose why it is known."""
    code, said = run(entry(ident))

    assert 1 == code
    assert f"write '*run.jsonl::{LENIENT}', which fits from any folder" in said
    assert 0 == run(entry(f"*run.jsonl::{LENIENT}"))[0]


def test_an_entry_that_passes_fails_the_run(run: Run) -> None:
    """It would hide the next failure of the same name."""
    both = entry(f"run.jsonl::{LENIENT}") + entry("run.jsonl::turn-1/0-todo_write")
    code, said = run(both)

    assert (1, True) == (code, "turn-1/0-todo_write passes, but is listed" in said)


def test_an_entry_that_names_nothing_fails_the_run(run: Run) -> None:
    """A misspelt entry looks like an agreed one."""
    code, said = run(entry(f"run.jsonl::{LENIENT}") + entry("other.jsonl::turn-1/end"))

    assert 1 == code
    assert "known.yaml:2" in said
    assert "other.jsonl::turn-1/end" in said


@pytest.mark.parametrize(
    ("today", "code"), [("2026-12-30", 0), ("2026-12-31", 0), ("2027-01-01", 1)]
)
def test_an_entry_counts_until_its_day_has_passed(run: Run, today: str, code: int) -> None:
    """Agreed is agreed until a day; after it somebody has to look again."""
    got, said = run(entry(f"run.jsonl::{LENIENT}", until="2026-12-31"), f"--today={today}")

    assert (code, bool(code)) == (got, "counted until 2026-12-31" in said)


def test_the_clock_is_read_only_where_an_entry_has_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same traces give the same result on any day."""

    class Stopped(date):
        @classmethod
        def today(cls) -> Stopped:
            raise AssertionError("the clock was read")

    monkeypatch.setattr(known_failures, "date", Stopped)
    plain = known_failures.Entry(id="a", reason="b", rules=None, owner=None, at="x:1")
    dated = known_failures.Entry(
        id="a", reason="b", rules=None, owner=None, at="x:1", until=date(2026, 1, 1)
    )

    assert [] == known_failures.KnownFailures([plain]).past()
    assert 1 == len(known_failures.KnownFailures([dated]).past(date(2026, 1, 2)))
    with pytest.raises(AssertionError, match="the clock was read"):
        known_failures.KnownFailures([dated]).past()


def test_a_date_that_is_none_is_told_with_its_line(tmp_path: Path) -> None:
    """An entry that never ends because of a typing error is worse than none."""
    path = tmp_path / "known.yaml"
    path.write_text(entry("a") + entry("b", until="31.12.2026"))

    with pytest.raises(KnownFailuresError, match=r"known.yaml:2: until: expected a date"):
        known_failures.load(path, "known.yaml")


def test_a_list_that_cannot_be_read_is_no_empty_list(run: Run) -> None:
    """Nothing would be excused, and nobody would know why."""
    code, said = run("- {id: a}\n")

    assert code in (1, 2)
    assert "known.yaml:1: reason: expected a text" in said


@pytest.mark.parametrize(
    ("ident", "meant"),
    [
        ("run.jsonl", "run.jsonl::*"),
        ("traces/*", "traces/*::*"),
        ("*.jsonl.gz", "*.jsonl.gz::*"),
        (LENIENT, f"*::{LENIENT}"),
        ("turn-*/end", "*::turn-*/end"),
    ],
)
def test_half_a_name_of_a_verdict_is_told_with_the_whole(ident: str, meant: str, run: Run) -> None:
    """It was taken for the id of a transcript, which a run of traces says nothing about."""
    code, said = run(entry(f"run.jsonl::{LENIENT}") + entry(ident))

    assert code in (1, 2)
    assert f"known.yaml:2: id: {ident!r} is no id of a transcript" in said
    assert f"did you mean {meant!r}?" in said


@pytest.mark.parametrize("ident", ["cmd-*", "a.b_c", "*", "?-json", "v1.2"])
def test_ids_of_transcripts_are_not_taken_for_half_a_name(ident: str, run: Run) -> None:
    """They have letters, digits, dots and dashes."""
    assert 0 == run(entry(ident) + entry(f"run.jsonl::{LENIENT}"))[0]


def test_a_written_list_makes_the_next_run_pass(run: Run) -> None:
    """Written names are taken literally, and every failure is in the list."""
    before, _ = run("[]\n", "--write-known=fresh.yaml")
    written = Path("fresh.yaml").read_text()
    after, _ = run(written)

    assert (1, 0) == (before, after)
    (only,) = known_failures.load(Path("fresh.yaml"), "fresh.yaml").entries
    assert f"run.jsonl::{LENIENT}" == only.id
    assert ("classic",) == only.rules
    assert "the host let it pass" in only.reason


def test_a_written_list_names_the_rule_sets_under_which_a_file_fails(
    pytester: pytest.Pytester,
) -> None:
    """A file may hold sessions that are judged by different ones, and one that cannot be read."""
    edit = {"call": "edit_file", "args": {"path": "a.py", "old_string": "a", "new_string": "b"}}
    turn = {"events": [edit], "end": {"answer": "x", "expect": {"verdict": "accept"}}}
    told = [
        {"id": "some", "rules": ["classic", "contract"], "turns": [turn]},
        {"id": "all", "rules": ["facts", "contract"], "turns": [turn], "setup": STRICT},
    ]
    Path("told.json").write_text(json.dumps(told))
    Path("other.json").write_text('{"hello": 1}')
    both = ("--reasonix-replay=told.json", "-p", "no:cacheprovider", "-p", "no:randomly")
    asked = ("--reasonix-replay=other.json", "--reasonix-write-known=fresh.yaml")

    first = pytester.runpytest_inprocess(*both, *asked)
    second = pytester.runpytest_inprocess(*both, "--reasonix-known=fresh.yaml")

    assert (1, 0) == (first.ret, second.ret)
    first.stdout.fnmatch_lines(["1 failed item not written: a list of known *"])
    written = known_failures.load(Path("fresh.yaml"), "fresh.yaml").entries
    assert [
        ("told.json::all/turn-1/end", ("contract",)),
        ("told.json::all/turn-1/end", ("facts",)),
        ("told.json::some/turn-1/end", ("contract",)),
    ] == [(one.id, one.rules) for one in written if one.id.endswith("/end")]


def test_a_written_list_keeps_what_was_agreed_and_drops_what_passes(run: Run) -> None:
    """Reason, owner and date of an entry that still holds were written by people."""
    agreed = entry(f"run.jsonl::{LENIENT}", owner="ann", until="2027-01-31")
    run(agreed + entry("run.jsonl::turn-1/0-*"), "--write-known=fresh.yaml", "--today=2026-01-01")

    (only,) = known_failures.load(Path("fresh.yaml"), "fresh.yaml").entries
    assert ("agreed", "ann", date(2027, 1, 31)) == (only.reason, only.owner, only.until)


def test_a_written_list_keeps_what_the_run_did_not_judge(run: Run) -> None:
    """One list serves both kinds; a run of one lost what was agreed of the other."""
    agreed = entry("some-transcript", owner="ann") + entry(f"run.jsonl::{LENIENT}")
    run(agreed, "--write-known=known.yaml")

    kept = known_failures.load(Path("known.yaml"), "known.yaml").entries
    assert [("some-transcript", "ann"), (f"run.jsonl::{LENIENT}", None)] == [
        (one.id, one.owner) for one in kept
    ]


def test_a_list_written_by_a_selection_keeps_the_entries_of_what_it_left_out(
    trace: Path, pytester: pytest.Pytester
) -> None:
    """Running one trace of a folder deleted what was agreed of the others."""
    folder = pytester.mkdir("traces")
    for name in ("a.jsonl", "b.jsonl"):
        (folder / name).write_bytes(trace.read_bytes())
    agreed = entry(f"traces/a.jsonl::{LENIENT}", owner="ann") + entry("traces/b.jsonl::turn-1/0-*")
    Path("known.yaml").write_text(agreed)
    asked = ("--reasonix-replay=traces", "--reasonix-known=known.yaml", "-p", "no:cacheprovider")
    write = "--reasonix-write-known=known.yaml"

    pytester.runpytest_inprocess(*asked, write, "-k", "b.jsonl")
    part = known_failures.load(Path("known.yaml"), "known.yaml").entries
    pytester.runpytest_inprocess(*asked, write)
    whole = known_failures.load(Path("known.yaml"), "known.yaml").entries

    # The entry that passes was judged; that of the trace which did not run was not.
    ids = [f"traces/a.jsonl::{LENIENT}", f"traces/b.jsonl::{LENIENT}"]
    assert ids == [one.id for one in part] == [one.id for one in whole]
    assert "ann" == part[0].owner == whole[0].owner


@pytest.mark.parametrize("name", ["notes.json", "README.md"])
def test_a_file_that_is_no_trace_does_not_keep_the_list_from_being_judged(
    name: str, trace: Path, pytester: pytest.Pytester
) -> None:
    """Beside one, entries that name nothing went unnoticed."""
    folder = pytester.mkdir("traces")
    (folder / "a.jsonl").write_bytes(trace.read_bytes())
    (folder / name).write_text('{"x": 1}')
    Path("known.yaml").write_text(entry(f"traces/a.jsonl::{LENIENT}") + entry("b.jsonl::*"))
    asked = ("--reasonix-replay=traces", "--reasonix-known=known.yaml", "-p", "no:cacheprovider")

    result = pytester.runpytest_inprocess(*asked)

    assert pytest.ExitCode.TESTS_FAILED == result.ret
    result.stdout.fnmatch_lines(["known.yaml:2: no verdict has the id 'b.jsonl::[*]'*"])


def test_a_selection_does_not_judge_entries_of_what_it_left_out(
    trace: Path, pytester: pytest.Pytester
) -> None:
    """Running one trace of a folder must not ask to delete the entries of the others."""
    folder = pytester.mkdir("traces")
    for name in ("a.jsonl", "b.jsonl"):
        (folder / name).write_bytes(trace.read_bytes())
    Path("known.yaml").write_text(entry("traces/a.jsonl::*-complete_step") + entry("*/b.jsonl::*"))
    asked = ("--reasonix-replay=traces", "--reasonix-known=known.yaml", "-p", "no:cacheprovider")

    whole = pytester.runpytest_inprocess(*asked)
    part = pytester.runpytest_inprocess(*asked, "-k", "a.jsonl")

    assert (0, 0) == (whole.ret, part.ret)
    whole.assert_outcomes(xfailed=2)
    part.assert_outcomes(xfailed=1, deselected=1)


def test_entries_about_transcripts_are_not_judged_by_a_run_of_traces(run: Run) -> None:
    """One list may serve both; each run judges what it saw."""
    assert 0 == run(entry("some-transcript") + entry(f"run.jsonl::{LENIENT}"))[0]


def test_a_listed_transcript_has_to_fail_each_time() -> None:
    """Of transcripts, everything that a pattern names is known to fail."""
    one = known_failures.Entry(id="t-*", reason="b", rules=None, owner=None, at="x:1")
    register = Register(known_failures.KnownFailures([one]))
    register.hear("t-1", "classic", failure="wrong")
    register.hear("t-2", "classic", failure=None)

    assert ["t-2 passes, but is listed as a known failure"] == [
        finding.what for finding in register.findings()
    ]


NAMES = (
    "a[1].jsonl::turn-1/end",
    "what?*.jsonl::turn-1/end",
    "t[x]",
    "\udcff/a[1]\x1b.jsonl::turn-1/end",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_written_name_means_itself(tmp_path: Path, name: str) -> None:
    """Signs of a pattern stand in names of files, too."""
    path = tmp_path / "known.yaml"
    write(path, [Failure(name, "classic", "wrong")], known_failures.KnownFailures())

    (only,) = known_failures.load(path, "known.yaml").entries

    assert only.covers(name, "classic")
    assert not only.covers(
        name.replace("?", "s").replace("[1]", "1").replace("[x]", "x"), "classic"
    )
