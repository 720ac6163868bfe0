"""What the delivery gates read of a setup, and what they say of one that cannot be read."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.errors import HostDataError
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.state import HostState
from reasonix_runtime.trace.events import Host


@pytest.mark.parametrize(
    ("setup", "named"),
    [
        ({"capabilities": [{"policy": "require"}]}, "id"),
        ({"capabilities": [{"id": "skill:x", "policy": "must"}]}, "must"),
        ({"capabilities": [{"id": "skill:x", "outcome": "done"}]}, "done"),
        ({"constraints": {"forbid_tests": "yes"}}, "forbid_tests"),
        ({"constraints": {"allowed_commands": "ls"}}, "allowed_commands"),
        ({"host": {"ledger": {"skill:x": {"policy": 1}}}}, "policy"),
    ],
)
def test_a_setup_that_cannot_be_read_names_what_is_wrong(setup: dict[str, Any], named: str) -> None:
    """A fault of the writer is told as one, never as a traceback of ours."""
    with pytest.raises(HostDataError, match=named):
        HostState(CONTRACT).apply(Host(name="setup", data=setup))
