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
# Name and value: the name stays, the value goes. Words of names, as part of a pattern:
_WORDS = r"""(?:api[_-]?key | access[_-]?key | private[_-]?key | secret | passw(?:or)?d | passphrase
    | (?:access|auth|refresh|id|session)[_-]?token)"""
_NAMED = re.compile(
    rf"""
    (?P<name>
        \b(?:authorization\s*[:=]\s*(?:bearer|basic|token)\s+)
      | \bbearer\s+(?=[A-Za-z0-9._~+/-]{{16}})
      | (?: {_WORDS}[A-Za-z0-9_]{{0,64}} | (?-i:TOKEN(?==)) )
        \\*["']?\s*[:=]\s*\\*["']?(?=[^\s"'$<{{(\[\\]{{8}})
      | ://[^\s/:@"']{{1,64}}:(?=[^\s/@"']+@)
    )
    [^\s"'@,;&]+
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Of an address: short values, too, for nothing else is written like this.
_QUERY = re.compile(
    rf"""
    (?P<name>[?&](?:amp;)?[A-Za-z0-9_.%\[\]-]{{0,64}}
        (?:{_WORDS} | token | signature | credential | (?<=[?&;])(?:sig|auth|pwd)) [\]]?=)
    [^\s"'&\#;|<>\\`$\[{{]+
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Of a command line: `--password VALUE`, `--token=VALUE`, also quoted or as items of a list.
_OPTION_NAME = rf"--[A-Za-z0-9_-]{{0,64}}?(?:{_WORDS}|token)"
_OPTION = re.compile(
    rf"""
    (?P<name>(?<![A-Za-z0-9_-]){_OPTION_NAME}(?:=|\\*["']?,?\s+)\\*(?P<quote>["'])?)
    (?![-$<{{(\[] | (?:id|type|src)=)
    (?(quote) (?:(?!(?P=quote))[^\n])+ | [^\s"'\\;|&]+ )
    """,
    re.VERBOSE | re.IGNORECASE,
)
# `curl -u user:password`; numbers on both sides are ids of a user and a group elsewhere.
_CURL = re.compile(
    r"""
    (?P<name>(?<![^\s"'(`,])(?:-[A-Za-z]{0,8}u|--(?:proxy-)?user)(?:\\*["']?,?\s+|=)?\\*(?P<quote>["'])?
        (?!\d+:\d+(?!\S))[^\s:"'\\/]{1,64}:)
    (?![$<{(\[])
    (?(quote) (?:(?!(?P=quote))[^\n])+ | [^\s"'\\;|&]+ )
    """,
    re.VERBOSE,
)
# The names that stand alone: keys of JSON objects, and options before their value in a list.
_KEY = re.compile(rf"[A-Za-z0-9_-]*?(?:{_WORDS}|\btoken)", re.VERBOSE | re.IGNORECASE)
_BEFORE_VALUE = re.compile(_OPTION_NAME, re.VERBOSE | re.IGNORECASE)
# Paths of Windows come in small letters and with slashes, too; a name may have several words.
_HOME = re.compile(
    r"""
    (?P<home>
        (?: /home | /Users | \\home | (?:[A-Za-z]: | /[A-Za-z]) [/\\]+ (?i:users)
          | [A-Za-z]:[/\\]+ (?i:documents\ and\ settings) )
        [/\\]+
    )
    (?P<user> [^\s/\\"':;,]+ (?: (?:\ [A-Z][^\s/\\"':;,]*){1,2} (?=[/\\]) )? )
    """,
    re.VERBOSE,
)


# What is masked has one of these marks, letter case aside, or is one long word of a key's letters.
_MARKS = (
    *("key", "secret", "passw", "token", "bearer", "authoriz", "://", "home/", "home\\", "users"),
    "documents and settings",
    *("eyj", "private", "passphrase", "curl"),
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
    for pattern in (_QUERY, _OPTION, _NAMED):
        text = pattern.sub(_without_value, text)
    if "curl" in text.lower():
        text = _CURL.sub(_without_value, text)
    return _HOME.sub(lambda match: f"{match['home']}[user]", text)


def _without_value(match: re.Match[str]) -> str:
    return f"{match['name']}{MASK}"


def redact_json(value: Any) -> Any:
    """Return a JSON value with every text in it masked: keys, too, and what a key's name tells."""
    if isinstance(value, str):
        return redact(value)
    if isinstance(value, Mapping):
        return {
            redact(str(key)): _named(item, _KEY.fullmatch(str(key)) is not None)
            for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return [
            _named(item, _asks_for(before))
            for before, item in zip((None, *value), value, strict=False)
        ]
    return value


def _named(value: Any, secret: bool) -> Any:
    return MASK if secret and isinstance(value, str) and value else redact_json(value)


def _asks_for(before: Any) -> bool:
    """Whether an item of a list is an option whose value is the next item."""
    return isinstance(before, str) and _BEFORE_VALUE.fullmatch(before) is not None


def redact_event(event: Event) -> Event:
    """Return an event with every text in it masked: what a trace is written from."""
    plain = msgspec.to_builtins(event)
    masked: Event = msgspec.convert(redact_json(plain), Event)
    return masked
