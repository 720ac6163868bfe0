"""Whether a command line changes something after the check that it ran (FRESH).

`pytest && sed -i s/a/b/ app.py` says nothing of what stands there when it is done, nor does
`pytest > app.py`. What else runs beside the check, as other parts of a pipe do, is not after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.command_kinds import only_reads
from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.command_tables import KEEPING, OUTPUT_OPERATORS
from reasonix_runtime.evidence.commands import classify, matches
from reasonix_runtime.evidence.effects.git_record import only_records
from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.running.wrappers import peel
from reasonix_runtime.evidence.shell.script import (
    AndOr,
    Background,
    Group,
    Loop,
    Pipe,
    Script,
    Sequence,
    Simple,
    Statement,
    Uncertain,
    parse,
)
from reasonix_runtime.evidence.shell.state import action_of, program_of
from reasonix_runtime.evidence.shell.statements import commands_in, texts_of
from reasonix_runtime.evidence.shell.told_values import parse_told

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Segment

_SOURCE: Final = re.compile(r"(?!-|/dev/).*[^./\\]\.\w+")
_PASSING_ON: Final = KEEPING | {"cat"}
_RESULTS: Final = re.compile(
    r"\.(?:log|txt|out|err|xml|json|jsonl|html?|md|tap|csv|tsv|trx|lcov|info|sarif|xunit|junit)$",
    re.IGNORECASE,
)


@memoised(1024)
def changes_behind(cited: str, ran: str, rules: CommandRules) -> str:
    """Return what a run changes after the last command that covers the citation, else nothing."""
    if not (rules.status_of_segment and classify(ran, rules).mutates):
        return ""
    for plain in read(ran, rules).commands:
        if program_of(plain.segment) == "trap" and not only_reads(plain, rules):
            return action_of(plain.segment)  # the shell does it at its end
    script = parse_told(ran)
    claims = [segment.text for segment in parse_told(cited).segments]
    for claim in claims:
        behind = _behind(script.body, script, partial(_covers, claim, rules))
        for text in behind or ():
            if classify(text, rules).changes_files and not only_records(text, rules):
                return text
    return ""


def _covers(claim: str, rules: CommandRules, text: str) -> bool:
    return bool(matches(claim, text, rules))


def _behind(
    statement: Statement, script: Script, covers: Callable[[str], bool]
) -> list[str] | None:
    """Return what runs after the last part that covers a claim, None where no part does."""
    match statement:
        case Simple(index):
            segment = script.segments[index]
            nested = peel(segment).nested
            if nested is not None:
                return _behind(nested.body, nested, covers)
            return list(_written_over(segment)) if covers(segment.text) else None
        case AndOr(parts) | Sequence(parts) | Uncertain(parts):
            for at in range(len(parts) - 1, -1, -1):
                behind = _behind(parts[at], script, covers)
                if behind is not None:
                    return [*behind, *_texts(parts[at + 1 :], script)]
        case Pipe(parts):
            found = [_behind(part, script, covers) for part in parts]
            behind = next((one for one in reversed(found) if one is not None), None)
            if behind is None:
                return None
            piped = (script.segments[at] for part in parts for at in commands_in(part))
            return [*behind, *(text for one in piped for text in _written_over(one))]
        case Group(body) | Background(body) | Loop(body):
            return _behind(body, script, covers)
    return None


def _written_over(segment: Segment) -> Iterator[str]:
    """Yield a command that writes what it prints, or is handed, over a file of the work by name.

    A file of results is no such one, whatever else is asked about it.
    """
    targets = [
        one.target.value or ""
        for one in segment.redirects
        if one.operator in OUTPUT_OPERATORS and one.target is not None
    ]
    if program_of(segment).lower() in KEEPING:
        targets += [word.value or "" for word in segment.words[1:]]
    if any(_SOURCE.fullmatch(name) and not _RESULTS.search(name) for name in targets):
        yield segment.text
    written = [one.target for one in segment.redirects if one.target is not None]
    for word in (*segment.words, *written):
        if word.text.startswith(">("):
            yield from (text for one in word.substitutions for text in _handed_to(one.command))


def _handed_to(command: str) -> Iterator[str]:
    """Yield what a command does with what it is handed: `tee >(cat > app.py)`."""
    handed = parse(command)
    if not all(program_of(segment) in _PASSING_ON for segment in handed.segments):
        yield command
    for segment in handed.segments:
        yield from _written_over(segment)


def _texts(statements: tuple[Statement, ...], script: Script) -> Iterator[str]:
    for statement in statements:
        yield from texts_of(statement, script)
