"""Sub-agents of a Reasonix session whose conversation is kept as a log (4.2: the same family)."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import msgspec
import pytest
from places import CLASSIC
from session_logs import Log, log_1, log_2

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_runtime.trace.events import Diag, Event

RECORDED = CLASSIC / "review-before-after-mutation" / "session"


def told(session: Path) -> list[Event]:
    """Return the events of a session, without the lines and files that they stand in."""
    stream = events(Recording(path=session, shown="s"))
    return [msgspec.structs.replace(event, src=None) for event in stream]


def copied(folder: Path) -> tuple[Path, list[Path]]:
    """Copy the recorded session; return its message file and those of its sub-agents."""
    shutil.copytree(RECORDED, folder)
    (session,) = (path for path in folder.glob("*.jsonl") if ".events." not in path.name)
    return session, sorted((folder / "subagents").glob("*.jsonl"))


@pytest.mark.parametrize("log", [log_1, log_2])
def test_the_log_of_a_sub_agent_wins_over_its_message_file(log: Log, tmp_path: Path) -> None:
    """What stands in the log alone was done, too: the message file may be its first checkpoint."""
    session, children = copied(tmp_path / "s")
    before = told(session)
    for child in children:
        kept = child.read_text().splitlines()
        records = log([json.loads(line) for line in kept])
        child.with_name(child.name.replace(".jsonl", ".events.jsonl")).write_text(
            "".join(json.dumps(record) + "\n" for record in records)
        )
        child.write_text(kept[0] + "\n")

    assert len(children) > 1
    assert before == told(session)


def test_a_file_beside_a_sub_agent_that_is_no_log_is_not_read_for_it(tmp_path: Path) -> None:
    """Three forms share that name; the message file tells what the sub-agent did."""
    session, children = copied(tmp_path / "s")
    before = told(session)
    for child in children:
        other = child.with_name(child.name.replace(".jsonl", ".events.jsonl"))
        other.write_text('{"kind":"turn_started"}\n')

    assert before == told(session)
    assert not any(isinstance(event, Diag) and event.code == "bad_line" for event in before)


@pytest.mark.parametrize("log", [log_1, log_2])
def test_a_line_of_a_log_that_cannot_be_read_is_told(log: Log, tmp_path: Path) -> None:
    """What it held may have been a call."""
    session, (child, *_) = copied(tmp_path / "s")
    records = log([json.loads(line) for line in child.read_text().splitlines()])
    beside = child.with_name(child.name.replace(".jsonl", ".events.jsonl"))
    beside.write_text("".join(json.dumps(record) + "\n" for record in records) + "{torn\n{}\n")

    assert "bad_line" in [event.code for event in told(session) if isinstance(event, Diag)]
