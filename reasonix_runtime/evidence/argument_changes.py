"""Whether a command only reads, looking at its arguments: table hits that write, and more readers.

What is ambiguous changes something.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence import command_tables as tables
from reasonix_runtime.evidence.mutation import has_writing_option, is_table_hit
from reasonix_runtime.evidence.variables import makes_readers_run
from reasonix_runtime.evidence.verification import is_option
from reasonix_runtime.evidence.word_lists import words as word_set

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from reasonix_runtime.evidence.shell import Assignment, Segment

# Readers that the table of EL-09 lacks; none of them has an option that writes.
_MORE_READERS: Final = word_set(
    "nl tac rev fold od hexdump strings md5sum sha1sum sha256sum sha512sum cksum column seq sleep"
    " expr getent arch nproc uptime free groups lscpu jq"
)
_GIT_LISTS: Final[Mapping[str, frozenset[str]]] = {
    "stash": word_set("list show"),
    "worktree": word_set("list"),
    "submodule": word_set("status"),
    "notes": word_set("list show"),
    "remote": word_set("show get-url"),
    "config": word_set("get list"),
    "bisect": word_set("log"),
}
_GIT_CONFIG_READS: Final = word_set("--get --get-all --get-regexp --list -l --get-urlmatch")
_GIT_BRANCH_LISTS: Final = word_set(
    "-a --all -r --remotes -v -vv --verbose --list -l --show-current --no-color --color -i"
    " --ignore-case --no-column --column"
)
_GIT_BRANCH_FILTERS: Final = word_set(
    "--contains --no-contains --merged --no-merged --points-at --sort --format --list -l"
)
_LISTERS: Final[Mapping[str, frozenset[str]]] = {
    "pip": word_set("list show freeze check"),
    "pip3": word_set("list show freeze check"),
    "cargo": word_set("tree metadata version --version"),
}
_SED_SCRIPT: Final = re.compile(
    r"\s*(?:(?:\d+|\$|/(?:[^/\\]|\\.)*/)(?:\s*,\s*(?:[+~]?\d+|\$|/(?:[^/\\]|\\.)*/))?\s*!?\s*)?"
    r"(?:[pqdl=]|\{\s*[pqdl=](?:\s*;\s*[pqdl=])*\s*;?\s*\})?\s*"
)
_SED_SUBSTITUTE: Final = re.compile(r"\s*(?:\d+(?:,(?:\d+|\$))?)?s([|/#,:]).*\1[gpiI0-9]*\s*")
_SED_ALONE: Final = word_set("-n -E -r -s -u -z --quiet --silent --regexp-extended --posix")
_AWK_WRITES: Final = re.compile(r"[>|]|\bsystem\s*\(|\bgetline\b|@")

# Commands that touch the shell itself and nothing else.
_SHELL_STATE: Final = word_set(
    "cd pushd popd set shopt export unset readonly declare typeset local : exit return wait umask"
    " ulimit setopt"
)
# Files of version managers that only set where programs are found.
_ACTIVATIONS: Final = (
    "/bin/activate",
    "/Scripts/activate",
    "/bin/activate.fish",
    "/.cargo/env",
    "/.nvm/nvm.sh",
    "/etc/profile.d/conda.sh",
)


def reads_by_arguments(words: tuple[str, ...], assignments: tuple[Assignment, ...] = ()) -> bool:
    """Whether static words only read, their arguments looked at."""
    if any(map(makes_readers_run, assignments)):
        return False
    program = words[0].lower()
    if program in _MORE_READERS:
        return True
    special = _SPECIAL.get(program)
    if special is not None:
        return special(words)
    if program in _LISTERS and len(words) > 1 and words[1] in _LISTERS[program]:
        return True
    return is_table_hit(words) and not has_writing_option(words) and not _has_fix(words)


def touches_shell_only(segment: Segment, assignments: tuple[Assignment, ...]) -> bool:
    """Whether a segment only prepares the shell: `export A=1`, `set -e`, an activated venv."""
    if not segment.words:
        return bool(assignments)
    values = [word.value for word in segment.words]
    if any(word.substitutions for word in segment.words):
        return False
    if values[0] in {"source", "."}:
        file = segment.words[-1].text.strip("\"'").replace("\\", "/")
        return len(values) == 2 and file.endswith(_ACTIVATIONS)
    if values[0] == "set":
        return not any(_runs_nothing(value or "-n") for value in values[1:])
    return values[0] in _SHELL_STATE or values == ["hash", "-r"]


def _runs_nothing(option: str) -> bool:
    """Whether an option of `set` makes the shell read on without running anything."""
    return option == "noexec" or (option[:1] == "-" and option[1:2] != "-" and "n" in option)


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


def _no_operands(words: tuple[str, ...]) -> bool:
    return not _operands(words)


def _at_most_one_operand(words: tuple[str, ...]) -> bool:
    return len(_operands(words)) < 2 and "-r" not in words


def _without(*options: str) -> Callable[[tuple[str, ...]], bool]:
    def check(words: tuple[str, ...]) -> bool:
        return not any(word.partition("=")[0].lower() in options for word in words[1:])

    return check


def _command(words: tuple[str, ...]) -> bool:
    """Tell `command -v x`, which looks a program up, from a wrapper."""
    return words[1:2] in {("-v",), ("-V",)}


def _npm(words: tuple[str, ...]) -> bool:
    audit_fix = len(words) > 2 and words[1].lower() == "audit" and "fix" in words[2:]
    return is_table_hit(words) and not audit_fix and not _has_fix(words)


def _go(words: tuple[str, ...]) -> bool:
    runs = any(
        option.lstrip("-").partition("=")[0] in {"vettool", "toolexec", "fix"}
        for option in words[2:]
    )
    return is_table_hit(words) and not has_writing_option(words) and not runs


def _gofmt(words: tuple[str, ...]) -> bool:
    """`gofmt -l`, `gofmt -d` list; without either it prints, with `-w` it writes."""
    return not any(word in {"-w", "-cpuprofile"} for word in words[1:])


def _sed(words: tuple[str, ...]) -> bool:
    """`sed -n 1,5p f` and a printed substitution read; `-i`, `w` and `e` do not."""
    scripts: list[str] = []
    operands: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        if word in {"-e", "-ne", "--expression"} and at + 1 < len(words):
            scripts.append(words[at + 1])
            at += 1
        elif is_option(word):
            if word not in _SED_ALONE:
                return False
        else:
            operands.append(word)
        at += 1
    scripts = scripts or operands[:1]
    return bool(scripts) and all(_sed_reads(script) for script in scripts)


def _sed_reads(script: str) -> bool:
    if _SED_SUBSTITUTE.fullmatch(script):
        return True
    return all(_SED_SCRIPT.fullmatch(part) for part in re.split(r"[;\n]", script))


def _awk(words: tuple[str, ...]) -> bool:
    """Tell whether an awk program has no output to files, pipes or other programs."""
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
    """Tell whether a git command is a table hit that does not write, or only lists."""
    subcommand = words[1] if len(words) > 1 else ""
    arguments = words[2:]
    if subcommand == "tag":
        return not tags(words)
    if subcommand == "reflog":
        return not arguments or arguments[0] not in {"expire", "delete", "drop", "write"}
    if subcommand == "branch":
        return _lists_branches(arguments)
    if subcommand == "remote" and arguments in {(), ("-v",), ("--verbose",)}:
        return True
    if subcommand == "config" and arguments and arguments[0] in _GIT_CONFIG_READS:
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


_SPECIAL: Final[Mapping[str, Callable[[tuple[str, ...]], bool]]] = {
    "date": _date,
    "hostname": _no_operands,
    "uniq": _at_most_one_operand,
    "xxd": _at_most_one_operand,
    "rg": _without("--pre", "--hostname-bin"),
    "file": _without("-c", "--compile"),
    "tree": _without("-o", "--output"),
    "info": _without("-o", "--output"),
    "command": _command,
    "npm": _npm,
    "go": _go,
    "gofmt": _gofmt,
    "sed": _sed,
    "awk": _awk,
    "gawk": _awk,
    "git": _git,
}
