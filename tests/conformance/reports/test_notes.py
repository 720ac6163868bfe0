"""What the readers remarked stands in every form: a trace that was read in part looks whole."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from places import DOCS
from runs import run_pytest

from reasonix_conformance.cli import main
from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.reports import github, junit, sarif
from reasonix_conformance.reports.levels import Level
from reasonix_conformance.reports.notes import MEANING, note_level
from reasonix_conformance.suite.summary import MOST_NOTED
from reasonix_runtime.trace.events import DIAGNOSTICS, Diag, Source

PAGE = DOCS / "trace-formats.md"
SARIF = json.loads((Path(__file__).parent / "sarif-2.1.0.schema.json").read_text("utf-8"))
FORMS: dict[str, Callable[[list[TraceResult]], str]] = {
    "github": github.workflow_commands,
    "markdown": github.job_summary,
    "junit": junit.render,
    "sarif": sarif.render,
}
CUT = """\
{"kind":"turn_started"}
{"kind":"tool_dispatch","tool":{"id":"a","name":"complete_step","args":"{}"}}
{"kind":"tool_result","tool":{"id":"a","name":"complete_step","args":"{}","err":"no"}}
{"kind":"turn_done"}
{"kind":"turn_started"}
{"kind":"tool_dispatch","tool":{"id":"b","name":"read_file","args":"{}"}}
"""


def noted(code: str, line: int | None = 7, text: str = "it stops") -> TraceResult:
    diag = Diag(code=code, text=text, seq=1, src=Source("a b.jsonl", line))
    return TraceResult(
        path="a b.jsonl", id="t", format="neutral/1", rules="contract", diagnostics=(diag,)
    )


def test_every_code_has_its_meaning_and_level() -> None:
    """A code without them would be told without a word, or not at all."""
    documented = re.findall(r"^\| `([a-z_]+)` \| ", PAGE.read_text("utf-8"), re.MULTILINE)

    assert DIAGNOSTICS == MEANING.keys()
    assert DIAGNOSTICS <= set(documented)
    assert {"turn_inferred"} == {code for code in MEANING if note_level(code) is Level.NONE}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("code", sorted(DIAGNOSTICS))
def test_a_note_is_told_in_every_form(form: str, code: str) -> None:
    """But for turns that are read off the user's messages, which is so in many formats."""
    assert (code in FORMS[form]([noted(code)])) is (code != "turn_inferred")


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (noted("bad_line"), "::warning file=a b.jsonl,line=7,title=bad_line::bad_line: it stops\n"),
        (
            noted("clock_disorder", None, "x\n::error::y"),
            "::notice file=a b.jsonl,title=clock_disorder::clock_disorder: x%0A\\x3a:error::y\n",
        ),
        (noted("turn_inferred"), ""),
    ],
)
def test_github_has_an_annotation_at_the_line(result: TraceResult, expected: str) -> None:
    """What a trace says stays in its line."""
    assert expected == github.workflow_commands([result])


def test_markdown_has_a_section_that_says_what_it_left_out() -> None:
    """A job summary is bounded."""
    found = github.job_summary([noted("bad_line")] * (github.MOST_ROWS + 2))

    assert "### Notes of the readers" in found
    assert github.MOST_ROWS == found.count("| warning | a b.jsonl | 7 | bad_line: it stops |")
    assert found.endswith("\n\nNot listed: 2 more notes.\n")
    assert "Notes" not in github.job_summary([noted("turn_inferred")])


@pytest.mark.parametrize(
    ("code", "level", "line"), [("truncated_tail", "warning", 7), ("clock_disorder", "note", None)]
)
def test_sarif_has_a_result_and_a_rule_of_the_code(code: str, level: str, line: int | None) -> None:
    """Valid, or code scanning drops all of it."""
    log = json.loads(sarif.render([noted(code, line)]))

    jsonschema.Draft4Validator(SARIF).validate(log)
    (run,) = log["runs"]
    (only,) = run["results"]
    assert (f"reader/{code}", level) == (only["ruleId"], only["level"])
    assert [f"reader/{code}"] == [rule["id"] for rule in run["tool"]["driver"]["rules"]]
    place = only["locations"][0]["physicalLocation"]
    assert {"uri": "a%20b.jsonl"} == place["artifactLocation"]
    assert place.get("region") == ({"startLine": line} if line else None)


def test_junit_has_them_as_output_of_the_suite() -> None:
    """They are no cases: the counts stay, and nothing fails."""
    (suite,) = ElementTree.fromstring(junit.render([noted("bad_line", text="\x00\x1b[0m")]))

    assert ("0", "0", "0") == tuple(suite.get(k) for k in ("tests", "failures", "errors"))
    assert suite.findtext("system-out") == (
        "note of the reader: a b.jsonl:7: bad_line: \\x00\\x1b[0m"
    )


def test_pytest_tells_them_of_a_trace_that_passes(pytester: pytest.Pytester) -> None:
    """A green run says which part it did not see."""
    (pytester.path / "cut.jsonl").write_text(CUT)

    result = run_pytest(pytester, "--reasonix-replay=cut.jsonl", "--reasonix-report=out.json")

    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(
        ["notes of the readers: cut.jsonl: truncated_tail (1), unanswered_call (1)"]
    )
    (item,) = json.loads((pytester.path / "out.json").read_text("utf-8"))["items"]
    assert {"rules": ["classic"]} == item["facts"]


def test_pytest_bounds_the_lines(pytester: pytest.Pytester) -> None:
    """A folder of thousands does not bury the summary."""
    folder = pytester.mkdir("traces")
    for number in range(MOST_NOTED + 2):
        (folder / f"{number:02}.jsonl").write_text(CUT)

    lines = run_pytest(pytester, "--reasonix-replay=traces").stdout.lines

    told = [line for line in lines if line.startswith("notes of the readers: ")]
    assert MOST_NOTED + 1 == len(told)
    assert told[0].startswith("notes of the readers: traces/00.jsonl: ")
    assert "notes of the readers: 2 more traces not listed here" == told[-1]


@pytest.mark.parametrize("name", ["bad_line", "reader/bad_line"])
def test_the_command_explains_a_note_as_it_explains_a_refusal(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """SARIF and GitHub show the code as they show that of a rule."""
    assert 0 == main(["rules", name])
    assert f"bad_line  (note of a reader, level warning)\n{MEANING['bad_line']}\n" == (
        capsys.readouterr().out
    )


def test_a_misspelt_note_is_found(capsys: pytest.CaptureFixture[str]) -> None:
    """The nearest names are those of notes, too."""
    assert 2 == main(["rules", "orphan_results"])
    assert "did you mean orphan_result" in capsys.readouterr().err
