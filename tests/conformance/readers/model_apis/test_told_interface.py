"""Which interface of a model a log of requests is of."""

from __future__ import annotations

import json

import pytest
from request_records import ANSWER, CHUNKS, SAYS, Record, asks, user, uses
from trace_samples import lines

from reasonix_conformance.readers.detection.detect import detect


@pytest.mark.parametrize(
    ("record", "name"),
    [
        ({"messages": [user("a"), uses("1", "f")]}, "anthropic-messages"),
        ({"messages": [user("a")], "response": uses("1", "f")}, "anthropic-messages"),
        ({"messages": [user("a")], "response": {"stop_reason": "end_turn"}}, "anthropic-messages"),
        ({"messages": [user("a"), asks("1", "f")]}, "chat-requests"),
        ({"messages": [user("a")]}, "chat-requests"),
        ({"request": {"body": {"messages": [user("a")]}}}, "chat-requests"),
        (CHUNKS[0], "chat-requests"),
        ({"record_type": "state"}, "codex"),
        ({"id": "x", "timestamp": "2025-06-01T00:00:00Z", "instructions": None}, "codex"),
    ],
)
def test_a_request_tells_its_interface(record: Record, name: str) -> None:
    """By what its messages hold, in one record as in many."""
    assert name == detect(json.dumps(record).encode() + b"\n")


@pytest.mark.parametrize("key", ["messages", "traj"])
@pytest.mark.parametrize(
    ("message", "name"),
    [(uses("1", "f"), "anthropic-messages"), (asks("1", "f"), "chat-completions-document")],
)
def test_the_messages_of_a_document_tell_its_interface(
    key: str, message: Record, name: str
) -> None:
    """Whatever the list is called."""
    assert name == detect(json.dumps({key: [user("a"), message]}, indent=1).encode())


def test_a_later_request_tells_what_the_first_did_not() -> None:
    """The first holds no more than the user's prompt."""
    records = [{"messages": [user("a")]}, {"messages": [user("a"), uses("1", "f")]}]
    assert "anthropic-messages" == detect(lines(*records).encode())


def test_an_answer_behind_a_message_is_a_message() -> None:
    """Programs keep what they were sent as it came."""
    for records in (
        [user("a"), ANSWER],
        [user("a"), SAYS | {"type": "message", "stop_reason": "x"}],
        [user("a"), SAYS | {"stop_reason": "x"}],
    ):
        assert "anthropic-messages" == detect(lines(*records).encode())
        assert "anthropic-messages" == detect(json.dumps(records, indent=1).encode())
