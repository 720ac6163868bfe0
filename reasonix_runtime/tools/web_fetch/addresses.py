"""Which addresses a fetch may connect to: public ones, and those that the host allows."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Sequence
from typing import TypeAlias

from reasonix_runtime.tools.errors import ToolError

Address: TypeAlias = ipaddress.IPv4Address | ipaddress.IPv6Address

_NAT64 = ipaddress.ip_network("64:ff9b::/96")

_GLOBAL_UNICAST = ipaddress.ip_network("2000::/3")
"""All that is handed out of IPv6; outside of it are old and new ways to wrap IPv4, and links."""

_SPECIAL = tuple(
    ipaddress.ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments; some clouds serve their metadata there
        "192.88.99.0/24",
        "2001::/23",
        "2001:db8::/32",
        "3fff::/20",
    )
)
"""Networks for special purposes which not every version of the standard library knows as such."""

_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""What stands in front of an IPv4 address in the lower half of a tunnel's address."""


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
    if not found:
        raise ToolError(f"{host} has no address")
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
    """Whether an address, and any that it stands for, is a public unicast address."""
    return all(
        form.is_global
        and not form.is_multicast
        and (form.version == 4 or form in _GLOBAL_UNICAST)
        and not any(form in network for network in _SPECIAL)
        for form in _forms(address)
    )


def _forms(address: Address) -> list[Address]:
    """Return what an address stands for: itself, or the IPv4 address that is wrapped in it."""
    if isinstance(address, ipaddress.IPv4Address):
        return [address]
    if address.ipv4_mapped is not None:
        return [address.ipv4_mapped]
    if address.sixtofour is not None:
        return [address, address.sixtofour]
    last = ipaddress.IPv4Address(address.packed[-4:])
    if address in _NAT64:
        return [last]
    if int.from_bytes(address.packed[8:12], "big") in _ISATAP:
        return [address, last]
    return [address]
