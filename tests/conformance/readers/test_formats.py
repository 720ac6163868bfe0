"""Each format: told by its content, read into the same events, never in the way of others."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from chat_records import CHAT, answer, calls, chat
from read_records import codes, read_text, results
from trace_samples import SAMPLES, Sample

from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.readers.detection.refused import REFUSED
from reasonix_conformance.readers.formats import FORMATS, UnknownFormatError, reader
from reasonix_runtime.trace.events import Diag, Session, ToolCall, TurnStart


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.format_name)
def test_a_format_is_told_by_content_and_says_what_happened(sample: Sample, tmp_path: Path) -> None:
    """Names lie: three formats share one file name."""
    stream = read_text(tmp_path, sample.text)
    session = stream[0]

    assert isinstance(session, Session)
    assert sample.format_name == session.format
    assert list(sample.results) == results(stream)
    assert sample.turns == sum(isinstance(event, TurnStart) for event in stream)
    assert list(sample.diagnostics) == [c for c in codes(stream) if c != "truncated_tail"]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.format_name)
@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstandard"])
def test_a_compressed_trace_says_the_same(
    sample: Sample, pack: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """Compression is told by the first bytes, not by the ending."""
    plain = read_text(tmp_path, sample.text)

    packed = read_text(tmp_path, pack(sample.text.encode()))

    assert plain == packed


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.format_name)
def test_a_mark_and_crlf_change_nothing(sample: Sample, tmp_path: Path) -> None:
    """Files of other systems carry a byte order mark and CRLF."""
    plain = read_text(tmp_path, sample.text)

    other = read_text(tmp_path, b"\xef\xbb\xbf" + sample.text.replace("\n", "\r\n").encode())

    assert plain == other


def test_every_format_has_a_reader_and_an_unknown_name_its_nearest() -> None:
    """`--format-in` is typed by people."""
    assert all(callable(reader(name)) for name in FORMATS)
    with pytest.raises(UnknownFormatError, match="did you mean 'claude-code'"):
        reader("claude_code")
    with pytest.raises(UnknownFormatError, match=r"'zzz'; expected one of [\w, /-]+$"):
        reader("zzz")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"schema_version":1,"sequence":1,"kind":"turn_started"}\n', "redacted-events"),
        ('{"ts":"x","turn":0,"role":"_meta","content":""}\n', "typescript-transcript"),
        ('{"id":1,"ts":"x","turn":1,"type":"user.message"}\n', "typescript-events"),
        ('{"subtype":"init","data":{"session_id":"s"}}\n', "claude-sdk-objects"),
        ('{"trajectory":[],"history":[]}', "swe-agent"),
        ('{\n "info": {"instance_template": "x"},\n "messages": [{"role": "user"', "swe-agent"),
        (
            '{"info":{},"messages":[{"role":"user","content":"x"}],"trajectory_format":"x"}',
            "swe-agent",
        ),
        ('{\n "trajectory": [{"query": [{"role": "user"', "swe-agent"),
        ('[\n {"content": [{"toolUse": {}}], "role": "assistant"', "converse"),
        ('[\n {"type": "ai", "additional_kwargs": {"x": [{"role": 1}]}', "langchain-messages"),
        (
            '[{"role": "user"},\n {"role": "tool", "content": [{"type": "tool-result",',
            "ai-sdk-messages",
        ),
        ('{"info": {},\n "messages": [{"info": {"role": "user", "sessionID": "ses_1"', "opencode"),
        ('{"id":1,"source":"agent","action":"run"}\n', "openhands"),
        ('{"run_type":"tool","trace_id":"x"}\n', "langsmith"),
        ('{"sessionId":"s","projectHash":"h"}\n', "gemini-cli"),
        ('{"type":"init","timestamp":"x","session_id":"s","model":"m"}\n', "gemini-cli"),
        ('{"type":"message","role":"user"}\n{"type":"tool_use","tool_id":"1"}\n', "gemini-cli"),
        ('{"choices":[{"message":{"role":"assistant","content":"x"}}]}\n', "answers"),
        ('[{"choices":[{"message":{"role":"assistant","content":"x"}}]}]', "answers"),
        ('{"type":"message","role":"assistant","content":[],"stop_reason":"x"}\n', "answers"),
        ('{"custom_id":"a","result":{"type":"succeeded","message":{}}}\n', "answers"),
        ('{"response":{"body":{"choices":[{"message":{"role":"assistant"}}]}}}\n', "answers"),
        ('{"role":"user","content":[{"toolResult":{"toolUseId":"1"}}]}\n', "converse"),
        (
            '[{"role":"user","content":[{"text":"x"}]},{"role":"assistant","content":[{"toolUse":{}}]}]',
            "converse",
        ),
        ('{"contents":[{"role":"user","parts":[{"text":"x"}]}]}\n', "messages-of-parts"),
        ('[{"role":"user","parts":[{"text":"x"}]}]', "messages-of-parts"),
        ('{"type":"human","content":"x","additional_kwargs":{}}\n', "langchain-messages"),
        ('{"messages":[{"type":"ai","data":{"content":"x"}}]}', "langchain-messages"),
        ('[{"lc":1,"type":"constructor","kwargs":{}}]', "langchain-messages"),
        ('{"values":{"messages":[{"type":"human","additional_kwargs":{}}]}}', "langchain-messages"),
        ('{"node":{"messages":[{"type":"ai","additional_kwargs":{}}]}}\n', "langchain-messages"),
        ('{"event":"on_tool_start","run_id":"r","data":{}}\n', "langchain-messages"),
        ('{"run_type":"llm","trace_id":"t","inputs":{"messages":[{"lc":1}]}}\n', "langsmith"),
        ('{"role":"assistant","content":[{"tool_call":{"tool_name":"x"}}]}\n', "haystack-messages"),
        (
            '[{"role":"user","content":[{"text":"x"}]},\n {"role":"tool","content":'
            '[{"tool_call_result": {"result":',
            "haystack-messages",
        ),
        ('[{"role":"user","blocks":[{"block_type":"text","text":"x"}]}]', "llama-index"),
        ('{"input":[{"role":"user","blocks":[{"block_type":"text"}]}]}\n', "llama-index"),
        ('{"raw":"x","tasks_output":[],"token_usage":{}}', "crewai"),
        ('{ "input": [{"role":"user","content":"x"}], "target": "3" }', "data-set"),
        ('{"input":[{"role":"user","content":"x"}],"target":"3","id":1}\n', "data-set"),
        ('{"object":"trace","workflow_name":"x"}\n{"object":"trace.span"}\n', "agents-sdk-spans"),
        (
            '[{"kind":"request","parts":[{"content":"x","part_kind":"user-prompt"}]}]',
            "pydantic-ai-messages",
        ),
        (
            '{"type":"system","subtype":"init","session_id":"s","qwen_code_version":"0.15.10"}\n'
            '{"type":"user","session_id":"s","message":{"content":[{"type":"tool_result"}]}}\n',
            "qwen-code",
        ),
        (
            '{"uuid":"u","sessionId":"s","type":"user","message":{"role":"user","parts":[{}]}}\n',
            "qwen-code",
        ),
        (
            '{"type":"session.start","data":{"copilotVersion":"1"},"id":"a","parentId":null}\n',
            "copilot",
        ),
        ('{"type":"agent_event","event":{"type":"usage"},"ts":"t"}\n', "cline"),
        (
            '{\n "agent": "lead",\n "sessionId": "s",\n "origin": {"source": "cli"},\n "messages": '
            '[{"role": "user", "content": [{"type": "tool_result"}]}]\n}',
            "cline",
        ),
        (
            '{"agent": "lead", "sessionId": "s",\n "origin": {"source": "cli"},\n "messages": [\n'
            '{"role": "assistant", "content": [{"type": "tool_use"',
            "cline",
        ),
        ('[{"content_type":"message","role":"user","items":[]}]', "semantic-kernel"),
        (
            '{\n "sessionId": "s",\n "history": [{"message": {"role": "user"}, '
            '"contextItems": []}]\n}',
            "continue",
        ),
        (
            '{\n "sessionId": "s",\n "history": [\n {"message": {"role": "user"},\n '
            '"contextItems": [],',
            "continue",
        ),
        ('{"info":{"trace_id":"tr"},"data":{"spans":[{"name":"x"}]}}\n', "mlflow"),
        ('{\n "info": {"trace_id": "tr"},\n "data": {"spans": [{"name": "x"}]}\n}', "mlflow"),
        ('{"type":"text","sessionID":"ses_1","part":{"messageID":"m"}}\n', "opencode"),
        ('{"type":"session","version":3,"id":"s","cwd":"/w"}\n{"type":"agent_start"}\n', "pi"),
        ('{"role":"user","content":"x"}\n{"role":"toolResult","toolCallId":"c"}\n', "pi"),
        ('{"type":"metadata","protocol_version":"1.10"}\n', "kimi"),
        ('{"timestamp":1.5,"message":{"type":"TurnBegin","payload":{}}}\n', "kimi"),
        ('{"role":"_system_prompt","content":"x"}\n{"role":"user","content":"x"}\n', "kimi"),
        ('{"role":"user","content":"x"}\n{"role":"_checkpoint","id":1}\n', "kimi"),
        (
            '{"info":{"id":"s"},"messages":[{"info":{"role":"user","sessionID":"s"},"parts":[]}]}',
            "opencode",
        ),
        ('{"id":"1","source":"user","models_usage":null,"content":"x"}\n', "autogen-messages"),
        ('{"type":"AssistantAgentState","llm_context":{"messages":[]}}', "autogen-messages"),
        ('[{"task":"x"},{"step_number":1,"model_input_messages":[]}]', "smolagents-memory"),
        ('[{"role":"system","content":[]},{"role":"tool-call","content":[]}]', "smolagents-memory"),
        (
            '{"role":"user","content":"x"}\n{"role":"assistant","content":[{"type":"tool-call",'
            '"toolCallId":"1","toolName":"bash","input":{}}]}\n',
            "ai-sdk-messages",
        ),
        (
            '{"author":"user","content":{"role":"user","parts":[{"text":"x"}]}}\n',
            "messages-of-parts",
        ),
        (
            '{"id":"s","events":[{"content":{"role":"user","parts":[{"text":"x"}]}}]}',
            "messages-of-parts",
        ),
        ('{"log":{"version":"1.2","entries":[{"request":{}}]}}', "har"),
        ('{"resourceLogs":[]}\n', "otlp-logs"),
        ('{"resourceMetrics":[]}\n', "otlp-logs"),
        ('{"name":"x","context":{"trace_id":"0x1","trace_state":"[]"}}\n', "otel-console"),
        ('{\n "context": {\n  "trace_state": "[]"\n }\n}\n{\n "context": {', "otel-console"),
        ('{"body":"x","severity_number":9,"trace_id":"0x1"}\n', "otel-console"),
        ('{"data":[{"traceID":"1","spans":[]}]}', "jaeger"),
        ('[{"traceId":"1","id":"2","localEndpoint":{"serviceName":"x"}}]', "zipkin"),
    ],
)
def test_a_known_format_that_is_not_read_says_what_to_do(
    text: str, name: str, tmp_path: Path
) -> None:
    """Refusing is an answer; an empty result would look like a pass."""
    stream = read_text(tmp_path, text)

    assert name == detect(text.encode())
    assert [REFUSED[name]] == [event.text for event in stream if isinstance(event, Diag)]
    assert [] == results(stream)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"type":"thread.started","thread_id":"x"}\n', "codex-exec-stream"),
        ('{"type":"turn.started"}\n', "codex-exec-stream"),
        ('{"type":"session.created","session_id":"x"}\n', "codex-exec-stream"),
        ('{"type":"item.started","item":{}}\n', "codex-exec-stream"),
        ('{"model":"m"}\n{"id":"0","msg":{"type":"task_started"}}\n', "codex-exec-stream"),
        ('{"type":"system","subtype":"init"}\n', "claude-stream"),
        ('[{"type":"system","subtype":"init"},{"type":"result"}]', "claude-stream"),
        ('[\n {\n  "type": "system",\n  "subtype": "init",\n  "x": "tool_use', "claude-stream"),
        (
            '{"type":"assistant","message":{"role":"assistant","content":[]},"uuid":"u",'
            '"parent_tool_use_id":null,"session_id":"s"}\n',
            "claude-stream",
        ),
        ('{"type":"stream_event","event":{},"session_id":"s"}\n', "claude-stream"),
        ('{"type":"system","subtype":"hook_started","session_id":"s"}\n', "claude-stream"),
        ('{"type":"result","subtype":"success","session_id":"s","result":"x"}', "claude-stream"),
    ],
)
def test_the_output_of_a_run_is_told_from_the_session_file(text: str, name: str) -> None:
    """The same programs write both, and the records look alike."""
    assert name == detect(text.encode())


DOCUMENTS = {
    "messages": ("", ""),
    "a request": ('{"model": "m", "messages": ', ', "tools": []}'),
    "episodes": ('[{"task": 1, "traj": ', "}]"),
}


@pytest.mark.parametrize("inside", DOCUMENTS)
@pytest.mark.parametrize("filler", [0, 2_000], ids=["short", "longer than the head"])
@pytest.mark.parametrize(
    ("before", "between", "behind"),
    [("[", ",", "]"), ("[\n  ", ",\n  ", "\n]\n"), ("\n[\n", ",\n", "]"), ("[\n ", "\n,", "\n]\n")],
    ids=["on one line", "with a message on each", "under its key", "commas first"],
)
def test_a_list_of_messages_is_one_value_however_it_is_laid_out(
    inside: str, filler: int, before: str, between: str, behind: str, tmp_path: Path
) -> None:
    """A message that has a line to itself, and no comma behind it, is no record."""
    head, tail = DOCUMENTS[inside]
    called = calls(("a", "bash"))
    messages = [
        {"role": "user", "content": "go"},
        called,
        answer("a", "x" * 150),
        *([called, answer("a", "x" * 150)] * filler),
        {"role": "assistant", "content": "done"},
    ]
    rows = between.join(json.dumps(message) for message in messages)

    stream = read_text(tmp_path, head + before + rows + behind + tail)

    assert [("bash", "unknown", "none")] * (1 + filler) == results(stream)
    assert ["turn_inferred"] == [code for code in codes(stream) if code != "repeated_call_id"]


@pytest.mark.parametrize(
    "text",
    [
        "hello\n",
        "{}\n",
        "[1, 2]",
        "\x00\x01",
        "<html>",
        '{"context":5}\n',
        '{"contents":[5],"messages":5,"response":5}\n',
        '{"a":{"role":"model"}}\n{"a":{"b":1}}\n',
        '{\n "shapes": {"role": {"type": "string"}, "toolUse": {"shape": "T"',
        '{\n "shapes": {"log": {"entries": {"shape": "Entry"',
        '[project]\nname = "a"\n[tool.x]\nwords = ["eval", "trajectory"]\n',
        '{"messages": [{"party": "a", "content": "hi"}]}\n',
        '{\n "messages": [{"party": "a", "content": "hi"}]\n}\n',
    ],
)
def test_a_file_that_is_no_trace_is_an_error(text: str, tmp_path: Path) -> None:
    """The user named it, so silence would be a lie."""
    with pytest.raises(UnknownFormatError, match="not a trace of a known format"):
        read_text(tmp_path, text)


@pytest.mark.parametrize("text", ["", "\ufeff", "\n"], ids=["nothing", "a mark", "a blank line"])
def test_an_empty_file_is_an_empty_trace(tmp_path: Path, text: str) -> None:
    """A killed writer leaves one; there is nothing to judge in it."""
    stream = read_text(tmp_path, text)

    assert ["truncated_tail"] == codes(stream)
    assert [] == results(stream)


def test_a_tool_turn_needs_neither_text_nor_reasoning(tmp_path: Path) -> None:
    """Whether a provider wants the key is between it and the host; the calls happened."""
    bare = calls(("k1", "ls"))
    reasoned = {**calls(("k2", "ls")), "reasoning_content": "", "content": None}
    stream = read_text(tmp_path, chat(bare, answer("k1"), reasoned, answer("k2")))

    assert [("ls", "unknown", "none")] * 2 == results(stream)
    assert not {"bad_line", "unknown_record"} & set(codes(stream))


def test_arguments_are_kept_as_they_came(tmp_path: Path) -> None:
    """Missing is not empty, truncated is not complete, and nothing is repaired."""
    stream = read_text(
        tmp_path,
        chat(
            {
                "role": "assistant",
                "tool_calls": [
                    {"id": str(n), "function": {"name": "f", "arguments": args}}
                    for n, args in enumerate(["", "  ", '{"a": 1}', '{"files":["a.md"', '"ls"'])
                ],
            }
        ),
    )
    found = [(e.args, e.args_raw, e.args_ok) for e in stream if isinstance(e, ToolCall)]

    assert [
        ({}, None, True),
        ({}, None, True),
        ({"a": 1}, None, True),
        (None, '{"files":["a.md"', False),
        ("ls", None, True),
    ] == found
    assert "bad_args" in codes(stream)


def test_several_conversations_in_one_file_are_several_sessions(tmp_path: Path) -> None:
    """Evidence of one episode must not count in another."""
    episode = {"traj": [CHAT, calls(("a", "f")), answer("a")]}
    stream = read_text(tmp_path, json.dumps([episode, episode], indent=1))

    assert 2 == sum(isinstance(event, Session) for event in stream)
    assert "several_sessions" in codes(stream)


def test_a_line_that_holds_no_episode_is_told_once(tmp_path: Path) -> None:
    """What is wrong with a torn one is said already."""
    episode = json.dumps({"traj": [CHAT, calls(("a", "f")), answer("a")]})
    stream = read_text(tmp_path, "\n".join([episode, episode, episode[:-9], '{"x": 1}', ""]))
    told = [(e.code, e.where) for e in stream if isinstance(e, Diag) and e.code == "bad_line"]

    assert [("bad_line", "trace:3"), ("bad_line", "trace:4")] == told
    assert 4 == sum(isinstance(event, Session) for event in stream)
