"""The output of a run and the session file of the same session in one folder are judged once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance import cli
from reasonix_conformance.traces.files import files

CLAUDE = "11111111-2222-4333-8444-555555555555"
CODEX = "01a00000-2222-7333-8444-555555555555"


def write(path: Path, *records: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


def output(path: Path, *sids: str) -> None:
    told = [{"type": "system", "subtype": "init", "session_id": sid} for sid in sids]
    write(path, *told)


def session(path: Path, sid: str = CLAUDE) -> None:
    write(path, {"type": "user", "uuid": "u", "sessionId": sid, "message": {"content": "go"}})


def found(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path, _, _ in files([folder])]


def test_an_output_whose_session_file_is_here_is_not_judged_again(tmp_path: Path) -> None:
    """The file tells more, and a run that counts twice fails twice."""
    output(tmp_path / "out.jsonl", CLAUDE)
    session(tmp_path / f"projects/w/{CLAUDE}.jsonl")
    write(tmp_path / "exec.jsonl", {"type": "thread.started", "thread_id": CODEX})
    write(
        tmp_path / f"sessions/rollout-2026-03-01T10-00-00-{CODEX}.jsonl",
        {"timestamp": "x", "type": "session_meta", "payload": {"id": CODEX}},
    )

    assert [
        f"projects/w/{CLAUDE}.jsonl",
        f"sessions/rollout-2026-03-01T10-00-00-{CODEX}.jsonl",
    ] == found(tmp_path)


def test_the_session_file_may_be_in_another_folder_that_is_asked_for(tmp_path: Path) -> None:
    """Alone, the folder of the output holds a trace."""
    output(tmp_path / "out/out.jsonl", CLAUDE)
    session(tmp_path / f"home/{CLAUDE}.jsonl")

    assert ["out.jsonl"] == found(tmp_path / "out")
    assert [tmp_path / f"home/{CLAUDE}.jsonl"] == [
        path for path, _, _ in files([tmp_path / "out", tmp_path / "home"])
    ]


def test_an_output_that_is_named_is_judged(tmp_path: Path) -> None:
    """Who names a file means it."""
    output(tmp_path / "out.jsonl", CLAUDE)
    session(tmp_path / f"{CLAUDE}.jsonl")

    assert [(tmp_path / "out.jsonl", True, 0)] == list(files([tmp_path / "out.jsonl"]))


@pytest.mark.parametrize("sids", [(CODEX,), (CLAUDE, CODEX), ()])
def test_an_output_of_which_a_session_has_no_file_is_judged(
    sids: tuple[str, ...], tmp_path: Path
) -> None:
    """Else nobody would judge that session."""
    output(tmp_path / "out.jsonl", *sids)
    session(tmp_path / f"{CLAUDE}.jsonl")

    assert "out.jsonl" in found(tmp_path)


def test_a_file_that_only_has_the_name_of_the_session_tells_nothing(tmp_path: Path) -> None:
    """The output itself may have been named after its session."""
    output(tmp_path / f"{CLAUDE}.jsonl", CLAUDE)
    output(tmp_path / "again.jsonl", CLAUDE)

    assert [f"{CLAUDE}.jsonl", "again.jsonl"] == found(tmp_path)


def test_a_session_file_outside_of_the_folder_tells_nothing(tmp_path: Path) -> None:
    """A link that leads out is not followed, so that its file would not be judged."""
    session(tmp_path / f"outside/{CLAUDE}.jsonl")
    output(tmp_path / "here/out.jsonl", CLAUDE)
    (tmp_path / f"here/{CLAUDE}.jsonl").symlink_to(tmp_path / f"outside/{CLAUDE}.jsonl")

    assert ["out.jsonl"] == found(tmp_path / "here")


def test_a_file_that_cannot_be_read_is_kept_to_be_named(tmp_path: Path) -> None:
    """Reading it says why."""
    session(tmp_path / f"{CLAUDE}.jsonl")
    (tmp_path / "out.jsonl").write_bytes(b"\x28\xb5\x2f\xfdbroken")

    assert "out.jsonl" in found(tmp_path)


@pytest.mark.parametrize("whole", [True, False])
def test_a_session_file_without_calls_does_not_hide_an_output_with_some(
    whole: bool, tmp_path: Path
) -> None:
    """It was cut off, or never written; what was done stands in the output alone."""
    call = {"type": "tool_use", "id": "t", "name": "Edit", "input": {"file_path": "/w/a.py"}}
    spoken = {"type": "assistant", "session_id": CLAUDE, "message": {"content": [call]}}
    write(
        tmp_path / "out.jsonl", {"type": "system", "subtype": "init", "session_id": CLAUDE}, spoken
    )
    session(tmp_path / f"{CLAUDE}.jsonl")
    if whole:
        with (tmp_path / f"{CLAUDE}.jsonl").open("a") as file:
            file.write(json.dumps(spoken | {"sessionId": CLAUDE}) + "\n")

    assert ("out.jsonl" in found(tmp_path)) is not whole


def test_a_session_file_that_lost_its_sub_agents_does_not_hide_an_output_that_tells_them(
    tmp_path: Path,
) -> None:
    """The output holds what they did, and the file alone cannot be judged."""
    asks = {"type": "tool_use", "id": "t", "name": "Agent", "input": {"prompt": "do"}}
    does = {"type": "tool_use", "id": "u", "name": "Edit", "input": {"file_path": "/w/a.py"}}
    gives = {"type": "tool_result", "tool_use_id": "t", "content": "done"}
    started = {"type": "assistant", "message": {"content": [asks]}}
    ended = {"type": "user", "message": {"content": [gives]}, "toolUseResult": {"agentId": "x"}}
    inside = {"type": "assistant", "parent_tool_use_id": "t", "message": {"content": [does]}}
    worked = {"type": "tool_result", "tool_use_id": "u", "content": "ok"}
    answer = {"type": "user", "parent_tool_use_id": "t", "message": {"content": [worked]}}
    begins = {"type": "system", "subtype": "init"}
    told = [one | {"session_id": CLAUDE} for one in (begins, started, inside, answer, ended)]
    write(tmp_path / "out.jsonl", *told)
    kept = {"sessionId": CLAUDE, "uuid": "u"}
    write(tmp_path / f"{CLAUDE}.jsonl", started | kept, ended | kept | {"uuid": "v"})

    assert "out.jsonl" in found(tmp_path)

    child = [one | kept | {"isSidechain": True} for one in (inside, answer)]
    write(tmp_path / CLAUDE / "subagents" / "agent-x.jsonl", *child)
    assert [f"{CLAUDE}.jsonl"] == found(tmp_path)


def test_an_output_that_is_left_out_for_its_session_file_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody would know else why a file that holds a run was not judged."""
    output(tmp_path / "out.jsonl", CLAUDE)
    session(tmp_path / f"{CLAUDE}.jsonl")

    cli.main(["replay", str(tmp_path)])

    assert (
        "reasonix-conformance replay: left out, judged by another file of the session: "
        f"{tmp_path / 'out.jsonl'}; name the file to have it judged itself\n"
    ) == capsys.readouterr().err
