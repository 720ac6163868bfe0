"""The sub-command of git, and the options of git itself that stand before it."""

from __future__ import annotations

import re
from collections.abc import Mapping

from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.command_rules import GitOptions

# `-c` is none of them: a setting may name a program to run.
_REPOSITORY = frozenset({"--git-dir", "--work-tree", "--namespace"})
_PLACES = frozenset({"-C", "--git-dir", "--work-tree"})
_WITH_VALUE = _PLACES | {"--namespace"}
_ALONE = frozenset(
    {"--no-pager", "-P", "--paginate", "-p", "--no-optional-locks", "--literal-pathspecs"}
    | {"--glob-pathspecs", "--noglob-pathspecs", "--icase-pathspecs", "--bare"}
    | {"--no-replace-objects", "--no-advice"}
)
# Settings of the look, and a pager that runs nothing else.
_HARMLESS = re.compile(
    r"(?:color|advice)\.[\w.]+=\w+|core\.(?:quotepath=\w+|pager=(?:cat|less)?)", re.IGNORECASE
)

_SKIPPED: Mapping[GitOptions, tuple[frozenset[str], frozenset[str]]] = {
    GitOptions.PLACES: (_PLACES, frozenset()),
    GitOptions.ALL: (_WITH_VALUE, _ALONE),
}


def git_subcommand(words: tuple[str, ...]) -> str:
    """Return the sub-command of git; nothing for another program, and for git alone."""
    return words[1] if len(words) > 1 and program_name(words[0]) == "git" else ""


def folder_of(words: tuple[str, ...]) -> str | None:
    """Return where a git command is told to run, empty for where the shell stands.

    None where it is told which repository to use, which need not be the one of its folder.
    """
    folder, at = "", 1
    while at < len(words) and words[at].startswith("-"):
        name = words[at].partition("=")[0]
        if name in _REPOSITORY:
            return None
        if words[at] == "-C" and at + 1 < len(words):
            path = words[at + 1]
            folder = f"{folder}/{path}" if folder and not path.startswith("/") else path
        at += 2 if words[at] in _WITH_VALUE or words[at] == "-c" else 1
    return folder


def without_git_options(
    words: tuple[str, ...], skipped: GitOptions = GitOptions.ALL
) -> tuple[str, ...]:
    """Return the words of a git command without git's own options; other commands as they are.

    `git -C d diff x` becomes `git diff x`. An unknown option stays, so that the command is not
    taken for something it may not be; of settings those go that run nothing:
    `git -c color.ui=never diff`.
    """
    if skipped is GitOptions.NONE or program_name(words[0]) != "git":
        return words
    with_value, alone = _SKIPPED[skipped]
    settings = skipped is GitOptions.ALL
    at = 1
    while at < len(words):
        name, equals, _ = words[at].partition("=")
        if words[at] in alone or (equals and name in with_value and name.startswith("--")):
            at += 1
        elif at + 1 < len(words) and (
            words[at] in with_value
            or (settings and words[at] == "-c" and _HARMLESS.fullmatch(words[at + 1]))
        ):
            at += 2
        else:
            break
    return (words[0], *words[at:])
