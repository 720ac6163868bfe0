"""Commands that only ask: a server by GET, a service, a build tool, a program for its version.

They change nothing. The permission layer takes them for no readers all the same: a question tells a
server something, and a build tool runs what the project wrote.
"""

from __future__ import annotations

from collections.abc import Sequence

from reasonix_runtime.evidence.checks.verification import is_option
from reasonix_runtime.evidence.effects import reader_tables as tables
from reasonix_runtime.evidence.options.command_line import starts_with

_WHERE = frozenset({"-o", "--output"})
_NOWHERE = frozenset({"/dev/null", "-", "NUL"})
_HOW = frozenset({"-X", "--request"})
# Every further word may be a task that runs as well.
_GRADLE = frozenset({"gradle", "./gradlew"})
_ASKED = frozenset({"--version", "--help"})


def only_asks(words: tuple[str, ...]) -> bool:
    """Whether static words only ask for something."""
    program = words[0].lower()
    if program in tables.ASKING_PROGRAMS:
        return True
    if program == "curl":
        return _gets(words[1:])
    if program in tables.DATABASES:
        return _only_queries(program, words[1:])
    if program in tables.CLOUDS:
        return _only_describes(words[1:])
    commands = tables.ASKING_COMMANDS.get(program, frozenset())
    at = 1
    while at < len(words) and words[at].startswith("-chdir="):  # where terraform runs
        at += 1
    if starts_with(words[at:], commands):
        return not any(map(_writes, words[2:])) and (program not in _GRADLE or len(words) == 2)
    return len(words) == 2 and words[1] in _ASKED and "/" not in words[0]


def _only_queries(program: str, arguments: Sequence[str]) -> bool:
    """Whether a client of a database is given questions alone: `psql -c 'select 1'`."""
    options = tables.QUERY_OPTIONS[program]
    asked, at = [], 0
    while at < len(arguments):
        word = arguments[at]
        asks = word in options or (
            f"-{word[-1:]}" in options and tables.DATABASE_FLAGS.fullmatch(word[:-1]) is not None
        )
        if asks and at + 1 < len(arguments):
            asked.append(arguments[at + 1])
            at += 1
        elif word in tables.DATABASE_VALUES:
            at += 1
        elif word.startswith("-") and not tables.DATABASE_FLAGS.fullmatch(word):
            return False
        at += 1
    named = [word for word in arguments if not word.startswith("-")]
    if program == "sqlite3":  # `sqlite3 app.db '.schema'`
        asked += named[1:]
    return bool(asked) and all(tables.QUESTION.fullmatch(one.strip()) for one in asked)


def _only_describes(arguments: Sequence[str]) -> bool:
    """Whether a service is asked by a verb that reads: `aws sts get-caller-identity`."""
    named = [word for word in arguments if not word.startswith("-")]
    return len(named) > 1 and tables.DESCRIBING.fullmatch(named[1]) is not None


def _writes(word: str) -> bool:
    return word == "-w" or word.startswith(("-o", "--web", "--output", "--write", "-Doutput"))


def _gets(arguments: Sequence[str]) -> bool:
    """Whether curl gets something and prints it: no data, no other method, no file."""
    at = 0
    while at < len(arguments):
        word = arguments[at]
        following = arguments[at + 1] if at + 1 < len(arguments) else ""
        letters = word[1:] if is_option(word) and not word.startswith("--") else ""
        alone = bool(letters) and tables.CURL_LETTERS.issuperset(letters)
        if alone or not is_option(word) or word in tables.CURL_ALONE:
            at += 1
        elif _takes(word, letters, following):
            at += 2
        else:
            return False
    return True


def _takes(word: str, letters: str, following: str) -> bool:
    """Whether an option takes the next word, and that word is harmless."""
    if letters and not tables.CURL_LETTERS.issuperset(letters[:-1]):
        return False
    option = f"-{letters[-1]}" if letters else word
    if option in _WHERE:
        return following in _NOWHERE
    if option in _HOW:
        return following.upper() in {"GET", "HEAD", "OPTIONS"}
    return option in tables.CURL_VALUES or option[1:] in tables.CURL_VALUE_LETTERS
