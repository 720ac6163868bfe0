"""A model of a provider, against a real server on loopback: answers, errors, patience, the key."""

from __future__ import annotations

import json
import socket
import sys
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from chat_server import ChatServer

from reasonix_runtime.agents import chat_completions
from reasonix_runtime.agents.chat_completions import ChatCompletions, ChatSettings
from reasonix_runtime.agents.errors import (
    MalformedError,
    ModelError,
    ModelSettingsError,
    StatusError,
    UnreachableError,
)
from reasonix_runtime.agents.evaluator import evaluator_by
from reasonix_runtime.agents.model import Bounds, Message, Request, Wanted

KEY = "k-very-secret-0123456789"
HELLO = Request(messages=(Message(role="user", text="Hello"),), tools=())


class Asking:
    """A model whose pauses are counted and not waited for."""

    def __init__(self, url: str, *, key: str = "", **more: Any) -> None:
        self.pauses: list[float] = []
        self.told: list[str] = []
        settings = ChatSettings(model="m", url=url, key_variable="K" if key else None, **more)
        self.model = ChatCompletions(
            settings,
            environment={"K": key},
            sleep=self.pauses.append,
            tell=self.told.append,
            now=lambda: datetime(2026, 8, 1, 12, 0, 0, tzinfo=UTC),
        )

    def ask(self) -> str:
        """Return what the model says."""
        return self.model.answer(HELLO).text

    def fails(self, kind: type[ModelError]) -> str:
        """Return what the failure of a question says; it never names the key."""
        with pytest.raises(kind) as failure:
            self.ask()
        assert KEY not in str(failure.value)
        return str(failure.value)


def test_an_answer_comes_with_the_key_in_the_header_alone(chat_server: ChatServer) -> None:
    """The key is in no other place of the request."""
    chat_server.says("Hi.")

    assert "Hi." == Asking(chat_server.url, key=f"{KEY}\n").ask()
    ((headers, body),) = chat_server.requests
    assert f"Bearer {KEY}" == headers.pop("Authorization")
    assert KEY not in json.dumps([headers, body])
    assert {"model": "m", "messages": [{"role": "user", "content": "Hello"}]} == body


def test_an_endpoint_without_a_key_gets_none(chat_server: ChatServer) -> None:
    """A server of one's own asks for no key, and must not be given one."""
    chat_server.says("Hi.")
    Asking(chat_server.url).ask()

    assert "Authorization" not in chat_server.requests[0][0]


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_what_may_pass_is_asked_again(chat_server: ChatServer, status: int) -> None:
    """With longer and longer pauses."""
    chat_server.fails(status)
    chat_server.fails(status)
    chat_server.says("Hi.")
    asking = Asking(chat_server.url)

    assert ("Hi.", [1.0, 2.0]) == (asking.ask(), asking.pauses)


@pytest.mark.parametrize("status", [301, 400, 401, 403, 404, 413, 422])
def test_what_will_not_pass_is_told_at_once(chat_server: ChatServer, status: int) -> None:
    """With what the provider says of it, in one line."""
    chat_server.fails(status, b'{"error": {"message": "no such\\nmodel"}}', Location="/elsewhere")
    asking = Asking(chat_server.url)

    assert f"{chat_server.url} answered {status}: no such model" == asking.fails(StatusError)
    assert [] == asking.pauses
    assert 1 == len(chat_server.requests)


def test_attempts_are_bounded(chat_server: ChatServer) -> None:
    """A provider that is down for longer is told, not waited for."""
    for _ in range(9):
        chat_server.fails(503, b"down")
    asking = Asking(chat_server.url, attempts=3)

    assert asking.fails(StatusError).endswith("answered 503: down")
    assert [1.0, 2.0] == asking.pauses
    assert asking.told == [
        f"{chat_server.url} answered 503: down; asking again in {pause} s" for pause in (1, 2)
    ]


