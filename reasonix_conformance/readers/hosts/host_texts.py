"""What a Reasonix host writes into the texts of prompts and results, and how it is taken off.

A prompt has the host's blocks before and behind what the user typed. A result may end with lines
of the host, and where the host cut it, a mark stands in the place of what is gone.
"""

from __future__ import annotations

import re

from reasonix_runtime.trace.events import Truncated

REWRITTEN = ("[snipped tool result", "[elided tool result", "[tool result elided")
"""How a result begins whose text the host threw away later, to make room for newer ones."""
TRAILED = ("]", "]\n")
"""How a result may end that has a trailer (:func:`strip_trailers`): few results end like this."""
CUT_MARK = "…[truncated "
"""How the mark begins that stands where a result was cut when it was made."""
PRUNED = "[... tool result middle pruned ...]"
"""The mark that stands where a host took the middle of an old result out."""

# The name of a block has a hyphen, which tells it from the markup that a user types.
_BLOCK = r"<([a-z]+(?:-[a-z]+)+)(?: [^>\n]*)?>.*?</\1>"
_LEADING = re.compile(rf"\s*{_BLOCK}\s*", re.DOTALL)
_TRAILING = re.compile(rf"\s*{_BLOCK}\s*\Z", re.DOTALL)
_CLOSING = re.compile(r"\n</([a-z]+(?:-[a-z]+)+)>\s*\Z")
_TRAILER = re.compile(r"\n?\[(?:receipt|source_token) [A-Za-z0-9_-]{1,80}\]\s*\Z")
_CUT = re.compile(r"…\[truncated (\d{1,15}) of (\d{1,15}) bytes")
_CUT_WITH_REF = re.compile(
    r"…\[truncated [^\n]{0,200}?result_ref=(\S+)"
    r" original_bytes=(\d{1,15}) kept_bytes=(\d{1,15})(?!\d)"
)


def split_host_blocks(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the user's own text, and the names of the host's blocks before and after it."""
    if "</" not in text:
        return text.strip(), ()
    names: list[str] = []
    begin, end = 0, len(text)
    while match := _LEADING.match(text, begin):
        names.append(match[1])
        begin = match.end()
    while match := _last_block(text, begin, end):
        names.append(match[1])
        end = match.start()
    return text[begin:end].strip(), tuple(names)


def _last_block(text: str, begin: int, end: int) -> re.Match[str] | None:
    """Return the block with which a part of a text ends, its closing tag a line of its own."""
    if not text.endswith(">", begin, end):
        return None
    closing = text.rfind("\n<", begin, end)
    tag = _CLOSING.match(text, closing, end) if closing >= 0 else None
    opening = text.rfind(f"<{tag[1]}", begin, closing) if tag is not None else -1
    return _TRAILING.match(text, opening, end) if opening >= 0 else None


def strip_trailers(text: str) -> str:
    """Take the host's receipt and source lines off the end of a result."""
    while text.endswith(TRAILED):
        match = _TRAILER.search(text)
        if match is None:
            break
        text = text[: match.start()]
    return text


def cut_of(text: str) -> Truncated | None:
    """Return what the host's truncation marker inside a text says; None for a whole text."""
    # Many a text has other characters beyond ASCII; one character is looked for the fastest.
    may_be_cut = not text.isascii() and CUT_MARK[0] in text
    if not may_be_cut or (at := text.find(CUT_MARK)) < 0:
        return Truncated() if PRUNED in text else None
    match = _CUT.match(text, at)
    if match is not None:
        return Truncated(kept=int(match[2]) - int(match[1]), original=int(match[2]))
    match = _CUT_WITH_REF.match(text, at)
    if match is not None:
        return Truncated(kept=int(match[3]), original=int(match[2]), ref=match[1])
    return Truncated()
