"""Secrets that are known by the name that they are given: `PASSWORD=…`, `"api_key": "…"`.

A name that says enough (`password`, `api_key`) hides whatever it is given; one that is a word of
texts, too (`token`, `auth`), hides only what no word looks like. Code that works a value out,
references to variables and sentences stay readable.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.masking import MASK

_FLAGS: Final = re.VERBOSE | re.IGNORECASE | re.ASCII
WORDS: Final = r"""(?:
    passw(?:or)?d | passphrase | secret | mysql_pwd
  | (?:api|access|account|private|sign(?:ing)?|encryption|master|shared|storage)[_-]?key
  | (?:access|auth|refresh|id|session|api|bearer|bot|deploy|oauth|private|personal)[_-]?token
)"""
"""Words of names that say enough, as part of a verbose pattern."""
_WEAK: Final = r"(?:token | auth | credentials? | signature | (?<=_)key | (?<=_)pass | pwd)"

_GIVEN: Final = re.compile(
    rf"""
    (?: (?P<word>{WORDS}) | (?P<weak>{_WEAK}) )
    (?P<more>[A-Za-z0-9_-]{{0,64}})
    (?P<is> \\{{0,4}}["']?\]?[ \t]{{0,8}} (?::=|=>|[:=]) [ \t]{{0,8}}
        (?P<quote>\\{{0,4}}["'])? )
    (?P<value>
        (?(quote) (?:(?!(?P=quote))[^\n])+ | [^\s"'\\;&|]*[^\s"'\\;&|,.)\]}}>] )
    )
    """,
    _FLAGS,
)
# What else a name with such a word may be of: a file, a count, a kind.
_OTHER: Final = re.compile(
    r"""[_-]?(?: s$ | ize | files? | path | names? | ids? | type | ur[il] | endpoint | count | len
    | length | limit | field | policy | ref | arn | hint | ttl | expir | env | var | version | store
    | manager | size | used | enabled | required | stdin | prompt | label | provider | class | kind
    )(?![a-z0-9])""",
    _FLAGS,
)
_PLAIN: Final = re.compile(
    r"(?:none|null|nil|true|false|undefined|yes|no|on|off|[0-9]{1,3})", _FLAGS
)
_REFERENCE: Final = re.compile(r"[$<{(\[*%]|\.\.\.|…")
# A call, an attribute, a name of code.
_CODE: Final = re.compile(r"[A-Za-z_.]+[(\[].*|[A-Za-z]*[_.][A-Za-z_.]*|str|bytes", re.ASCII)
_ITSELF: Final = re.compile(rf"{WORDS}|token", _FLAGS)
_SENTENCE: Final = re.compile(r"[,.]?[ \t]+(?:[A-Za-z(|]|-[ \t])")
_LETTERS: Final = re.compile(r"[a-z-]+", _FLAGS)
_RANDOM: Final = re.compile(
    r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[\w+/=.~%@!#^*-]{12,}", re.ASCII
)


def masked(text: str) -> str:
    """Return a text with the values of names that tell a secret masked."""
    return _GIVEN.sub(_without_value, text)


def looks_random(value: str) -> bool:
    """Whether a value is long, and of letters and digits, as no word is."""
    return _RANDOM.fullmatch(value) is not None


def _without_value(match: re.Match[str]) -> str:
    whole = match[0]
    if not _is_secret(match):
        return whole
    return whole[: match.start("value") - match.start()] + MASK


def _is_secret(match: re.Match[str]) -> bool:
    """Whether what a name is given is a secret."""
    value, quoted = match["value"], match["quote"] is not None
    if _OTHER.match(match["more"]) or _REFERENCE.match(value) or _PLAIN.fullmatch(value):
        return False
    if match["weak"] is not None:
        return len(match["more"]) == 0 and looks_random(value)
    if _ITSELF.fullmatch(value):
        return False
    if quoted:
        # What is said before a value is asked for ends in a quote, too.
        return value[0] not in ",;)"
    if _CODE.fullmatch(value):
        return False
    if match["is"] == "=":
        return True
    behind = match.string[match.end() : match.end() + 4]
    return len(value) > 5 and not (_LETTERS.fullmatch(value) and _SENTENCE.match(behind))
