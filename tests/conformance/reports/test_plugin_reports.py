"""`--reasonix-report`: the same results in every form, written once, by whoever saw them all."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from places import CLASSIC, TRACES
from runs import run_pytest

FAULTS = CLASSIC / "step-missing-evidence"
SARIF = json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text("utf-8"))

LENIENT = """\
{"kind":"turn_started"}
{"kind":"tool_dispatch","tool":{"id":"a","name":"complete_step","args":"{}"}}
{"kind":"tool_result","tool":{"id":"a","name":"complete_step","args":"{}","output":"done"}}
{"kind":"turn_done"}
"""


def report(pytester: pytest.Pytester, ending: str, *more: str) -> str:
    """Replay two traces, one of them of a lenient host, and return the report."""
    traces = pytester.path / "traces"
    traces.mkdir(exist_ok=True)
    (traces / "good.jsonl").write_bytes((FAULTS / "1.trajectory.jsonl").read_bytes())
    (traces / "lenient.jsonl").write_text(LENIENT)
    result = run_pytest(
        pytester, "--reasonix-replay=traces", f"--reasonix-report=out{ending}", *more
    )
    assert pytest.ExitCode.TESTS_FAILED == result.ret
    result.stdout.fnmatch_lines([f"written: out{ending}"])
    return (pytester.path / f"out{ending}").read_text("utf-8")


def test_json_has_the_items_and_the_traces(pytester: pytest.Pytester) -> None:
    """The items say what failed; the traces are in the form that `replay` writes."""
    document = json.loads(report(pytester, ".json"))

    assert {"failed": 1, "passed": 1} == document["summary"]
    assert ["good.jsonl", "lenient.jsonl"] == [
        Path(trace["path"]).name for trace in document["replay"]["traces"]
    ]
    assert {"rules": ["classic"]} == document["items"][0]["facts"]
    for name, value in (("suite", document), ("replay", document["replay"])):
        schema = files("reasonix_conformance.schemas") / f"{name}-1.schema.json"
        jsonschema.validate(value, json.loads(schema.read_text("utf-8")))


def test_junit_has_a_case_for_each_verdict(pytester: pytest.Pytester) -> None:
    """Build servers count cases; the failing one says why."""
    root = ElementTree.fromstring(report(pytester, ".xml"))

    failing = [
        case.get("name") for case in root.iter("testcase") if case.find("failure") is not None
    ]
    assert 2 == len(root.findall("testsuite"))
    assert ["turn-1/0-complete_step"] == failing


def test_sarif_points_into_the_trace(pytester: pytest.Pytester) -> None:
    """Code scanning shows the line of the recording."""
    log = json.loads(report(pytester, ".sarif"))

    jsonschema.Draft4Validator(SARIF).validate(log)
    (only,) = [one for one in log["runs"][0]["results"] if one["level"] == "error"]
    place = only["locations"][0]["physicalLocation"]
    assert "traces/lenient.jsonl" == place["artifactLocation"]["uri"]
    assert 2 == place["region"]["startLine"]


def test_the_page_has_the_timeline_of_each_trace(pytester: pytest.Pytester) -> None:
    """A page without its events could not be read."""
    page = report(pytester, ".html")
    data = page.partition('id="data">')[2].partition("</script>")[0]

    traces = json.loads(data)["traces"]
    assert ["reasonix-trajectory", "reasonix-stream"] == [trace["format"] for trace in traces]
    assert all(trace["timeline"] for trace in traces)


@pytest.mark.parametrize("ending", [".md", ".txt"])
def test_texts_name_the_finding(pytester: pytest.Pytester, ending: str) -> None:
    """A person sees at a glance what is wrong and where."""
    text = report(pytester, ending)

    assert "lenient.jsonl" in text
    assert "turn-1/0-complete_step" in text


@pytest.mark.slow
@pytest.mark.parametrize("ending", [".json", ".xml", ".sarif", ".html", ".md", ".txt"])
def test_workers_do_not_change_a_byte(pytester: pytest.Pytester, ending: str) -> None:
    """Only the controller has seen every item, so only it writes."""
    alone = report(pytester, ending)
    together = report(pytester, ending, "-n", "2")

    assert alone == together


@pytest.mark.parametrize("ending", [".xml", ".sarif", ".html", ".md", ".txt"])
def test_items_that_are_no_traces_stand_in_every_form(
    pytester: pytest.Pytester, ending: str
) -> None:
    """A contract suite has findings, too."""
    (pytester.path / "doc.md").write_text(
        "# Tools\n\n| tool | read-only | description |\n|---|---|---|\n"
    )
    result = run_pytest(
        pytester, "--reasonix-contract", "--reasonix-document=doc.md", "-k", "bash",
        f"--reasonix-report=out{ending}",
    )  # fmt: skip

    text = (pytester.path / f"out{ending}").read_text("utf-8")
    assert pytest.ExitCode.TESTS_FAILED == result.ret
    assert "tool/documented" in text


def test_a_named_file_that_is_no_trace_is_a_failing_item(pytester: pytest.Pytester) -> None:
    """Whoever names a file wants it judged; in a folder it may be anything."""
    folder = pytester.mkdir("traces")
    (folder / "notes.txt").write_text("nothing of that kind\n")
    (folder / "run.jsonl").write_bytes((FAULTS / "1.trajectory.jsonl").read_bytes())

    named = run_pytest(pytester, "--reasonix-replay=traces/notes.txt")
    walked = run_pytest(pytester, "--reasonix-replay=traces")

    named.assert_outcomes(failed=1)
    walked.assert_outcomes(passed=1, skipped=1)
    assert (1, 0) == (named.ret, walked.ret)


@pytest.mark.parametrize("name", ["cut.jsonl", "cut.jsonl.gz"])
def test_a_trace_that_cannot_be_read_is_a_failing_item(
    pytester: pytest.Pytester, name: str
) -> None:
    """A broken file is not a clean run."""
    (pytester.path / name).write_bytes(b"\x1f\x8b\x08\x00 no such thing")

    assert 1 == run_pytest(pytester, f"--reasonix-replay={name}").ret


def test_a_replay_in_which_nothing_could_be_judged_is_not_green(
    pytester: pytest.Pytester,
) -> None:
    """Nothing wrong was found because nothing was looked at."""
    (pytester.path / "talk.jsonl").write_text('{"role":"user","content":"hi"}\n')

    result = run_pytest(pytester, "--reasonix-replay=talk.jsonl")

    assert pytest.ExitCode.TESTS_FAILED == result.ret
    result.stdout.fnmatch_lines(["*nothing of the suite could be assessed*"])


@pytest.mark.parametrize(
    "path",
    [
        "reasonix-1.38.11/goal-acp",
        "reasonix-1.38.11/resumed",
        "classic-2026-08/plan-mode",
        "classic-2026-08/compaction",
    ],
)
def test_a_folder_of_any_formats_is_replayed_alone(pytester: pytest.Pytester, path: str) -> None:
    """`--reasonix-replay` needs no other option, and honest hosts are green."""
    folder = TRACES / path

    result = run_pytest(pytester, f"--reasonix-replay={folder}")

    outcomes = result.parseoutcomes()
    assert 0 == outcomes.get("failed", 0)
    assert outcomes.get("passed", 0) > 0 or "resumed" in path
