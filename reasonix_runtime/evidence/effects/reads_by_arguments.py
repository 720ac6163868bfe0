"""Whether a command only reads, its arguments looked at: some hits of the tables write after all.

There are more readers here than in the tables. What is ambiguous counts as a change.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence import command_tables as tables
from reasonix_runtime.evidence.checks.verification import is_option
from reasonix_runtime.evidence.effects import reader_tables as readers
from reasonix_runtime.evidence.effects.reads_by_table import has_writing_option, is_table_hit
from reasonix_runtime.evidence.effects.redirects import is_log
from reasonix_runtime.evidence.options.command_line import starts_with
from reasonix_runtime.evidence.options.variables import makes_readers_run
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reasonix_runtime.evidence.shell.script import Assignment

_GIT_LISTS: Final[Mapping[str, frozenset[str]]] = {
    "stash": word_set("list show"),
    "worktree": word_set("list"),
    "submodule": word_set("status"),
    "notes": word_set("list show"),
    "remote": word_set("show get-url"),
    "config": word_set("get list"),
    "bisect": word_set("log"),
    "lfs": word_set("ls-files status env locks version"),
    "bundle": word_set("verify list-heads"),
    "archive": word_set("--list -l"),
}
_GIT_CONFIG_READS: Final = word_set("--get --get-all --get-regexp --list -l --get-urlmatch")
_GIT_BRANCH_LISTS: Final = word_set(
    "-a --all -r --remotes -v -vv --verbose --list -l --show-current --no-color --color -i"
    " --ignore-case --no-column --column"
)
_GIT_BRANCH_FILTERS: Final = word_set(
    "--contains --no-contains --merged --no-merged --points-at --sort --format --list -l"
)
_GIT_READS: Final = word_set(
    "merge-base check-ignore check-attr show-ref diff-tree diff-index diff-files count-objects"
    " version help var range-diff verify-commit verify-tag fsck show-branch"
    " verify-pack check-mailmap"
)
# What changes nothing because it is only tried; `-n` is something else for `git commit`.
_GIT_TRIES: Final[Mapping[str, frozenset[str]]] = {
    "add": word_set("-n --dry-run"),
    "rm": word_set("-n --dry-run"),
    "mv": word_set("-n --dry-run"),
    "push": word_set("-n --dry-run"),
    "clean": word_set("-n -nd -nx -ndx -nfd -nfdx -dn --dry-run"),
    "fetch": word_set("--dry-run"),
    "commit": word_set("--dry-run"),
    "apply": word_set("--check --stat --numstat --summary"),
}
# What takes the trial back, or names a program that answers; git knows options by a beginning.
_GIT_DOES_MORE: Final = ("--ap", "--no-dry", "--upl", "--rece", "--exec")
_GIT_CONFIG_SCOPES: Final = word_set("--global --local --system --show-origin --show-scope")
_ADDRESS: Final = r"(?:\d+|\$|/(?:[^/\\\n]|\\.)*/)"
# With what stands between it and the next one, so that each match takes something.
_SED_COMMAND: Final = re.compile(
    rf"(?:{_ADDRESS}(?:\s*,\s*(?:[+~]?\d+|{_ADDRESS}))?)?\s*(?:!\s*)?(?:[pdqQlnNhHgGxD=]\d*(?![^\s;}}])"
    r"|s([|/#,:@!%_~+])(?:(?!\1)[^\\\n]|\\.)*\1(?:(?!\1)[^\\\n]|\\.)*\1[gpiIM0-9]*|(?=\{))"
    r"[\s;{}]*"
)
_SED_BETWEEN: Final = re.compile(r"[\s;{}]*")
_SED_LETTERS: Final = frozenset("nErsuz")
_SED_ALONE: Final = word_set("--quiet --silent --regexp-extended --posix")
_AWK_WRITES: Final = re.compile(r"\bprintf?\b.*[>|]|\bsystem\s*\(|\bgetline\b|@", re.DOTALL)
_TAR_LISTS: Final = re.compile(r"-?[vzjJf]*t[tvzjJf]*|--list")
_FD_RUNS: Final = re.compile(r"-[a-zA-Z]*[xX]")
_NONE: Final[frozenset[str]] = frozenset()
# Where programs are installed, and the starters that a Ruby project keeps of its own.
_INSTALLED: Final = re.compile(
    r"(?:/usr(?:/local)?|/opt/homebrew)?/s?bin/(?=[^/]+$)|(?:\./)?bin/(?=(?:bundle|rails|rake)$)"
)
# Options of exiftool that set, copy or keep something, or run what they are given.
_TAGGING: Final = re.compile(
    r"-.*=.*|-(?:w|o|@|p|if|api|config|execute|stay_open|tagsfromfile|addtagsfromfile|delete_original"
    r"|restore_original|overwrite_original|geo|htmldump|userparam)\w*",
    re.IGNORECASE,
)
_MILLER_WRITES: Final = re.compile(
    r"-I|--(?:prepipe|load|mload).*|tee|split|.*(?:>|\bsystem\b|\bexec\b).*"
)
_NOWHERE: Final = word_set("/dev/null /dev/stderr /dev/stdout /dev/tty")
_OF_FORM: Final = word_set("-c -w -cw -wc")
_PROFILES: Final = word_set("-top -text -tree -traces -raw -peek -list")
# Sorting may keep what it sorts, or pack it by a program that is named.
_SORT_WRITES: Final = re.compile(r"-[a-zA-Z]*o.*|--(?:o|comp).*")


def reads_by_arguments(words: tuple[str, ...], assignments: tuple[Assignment, ...] = ()) -> bool:
    """Whether static words only read, their arguments looked at."""
    if any(map(makes_readers_run, assignments)):
        return False
    named, program = words[0], installed_program(words[0])
    words = (program, *words[1:])
    if program in readers.READERS or (len(words) == 1 and program in readers.BARE_READERS):
        return True
    special = _SPECIAL.get(program)
    if special is not None:
        return special(words)
    if _lists(program, words) or _reads_by_options(program, words):
        return True
    if readers.LOOKING_CMDLET.fullmatch(named):
        return not any(map(readers.CMDLET_WRITES.fullmatch, words))
    return is_table_hit(words) and not has_writing_option(words) and not _has_fix(words)


def _lists(program: str, words: tuple[str, ...]) -> bool:
    """Whether a program was given a sub-command that only lists or shows."""
    commands = readers.LISTERS.get(program, frozenset())
    rest = words[1:]
    if program == "kubectl" and rest[:1] in {("-n",), ("--namespace",)}:
        rest = rest[2:]
    listed = starts_with(rest, commands)
    if program == "kubectl" and not listed:
        return is_table_hit((program, *rest))
    given = [word.partition("=")[0] for word in rest]
    own = readers.LISTERS_WRITE_OWN.get(program)
    if own is not None:  # with one dash or two
        return listed and own.isdisjoint(word.replace("--", "-", 1) for word in given)
    return listed and not any(_is_one(word, readers.LISTERS_WRITE) for word in given)


def installed_program(word: str) -> str:
    """Return the program that a word names, also by the folder in which such programs stand."""
    return _INSTALLED.sub("", word).lower().removesuffix(".exe")


def _reads_by_options(program: str, words: tuple[str, ...]) -> bool:
    """Whether a program has an option that it needs to read, and none by which it writes."""
    given = [word.partition("=")[0] for word in words[1:]]
    needed, writing = readers.READERS_WITH.get(program, (_NONE, _NONE))
    if needed:
        return any(_is_one(word, needed) for word in given) and not _has_one(given, writing)
    unless = readers.READERS_UNLESS.get(program)
    return unless is not None and not _has_one(given, unless)


def _has_one(given: list[str], options: frozenset[str]) -> bool:
    """Whether one of some options was given, also among letters that stand together."""
    letters = {
        f"-{letter}"
        for word in given
        if is_option(word) and not word.startswith("--")
        for letter in word[1:]
    }
    return not letters.isdisjoint(options) or any(_is_one(word, options) for word in given)


def _is_one(word: str, options: frozenset[str]) -> bool:
    return word in options or any(
        option.endswith("*") and word.startswith(option[:-1]) for option in options
    )


def _has_fix(words: tuple[str, ...]) -> bool:
    return any(word.lower() in tables.WRITING_FLAGS - {"-u", "-w"} for word in words[1:])


def _operands(words: tuple[str, ...]) -> list[str]:
    return [word for word in words[1:] if not is_option(word)]


def _date(words: tuple[str, ...]) -> bool:
    """`date -s`, `date --set`, `date MMDDhhmm` set the clock; options with a value only read."""
    at = 1
    while at < len(words):
        word = words[at]
        if word.startswith(("-s", "--set")):
            return False
        if word in {"-d", "--date", "-r", "--reference", "-f", "--file", "-I"}:
            at += 1 if word == "-I" else 2
            continue
        if not word.startswith(("-", "+")):
            return False
        at += 1
    return True


def _probes_port(words: tuple[str, ...]) -> bool:
    """`nc -z host port` asks whether somebody listens, and sends nothing."""
    return any(re.fullmatch(r"-[vw\d]*z[vw\d]*", word) for word in words[1:])


def _no_operands(words: tuple[str, ...]) -> bool:
    return not _operands(words)


def _at_most_one_operand(words: tuple[str, ...]) -> bool:
    return len(_operands(words)) < 2 and "-r" not in words


def _tee(words: tuple[str, ...]) -> bool:
    """`tee` alone, or into a terminal, a log beside the work, or nowhere."""
    return all(word in _NOWHERE or is_log(word) for word in _operands(words))


def _without(*options: str) -> Callable[[tuple[str, ...]], bool]:
    """Return a check that a command has none of some options."""

    def check(words: tuple[str, ...]) -> bool:
        """Whether none of the options stands anywhere."""
        return not any(word.partition("=")[0].lower() in options for word in words[1:])

    return check


def _command(words: tuple[str, ...]) -> bool:
    """Tell `command -v x`, which looks a program up, from a wrapper."""
    return words[1:2] in {("-v",), ("-V",)}


def _npm(words: tuple[str, ...]) -> bool:
    audit_fix = len(words) > 2 and words[1].lower() == "audit" and "fix" in words[2:]
    listed = is_table_hit(words) or _lists("npm", words) or words == ("npm", "run")
    return listed and not audit_fix and not _has_fix(words)


def _go(words: tuple[str, ...]) -> bool:
    runs = any(
        option.lstrip("-").partition("=")[0] in {"vettool", "toolexec", "fix"}
        for option in words[2:]
    )
    if words[1:3] in {("mod", "graph"), ("mod", "why")}:
        return True
    if words[1:3] == ("tool", "pprof"):
        return len(words) > 4 and words[3] in _PROFILES and not any(map(is_option, words[4:]))
    if words[1:3] == ("tool", "cover"):
        return len(words) == 4 and words[3].startswith("-func=")
    return is_table_hit(words) and not has_writing_option(words) and not runs


def _all_options(pattern: re.Pattern[str]) -> Callable[[tuple[str, ...]], bool]:
    """Return a check that each option of a command is one that a pattern knows."""

    def check(words: tuple[str, ...]) -> bool:
        """Whether no option is another one."""
        return all(pattern.fullmatch(word) for word in words[1:] if is_option(word))

    return check


def _no_word(pattern: re.Pattern[str]) -> Callable[[tuple[str, ...]], bool]:
    """Return a check that a pattern finds no word of a command."""

    def check(words: tuple[str, ...]) -> bool:
        """Whether there is no such word."""
        return not any(map(pattern.fullmatch, words[1:]))

    return check


def _reads_form(arguments: tuple[str, ...]) -> bool:
    """`ruby -wc a.rb`, which says whether a program can be read and runs nothing of it."""
    *options, file = arguments or ("",)
    checks = any("c" in option for option in options)
    return checks and _OF_FORM.issuperset(options) and not is_option(file)


def _to_terminal(words: tuple[str, ...]) -> bool:
    """`pdftotext a.pdf -` prints; with another last word, or none, it writes a file."""
    return words[-1] == "-"


def _gofmt(words: tuple[str, ...]) -> bool:
    """`gofmt -l`, `gofmt -d` list; without either it prints, with `-w` it writes."""
    given = {word.lstrip("-").partition("=")[0] for word in words[1:] if is_option(word)}
    return given.isdisjoint({"w", "cpuprofile"})


def _sed(words: tuple[str, ...]) -> bool:
    """`sed -n 1,5p f` and a printed substitution read; `-i`, `w` and `e` do not."""
    scripts: list[str] = []
    operands: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        letters = word[1:] if is_option(word) and not word.startswith("--") else ""
        if letters.endswith("e") and _SED_LETTERS.issuperset(letters[:-1]):
            scripts.extend(words[at + 1 : at + 2])
            at += 1
        elif word.startswith("--expression="):
            scripts.append(word.partition("=")[2])
        elif is_option(word):
            if word not in _SED_ALONE and not (letters and _SED_LETTERS.issuperset(letters)):
                return False
        else:
            operands.append(word)
        at += 1
    scripts = scripts or operands[:1]
    return bool(scripts) and all(map(sed_prints, scripts))


def sed_prints(script: str) -> bool:
    """Whether every command of a script prints, drops or substitutes, and nothing else."""
    lead = _SED_BETWEEN.match(script)
    at = lead.end() if lead else 0
    while at < len(script):
        command = _SED_COMMAND.match(script, at)
        if command is None:
            return False
        at = command.end()
    return True


def _awk(words: tuple[str, ...]) -> bool:
    """Whether an awk program has no output to files, pipes or other programs."""
    at = 1
    while at < len(words) and is_option(words[at]):
        if words[at] in {"-F", "-v"}:
            at += 2
        elif words[at].startswith(("-F", "-v")):
            at += 1
        else:
            return False
    return at < len(words) and _AWK_WRITES.search(words[at]) is None


def _git(words: tuple[str, ...]) -> bool:
    """Whether a git command is a table hit that does not write, or only lists."""
    subcommand = words[1] if len(words) > 1 else ""
    arguments = words[2:]
    if any(word == "--output" or word.startswith("--output=") for word in arguments):
        return False
    if subcommand in _GIT_READS:
        return True
    if subcommand in _GIT_TRIES:
        tries = not _GIT_TRIES[subcommand].isdisjoint(arguments)
        return tries and not any(word.startswith(_GIT_DOES_MORE) for word in arguments)
    if subcommand == "symbolic-ref":
        return len(_operands(words)) == 2 and set(arguments) & {"-d", "-m", "--delete"} == set()
    if subcommand == "tag":
        return not tags(words)
    if subcommand == "reflog":
        return not arguments or arguments[0] not in {"expire", "delete", "drop", "write"}
    if subcommand == "branch":
        return _lists_branches(arguments)
    if subcommand == "remote" and arguments in {(), ("-v",), ("--verbose",)}:
        return True
    if subcommand == "config":
        plain = [word for word in arguments if word not in _GIT_CONFIG_SCOPES]
        names_one = len(plain) == 1 and "." in plain[0] and not is_option(plain[0])
        if names_one or (plain and plain[0] in _GIT_CONFIG_READS):
            return True
    if subcommand in _GIT_LISTS:
        return bool(arguments) and arguments[0] in _GIT_LISTS[subcommand]
    if subcommand == "grep" and any(
        word.startswith(("-O", "--open-files-in-pager")) for word in arguments
    ):
        return False
    return is_table_hit(words) and not has_writing_option(words)


def tags(words: tuple[str, ...]) -> bool:
    """Whether `git tag` may do more than list (EL-10)."""
    arguments = words[2:]
    if not tables.GIT_TAG_WRITES.isdisjoint(arguments):
        return True
    lists = not tables.GIT_TAG_LISTS.isdisjoint(arguments)
    return not lists and any(not word.startswith("-") for word in arguments)


def _lists_branches(arguments: tuple[str, ...]) -> bool:
    filtered = False
    for word in arguments:
        name = word.partition("=")[0]
        if name in _GIT_BRANCH_FILTERS:
            filtered = True
        elif is_option(word):
            if name not in _GIT_BRANCH_LISTS:
                return False
        elif not filtered:
            return False
    return True


def _find(words: tuple[str, ...]) -> bool:
    """Whether find only looks, and whatever it runs for each file only reads."""
    kept: list[str] = []
    at = 0
    while at < len(words):
        if words[at] not in {"-exec", "-execdir"}:
            kept.append(words[at])
            at += 1
            continue
        ends = [place for place in range(at, len(words)) if words[place] in {";", "+"}]
        command = words[at + 1 : ends[0]] if ends else ()
        if not command or not reads_by_arguments(command):
            return False
        at = ends[0] + 1
    return not has_writing_option(tuple(kept))


def _fd(words: tuple[str, ...]) -> bool:
    return not any(word.startswith("--exec") or _FD_RUNS.match(word) for word in words[1:])


def _sort(words: tuple[str, ...]) -> bool:
    return not has_writing_option(words) and not any(map(_SORT_WRITES.fullmatch, words[1:]))


def _tar(words: tuple[str, ...]) -> bool:
    """`tar tzf a.tgz` lists; any long option but `--list` may run something."""
    listing = len(words) > 1 and _TAR_LISTS.fullmatch(words[1]) is not None
    return listing and not any(word.startswith("-") for word in words[2:])


def _to_stdout(words: tuple[str, ...]) -> bool:
    """`gzip -l`, `gunzip -c`: neither replaces its file. Behind `S` stands an ending."""
    options = [word for word in words[1:] if is_option(word) and not word.startswith("--")]
    letters = "".join(word.partition("S")[0] for word in options)
    return any(letter in letters for letter in "clt")


def _first_option(*options: str) -> Callable[[tuple[str, ...]], bool]:
    """Return a check that a command begins with one of some options."""

    def check(words: tuple[str, ...]) -> bool:
        """Whether the first word after the program is one of the options."""
        return words[1:2] != () and words[1] in options

    return check


_SPECIAL: Final[Mapping[str, Callable[[tuple[str, ...]], bool]]] = {
    "date": _date,
    "tee": _tee,
    "hostname": _no_operands,
    "nc": _probes_port,
    "ncat": _probes_port,
    "uniq": _at_most_one_operand,
    "xxd": _at_most_one_operand,
    "rg": _without("--pre", "--hostname-bin"),
    "file": _without("-c", "--compile"),
    "tree": _no_word(re.compile(r"-[a-zA-Z]*o.*|--output.*")),
    "info": _without("-o", "--output"),
    "less": _no_word(
        re.compile(r"-[a-zA-Z]*[oOk].*|--(?:log|LOG|lesskey).*|\+(?!(?:\d*[%gGFp]?|/.*)\Z)[\s\S]*")
    ),
    "man": _no_word(re.compile(r"-[a-zA-Z]*[PHCp].*|--(?:pag|ht|co|pre).*")),
    "shuf": _no_word(re.compile(r"-[erz]*o.*|--o.*")),
    "base64": _no_word(re.compile(r"-[dDi]*o.*|--output.*")),
    "yq": _no_word(
        re.compile(r"-[a-hj-np-rt-zA-HJ-NP-Z0-9]*[is].*|--(?:in-?place|split-exp.*)(?:=.*)?")
    ),
    "fd": _fd,
    "fdfind": _fd,  # as Debian calls it
    "xcbeautify": _without("--report", "--report-path"),
    "xcpretty": _without("-r", "--report", "-o", "--output"),
    "ss": _without("-k", "--kill"),
    "bat": _without("--pager", "cache"),
    "batcat": _without("--pager", "cache"),
    "journalctl": _without(
        "--vacuum-size", "--vacuum-time", "--vacuum-files", "--rotate", "--flush", "--cursor-file"
    ),
    "json.tool": _at_most_one_operand,
    "exiftool": _no_word(_TAGGING),
    "cloc": _all_options(readers.COUNTING),
    "mlr": _no_word(_MILLER_WRITES),
    "pdftotext": _to_terminal,
    "ip": _no_word(re.compile(r"add|append|change|del\w*|exec|flush|replace|set|up|down|-b\w*")),
    "sysctl": _no_word(re.compile(r".*=.*|-[wpf]|--(?:write|load|system).*")),
    "bsdtar": _tar,
    "find": _find,
    "sort": _sort,
    "tar": _tar,
    "unzip": _first_option("-l", "-v", "-t", "-Z", "-Z1", "-p"),
    "gzip": _to_stdout,
    "gunzip": _to_stdout,
    "ssh": _first_option("-V", "-Q", "-G"),
    "ruby": lambda words: words[1:] in {("-v",), ("--version",)} or _reads_form(words[1:]),
    "rpm": lambda words: words[1:2] != () and words[1].startswith("-q"),
    "goimports": _gofmt,
    "gofumpt": _gofmt,
    "command": _command,
    "npm": _npm,
    "go": _go,
    "gofmt": _gofmt,
    "sed": _sed,
    "awk": _awk,
    "gawk": _awk,
    "git": _git,
}
