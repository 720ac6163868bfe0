"""Each format: told by its content, read into the same events, never in the way of others."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard
from chat_records import CHAT, answer, calls, chat
from read_records import acted, codes, read_text, results, texts
from trace_samples import SAMPLES, Sample, lines

from reasonix_conformance.readers.detect import detect
from reasonix_conformance.readers.formats import FORMATS, UnknownFormatError, events, reader
from reasonix_conformance.readers.lines import LineTooLongError
from reasonix_conformance.readers.recording import Recording
from reasonix_conformance.readers.refused import REFUSED
from reasonix_runtime.trace.events import (
    Assistant,
    Diag,
    Session,
    SubStart,
    ToolCall,
    TurnEnd,
    TurnStart,
    User,
)


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
    with pytest.raises(UnknownFormatError, match=r"'zzz': expected one of [\w, /-]+$"):
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
        ('{\n "trajectory": [{"query": [{"role": "user"', "swe-agent"),
        ('[\n {"content": [{"toolUse": {}}], "role": "assistant"', "converse"),
        ('[\n {"type": "ai", "additional_kwargs": {"x": [{"role": 1}]}', "langchain-messages"),
        ('{"id":1,"source":"agent","action":"run"}\n', "openhands"),
        ('{"run_type":"tool","trace_id":"x"}\n', "langsmith"),
        ('{"sessionId":"s","projectHash":"h"}\n', "gemini-cli"),
        (f"PK\x03\x04{26 * 'x'}_journal/start.json", "inspect-eval"),
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


# -- bytes and lines


@pytest.mark.parametrize(
    "sample",
    [sample for sample in SAMPLES if sample.format_name != "inspect"],
    ids=lambda sample: sample.format_name,
)
def test_a_compressed_trace_whose_end_is_missing_says_so(sample: Sample, tmp_path: Path) -> None:
    """Nobody knows what stood there; a log of Inspect is one value, whole or broken."""
    stream = read_text(tmp_path, gzip.compress(sample.text.encode())[:-6])

    assert "truncated_tail" in codes(stream)


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    """U+2028 and its kin stand inside strings of real recordings."""
    text = lines(CHAT, {"role": "assistant", "content": "x"}).replace("x", "a\u2028b\u0085c\u2029")

    stream = read_text(tmp_path, text)

    assert ["turn_inferred"] == codes(stream)
    assert "a\u2028b\u0085c\u2029" in [getattr(event, "text", "") for event in stream]


def test_a_torn_last_line_is_a_note_and_a_bad_middle_line_another(tmp_path: Path) -> None:
    """One bad line must not make a file vanish, and only the end may be torn."""
    good = lines(CHAT, {"role": "assistant", "content": "x"})

    torn = read_text(tmp_path, good + '{"role": "assistant", "cont')
    bad = read_text(tmp_path, lines(CHAT) + '{"role": broken}\n' + good)

    assert ["truncated_tail", "turn_inferred"] == codes(torn)
    assert ["bad_line", "turn_inferred"] == codes(bad)
    assert ["trace:2"] == [e.where for e in bad if isinstance(e, Diag) and e.code == "bad_line"]
    assert 2 == sum(isinstance(event, TurnStart) for event in bad)


@pytest.mark.parametrize(
    "line",
    [
        b'{"role": "assistant", "content": NaN}\n',
        b'{"role": "assistant", "content": "\xff"}\n',
        b'{"role": "assistant", "content": ' + b"[" * 100_000 + b"}\n",
        b'{"role": "assistant", "content": "a\nb"}\n',
        b"plain words\n",
        b'{"role": "assistant", "tool_calls": 3}\n',
    ],
    ids=["nan", "utf8", "deep", "raw-newline", "banner", "shape"],
)
def test_a_line_that_is_no_record_is_said_and_the_rest_is_read(line: bytes, tmp_path: Path) -> None:
    """Hosts, captures and disks all leave such lines behind."""
    stream = read_text(tmp_path, lines(CHAT).encode() + line + lines(CHAT).encode())

    assert "bad_line" in codes(stream)
    assert 2 == sum(isinstance(event, User) for event in stream)


def test_half_of_a_surrogate_pair_is_replaced_and_the_record_kept(tmp_path: Path) -> None:
    """A result that was cut between the halves of an emoji is still a result."""
    text = '{"role": "user", "content": "go"}\n{"role": "assistant", "content": "x \\ud83d"}\n'

    stream = read_text(tmp_path, text)

    assert "x \ufffd" in [getattr(event, "text", "") for event in stream]


@pytest.mark.parametrize("end", ["\x1b[0m", "\x1b[?25h\x1b[K\r", " \t"])
def test_codes_of_a_terminal_behind_the_last_line_are_no_torn_end(end: str, tmp_path: Path) -> None:
    """A capture ends with what sets the terminal back; nothing of the run is lost."""
    stream = read_text(tmp_path, lines(CHAT, {"role": "assistant", "content": "x"}) + end)

    assert ["completed"] == [event.status for event in stream if isinstance(event, TurnEnd)]
    assert ["turn_inferred"] == codes(stream)


def test_colours_and_direction_marks_before_a_record_are_taken_off(tmp_path: Path) -> None:
    """Captured output has them."""
    text = "\x1b[32m" + lines(CHAT) + "< " + lines({"role": "assistant", "content": "x"})

    assert ["turn_inferred"] == codes(read_text(tmp_path, text))


def test_a_line_over_the_cap_is_an_error_that_names_it(tmp_path: Path) -> None:
    """Memory must not be decided by whoever wrote the file."""
    text = lines(CHAT) + lines({"role": "user", "content": "x" * 5000})

    with pytest.raises(LineTooLongError, match=r"trace:2: the line is longer than the cap"):
        read_text(tmp_path, text, cap=1000)


def test_a_compressed_file_that_is_cut_is_read_up_to_there(tmp_path: Path) -> None:
    """A partial download still holds what it holds."""
    text = lines(CHAT, *[{"role": "assistant", "content": f"{n} " * 50} for n in range(2000)])
    packed = gzip.compress(text.encode())

    stream = read_text(tmp_path, packed[: len(packed) // 2])

    assert "truncated_tail" in codes(stream)
    assert any(isinstance(event, User) for event in stream)


# -- pairing


def test_repeated_and_missing_ids_are_paired_in_order(tmp_path: Path) -> None:
    """Providers repeat ids and leave them out; a native id is never a key."""
    stream = read_text(
        tmp_path,
        chat(
            calls(("x", "f"), ("x", "g"), ("", "h")),
            answer("x", "1"),
            answer("x", "2"),
            answer("", "3"),
        ),
    )

    assert {"main#1": "1", "main#2": "2", "main#3": "3"} == texts(stream)
    assert "repeated_call_id" in codes(stream)


def test_a_result_goes_to_the_latest_call_of_its_id(tmp_path: Path) -> None:
    """An older call of the same id that was lost must not take it."""
    stream = read_text(
        tmp_path, chat(calls(("x", "f")), calls(("x", "g")), answer("x", "late"), calls(("y", "h")))
    )

    assert {"main#2": "late", "main#1": "", "main#3": ""} == texts(stream)
    assert "unanswered_call" in codes(stream)


def test_an_orphan_and_a_second_result_are_said_and_are_no_evidence(tmp_path: Path) -> None:
    """Compaction keeps results whose calls are gone; placeholders come after the fact."""
    stream = read_text(
        tmp_path, chat(answer("c7", "ok"), calls(("a", "f")), answer("a", "1"), answer("a", "2"))
    )

    assert {"main#1": "1"} == texts(stream)
    assert ["duplicate_result", "orphan_result", "turn_inferred"] == codes(stream)


def test_either_of_two_ids_pairs(tmp_path: Path) -> None:
    """Some recorders write an item id beside the call id."""
    call = {"id": "f1", "call_id": "k1", "function": {"name": "f", "arguments": "{}"}}
    stream = read_text(
        tmp_path, chat({"role": "assistant", "tool_calls": [call]}, answer("k1", "1"))
    )

    assert {"main#1": "1"} == texts(stream)


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


def test_announced_calls_that_never_ran_are_said(tmp_path: Path) -> None:
    """A turn that was committed while calls were pending is not a pass."""
    stream = read_text(
        tmp_path,
        lines(
            {"kind": "turn_started"},
            _tool("tool_dispatch", "a", "read_file", args="{}"),
            _tool("tool_dispatch", "b", "", partial=True),
            _tool("tool_dispatch", "c", "grep", partial=True),
            {"kind": "turn_done"},
        ),
    )

    assert [("read_file", "none", "none")] == results(stream)
    assert 3 == sum(e.code == "unanswered_call" for e in stream if isinstance(e, Diag))


def test_a_call_that_the_host_refused_before_its_dispatch_was_made(tmp_path: Path) -> None:
    """Arguments that were cut off are refused at once: the result is the first to tell the call."""
    told = {"args": '{"path": "a', "runState": "not_started", "err": "truncated tool arguments"}
    stream = read_text(
        tmp_path,
        lines(
            {"kind": "turn_started"},
            _tool("tool_dispatch", "a", "write_file", partial=True),
            _tool("tool_result", "a", "write_file", **told),
            {"kind": "turn_done"},
        ),
    )

    assert [("write_file", "not_run", "flag")] == results(stream)
    assert ["bad_args"] == [event.code for event in stream if isinstance(event, Diag)]


def test_a_discarded_attempt_leaves_nothing(tmp_path: Path) -> None:
    """What the model began to say and took back was never called."""
    stream = read_text(
        tmp_path,
        lines(
            {"kind": "turn_started"},
            {"kind": "stream_attempt", "streamAttempt": {"id": "A", "action": "begin"}},
            _tool("tool_dispatch", "a", "bash", partial=True, attemptId="A"),
            {"kind": "stream_attempt", "streamAttempt": {"id": "A", "action": "discard"}},
            {"kind": "turn_done"},
        ),
    )

    assert [] == [event for event in stream if isinstance(event, ToolCall | Diag)]


def test_a_nested_sub_agent_has_a_scope_in_a_scope(tmp_path: Path) -> None:
    """Ids tell the way down; each level has its own counter."""
    stream = read_text(
        tmp_path,
        lines(
            {"kind": "turn_started"},
            _tool("tool_dispatch", "p", "task", args="{}"),
            _tool("tool_dispatch", "p/q", "task", args="{}", parentId="p"),
            _tool("tool_dispatch", "p/q/r", "bash", args="{}", parentId="p/q"),
            _tool("tool_result", "p/q/r", "bash"),
            _tool("tool_result", "p/q", "task"),
            _tool("tool_result", "p", "task"),
            {"kind": "turn_done"},
        ),
    )

    assert [("p", "main#1"), ("p/q", "p#1")] == [
        (event.scope, event.parent_uid) for event in stream if isinstance(event, SubStart)
    ]
    assert ["bash", "task", "task"] == [name for name, _, _ in results(stream)]


def _tool(kind: str, ident: str, name: str, **more: object) -> dict[str, object]:
    return {"kind": kind, "tool": {"id": ident, "name": name, **more}}


# -- turns, branches, several sessions


def test_a_host_text_inside_a_turn_begins_no_turn(tmp_path: Path) -> None:
    """Reminders and context blocks come as user messages."""
    stream = read_text(
        tmp_path,
        lines(
            {"role": "user", "content": "<session-context version='1'>\nx\n</session-context>"},
            {"role": "user", "content": "<response-language>\nx\n</response-language>\n\nfix it"},
            {"role": "assistant", "tool_calls": [{"id": "a", "name": "ls", "arguments": "{}"}]},
            answer("a"),
            {"role": "user", "content": "Host progress check: go on"},
            {"role": "assistant", "content": "done"},
            {"role": "user", "content": "thanks"},
        ),
    )

    assert [("host", 0), ("user", 1), ("host", 1), ("user", 2)] == [
        (event.origin, event.turn) for event in stream if isinstance(event, User)
    ]
    assert ["completed", "unknown"] == [e.status for e in stream if isinstance(e, TurnEnd)]


def test_a_damaged_log_counts_up_to_the_damage(tmp_path: Path) -> None:
    """An append that does not fit would put messages where they never stood."""
    stream = read_text(
        tmp_path,
        lines(
            {"schema_version": 1, "type": "replace", "messages": [CHAT]},
            {
                "schema_version": 1,
                "type": "append",
                "message_index": 5,
                "messages": [calls(("a", "f"))],
            },
        ),
    )

    assert "bad_line" in codes(stream)
    assert [] == results(stream)


def test_what_was_compacted_away_still_happened(tmp_path: Path) -> None:
    """A shorter view is not a shorter history."""
    first = [CHAT, calls(("a", "f")), answer("a"), {"role": "assistant", "content": "x"}]
    summary = {"role": "user", "content": "<compaction-summary>\nx\n</compaction-summary>"}
    stream = read_text(
        tmp_path,
        lines(
            {"schema_version": 1, "type": "replace", "messages": first},
            {"schema_version": 1, "type": "replace", "messages": [summary, first[3], CHAT]},
        ),
    )

    assert 1 == len(results(stream))
    assert "branch_dropped" not in codes(stream)


def test_a_log_of_requests_is_read_once(tmp_path: Path) -> None:
    """Every line repeats the history."""
    history = [CHAT, calls(("a", "f")), answer("a"), {"role": "assistant", "content": "x"}]
    stream = read_text(tmp_path, lines(*[{"messages": history[:n]} for n in range(1, 5)]))

    assert 1 == len(results(stream))
    assert 1 == sum(isinstance(event, TurnStart) for event in stream)


def test_several_conversations_in_one_file_are_several_sessions(tmp_path: Path) -> None:
    """Evidence of one episode must not count in another."""
    episode = {"traj": [CHAT, calls(("a", "f")), answer("a")]}
    stream = read_text(tmp_path, json.dumps([episode, episode], indent=1))

    assert 2 == sum(isinstance(event, Session) for event in stream)
    assert "several_sessions" in codes(stream)


@pytest.mark.parametrize(
    ("text", "outcome", "basis"),
    [
        ("error: exit status 1", "error", "host_rule"),
        ("blocked: no", "blocked", "host_rule"),
        ('error: unknown tool "x"', "not_run", "host_rule"),
        ("tool_retired: gone", "not_run", "host_rule"),
        ("error: tool was not executed because its arguments were cut", "not_run", "host_rule"),
        ("cancelled: context cancelled before execution", "cancelled", "host_rule"),
        ("error: command timed out (> 500ms)\nHa", "cancelled", "host_rule"),
        ("[no result: the previous turn was interrupted before …]", "cancelled", "host_rule"),
        ('Started background job "bash-1"', "running", "host_rule"),
        ("", "ok", "host_rule"),
        ("All about error: handling", "ok", "host_rule"),
        ("Traceback: 3 failed", "ok", "host_rule"),
        ("[snipped tool result: 9 KB]", "unknown", "none"),
        ("[tool result elided to fit the context window: 9 bytes]", "unknown", "none"),
    ],
)
def test_a_host_text_is_graded_by_its_first_words_alone(
    text: str, outcome: str, basis: str, tmp_path: Path
) -> None:
    """A document about errors is no error, and OK in a text is no success."""
    stream = read_text(
        tmp_path,
        lines(
            {"role": "user", "content": "x", "raw_content": "x"},
            {"role": "assistant", "tool_calls": [{"id": "a", "name": "f", "arguments": "{}"}]},
            {"role": "tool", "tool_call_id": "a", "content": text},
        ),
    )

    assert [("f", outcome, basis)] == results(stream)


# -- other agents


def _claude(
    kind: str, content: object, uuid: str, parent: str | None = None, **more: object
) -> str:
    return lines(
        {
            "type": kind,
            "uuid": uuid,
            "parentUuid": parent,
            "sessionId": "s",
            "message": {"role": kind, "id": uuid, "content": content},
            **more,
        }
    )


def _use(ident: str, name: str, **args: object) -> list[dict[str, object]]:
    return [{"type": "tool_use", "id": ident, "name": name, "input": args}]


def _done(ident: str, text: str = "x") -> list[dict[str, object]]:
    return [{"type": "tool_result", "tool_use_id": ident, "content": text}]


def test_side_chains_of_parallel_sub_agents_are_told_apart_by_their_prompts(
    tmp_path: Path,
) -> None:
    """Both run at once, and their records alternate."""
    side = {"isSidechain": True}
    stream = read_text(
        tmp_path,
        _claude("user", "go", "u0")
        + _claude(
            "assistant", _use("p", "Task", prompt="one") + _use("q", "Task", prompt="two"), "u1"
        )
        + _claude("user", "one", "a0", **side)
        + _claude("user", "two", "b0", **side)
        + _claude("assistant", _use("r1", "Read", file_path="/w/a"), "a1", "a0", **side)
        + _claude("assistant", _use("r2", "Bash", command="ls"), "b1", "b0", **side)
        + _claude("user", _done("r1"), "a2", "a1", **side)
        + _claude("user", _done("r2"), "b2", "b1", **side)
        + _claude("user", _done("p"), "u2")
        + _claude("user", _done("q"), "u3"),
    )

    assert [
        ("main#1", "Task"),
        ("main#2", "Task"),
        ("side#1", "Read"),
        ("side~2#1", "Bash"),
    ] == acted(stream)
    assert {"side": "main#1", "side~2": "main#2"} == {
        event.scope: event.parent_uid for event in stream if isinstance(event, SubStart)
    }


def test_a_sub_agents_own_file_is_read_with_the_session(tmp_path: Path) -> None:
    """Newer sessions keep sub-agents beside the file."""
    folder = tmp_path / "trace" / "subagents"
    (tmp_path / "s").mkdir()
    session = tmp_path / "s" / "trace.jsonl"
    folder = tmp_path / "s" / "trace" / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-7f.jsonl").write_text(
        _claude("user", "look", "a0", isSidechain=True)
        + _claude("assistant", _use("r1", "Read", file_path="/w/a"), "a1", "a0", isSidechain=True)
        + _claude("user", _done("r1"), "a2", "a1", isSidechain=True)
    )
    session.write_text(
        _claude("user", "go", "u0")
        + _claude("assistant", _use("p", "Agent", prompt="look"), "u1")
        + _claude("user", _done("p"), "u2", toolUseResult={"agentId": "7f"})
    )

    stream = list(events(Recording(path=session, shown="trace")))

    assert [("main#1", "Agent"), ("7f#1", "Read")] == acted(stream)
    assert [("Read", "ok", "absence"), ("Agent", "ok", "absence")] == results(stream)


@pytest.mark.parametrize(
    ("text", "role"),
    [
        (
            _claude("assistant", _use("a", "Bash", command="pytest -q"), "u"),
            ("bash", {"command": "pytest -q"}),
        ),
        (
            _claude("assistant", _use("a", "Read", file_path="/w/a"), "u"),
            ("read_file", {"path": "/w/a"}),
        ),
        (_claude("assistant", _use("a", "mcp__x__y", z=1), "u"), (None, None)),
        (_claude("assistant", _use("a", "TodoWrite", todos=[]), "u"), (None, None)),
        (
            lines(
                {
                    "timestamp": "t",
                    "type": "response_item",
                    "payload": {
                        "type": "function_call",
                        "name": "shell",
                        "arguments": '{"command":["bash","-lc","make test"]}',
                        "call_id": "c",
                    },
                }
            ),
            ("bash", {"command": "make test"}),
        ),
        (
            lines(
                {
                    "timestamp": "t",
                    "type": "response_item",
                    "payload": {
                        "type": "custom_tool_call",
                        "name": "apply_patch",
                        "input": "*** Begin Patch\n*** Update File: a.py\n*** Add File: b.py\n",
                        "call_id": "c",
                    },
                }
            ),
            ("edit_file", {"paths": ["a.py", "b.py"]}),
        ),
    ],
)
def test_a_foreign_call_has_the_role_of_a_tool_of_the_contract(
    text: str, role: tuple[str | None, object], tmp_path: Path
) -> None:
    """Gates ask for edits and checks, not for names."""
    (call,) = [event for event in read_text(tmp_path, text) if isinstance(event, ToolCall)]

    assert role == (call.resolved_name, call.resolved_args)


@pytest.mark.parametrize("indent", [None, 2])
def test_a_request_may_stand_alone_in_a_file_without_its_answer(
    indent: int | None, tmp_path: Path
) -> None:
    """What is not there is no message."""
    messages = [{"role": "user", "content": "go"}, {"role": "assistant", "content": "done"}]
    (tmp_path / "trace").write_text(json.dumps({"messages": messages}, indent=indent))
    stream = list(events(Recording(path=tmp_path / "trace", shown="trace")))

    assert ["done"] == [event.text for event in stream if isinstance(event, Assistant)]
    assert {"turn_inferred"} >= {event.code for event in stream if isinstance(event, Diag)}
