"""Whatever is called and however, a call comes back with one result and one receipt."""

from __future__ import annotations

import hashlib
import json
import logging
import sys
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench

from reasonix_runtime.contract.entry import ContractEntry
from reasonix_runtime.evidence.result_text import RESULT_LIMIT, bound, reference
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.state import HostState
from reasonix_runtime.tools.context import Arguments, Context, Output
from reasonix_runtime.tools.dispatch import Toolbox
from reasonix_runtime.tools.errors import InvalidCallError
from reasonix_runtime.tools.registry import default_registry
from reasonix_runtime.tools.support.arguments import read_arguments
from reasonix_runtime.tools.support.cancellation import Cancellation
from reasonix_runtime.tools.support.workspace import Workspace
from reasonix_runtime.trace.events import ToolCall, ToolResult

ENTRIES = {entry.name: entry for entry in default_registry().entries()}


def refused(tool: str, arguments: Any) -> list[str]:
    """Return the lines of the refusal, without the head."""
    with pytest.raises(InvalidCallError) as caught:
        read_arguments(arguments, ENTRIES[tool])
    return caught.value.message.split("\n")[1:] or [caught.value.message]


@pytest.mark.parametrize("nothing", [None, "", "  \n", "null", {}, "{}"])
def test_nothing_at_all_is_an_empty_object(nothing: Any) -> None:
    """Models send an empty text for a tool that needs nothing."""
    assert read_arguments(nothing, ENTRIES["ls"]) == {}
    with pytest.raises(InvalidCallError, match="expected the key 'path'"):
        read_arguments(nothing, ENTRIES["read_file"])


@pytest.mark.parametrize(
    ("tool", "arguments", "lines"),
    [
        ("write_file", {"path": "a"}, ["- arguments: expected the key 'content', found none"]),
        (
            "read_file",
            {"file_path": "a"},
            ["- arguments: expected the key 'path', found none (nearest: 'file_path')"],
        ),
        ("read_file", {"path": 3}, ["- path: expected a string, found 3"]),
        ("read_file", {"path": "a", "limit": 0}, ["- limit: expected at least 1, found 0"]),
        (
            "read_file",
            {"path": "a", "limit": True},
            ["- limit: expected a whole number, found true"],
        ),
        ("read_file", {"path": "a", "limit": 1.5}, ["- limit: expected a whole number, found 1.5"]),
        (
            "read_file",
            {"path": "a", "limit": None},
            ["- limit: expected a whole number, found null"],
        ),
        ("read_file", [1], ["- arguments: expected an object, found [1]"]),
        (
            "multi_edit",
            {"path": "a", "edits": [{"old_string": "x", "new_strin": "y"}]},
            ["- edits[0]: expected the key 'new_string', found none (nearest: 'new_strin')"],
        ),
        (
            "multi_edit",
            {"path": "a", "edits": []},
            ["- edits: expected at least 1 item(s), found []"],
        ),
        (
            "code_index",
            {"action": "serch"},
            ['- action: expected one of "outline", "search" (nearest: \'search\'), found "serch"'],
        ),
        (
            "compress",
            {"direction": "before", "anchor": "x", "focsu": "y"},
            [
                "- arguments: expected only anchor, direction, focus, found 'focsu' "
                "(nearest: 'focus')"
            ],
        ),
        (
            "write_file",
            {},
            [
                "- arguments: expected the key 'path', found none",
                "- arguments: expected the key 'content', found none",
            ],
        ),
    ],
)
def test_a_refusal_says_where_what_was_expected_and_what_was_found(
    tool: str, arguments: Any, lines: list[str]
) -> None:
    """A model mends a call in one step only when the message points at the fault."""
    assert sorted(lines) == sorted(refused(tool, arguments))


def test_at_most_eight_violations_are_told() -> None:
    """A list of a hundred faults is the same fault a hundred times."""
    lines = refused("todo_write", {"todos": [{"content": 1, "status": "pending"}] * 20})

    assert len(lines) == 9
    assert lines[-1] == "- and 12 more"


