"""Secrets in messages: what is hidden, and what stays readable."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.masking import MASK, mask


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("API_KEY=abc123 make", "abc123"),
        ("export DB_PASSWORD='a b'", "a b"),
        ("tool --token abc123 --x", "abc123"),
        ("tool --api-key=abc123", "abc123"),
        ('curl -H "Authorization: Bearer abcdefgh1234" url', "abcdefgh1234"),
        ('curl -d \'{"password": "hunter22"}\' url', "hunter22"),
        ("git clone https://me:hunter22@host/x", "hunter22"),
        ("echo sk-" + "a" * 24, "a" * 24),
        ("echo ghp_" + "a" * 36, "a" * 36),
        ("echo AKIA" + "A" * 16, "A" * 16),
    ],
)
def test_what_looks_like_a_secret_is_hidden(text: str, secret: str) -> None:
    """A refusal quotes real commands; it must not spread what they carry."""
    assert secret not in mask(text)
    assert MASK in mask(text)


@pytest.mark.parametrize(
    "text",
    [
        "pytest -q tests/test_token.py",
        "go test ./secret/...",
        "add token refresh",
        "git log --author=me",
        "make lint && make unit",
        "src/auth/password.py",
    ],
)
def test_ordinary_commands_and_paths_stay_as_they_are(text: str) -> None:
    """A message whose commands are unreadable helps nobody."""
    assert text == mask(text)


def test_the_cut_comes_after_the_mask() -> None:
    """Half a secret at the end of a line is a secret."""
    text = "x" * 70 + " API_KEY=" + "k" * 40

    assert "kk" not in shown(text)


@given(st.text(), st.integers(1, 100))
def test_a_shown_text_is_one_line_of_bounded_length(text: str, limit: int) -> None:
    """Messages are bounded whatever a command holds."""
    line = shown(text, limit)

    assert len(line) <= limit
    assert len(line.splitlines()) <= 1
