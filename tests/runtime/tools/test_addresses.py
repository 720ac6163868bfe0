"""Which addresses a fetch may connect to, without any connection."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.web_fetch.addresses import checked


@pytest.mark.parametrize(
    "address",
    [
        "169.254.169.254",
        "10.0.0.1",
        "172.16.5.5",
        "192.168.1.1",
        "100.100.100.200",
        "0.0.0.0",
        "127.0.0.1",
        "224.0.0.251",
        "255.255.255.255",
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "64:ff9b::a9fe:a9fe",
        "2002:7f00:1::",
        "fe80::1",
        "fe80::1%eth0",
        "fd00::1",
        "ff02::1",
        "::127.0.0.1",
        "::a9fe:a9fe",
        "::ffff:0:127.0.0.1",
        "64:ff9b:1::7f00:1",
        "2001:470::5efe:7f00:1",
        "2001:470::200:5efe:a9fe:a9fe",
        "fec0::1",
        "3fff::1",
        "5f00::1",
        "192.0.0.192",
        "192.88.99.1",
        "240.0.0.1",
        "198.18.0.1",
    ],
)
def test_internal_addresses_are_refused(address: str) -> None:
    """Private, loopback, link-local, metadata, shared, and what wraps them."""
    with pytest.raises(ToolError, match=r"refusing to fetch internal address h \(resolves to"):
        checked("h", [address], [])
    with pytest.raises(ToolError, match="refusing"):
        checked("h", ["1.1.1.1", address], [])


@pytest.mark.parametrize("address", ["1.1.1.1", "2606:4700:4700::1111", "::ffff:1.1.1.1"])
def test_public_addresses_are_allowed(address: str) -> None:
    """The first of them is connected to."""
    assert checked("h", [address, "8.8.8.8"], []) == address


def test_a_network_can_be_allowed() -> None:
    """And only that one."""
    assert checked("h", ["127.0.0.1"], ["127.0.0.0/8"]) == "127.0.0.1"
    assert checked("h", ["::ffff:127.0.0.1"], ["127.0.0.0/8"]) == "::ffff:127.0.0.1"
    with pytest.raises(ToolError, match=r"10\.0\.0\.1"):
        checked("h", ["127.0.0.1", "10.0.0.1"], ["127.0.0.0/8"])


@given(st.ip_addresses())
def test_what_is_refused_is_what_is_not_public(address: Any) -> None:
    """No address is both, and none makes the judgement fail."""
    try:
        checked("h", [str(address)], [])
    except ToolError:
        return
    assert not any(
        (
            address.is_private,
            address.is_loopback,
            address.is_link_local,
            address.is_multicast,
            address.is_unspecified,
        )
    )
