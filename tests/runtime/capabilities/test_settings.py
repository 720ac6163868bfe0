"""How servers are configured, and what of it a cache may know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from reasonix_runtime.capabilities.settings import (
    ServerSettings,
    ServerSettingsError,
    cache_key,
    read_servers,
)
from reasonix_runtime.masking import MASK

DOCS = ServerSettings(command="run", args=("a",), env={"TOKEN": "1"}, cwd="/w")


@pytest.mark.parametrize(
    ("change", "same_schemas", "same_connection"),
    [
        ({}, True, True),
        ({"env": {"TOKEN": "2"}}, True, False),
        ({"env": {"OTHER": "1"}}, False, False),
        ({"headers": {"A": "1"}}, False, False),
        ({"command": "other"}, False, False),
        ({"args": ("b",)}, False, False),
        ({"cwd": "/x"}, False, False),
        ({"url": "http://127.0.0.1/"}, False, False),
        ({"authorized": True, "call_seconds": 1.0}, True, True),
    ],
)
def test_what_a_cache_and_what_a_connection_depends_on(
    change: dict[str, object], *, same_schemas: bool, same_connection: bool
) -> None:
    """A value that changed leaves the schemas and ends the connection."""
    other = replace(DOCS, **change)  # type: ignore[arg-type]  # of a table

    assert (cache_key("docs", DOCS) == cache_key("docs", other)) is same_schemas
    assert DOCS.same_connection(other) is same_connection


def test_the_name_is_part_of_the_key() -> None:
    """Two servers of one command are two servers."""
    assert cache_key("a", DOCS) != cache_key("b", DOCS)


def test_servers_are_read_from_the_usual_file() -> None:
    """Who gives the file says whether the user approved of it."""
    text = (
        '{"mcpServers": {"docs": {"command": "run", "args": ["a"]}, "web": {"url": "http://h/"}}}'
    )

    found = read_servers(text, authorized=True)

    assert found["docs"] == ServerSettings(command="run", args=("a",), authorized=True)
    assert (found["web"].kind, found["docs"].kind) == ("http", "stdio")


def test_what_the_usual_files_say_of_a_server_is_obeyed() -> None:
    """Some begin with a mark of their encoding, some tell the type."""
    text = '{"mcpServers": {"a": {"command": "x", "type": "stdio", "disabled": true}}}'

    found = read_servers("\ufeff" + text, authorized=True)

    assert found["a"] == ServerSettings(command="x", authorized=True, disabled=True)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[]", "no file of servers"),
        ('{"mcpServers": {"a": {"args": "x"}}}', "the server a cannot be read: Expected `array`"),
        ('{"mcpServers": {"a": {}}}', "the server a .* needs either a command or a url"),
        ('{"mcpServers": {"a": {"command": "x", "url": "y"}}}', "the server a .* needs either"),
        ('{"mcpServers": {"a": {"command": "x", "timeout": 5}}}', "server a .* field `timeout`"),
        ('{"mcpServers": {"a": {"url": "x", "type": "sse"}}}', "server a .* 'sse'"),
        ('{"mcpServers": {"a": {"url": "x", "type": "stdio"}}}', "type stdio and no command"),
        ('{"mcpServers": {"a": {"command": "x", "type": "http"}}}', "type http and no url"),
        ('{"mcpServers": {"a": {"url": "x", "args": ["b"]}}}', "has a url, so args would"),
        ('{"mcpServers": {"a": {"command": "x", "headers": {"b": "c"}}}}', "so headers would"),
        ('{"mcpServers": ' + '{"a": ' * 100_000, "no file of servers"),
    ],
)
def test_another_file_is_refused(text: str, told: str) -> None:
    """With the server that it is about."""
    with pytest.raises(ServerSettingsError, match=told):
        read_servers(text, authorized=False)


MIXED = "q7Rt2mXz9Lp4Kv8Bn3Wd6Ys1Hf5Jc0Ga"


@pytest.mark.parametrize(
    ("settings", "said", "shown"),
    [
        ({"args": ("--token", "hunter2x")}, "x --token=hunter2x: hunter2x", "x --token=#: #"),
        ({"args": ("--api-key=hunter2x", "-y")}, "hunter2x -y", "# -y"),
        ({"args": ("postgres://me:hunter2x@db/x",)}, "no hunter2x on db/x", "no # on db/x"),
        ({"args": (f"ghp_{MIXED}",)}, f"ghp_{MIXED} is no folder", "# is no folder"),
        ({"args": ("-y", "scope/server", "src")}, "-y scope/server src", "-y scope/server src"),
        (
            {"url": f"https://h/s/{MIXED}/mcp"},
            f"401 for https://h/s/{MIXED}/mcp",
            "401 for https://h/s/#/mcp",
        ),
        ({"url": "https://h/mcp?k=hunter%212"}, "hunter%212 hunter!2", "# #"),
        ({"url": "https://me:hunter2x@h/mcp"}, "https://me:hunter2x@h/mcp", "https://me:#@h/mcp"),
        ({"env": {"A": "hunter2x"}, "command": "c"}, "hunter2x c", "# c"),
        ({"command": "c"}, f"server says ghp_{MIXED}", "server says #"),
    ],
)
def test_a_message_holds_no_secret_of_a_server(
    settings: dict[str, Any], said: str, shown: str
) -> None:
    """Arguments and addresses carry keys as variables and headers do."""
    assert shown.replace("#", MASK) == ServerSettings(**settings).without_secrets(said)
