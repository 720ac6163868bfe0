"""Options of the commands that run tools, and what they set up."""

from __future__ import annotations

import argparse
import ipaddress
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasonix_runtime.usage import UsageError
from reasonix_runtime.whole_files import read_to_end, read_whole

if TYPE_CHECKING:
    from reasonix_runtime.capabilities.connections import Connections


def add_host_options(parser: Any) -> None:
    """Add what a host is given: a sandbox, networks, servers."""
    parser.add_argument(
        "--sandbox", action="store_true", help="run commands confined by bubblewrap, or not at all"
    )
    parser.add_argument(
        "--allow-network",
        metavar="NETWORK",
        action="append",
        default=[],
        help="let web_fetch reach this network, such as 127.0.0.0/8, although it is not public",
    )
    parser.add_argument(
        "--servers",
        metavar="FILE",
        help="what use_capability may start: a JSON file with mcpServers that you approve of",
    )


def allowed_networks(options: argparse.Namespace) -> tuple[str, ...]:
    """Return the networks of `--allow-network`; raises UsageError for what is none."""
    return tuple(_network(text) for text in options.allow_network)


def open_connections(file: str | None) -> Connections:
    """Return the connections to the servers of a file; nothing is started by that.

    Raises UsageError, naming `--servers`, for a file that cannot be read or holds no servers.
    """
    from reasonix_runtime.capabilities.connections import Connections
    from reasonix_runtime.capabilities.mcp_client import open_session
    from reasonix_runtime.capabilities.settings import ServerSettingsError, read_servers

    servers = {}
    if file is not None:
        why = f"--servers {file}"
        try:
            servers = read_servers(read_whole(Path(file)), authorized=True)
        except OSError as error:
            raise UsageError(
                f"{why}: {error.strerror or error}; expected a JSON file with mcpServers"
            ) from None
        except ServerSettingsError as error:
            raise UsageError(f"{why}: {error}") from None
    # Every run starts its servers anew, so a start that this call does not wait for serves none.
    return Connections(servers, opener=open_session, patience=None)


def standard_input(instead: str) -> bytes:
    """Return what standard input holds; raises UsageError where it is closed or cannot be read.

    `instead` is what is to be given on the command line then.
    """
    if sys.stdin is None:
        raise UsageError(f"standard input is closed; give {instead} on the command line")
    try:
        return read_to_end(sys.stdin.buffer)
    except OSError as error:
        raise UsageError(f"standard input: {error.strerror or error}") from None


def _network(text: str) -> str:
    try:
        return str(ipaddress.ip_network(text, strict=False))
    except ValueError:
        raise UsageError(
            f"--allow-network {text!r} is no network; expected an address with a prefix, "
            "such as 127.0.0.0/8"
        ) from None
