"""Files and folders of traces, the replay of them, and the command."""

from __future__ import annotations

import json
import shutil
import sys
import tracemalloc
from importlib import resources
from io import StringIO
from pathlib import Path

import jsonschema_rs
import msgspec
import pytest
from places import TRACES, TRANSCRIPTS
from runs import replay

from reasonix_conformance.cli import main
from reasonix_conformance.replay.results import Agreement, TraceResult, summarise
from reasonix_conformance.reports import json_report, text_report
from reasonix_conformance.traces.files import files
from reasonix_conformance.traces.sessions import Options, Unreadable, events_of, results
from reasonix_runtime.gates.verdict import switched_off
from reasonix_runtime.trace import yaml12

CLASSIC = TRACES / "classic-2026-08"
RECENT = TRACES / "reasonix-1.38.11"


def found(*paths: Path, **options: object) -> list[TraceResult]:
    unreadable: list[Unreadable] = []
    got = list(results(paths, Options(**options), unreadable))  # type: ignore[arg-type]
    assert [] == unreadable
    return got


CHAT = '{"role": "user", "content": "go"}\n'


# -- the host's own decisions


@pytest.mark.parametrize("form", ["trajectory", "stream"])
@pytest.mark.parametrize(
    "scenario",
    [
        "step-accepted-verification",
        "step-missing-evidence",
        "step-command-failed",
        "step-stale-todo",
        "step-faults-js",
        "todo-recovery",
        "subagent-task",
        "review-report-path-not-read",
        "text-cjk-emoji",
    ],
)
def test_the_rules_and_a_real_host_agree(scenario: str, form: str) -> None:
    """The classic rules are verdict for verdict those of the recorded host."""
    (result,) = found(CLASSIC / scenario / f"1.{form}.jsonl")
    said = {judged.agreement for judged in result.verdicts}

    assert "classic" == result.rules
    assert Agreement.AGREE in said
    assert not said & {Agreement.HOST_LENIENT, Agreement.HOST_STRICT}


def test_a_rule_that_is_off_makes_the_host_look_strict() -> None:
    """Agreement is measured, not assumed."""
    with switched_off("evidence.missing"):
        (result,) = found(CLASSIC / "step-missing-evidence" / "1.trajectory.jsonl")

    assert Agreement.HOST_STRICT in {judged.agreement for judged in result.verdicts}


def test_a_retired_gate_is_not_assessable_in_a_trace_of_the_newest_line() -> None:
    """What a host no longer has cannot be failed."""
    (result,) = found(RECENT / "retired-step" / "1.trajectory.jsonl")
    steps = [one for one in result.verdicts if one.subject == "complete_step"]

    assert "ungated" == result.rules
    assert steps
    assert {"not_assessable"} == {one.verdict.decision.value for one in steps}


def test_another_rule_set_than_the_hosts_is_said() -> None:
    """A refused `complete_step` of the newest line is no fail of the evidence gate."""
    (result,) = found(RECENT / "retired-step" / "1.trajectory.jsonl", rules="classic")

    assert "profile_mismatch" in {diag.code for diag in result.diagnostics}


def test_an_outcome_that_is_not_known_surely_enough_proves_nothing(tmp_path: Path) -> None:
    """In a chat log the user chooses whether silence is success."""
    call = {"id": "a", "function": {"name": "bash", "arguments": '{"command": "make test"}'}}
    step = {
        "step": "x",
        "result": "y",
        "evidence": [{"kind": "verification", "summary": "z", "command": "make test"}],
    }
    sign = {"id": "b", "function": {"name": "complete_step", "arguments": json.dumps(step)}}
    file = tmp_path / "log"
    file.write_text(
        CHAT
        + "".join(
            json.dumps(message) + "\n"
            for message in [
                {"role": "assistant", "tool_calls": [call]},
                {"role": "tool", "tool_call_id": "a", "content": "fine"},
                {"role": "assistant", "tool_calls": [sign]},
            ]
        )
    )
    doubted = found(file, rules="contract", basis="exit_code")
    trusted = found(file, rules="contract", basis="absence")

    assert ["reject"] == [one.verdict.decision for one in doubted[0].verdicts]
    assert ["accept"] == [one.verdict.decision for one in trusted[0].verdicts]