def test_a_message_about_arguments_stays_small() -> None:
    """The arguments themselves may be megabytes."""
    with pytest.raises(InvalidCallError) as caught:
        read_arguments({"path": ["x" * 100_000] * 9}, ENTRIES["read_file"])

    assert len(caught.value.message.encode()) <= 4096


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        ('{"files":["a.md","b.md"', "cut off after 23 characters"),
        ('{"path": "a', "cut off"),
        ('{"path":', "cut off"),
        ("{path: a}", 'not valid JSON at line 1 column 2 .*read_file takes {"path": string'),
        ('{"path": "a"} x', "not valid JSON at line 1 column 15"),
        ('{"path": "a", "path": "b"}', "the key 'path' is given twice"),
        ('{"path": "a", "limit": NaN}', "NaN is no JSON value"),
        ('{"path": "\\ud83d"}', "half of a surrogate pair"),
        ("[" * 100_000, "nested too deeply"),
        (b'{"path": "\xff"}', "utf-8"),
    ],
)
def test_broken_json_is_never_completed_nor_guessed(raw: Any, says: str) -> None:
    """Arguments that were cut off and repaired would write half a file."""
    with pytest.raises(InvalidCallError, match=says):
        read_arguments(raw, ENTRIES["read_file"])


def test_whole_numbers_written_with_a_point_are_whole_numbers() -> None:
    """JSON does not tell 2.0 from 2, and some models write it so."""
    assert read_arguments('{"path":"a","offset":2.0}', ENTRIES["read_file"]) == {
        "path": "a",
        "offset": 2,
    }
    assert isinstance(
        read_arguments({"path": "a", "offset": 2.0}, ENTRIES["read_file"])["offset"], int
    )


def test_arguments_are_refused_before_anything_runs(bench: Bench) -> None:
    """A missing body is not an empty body: the file must keep its content."""
    bench.put("a", "kept")

    message = bench.fails("write_file", path="a")

    assert (
        message
        == "invalid args for write_file:\n- arguments: expected the key 'content', found none\n"
    )
    assert bench.get("a") == b"kept"
    bench.ok("write_file", path="a", content="")
    assert bench.get("a") == b""


def test_an_unknown_tool_answers_with_the_nearest_name(bench: Bench) -> None:
    """The next call of the model should be the right one."""
    message = bench.fails("read_fil", path="a")

    assert message == "unknown tool \"read_fil\" (did you mean 'read_file'?)\n"


class Toys:
    """Toolboxes whose `ls` does what a test wants."""

    @staticmethod
    def box(tmp_path: Any, behaviour: Any, **context: Any) -> tuple[Toolbox, list[Any]]:
        events: list[Any] = []
        box = Toolbox(
            Context(workspace=Workspace(tmp_path), **context),
            state=HostState(CONTRACT),
            behaviours={"ls": behaviour},
            listener=events.append,
        )
        return box, events


@pytest.mark.parametrize("fault", [ZeroDivisionError, KeyError, RecursionError, OSError])
def test_a_tool_that_raises_does_not_end_the_loop(
    tmp_path: Any, caplog: pytest.LogCaptureFixture, fault: type[Exception]
) -> None:
    """A fault of ours is told in short to the model and with its trace to us."""

    def broken(arguments: Arguments, context: Context) -> Output:
        raise fault("secret detail")

    box, events = Toys.box(tmp_path, broken)
    with caplog.at_level(logging.ERROR):
        result = box.call("ls")

    assert result.text == f"error: internal error in ls: {fault.__name__}\n"
    assert "secret detail" in caplog.text
    assert [type(event).__name__ for event in events] == ["ToolCall", "ToolResult"]


