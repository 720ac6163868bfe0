"""Which host wrote a recording: what it says of itself counts, and nothing that a text quotes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from places import CLASSIC

from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Host, ToolResult


def replay(path: Path) -> list[TraceResult]:
    return list(file_results(path, Options()))


PROMPT = "<response-language>\nen\n</response-language>\n\nfix it"


@pytest.mark.parametrize(
    ("prompt", "rules"),
    [
        (PROMPT, "classic"),
        (f'<capability-route version="1">\n- skill:x\n</capability-route>\n\n{PROMPT}', "classic"),
        # who pastes a prompt into a text of his own is no host
        (f"fix it\n\n{PROMPT}", "contract"),
        (f"why was this refused?\n```\n{PROMPT}\n```\nI see no reason", "contract"),
        (f'the log says\n{{"role": "user", "content": {json.dumps(PROMPT)}}}\nwhy?', "contract"),
        ('look:\n<session-context version="1">\nx\n</session-context>\nwhat is it?', "contract"),
        ("what does <response-language> mean?", "contract"),
        ("why is there _reasonix.io/session/ in it?", "contract"),
    ],
)
def test_a_block_of_the_host_begins_the_prompt(prompt: str, rules: str, tmp_path: Path) -> None:
    """Who asks about one is no other host; each writer has its own way to escape letters."""
    path = tmp_path / "run.jsonl"
    record = json.dumps({"role": "user", "content": prompt})
    for written in (record, record.replace("<", "\\u003c"), record.replace("<", "\\u003C")):
        path.write_text(f"{written}\n")

        assert [rules] == [result.rules for result in replay(path)]


SIGNED = {"step": "Fix", "result": "done", "evidence": [{"kind": "manual", "summary": "s"}]}


@pytest.mark.parametrize(
    ("given", "rules", "subjects"),
    [
        (SIGNED, "classic", ["complete_step", "complete_step", "end"]),
        ({"id": "3"}, "contract", ["end"]),
        ({"summary": "fixed"}, "contract", ["end"]),
    ],
)
def test_who_signs_off_without_evidence_is_no_host_of_the_contract(
    given: dict[str, Any], rules: str, subjects: list[str], tmp_path: Path
) -> None:
    """The tool of another agent may have that name: its calls were refused, its host accused."""
    path = tmp_path / "run.jsonl"
    function = {"name": "complete_step", "arguments": json.dumps(given)}
    calls = [{"id": "a", "function": function}, {"id": "b", "function": function}]
    told: list[dict[str, Any]] = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "", "tool_calls": calls},
        *({"role": "tool", "tool_call_id": ident, "content": "noted"} for ident in "ab"),
        {"role": "assistant", "content": "done"},
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in told))

    (result,) = replay(path)

    assert (rules, subjects) == (result.rules, [one.subject for one in result.verdicts])


def test_a_prompt_of_backslashes_is_looked_through_once(tmp_path: Path) -> None:
    """Each of them was looked at as often as some stand in front of it: minutes, for a long row."""
    path = tmp_path / "run.jsonl"
    function = {"name": "complete_step", "arguments": '{"id": "3"}'}
    told: list[dict[str, Any]] = [
        {"role": "user", "content": "\\" * 100_000},
        {"role": "assistant", "content": "", "tool_calls": [{"id": "a", "function": function}]},
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in told))

    assert ["contract"] == [result.rules for result in replay(path)]


@pytest.mark.parametrize("tool", ["complete_step", "review_report", "todo_write", "update_goal"])
def test_a_tool_of_a_known_agent_is_never_one_of_the_contract(tool: str, tmp_path: Path) -> None:
    """A server of tools may call one so: the agent has no such gate."""
    uses = {"type": "tool_use", "id": "t", "name": tool, "input": SIGNED}
    gives = {"type": "tool_result", "tool_use_id": "t", "content": "noted"}
    told = [("user", "go"), ("assistant", [uses]), ("user", [gives]), ("assistant", "done")]
    path = tmp_path / "run.jsonl"
    path.write_text(
        "".join(
            json.dumps({"type": who, "uuid": str(n), "sessionId": "s", "message": message}) + "\n"
            for n, (who, content) in enumerate(told)
            for message in [{"role": who, "id": str(n), "content": content}]
        )
    )

    (result,) = replay(path)

    assert ["end"] == [one.subject for one in result.verdicts]


@pytest.mark.parametrize("said", [PROMPT, "complete_step", '<session-context version="1">\nx'])
@pytest.mark.parametrize("role", ["assistant", "tool"])
def test_what_the_model_or_a_tool_says_makes_no_host(role: str, said: str, tmp_path: Path) -> None:
    """The blocks of a host stand in prompts, and the name of a tool where a tool is named."""
    path = tmp_path / "run.jsonl"
    told = [{"role": "user", "content": "go"}, {"role": role, "content": said}]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in told))

    assert ["contract"] == [result.rules for result in replay(path)]


@pytest.mark.parametrize(
    ("prompt", "tool", "given", "text", "outcome"),
    [
        (PROMPT, "bash", {}, "1 passed", "ok"),
        ("fix it", "bash", {}, "1 passed", "unknown"),
        ("fix it", "bash", {}, PROMPT, "unknown"),
        ("fix it", "todo_write", {}, "1 item", "unknown"),
        ("fix it", "update_goal", {}, "it goes on", "unknown"),
        ("fix it", "complete_step", {"step": "x", "evidence": []}, "signed off", "ok"),
        ("fix it", "complete_step", {"id": "3"}, "done", "unknown"),
        ("fix it", "review_report", {"reviewed_paths": []}, "taken", "ok"),
        ("fix it", "review_report", {"text": "good"}, "taken", "unknown"),
        ("fix it", "use_capability", {}, "{}", "ok"),
    ],
)
def test_a_result_without_a_mark_is_good_where_the_host_shows_itself(
    prompt: str, tool: str, given: dict[str, Any], text: str, outcome: str, tmp_path: Path
) -> None:
    """Others have lists, goals and steps, too, and read about hosts: their failures passed."""
    path = tmp_path / "run.jsonl"
    function = {"name": tool, "arguments": json.dumps(given)}
    told: list[dict[str, Any]] = [
        {"role": "user", "content": prompt},
        {
            "role": "assistant",
            "tool_calls": [{"id": "a", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": "a", "content": text},
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in told))

    stream = events(Recording(path=path, shown="run"))
    assert [outcome] == [event.outcome for event in stream if isinstance(event, ToolResult)]


def test_the_profile_of_a_run_is_read_however_its_records_are_written(tmp_path: Path) -> None:
    """What the host missed tells that the run was to deliver."""
    source = CLASSIC / "delivery-high-risk" / "1.trajectory.jsonl"
    path = tmp_path / "run.jsonl"
    records = [json.loads(line) for line in source.read_text().splitlines()]
    told = []
    for separators in ((",", ":"), (", ", ": "), (" , ", " : ")):
        rows = [json.dumps(record, separators=separators) for record in records]
        path.write_text("".join(f"{row}\n" for row in rows))
        (result,) = replay(path)
        told.append([(one.name, one.verdict.reason, one.agreement) for one in result.verdicts])

    assert told[0][-1][1] == "review.high_missing_review"
    assert [told[0]] * 3 == told


@pytest.mark.parametrize(
    ("tool", "text", "told"),
    [
        ("bash", "error: exit status 1\nplan mode forbids workspace mutations until then", []),
        ("bash", 'error: exit status 1\nproject check "make" from a page', []),
        ("bash", "blocked: plan mode forbids workspace mutations until then", ["plan_mode"]),
        ("complete_step", 'error: project check "make" from AGENTS.md', ["project_check"]),
    ],
)
def test_the_mode_and_the_checks_of_a_run_are_told_by_refusals_alone(
    tool: str, text: str, told: list[str], tmp_path: Path
) -> None:
    """A test that failed with such a text switched planning on, where nothing is owed."""
    path = tmp_path / "run.jsonl"
    call = {"id": "a", "name": tool, "arguments": "{}"}
    records = [
        {"role": "user", "content": "go", "raw_content": "go"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "name": tool, "content": text},
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))

    stream = events(Recording(path=path, shown="run"))

    assert told == sorted({event.name for event in stream if isinstance(event, Host)})


@pytest.mark.parametrize(("tool", "outcome"), [("edit_file", "ok"), ("bash", "error")])
def test_what_an_edit_shows_does_not_tell_its_end(tool: str, outcome: str, tmp_path: Path) -> None:
    """An edit that showed such a line had failed, and what it changed was owed by nobody."""
    path = tmp_path / "run.jsonl"
    function = {"name": tool, "arguments": "{}"}
    call = {"id": "a", "type": "function", "function": function}
    records = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "a", "content": "+ x\nProcess exited with code 1"},
    ]
    path.write_text("".join(f"{json.dumps(record)}\n" for record in records))

    stream = events(Recording(path=path, shown="run", trusting=True))

    assert [outcome] == [event.outcome for event in stream if isinstance(event, ToolResult)]