# -- folders


def test_a_folder_is_walked_in_the_order_of_names_without_side_files() -> None:
    """The same folder gives the same report on every machine."""
    got = found(CLASSIC / "subagent-task")
    names = [Path(result.path).name for result in got]

    assert names[:3] == ["1.events.jsonl", "1.stream.jsonl", "1.trajectory.jsonl"]
    assert not [name for name in names if name.startswith("sa_") or name.endswith(".json")]
    assert 1 == sum(name.endswith("scripted-1.events.jsonl") for name in names)
    assert 0 == sum(name.endswith("scripted-1.jsonl") for name in names)


def test_a_link_that_leaves_the_folder_is_not_followed(tmp_path: Path) -> None:
    """A trace folder from somebody else must not reach into one's own files."""
    outside = tmp_path / "outside.jsonl"
    outside.write_text(CHAT)
    inside = tmp_path / "traces"
    inside.mkdir()
    (inside / "link.jsonl").symlink_to(outside)
    (inside / "real.jsonl").write_text(CHAT)

    left: list[Unreadable] = []
    read = [Path(result.path).name for result in results([inside], Options(), left)]

    assert (["real.jsonl"], [True]) == (read, [item.leads_out for item in left])


# -- secrets


def test_secrets_and_home_folders_are_not_shown(tmp_path: Path) -> None:
    """Real public traces contain live keys."""
    command = "curl -H 'Authorization: Bearer abcdefghijklmnop1234' /home/alice/x sk-" + "a" * 30
    step = {
        "step": "x",
        "result": "y",
        "evidence": [{"kind": "verification", "summary": "z", "command": command}],
    }
    sign = {"id": "b", "function": {"name": "complete_step", "arguments": json.dumps(step)}}
    file = tmp_path / "log"
    file.write_text(CHAT + json.dumps({"role": "assistant", "tool_calls": [sign]}) + "\n")

    got = found(file, rules="classic", receipts=True, timeline=True)
    shown = text_report.render(got) + json_report.render(got, receipts=True)

    assert "curl" in shown
    assert "[secret]" in shown
    for secret in ("abcdefghijklmnop1234", "alice", "aaaaaaaaaaaa"):
        assert secret not in shown


# -- the command


