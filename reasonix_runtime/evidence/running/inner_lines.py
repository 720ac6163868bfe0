"""Command lines that a program is given as text: a shell, or what starts one."""

from __future__ import annotations

import re
import shlex
from dataclasses import replace
from typing import Final

from reasonix_runtime.evidence.command_tables import SHELLS
from reasonix_runtime.evidence.shell.script import Dialect, Script, Word, parse
from reasonix_runtime.evidence.shell.told_values import with_told_values
from reasonix_runtime.evidence.word_lists import words as word_set

_SHELL_LETTERS: Final = frozenset("lceuxio")
_SHELL_OPTIONS: Final = word_set("pipefail errexit nounset xtrace")
_PARALLEL_VALUES: Final = word_set("--halt -j --jobs")
_PARALLEL_ALONE: Final = re.compile(
    r"--halt(?:=.+)?|-j\d*|--jobs(?:=\d+)?|-k|-u|--(?:keep-order|ungroup|tag|bar|progress|will-cite"
    r"|line-buffer|lb|no-notice)"
)
_CONCURRENT_VALUES: Final = word_set("-n --names -c --prefix-colors -p --prefix -m")
_CONCURRENT_ALONE: Final = word_set("--kill-others-on-fail -g --group -r --raw --no-color")
# The shells of Windows, with the options that stand before their text, each closed by a NUL.
_CMD: Final = (Dialect.CMD, re.compile(r"(?:/[dqs]\0)*/c\0"))
_POWERSHELL: Final = (
    Dialect.POWERSHELL,
    re.compile(
        r"(?:-(?:noprofile|nop|nologo|noninteractive|(?:executionpolicy|ep)\0\w+)\0)*"
        r"-c(?:ommand)?\0"
    ),
)
_ON_WINDOWS: Final = {"cmd": _CMD, "powershell": _POWERSHELL, "pwsh": _POWERSHELL}
ALL_SHELLS: Final = SHELLS | frozenset(_ON_WINDOWS)
"""The programs that are given a command line and do nothing else."""
_STARTERS: Final = ALL_SHELLS | word_set("eval mix")
# How often a line may start one more: each is read anew, as often as it stands in another.
_DEEPEST: Final = 8


def inner_line(name: str, words: tuple[Word, ...]) -> Script | None:
    """Return the command line that a shell, or a program that starts one, was given as text."""
    if len(words) > _DEEPEST and sum(word.value in _STARTERS for word in words) > _DEEPEST:
        return None
    if name in SHELLS:
        script = _shell_script(words)
    elif name == "eval":
        texts = [word.value for word in words]
        script = None if None in texts or not texts else " ".join(map(str, texts))
    elif name == "mix":
        script = _tasks(words)
    elif name == "script":
        script = _recorded(words)
    elif name == "parallel":
        script = _side_by_side(words)
    elif name == "concurrently":
        script = _concurrent(words)
    elif name == "nix-shell":
        runs = len(words) > 1 and words[-2].value in {"--run", "--command"}
        script = words[-1].value if runs else None
    elif name in _ON_WINDOWS:
        return _on_windows(words, *_ON_WINDOWS[name])
    else:
        return None
    read = None if script is None else parse(with_told_values(script))
    if read is not None and name == "eval" and read.followed:  # they outlive the text
        return replace(read, defined=read.defined | read.followed)
    return read


def _on_windows(
    words: tuple[Word, ...], dialect: Dialect, options: re.Pattern[str]
) -> Script | None:
    """Return the command line that stands in one word, or in the words up to the end."""
    before = options.match("\0".join((word.value or "").lower() for word in words))
    if before is None:
        return None
    words = words[before[0].count("\0") :]
    if len(words) == 1:
        return None if words[0].value is None else parse(words[0].value, dialect)
    return parse(" ".join(word.text for word in words), dialect) if words else None


def _tasks(words: tuple[Word, ...]) -> str | None:
    """Return the tasks of `mix do compile, test`, one after the other."""
    texts = [word.value for word in words]
    if texts[:1] != ["do"] or len(texts) == 1 or None in texts:
        return None
    told = " ".join(word.text for word in words[1:])
    return " && ".join(f"mix {task.strip()}" for task in re.split(r",\s|\s\+\s", told))


def _recorded(words: tuple[Word, ...]) -> str | None:
    """Return the command of `script -qec COMMAND /dev/null`, which hands its status on."""
    if len(words) < 3:
        return None
    *options, command, file = [word.value for word in words]
    letters = "".join(option or "?" for option in options).replace("-", "")
    sure = file == "/dev/null" and letters.endswith("c") and set(letters) <= set("qefc")
    return command if sure and "e" in letters else None


def _side_by_side(words: tuple[Word, ...]) -> str | None:
    """Return the commands of `parallel ::: 'make a' 'make b'`, which fails where one of them does.

    A command before the sign is run with each of what stands after it.
    """
    texts = [word.value or "" for word in words]
    at = 0
    while at < len(texts) and texts[at].startswith("-"):
        if not _PARALLEL_ALONE.fullmatch(texts[at]):
            return None
        at += 2 if texts[at] in _PARALLEL_VALUES else 1
    if texts.count(":::") != 1 or "" in texts or "::::" in texts:
        return None
    command, given = texts[at : texts.index(":::")], texts[texts.index(":::") + 1 :]
    if not command:
        return " && ".join(given)
    if any("{" in word and word != "{}" for word in command):
        return None
    handed = command if "{}" in command else [*command, "{}"]
    lines = [[one if word == "{}" else word for word in handed] for one in given]
    return " && ".join(map(shlex.join, lines))


def _concurrent(words: tuple[Word, ...]) -> str | None:
    """Return the commands of `concurrently "npm:lint" "make test"`, which fails as they do."""
    texts = [word.value or "" for word in words]
    at = 0
    while at < len(texts) and texts[at].startswith("-"):
        if texts[at] not in _CONCURRENT_VALUES | _CONCURRENT_ALONE:
            return None
        at += 2 if texts[at] in _CONCURRENT_VALUES else 1
    given = [re.sub(r"^(npm|pnpm|yarn|bun):", r"\1 run ", text) for text in texts[at:]]
    return None if not given or "" in given or "*" in "".join(given) else " && ".join(given)


def _shell_script(words: tuple[Word, ...]) -> str | None:
    """Return the static text behind `bash -c`, `bash -euo pipefail -c` and the like.

    It is the last argument; the options that decide whose status it is are set before it.
    """
    at, given, settings = 0, False, ""
    while at < len(words) and (words[at].value or "").startswith("-"):
        option = words[at].value or ""
        if option.startswith("--") or not _SHELL_LETTERS.issuperset(option[1:]):
            return None
        if "o" in option:
            at += 1
            name = words[at].value if at < len(words) else ""
            if name not in _SHELL_OPTIONS:
                return None
            settings += f" -o {name}"
        settings += " -e" if "e" in option else ""
        given = given or "c" in option
        at += 1
    if not given or at != len(words) - 1 or words[at].value is None:
        return None
    return f"set{settings}\n{words[at].value}" if settings else words[at].value
