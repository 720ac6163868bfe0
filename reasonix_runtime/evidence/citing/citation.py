"""Whether a command that ran proves a command that is cited (CS-08)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_runtime.evidence.citing.grammar import match_by_grammar
from reasonix_runtime.evidence.citing.match import ExitStatus, Match
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.shell.exit_status import proven
from reasonix_runtime.evidence.shell.script import parse

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reasonix_runtime.evidence.command_rules import CommandRules


@memoised(8192)
def matches(cited: str, ran: str, rules: CommandRules) -> Match:
    """Compare a citation with one command that ran, under the given rules."""
    if rules.citation_by_grammar:
        return match_by_grammar(cited, ran, rules)
    return _match_word_sets(cited, ran, rules)


def first_match(cited: str, texts: Iterable[str], rules: CommandRules) -> str | None:
    """Return the first of many commands that covers a citation.

    Comparing reads both texts. By word sets a command has to hold the citation's first word, and
    holds it letter for letter where it quotes nothing, so that most are left out by a look at them.
    """
    word = "" if rules.citation_by_grammar else _first_word(cited)
    for text in texts:
        if (word in text or "'" in text or '"' in text or "\\" in text) and matches(
            cited, text, rules
        ):
            return text
    return None


# Comparison by word sets, CS-08 as it is written.

_CUTS = ("&&", "||", ";", "|", "\n")
_QUOTES = str.maketrans("", "", "\"'")


def _match_word_sets(cited: str, ran: str, rules: CommandRules) -> Match:
    wanted = _pieces(cited)
    if not wanted:
        return Match(covered=False, why="the citation names no command")
    had = _pieces(ran)
    for words in wanted:
        if not any(_covers(words, candidate) for candidate in had):
            return Match(covered=False, why=f"{' '.join(words)!r} is no part of what ran")
    owned = not rules.status_of_segment or _proven_by_words(wanted, ran)
    return Match(covered=True, status=ExitStatus.OWNED if owned else ExitStatus.MASKED)


def _proven_by_words(wanted: tuple[tuple[str, ...], ...], ran: str) -> bool:
    """Whether segments that surely succeeded cover the whole citation."""
    script = parse(ran)
    segments = [script.segments[index] for index in proven(script)] if script.splittable else []
    sure = [segment.static or _fields(segment.text) for segment in segments]
    return all(any(_covers(words, candidate) for candidate in sure) for words in wanted)


@memoised(2048)
def _pieces(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the words of each segment (M2, M4), or of each piece of an unsplittable text (M5)."""
    script = parse(text)
    if script.splittable:
        return tuple(
            segment.static or _fields(segment.text)
            for segment in script.segments
            if not segment.text.startswith("#")
        )
    pieces = [text]
    for cut in _CUTS:
        pieces = [part for piece in pieces for part in piece.split(cut)]
    stripped = (piece.strip() for piece in pieces)
    return tuple(_piece_words(piece) for piece in stripped if piece and not piece.startswith("#"))


def _first_word(text: str) -> str:
    """Return the first word of a command up to a blank that was quoted; empty where it has none."""
    pieces = _pieces(text)
    return pieces[0][0].partition(" ")[0] if pieces and pieces[0] else ""


def _piece_words(piece: str) -> tuple[str, ...]:
    script = parse(piece)
    if script.splittable and len(script.segments) == 1 and not script.segments[0].background:
        return script.segments[0].static or _fields(piece)
    return _fields(piece)


def _fields(text: str) -> tuple[str, ...]:
    """Return the white-space fields of a source text without its quotes (M4)."""
    return tuple(text.translate(_QUOTES).split())


def _covers(cited: tuple[str, ...], ran: tuple[str, ...]) -> bool:
    """Whether one ran segment covers one cited segment (M2, M3)."""
    if " ".join(cited) == " ".join(ran):
        return True
    return len(cited) > 1 and cited[:1] == ran[:1] and set(cited) <= set(ran)
