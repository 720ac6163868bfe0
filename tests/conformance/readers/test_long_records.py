"""Files of any size: what a reader keeps does not grow with them, and what it gives up is told."""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from read_records import notes, read
from trace_samples import lines

from reasonix_conformance.readers import acp
from reasonix_conformance.readers.building import beside, pairing
from reasonix_conformance.readers.building.beside import Beside
from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.lately import Lately
from reasonix_conformance.readers.claude import sessions
from reasonix_conformance.readers.claude.children import Children
from reasonix_conformance.readers.codex import rollouts
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.formats import events
from reasonix_conformance.readers.model_apis import conversations
from reasonix_conformance.readers.reasonix import log_records
from reasonix_runtime.trace.events import Event, Session, ToolCall, ToolResult

Record = dict[str, Any]
MANY = 400
"""Sessions, records or answers of a file that is long for the bounds that these tests set."""


def calls(stream: list[Event]) -> list[str | None]:
    return [event.native_id for event in stream if isinstance(event, ToolCall)]


def session_count(stream: list[Event]) -> int:
    return sum(isinstance(event, Session) for event in stream)


def most(monkeypatch: pytest.MonkeyPatch, kind: type, method: str) -> list[int]:
    """Note the size of what an object of a kind keeps each time that a method was called."""
    sizes: list[int] = []
    inner = getattr(kind, method)

    def counted(self: Any, *args: Any) -> Any:
        result = inner(self, *args)
        sizes.append(len(self) if hasattr(self, "__len__") else len(self.open))
        return result

    monkeypatch.setattr(kind, method, counted)
    return sizes


