"""Faults of recordings and of those who read them, each small (`fixtures/pitfalls.yaml`)."""

from __future__ import annotations

import gzip
import json
import os
import random
import socket
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import zstandard
from chat_records import answer, calls, chat
from frame_store import batch, event, frame
from hypothesis import given
from hypothesis import strategies as st
from read_records import codes, read_text, results, texts
from trace_samples import lines

from reasonix_conformance.readers.building.event_log import MOST_OF_A_KIND, EventLog
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.files.sources import ReadError, damage_of, opened
from reasonix_conformance.readers.formats import events
from reasonix_conformance.replay.results import Agreement, Judged, TraceResult
from reasonix_conformance.traces.sessions import Options, file_results
from reasonix_runtime.trace.events import Diag, Event, Session, ToolCall, ToolResult, User


def tool(kind: str, ident: str, name: str, **more: object) -> dict[str, object]:
    return {"kind": kind, "tool": {"id": ident, "name": name, **more}}


def wire(*records: dict[str, object]) -> str:
    return lines({"kind": "turn_started"}, *records, {"kind": "turn_done"})


def message(text: str, **more: object) -> str:
    """Write a message file with one call and this result."""
    return lines(
        {"role": "user", "content": "x", "raw_content": "x"},
        {"role": "assistant", "tool_calls": [{"id": "a", "name": "read_file", "arguments": "{}"}]},
        {"role": "tool", "tool_call_id": "a", "content": text, **more},
    )


def replay(path: Path, text: str, **options: Any) -> TraceResult:
    file = path / "trace"
    file.write_text(text)
    (found,) = file_results(file, Options(**options))
    return found


def judged(path: Path, text: str, **options: Any) -> dict[str, Judged]:
    return {one.name: one for one in replay(path, text, **options).verdicts}


# -- pairing and results


def test_progress_of_a_call_is_not_its_result(tmp_path: Path) -> None:
    """An update says how far it is; the last one says how it ended."""

    def update(**facts: object) -> dict[str, object]:
        params = {"sessionId": "S", "update": facts}
        return {"jsonrpc": "2.0", "method": "session/update", "params": params}

    def part(text: str) -> list[object]:
        return [{"type": "content", "content": {"type": "text", "text": text}}]

    prompt = {"sessionId": "S", "prompt": [{"type": "text", "text": "x"}]}
    more = {"sessionUpdate": "tool_call_update", "toolCallId": "p1"}
    stream = read_text(
        tmp_path,
        lines(
            {"jsonrpc": "2.0", "id": 3, "method": "session/prompt", "params": prompt},
            update(sessionUpdate="tool_call", toolCallId="p1", title="bash", status="pending"),
            update(**more, status="in_progress", content=part("half")),
            update(**more, status="failed", content=part("whole")),
            {"jsonrpc": "2.0", "id": 3, "result": {"stopReason": "end_turn"}},
        ),
    )

    assert {"main#1": "whole"} == texts(stream)
    assert [("bash", "error", "state")] == results(stream)
    assert [] == codes(stream)


def test_a_placeholder_after_the_result_does_not_overrule_it(tmp_path: Path) -> None:
    """A host that fills holes later may fill one that is none."""
    late = "[no result: the previous turn was interrupted before this call completed]"
    text = message("1: x") + lines({"role": "tool", "tool_call_id": "a", "content": late})
    stream = read_text(tmp_path, text)

    assert [("read_file", "ok", "host_rule")] == results(stream)
    assert "duplicate_result" in codes(stream)


def test_what_the_host_calls_itself_is_no_act_of_the_model(tmp_path: Path) -> None:
    """It moves the state and is judged by nobody."""
    todos = json.dumps({"todos": [{"content": "Fix it", "status": "in_progress"}]})
    own = [tool("tool_dispatch", "host-1", "todo_write", args=todos)]
    own.append(tool("tool_result", "host-1", "todo_write", output="Todos updated"))
    by = [e.origin for e in read_text(tmp_path, wire(*own)) if isinstance(e, ToolCall)]

    assert ["host"] == by
    assert ["turn-1/end"] == list(judged(tmp_path, wire(*own)))


