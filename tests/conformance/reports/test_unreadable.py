"""A file that could not be read stands in every form of the report, not on standard error alone.

A server that shows the report of a job has nothing else to show.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import jsonschema
import pytest
from places import GOOD
from runs import replay

SARIF_SCHEMA = json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text("utf-8"))
SAID = "lost.jsonl: not a trace of a known format"

Report = Callable[[str], str]


@pytest.fixture
def report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Report:
    """Return the report on a good trace and a file that is none, in a form."""
    shutil.copy(GOOD, tmp_path / "a.jsonl")
    (tmp_path / "lost.jsonl").write_text("no trace\n")
    monkeypatch.chdir(tmp_path)

    def run(form: str) -> str:
        code, out, _ = replay(capsys, "a.jsonl", "lost.jsonl", "--format", form)
        assert 2 == code
        return out

    return run


def test_the_text_says_how_many(report: Report) -> None:
    assert "\n1 file could not be read, or not to the end\n" in report("text")


def test_json_lists_them(report: Report) -> None:
    found = json.loads(report("json"))
    schema = files("reasonix_conformance.schemas") / "replay-1.schema.json"

    jsonschema.validate(found, json.loads(schema.read_text("utf-8")))
    (lost,) = found["unreadable"]
    assert ("lost.jsonl", True) == (lost["path"], lost["text"].startswith(SAID))


def test_junit_has_an_error_for_each(report: Report) -> None:
    _, suite = ElementTree.fromstring(report("junit"))
    (case,) = suite

    assert ("1", "1") == (suite.get("tests"), suite.get("errors"))
    assert ("lost.jsonl", "trace/readable") == (case.get("classname"), case.get("name"))
    assert [True] == [str(error.get("message")).startswith(SAID) for error in case.iter("error")]


def test_a_sarif_log_is_that_of_a_run_that_failed(report: Report) -> None:
    log = json.loads(report("sarif"))

    jsonschema.Draft4Validator(SARIF_SCHEMA).validate(log)
    (invocation,) = log["runs"][0]["invocations"]
    (told,) = invocation["toolExecutionNotifications"]
    assert invocation["executionSuccessful"] is False
    assert told["message"]["text"].startswith(SAID)
    place: Any = told["locations"][0]["physicalLocation"]
    assert {"artifactLocation": {"uri": "lost.jsonl"}} == place


def test_github_annotates_the_file(report: Report) -> None:
    (line,) = [one for one in report("github").splitlines() if "trace/readable" in one]

    assert line.startswith(f"::error file=lost.jsonl,title=trace/readable::{SAID}")


def test_the_summary_of_a_job_lists_them(report: Report) -> None:
    assert f"| lost.jsonl | {SAID}" in report("markdown")


def test_the_page_has_them(report: Report) -> None:
    assert f'"unreadable":[{{"path":"lost.jsonl","text":"{SAID}' in report("html")
