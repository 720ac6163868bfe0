"""Secrets and home folders, masked before anything of a trace is shown or written.

What a secret is, `reasonix_runtime.masking` knows; of a recording names in home folders go, too.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec

from reasonix_runtime.masking import MASK, mask
from reasonix_runtime.masking.named import WORDS
from reasonix_runtime.masking.places import is_option
from reasonix_runtime.trace.events import Event

# Keys of JSON objects whose values are secrets.
_KEY = re.compile(rf"[A-Za-z0-9_-]*?(?:{WORDS}|\btoken)", re.VERBOSE | re.IGNORECASE)
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
# Claude Code calls the folder of a project by its path, with hyphens for what is no letter. Where a
# name with hyphens ends nobody can see, so the rest of one is taken for a folder.
_HOME_IN_NAME = re.compile(
    r"""
    (?<! [^\s/\\"'`=:(\[] )
    (?P<home> -(?:home|Users)- | [A-Za-z]--(?i:users)- )
    (?P<user> [^\s/\\"':;,-]+ )
    """,
    re.VERBOSE,
)


def redact(text: str) -> str:
    """Return the text with secrets and the user names of home folders masked."""
    text = mask(text)
    if "-" in text and ("-home-" in text or "sers-" in text.lower()):
        text = _HOME_IN_NAME.sub(_without_user, text)
    if "/" not in text and "\\" not in text:
        return text
    return _HOME.sub(_without_user, text)


def _without_user(match: re.Match[str]) -> str:
    return f"{match['home']}[user]"


@lru_cache(maxsize=1024)
def redact_name(name: str) -> str:
    """Return a name as :func:`redact` does; of names there are few, and each is met often."""
    return redact(name)


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
    return isinstance(before, str) and is_option(before)


def redact_event(event: Event) -> Event:
    """Return an event with every text in it masked: what a trace is written from."""
    plain = msgspec.to_builtins(event)
    masked: Event = msgspec.convert(redact_json(plain), Event)
    return masked
