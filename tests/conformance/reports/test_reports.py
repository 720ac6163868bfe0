"""The forms of a replay: the same findings in each, and each readable by what it is made for."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest
from runs import written_json

from reasonix_conformance.replay.results import Judged, Lost, TraceResult
from reasonix_conformance.reports import (
    github,
    html,
    json_report,
    junit,
    sarif,
    style,
    text_report,
)
from reasonix_conformance.reports.levels import About, Level, explained, headline, level
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.trace.events import Diag, Source
from reasonix_runtime.trace.transcript import Expectation

SARIF_SCHEMA = json.loads(
    (Path(__file__).parent / "sarif-2.1.0.schema.json").read_text(encoding="utf-8")
)
NASTY = 'x</script><b>&"\x00\ud800|`%\n::error::'


def judged(
    decision: Decision,
    *,
    host: Decision | None = None,
    expected: Expectation | None = None,
    mismatches: tuple[str, ...] = (),
    event: int | None = 0,
    message: str = "said",
    reason: str | None = None,
) -> Judged:
    verdict = Verdict(gate="complete_step", decision=decision, told=message, reason=reason)
    return Judged(
        turn=1,
        event=event,
        verdict=verdict,
        subject="complete_step",
        src=Source("traces/a b.jsonl", 7),
        host=host,
        expected=expected,
        mismatches=mismatches,
    )


def result(*verdicts: Judged, path: str = "traces/a b.jsonl") -> TraceResult:
    return TraceResult(path=path, id="t", format="neutral/1", rules="contract", verdicts=verdicts)


WANTED = Expectation(verdict="accept")
ACCEPT, REJECT, UNKNOWN = Decision.ACCEPT, Decision.REJECT, Decision.NOT_ASSESSABLE


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (judged(ACCEPT), Level.NONE),
        (judged(REJECT), Level.ERROR),
        (judged(REJECT, host=REJECT), Level.NONE),
        (judged(REJECT, host=ACCEPT), Level.ERROR),
        (judged(ACCEPT, host=REJECT), Level.WARNING),
        (judged(UNKNOWN), Level.NOTE),
        (judged(REJECT, expected=WANTED), Level.NONE),
        (judged(ACCEPT, expected=WANTED, mismatches=("reason",)), Level.ERROR),
    ],
)
def test_a_verdict_matters_as_the_table_says(given: Judged, expected: Level) -> None:
    """Each form of report decides by this one table."""
    assert expected == level(given)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (judged(UNKNOWN), ("not assessable: said",)),
        (judged(UNKNOWN, message=""), ("not assessable",)),
        (judged(REJECT, reason="step.missing"), ("reject step.missing", "said")),
        (judged(REJECT, host=ACCEPT), ("reject, but the host let it pass", "said")),
        (judged(ACCEPT, host=REJECT), ("accept, but the host refused it", "said")),
        (judged(REJECT, reason="step.missing", message=""), ("reject step.missing",)),
        (
            judged(UNKNOWN, expected=WANTED, mismatches=("verdict",)),
            ("not as expected: verdict", "said"),
        ),
    ],
)
def test_a_finding_says_the_message_once(given: Judged, expected: tuple[str, ...]) -> None:
    """A list shows the headline alone; a form with room for it shows the message behind it."""
    first, *more = expected

    assert f"turn-1/0-complete_step: {first}" == headline(given)
    assert "\n".join((headline(given), *more)) == explained(given)


def test_sarif_is_valid_and_points_at_the_line_of_the_trace() -> None:
    """A code-scanning service drops a log that is not valid."""
    log = json.loads(sarif.render([result(judged(REJECT, host=ACCEPT), judged(UNKNOWN))]))

    jsonschema.Draft4Validator(SARIF_SCHEMA).validate(log)
    found = log["runs"][0]["results"]
    assert ["error", "note"] == [entry["level"] for entry in found]
    place = found[0]["locations"][0]["physicalLocation"]
    assert {"uri": "traces/a%20b.jsonl"} == place["artifactLocation"]
    assert {"startLine": 7} == place["region"]


def test_junit_counts_failures_and_skips_as_it_shows_them() -> None:
    """CI servers trust the counts."""
    suites = ElementTree.fromstring(
        junit.render([result(judged(ACCEPT), judged(REJECT), judged(UNKNOWN, event=None))])
    )

    (suite,) = suites
    assert ("3", "1", "1") == tuple(suite.get(k) for k in ("tests", "failures", "skipped"))
    assert ["turn-1/0-complete_step", "turn-1/0-complete_step", "turn-1/end"] == [
        case.get("name") for case in suite
    ]


@pytest.mark.parametrize(
    ("path", "ident", "part"),
    [
        ("docs/TOOL_CONTRACT.md", "shell", "shell"),
        ("docs/TOOL_CONTRACT.md", "docs", "docs"),
        ("logs/s1.jsonl", "s1", ""),
        ("logs/s1.jsonl", "s1.jsonl", ""),
        ("s1.jsonl", "s1.jsonl#2", "s1.jsonl#2"),
    ],
)
def test_each_form_says_what_of_a_file_it_speaks_of(path: str, ident: str, part: str) -> None:
    """A document has many tools, and a log many sessions; the name of a file is not said twice."""
    (one,) = [replace(result(judged(REJECT)), path=path, id=ident)]
    name = f"{path} :: {part}" if part else path
    said = f"{part}: turn-1/0-complete_step" if part else "turn-1/0-complete_step"
    (suite,) = ElementTree.fromstring(junit.render([one]))
    (found,) = json.loads(sarif.render([one]))["runs"][0]["results"]

    assert f"| {name} |" in github.job_summary([one])
    assert f"::{said}: " in github.workflow_commands([one])
    assert found["message"]["text"].startswith(f"{said}: ")
    assert [f"{name} [contract]", name] == [suite.get("name"), suite[0].get("classname")]


def test_an_annotation_is_one_line_whatever_the_trace_says() -> None:
    """Text of a trace must not become a workflow command of its own."""
    bad = judged(REJECT, expected=WANTED, mismatches=(NASTY,))

    lines = github.workflow_commands([result(bad, path="a,b:c.jsonl")]).splitlines()

    assert 1 == len(lines)
    assert lines[0].startswith(
        "::error file=a%2Cb%3Ac.jsonl,line=7,title=complete_step::t: turn-1/0-complete_step"
    )


def test_an_annotation_says_why() -> None:
    """Who reads a pull request sees the annotation, and no other form of the report."""
    line = github.workflow_commands([result(judged(REJECT, reason="step.missing"))])

    assert line.endswith("::t: turn-1/0-complete_step: reject step.missing%0Asaid\n")


@pytest.mark.parametrize(
    ("traces", "said"),
    [(1, "\n1 trace, 1 verdict: 1 accept"), (2, "\n2 traces, 2 verdicts: 2 accept")],
)
def test_the_job_summary_counts_in_words(traces: int, said: str) -> None:
    """One is no plural."""
    assert said in github.job_summary([result(judged(ACCEPT)) for _ in range(traces)])


def test_the_job_summary_says_why_and_what_to_do() -> None:
    """Who gets a red summary knows no reason codes; each line of a message stays a line."""
    bad = judged(REJECT, reason="step.missing", message="two things:\n1. a|b\n2. <c>")

    assert github.job_summary([result(bad)]).endswith(
        "| error | traces/a b.jsonl :: t | 7 | turn-1/0-complete_step: reject step.missing"
        "<br>two things:<br>1. a\\|b<br>2. &lt;c> |\n"
    )


def test_the_job_summary_says_when_nothing_was_assessed() -> None:
    """A summary that only lists findings would look green."""
    assert "this is not a pass" in github.job_summary([result(judged(UNKNOWN))])
    assert "this is not a pass" not in github.job_summary([result(judged(ACCEPT))])


def test_every_form_survives_whatever_a_trace_holds() -> None:
    """Recordings hold NULs, half surrogates and markup."""
    results = [result(judged(REJECT, message=NASTY), path=NASTY)]

    json.loads(written_json(results))
    json.loads(sarif.render(results))
    ElementTree.fromstring(junit.render(results))
    page = html.render(json.loads(written_json(results)), about=About(NASTY, NASTY))
    assert 0 == page.count("</script><b>")
    assert 2 == page.count("</script>")
    github.job_summary(results)


def test_the_text_report_shows_what_to_do_about_a_refusal_and_no_endless_message() -> None:
    """The advice stands at the end of a message; a message may quote a whole file."""
    advice = "run it, then sign the step off again."
    found = " ".join(f"`command number {n}`" for n in range(20))
    near = judged(Decision.REJECT, message=f"Nothing ran. Found: {found}; {advice}")
    far = judged(Decision.REJECT, message="word " * 10_000)

    for verdict, ending in ((near, advice), (far, "…")):
        lines = list(text_report.verdict_lines(verdict))[1:]
        assert len(lines) > 1
        assert all(len(line) <= style.WIDTH for line in lines)
        assert all(line.startswith(text_report.INDENT) for line in lines)
        assert " ".join(line.strip() for line in lines).endswith(ending)
        assert sum(map(len, lines)) < 2 * text_report.LONGEST


@pytest.mark.parametrize(
    ("message", "shown"),
    [("nothing was changed", "  (nothing was changed)"), ("", "")],
)
def test_the_text_report_says_what_an_accepted_end_rests_on(message: str, shown: str) -> None:
    """Of an end at which nothing was owed nobody may think that something was checked."""
    (line,) = text_report.verdict_lines(judged(Decision.ACCEPT, message=message))

    assert line.endswith(f"turn-1/0-complete_step{shown}")


def test_the_text_report_keeps_what_is_owed_in_lines() -> None:
    """An order of repair is read line by line."""
    owed = "the turn cannot end yet; in this order:\n1. look at `a.py`\n2. run `pytest -q`"
    lines = list(text_report.verdict_lines(judged(REJECT, message=owed)))[1:]

    assert owed.splitlines() == [line.removeprefix(text_report.INDENT) for line in lines]


@pytest.mark.parametrize("form", ["text", "markdown", "junit", "html"])
def test_what_is_handed_on_names_no_user_in_a_path(form: str) -> None:
    """Of sessions below a home folder each line of a report told whose they are."""
    path = "/Users/bob/.claude/projects/-Users-bob-shop/s.jsonl"
    diag = Diag(code="bad_line", text="no JSON", src=Source(path, 3))
    found = replace(result(judged(REJECT), path=path), diagnostics=(diag,))
    page = html.render(json_report.document([found], timeline=True, lost=[Lost(path, path)]))

    report = {
        "text": text_report.render([found]),
        "markdown": github.job_summary([found], [Lost(path, path)]),
        "junit": junit.render([found], [Lost(path, path)]),
        "html": page,
    }[form]

    assert "/Users/[user]/.claude/projects/-Users-[user]-shop/s.jsonl" in report
    assert "bob" not in report


def test_the_page_has_its_title_at_the_tab_and_over_it_and_looks_for_none_in_its_data() -> None:
    """A page of the suite was headed as one of a replay; a trace may hold any mark."""
    page = html.render({"traces": [{"id": "@SCRIPT@@TITLE@"}]}, about=About("A & B", "item"))

    assert 2 == page.count("A &amp; B")
    assert 1 == page.count("@SCRIPT@@TITLE@")


def test_the_page_hides_nothing_of_what_it_shows() -> None:
    """A reviewer reads commands there; what turns letters round would show another one."""
    text = "rm \u202excod\u202c \u200bx \u2066y \ufeffz"
    replay = {"traces": [{"timeline": [{"text": text}]}]}

    page = html.render(replay)

    data = page.split('<script type="application/json" id="data">')[1].split("</script>")[0]
    assert (
        r"rm \u202excod\u202c \u200bx \u2066y \ufeffz"
        == (json.loads(data)["traces"][0]["timeline"][0]["text"])
    )
    assert not any(letter in page for letter in "\u202e\u202c\u200b\u2066\ufeff")


def test_what_servers_show_of_a_trace_steers_neither_page_nor_terminal() -> None:
    """Both forms are shown as they are, and a name of a file may hold anything."""
    steering = "a\u202eb\x1b[2Jc\x9b\u2066"
    found = result(judged(Decision.REJECT, host=Decision.ACCEPT, message=steering), path=steering)

    xml = junit.render([found])
    (finding,) = json.loads(sarif.render([found]))["runs"][0]["results"]

    assert all(char.isprintable() or char == "\n" for char in xml)
    assert r"a\u202eb\x1b[2Jc\x9b\u2066" in xml
    assert r"a\u202eb\x1b[2Jc\x9b\u2066" in finding["message"]["text"]