@pytest.mark.parametrize(
    ("asked", "pause"),
    [
        ("7", 7.0),
        ("0", 0.0),
        ("Sat, 01 Aug 2026 12:00:30 GMT", 30.0),
        ("Sat, 01 Aug 2026 11:00:00 GMT", 0.0),
        ("soon", 1.0),
        ("-5", 1.0),
        ("Sat, 01 Aug 2026 12:00:30", 1.0),
    ],
)
def test_the_pause_is_the_one_that_the_provider_asks_for(
    chat_server: ChatServer, asked: str, pause: float
) -> None:
    """As seconds or as a date; what is neither is passed over."""
    chat_server.fails(429, Retry_After=asked)
    chat_server.says("Hi.")
    asking = Asking(chat_server.url)
    asking.ask()

    assert [pause] == asking.pauses


def test_a_pause_that_is_too_long_is_not_made(chat_server: ChatServer) -> None:
    """A run that sleeps for an hour looks as if it hung."""
    chat_server.fails(429, b'{"error": {"message": "come back tomorrow"}}', Retry_After="3600")
    asking = Asking(chat_server.url)

    told = "answered 429: come back tomorrow (it asks to come back in 3600 s)"
    assert asking.fails(StatusError).endswith(told)
    assert [] == asking.pauses


def test_no_connection_is_told_after_some_attempts() -> None:
    """By the address that was asked."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}/v1"
    asking = Asking(url, attempts=2)

    assert asking.fails(UnreachableError).startswith(f"{url} cannot be reached: ")
    assert [1.0] == asking.pauses


def hang(handler: Any) -> None:
    """Answer nothing until the other side is gone."""
    handler.connection.recv(1)


def trickle(handler: Any) -> None:
    """Send a body that never ends, byte by byte."""
    handler.send_response(200)
    handler.end_headers()
    try:
        while True:
            handler.wfile.write(b" ")
    except OSError:
        handler.close_connection = True


def hang_up(handler: Any) -> None:
    """Promise more than is sent."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100")
    handler.end_headers()
    handler.wfile.write(b'{"choices"')
    handler.close_connection = True


def test_a_provider_that_says_nothing_is_not_waited_for(chat_server: ChatServer) -> None:
    """The time of an attempt is bounded."""
    chat_server.replies.append(hang)
    told = Asking(chat_server.url, timeout=0.1, attempts=1).fails(UnreachableError)

    assert f"{chat_server.url} gave no answer within 0.1 s" == told