def watched(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that the numbers of the records come into as a reader takes them."""
    numbers: list[int] = []
    inner = Recording.records

    def counted(self: Recording) -> Iterator[tuple[int, Any]]:
        for number, record in inner(self):
            numbers.append(number)
            yield number, record

    monkeypatch.setattr(Recording, "records", counted)
    return numbers


def test_of_what_was_met_the_last_is_known_and_the_first_forgotten() -> None:
    lately: Lately[int, str] = Lately(3)
    for number in range(20):
        lately.put(number, f"v{number}")
        known = [key for key in range(20) if key in lately]

        assert known[-3:] == list(range(max(0, number - 2), number + 1))
        assert len(known) == len(lately) <= 6
    assert ["v17", "v18", "v19", None] == [lately.get(key) for key in (17, 18, 19, 0)]


# -- Claude Code


def claude(number: int, kind: str, content: Any, **more: Any) -> Record:
    return {
        "type": kind,
        "uuid": f"u{number}",
        "sessionId": "s",
        "isSidechain": False,
        "message": {"role": kind, "id": f"m{number}", "content": content},
        **more,
    }


def claude_calls(count: int, first: int = 1) -> list[Record]:
    """Return a turn of calls with their results, two records each."""
    found = [claude(0, "user", "go")] if first == 1 else []
    for number in range(first, first + count):
        use = {"type": "tool_use", "id": f"t{number}", "name": "Read", "input": {}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": "x"}
        found.append(claude(2 * number, "assistant", [use]))
        found.append(claude(2 * number + 1, "user", [result]))
    return found


def test_the_records_of_a_session_that_are_remembered_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST_REMEMBERED", 8)
    monkeypatch.setattr(pairing, "REMEMBERED", 8)
    sizes = most(monkeypatch, Lately, "put")

    assert MANY == len(calls(read(tmp_path, *claude_calls(MANY))))
    assert 8 < max(sizes) <= 16


@pytest.mark.parametrize(("repeated", "told"), [(4, MANY), (20, MANY + 20)])
def test_a_repetition_is_left_out_as_far_as_it_is_remembered(
    repeated: int, told: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was forgotten is told again, and the ids that are used again are counted."""
    monkeypatch.setattr(sessions, "MOST_REMEMBERED", 8)
    records = claude_calls(MANY)
    stream = read(tmp_path, *records, *records[-2 * repeated :])

    assert told == len(calls(stream))
    assert ["duplicate_result" if told == MANY else "repeated_call_id"] == notes(stream)


def side(number: int, parent: str | None, kind: str, content: Any) -> Record:
    return claude(number, kind, content, isSidechain=True, parentUuid=parent)


def task_with_side_chain(number: int) -> Iterator[Record]:
    """Yield a call of a sub-agent, what it did, and the result: six records."""
    first, ident = 10 * number, f"task{number}"
    use = {"type": "tool_use", "id": ident, "name": "Task", "input": {"prompt": f"p{number}"}}
    inner = {"type": "tool_use", "id": f"in{number}", "name": "Read", "input": {}}
    done = {"type": "tool_result", "tool_use_id": f"in{number}", "content": "x"}
    yield claude(first, "assistant", [use])
    yield side(first + 1, None, "user", f"p{number}")
    yield side(first + 2, f"u{first + 1}", "assistant", [inner])
    yield side(first + 3, f"u{first + 2}", "user", [done])
    yield claude(
        first + 4, "user", [{"type": "tool_result", "tool_use_id": ident, "content": "done"}]
    )


def test_the_side_chains_of_a_long_turn_are_forgotten_with_their_calls(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sessions, "MOST_REMEMBERED", 8)
    open_chains: list[int] = []
    inner = sessions._ClaudeReader._scope

    def counted(self: Any, record: Any) -> str:
        scope = inner(self, record)
        open_chains.append(len(self._chains))
        return scope

    monkeypatch.setattr(sessions._ClaudeReader, "_scope", counted)
    records = [claude(1, "user", "go")]
    for number in range(1, MANY):
        records += task_with_side_chain(number)
    stream = read(tmp_path, *records)
    inside = [e.uid for e in stream if isinstance(e, ToolCall) and not e.uid.startswith("main#")]

    assert MANY - 1 == len(inside) == len({uid.partition("#")[0] for uid in inside})
    assert 1 == max(open_chains)


def test_what_a_sub_agent_did_is_given_while_its_file_is_read(tmp_path: Path) -> None:
    """Its file may be as long as that of the session."""
    session = tmp_path / "s.jsonl"
    use = {"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "p"}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": "done"}
    last = claude(3, "user", [result], toolUseResult={"agentId": "a"})
    session.write_text(lines(claude(1, "user", "go"), claude(2, "assistant", [use]), last))
    child = tmp_path / "s" / "subagents" / "agent-a.jsonl"
    child.parent.mkdir(parents=True)
    child.write_text(lines(*claude_calls(MANY, first=2)))
    recording = Recording(path=session, shown="s")
    reader = sessions._ClaudeReader(recording, Builder("s"), Children(recording))
    given = []
    for record in (claude(1, "user", "go"), claude(2, "assistant", [use]), last):
        for event in reader.take(record):
            given.append(event)
            assert len(reader.build.out) < 4

    assert MANY == sum(isinstance(event, ToolResult) for event in given)


# -- Codex


def rollout(kind: str, **payload: Any) -> Record:
    return {"timestamp": "2026-03-01T10:00:00Z", "type": kind, "payload": payload}


@pytest.mark.parametrize("marked", [True, False], ids=["turns", "prompts"])
def test_what_is_known_of_calls_without_an_output_ends_with_their_turn(
    marked: bool, tmp_path: Path
) -> None:
    reader = rollouts._CodexReader(Recording(path=tmp_path, shown="trace"))
    for number in range(MANY):
        if marked:
            reader.take(rollout("event_msg", type="task_started", turn_id=f"t{number}"))
        reader.take(rollout("response_item", type="message", role="user", content="go"))
        call = {"call_id": f"c{number}", "name": "exec_command", "arguments": "{}"}
        reader.take(rollout("response_item", type="function_call", **call))
        reader.take(
            rollout("event_msg", type="exec_command_end", call_id=f"c{number}", exit_code=0)
        )

        assert [f"c{number}"] == list(reader._grades)
        if marked:
            reader.take(rollout("event_msg", type="turn_aborted", reason="interrupted"))


# -- sessions that stand beside one another


def request(number: int, *more: Record) -> Record:
    """Return a request of a conversation of its own, with one call."""
    ident = f"c{number}"
    call = {"id": ident, "type": "function", "function": {"name": "f", "arguments": "{}"}}
    return {
        "messages": [
            {"role": "user", "content": f"conversation {number}"},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": ident, "content": "x" * 100},
            *more,
        ]
    }


def prompt(number: int, text: str = "") -> list[Record]:
    """Return a prompt of a session of its own, with one call."""
    sid = f"s{number}"

    def update(**told: Any) -> Record:
        params = {"sessionId": sid, "update": told}
        return {"jsonrpc": "2.0", "method": "session/update", "params": params}

    asked = {"sessionId": sid, "prompt": [{"type": "text", "text": f"go {text}"}]}
    ident = f"c{number}{text}"
    return [
        {"jsonrpc": "2.0", "id": number, "method": "session/prompt", "params": asked},
        update(sessionUpdate="tool_call", toolCallId=ident, title="bash", rawInput={}),
        {"jsonrpc": "2.0", "id": 10**6, "result": {"outcome": {"outcome": "selected"}}},
        update(sessionUpdate="tool_call_update", toolCallId=ident, status="completed"),
        {"jsonrpc": "2.0", "id": number, "result": {"stopReason": "end_turn"}},
    ]


FILES = [
    pytest.param([request(number) for number in range(MANY)], id="requests"),
    pytest.param([r for number in range(MANY) for r in prompt(number)], id="acp"),
]


@pytest.mark.parametrize("records", FILES)
@pytest.mark.parametrize(("told", "by_itself", "most_open"), [(4096, 0, 40), (40960, 4096, 12)])
def test_sessions_that_are_silent_for_long_wait_no_longer(
    records: list[Record],
    told: int,
    by_itself: int,
    most_open: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The same sessions are told as without a bound, and only so many of them are open."""
    whole = read(tmp_path, *records)
    monkeypatch.setattr(beside, "MOST_WAITING", told)
    monkeypatch.setattr(beside, "SESSION", by_itself)
    sizes = most(monkeypatch, Beside, "heard")
    stream = read(tmp_path, *records)

    assert 4 < max(sizes) < most_open
    assert MANY == session_count(stream) == session_count(whole)
    assert calls(whole) == calls(stream)
    assert ["several_sessions"] == notes(stream)


def test_a_request_is_compared_with_what_begins_as_it_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not with every conversation of the file."""
    compared: list[int] = []
    inner = conversations.common_start

    def counted(one: list[bytes], other: list[bytes]) -> int:
        compared.append(1)
        return inner(one, other)

    monkeypatch.setattr(conversations, "common_start", counted)
    read(tmp_path, *(request(number) for number in range(MANY)))

    assert len(compared) <= 2 * MANY


def test_an_answer_is_held_against_the_open_prompts_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    inner = acp._AcpReader.is_answer

    def counted(self: Any, record: Any) -> bool:
        asked.append(1)
        return inner(self, record)

    monkeypatch.setattr(acp._AcpReader, "is_answer", counted)
    read(tmp_path, *(record for number in range(MANY) for record in prompt(number)))

    assert len(asked) <= 4 * MANY


def test_a_session_that_goes_on_after_all_begins_in_the_middle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it did before is told already, and is no more at hand."""
    monkeypatch.setattr(beside, "MOST_WAITING", 4096)
    records = [record for number in range(MANY) for record in prompt(number)]
    stream = read(tmp_path, *records, *prompt(0, "again"))

    assert MANY + 1 == session_count(stream)
    assert ["several_sessions", "mid_chain_start"] == notes(stream)


def test_a_conversation_that_goes_on_after_all_is_told_as_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its request holds the whole history, so nothing is missing from it."""
    monkeypatch.setattr(beside, "MOST_WAITING", 4096)
    records = [request(number) for number in range(MANY)]
    stream = read(tmp_path, *records, request(0, {"role": "user", "content": "more"}))

    assert MANY + 1 == session_count(stream)
    assert ["c0", f"c{MANY - 1}", "c0"] == [calls(stream)[at] for at in (0, -2, -1)]
    assert ["several_sessions"] == notes(stream)


def response(number: int, after: str | None, text: str = "x" * 100) -> Record:
    call = {"type": "function_call", "call_id": f"c{number}", "name": "f", "arguments": "{}"}
    result = {"type": "function_call_output", "call_id": f"c{number}", "output": text}
    given = {"input": [result], **({"previous_response_id": after} if after else {})}
    answer = {"id": f"r{number}", "output": [{**call, "call_id": f"c{number + 1}"}]}
    return {**given, "response": answer}


def test_answers_that_a_record_may_go_on_from_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that goes on from a forgotten one begins in the middle."""
    monkeypatch.setattr(conversations, "MOST_ANSWERS", 8)
    monkeypatch.setattr(pairing, "REMEMBERED", 8)
    sizes = most(monkeypatch, Lately, "put")
    chain = [response(n, f"r{n - 1}" if n else None) for n in range(MANY)]
    stream = read(tmp_path, *chain, response(MANY, "r3"))

    assert 8 < max(sizes) <= 16
    assert MANY + 1 == len(calls(stream))
    assert 2 == session_count(stream)
    assert 1 == notes(stream).count("mid_chain_start")


def test_the_marks_of_messages_that_stand_alone_are_bounded(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(conversations, "MOST_MARKED", 8)
    known = conversations.Conversations()
    for number in range(MANY):
        message = {"role": "user", "content": f"text {number}"}
        added = known.add(conversations.Request([message], after="before", ident="before"))

        assert (0, [message]) == (added.talk, added.fresh)
    assert 8 == len(known._told[0].marks)

    whole = [{"role": "user", "content": f"other {number}"} for number in range(20)]
    assert 1 == known.add(conversations.Request(whole, ident="whole")).talk
    known.add(conversations.Request(whole[:15], after="whole", ident="whole"))
    assert 20 == len(known._told[1].marks)


# -- branching logs


class Said(dict[str, Any]):
    """A message that can be asked whether somebody still has it."""


def logged(ident: str, parent: str | None, content: str, **more: Any) -> Record:
    message = Said(role="user", content=content)
    record = {"schema_version": 2, "type": "message", "id": ident, "msgs": [message], **more}
    return record if parent is None else {**record, "parent": parent}


def test_the_tree_of_a_branching_log_keeps_no_message() -> None:
    tree = log_records._Tree()
    record = logged("m1", None, "text")
    patch = {"type": "patch", "target": "m1", "msgs": [Said(role="user", content="other")]}
    kept = [weakref.ref(record["msgs"][0]), weakref.ref(patch["msgs"][0])]
    tree.add(1, record)
    tree.add(2, patch)
    del record, patch

    assert [None, None] == [one() for one in kept]
    assert ([0], 0) == (list(tree.live()[0]), tree.live()[1])


def test_a_parent_may_stand_behind_its_child() -> None:
    tree = log_records._Tree()
    for line, (ident, parent) in enumerate([("c", "b"), ("a", None), ("b", "a"), ("c", "b")], 1):
        tree.add(line, logged(ident, parent, "text"))

    assert ["a", "b", "c"] == [["c", "a", "b"][entry] for entry in tree.live()[0]]

    late = log_records._Tree()
    for line, (ident, parent) in enumerate([("c", "b"), ("b", None)], 1):
        late.add(line, logged(ident, parent, "text", head=ident))
    late.add(3, {"type": "select", "head": "c"})

    assert [1, 0] == list(late.live()[0])

    late.add(4, logged("c", None, "text", head="c"))
    assert [0] == list(late.live()[0])


def test_a_branching_log_is_told_as_it_is_read_for_the_second_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Messages come with their last word, in the order of the live head, and wait no longer."""
    records = [logged("m0", None, "text 0"), logged("gone", "m0", "left", head="fork")]
    for number in range(1, MANY):
        records.append(logged(f"m{number}", f"m{number - 1}", f"text {number}"))
        if number % 3 == 0:
            patched = logged("", None, f"patched {number - 1}")
            records.append({**patched, "type": "patch", "target": f"m{number - 1}"})
    file = tmp_path / "trace"
    file.write_text(lines(*records))
    ahead = watched(monkeypatch)
    recording = Recording(path=file, shown="trace")
    build = Builder("trace")
    texts = []
    for step in log_records.log_2_steps(recording, build):
        texts += [str(message.content) for message in step.messages]
        if texts:
            assert build.line is not None
            assert 0 <= ahead[-1] - build.line <= 2

    expected = [f"{'patched' if n % 3 == 2 else 'text'} {n}" for n in range(MANY)]
    expected[MANY - 1] = f"text {MANY - 1}"
    assert expected == texts


# -- ATIF


def trajectory(number: int) -> Record:
    steps = [{"source": "user", "message": "go"}]
    return {"schema_version": "ATIF-v1.6", "session_id": f"s{number}", "steps": steps}


@pytest.mark.parametrize("first", ["", "a banner\n", "{broken\n"])
def test_trajectories_are_given_as_they_are_read(
    first: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "trace"
    file.write_text(first + lines(*map(trajectory, range(MANY))))
    numbers = watched(monkeypatch)
    stream = events(Recording(path=file, shown="trace"), format_in="atif")
    sids = []
    for event in stream:
        if isinstance(event, Session):
            sids.append(event.sid)
            assert numbers[-1] <= len(sids) + 2

    assert [f"s{number}" for number in range(MANY)] == sids[-MANY:]
    assert len(sids) == MANY + bool(first)
