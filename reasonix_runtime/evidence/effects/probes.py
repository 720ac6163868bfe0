"""Commands that only ask: a server by GET, a service, a build tool, a program for its version.

They change nothing. The permission layer takes them for no readers all the same: a question tells a
server something, and a build tool runs what the project wrote.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.verification import is_option
from reasonix_runtime.evidence.effects import reader_tables as tables
from reasonix_runtime.evidence.effects.reads_by_arguments import (
    installed_program,
    reads_by_arguments,
)
from reasonix_runtime.evidence.options.command_line import starts_with
from reasonix_runtime.evidence.shell.script import parse

if TYPE_CHECKING:
    from reasonix_runtime.evidence.shell.script import Segment

_WHERE = frozenset({"-o", "--output"})
_NOWHERE = frozenset({"/dev/null", "-", "NUL"})
_HOW = frozenset({"-X", "--request"})
# Every further word may be a task that runs as well.
_GRADLE = frozenset({"gradle", "./gradlew"})
_GRADLE_TELLS = frozenset({"--all", "-q", "--quiet", "--console=plain", "--no-daemon", "--offline"})
_ASKED = frozenset({"--version", "--help"})


def only_asks(words: tuple[str, ...]) -> bool:
    """Whether static words only ask for something."""
    program = installed_program(words[0])
    if program in tables.ASKING_PROGRAMS:
        return True
    if program in tables.DATABASES:
        return _only_queries(program, words[1:])
    by_words = _BY_WORDS.get(program)
    if by_words is not None and by_words(words[1:]):
        return True
    if _only_tries(program, words[1:]):
        return True
    commands = tables.ASKING_COMMANDS.get(program, frozenset())
    at = 1
    while at < len(words) and _leads(program, words[at]):
        at += 1
    if starts_with(words[at:], commands):
        return not (
            any(map(_writes, words[2:]))
            or (program in _GRADLE and not _GRADLE_TELLS.issuperset(words[at + 1 :]))
            or _goes_on(program, words[at:])
            or any(word.startswith(tables.ASKING_WRITES.get(program, ())) for word in words[2:])
        )
    return len(words) == 2 and words[1] in _ASKED and "/" not in words[0]


def _leads(program: str, word: str) -> bool:
    """Whether an option may stand before the question: where terraform runs, `gradle -q tasks`."""
    return word.startswith("-chdir=") or (program in _GRADLE and word in _GRADLE_TELLS)


def _goes_on(program: str, arguments: Sequence[str]) -> bool:
    """Whether a question is followed by one more task: `mvn dependency:tree deploy`."""
    if not starts_with(arguments, tables.ASKING_ON.get(program, frozenset())):
        return False
    return any(
        not word.startswith("-")
        and before not in tables.ASKING_VALUES
        and word not in tables.GOES_ON_LOOKING
        for before, word in pairwise(arguments)
    )


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
        elif word.startswith("-") and not (
            tables.DATABASE_FLAGS.fullmatch(word) or word in tables.LISTING_DATABASES
        ):
            return False
        at += 1
    named = [word for word in arguments if not word.startswith("-")]
    if program == "mongosh" and any(word.endswith(".js") for word in named):
        return False  # which runs it as well
    if program in {"sqlite3", "duckdb"}:  # `sqlite3 app.db '.schema'`
        asked += named[1:]
    elif program == "psql" and not tables.LISTING_DATABASES.isdisjoint(arguments):
        asked.append("\\l")
    return bool(asked) and all(tables.QUESTION.fullmatch(one.strip()) for one in asked)


def _only_describes(arguments: Sequence[str]) -> bool:
    """Whether a service is asked by a verb that reads: `aws sts get-caller-identity`."""
    named = [word for word in arguments if not word.startswith("-")]
    return len(named) > 1 and tables.DESCRIBING.fullmatch(named[1]) is not None


def _looks_by_nouns(arguments: Sequence[str]) -> bool:
    """`gcloud compute instances list`, `az vm show web`: the verb stands behind its nouns."""
    lead = list(takewhile(lambda word: not word.startswith("-"), arguments))
    verbs = [word.rpartition(":")[2] for word in lead]
    # The first noun of a service may be called like a verb: `gcloud run services list`.
    others = verbs[1:] if lead[:2] in (["run", "services"], ["run", "jobs"]) else verbs
    doing = any(map(tables.DOING_VERBS.fullmatch, others))
    looks = not tables.LOOKING_VERBS.isdisjoint(verbs[-2:]) and not doing
    return looks and not any(map(_names_file, ("", *arguments), (*arguments, "")))


def _names_file(option: str, value: str) -> bool:
    """Whether two words that follow each other tell where an answer is kept: `-o src/a.py`."""
    name, equals, joined = value.partition("=")
    if name.startswith("--output-f") or (equals and name in tables.LOOK_TO):
        return name.startswith("--output-f") or tables.LAYOUT.fullmatch(joined) is None
    return option in tables.LOOK_TO and tables.LAYOUT.fullmatch(value) is None


def _looks_first(arguments: Sequence[str]) -> bool:
    """`opam list`, `pipx list`: the first word says that the program looks."""
    done_again = arguments[:1] == ("history",) and any(
        word == "redo" or tables.DOING_VERBS.fullmatch(word) for word in arguments
    )
    return arguments[:1] != () and arguments[0] in tables.LOOKING_VERBS and not done_again


def _only_tries(program: str, arguments: Sequence[str]) -> bool:
    """Whether a command says what it would do, and does nothing: `rsync -n`, `kubectl --dry-run`.

    What stands behind two dashes is said to another program.
    """
    commands, trying = tables.TRYING.get(program, (frozenset[str](), None))
    own = list(takewhile(lambda word: word != "--", arguments))
    named = [word for word in own if not word.startswith("-")]
    if trying is None or not any(map(trying.fullmatch, own)):
        return False
    does_more = tables.TRIES_MORE.get(program)
    if does_more is not None and any(map(does_more.fullmatch, own)):
        return False
    return "" in commands or (named[:1] != [] and named[0] in commands)


def _gets_from_forge(arguments: Sequence[str]) -> bool:
    """`gh api repos/o/r/pulls`: by GET, and with no field that would make it another method."""
    if arguments[:1] != ("api",) or arguments[1:2] == ("graphql",):
        return False
    told = [word.partition("=") for word in arguments[1:]]
    return all(
        name.lower() not in tables.FORGE_SENDS and not name.startswith(("-f", "-F", "-X"))
        for name, _, _ in told
    )


def _gets_by_wget(arguments: Sequence[str]) -> bool:
    """`wget -qO- http://localhost`: what is got is printed, and kept in no file."""
    options = [word for word in arguments if word.startswith("-")]
    prints = any(map(tables.WGET_PRINTS.fullmatch, options))
    known = (tables.WGET_PRINTS, tables.WGET_TELLS)
    return prints and all(any(one.fullmatch(word) for one in known) for word in options)


def _gets_by_cmdlet(arguments: Sequence[str]) -> bool:
    """`Invoke-WebRequest http://localhost:3000`: something is got, and kept in no file."""
    told = [word.lower() for word in arguments]
    options = {word for word in told if word.startswith("-")}
    method = told[told.index("-method") + 1 :][:1] if "-method" in told else ["get"]
    return tables.CMDLET_GETS.issuperset(options) and method in (["get"], ["head"])


def _gets_by_httpie(arguments: Sequence[str]) -> bool:
    """`http GET example.com q==1`: no other method, no data, no file."""
    named = [word for word in arguments if not word.startswith("-")]
    if named[:1] and named[0].isupper() and named[0] not in {"GET", "HEAD", "OPTIONS"}:
        return False
    flags = tables.HTTPIE_FLAGS.issuperset(set(arguments) - set(named))
    items = named[2:] if named[:1] and named[0].isupper() else named[1:]
    return flags and all(
        word.partition("=")[2][:1] == "=" or ("=" not in word and "@" not in word) for word in items
    )


def _reads_on_host(arguments: Sequence[str]) -> bool:
    """`ssh host ls`: whatever runs on the other machine only reads there."""
    at = 0
    while at < len(arguments) and arguments[at].startswith("-"):
        if arguments[at] in tables.SSH_VALUES:
            if "command" in "".join(arguments[at + 1 : at + 2]).lower():
                return False
            at += 2
        elif tables.SSH_FLAGS.fullmatch(arguments[at]):
            at += 1
        else:
            return False
    script = parse(" ".join(arguments[at + 1 :]))
    return script.splittable and bool(script.segments) and all(map(_only_reads, script.segments))


def _only_scans(arguments: Sequence[str]) -> bool:
    """`nmap -p 80 host`: what it finds is printed, and no script is asked for."""
    return not any(map(tables.SCANS_MORE.fullmatch, arguments))


def _only_reads(segment: Segment) -> bool:
    values = segment.static
    return bool(values) and reads_by_arguments(values or ())


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


_BY_WORDS: Final[Mapping[str, Callable[[Sequence[str]], bool]]] = {
    "curl": _gets,
    **dict.fromkeys(tables.CLOUDS, _only_describes),
    **dict.fromkeys(tables.LOOKING_FIRST, _looks_first),
    **dict.fromkeys(tables.LOOKING_BEHIND_NOUNS, _looks_by_nouns),
    "gh": _gets_from_forge,
    "wget": _gets_by_wget,
    **dict.fromkeys(tables.GETTING_CMDLETS, _gets_by_cmdlet),
    **dict.fromkeys(tables.HTTPIE, _gets_by_httpie),
    "ssh": _reads_on_host,
    "nmap": _only_scans,
}