def test_a_call_through_a_proxy_is_judged_by_what_it_reached(tmp_path: Path) -> None:
    """The outer name is kept; the change is the target's."""
    inner = {"action": "call", "capability_id": "x", "arguments": {"path": "a.md"}}
    asked = tool("tool_dispatch", "a", "use_capability", args=json.dumps(inner))
    done = tool("tool_result", "a", "use_capability", resolvedName="edit_file", output="ok")
    text = wire(asked, done)
    seen = [e for e in read_text(tmp_path, text) if isinstance(e, ToolCall)][-1]

    assert ("use_capability", "edit_file", {"path": "a.md"}) == (
        seen.name,
        seen.resolved_name,
        seen.resolved_args,
    )
    end = judged(tmp_path, text, rules="contract")["turn-1/end"]
    assert "`a.md`" in end.verdict.message


# -- what is not in the file


def test_what_was_compacted_out_of_the_file_is_unknown_and_not_missing(tmp_path: Path) -> None:
    """Only the shortened view was kept: what it summarises may hold the run that is cited."""
    summary = "<compaction-summary>\nthe tests passed\n</compaction-summary>"
    evidence = [{"kind": "verification", "summary": "s", "command": "pytest -q"}]
    args = json.dumps({"step": "Fix", "result": "done", "evidence": evidence})
    signed = 'Step "Fix" signed off. The host advanced the task list; continue.'
    sign = {"id": "a", "name": "complete_step", "arguments": args}
    call = {"role": "assistant", "tool_calls": [sign]}
    rest = [call, {"role": "tool", "tool_call_id": "a", "content": signed}]
    asked = {"role": "user", "content": "go", "raw_content": "go"}

    cut = judged(tmp_path, lines({"role": "user", "content": summary}, asked, *rest))
    whole = judged(tmp_path, lines(asked, *rest))

    step = cut["turn-1/0-complete_step"]
    assert "not_assessable" == step.verdict.decision.value
    assert Agreement.UNKNOWN is step.agreement
    assert "verification.command_not_run" == whole["turn-1/0-complete_step"].verdict.reason


def test_an_empty_session_names_the_log_beside_it(tmp_path: Path) -> None:
    """Nothing in the file is no evidence; what happened may be in another one."""
    (tmp_path / "s.jsonl").touch()
    alone = list(file_results(tmp_path / "s.jsonl", Options()))
    (tmp_path / "s.events.jsonl").write_text("{}\n")
    beside = list(file_results(tmp_path / "s.jsonl", Options()))

    assert ["the file is empty"] == [one.text for one in alone[0].diagnostics]
    assert ["the file is empty; what happened is in s.events.jsonl beside it"] == [
        one.text for one in beside[0].diagnostics
    ]
    assert () == alone[0].verdicts == beside[0].verdicts


def test_an_old_session_without_system_message_is_read(tmp_path: Path) -> None:
    """Older files begin with the user and have nothing beside them."""
    stream = read_text(tmp_path, message("1: x"))

    assert ["turn_inferred"] == codes(stream)
    assert [("read_file", "ok", "host_rule")] == results(stream)


def test_a_turn_that_changed_nothing_owes_nothing_and_says_so(tmp_path: Path) -> None:
    """Not applicable is another pass than checked."""
    looked = [tool("tool_dispatch", "a", "ls", args="{}"), tool("tool_result", "a", "ls")]

    for rules in ("contract", "classic"):
        end = judged(tmp_path, wire(*looked), rules=rules)["turn-1/end"]
        assert ("accept", "nothing was changed, so nothing is owed for a change") == (
            end.verdict.decision.value,
            end.verdict.message,
        )


def test_a_record_that_ends_with_calls_is_judged_up_to_there(tmp_path: Path) -> None:
    """A run that was killed: what came before is still an analysis."""
    stream = read_text(tmp_path, chat(calls(("c1", "ls")), answer("c1"), calls(("c9", "bash"))))

    assert [("ls", "unknown", "none"), ("bash", "none", "none")] == results(stream)
    assert "unanswered_call" in codes(stream)


