"""What fails a run as a whole stands in every form of the report, not on standard error alone.

Its verdicts may all be good: a known failure that is none any more, or too little that was asked.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from places import GOOD
from runs import replay

SARIF_SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text("utf-8"))
LISTED = "known.yaml:1: no verdict has the id 'b.jsonl::turn-1/end'"
COVERED = "coverage is "

Report = Callable[[str], str]


@pytest.fixture
def report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Report:
    """Return the report on a good trace, a list of no use and too little coverage, in a form."""
    shutil.copy(GOOD, tmp_path / "a.jsonl")
    (tmp_path / "known.yaml").write_text("- {id: 'b.jsonl::turn-1/end', reason: agreed}\n")
    monkeypatch.chdir(tmp_path)
    asked = ("--known", "known.yaml", "--coverage-min", "99")

    def run(form: str) -> str:
        code, out, err = replay(capsys, "a.jsonl", *asked, "--format", form)
        assert 1 == code
        assert LISTED in err
        assert COVERED in err
        return out

    return run


def are_told(texts: list[str]) -> bool:
    return [True, True] == [
        text.startswith(begin) for text, begin in zip(texts, (LISTED, COVERED), strict=True)
    ]


def test_the_text_says_how_many(report: Report) -> None:
    assert "\n2 problems of the run as a whole\n" in report("text")


def test_json_lists_them(report: Report) -> None:
    found = json.loads(report("json"))
    schema = files("reasonix_conformance.schemas") / "replay-1.schema.json"

    jsonschema.validate(found, json.loads(schema.read_text("utf-8")))
    assert are_told(found["problems"])


def test_junit_has_an_error_for_each(report: Report) -> None:
    _, *suites = ElementTree.fromstring(report("junit"))

    assert [("replay", "run/whole")] * 2 == [
        (case.get("classname"), case.get("name")) for suite in suites for case in suite
    ]
    told = [error for suite in suites for error in suite.iter("error")]
    assert are_told([str(error.get("message")) for error in told])


def test_a_sarif_log_is_that_of_a_run_that_failed(report: Report) -> None:
    log = json.loads(report("sarif"))

    jsonschema.Draft4Validator(SARIF_SCHEMA).validate(log)
    (invocation,) = log["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    told = invocation["toolExecutionNotifications"]
    assert are_told([one["message"]["text"] for one in told])


def test_github_annotates_them(report: Report) -> None:
    mark = "::error title=run/whole::"
    told = [line for line in report("github").splitlines() if line.startswith(mark)]

    assert are_told([line.removeprefix(mark) for line in told])


def test_the_summary_of_a_job_lists_them(report: Report) -> None:
    _, told = report("markdown").split("### What is wrong with the run as a whole\n\n")

    assert are_told([line.removeprefix("* ") for line in told.splitlines()[:2]])


def test_the_page_has_them(report: Report) -> None:
    assert f'"problems":["{LISTED}' in report("html")
