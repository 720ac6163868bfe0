"""Session files of Claude Code: what its records say beside calls and results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from trace_samples import lines

from reasonix_conformance.readers.formats import events
from reasonix_conformance.readers.recording import Recording
from reasonix_conformance.traces.sessions import Options, results
from reasonix_runtime.trace.events import Diag, Event, SubStart, ToolCall, ToolResult, TurnEnd, User

Record = dict[str, Any]


def record(kind: str, uuid: str, content: Any, **more: Any) -> Record:
    message = {"role": kind, "id": f"m-{uuid}", "content": content}
    return {"type": kind, "uuid": uuid, "sessionId": "s", "message": message, **more}


def asks(uuid: str, name: str, **args: Any) -> Record:
    block = {"type": "tool_use", "id": f"t-{uuid}", "name": name, "input": args}
    return record("assistant", uuid, [block])


def answers(uuid: str, to: str, text: str, *, error: bool = False, **more: Any) -> Record:
    block = {"type": "tool_result", "tool_use_id": f"t-{to}", "content": text, "is_error": error}
    return record("user", uuid, [block], **more)


def read(path: Path, *records: Record) -> list[Event]:
    file = path / "s.jsonl"
    file.write_text(lines(*records))
    return list(events(Recording(path=file, shown="s.jsonl")))


def notes(stream: list[Event]) -> list[str]:
    return sorted({event.code for event in stream if isinstance(event, Diag)} - {"turn_inferred"})


@pytest.mark.parametrize(
    ("text", "outcome"),
    [
        ("<tool_use_error>InputValidationError: x</tool_use_error>", "not_run"),
        ("The user doesn't want to proceed with this tool use.", "blocked"),
        ("The user doesn't want to take this action right now.", "blocked"),
        ("Permission to use Bash with command x has been denied.", "blocked"),
        ("Claude requested permissions to use Bash, but you haven't granted it yet.", "blocked"),
        ("PreToolUse:Bash hook error: no", "blocked"),
        ("[Request interrupted by user for tool use]", "cancelled"),
        ("Command timed out after 2m 0.0s", "cancelled"),
        ("Exit code 3\nno", "error"),
        ("EISDIR: illegal operation", "error"),
    ],
)
def test_an_error_is_told_by_its_first_words(text: str, outcome: str, tmp_path: Path) -> None:
    """The flag says that it failed, the text how."""
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Bash", command="x"),
        answers("3", "2", text, error=True),
    )

    assert [(outcome, "flag")] == [
        (event.outcome, event.basis) for event in stream if isinstance(event, ToolResult)
    ]


@pytest.mark.parametrize("extra", [{"backgroundTaskId": "b1"}, {"isAsync": True}])
def test_what_goes_on_in_the_background_is_running(extra: Record, tmp_path: Path) -> None:
    """Commands and sub-agents alike."""
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Agent", prompt="x"),
        answers("3", "2", "launched", toolUseResult=extra),
    )

    assert ["running"] == [event.outcome for event in stream if isinstance(event, ToolResult)]


@pytest.mark.parametrize(
    ("content", "typed"),
    [
        ("go", "go"),
        ([{"type": "text", "text": "go"}, {"type": "image", "source": {}}], "go"),
        ([{"type": "text", "text": "<ide_opened_file>x</ide_opened_file>"},
          {"type": "text", "text": "go"}], "go"),
        ("<task-notification>job ended</task-notification>", None),
        ("<bash-input>ls</bash-input>", None),
        ("<command-name>/clear</command-name>", None),
        ("<local-command-caveat>Caveat</local-command-caveat>", None),
        ("<system-reminder>x</system-reminder>", None),
    ],
)  # fmt: skip
def test_a_turn_begins_with_what_the_user_typed(
    content: Any, typed: str | None, tmp_path: Path
) -> None:
    """What the program puts in is the host's, alone or beside the prompt."""
    stream = read(tmp_path, record("user", "1", content))

    assert typed == next(
        (event.text for event in stream if isinstance(event, User) and event.origin == "user"),
        None,
    )


def test_a_turn_that_the_provider_ended_has_failed(tmp_path: Path) -> None:
    """The program writes the failure as if the model had said it."""
    said = [{"type": "text", "text": "API Error: 500"}]
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        record("assistant", "2", said, isApiErrorMessage=True),
        record("user", "3", "again"),
        record("assistant", "4", [{"type": "text", "text": "done"}]),
    )

    assert [("failed", False), ("completed", True)] == [
        (event.status, event.judge) for event in stream if isinstance(event, TurnEnd)
    ]


def test_a_history_that_is_repeated_counts_once(tmp_path: Path) -> None:
    """A resumed session may hold the records of the first one again."""
    first = [record("user", "1", "go"), asks("2", "Read", file_path="a"), answers("3", "2", "x")]
    stream = read(tmp_path, *first, *first, record("user", "4", "more"))

    assert 1 == sum(isinstance(event, ToolCall) for event in stream)
    assert ["duplicate_result"] == notes(stream)


@pytest.mark.parametrize("folder", ["s/subagents", "."])
def test_a_folder_holds_a_sub_agent_once(folder: str, tmp_path: Path) -> None:
    """Its file is read with the session, in either place, and not as a session of its own."""
    child = [
        record("user", "c1", "look", isSidechain=True, agentId="x"),
        asks("c2", "Read", file_path="a") | {"isSidechain": True, "agentId": "x"},
        answers("c3", "c2", "x", isSidechain=True, agentId="x"),
    ]
    place = tmp_path / folder / "agent-x.jsonl"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(lines(*child))
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Agent", prompt="look"),
        answers("3", "2", "found", toolUseResult={"agentId": "x"}),
        record("assistant", "4", [{"type": "text", "text": "done"}]),
    )

    assert ["x"] == [event.scope for event in stream if isinstance(event, SubStart)]
    assert [] == notes(stream)
    assert 1 == len(list(results([tmp_path], Options(), [])))


def test_what_an_unknown_sub_agent_did_lets_no_turn_end_well(tmp_path: Path) -> None:
    """A file that no call names, or a call whose file is gone, hides changes."""
    lonely = tmp_path / "s" / "subagents" / "agent-y.jsonl"
    lonely.parent.mkdir(parents=True)
    lonely.write_text(lines(record("user", "c1", "look", isSidechain=True)))
    stream = read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", "Agent", prompt="look"),
        answers("3", "2", "found", toolUseResult={"agentId": "x"}),
        record("assistant", "4", [{"type": "text", "text": "done"}]),
    )
    (result,) = results([tmp_path], Options(), [])

    assert ["missing_child", "missing_child"] == [
        event.code for event in stream if isinstance(event, Diag) and event.code != "turn_inferred"
    ]
    assert ["not_assessable"] == [verdict.verdict.decision for verdict in result.verdicts]


@pytest.mark.parametrize(("tool", "decision"), [("Task", "not_assessable"), ("Read", "accept")])
def test_a_sub_agent_of_which_nothing_is_told_lets_no_turn_end_well(
    tool: str, decision: str, tmp_path: Path
) -> None:
    """Older files tell neither its calls nor its id; it may have changed anything."""
    read(
        tmp_path,
        record("user", "1", "go"),
        asks("2", tool, prompt="mend it", file_path="a.py"),
        answers("3", "2", "mended"),
        record("assistant", "4", [{"type": "text", "text": "done"}]),
    )
    (result,) = results([tmp_path], Options(), [])

    assert [decision] == [verdict.verdict.decision for verdict in result.verdicts]
