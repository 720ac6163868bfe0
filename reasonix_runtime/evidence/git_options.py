"""The options of git itself, which stand in front of its sub-command."""

from __future__ import annotations

from reasonix_runtime.evidence.verification import program_name

# `-c` is none of them: a setting may name a program to run.
_WITH_VALUE = frozenset({"-C", "--git-dir", "--work-tree", "--namespace"})
_ALONE = frozenset(
    {"--no-pager", "-P", "--paginate", "-p", "--no-optional-locks", "--literal-pathspecs"}
    | {"--glob-pathspecs", "--noglob-pathspecs", "--icase-pathspecs", "--bare"}
    | {"--no-replace-objects", "--no-advice"}
)


def without_git_options(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the words of a git command without git's own options; other commands as they are.

    `git -C d diff x` becomes `git diff x`. An unknown option stays, so that the command is not
    taken for something it may not be.
    """
    if program_name(words[0]) != "git":
        return words
    at = 1
    while at < len(words):
        name, equals, _ = words[at].partition("=")
        if words[at] in _ALONE or (equals and name in _WITH_VALUE and name.startswith("--")):
            at += 1
        elif words[at] in _WITH_VALUE and at + 1 < len(words):
            at += 2
        else:
            break
    return (words[0], *words[at:])
