"""Secrets that are known by where they stand: in a header, an address, an option of a command."""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.masking import MASK
from reasonix_runtime.masking.named import WORDS

_FLAGS: Final = re.VERBOSE | re.IGNORECASE | re.ASCII
# A command may go on in the next line, and may itself be quoted, or be a list of its words.
_BLANK: Final = r"""\\{0,4}["']?,?(?:[ \t]|\\?\r?\n){1,8}"""
_QUOTE: Final = r"""\\{0,4}(?P<quote>["'])?"""
_ARGUMENT: Final = r"""(?![$<{(\[]) (?(quote) (?:(?!(?P=quote))[^\n])+ | [^\s"'\\;|&]+ )"""
_OPTION_NAME: Final = rf"--[A-Za-z0-9_-]{{0,64}}?(?:{WORDS}|token)"

_HEADER: Final = re.compile(
    r"""(?P<name>
        \b(?:proxy-)?authorization \\{0,4}["']? \s{0,4}[:=]\s{0,4} \\{0,4}["']?
            (?:[a-z0-9-]{2,20}[ \t]+)? (?=[^\s"'\\]{0,200}[0-9=+/])
      | \b(?:set-)?cookie \\{0,4}["']? \s{0,4}[:=]\s{0,4} \\{0,4}["']? (?=[\w.-]{1,64}=)
      )
      (?![$<{(\[]) [^\n\r"'\\]{4,}""",
    _FLAGS,
)
_SCHEME: Final = re.compile(
    r"""(?P<name>\b(?:bearer|basic)\s{1,4})
        (?=[a-z0-9._~+/-]{0,80}(?:[0-9=+]|(?-i:[a-z][A-Z]))) [a-z0-9._~+/-]{8,}={0,2}""",
    _FLAGS,
)
_ADDRESS: Final = re.compile(
    r"""(?P<name>://[^\s/:@"']{0,64}:)(?![$<{(\[])[^\s/@"']+(?=@)""", _FLAGS
)
_USER: Final = re.compile(
    r"(?P<name>://)(?=[^\s/:@]{0,80}[0-9])(?=[^\s/:@]{0,80}[a-z])[\w.~%+-]{16,}(?=@)", _FLAGS
)
# Short values, too: nothing else is written like this.
_QUERY: Final = re.compile(
    rf"""(?P<name>[?&](?:amp;)?[A-Za-z0-9_.%\[\]-]{{0,64}}
        (?:{WORDS} | token | signature | credential | (?<=[?&;])(?:sig|auth|pwd)) [\]]?=)
    [^\s"'&\#;|<>\\`$\[{{]+
    """,
    _FLAGS,
)
_OPTION: Final = re.compile(
    rf"""(?P<name>(?<![A-Za-z0-9_-]){_OPTION_NAME}(?:=|{_BLANK}){_QUOTE})
    (?!-|(?:id|type|src)=) {_ARGUMENT}""",
    _FLAGS,
)
# `-u user:password`; numbers on both sides are ids of a user and a group elsewhere.
_CURL: Final = re.compile(
    rf"""(?P<name>(?<![^\s"'(`,])(?:-[A-Za-z]{{0,8}}u|--(?:proxy-)?user)(?:{_BLANK}|=)?{_QUOTE}
        (?!\d+:\d+(?!\S))[^\s:"'\\/]{{1,64}}:) {_ARGUMENT}""",
    re.VERBOSE,
)
# Programs that take a password by an option of one letter.
_BETWEEN: Final = r"[^\n|;&]{0,200}?[ \t\"',]"
_SHORT: Final = re.compile(
    rf"""(?P<name>(?:
        \bsshpass\b {_BETWEEN} -p {_BLANK}?
      | \b(?:mysql|mariadb)\w* \b {_BETWEEN} -p (?=[^\s"',])
      | \b(?:docker|podman|buildah|skopeo|helm|nerdctl|az|oc) {_BLANK}
            (?:registry {_BLANK})? login\b {_BETWEEN} -p {_BLANK}
      | \bredis-cli\b {_BETWEEN} -a {_BLANK}
      | \bmongo[a-z]* \b {_BETWEEN} -p {_BLANK}?
      | \bldap[a-z]+ \b {_BETWEEN} -w {_BLANK}
      | \b(?:un)?zip\b {_BETWEEN} -P {_BLANK}?
      | \bpass(?:in|out)? {_BLANK} pass:
      | \blogin {_BLANK} \S{{1,64}} {_BLANK} password {_BLANK}
      | <(?P<tag>[\w:.-]{{0,40}}?(?i:{WORDS}|token)\w{{0,20}})>
    ){_QUOTE})
    (?!-) {_ARGUMENT}""",
    re.VERBOSE | re.ASCII,
)

_EVERYWHERE: Final = (_HEADER, _SCHEME, _ADDRESS, _USER, _QUERY, _OPTION)
_COMMANDS: Final = ("pass", "mysql", "mariadb", "login", "redis-cli", "mongo", "ldap", "zip", "</")


def masked(text: str) -> str:
    """Return a text with what stands in these places masked."""
    for pattern in _EVERYWHERE:
        text = pattern.sub(_without_value, text)
    lowered = text.lower()
    if "curl" in lowered:
        text = _CURL.sub(_without_value, text)
    if any(map(lowered.__contains__, _COMMANDS)):
        text = _SHORT.sub(_without_value, text)
    return text


def is_option(word: str) -> bool:
    """Whether a word is an option whose value, a secret, is the next word."""
    return re.fullmatch(_OPTION_NAME, word, _FLAGS) is not None


def _without_value(match: re.Match[str]) -> str:
    return f"{match['name']}{MASK}"
