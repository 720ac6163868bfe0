"""Stored results as a setup tells them."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.gates.proxy.pages import stored_result

PARTS = [{"text": "é", "times": 2}]


@pytest.mark.parametrize(
    ("told", "body"),
    [
        ({"body": "éé"}, "éé".encode()),
        ({"body": {"parts": PARTS}}, "éé".encode()),
        ({"body": {"parts": PARTS}, "invalid_utf8": True}, "éé".encode() + b"\xff"),
        ({"body": {"parts": PARTS, "invalid_utf8": True}}, "éé".encode() + b"\xff"),
        ({}, b""),
    ],
)
def test_a_body_is_told_as_text_or_parts(told: Any, body: bytes) -> None:
    """That it ends in a byte that is no text may stand beside it or in it."""
    assert stored_result({"tool_call_id": "c", **told}).body == body
