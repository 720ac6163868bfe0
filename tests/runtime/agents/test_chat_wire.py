"""The wire form of Chat Completions: what is sent, what is read, and what is no answer."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.agents.chat_wire import answer_of, request_bytes
from reasonix_runtime.agents.errors import MalformedError
from reasonix_runtime.agents.model import Answer, Bounds, Call, Finish, Message, Request
from reasonix_runtime.tools.registry import default_registry


def completion(message: Any, finish: Any = "stop") -> bytes:
    """Return the body of an answer."""
    choice = {"index": 0, "message": message, "finish_reason": finish}
    return json.dumps({"id": "x", "object": "chat.completion", "choices": [choice]}).encode()


def test_a_conversation_is_sent_as_the_protocol_has_it() -> None:
    """A call goes back as it came, and its result names it."""
    call = Call(id="c1", name="bash", arguments='{"command": "ls')
    request = Request(
        messages=(
            Message(role="system", text="Be brief."),
            Message(role="user", text="half \ud800"),
            Message(role="assistant", text="", calls=(call,)),
            Message(role="tool", text="error: cut", answers="c1"),
        ),
        tools=(),
    )

    assert json.loads(request_bytes(request, model="m")) == {
        "model": "m",
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "half \\ud800"},
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {
                        "id": "c1",
                        "type": "function",
                        "function": {"name": "bash", "arguments": '{"command": "ls'},
                    }
                ],
            },
            {"role": "tool", "content": "error: cut", "tool_call_id": "c1"},
        ],
    }


def test_bounds_are_sent_where_there_are_any() -> None:
    """An evaluator is asked for a short answer."""
    bounds = Bounds(temperature=0, tokens=256, seconds=30)
    sent = json.loads(request_bytes(Request(messages=(), tools=(), bounds=bounds), model="m"))

    assert {"model": "m", "messages": [], "temperature": 0, "max_completion_tokens": 256} == sent


@pytest.mark.parametrize(
    ("usage", "tokens"),
    [
        ({"total_tokens": 9, "prompt_tokens": 5, "completion_tokens": 3}, 9),
        ({"prompt_tokens": 5, "completion_tokens": 3}, 8),
        ({"total_tokens": -1}, 0),
        ({"total_tokens": True, "prompt_tokens": "5", "completion_tokens": 2.5}, 0),
        (None, 0),
        ([], 0),
    ],
)
def test_what_an_answer_cost_is_read_and_never_an_error(usage: Any, tokens: int) -> None:
    """A provider may tell anything beside a good answer."""
    body = json.loads(completion({"content": "Hi."})) | {"usage": usage}

    assert tokens == answer_of(json.dumps(body).encode()).tokens


def test_schemas_go_out_as_their_canonical_bytes() -> None:
    """The same bytes in every request are what a provider can keep."""
    entries = default_registry().entries()
    body = request_bytes(Request(messages=(), tools=entries), model="m")

    assert all(b'"parameters":' + entry.schema in body for entry in entries)
    assert [tool["function"]["name"] for tool in json.loads(body)["tools"]] == [
        entry.name for entry in entries
    ]


@pytest.mark.parametrize(
    ("message", "finish", "answer"),
    [
        ({"content": "Hi."}, "stop", Answer(text="Hi.")),
        ({"content": None, "refusal": "No."}, "stop", Answer(text="No.")),
        ({"content": [{"text": "a"}, {"type": "text", "text": "b"}]}, "stop", Answer(text="ab")),
        ({"content": [{"type": "thinking", "text": "a"}]}, "stop", Answer(text="")),
        ({}, "length", Answer(text="", finish=Finish.CUT)),
        ({"content": ""}, "content_filter", Answer(text="", finish=Finish.WITHHELD)),
        ({"content": "Hi."}, None, Answer(text="Hi.", finish=Finish.OTHER)),
        ({"content": "Hi."}, "tired", Answer(text="Hi.", finish=Finish.OTHER)),
        (
            {
                "content": None,
                "tool_calls": [
                    {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}}
                ],
            },
            "tool_calls",
            Answer(text="", calls=(Call(id="c", name="ls", arguments="{}"),), finish=Finish.CALLS),
        ),
    ],
)  # fmt: skip
def test_an_answer_is_read(message: Any, finish: Any, answer: Answer) -> None:
    """Providers differ in what they leave out."""
    assert answer == answer_of(completion(message, finish))


def call(**more: Any) -> dict[str, Any]:
    """Return a call of a message."""
    return {"id": "c", "type": "function", "function": {"name": "ls", "arguments": "{}"}, **more}


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        (["a", "b"], ["a", "b"]),
        (["", None], ["call_1", "call_2"]),
        (["a", "a", "a"], ["a", "call_2", "call_3"]),
        (["", "call_1"], ["call_1_", "call_1"]),
    ],
)
def test_calls_are_told_apart_also_where_a_server_does_not(
    given: list[str | None], ids: list[str]
) -> None:
    """Some leave their ids empty, or give all calls of an answer the same."""
    made = [call(id=ident) for ident in given]

    assert ids == [one.id for one in answer_of(completion({"tool_calls": made})).calls]


@pytest.mark.parametrize(
    ("arguments", "text"),
    [({"path": "a"}, '{"path":"a"}'), (None, ""), ('{"path": "a', '{"path": "a')],
)
def test_arguments_come_as_text_or_as_an_object(arguments: Any, text: str) -> None:
    """What is text stays as it is, JSON or not."""
    made = call(function={"name": "ls", "arguments": arguments}, type=None)
    (one,) = answer_of(completion({"tool_calls": [made]})).calls

    assert text == one.arguments


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "the answer is no chat completion: Input data was truncated"),
        (b"<html>", "JSON is malformed: invalid character (byte 0); it begins with '<html>'"),
        (b"x" * 99, f"it begins with '{'x' * 60}…'"),
        (b"\xff\xfe", "the answer is no chat completion: "),
        (b"[]", "the answer is no chat completion: Expected `object`, got `array`"),
        (b"{}", "the answer is no chat completion: Object missing required field `choices`"),
        (b'{"choices": []}', "the answer is no chat completion: it has no choices"),
        (b'{"choices": [{}]}', "Object missing required field `message` - at `$.choices[0]`"),
        (completion({"content": 7}), "Expected `str | array | null`, got `int`"),
        (completion({"tool_calls": [call(type="custom")]}), "a call of unknown type 'custom'"),
        (completion({"tool_calls": [call(function={})]}), "Object missing required field `name`"),
        (completion({"tool_calls": [call(function={"name": "l", "arguments": 7})]}), "`str | obj"),
        (b'{"error": {"message": "no model"}}', "the provider answered with an error: no model"),
        (b'{"error": {"type": "quota"}}', "the provider answered with an error: quota"),
        (b'{"error": "broke"}', "the provider answered with an error: broke"),
        (b'{"error": {}}', "the provider answered with an error: it does not say which"),
    ],
)  # fmt: skip
def test_what_is_no_answer_is_told_with_its_place(body: bytes, told: str) -> None:
    """Guessing what a provider meant would run calls that nobody made."""
    with pytest.raises(MalformedError) as failure:
        answer_of(body)

    assert told in str(failure.value)


KEYS = st.sampled_from(["choices", "message", "content", "tool_calls", "error"])
VALUES = st.recursive(
    st.none() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
)


@given(st.binary(max_size=40) | VALUES.map(lambda value: json.dumps(value).encode()))
def test_any_body_is_an_answer_or_a_malformed_one(body: bytes) -> None:
    """A provider's fault never becomes one of ours."""
    with contextlib.suppress(MalformedError):
        assert isinstance(answer_of(body), Answer)


@pytest.mark.parametrize("key", ["usage", "error"])
def test_an_answer_that_is_nested_too_deeply_is_none(key: str) -> None:
    """A provider is no more to be trusted than a recording."""
    deep = "[" * 100_000 + "]" * 100_000
    body = completion({"content": "Hi."}).decode().rstrip()[:-1] + f', "{key}": {deep}}}'

    with pytest.raises(MalformedError):
        answer_of(body.encode())
