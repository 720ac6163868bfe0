"""Files of benchmarks that hold several conversations: each is a session of its own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from read_records import notes, read_text

from reasonix_runtime.trace.events import Event, Session, ToolResult, TurnEnd

CALL = {"id": "a", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
EPISODES = [
    {
        "instance_id": name,
        "traj": [
            {"role": "user", "content": f"go {name}"},
            {"role": "assistant", "content": "", "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "a", "content": "Exit code: 0\nOutput:\nx"},
            {"role": "assistant", "content": "done"},
        ],
    }
    for name in ("one", "two", "three")
]
FORMS = {
    "a line": "".join(f"{json.dumps(episode)}\n" for episode in EPISODES),
    "laid out": "".join(f"{json.dumps(episode, indent=2)}\n" for episode in EPISODES),
    "an array": json.dumps(EPISODES, indent=2),
    "an array on one line": json.dumps(EPISODES),
}


def told(stream: list[Event]) -> tuple[list[str], list[str], list[str]]:
    """Return the sessions, the outcomes of their calls, and how their turns ended."""
    return (
        [event.sid for event in stream if isinstance(event, Session)],
        [event.outcome for event in stream if isinstance(event, ToolResult)],
        [event.status for event in stream if isinstance(event, TurnEnd)],
    )


@pytest.mark.parametrize("form", FORMS)
def test_each_episode_is_a_session_however_they_stand(form: str, tmp_path: Path) -> None:
    """Those that stood one a line were of no known format."""
    stream = read_text(tmp_path, FORMS[form])

    sids, outcomes, statuses = told(stream)
    assert ["", "#2", "#3"] == [sid.removeprefix(sids[0]) for sid in sids]
    assert (["ok"] * 3, ["completed"] * 3) == (outcomes, statuses)
    assert ["several_sessions"] == notes(stream)


def test_a_torn_episode_says_so_and_the_others_are_told(tmp_path: Path) -> None:
    """A run that was stopped leaves such a line."""
    stream = read_text(tmp_path, FORMS["a line"][:-9])

    assert ["completed"] * 2 == told(stream)[2]
    assert 2 == notes(stream).count("truncated_tail")


def test_one_episode_alone_is_told_with_its_line(tmp_path: Path) -> None:
    stream: list[Any] = read_text(tmp_path, FORMS["a line"].partition("\n")[0])

    assert [["ok"], ["completed"]] == list(told(stream)[1:])
    assert {1} == {event.src.line for event in stream if isinstance(event, ToolResult)}


@pytest.mark.parametrize("odd", ['{"traj": null}', '{"role": "user", "content": "go"}', "7"])
def test_a_line_among_episodes_that_holds_none_is_told(odd: str, tmp_path: Path) -> None:
    """It was a session of which only an empty file was told."""
    first, second, third = FORMS["a line"].splitlines()
    stream = read_text(tmp_path, "\n".join([first, odd, second, third]))

    assert ["completed"] * 3 == told(stream)[2]
    assert 1 == notes(stream).count("bad_line")
