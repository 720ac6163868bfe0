"""`reasonix-conformance replay`: exit codes, forms, what cannot be read, and what it costs."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import sys
import tracemalloc
from importlib import resources
from io import StringIO
from pathlib import Path

import jsonschema_rs
import pytest
from places import CLASSIC, RECENT, TRACES, TRANSCRIPTS
from replayed import CHAT
from runs import replay

from reasonix_conformance.cli import main
from reasonix_runtime.gates.verdict import switched_off


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
        ("\udcff\udcfe\0\0{\0\0\0", 2, "format: it is UTF-32, a trace is UTF-8;"),
        ("\0\0\0{\0\0\0}\0\0\0\n", 2, "format: it is UTF-32, a trace is UTF-8;"),
        (CHAT[:-1] + "\r" + CHAT, 2, "format: its lines end in CR alone; end them in LF"),
        (CHAT + 9 * "\0", 3, "zero bytes: what stood here was never written, or is gone"),
        (CHAT.replace("\n", "\n\0\0\n", 1), 3, "zero bytes: what stood here was never written"),
        ("PK\x03\x04" + 26 * "x" + "word/document.xml", 2, "format: it is a zip archive;"),
        ("PK\x03\x04" + 26 * "x" + "_journal/start.json", 3, "the table of the zip file cannot be"),
        ("PK\x03\x04" + 26 * "x" + "samples/1_epoch_1.json", 3, "the table of the zip file cannot"),
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


NO_TEXT = {
    "UTF-16": ("\ufeff{}\n".encode("utf-16-le"), "save it as UTF-8"),
    "UTF-16 without a mark": ("{}\n".encode("utf-16-be"), "save it as UTF-8"),
    "UTF-32": ("\ufeff{}\n".encode("utf-32-be"), "`iconv -f UTF-32 -t UTF-8`"),
    "packed twice": (gzip.compress(gzip.compress(b"{}\n")), "unpack it once"),
    "packed twice, in two ways": (gzip.compress(b"\x28\xb5\x2f\xfd{}\n"), "unpack it once"),
    "returns alone": (b'{"role": "user"}\r{"role": "user"}\r', "end them in LF"),
    "a zip archive": (b"PK\x03\x04" + 26 * b"x" + b"a.jsonl", "unpack it"),
    "no text": (b"\x01\0\x02\x03", "give the file that the host wrote"),
}


@pytest.mark.parametrize("kind", NO_TEXT)
def test_no_format_is_asked_for_where_none_could_help(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """No reader takes such a file, whatever it is called."""
    content, remedy = NO_TEXT[kind]
    file = tmp_path / "trace.jsonl"
    file.write_bytes(content)

    _, _, err = replay(capsys, file)

    assert remedy in err
    assert "--format-in" not in err


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


def odd_folder(tmp_path: Path) -> tuple[str, ...]:
    """Write a trace, records that nobody can read, and files of no interest; return their names."""
    shutil.copy(CLASSIC / "step-command-failed" / "1.trajectory.jsonl", tmp_path / "good.jsonl")
    (tmp_path / ".query-cache").mkdir()
    quiet = ("README.md", "events.offset-index.json", ".query-cache/catalog.json")
    (tmp_path / "good.stderr").touch()
    (tmp_path / "py.typed").write_text("\n")
    (tmp_path / "prose.md").write_text("As in\n" * 9 + CHAT)
    for name in (*quiet, "a.json", "b.jsonl", "c.ndjson", "d.json", "e.jsonl", "f.JSON"):
        (tmp_path / name).write_text('{"unheard": "of"}\n')
    (tmp_path / "session.log").write_text("As in\n" + CHAT)
    return quiet


def test_records_of_a_folder_that_nobody_can_read_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A log in an unknown form beside good ones must not pass for judged; other files are quiet."""
    quiet = odd_folder(tmp_path)

    code, out, err = replay(capsys, tmp_path)

    assert 0 == code
    assert not [name for name in ("good.stderr", "py.typed", "prose.md") if name in out]
    assert "session.log" in out
    assert "left out, of no known format: " in err
    assert f"{tmp_path / 'a.json'}, {tmp_path / 'b.jsonl'}, {tmp_path / 'c.ndjson'}" in err
    assert "and 2 more" in err
    assert not [name for name in quiet if name in err]


