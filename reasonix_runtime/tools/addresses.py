"""Which addresses a fetch may connect to: public ones, and those that the host allows."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from typing import TypeAlias

from reasonix_runtime.tools.errors import ToolError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")


def resolve(host: str, port: int) -> list[str]:
    """Return the addresses of a host name, each once, in the system's order; raises OSError."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:
        raise OSError(f"{host} is no host name: {error}") from error
    return list(dict.fromkeys(str(entry[4][0]) for entry in found))


def checked(host: str, found: Sequence[str], allowed: Sequence[str]) -> str:
    """Return the address to connect to: the first, if all of them may be connected to.

    `allowed` are networks (`127.0.0.0/8`) that may be reached although they are not public.
    Raises ToolError naming the address that is refused.
    """
    networks = [ipaddress.ip_network(network, strict=False) for network in allowed]
    for text in found:
        address = ipaddress.ip_address(text.partition("%")[0])
        if not _is_public(address) and not _is_in(address, networks):
            raise ToolError(f"refusing to fetch internal address {host} (resolves to {text})")
    return found[0]


def _is_in(
    address: Address, networks: Sequence[ipaddress.IPv4Network | ipaddress.IPv6Network]
) -> bool:
    return any(form in network for network in networks for form in _forms(address))


def _is_public(address: Address) -> bool:
    """Tell whether an address, and any that it stands for, is a public unicast address."""
    return all(form.is_global and not form.is_multicast for form in _forms(address))


def _forms(address: Address) -> list[Address]:
    """Return what an address stands for: itself, or the IPv4 address that is wrapped in it."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address.sixtofour is not None:
        return [address, address.sixtofour]
    if address in _NAT64:
        return [ipaddress.IPv4Address(address.packed[-4:])]
    return [address]