def test_an_orphan_beside_a_text_leaves_the_text(tmp_path: Path) -> None:
    """Compaction keeps a result and drops its call; the user's words are still said."""
    blocks = [
        {"type": "text", "text": "and now?"},
        {"type": "tool_result", "tool_use_id": "c7", "content": "ok"},
    ]
    use = {"type": "tool_use", "id": "a", "name": "bash", "input": {"command": "ls"}}
    stream = read_text(
        tmp_path,
        json.dumps([{"role": "user", "content": blocks}, {"role": "assistant", "content": [use]}]),
    )

    assert "orphan_result" in codes(stream)
    assert ["and now?"] == [event.text for event in stream if isinstance(event, User)]


# -- texts


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("body\n[receipt r_0a1b2c3d]", "body"),
        ("body\n[source_token st_1]\n[receipt r_0a1b2c3d]", "body"),
        ("a [receipt r_0a1b2c3d] b", "a [receipt r_0a1b2c3d] b"),
        ("[receipt r_0a1b2c3d]\nlast", "[receipt r_0a1b2c3d]\nlast"),
    ],
)
def test_a_trailer_is_one_at_the_end_alone(text: str, kept: str, tmp_path: Path) -> None:
    """A file may hold such a line; only what the host wrote behind a result is its own."""
    assert {"main#1": kept} == texts(read_text(tmp_path, message(text)))


@pytest.mark.parametrize(
    ("facts", "grade"),
    [
        ({}, ("error", "host_rule")),
        ({"tool_run_state": "completed"}, ("ok", "state")),
        ({"tool_execution": {"exitCode": 0}}, ("ok", "exit_code")),
        ({"tool_run_state": "failed"}, ("error", "flag")),
    ],
)
def test_a_file_that_begins_with_error_is_told_by_the_fields(
    facts: dict[str, object], grade: tuple[str, str], tmp_path: Path
) -> None:
    """Its text looks like a failure; where no field speaks, the basis says how weak that is."""
    stream = read_text(tmp_path, message("error: this file lists errors", **facts))

    assert [("read_file", *grade)] == results(stream)


@pytest.mark.parametrize(
    "mark",
    [
        "…[truncated 900 of 1000 bytes, full result_ref=r1 original_bytes=1000 kept_bytes=100]",
        "[... tool result middle pruned ...]\n9: z",
    ],
    ids=["cut", "pruned"],
)
def test_a_cut_result_is_marked_and_proves_nothing_by_what_it_lacks(
    mark: str, tmp_path: Path
) -> None:
    """A line that is not in the part that was kept may be in the rest."""
    stream = read_text(tmp_path, message(f"1: x\n{mark}"))

    (result,) = [event for event in stream if isinstance(event, ToolResult)]
    assert result.truncated is not None
    assert "truncated_result" in codes(stream)


@pytest.mark.parametrize("content", ["", None, [], ...], ids=["text", "null", "list", "absent"])
def test_empty_content_is_a_valid_success_in_each_form(content: object, tmp_path: Path) -> None:
    """A command may print nothing; what needs content looks at the text."""
    result: dict[str, object] = {"type": "tool_result", "tool_use_id": "b"}
    if content is not ...:
        result["content"] = content
    use = {"type": "tool_use", "id": "b", "name": "Read", "input": {"file_path": "/w/a"}}
    stream = read_text(
        tmp_path,
        lines(
            *[
                {"type": kind, "uuid": kind, "sessionId": "s", "message": {"content": said}}
                for kind, said in [("user", "go"), ("assistant", [use])]
            ],
            {"type": "user", "uuid": "r", "sessionId": "s", "message": {"content": [result]}},
        ),
    )

    assert [("Read", "ok", "absence")] == results(stream)
    assert {"main#1": ""} == texts(stream)