def test_a_missing_package_is_named_with_the_way_to_get_it(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare installation has no libraries for every tool."""
    monkeypatch.setitem(sys.modules, "httpx", None)

    assert bench.fails("web_fetch", url="http://127.0.0.1/") == (
        "web_fetch needs the package httpx; install reasonix-conformance[host]\n"
    )


def test_an_interrupt_passes_and_the_call_still_has_its_result(tmp_path: Any) -> None:
    """A call without a result makes the whole conversation unusable."""

    def interrupted(arguments: Arguments, context: Context) -> Output:
        raise KeyboardInterrupt

    box, events = Toys.box(tmp_path, interrupted)
    with pytest.raises(KeyboardInterrupt):
        box.call("ls")

    assert (events[1].uid, events[1].outcome) == ("main#1", "cancelled")


def test_a_cancelled_turn_runs_nothing(bench: Bench) -> None:
    """What the user stopped must not happen a moment later."""
    bench.context.cancellation.cancel()

    result = bench.call("write_file", path="a", content="x")

    assert (
        result.outcome,
        result.text,
    ) == ("cancelled", "cancelled: context cancelled before execution")
    assert not (bench.root / "a").exists()


def test_every_call_is_announced_and_answered_once(bench: Bench) -> None:
    """The log of a live run is what a replay reads."""
    bench.put("a", "x\n")
    bench.box.call("read_file", '{"path": "a"}', call_id="c1", step="m1")
    bench.box.call("read_file", '{"path"', call_id="c2")
    bench.box.call("nothing")

    calls = [event for event in bench.events if isinstance(event, ToolCall)]
    results = [event for event in bench.events if isinstance(event, ToolResult)]
    assert [call.uid for call in calls] == ["main#1", "main#2", "main#3"]
    assert [call.uid for call in calls] == [result.uid for result in results]
    assert (
        calls[0].native_id,
        calls[0].step,
        calls[0].args,
        calls[0].read_only,
    ) == ("c1", "m1", {"path": "a"}, True)
    assert (calls[1].args, calls[1].args_raw, calls[1].args_ok) == (None, '{"path"', False)
    assert [result.outcome for result in results] == ["ok", "error", "error"]


def test_a_short_result_is_passed_unchanged() -> None:
    """The bound is for what does not fit, and 32768 bytes fit."""
    body = "x" * RESULT_LIMIT

    assert body == bound(body, tool="t", call_id="c").text


@pytest.mark.parametrize("letter", ["x", "é", "中", "😀"])
@pytest.mark.parametrize("size", [RESULT_LIMIT + 1, 50_000, 200_000])
def test_a_long_result_keeps_head_and_tail_around_the_marker(letter: str, size: int) -> None:
    """Cut inside a character, or one byte too long, it would be cut again or unreadable."""
    body = "start" + letter * (size // len(letter.encode())) + "end"

    bounded = bound(body, tool="bash", call_id="call_1")

    data = bounded.text.encode()
    original = len(body.encode())
    head, marker, tail = bounded.text.split("\n\n")
    assert RESULT_LIMIT - 16 <= len(data) <= RESULT_LIMIT
    assert body.startswith(head)
    assert body.endswith(tail)
    assert abs(len(head.encode()) - len(tail.encode())) <= 8
    assert bounded.kept == len(head.encode()) + len(tail.encode())
    ref = "tr-" + hashlib.sha256(b"call_1\0" + body.encode()).hexdigest()[:24]
    assert marker.startswith(
        f"…[truncated tool=bash call_id=call_1 result_ref={ref} "
        f"original_bytes={original} kept_bytes={bounded.kept} — "
    )
    assert marker.endswith("]…")
    assert 'capability_id="session:tool_result"' in marker
    assert bounded.ref == ref == reference("call_1", body.encode())


def test_long_names_and_ids_do_not_eat_the_result() -> None:
    """Both come from outside and may be of any length."""
    bounded = bound("x" * 40_000, tool="t" * 500, call_id="c" * 500)

    assert f"tool={'t' * 128} call_id=(id too long) result_ref=" in bounded.text
    assert f"call_id={'c' * 128} " in bound("x" * 40_000, tool="t", call_id="c" * 200).text


def test_a_cut_result_tells_the_host_where_the_rest_is(bench: Bench) -> None:
    """The complete body stays with the session; nothing is lost by showing less."""
    bench.put("big", "line\n" * 20_000)

    result = bench.box.call("read_file", {"path": "big", "limit": 20_000}, call_id="c9")

    event = bench.events[-1]
    assert isinstance(event, ToolResult)
    assert event.truncated is not None
    assert len(result.text.encode()) <= RESULT_LIMIT < len(result.body)
    assert (event.text, event.truncated.ref) == (result.body, result.ref)


def test_two_agents_share_a_state_and_keep_their_numbers_apart(tmp_path: Any) -> None:
    """A sub-agent's calls are its own."""
    cancellation = Cancellation()
    box, _ = Toys.box(tmp_path, lambda a, c: Output(text="x"), cancellation=cancellation)

    assert [box.call("ls").uid, box.call("ls").uid] == ["main#1", "main#2"]


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-5, 400)
    | st.floats(allow_nan=False)
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_no_arguments_at_all_make_dispatch_raise(bench: Bench, data: st.DataObject) -> None:
    """Models send anything; the answer is always a result."""
    bench.begin_turn()
    entry: ContractEntry = ENTRIES[data.draw(st.sampled_from(["read_file", "ls", "wait", "glob"]))]
    names = list(json.loads(entry.schema)["properties"])
    arguments = data.draw(st.dictionaries(st.sampled_from(names), VALUES, max_size=4) | VALUES)

    result = bench.box.call(entry.name, arguments)

    assert result.outcome in {"ok", "error"}
    assert "internal error" not in result.text
