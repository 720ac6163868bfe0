"""`docs/trace-formats.md` tells what the session of a host without review tools owes: it is run."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from places import DOCS

from reasonix_conformance.cli import main

SECTION = (DOCS / "trace-formats.md").read_text(encoding="utf-8")
SECTION = SECTION.partition("\n## Hosts without review tools\n")[2].partition("\n## ")[0]
BLOCKS = dict(re.findall(r"```(\w+)\n(.*?)```", SECTION, re.DOTALL))
ROW = re.compile(r"^\| ((?:as|with|without) .*?) \| (accept|reject `.*`) \|$", re.MULTILINE)
ROWS = ROW.findall(SECTION)


def replayed(text: str, *more: str) -> tuple[int, dict[str, object]]:
    """Run the command of the page on a session and return its code and its only verdict."""
    Path("session.jsonl").write_text(text, encoding="utf-8")
    command = BLOCKS["sh"].split()[1:]
    code = main([*command, "--format", "json", "--output", "report.json", *more])
    [trace] = json.loads(Path("report.json").read_text(encoding="utf-8"))["traces"]
    [verdict] = trace["verdicts"]
    return code, verdict


def variant(said: str) -> str:
    """Return the session of the page as a row of its table has it."""
    lines = BLOCKS["json"].splitlines(keepends=True)
    for name in re.findall(r"without the call `(\w+)`", said):
        lines = [line for line in lines if f'"{name}"' not in line]
    for path in re.findall(r"with `([^`]+)`", said):
        lines = [line.replace("shop/price.py", path) for line in lines]
    return "".join(lines)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_table_of_the_page_has_a_row_for_each_thing_that_is_owed() -> None:
    """A table that is not found would hold of nothing."""
    assert 5 == len(ROWS) == len(set(ROWS))
    assert 5 == len({variant(said) for said, _ in ROWS})


@pytest.mark.parametrize(("said", "told"), ROWS)
def test_each_session_of_the_page_is_judged_as_it_says(said: str, told: str) -> None:
    """Someone who has such a host has nothing else to go by."""
    code, verdict = replayed(variant(said))

    reason = f" `{verdict['reason']}`" if verdict["decision"] == "reject" else ""
    assert told == f"{verdict['decision']}{reason}"
    assert (1 if reason else 0) == code


def test_the_entry_of_the_page_excuses_the_review_that_no_such_agent_can_give() -> None:
    """And it fails the run once the change is none of high risk: the list is strict."""
    Path("known.yaml").write_text(BLOCKS["yaml"], encoding="utf-8")

    assert 0 == replayed(variant("with `shop/auth.py`"), "--known", "known.yaml")[0]
    assert 1 == replayed(variant("as it stands"), "--known", "known.yaml")[0]
