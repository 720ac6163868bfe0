"""A link beside a recording does not choose which other file of this machine is read."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from claude_records import agents, answers, asks, notes, read, record, says
from places import CLASSIC

from reasonix_conformance.traces.sessions import Options, file_results

LINKED = ("files", "folder")


def lead_out(folder: Path, outside: Path, linked: str) -> None:
    """Move what is in a folder elsewhere, and let links lead there: of each file, or of it all."""
    shutil.move(folder, outside)
    if linked == "folder":
        folder.symlink_to(outside, target_is_directory=True)
        return
    folder.mkdir()
    for file in outside.iterdir():
        (folder / file.name).symlink_to(file)


@pytest.mark.parametrize("linked", LINKED)
def test_a_linked_agent_of_claude_code_is_not_there(linked: str, tmp_path: Path) -> None:
    """What it holds may be another session, whose texts are nobody's business here."""
    project = tmp_path / "project"
    project.mkdir()
    session = (
        record("user", "u", "go"),
        asks("a", "Task", prompt="look"),
        answers("r", "a", "done", toolUseResult={"agentId": "x1"}),
        says("e", "ok"),
    )
    agents(
        project, **{"agent-x1": [record("user", "c", "look"), asks("b", "Read", file_path="a.py")]}
    )
    assert "missing_child" not in notes(read(project, *session))

    lead_out(project / "s" / "subagents", tmp_path / "outside", linked)

    assert "missing_child" in notes(read(project, *session))


@pytest.mark.parametrize("linked", LINKED)
def test_a_linked_agent_of_a_message_file_is_not_there(linked: str, tmp_path: Path) -> None:
    """The same for a session of a Reasonix host."""
    shutil.copytree(CLASSIC / "subagent-task" / "session", tmp_path / "session")
    (file,) = (tmp_path / "session").glob("*-scripted-1.jsonl")
    file.with_name(f"{file.stem}.events.jsonl").unlink()

    def lost() -> bool:
        (result,) = file_results(file, Options(rules="classic"))
        return "missing_child" in {diag.code for diag in result.diagnostics}

    assert not lost()

    lead_out(tmp_path / "session" / "subagents", tmp_path / "outside", linked)

    assert lost()
