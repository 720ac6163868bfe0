"""The folder of a run that its recording does not tell: nobody is accused over it.

Who knows it can say so, for every format.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from written_turns import TURNS, Call, chat, lines, messages, stream

from reasonix_conformance.cli import main
from reasonix_conformance.replay.results import Judged
from reasonix_conformance.traces.sessions import Options, events_of, results
from reasonix_runtime.trace.events import Session

FILE = "/w/src/a.py"


def edit(path: str = FILE) -> Call:
    return "edit_file", {"path": path, "old_string": "a", "new_string": "b"}


def ran(command: str) -> Call:
    return "bash", {"command": command}


TESTS = ran("pytest -q")


def end_of(path: Path, text: str, **options: Any) -> Judged:
    path.write_text(text)
    (found,) = results([path], Options(rules="contract", basis="absence", **options), [])
    return found.verdicts[-1]


@pytest.mark.parametrize("name", TURNS)
@pytest.mark.parametrize(
    ("look", "without", "within"),
    [
        ("cat src/a.py", "not_assessable", "accept"),
        ("cd src && cat a.py", "not_assessable", "accept"),
        ("cat other/a.py", "reject", "reject"),
        ("cat /w/src/a.py", "accept", "accept"),
    ],
)
def test_a_relative_look_at_a_change_that_is_told_in_full(
    name: str, look: str, without: str, within: str, tmp_path: Path
) -> None:
    """Every format that does not tell the folder: unknown without it, decided with it."""
    text = TURNS[name]([edit(), ran(look), TESTS])

    unknown = end_of(tmp_path / "t.json", text)
    known = end_of(tmp_path / "t.json", text, workspace="/w")

    assert (without, within) == (unknown.verdict.decision, known.verdict.decision)
    assert ("--workspace" in unknown.verdict.message) is (without == "not_assessable")


@pytest.mark.parametrize(
    ("side", "told", "decision"),
    [
        ("s.jsonl.meta", {"workspace_root": "/w"}, "accept"),
        ("s.jsonl.meta", {"workspaceRoot": "/w"}, "accept"),
        ("s.jsonl.meta", {"workspace_root": "/elsewhere"}, "reject"),
        ("s.jsonl.meta", {"model": "x"}, "not_assessable"),
        ("s.acp.json", {"cwd": "/w"}, "accept"),
        ("subagents/sa_1.meta.json", {"parentSession": "s", "workspaceRoot": "/w"}, "accept"),
        (
            "subagents/sa_1.meta.json",
            {"parentSession": "t", "workspaceRoot": "/w"},
            "not_assessable",
        ),
    ],
)
def test_side_files_of_a_session_tell_its_folder(
    side: str, told: dict[str, str], decision: str, tmp_path: Path
) -> None:
    """They lie beside every session of a Reasonix host: nobody has to name the folder."""
    (tmp_path / "subagents").mkdir()
    (tmp_path / side).write_text(json.dumps(told))
    text = messages([edit(), ran("cat src/a.py"), TESTS])

    assert decision == end_of(tmp_path / "s.jsonl", text).verdict.decision


def test_sub_agents_that_worked_in_several_folders_tell_none(tmp_path: Path) -> None:
    """One of them may have had a copy of its own."""
    (tmp_path / "subagents").mkdir()
    for number, folder in enumerate(["/w", "/copy"]):
        meta = {"parentSession": "s", "workspaceRoot": folder}
        (tmp_path / "subagents" / f"sa_{number}.meta.json").write_text(json.dumps(meta))
    text = messages([edit(), ran("cat src/a.py"), TESTS])

    assert "not_assessable" == end_of(tmp_path / "s.jsonl", text).verdict.decision


def test_a_look_in_another_workspace_shows_nothing(tmp_path: Path) -> None:
    """The folder that the user tells is held against, not believed into a pass."""
    text = chat([edit(), ran("cat src/a.py"), TESTS])

    verdict = end_of(tmp_path / "t.json", text, workspace="/elsewhere").verdict

    assert ("reject", "finish.verification_missing") == (verdict.decision, verdict.reason)
    assert "1. nobody looked at `/w/src/a.py` since the last change" in verdict.message
    assert "`pytest -q` passed in a folder where nothing was changed" in verdict.message


def test_a_folder_of_windows_is_one_of_windows(tmp_path: Path) -> None:
    """The recording comes from another machine than the report."""
    text = chat([edit("C:\\w\\Src\\a.py"), ran("cat src/a.py"), TESTS])

    assert "accept" == end_of(tmp_path / "t.json", text, workspace="c:\\W").verdict.decision


def test_a_recording_that_tells_its_folder_keeps_it(tmp_path: Path) -> None:
    """What was recorded is no matter of opinion."""
    session = tmp_path / "s.jsonl"
    session.write_text(
        lines(
            {"type": "user", "uuid": "u", "sessionId": "s", "cwd": "/w",
             "message": {"role": "user", "content": "go"}}
        )
    )  # fmt: skip

    told = [one for one in events_of([session], Options(workspace="/v")) if type(one) is Session]

    assert ["/w"] == [one.cwd for one in told]


def test_neutral_events_take_the_folder_along(tmp_path: Path) -> None:
    """What is passed on is judged as it is here."""
    log = tmp_path / "chat.jsonl"
    log.write_text(chat([edit(), ran("cat src/a.py"), TESTS]))

    told = [one for one in events_of([log], Options(workspace="/w")) if type(one) is Session]

    assert ["/w"] == [one.cwd for one in told]


def test_runs_in_files_of_their_own_are_in_one_folder(tmp_path: Path) -> None:
    """A later run begins with what the earlier ones left, and where they left it."""
    (tmp_path / "1.stream.jsonl").write_text(stream([edit()]))
    later = tmp_path / "2.stream.jsonl"

    end = end_of(later, stream([ran("cat src/a.py"), TESTS]), workspace="/w")

    assert "accept" == end.verdict.decision


@pytest.mark.parametrize("folder", ["src", "./src", "~/src", "..", ""])
def test_a_part_of_a_path_is_refused(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Relative to what, only the machine of the recording would know."""
    assert 2 == _exit(["replay", str(tmp_path), "--workspace", folder])
    said = capsys.readouterr().err
    assert "argument --workspace" in said
    assert ("no whole path" in said) is bool(folder)


def _exit(arguments: list[str]) -> int:
    try:
        return main(arguments)
    except SystemExit as error:
        return int(error.code or 0)
