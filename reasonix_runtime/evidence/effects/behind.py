"""Whether a command line changes something after the check that it ran (FRESH).

`pytest && sed -i s/a/b/ app.py` says nothing of what stands there when it is done. What runs
beside the check, as the other parts of a pipe do, is not after it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from reasonix_runtime.evidence.command_rules import CommandRules
from reasonix_runtime.evidence.commands import classify, matches
from reasonix_runtime.evidence.effects.git_record import only_records
from reasonix_runtime.evidence.memo import memoised
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
from reasonix_runtime.evidence.shell.statements import texts_of
from reasonix_runtime.evidence.shell.windows import dialect_of


@memoised(1024)
def changes_behind(cited: str, ran: str, rules: CommandRules) -> str:
    """Return what a run changes after the last command that covers the citation, else nothing."""
    if not (rules.status_of_segment and classify(ran, rules).mutates):
        return ""
    script = parse(ran, dialect_of(ran))
    claims = [segment.text for segment in parse(cited, dialect_of(cited)).segments]
    for claim in claims:
        behind = _behind(script.body, script, partial(_covers, claim, rules))
        for text in behind or ():
            if classify(text, rules).mutates and not only_records(text, rules):
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
            return [] if covers(segment.text) else None
        case AndOr(parts) | Sequence(parts) | Uncertain(parts):
            for at in range(len(parts) - 1, -1, -1):
                behind = _behind(parts[at], script, covers)
                if behind is not None:
                    return [*behind, *_texts(parts[at + 1 :], script)]
        case Pipe(parts):
            found = [_behind(part, script, covers) for part in parts]
            return next((behind for behind in reversed(found) if behind is not None), None)
        case Group(body) | Background(body) | Loop(body):
            return _behind(body, script, covers)
    return None


def _texts(statements: tuple[Statement, ...], script: Script) -> Iterator[str]:
    for statement in statements:
        yield from texts_of(statement, script)
