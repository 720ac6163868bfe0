"""The environment that commands see: the host's own, without its secrets."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_SECRET_NAME = re.compile(
    r"(?:^|_)(?:API_?KEY|ACCESS_?KEY|SECRET|SECRETS|TOKEN|PASSWORD|PASSWD|PASSPHRASE"
    r"|CREDENTIALS?|PRIVATE_?KEY)(?:_|$)|(?:APIKEY|SECRET|TOKEN|PASSWORD)$",
    re.IGNORECASE,
)

TEMPORARY_NAMES = ("TMPDIR", "TMP", "TEMP")


@dataclass(frozen=True, slots=True, kw_only=True)
class EnvironmentPolicy:
    """Which variables a command may see.

    `credentials` are names that are always dropped. `filter_secrets` drops every name that looks
    like a key, secret, token or password, except those in `keep`.
    """

    credentials: frozenset[str] = frozenset()
    filter_secrets: bool = True
    keep: frozenset[str] = frozenset()

    def allows(self, name: str) -> bool:
        """Whether a command may see the variable of that name."""
        if name in self.credentials:
            return False
        return name in self.keep or not (self.filter_secrets and _SECRET_NAME.search(name))


FILTERED = EnvironmentPolicy()
"""No name that looks like a secret is passed on."""


def command_environment(
    inherited: Mapping[str, str], policy: EnvironmentPolicy, *, temporary: str | None = None
) -> dict[str, str]:
    """Return the environment of a command; `temporary` is the session's own directory for it."""
    environment = {name: value for name, value in inherited.items() if policy.allows(name)}
    if temporary is not None:
        environment.update(dict.fromkeys(TEMPORARY_NAMES, temporary))
    return environment
