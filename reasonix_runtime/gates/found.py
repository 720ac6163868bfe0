"""What a refusal says was found in place of what is missing: bounded, and with secrets masked."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence
from itertools import islice

from reasonix_runtime.evidence.command_kinds import checks_nothing
from reasonix_runtime.evidence.commands import classify
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown, shown_all
from reasonix_runtime.evidence.options.command_line import tool_name
from reasonix_runtime.evidence.running.reading import read
from reasonix_runtime.evidence.session import SessionHistory
from reasonix_runtime.evidence.tasks import Task, current
from reasonix_runtime.evidence.word_lists import words

MOST_OF_TURN = 8
"""Most commands or paths of this turn in one message (CS-17)."""
MOST_IN_ALL = 12
"""Most commands in one message, earlier turns included; also most items of a list."""
ITEM_LENGTH = 60
"""Most characters of one item's title."""

EXAMPLES = {
    "go": "go test ./...",
    "js": "npm test",
    "jsx": "npm test",
    "ts": "npm test",
    "tsx": "npm test",
    "py": "pytest -q",
    "rs": "cargo test",
    "java": "mvn test",
    "kt": "gradle test",
    "cs": "dotnet test",
    "swift": "swift test",
}
"""A recognised verification for each ending; a test asks the classifier about all of them."""

WIDER_EXAMPLES = {
    "scala": "sbt test",
    "rb": "bundle exec rspec",
    "php": "vendor/bin/phpunit",
    "ex": "mix test",
    "exs": "mix test",
    "dart": "dart test",
    "hs": "cabal test",
    "ml": "dune test",
    "zig": "zig build test",
    "elm": "npx elm-test",
    "tf": "terraform validate",
    "sql": "sqlfluff lint",
}
"""The same, of checks that only some rule sets know."""

ANY_EXAMPLE = "make test"

_RUN_ANYTHING = {
    **dict.fromkeys(words("make gradle mvn just task sbt mill xcodebuild meson"), ""),
    **dict.fromkeys(words("bazel buck2"), " //..."),
}
"""Programs that run the tests of a project, whatever it is written in, and what `test` asks for."""
_BY_SEVERAL = words("java kt scala swift")


def quoted(texts: Iterable[str], limit: int) -> str:
    """List texts in back-quotes, latest first, at most `limit` of them."""
    return shown_all(list(texts)[-limit:][::-1])


def latest(ledger: Ledger, *, after: int = -1) -> Sequence[str]:
    """Return the commands that succeeded last, as many as are told.

    `after` is a position in the session: what ended well behind it is told alone.
    """
    since = ledger.commands(after=after - ledger.base)
    return [*islice(since, MOST_OF_TURN)][::-1]


def ran(ledger: Ledger, history: SessionHistory) -> str:
    """Say which commands succeeded, those of this turn first."""
    turn = latest(ledger)
    earlier = (text for text in history.recent() if text not in turn)
    rest = [*islice(earlier, MOST_IN_ALL - len(turn))][::-1]
    parts = []
    if turn:
        parts.append(f"Commands that succeeded in this turn: {quoted(turn, MOST_OF_TURN)}.")
    if rest:
        parts.append(f"Earlier: {quoted(rest, MOST_IN_ALL)}.")
    return " ".join(parts) or "No command succeeded so far."


def empty_check(ledger: Ledger) -> str:
    """Say of the latest run that looks like a check and is none why it tells nothing."""
    rules = ledger.rules.commands
    told = next((text for text in reversed(latest(ledger)) if checks_nothing(text, rules)), "")
    if not told:
        return ""
    return (
        f"`{shown(told)}` tells nothing of the work: an option or a variable leaves out, picks or "
        "mutes what it checks"
    )


def nearest(wanted: str, known: Sequence[str]) -> str | None:
    """Return the known text that is most like the wanted one, if any is like it at all."""
    found = difflib.get_close_matches(wanted, known[-MOST_OF_TURN:], n=1, cutoff=0.5)
    return found[0] if found else None


def paths(found: Sequence[str], what: str) -> str:
    """Say which paths were written or touched in this turn."""
    if not found:
        return f"No path was {what} in this turn."
    return f"Paths {what} in this turn: {quoted(found, MOST_OF_TURN)}."


def task(tasks: Sequence[Task], index: int) -> str:
    """Name an item by its number and title."""
    return f'{index + 1} "{shown(tasks[index].content, ITEM_LENGTH)}"'


def items(tasks: Sequence[Task]) -> str:
    """List the items with their numbers, at most twelve."""
    listed = "; ".join(task(tasks, index) for index in range(min(len(tasks), MOST_IN_ALL)))
    more = len(tasks) - MOST_IN_ALL
    return f"{listed}; and {more} more" if more > 0 else listed


def current_item(tasks: Sequence[Task]) -> str:
    """Name the current item, or say that there is none."""
    index = current(tasks)
    if index is None:
        return "no item is in progress"
    return f"the current item is {task(tasks, index)}"


def example(ledger: Ledger, owed: Sequence[str] = ()) -> str:
    """Return a recognised verification for the language of what changed last.

    Where nothing did in this turn it is that of the paths that are owed for. Where a language has
    more than one way to run tests, or none is known, what ran tells which.
    """
    wide = ledger.rules.commands.wide_checks
    known, ending = {**EXAMPLES, **(WIDER_EXAMPLES if wide else {})}, ""
    for path in reversed((*owed, *ledger.written_paths())):
        ending = path.rpartition(".")[2]
        if ending in known:
            break
    if ending in known and ending not in _BY_SEVERAL:
        return known[ending]
    return _by_what_ran(ledger) or known.get(ending, ANY_EXAMPLE)


def _by_what_ran(ledger: Ledger) -> str:
    """Return how the program that ran last of those that run anything runs the tests."""
    rules = ledger.rules.commands
    for text in reversed(latest(ledger)):
        for plain in read(text, rules).commands:
            program = plain.words[0] if plain.words else ""
            command = f"{program} test{_RUN_ANYTHING.get(tool_name(program), '')}"
            if tool_name(program) in _RUN_ANYTHING and classify(command, rules).verification:
                return shown(command)
    return ""
