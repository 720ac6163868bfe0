"""Secrets that are known by where they stand: in a header, an address, an option of a command."""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.masking import MASK, PROGRAMS
from reasonix_runtime.masking.named import WORDS

_FLAGS: Final = re.VERBOSE | re.IGNORECASE | re.ASCII
# A command may go on in the next line, and may itself be quoted, or be a list of its words.
_BLANK: Final = r"""(?:\\{0,4}["']?,?(?:[ \t]|\\?\r?\n){1,8})"""
_QUOTE: Final = r"""\\{0,4}(?P<quote>["'])?"""
_ARGUMENT: Final = r"""(?![$<{(\[]) (?(quote) (?:(?!(?P=quote))[^\n])+ | [^\s"'\\;|&]+ )"""
_WORD: Final = r"""(?!-)[^\s"'|;&]{1,200}"""
_USER_NAME: Final = r"""["']?[^\s:%"'\\/]{1,64}"""
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
# What SQL gives to a user, always in quotes.
_SQL: Final = re.compile(
    r"""(?P<name>\b(?:identified\s{1,4}(?:with\s{1,4}\w{1,40}\s{1,4})?by|password)\s{1,4}
        \\{0,4}(?P<quote>["']))
    (?![$<{(\[]) (?:(?!(?P=quote))[^\n\\])+ (?=\\{0,4}(?P=quote))""",
    _FLAGS,
)
# Programs that take a password by an option of a few letters, or behind their other words.
_BETWEEN: Final = r"[^\n|;&]{0,200}?[ \t\"',]"
_SHORT: Final = re.compile(
    rf"""(?P<name>(?:
        \bsshpass\b {_BETWEEN} -p {_BLANK}?
      | \b(?:mysql|mariadb)\w* \b {_BETWEEN} -p (?=[^\s"',])
      | \b(?:docker|podman|buildah|skopeo|helm|nerdctl|az|oc|cf|ibmcloud) {_BLANK}
            (?:registry {_BLANK})? login\b {_BETWEEN} -p (?:{_BLANK}|=|(?=[^\s"',=]))
      | \b(?:twine {_BLANK} upload|poetry {_BLANK} publish|cqlsh)\b {_BETWEEN} -p {_BLANK}
      | \bredis-cli\b {_BETWEEN} (?:-a|--pass) {_BLANK}
      | \bmongo[a-z]* \b {_BETWEEN} -p {_BLANK}?
      | \bldap[a-z]+ \b {_BETWEEN} -w {_BLANK}?
      | \b(?:(?:un)?zip|sqlcmd|bcp|mosquitto_\w{{3}}|ipmitool)\b {_BETWEEN} -P {_BLANK}?
      | \b(?:7z[ar]?|(?:un)?rar)\b {_BETWEEN} -h?p (?=[^\s"',])
      | \b(?:plink|pscp|psftp|putty)\b {_BETWEEN} -pw {_BLANK}
      | \b(?:keytool|jarsigner)\b {_BETWEEN} -(?:src|dest)?(?:store|key)pass {_BLANK}
      | \b(?:smb[a-z]+|rpcclient|winexe|net)\b {_BETWEEN} -U {_BLANK}? {_USER_NAME}%
      | (?<![^\s"'(`])(?:https?|xhs?|hey|ab)\b {_BETWEEN} -[aA] {_BLANK} {_USER_NAME}:
      | \bhtpasswd {_BLANK} (?:-[A-Za-mo-z]{{1,12}} {_BLANK}){{1,4}} (?:{_WORD} {_BLANK}){{2}}
      | \bhtpasswd {_BLANK} (?:-\w{{1,12}} {_BLANK}){{0,4}}? -\w{{0,12}}n\w{{0,12}} {_BLANK}
            (?:-\w{{1,12}} {_BLANK}){{0,4}} {_WORD} {_BLANK}
      | \bopenssl\b {_BETWEEN} -k {_BLANK}
      | \bmysqladmin\b {_BETWEEN} password {_BLANK}
      | \bconfig(?:ure)? {_BLANK} (?:set {_BLANK})?
            [^\s"']{{0,80}}?(?i:{WORDS}|token)[\w.-]{{0,40}} {_BLANK}
      | \bpass(?:in|out|word)? (?:{_BLANK}|=) pass:
      | \blogin {_BLANK} \S{{1,64}} {_BLANK} password {_BLANK}
      | <(?P<tag>[\w:.-]{{0,40}}?(?i:{WORDS}|token)\w{{0,20}})>
    ){_QUOTE})
    (?!-) {_ARGUMENT}""",
    re.VERBOSE | re.ASCII,
)

_EVERYWHERE: Final = (_HEADER, _SCHEME, _ADDRESS, _USER, _QUERY, _OPTION, _SQL)
_COMMANDS: Final = (*PROGRAMS, "pass", "login", "http", "config", "</")


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
