"""Names of targets: rules are written against them, so they have to be the same everywhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.gates.proxy.ids import direct_name, parse_id
from reasonix_runtime.gates.proxy.names import connect_name, fnv1a, norm, server_prefix, tool_name


@pytest.mark.parametrize(
    ("text", "expected"), [("", "811c9dc5"), ("a", "e40c292c"), ("foobar", "bf9cf968")]
)
def test_the_hash_is_fnv_1a(text: str, expected: str) -> None:
    """Values that its authors published."""
    assert expected == fnv1a(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("git-hub_2", "git-hub_2"),
        ("git hub", "git_hub_a4bc41"),
        ("git  .hub", f"git_hub_{fnv1a('git  .hub')[:6]}"),
        ("_a_", f"a_{fnv1a('_a_')[:6]}"),
        ("...", f"unnamed_{fnv1a('...')[:6]}"),
        ("", f"unnamed_{fnv1a('')[:6]}"),
        ("é", f"unnamed_{fnv1a('é')[:6]}"),
        ("unnamed", "unnamed"),
    ],
)
def test_a_part_of_a_name(text: str, expected: str) -> None:
    """Whoever had to be changed carries a hash of what it was."""
    assert expected == norm(text)


@given(st.text(max_size=12), st.text(max_size=12))
def test_names_are_plain_and_texts_that_differ_differ_in_their_names(one: str, other: str) -> None:
    """Two servers that come out alike must not share a permission rule."""
    assert re.fullmatch(r"[A-Za-z0-9_-]+", norm(one))
    assert (norm(one) == norm(other)) == (one == other)


def test_a_start_is_outside_the_names_of_tools() -> None:
    """A rule for tools of a server never means its start."""
    assert tool_name("git hub", "a/b").startswith(server_prefix("git hub"))
    assert connect_name("git hub") == "mcp_connect__git_hub_a4bc41"


@pytest.mark.parametrize(
    "text",
    ["", "tool", "tool:", "tool: ", "task:other", "mcp-server:a/b", "mcp-tool:a", "mcp-tool:a/",
     "mcp-tool:/b", "mcp-tool: /b", "plugin:a", "Tool:grep"],
)  # fmt: skip
def test_a_malformed_id_names_nothing(text: str) -> None:
    """It is never taken for a similar one."""
    assert parse_id(text) is None


@pytest.mark.parametrize("text", ["tool:grep", "skill:x", "mcp-server:a", "nonsense"])
def test_only_tools_of_servers_are_reached_by_a_name_of_their_own(text: str) -> None:
    """What has no server has no such name either."""
    assert direct_name(text) is None
    assert direct_name("mcp-tool:a/b") == "mcp__a__b"