@pytest.mark.parametrize(
    ("text", "value", "good"),
    [
        ('{"a": 1, "a": 2}', {"a": 2}, True),
        ('{"a": NaN}', None, False),
        ('{"n": "3"}', {"n": "3"}, True),
        ('"{\\"a\\": 1}"', '{"a": 1}', True),
        ("{path: a}", None, False),
    ],
    ids=["twice", "nan", "number as text", "encoded twice", "no json"],
)
def test_odd_arguments_are_kept_and_never_repaired(
    text: str, value: object, good: bool, tmp_path: Path
) -> None:
    """What a host made of them is in its result."""
    call = {"id": "1", "function": {"name": "f", "arguments": text}}
    stream = read_text(tmp_path, chat({"role": "assistant", "tool_calls": [call]}))
    (seen,) = [event for event in stream if isinstance(event, ToolCall)]

    assert (value, good, None if good else text) == (seen.args, seen.args_ok, seen.args_raw)
    assert good is ("bad_args" not in codes(stream))


@pytest.mark.parametrize(
    ("given", "own", "good"),
    [(5, True, False), (True, False, False), ([{}], True, False), ([{}], False, True)],
)
def test_arguments_that_no_model_writes_are_not_read(
    given: object, own: bool, good: bool, tmp_path: Path
) -> None:
    """They are text, or what the text held; some interfaces have lists."""
    told = {"name": "f", "arguments": given}
    call = {"id": "1", **told} if own else {"id": "1", "function": told}
    stream = read_text(tmp_path, chat({"role": "assistant", "tool_calls": [call]}))
    (seen,) = [event for event in stream if isinstance(event, ToolCall)]

    assert (given if good else None, good) == (seen.args, seen.args_ok)


def test_control_characters_in_a_tool_name_are_said_and_name_no_tool(tmp_path: Path) -> None:
    """`ba<NUL>sh` is not `bash`: nothing that it ran is evidence."""
    args = json.dumps({"command": "pytest -q"})
    ran = [tool("tool_dispatch", "a", "ba\0sh", args=args), tool("tool_result", "a", "ba\0sh")]
    found = replay(tmp_path, wire(*ran))

    assert ["bad_name"] == [one.code for one in found.diagnostics]
    assert r"'ba\x00sh'" in found.diagnostics[0].text
    assert ["end"] == [one.subject for one in found.verdicts]


def test_a_raw_line_break_inside_a_text_is_said_with_both_its_lines(tmp_path: Path) -> None:
    """Neither half is a record, and the rest of the file is."""
    text = lines({"role": "user", "content": "go"})
    stream = read_text(tmp_path, text + '{"role": "assistant", "content": "a\nb"}\n' + text)

    bad = [e.where for e in stream if isinstance(e, Diag) and e.code == "bad_line"]
    assert ["trace:2", "trace:3"] == bad
    assert 2 == sum(isinstance(event, User) for event in stream)


def test_half_of_a_surrogate_pair_does_not_stop_a_report(tmp_path: Path) -> None:
    """In a text, in a name and in arguments: everything that is written can be encoded."""
    args = '{\\"command\\": \\"echo \\\\udc9f\\"}'
    text = wire(tool("tool_dispatch", "a", "bash", args="{}"), tool("tool_result", "a", "bash"))
    text = text.replace('"args": "{}"', f'"args": "{args}"')
    text = text.replace('"name": "bash"}', '"name": "bash", "output": "\\udc9f"}')
    stream = read_text(tmp_path, text)

    assert [("bash", "ok", "flag")] == results(stream)
    for one in stream:
        repr(one).encode()


def test_a_clock_that_goes_back_is_said_once_with_a_count(tmp_path: Path) -> None:
    """File order counts; a disorder of every line would drown the rest."""
    records = [
        {
            "type": "user",
            "uuid": f"u{n}",
            "sessionId": "s",
            "timestamp": f"2026-02-01T10:00:{50 - n:02}.000Z",
            "message": {"role": "user", "content": f"go {n}"},
        }
        for n in range(5)
    ]
    stream = read_text(tmp_path, lines(*records))

    disorder = [e.text for e in stream if isinstance(e, Diag) and e.code == "clock_disorder"]
    assert ["a record is older than one before it (4 times)"] == disorder
    assert [f"go {n}" for n in range(5)] == [e.text for e in stream if isinstance(e, User)]