def test_an_answer_without_end_is_broken_off(
    chat_server: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By its size, and by the time that it takes as a whole."""
    chat_server.replies += [trickle, trickle]
    told = Asking(chat_server.url, timeout=0.1, attempts=1).fails(UnreachableError)
    assert told.endswith("gave no answer within 0.1 s")

    monkeypatch.setattr(chat_completions, "MOST_BYTES", 100)
    told = Asking(chat_server.url).fails(MalformedError)
    assert "the answer is longer than 100 bytes" == told


def test_an_answer_that_breaks_off_is_none(chat_server: ChatServer) -> None:
    """Half a body must not be read as if it were whole."""
    chat_server.replies.append(hang_up)

    told = Asking(chat_server.url, attempts=1).fails(UnreachableError)
    assert told.startswith(f"{chat_server.url} cannot be reached: ")


def test_a_malformed_answer_is_not_asked_for_again(chat_server: ChatServer) -> None:
    """It would come again, and cost again."""
    chat_server.fails(200, b"<html>")

    told = Asking(chat_server.url).fails(MalformedError)
    assert told.startswith(f"{chat_server.url}: the answer is no chat completion: ")


@pytest.mark.parametrize("status", [200, 401])
def test_a_provider_that_repeats_the_key_does_not_show_it(
    chat_server: ChatServer, status: int
) -> None:
    """Error texts of providers quote what they were sent."""
    body = json.dumps({"error": {"message": f"the key {KEY} is wrong"}}).encode()
    chat_server.fails(status, body)

    told = Asking(chat_server.url, key=KEY).fails(ModelError)
    assert told.endswith("the key [secret] is wrong")


@pytest.mark.parametrize(
    ("settings", "environment", "told"),
    [
        ({"key_variable": "K"}, {}, "the variable K with the key of the provider is not set"),
        ({"key_variable": "K"}, {"K": " "}, "the variable K with the key of the provider is not"),
        ({"key_variable": "K"}, {"K": "a\nb"}, "the variable K holds no key"),
        ({"key_variable": "K"}, {"K": "schlüssel"}, "the variable K holds no key"),
        ({"url": "api.openai.com"}, {}, "'api.openai.com' is no URL of a provider"),
        ({"url": "file:///etc"}, {}, "'file:///etc' is no URL of a provider"),
        (
            {"url": "http://models.example/v1", "key_variable": "K"},
            {"K": KEY},
            "http://models.example/v1 is not encrypted: a key goes over https",
        ),
    ],
)
def test_a_model_that_cannot_be_set_up_is_told_before_anything_is_asked(
    settings: Any, environment: dict[str, str], told: str
) -> None:
    """No message holds a key."""
    with pytest.raises(ModelSettingsError) as failure:
        ChatCompletions(ChatSettings(model="m", **settings), environment=environment)

    assert str(failure.value).startswith(told)
    assert KEY not in str(failure.value)


@pytest.mark.parametrize(
    "url", ["http://localhost:1/v1", "http://[::1]/v1", "https://x.example/v1"]
)
def test_a_key_may_go_to_this_machine_or_over_https(url: str) -> None:
    """Nobody reads along there."""
    assert "m" == Asking(url, key=KEY).model.name


def test_a_missing_package_is_named_with_the_way_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bare installation has no HTTP client."""
    monkeypatch.setitem(sys.modules, "httpx", None)

    with pytest.raises(
        ModelSettingsError, match=r"needs httpx: pip install 'reasonix-conformance\[host\]'"
    ):
        Asking("http://localhost/v1")


def test_the_key_stands_in_no_description_of_the_model() -> None:
    """A traceback with locals, or a debugger's print, must not show it."""
    model = Asking("http://localhost/v1", key=KEY).model

    assert KEY not in repr(model)
    assert KEY not in repr(model.__dict__)


def test_a_child_may_have_another_model_of_the_provider(chat_server: ChatServer) -> None:
    """With the same key; what it does not ask for it has of its parent."""
    chat_server.says("a")
    chat_server.says("b")
    parent = Asking(chat_server.url, key=KEY, effort="low").model
    child = parent.for_child(Wanted(call_id="c", name="small", effort="high"))
    plain = child.for_child(Wanted(call_id="d"))

    assert ["m", "small", "small"] == [parent.name, child.name, plain.name]
    assert ["a", "b"] == [parent.answer(HELLO).text, plain.answer(HELLO).text]
    assert [("m", "low", f"Bearer {KEY}"), ("small", "high", f"Bearer {KEY}")] == [
        (body["model"], body["reasoning_effort"], headers["Authorization"])
        for headers, body in chat_server.requests
    ]


def test_a_model_that_takes_no_bounds_is_asked_without_them(chat_server: ChatServer) -> None:
    """Some models have one temperature alone; a goal must not stand still for that."""
    chat_server.fails(400, b'{"error": {"message": "temperature is fixed"}}')
    chat_server.says("{}")

    assert "{}" == evaluator_by(Asking(chat_server.url).model, spend=lambda _: None)("Is it done?")
    first, second = (body for _, body in chat_server.requests)
    assert {"temperature", "max_completion_tokens"} == first.keys() - second.keys()
    assert first["messages"] == second["messages"]


def test_an_evaluator_has_less_time_than_a_conversation(chat_server: ChatServer) -> None:
    """Nobody works while it thinks."""
    asking = Asking(chat_server.url, timeout=20.0, attempts=1)
    chat_server.replies.append(hang)
    bounds = Bounds(temperature=0, tokens=1, seconds=0.1)

    with pytest.raises(UnreachableError, match=r"no answer within 0\.1 s"):
        asking.model.answer(replace(HELLO, bounds=bounds))
