"""Secrets and home folders are masked, and nothing else: `readers/redact.py`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_conformance.readers.redact import redact, redact_event
from reasonix_runtime.trace.events import Source, ToolCall


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("sk-" + "a1" * 12, "[secret]"),
        ("x ghp_" + "a1B2" * 9 + " y", "x [secret] y"),
        ("github_pat_" + "a" * 30, "[secret]"),
        ("xoxb-1234567890-abc", "[secret]"),
        ("AKIA" + "A1" * 8, "[secret]"),
        ("AIza" + "b" * 35, "[secret]"),
        ("eyJhbGciOiJ9.eyJzdWIiOiI.abcd1234", "[secret]"),
        ("Authorization: Bearer abcdef", "Authorization: Bearer [secret]"),
        ("curl -H 'authorization: token abc'", "curl -H 'authorization: token [secret]'"),
        ("OPENAI_API_KEY=abcdefgh12", "OPENAI_API_KEY=[secret]"),
        ('{"password": "hunter2hunter2"}', '{"password": "[secret]"}'),
        ("https://me:pa55word@host/x", "https://me:[secret]@host/x"),
        ("-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----", "[secret]"),
        ("-----BEGIN PRIVATE KEY-----\nabc", "[secret]"),
        ("cat /home/alice/notes", "cat /home/[user]/notes"),
        ("/Users/bob", "/Users/[user]"),
        ("C:\\Users\\bob\\x", "C:\\Users\\[user]\\x"),
    ],
)
def test_a_secret_is_masked_whole(text: str, masked: str) -> None:
    """Neither its length nor its last characters are kept."""
    assert masked == redact(text)


@pytest.mark.parametrize(
    "text",
    [
        "pytest -q tests/test_keys.py",
        "the token bucket is full",
        "password = None",
        "api_key=$API_KEY",
        "sk-short",
        "/homework/x",
        "git commit -m 'secret santa'",
        "https://host/x@y",
    ],
)
def test_an_ordinary_text_stays_as_it_is(text: str) -> None:
    """A masked command can no longer be understood."""
    assert text == redact(text)


@given(st.text())
def test_masking_twice_is_masking_once(text: str) -> None:
    """A report of a report must not change."""
    assert redact(text) == redact(redact(text))


def test_an_event_is_masked_in_every_text_of_it() -> None:
    """Keys hide in arguments, and names in paths."""
    event = ToolCall(
        uid="main#1",
        name="bash",
        args={"command": "echo sk-" + "a" * 20, "list": ["/home/alice/x", 3, None]},
        src=Source("/home/alice/t.jsonl", 3),
    )

    masked = redact_event(event)

    assert {"command": "echo [secret]", "list": ["/home/[user]/x", 3, None]} == masked.args  # type: ignore[union-attr]
    assert masked.src == Source("/home/[user]/t.jsonl", 3)