# -- files


def test_a_file_is_read_as_it_was_when_it_was_opened(tmp_path: Path) -> None:
    """A host that is still writing would otherwise be followed for ever."""
    path = tmp_path / "live.jsonl"
    path.write_bytes(b"x\n" * 1000)

    with opened(path) as stream, path.open("ab") as writer:
        first = stream.readline()
        writer.write(b"y\n" * 3_000_000)
        writer.flush()
        rest = stream.read()

    assert b"x\n" * 1000 == first + rest
    assert [path] == list(tmp_path.iterdir())


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.compress], ids=["gzip", "zstandard"])
def test_packed_data_that_expands_too_far_is_refused(tmp_path: Path, pack: Any) -> None:
    """A small file may hold a terabyte of nothing."""
    path = tmp_path / "bomb"
    path.write_bytes(pack(b"\0" * 5_000_000))

    with (
        opened(path, expanded=1_000_000) as stream,
        pytest.raises(ReadError, match="expands to more than 1000000 bytes"),
    ):
        stream.read()


def without_size(data: bytes) -> bytes:
    """Pack as a pipe is packed: the frame does not say how long its content is."""
    packer = zstandard.ZstdCompressor(write_content_size=False).compressobj()
    parts = [data[at : at + 50_000] for at in range(0, len(data), 50_000)]
    block = zstandard.COMPRESSOBJ_FLUSH_BLOCK
    ends = [packer.compress(part) + packer.flush(block) for part in parts]
    return b"".join([*ends, packer.flush()])


def text_of(frames: int) -> bytes:
    """Return what is packed in so many frames."""
    return b"".join(random.Random(one).randbytes(70_000).hex().encode() for one in range(frames))


@cache
def packed_text(pack: Callable[[bytes], bytes], number: int) -> bytes:
    """Return the frame of this number."""
    return pack(text_of(number + 1)[len(text_of(number)) :])


