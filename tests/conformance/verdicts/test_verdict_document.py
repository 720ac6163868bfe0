"""`docs/verdict-files.md` names what each kind holds, and its lines are judged as written."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest
from places import DOCS, RECORDED

from reasonix_conformance.verdicts import KINDS
from reasonix_conformance.verdicts.agreement import assess

PAGE = (DOCS / "verdict-files.md").read_text(encoding="utf-8")
ROWS = {
    kind: set(re.findall(r"`(\w+)`", row))
    for kind, row in re.findall(
        r"^\| `(\w+)` \| (.*)$", PAGE.partition("## Kinds")[2], re.MULTILINE
    )
}


@cache
def keys_by_kind() -> dict[str, set[str]]:
    """Return what the recorded lines of each kind hold."""
    found: dict[str, set[str]] = defaultdict(set)
    for file in RECORDED.glob("*.jsonl"):
        for line in map(json.loads, file.read_bytes().splitlines()):
            found[line["kind"]] |= line["in"].keys() | line["out"].keys()
    return found


def test_every_kind_has_a_row() -> None:
    """A kind that nobody knows of is recorded by nobody."""
    assert sorted(KINDS) == sorted(ROWS)


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_the_row_of_a_kind_names_what_its_lines_hold(kind: str) -> None:
    """A host records from this page alone, and one field short is a disagreement."""
    held = keys_by_kind()[kind]

    assert held
    assert set() == held - ROWS[kind] - {"accept"}


def test_the_lines_of_the_page_agree(tmp_path: Path) -> None:
    """An example that disagrees teaches the wrong form."""
    block = PAGE.partition("## One line\n\n```json\n")[2].partition("```")[0]
    file = tmp_path / "page.jsonl"
    file.write_text(block, encoding="utf-8")

    agreement = assess([file], rules="classic")

    assert 2 == agreement.assessed
    assert [] == agreement.disagreements
