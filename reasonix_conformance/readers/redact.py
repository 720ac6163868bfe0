"""Secrets and home folders, masked before anything of a trace is shown or written.

Known shapes only: keys of well-known issuers, tokens in headers and addresses, private keys, and
the names in home folders. Neither the length nor the last characters of a secret are kept.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec

from reasonix_runtime.trace.events import Event

MASK = "[secret]"

_SECRETS = re.compile(
    r"""
      \bsk-[A-Za-z0-9_-]{16,}                                  # model providers
    | \b(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,}             # GitHub
    | \bglpat-[A-Za-z0-9_-]{16,}                               # GitLab
    | \bxox[abeoprs]-[A-Za-z0-9-]{10,}                         # Slack
    | \b(?:AKIA|ASIA)[A-Z0-9]{16}\b                            # AWS
    | \bAIza[A-Za-z0-9_-]{30,}                                 # Google
    | \b(?:npm|pypi|hf|dop_v1|shpat|sq0[a-z]{3})[_-][A-Za-z0-9_-]{20,}
    | \beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}    # JSON web token
    | -----BEGIN\ [A-Z ]*PRIVATE\ KEY-----.*?(?:-----END\ [A-Z ]*PRIVATE\ KEY-----|\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
# Name and value: the name stays, the value goes.
_NAMED = re.compile(
    r"""
    (?P<name>
        \b(?:authorization\s*[:=]\s*(?:bearer|basic|token)\s+)
      | \bbearer\s+(?=[A-Za-z0-9._~+/-]{16})
      | \b[A-Za-z0-9_-]*(?:api[_-]?key|secret|passw(?:or)?d|access[_-]?token|auth[_-]?token)
        [A-Za-z0-9_]*["']?\s*[:=]\s*["']?(?=[^\s"'$<{(\[]{8})
      | ://[^\s/:@"']{1,64}:(?=[^\s/@"']+@)
    )
    (?P<value>[^\s"'@,;&]+)
    """,
    re.VERBOSE | re.IGNORECASE,
)
_HOME = re.compile(r"(?P<home>(?:/home|/Users|[A-Za-z]:\\+Users)[/\\]+)(?P<user>[^\s/\\\"':;,]+)")


# What is masked has one of these marks, letter case aside, or is one long word of a key's letters.
_MARKS = (
    *("key", "secret", "passw", "token", "bearer", "authoriz", "://", "home/", "home\\", "users"),
    *("eyj", "private"),
)
_LONG_WORD = re.compile(r"[A-Za-z0-9_-]{15}")


def _may_hold(text: str) -> bool:
    """Whether a text is worth a look; most are not."""
    lowered = text.lower()
    return any(map(lowered.__contains__, _MARKS)) or _LONG_WORD.search(text) is not None


def redact(text: str) -> str:
    """Return the text with known secrets and the user names of home folders masked."""
    if not _may_hold(text):
        return text
    text = _SECRETS.sub(MASK, text)
    text = _NAMED.sub(lambda match: f"{match['name']}{MASK}", text)
    return _HOME.sub(lambda match: f"{match['home']}[user]", text)


def redact_json(value: Any) -> Any:
    """Return a JSON value with every text in it masked, keys too."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {redact(str(key)): redact_json(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [redact_json(item) for item in value]
    return value


def redact_event(event: Event) -> Event:
    """Return an event with every text in it masked: what a trace is written from."""
    plain = msgspec.to_builtins(event)
    masked: Event = msgspec.convert(redact_json(plain), Event)
    return masked