@pytest.mark.parametrize("form", ["text", "json", "github", "sarif", "neutral"])
def test_a_folder_without_a_trace_is_named(
    form: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong path in a CI job must not be green for ever, nor hide behind a good one."""
    empty, good, told = tmp_path / "empty", tmp_path / "good", tmp_path / "told"
    for folder in (empty, good, told):
        folder.mkdir()
    (empty / "README.md").write_text("nothing\n")
    shutil.copy(CLASSIC / "step-command-failed" / "1.trajectory.jsonl", good / "a.jsonl")
    shutil.copy(TRANSCRIPTS / "todo.yaml", told)
    line = f"reasonix-conformance replay: {empty}: no trace in this folder\n"

    code, _, err = replay(capsys, empty, "--format", form)
    assert (3, line) == (code, err)
    code, _, err = replay(capsys, empty, good, told, good / "a.jsonl", "--format", form)
    assert (0, line) == (code, err)


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("--receipts",), "--receipts is for --format json; text shows none"),
        (("--receipts", "--format", "sarif"), "--receipts is for --format json; sarif shows none"),
        (("--show", "failures", "--format", "json"), "--show failures is for --format text"),
    ],
)
def test_an_option_that_the_form_of_the_report_has_no_place_for_is_refused(
    args: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Who asks for something and gets a report without it takes the report for all there is."""
    code, out, err = replay(capsys, CLASSIC / "step-command-failed", *args)

    assert (2, "") == (code, out)
    assert told in err


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


@pytest.mark.parametrize(
    ("expect", "code", "said"),
    [("", 3, "no transcript expects a verdict"), ("expect: {verdict: reject}", 0, "")],
)
def test_a_transcript_that_expects_nothing_tests_nothing(
    expect: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """It was green, whatever its agent had done: a refusal of it fails no run."""
    path = tmp_path / "a.yaml"
    turn = f"{{events: [{{call: edit_file, args: {{path: a.py}}}}], end: {{{expect}}}}}"
    path.write_text(f"id: a\nturns: [{turn}]\n")
    got, out, err = replay(capsys, path)

    assert (code, said in err) == (got, True)
    assert "1 reject" in out


FORMS = ("text", "json", "sarif", "junit", "github", "html", "markdown", "neutral")


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
@pytest.mark.parametrize("folder", ["", "."])
@pytest.mark.parametrize("form", FORMS)
def test_a_file_name_that_is_no_utf_8_does_not_stop_a_report(
    form: str,
    folder: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Folders of recordings come off other machines; they are named in whole and from within."""
    monkeypatch.chdir(tmp_path)
    file = Path(folder or tmp_path) / "t\udcff.yaml"
    file.write_text(
        "id: a\nrules: classic\nturns:\n- events:\n"
        "  - {call: complete_step, args: {}, expect: {verdict: accept}}\n"
    )
    output = tmp_path / "report"

    fails = () if form == "neutral" else ("--fail-on", "none")

    code, _, err = replay(capsys, file, *fails, "--format", form, "--output", output)

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


@pytest.mark.parametrize(
    ("kinds", "code"), [((), 0), (("--fail-on", "not_assessable"), 1)], ids=["usual", "strict"]
)
def test_what_could_not_be_judged_is_told_and_can_fail_the_run(
    kinds: tuple[str, ...], code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Beside one trace that was judged, any number of others must not look like passes."""
    output = TRACES / "run-outputs" / "claude-verified" / "output.stream.jsonl"
    shutil.copy(output, tmp_path / "a.jsonl")
    for name in ("b.jsonl", "c.jsonl"):
        call = {"name": "edit_file", "arguments": '{"path": "a.py"}'}
        calls = [{"id": name, "type": "function", "function": call}]
        chat: list[dict[str, object]] = [
            {"role": "user", "content": "mend it"},
            {"role": "assistant", "tool_calls": calls},
            {"role": "tool", "tool_call_id": name, "content": "done"},
            {"role": "assistant", "content": "mended"},
        ]
        (tmp_path / name).write_text("".join(f"{json.dumps(one)}\n" for one in chat))
    told = "of 2 of the 3 traces nothing could be assessed: they are not passes"

    found, out, _ = replay(capsys, tmp_path, *kinds)
    assert code == found
    assert told == out.splitlines()[-1]
    assert f"**O{told[1:]}.**" in replay(capsys, tmp_path, "--format", "markdown")[1]
    summary = json.loads(replay(capsys, tmp_path, "--format", "json")[1])["summary"]
    assert 2 == summary["untold"]

    found, out, _ = replay(capsys, tmp_path / "a.jsonl", *kinds)
    assert 0 == found
    assert "not passes" not in out


def test_nothing_is_printed_where_a_stream_cannot_hold_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A report with Chinese text goes to an ASCII terminal, too."""
    monkeypatch.setattr(sys, "stdout", StringIO())

    assert 0 == main(["replay", str(CLASSIC / "text-cjk-emoji" / "1.trajectory.jsonl")])


TOLD = (
    "broken.yaml:",
    "no trace in this folder",
    "left out, of no known format: ",
    "left out, links out of their folder or to no file: ",
    "left out, judged by another file of the session: ",
    "left out, pipes and devices: ",
)


@pytest.mark.parametrize("form", [("text",), ("json", "--receipts")], ids=lambda form: form[0])
def test_two_processes_give_the_same_report(
    form: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The number of workers is nobody's business but the clock's, whatever stands in the folder."""
    odd_folder(tmp_path)
    for number in range(5):
        source = CLASSIC / "step-command-failed" / "1.trajectory.jsonl"
        (tmp_path / f"{number}.jsonl").write_bytes(source.read_bytes())
    shutil.copytree(TRACES / "run-outputs" / "claude-verified", tmp_path / "same")
    (tmp_path / "broken.yaml").write_text("turns:\n  x")
    (tmp_path / "dead.jsonl").symlink_to("gone.jsonl")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "empty").mkdir()
    given = (tmp_path, tmp_path / "empty", "--format", *form)

    code, out, err = replay(capsys, *given)

    assert 2 == code
    assert [] == [line for line in TOLD if line not in err]
    assert (code, out, err) == replay(capsys, *given, "--jobs", 2)


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


@pytest.mark.parametrize(("path", "code"), [(CLASSIC, 1), (RECENT, 0), (TRANSCRIPTS, 0)])
def test_the_json_form_fits_its_published_schema(
    path: Path, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever reads the report may generate code from the schema.

    Transcripts whose expectations hold are green: their other calls were made up for them, and are
    no decisions of a host.
    """
    text = resources.files("reasonix_conformance.schemas") / "replay-1.schema.json"
    found, out, _ = replay(capsys, path, "--format", "json", "--receipts")
    assert code == found

    validator = jsonschema_rs.validator_for(json.loads(text.read_text("utf-8")))

    assert [] == [error.message for error in validator.iter_errors(json.loads(out))][:3]


@pytest.mark.parametrize(
    ("form", "told", "never"),
    [
        ("junit", '<skipped message="turn-1/0-complete_step: known failure: ', "<failure"),
        ("sarif", '"suppressions"', '"level": "error"'),
        ("github", "::notice file=", "::error"),
        ("markdown", "| note |", "| error |"),
        ("html", '"known":true', '"known":false'),
        ("text", "NOT AS EXPECTED  known failure", "other failures"),
    ],
)
def test_a_listed_transcript_is_marked_as_known(
    form: str, told: str, never: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The run is green, so no report of it may hold a failure."""
    written, known = tmp_path / "t.yaml", tmp_path / "known.yaml"
    written.write_text(
        "id: wrong\nrules: contract\nturns:\n- events:\n"
        "  - {call: complete_step, args: {step: ''}, expect: {verdict: accept}}\n",
        encoding="utf-8",
    )
    known.write_text("- {id: wrong, reason: later}\n", encoding="utf-8")

    assert 0 == main(["replay", str(written), "--known", str(known), "--format", form])
    out = capsys.readouterr().out
    assert told in out
    assert never not in out