def test_a_good_trace_ends_with_0_and_one_line_a_verdict(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What a person sees first."""
    code, out, err = replay(capsys, CLASSIC / "step-command-failed" / "1.trajectory.jsonl")

    assert (0, "") == (code, err)
    assert "verification.command_failed" in out
    assert "host agrees" in out
    assert any(line.startswith("1 trace, ") for line in out.splitlines())


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        (CHAT, 3, "nothing could be assessed; this is not a pass"),
        ("", 3, "the file is empty"),
        ("hello\n", 2, "not a trace of a known format"),
        ("hello\n", 2, "transcript)"),
        ("hello\n", 2, "format: line 1 is no JSON; name the format"),
        ("\n\nhello\n", 2, "format: line 3 is no JSON;"),
        ('{"unheard": "of"}\n{"a": 1}\n', 2, "format: line 1 is JSON of another kind;"),
        ('{\n  "unheard": "of"\n}\n', 2, "format: it is JSON of another kind;"),
        ('{"unheard":\n', 2, "format: line 1 begins as JSON and is of another kind, or broken;"),
        ("\udcff\udcfe{\0}\0", 2, "format: it is UTF-16, a trace is UTF-8;"),
        ("{\0}\0\n\0", 2, "format: it is UTF-16, a trace is UTF-8;"),
        ("\0{\0}\0\n", 2, "format: it is UTF-16, a trace is UTF-8;"),
        ("PK\x03\x04" + 26 * "x" + "word/document.xml", 2, "format: it is a zip archive;"),
        ("PK\x03\x04" + 26 * "x" + "_journal/start.json", 3, "export it with `inspect log dump`"),
        ("PK\x03\x04" + 26 * "x" + "samples/1_epoch_1.json", 3, "export it with `inspect log"),
        ("ab\0cd", 2, "format: it is no text;"),
        ('{"role":"user","content":"\udcff"}\n', 3, "no record in the file can be read"),
        ('{"schema_version":1,"sequence":1,"kind":"x"}\n', 3, "record with --trajectory"),
    ],
)
def test_what_cannot_be_judged_is_never_green(
    text: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Unknown is never a pass."""
    file = tmp_path / "trace.jsonl"
    file.write_bytes(text.encode(errors="surrogateescape"))

    got, out, err = replay(capsys, file)

    assert code == got
    assert said in out + err


def test_a_compressed_file_that_needs_the_extra_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a folder of sessions, which one was not read must be known."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    file = tmp_path / "trace.jsonl.zst"
    file.write_bytes(b"\x28\xb5\x2f\xfd")

    code, _, err = replay(capsys, file)

    assert 2 == code
    assert f"{file}: reading zstandard data needs the extra" in err


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_records_of_a_folder_that_nobody_can_read_are_named(
    jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log in an unknown form beside good ones must not pass for judged; other files are quiet."""
    shutil.copy(CLASSIC / "step-command-failed" / "1.trajectory.jsonl", tmp_path / "good.jsonl")
    (tmp_path / ".query-cache").mkdir()
    quiet = ("README.md", "events.offset-index.json", ".query-cache/catalog.json")
    (tmp_path / "good.stderr").touch()
    (tmp_path / "py.typed").write_text("\n")
    (tmp_path / "prose.md").write_text("As in\n" * 9 + CHAT)
    for name in (*quiet, "a.json", "b.jsonl", "c.ndjson", "d.json", "e.jsonl", "f.JSON"):
        (tmp_path / name).write_text('{"unheard": "of"}\n')
    (tmp_path / "session.log").write_text("As in\n" + CHAT)

    code, out, err = replay(capsys, tmp_path, "--jobs", jobs)

    assert 0 == code
    assert not [name for name in ("good.stderr", "py.typed", "prose.md") if name in out]
    assert "session.log" in out
    assert "left out, of no known format: " in err
    assert f"{tmp_path / 'a.json'}, {tmp_path / 'b.jsonl'}, {tmp_path / 'c.ndjson'}" in err
    assert "and 2 more" in err
    assert not [name for name in quiet if name in err]


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "neutral"])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_folder_without_a_trace_is_named(
    form: str, jobs: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong path in a CI job must not be green for ever, nor hide behind a good one."""
    empty, good, told = tmp_path / "empty", tmp_path / "good", tmp_path / "told"
    for folder in (empty, good, told):
        folder.mkdir()
    (empty / "README.md").write_text("nothing\n")
    shutil.copy(CLASSIC / "step-command-failed" / "1.trajectory.jsonl", good / "a.jsonl")
    shutil.copy(TRANSCRIPTS / "todo.yaml", told)
    line = f"reasonix-conformance replay: {empty}: no trace in this folder\n"
    options = ("--format", form, "--jobs", jobs)

    code, _, err = replay(capsys, empty, *options)
    assert (3, line) == (code, err)
    code, _, err = replay(capsys, empty, good, told, good / "a.jsonl", *options)
    assert (0, line) == (code, err)


def test_the_current_folder_holds_what_is_found_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its files are told without it before their names."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(CLASSIC / "step-command-failed" / "1.trajectory.jsonl", "a.jsonl")

    assert (0, "") == replay(capsys, ".")[::2]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: no such file or folder"),
        ([".", "--rules", "clasic"], "did you mean 'classic'?"),
    ],
)
def test_wrong_use_ends_with_2_and_no_traceback(
    args: list[str],
    said: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A user's mistake is answered in words."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chat.jsonl").write_text(CHAT)

    code, _, err = replay(capsys, *args)

    assert 2 == code
    assert said in err
    assert "Traceback" not in err


def test_a_broken_transcript_ends_with_2_and_names_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing of it is judged, and nothing is green."""
    file = tmp_path / "t.yaml"
    file.write_text("id: a\nturns:\n- evnts: []\n")

    code, _, err = replay(capsys, file)

    assert 2 == code
    assert f"{file}:3: turns[0].evnts: unknown key; did you mean 'events'?" in err


def test_an_expectation_that_fails_ends_with_1_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The dev's way to run one transcript file and see what is off."""
    file = tmp_path / "t.yaml"
    file.write_text(
        "id: a\nrules: classic\nturns:\n- events:\n"
        "  - {call: complete_step, args: {}, expect: {verdict: accept}}\n"
    )

    code, out, _ = replay(capsys, file)

    assert 1 == code
    assert "NOT AS EXPECTED" in out
    assert "- expected accept, got reject" in out


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
@pytest.mark.parametrize("form", ["text", "json", "sarif", "junit", "github", "html"])
def test_a_file_name_that_is_no_utf_8_does_not_stop_a_report(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Folders of recordings come off other machines."""
    file = tmp_path / "t\udcff.yaml"
    file.write_text(
        "id: a\nrules: classic\nturns:\n- events:\n  - {call: complete_step, args: {}}\n"
    )
    output = tmp_path / "report"

    code, _, err = replay(capsys, file, "--fail-on", "none", "--format", form, "--output", output)

    assert (0, "") == (code, err)
    assert output.read_text(encoding="utf-8")


@pytest.mark.parametrize("form", ["json", "sarif", "junit", "github", "html"])
def test_every_form_is_written_to_a_file(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One result model, several forms."""
    file = tmp_path / "report"

    code, out, _ = replay(
        capsys,
        CLASSIC / "todo-open-at-end" / "1.trajectory.jsonl",
        "--format",
        form,
        "--output",
        file,
    )

    assert (0, "") == (code, out)
    assert file.exists()


def test_the_json_form_is_the_promised_one(capsys: pytest.CaptureFixture[str]) -> None:
    """Others build on these keys."""
    path = CLASSIC / "step-command-failed" / "1.trajectory.jsonl"
    _, out, _ = replay(capsys, path, "--format", "json", "--receipts")
    document = json.loads(out)
    (trace,) = document["traces"]
    rejected = [one for one in trace["verdicts"] if one["decision"] == "reject"]

    assert "reasonix-conformance/replay/1" == document["schema"]
    assert {"path", "id", "format", "rules", "verdicts", "diagnostics"} <= trace.keys()
    assert {
        "turn", "event", "gate", "decision", "reason", "rule", "message", "expected", "held",
        "host", "agreement", "receipts",
    } <= rejected[0].keys()  # fmt: skip
    assert ("reject", "agree", None) == tuple(rejected[0][k] for k in ("host", "agreement", "held"))
    assert {
        "traces",
        "verdicts",
        "accept",
        "reject",
        "not_assessable",
        "expectations",
        "agreement",
    } <= (document["summary"].keys())


def test_a_report_is_the_same_twice(capsys: pytest.CaptureFixture[str]) -> None:
    """No clock, no hash seed, no order of a folder."""
    args = [CLASSIC / "todo-recovery", "--format", "json"]

    assert replay(capsys, *args)[1] == replay(capsys, *args)[1]


@pytest.mark.parametrize(("kinds", "code"), [("host_lenient", 0), ("host_strict", 1), ("none", 0)])
def test_fail_on_chooses_what_fails(
    kinds: str, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Some want to know of strict hosts, some only of lenient ones."""
    path = CLASSIC / "step-missing-evidence" / "1.trajectory.jsonl"

    with switched_off("evidence.missing"):
        assert code == replay(capsys, path, "--fail-on", kinds)[0]


def test_the_corpus_holds_where_its_floor_is_built() -> None:
    """The same loader and machine as in the contract suite."""
    got = found(TRANSCRIPTS / "todo.yaml", TRANSCRIPTS / "complete-step-args.yaml")
    summary = summarise(got)

    assert 0 == summary.failed
    assert summary.held > 80


def test_nothing_is_printed_where_a_stream_cannot_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report with Chinese text goes to an ASCII terminal, too."""
    monkeypatch.setattr(sys, "stdout", StringIO())

    assert 0 == main(["replay", str(CLASSIC / "text-cjk-emoji" / "1.trajectory.jsonl")])


@pytest.mark.parametrize("form", ["text", "json"])
def test_two_processes_give_the_same_report(
    form: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The number of workers is nobody's business but the clock's."""
    for number in range(5):
        source = CLASSIC / "step-command-failed" / "1.trajectory.jsonl"
        (tmp_path / f"{number}.jsonl").write_bytes(source.read_bytes())
    (tmp_path / "broken.yaml").write_text("turns:\n  x")

    one = replay(capsys, tmp_path, "--format", form)
    two = replay(capsys, tmp_path, "--format", form, "--jobs", 2)

    assert one == two
    assert 2 == one[0]


def test_what_is_written_along_is_what_is_written_at_the_end() -> None:
    """The report of a large trace must not be another one."""
    got = found(CLASSIC / "step-command-failed", CLASSIC / "args-malformed")

    assert json_report.document(got) == json.loads(json_report.render(got))


def test_a_line_over_the_cap_ends_with_2_and_what_was_read_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error that names the line, and nothing lost before it."""
    source = (CLASSIC / "step-command-failed" / "1.trajectory.jsonl").read_bytes()
    file = tmp_path / "t.jsonl"
    file.write_bytes(source + b'{"x": "' + b"y" * 3_000_000 + b'"}\n')

    code, out, err = replay(capsys, file, "--max-line", 1, "--format", "json")

    assert 2 == code
    last = source.count(b"\n") + 1
    assert (
        f"t.jsonl:{last}: the line is longer than the cap of 1 MiB, which --max-line raises" in err
    )
    assert json.loads(out)["summary"]["verdicts"] > 0


def test_a_document_above_the_cap_says_what_raises_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is held whole, so there is a cap; who has a long one must learn of the option."""
    file = tmp_path / "t.json"
    file.write_text('[\n{"role": "user", "content": "' + "y" * 2**20 + '"}]')

    code, out, _ = replay(capsys, file, "--max-line", 1)

    assert 3 == code
    assert "the document is longer than the cap of 1 MiB, which --max-line raises" in out


def test_memory_does_not_grow_with_the_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A trace of a gigabyte is read on a small machine."""
    chat = (CLASSIC / "step-earlier-turn" / "chat.jsonl").read_bytes().partition(b"\n")[2]
    peaks = []
    for times in (20, 200):
        file = tmp_path / "t.jsonl"
        file.write_bytes(chat * times)
        tracemalloc.start()
        replay(capsys, file, "--rules", "classic", "--output", tmp_path / "out")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()

    assert peaks[1] < peaks[0] * 1.5 + 500_000


@pytest.mark.parametrize("path", [CLASSIC, RECENT, TRANSCRIPTS], ids=lambda path: path.name)
def test_the_json_form_fits_its_published_schema(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever reads the report may generate code from the schema."""
    text = resources.files("reasonix_conformance.schemas") / "replay-1.schema.json"
    _, out, _ = replay(capsys, path, "--format", "json", "--receipts")

    validator = jsonschema_rs.validator_for(json.loads(text.read_text("utf-8")))

    assert [] == [error.message for error in validator.iter_errors(json.loads(out))][:3]


@pytest.mark.parametrize(
    "path",
    [
        CLASSIC / "subagent-task" / "1.trajectory.jsonl",
        CLASSIC / "step-command-failed" / "1.trajectory.jsonl",
        RECENT / "goal-user-turns" / "1.served.jsonl",
    ],
    ids=lambda path: path.parent.name,
)
def test_neutral_events_that_were_written_give_the_same_verdicts(
    path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The one machine format carries what gates ask for."""
    file = tmp_path / "events.jsonl"
    (first,) = found(path)

    assert 0 == replay(capsys, path, "--format", "neutral", "--output", file)[0]
    (again,) = found(file, rules=first.rules)

    assert [(one.name, one.verdict, one.host) for one in first.verdicts] == [
        (one.name, one.verdict, one.host) for one in again.verdicts
    ]


@pytest.mark.parametrize(
    ("trust", "outcome"), [((), "unknown"), (("--min-basis", "absence"), "ok")]
)
def test_neutral_events_trust_a_recording_as_the_verdicts_do(
    trust: tuple[str, ...], outcome: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a chat does not tell is success only for who asks for it."""
    call = '{"id": "1", "function": {"name": "ls", "arguments": "{}"}}'
    file = tmp_path / "t.jsonl"
    file.write_text(
        f'{CHAT}{{"role": "assistant", "tool_calls": [{call}]}}\n'
        '{"role": "tool", "tool_call_id": "1", "content": "x"}\n'
    )

    _, out, _ = replay(capsys, file, "--format", "neutral", *trust)

    told = [event for event in map(json.loads, out.splitlines()) if event["ev"] == "tool.result"]
    assert [outcome] == [event["outcome"] for event in told]


def test_neutral_events_that_are_written_again_stay_as_they_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The format is read and written alike: a second pass changes only where an event stands."""
    once, twice = tmp_path / "events.jsonl", tmp_path / "again.jsonl"
    path = CLASSIC / "subagent-task" / "1.trajectory.jsonl"

    assert 0 == replay(capsys, path, "--format", "neutral", "--output", once)[0]
    assert 0 == replay(capsys, once, "--format", "neutral", "--output", twice)[0]

    assert _unplaced(once) == _unplaced(twice)


def _unplaced(path: Path) -> list[dict[str, object]]:
    events = map(json.loads, path.read_text(encoding="utf-8").splitlines())
    return [{name: event[name] for name in event if name != "src"} for event in events]


def test_neutral_events_are_written_without_secrets(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A trace that is passed on must not pass on a key."""
    file = tmp_path / "log"
    file.write_text(CHAT.replace("go", "use sk-" + "a" * 30 + " in /Users/alice/x"))

    _, out, _ = replay(capsys, file, "--format", "neutral")

    assert "[secret] in /Users/[user]/x" in out


@pytest.mark.parametrize(
    ("scenario", "reason"),
    [
        ("review-block-verdict", "review.blocking"),
        ("delivery-missing-verification", "finish.verification_missing"),
        ("delivery-high-risk", "review.high_missing_review"),
        ("todo-open-at-end", "finish.todos_incomplete"),
    ],
)
def test_an_answer_that_the_host_refused_is_judged_in_the_profile_that_it_shows(
    scenario: str, reason: str
) -> None:
    """A wire recording does not name its profile, but the host asks for what only one asks for."""
    (result,) = found(CLASSIC / scenario / "1.trajectory.jsonl")
    end = result.verdicts[-1]

    assert ("turn-1/end", reason, Agreement.AGREE) == (end.name, end.verdict.reason, end.agreement)


def test_what_was_read_before_a_reader_stopped_is_counted(tmp_path: Path) -> None:
    """Calls that were held to be taken in many at once are found where the file is cut off, too."""
    call = {"ev": "tool.call", "uid": "main#1", "name": "ls", "turn": 1, "args": {}}
    answer = {"ev": "tool.result", "uid": "main#1", "outcome": "ok", "basis": "state"}
    lines = [
        {"ev": "session", "sid": "s", "format": "neutral/1"},
        {"ev": "turn.start", "turn": 1},
        call,
        answer,
        {**call, "uid": "main#2"},
        {"ev": "notice", "kind": "x", "text": "x" * 3000},
    ]
    path = tmp_path / "trace.jsonl"
    path.write_text("".join(json.dumps({"seq": n, **line}) + "\n" for n, line in enumerate(lines)))

    (result,) = results([path], Options(cap=2048), [])

    assert (2, {"preflight": 1}) == (result.calls, result.let_pass)


@pytest.mark.parametrize(
    ("several", "indent"), [(True, None), (True, 2), (False, None), (False, 2)], ids=str
)
def test_transcripts_in_json_are_told_by_what_they_hold(
    several: bool, indent: int | None, tmp_path: Path
) -> None:
    """A format is known by content; of a long document only the head is at hand."""
    written = yaml12.load((TRANSCRIPTS / "turn-boundary.yaml").read_bytes(), "x").value
    file = tmp_path / "told.json"
    file.write_text(json.dumps(written if several else written[0], indent=indent))

    found = list(results([tmp_path], Options(), []))

    assert [item["id"] for item in (written if several else written[:1])] == [
        result.id for result in found
    ]
    assert all(result.verdicts for result in found)


@pytest.mark.parametrize("folder", sorted(path.name for path in TRACES.iterdir() if path.is_dir()))
def test_a_trace_in_neutral_form_is_judged_as_it_was(folder: str, tmp_path: Path) -> None:
    """It is how a trace is passed on: what is lost on the way may make nothing look better."""
    kept = tmp_path / "kept.jsonl"
    for file, _ in files([TRACES / folder]):
        recording = list(results([file], Options(rules="contract"), []))
        if not recording:
            continue
        encoded = map(msgspec.json.encode, events_of([file], Options()))
        kept.write_bytes(b"".join(line + b"\n" for line in encoded))
        again = found(kept, rules="contract")

        begins_late = b'"mid_chain_start"' in kept.read_bytes()
        pairs = zip(decisions(recording), decisions(again), strict=True)
        assert [] == [
            (file.name, one, other)
            for one, other in pairs
            if one != other and not (begins_late and other != "accept")
        ]


@pytest.mark.parametrize("scenario", ["goal-acp/1.acp.jsonl", "goal-acp/chat.jsonl"])
def test_a_trace_in_neutral_form_names_the_rules_of_its_host(scenario: str, tmp_path: Path) -> None:
    """Its own marks are gone there; by other rules each of its goal calls would be wrong."""
    file = TRACES / "reasonix-1.38.11" / scenario
    kept = tmp_path / "kept.jsonl"
    encoded = map(msgspec.json.encode, events_of([file], Options()))
    kept.write_bytes(b"".join(line + b"\n" for line in encoded))

    assert ["ungated"] == [trace.rules for trace in found(kept)]


def decisions(traces: list[TraceResult]) -> list[str]:
    return [str(judged.verdict.decision) for trace in traces for judged in trace.verdicts]


def test_how_surely_an_outcome_is_known_stays_with_a_trace_in_neutral_form(tmp_path: Path) -> None:
    """A format without a sign of success is believed; its events are, wherever they are kept."""
    block = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "rm a.py"}}
    answer = {"type": "tool_result", "tool_use_id": "t", "content": ""}
    lines = [
        {"type": "user", "message": {"role": "user", "content": "go"}},
        {"type": "assistant", "message": {"role": "assistant", "id": "m", "content": [block]}},
        {"type": "user", "message": {"role": "user", "content": [answer]}},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": [{"type": "text", "text": "ok"}]},
        },
    ]
    session, kept = tmp_path / "s.jsonl", tmp_path / "kept.jsonl"
    texts = (
        json.dumps({"uuid": str(at), "sessionId": "s", **line}) for at, line in enumerate(lines)
    )
    session.write_text("\n".join(texts) + "\n")
    encoded = map(msgspec.json.encode, events_of([session], Options()))
    kept.write_bytes(b"".join(line + b"\n" for line in encoded))

    assert ["reject"] == decisions(found(session)) == decisions(found(kept))
