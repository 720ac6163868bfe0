"""The account of every line of the pages of the tools: complete, and its witnesses are there."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from places import DOCS
from witnesses import witnesses

from reasonix_runtime.contract.surface import BUILT_IN

CHECKLIST: dict[str, Any] = yaml.safe_load(
    Path(__file__).with_name("line_checklist.yaml").read_text("utf-8")
)
VERDICTS = ("tests", "deviation", "outside")
KEYS = {*VERDICTS, "says", "except_deviations", "except_outside"}
LINES = [
    pytest.param(line, id=f"{tool}-{section}-{number}")
    for tool, sections in CHECKLIST["tools"].items()
    for section, lines in sections.items()
    for number, line in enumerate(lines, 1)
]


def test_every_tool_and_every_line_of_its_page_is_listed() -> None:
    """A line that nobody lists is a line that nobody keeps."""
    listed = {
        tool: {section: len(lines) for section, lines in sections.items()}
        for tool, sections in CHECKLIST["tools"].items()
    }

    assert listed == CHECKLIST["lines"]
    assert {*listed, *CHECKLIST["not_yet_listed"]} == set(BUILT_IN)
    assert sum(sum(counts.values()) for counts in listed.values()) == 367


@pytest.mark.parametrize("line", LINES)
def test_a_line_says_what_it_demands_and_what_became_of_it(line: dict[str, Any]) -> None:
    """In one sentence, and in one of three ways."""
    assert re.fullmatch(r"[^\n]{10,200}\.", line["says"])
    assert [key for key in VERDICTS if line.get(key)] == [key for key in VERDICTS if key in line]
    assert len([key for key in VERDICTS if key in line]) == 1
    assert set(line) <= KEYS


@cache
def deviations() -> str:
    return " ".join((DOCS / "deviations.md").read_text("utf-8").split())


def named_deviations(line: dict[str, Any]) -> list[str]:
    return [
        *([line["deviation"]] if "deviation" in line else []),
        *line.get("except_deviations", ()),
    ]


@pytest.mark.parametrize("line", [line for line in LINES if named_deviations(line.values[0])])
def test_the_deviations_that_are_named_are_on_the_list(line: dict[str, Any]) -> None:
    """A quirk that is nowhere explained is a fault."""
    assert [] == [words for words in named_deviations(line) if words not in deviations()]


@pytest.mark.parametrize("line", [line for line in LINES if "tests" in line.values[0]])
def test_the_tests_that_are_named_exist(line: dict[str, Any]) -> None:
    """A witness that was renamed or deleted is none."""
    assert [] == [reference for reference in line["tests"] if not witnesses(reference)]


@pytest.mark.parametrize(
    "reference",
    [
        "tests/runtime/tools/test_edits.py::test_nothing_of_that_name",
        "tests/runtime/tools/test_edits.py::test_edit_file[no such row]",
        "tests/runtime/tools/test_edits.py::test_edit_file[csa-001]",
        "tests/test_transcripts.py::test_a_transcript_holds[no-such-transcript]",
    ],
)
def test_a_witness_that_is_not_there_is_noticed(reference: str) -> None:
    """Otherwise the account could name anything."""
    assert not witnesses(reference)
