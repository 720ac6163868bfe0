"""Conversations of sub-agents: their names are used once, and nobody looks at all that are open."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_conformance.readers.building import scopes
from reasonix_conformance.readers.building.builder import Builder
from reasonix_conformance.readers.building.pairing import Scope
from reasonix_conformance.readers.building.scopes import Scopes
from reasonix_conformance.readers.hosts.outcomes import Grade
from reasonix_runtime.trace.events import Event, Session, SubEnd, SubStart, ToolCall, ToolResult


def test_an_id_that_was_used_before_gets_a_number() -> None:
    """Also the name of the main conversation, and one that looks like a numbered id."""
    opened = Scopes()

    names = [opened.begin(native, "main#1") for native in ("a", "a~2", "a", "main", "", "")]

    assert ["a", "a~2", "a~3", "main~2", "", "~2"] == names
    opened.end("a", "main#1")
    assert ["a~4", "b"] == [opened.begin(native, "main#1") for native in ("a", "b")]


def test_names_are_used_once_however_many_there_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids that were used long ago are forgotten, so that memory does not grow with a session."""
    monkeypatch.setattr(scopes, "MOST_REMEMBERED", 8)
    opened, names = Scopes(), []
    for number in range(500):
        native = f"c{number % 3}" if number % 2 else f"c{number % 70}"
        names.append(opened.begin(native, "main#1"))
        opened.end(names[-1], "main#1")
        assert len(opened._used) <= 16

    assert len(names) == len(set(names))
    assert [{}, {}] == [opened._by_call, opened._by_scope]


def test_sub_agents_are_told_by_their_call_and_by_its_conversation() -> None:
    """In the order in which they began."""
    opened = Scopes()
    for native, parent in (("a", "main#1"), ("b", "main#2"), ("c", "main#1"), ("d", "a#1")):
        opened.begin(native, parent)

    assert ["a", "c"] == opened.started_by("main#1")
    assert ["a", "b", "c"] == opened.inside("main")
    assert ["d"] == opened.inside("a") == opened.started_by("a#1")
    opened.end("a", "main#1")
    assert ["c"] == opened.started_by("main#1")
    assert [] == opened.inside("c") == opened.started_by("main#3")


def test_a_sub_agent_ends_with_the_ones_that_it_started() -> None:
    """Of what the inner one still ran nobody tells an end: its call has no result."""
    build = Builder("t")
    build.session("s", "test")
    task = build.call("a", "task", "{}", step="s")
    outer = build.child("outer", task)
    inner = build.child("inner", build.call("b", "task", "{}", step="s", scope=outer))
    check = build.call("c", "bash", "{}", step="s", scope=inner)

    build.end_child(outer)

    told = build.drain()
    assert [inner, outer] == [event.scope for event in told if isinstance(event, SubEnd)]
    assert (check, "none") in [(e.uid, e.outcome) for e in told if isinstance(e, ToolResult)]


def test_a_session_that_follows_begins_at_the_line_where_it_was_met() -> None:
    """Its reader finds out in the middle of a record, whose line is told already."""
    build = Builder("t")
    build.session("s", "test")
    build.line = 7

    following = build.successor()
    following.session("later", "test")

    assert [(None, "s"), (7, "later")] == [
        (one.src.line if one.src else None, one.sid)
        for one in following.drain()
        if isinstance(one, Session)
    ]


def test_a_call_is_given_again_when_more_is_known_of_it_and_then_alone() -> None:
    """What is told twice is told once, and what was known before is not forgotten."""
    build = Builder("t")
    build.session("s", "test")
    uid = build.call("a", "use_capability", '{"arguments": {"path": "x"}}', step="s")
    news: list[tuple[str | None, bool | None]] = [
        (None, None),
        ("use_capability", None),
        ("ls", None),
        ("ls", None),
        (None, True),
        ("ls", True),
        ("ls", True),
        (None, None),
    ]

    for target, read_only in news:
        build.refresh(uid, read_only=read_only, target=target)

    calls = [event for event in build.drain() if isinstance(event, ToolCall)]
    assert [(None, None), ("ls", None), ("ls", True), ("ls", True)] == [
        (call.resolved_name, call.read_only) for call in calls
    ]
    assert ({"path": "x"}, True) == (calls[-1].resolved_args, calls[-1].resolved_read_only)


class Looked(Scope):
    """A conversation that counts how often somebody looks at what started it."""

    looks = 0

    def __getattribute__(self, name: str) -> Any:
        Looked.looks += name == "parent_uid"
        return super().__getattribute__(name)


def answered(sub_agents: int) -> list[Event]:
    """Return what is told of so many sub-agents, all begun before the first one is answered."""
    build = Builder("t")
    build.session("s", "test")
    for number in range(sub_agents):
        build.call(f"c{number}", "task", "{}", step="s")
    for number in range(sub_agents):
        build.child(f"c{number}", f"main#{number + 1}")
    for number in range(sub_agents):
        build.result(f"c{number}", Grade("ok", "flag"), "done")
    return build.drain()


def test_a_result_does_not_look_at_the_sub_agents_of_other_calls(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A response may start thousands of them."""
    monkeypatch.setattr(scopes, "Scope", Looked)
    looks = []
    for sub_agents in (50, 100):
        Looked.looks = 0
        stream = answered(sub_agents)
        looks.append(Looked.looks)

        begun = [event.scope for event in stream if isinstance(event, SubStart)]
        assert begun == [event.scope for event in stream if isinstance(event, SubEnd)]

    assert looks[0] * 2 >= looks[1] > 0
