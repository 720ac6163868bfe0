"""Conversations of agents whose models write their calls into the text of a response.

None of these calls is read, so that such a run looked like one in which nothing was done: its end
passed, whatever had been changed.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from read_records import codes, notes, read
from trace_samples import lines

from reasonix_conformance.traces.sessions import Options, file_results

GO = {"role": "user", "content": "go"}
DONE = {"role": "assistant", "content": "Fixed; the tests pass."}
THANKS = {"role": "user", "content": "thanks"}
CALLS = (
    "Let me see.\n<execute_command>\n<command>pytest</command>\n</execute_command>",
    "<write_to_file><path>a.py</path><content>x</content></write_to_file>",
    '<tool_call>\n{"name": "bash", "arguments": {}}\n</tool_call>',
    "<function=execute_bash>\n<parameter=command>ls</parameter>\n</function>",
    '<function_calls>\n<invoke name="bash">\n</invoke>',
    "Thought: look\nAction: bash\nAction Input: ls",
    "[TOOL_CALLS][{}]",
    "THOUGHT: look\n\n```mswea_bash_command\nls\n```",
)
RESULTS = (
    "[execute_command for 'pytest'] Result:\n1 passed",
    "<returncode>0</returncode>\n<output>x</output>",
    "<tool_response>\nx\n</tool_response>",
    "EXECUTION RESULT of [execute_bash]:\nx",
    "OBSERVATION:\nx",
    "Observation: x",
)
PLAIN = (
    "The tag `<tool_call>` begins a call.",
    "Action: none is needed.",
    "See [1] Result: fine",
    "<b>done</b>",
)


def in_blocks(message: dict[str, Any]) -> dict[str, Any]:
    return {**message, "content": [{"type": "text", "text": message["content"]}]}


def judged(folder: Path, *messages: dict[str, Any]) -> list[str]:
    file = folder / "t.jsonl"
    file.write_text(lines(*messages))
    found = [one for result in file_results(file, Options()) for one in result.verdicts]
    return [str(one.verdict.decision) for one in found]


@pytest.mark.parametrize(
    "told", [*(("assistant", t) for t in CALLS), *(("user", t) for t in RESULTS)]
)
def test_what_was_done_in_texts_is_missing(told: tuple[str, str], tmp_path: Path) -> None:
    """What it changed nobody knows, so no end behind it is judged."""
    message = {"role": told[0], "content": told[1]}

    assert ["bad_line"] == notes(read(tmp_path, GO, message, DONE))
    assert {"not_assessable"} == set(judged(tmp_path, GO, message, DONE))


USE = {"type": "tool_use", "id": "1", "name": "x", "input": {}}
GIVEN = {"type": "tool_result", "tool_use_id": "1", "content": "x"}
BLOCKS = [{"role": "assistant", "content": [USE]}, {"role": "user", "content": [GIVEN]}]
CALL = {"id": "1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}
FLAT = [
    {"role": "assistant", "content": "", "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "1", "content": "x"},
]
ITEMS = [
    {"type": "function_call", "call_id": "1", "name": "bash", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "1", "output": "x"},
]


def item(message: dict[str, Any]) -> dict[str, Any]:
    return {"type": "message", **message}


def step(message: dict[str, Any]) -> dict[str, Any]:
    source = "user" if message["role"] == "user" else "agent"
    return {"source": source, "message": message["content"]}


def in_atif(*steps: dict[str, Any]) -> dict[str, Any]:
    return {
        "schema_version": "ATIF-v1.4",
        "session_id": "s",
        "agent": {"name": "x"},
        "steps": steps,
    }


def test_blocks_of_the_other_interface_hold_such_texts_too(tmp_path: Path) -> None:
    first = {"role": "user", "content": [{"type": "text", "text": "go"}], "stop_reason": None}

    for text in CALLS:
        told = in_blocks({"role": "assistant", "content": text}) | {"type": "message"}
        assert "bad_line" in codes(read(tmp_path, first, told, *BLOCKS))
        told["content"].append(USE)
        assert "bad_line" not in codes(read(tmp_path, first, told, *BLOCKS[1:]))


@pytest.mark.parametrize("text", CALLS)
def test_items_and_steps_hold_such_texts_too(text: str, tmp_path: Path) -> None:
    """Only messages of the two other interfaces were searched."""
    told = [GO, {"role": "assistant", "content": text}, DONE]

    assert ["bad_line"] == notes(read(tmp_path, *map(item, told)))
    assert ["bad_line"] == notes(read(tmp_path, in_atif(*map(step, told))))


@pytest.mark.parametrize("text", RESULTS)
def test_a_step_without_calls_that_observes_a_result_is_told(text: str, tmp_path: Path) -> None:
    seen = step({"role": "assistant", "content": "ls"})
    seen["observation"] = {"results": [{"content": text}]}

    assert ["bad_line"] == notes(read(tmp_path, in_atif(step(GO), seen, step(DONE))))


@pytest.mark.parametrize("answer", CALLS)
@pytest.mark.parametrize("prompt", RESULTS)
def test_where_there_are_calls_a_text_quotes_one(prompt: str, answer: str, tmp_path: Path) -> None:
    """A prompt that began with `Observation:`, and an answer with an example, ended the judging."""
    asked, said = {"role": "user", "content": prompt}, {"role": "assistant", "content": answer}
    acts = {**step({"role": "assistant", "content": ""}), "tool_calls": [
        {"tool_call_id": "1", "function_name": "bash", "arguments": {}}
    ], "observation": {"results": [{"source_call_id": "1", "content": "x"}]}}  # fmt: skip

    assert [] == notes(read(tmp_path, asked, *FLAT, said, THANKS, DONE))
    assert [] == notes(read(tmp_path, asked, *BLOCKS, in_blocks(said)))
    assert [] == notes(read(tmp_path, item(asked), *ITEMS, item(said)))
    assert [] == notes(read(tmp_path, in_atif(step(asked), acts, step(said))))


HELLO = {"role": "assistant", "content": "What is it?"}


@pytest.mark.parametrize("prompt", RESULTS)
def test_a_later_prompt_quotes_a_result_if_calls_follow(prompt: str, tmp_path: Path) -> None:
    """Only the first prompt might; behind a second one nothing of an honest session was judged."""
    asked = {"role": "user", "content": prompt}
    acts = {**step({"role": "assistant", "content": ""}), "tool_calls": [
        {"tool_call_id": "1", "function_name": "bash", "arguments": {}}
    ], "observation": {"results": [{"source_call_id": "1", "content": "x"}]}}  # fmt: skip

    assert [] == notes(read(tmp_path, GO, HELLO, asked, *FLAT, DONE))
    assert [] == notes(read(tmp_path, GO, HELLO, asked, *BLOCKS, in_blocks(DONE)))
    assert [] == notes(read(tmp_path, *map(item, [GO, HELLO, asked, HELLO]), *ITEMS, item(DONE)))
    assert [] == notes(read(tmp_path, in_atif(*map(step, [GO, HELLO, asked]), acts, step(DONE))))


@pytest.mark.parametrize("answer", CALLS)
@pytest.mark.parametrize("result", RESULTS)
def test_a_call_in_a_text_that_is_answered_ran(result: str, answer: str, tmp_path: Path) -> None:
    """A conversation that went on with another model has calls of both kinds."""
    said, told = {"role": "assistant", "content": answer}, {"role": "user", "content": result}

    assert ["bad_line"] == notes(read(tmp_path, GO, *FLAT, said, told, DONE))
    assert ["bad_line"] == notes(read(tmp_path, GO, *BLOCKS, in_blocks(said), told, DONE))
    assert ["bad_line"] == notes(read(tmp_path, *map(item, [GO]), *ITEMS, *map(item, [said, told])))


@pytest.mark.parametrize("result", RESULTS)
def test_a_block_of_code_that_is_answered_ran(result: str, tmp_path: Path) -> None:
    """The end before the first result passed: what the block changed was in no call."""
    said = {"role": "assistant", "content": "First:\n\n```bash\nsed -i s/a/b/ x.py\n```"}
    told = {"role": "user", "content": result}

    assert {"not_assessable"} == set(judged(tmp_path, GO, said, told, DONE))
    assert {"accept"} == set(judged(tmp_path, GO, said, THANKS, DONE))
    assert [] == notes(read(tmp_path, GO, *FLAT, said, told, DONE))


def test_what_the_interface_does_by_itself_gives_no_agent_calls(tmp_path: Path) -> None:
    """A search that it makes beside the texts says nothing of how the agent acts."""
    said = {"role": "assistant", "content": CALLS[0]}
    search = {"type": "web_search_call", "id": "1", "status": "completed", "action": {}}
    blocks = [
        {"type": "server_tool_use", "id": "1", "name": "web_search", "input": {}},
        {"type": "web_search_tool_result", "tool_use_id": "1", "content": []},
        {"type": "text", "text": CALLS[0]},
    ]

    assert ["bad_line"] == notes(read(tmp_path, item(GO), search, item(said), item(DONE)))
    assert "bad_line" in notes(read(tmp_path, GO, {"role": "assistant", "content": blocks}))


@pytest.mark.parametrize("text", PLAIN)
def test_a_text_that_speaks_of_calls_is_none(text: str, tmp_path: Path) -> None:
    told = {"role": "assistant", "content": text}

    assert [] == notes(read(tmp_path, GO, told))
    assert ["accept"] == judged(tmp_path, GO, told)


def test_a_result_of_parts_that_say_nothing_of_what_they_are_is_told(tmp_path: Path) -> None:
    """Its text was left out in silence."""
    use = {"type": "tool_use", "id": "1", "name": "run", "input": {}}
    parts = [{"query": "pytest", "result": "1 failed", "success": False}]
    result = {"type": "tool_result", "tool_use_id": "1", "content": parts}
    told = [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]

    assert ["bad_line"] == notes(read(tmp_path, GO, *told))


@pytest.mark.parametrize("part", [{"call": {"name": "x"}}, {"type": "call"}, {"type": "my_tool"}])
def test_a_part_that_may_be_a_call_is_missing(part: dict[str, Any], tmp_path: Path) -> None:
    """One that tells no type was no part at all."""
    acts = {"role": "assistant", "content": [{"text": "x"}, part]}

    assert ["bad_line"] == notes(read(tmp_path, GO, *FLAT, acts))
    assert [] == notes(read(tmp_path, GO, *FLAT, {**acts, "content": [{"text": "x"}]}))
