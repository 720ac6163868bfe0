"""What models and commands wrote does not steer the terminal or the log that shows it."""

from __future__ import annotations

import pytest

from reasonix_conformance.findings import Finding, Result
from reasonix_conformance.replay.results import Judged, TraceResult
from reasonix_conformance.reports import github, text_report
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.plain import plain


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("as it is, ümläüt 中文", "as it is, ümläüt 中文"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("a\nb\tc\x00", "a\\nb\\tc\\x00"),
        ("a\u202eb\u2028c", "a\\u202eb\\u2028c"),
        ("\udcff", "\\udcff"),
    ],
)
def test_what_is_not_printable_is_spelled_out(text: str, shown: str) -> None:
    """In escapes that everybody knows."""
    assert plain(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("::add-mask::x", "\\x3a:add-mask::x"),
        ("a\n  ::error file=b,line=1::c", "a\n  \\x3a:error file=b,line=1::c"),
        ("a ##[group]b", "a \\x23#[group]b"),
        ("##vso[task.setvariable variable=PATH]x", "\\x23#vso[task.setvariable variable=PATH]x"),
        ("tests/a.py::test_b", "tests/a.py::test_b"),
        ("## Heading\n#!/bin/sh", "## Heading\n#!/bin/sh"),
    ],
)
def test_what_is_a_command_in_the_log_of_a_job_is_spelled_out(text: str, shown: str) -> None:
    """Runners read their commands in whatever a step prints, behind blanks too."""
    assert plain(text, lines=True) == shown


def test_line_feeds_stay_where_there_may_be_lines() -> None:
    """An annotation has several."""
    assert plain("a\nb\rc", lines=True) == "a\nb\\rc"


def _result() -> TraceResult:
    verdict = Verdict(
        gate="turn_end", decision=Decision.REJECT, reason="x", told="\x1b]0;title\x07"
    )
    return TraceResult(
        path="a\n::error::b.jsonl",
        id="\x1b[2J",
        format="x",
        rules="classic",
        verdicts=(Judged(turn=1, event=None, verdict=verdict, subject="end"),),
    )


def test_reports_for_a_terminal_hold_no_control_characters() -> None:
    """A file name begins no line, and a message sets no window title."""
    for report in (
        text_report.render([_result()]),
        github.workflow_commands([_result()]),
        github.job_summary([_result()]),
    ):
        assert all(line.isprintable() for line in report.split("\n"))
        assert not any(line.startswith("::error::b") for line in report.split("\n"))


def test_the_failure_of_an_item_holds_no_control_characters() -> None:
    """What pytest prints comes from traces, too."""
    finding = Finding(check="turn-1/0-\x1b[2J", what="a\x07\nb")
    text = Result(findings=(finding,)).text("a.jsonl")
    assert "turn-1/0-\\x1b[2J: a\\x07\nb" in text