@pytest.mark.parametrize(
    "pack", [gzip.compress, zstandard.compress, without_size], ids=["gzip", "zstandard", "piped"]
)
@given(frames=st.integers(1, 3), cut=st.floats(0.001, 1, exclude_max=True))
def test_packed_data_is_whole_or_said_to_be_cut(
    pack: Callable[[bytes], bytes],
    frames: int,
    cut: float,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    """Wherever it is cut, also between two blocks, a part is never taken for the whole."""
    packed, whole = [packed_text(pack, number) for number in range(frames)], text_of(frames)
    ends = {sum(map(len, packed[:count])) for count in range(1, frames)}
    size = max(4, int(cut * sum(map(len, packed))))
    path = tmp_path_factory.mktemp("packed") / "trace"

    path.write_bytes(b"".join(packed))
    with opened(path) as stream:
        assert (whole, None) == (stream.read(), damage_of(stream))

    path.write_bytes(b"".join(packed)[:size])
    with opened(path) as stream:
        assert whole.startswith(stream.read())
        told = None if size in ends else "the compressed data ends too early"
        assert told == damage_of(stream)


# -- frame stores


TURN = batch(
    event("turn/start", {}),
    event("tool/call", {"id": "a", "name": "ls", "args": {}}),
    event("tool/result", {"id": "a", "name": "ls", "output": "x", "runState": "completed"}),
    event("turn/end", {"status": "completed"}),
)


def store(folder: Path, data: bytes, **manifest: object) -> list[Event]:
    session = folder / "sessions-v4" / "s1"
    session.mkdir(parents=True)
    (session / "events.frames").write_bytes(data)
    (session / "manifest.json").write_text(json.dumps({"sessionId": "s1", **manifest}))
    return list(events(Recording(path=session / "events.frames", shown="frames")))


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        (frame({}, raw=2**31), "torn_frame"),
        (frame({}, packed=2**31), "torn_frame"),
        (frame({}, raw=1), "torn_frame"),
        (b"NOPE" + frame({})[4:], "torn_frame"),
        (frame({})[:-3], "truncated_tail"),
        (frame({})[:7], "truncated_tail"),
        (frame({"recordType": "batch/begin"}), "truncated_tail"),
        (TURN[: len(TURN) // 2], "truncated_tail"),
    ],
)
def test_a_torn_frame_ends_the_store_and_what_came_before_counts(
    tmp_path: Path, damage: bytes, code: str
) -> None:
    """A length that nobody can mean is damage, and is not allocated."""
    stream = store(tmp_path, TURN + damage)

    assert isinstance(stream[0], Session)
    assert [code] == codes(stream)
    assert [("ls", "ok", "state")] == results(stream)


@pytest.mark.parametrize("digest", ["../../../../secret", "0" * 64, "A" * 64])
@pytest.mark.parametrize("root", ["../.content-v1", "../../outside", "/"])
def test_a_reference_out_of_the_content_store_is_not_followed(
    tmp_path: Path, digest: str, root: str
) -> None:
    """A recording names objects, not files of the machine that reads it."""
    (tmp_path / "outside" / "objects" / "00" / "00").mkdir(parents=True)
    (tmp_path / "outside" / "objects" / "00" / "00" / ("0" * 64)).write_text('{"id": "a"}')
    (tmp_path / "secret").write_text('{"id": "a"}')
    told = {"kind": "tool/call", "payloadRef": {"digest": digest}}
    stream = store(tmp_path, batch(event("turn/start", {}), told) + TURN, contentRoot=root)

    assert "missing_blob" in codes(stream)
    assert [("ls", "ok", "state")] == results(stream)


# -- a replay hands out nothing and runs nothing


def test_results_go_to_their_own_calls_in_whatever_order_they_stand(tmp_path: Path) -> None:
    """Handed out by tool and order, each of two searches would get the other's answer."""
    stream = read_text(
        tmp_path, chat(calls(("a", "search"), ("b", "search")), answer("b", "B"), answer("a", "A"))
    )

    assert {"main#1": "A", "main#2": "B"} == texts(stream)


def test_results_without_ids_keep_the_response_of_their_calls(tmp_path: Path) -> None:
    """Two delegates at once: whose answer is whose is told by order, and both are one response."""
    stream = read_text(
        tmp_path, chat(calls(("", "task"), ("", "task")), answer(None, "one"), answer(None, "two"))
    )

    assert {"main#1": "one", "main#2": "two"} == texts(stream)
    assert 1 == len({event.step for event in stream if isinstance(event, ToolCall)})


def test_a_replay_runs_nothing_that_a_trace_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that is missing stays missing; it is never fetched from the live thing."""

    def refuse(*_args: object, **_more: object) -> None:
        raise AssertionError("a replay ran something")

    for module, name in [(subprocess, "Popen"), (os, "system"), (socket, "socket")]:
        monkeypatch.setattr(module, name, refuse)
    target = tmp_path / "made"
    command = json.dumps({"command": f"touch {target}"})
    written = json.dumps({"path": str(target), "content": "x"})
    text = wire(
        tool("tool_dispatch", "a", "bash", args=command),
        tool("tool_dispatch", "b", "write_file", args=written),
    )
    found = replay(tmp_path, text, rules="contract")

    assert ["unanswered_call", "unanswered_call"] == [one.code for one in found.diagnostics]
    assert not target.exists()


def test_of_one_kind_of_remark_only_the_first_are_listed() -> None:
    """A damaged file of a million lines must not bury the rest of a report."""
    log = EventLog("a")
    log.session("s", "neutral/1")
    for number in range(MOST_OF_A_KIND + 3):
        log.line = number
        log.note("bad_line", "torn")
    log.note("bad_args", "no JSON")
    log.finish()

    found = [(one.code, one.text) for one in log.drain() if isinstance(one, Diag)]
    assert MOST_OF_A_KIND == found.count(("bad_line", "torn"))
    assert [("bad_args", "no JSON"), ("bad_line", "3 more of these were not listed")] == found[-2:]
