"""Commands that change something and leave every file of the work as it is (policy points).

A tag, a branch and a note name what git holds already, and of an empty folder git knows nothing.
What was checked and looked at before them still stands there.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.command_kinds import changes_only_by
from reasonix_runtime.evidence.effects.redirects import unsafe
from reasonix_runtime.evidence.options.git import git_subcommand
from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.running.reading import Plain

# An editor, or a program that is named, may do more.
_NAMING: Final = words("tag branch notes")
_ASKS_EDITOR: Final = words("-e --edit --edit-description")
_OF_REMOTES: Final = words("remove rm rename set-url set-head set-branches prune update")
_FOLDERS: Final = words("mkdir rmdir md")


def leaves_files(command: str, rules: CommandRules) -> bool:
    """Whether all that a command changes are names that git keeps, and empty folders."""
    return _is_asked(rules) and changes_only_by(_leaves_files, command, rules)


def keeps_files(plain: Plain, rules: CommandRules) -> bool:
    """Whether that is all that one command changes."""
    return _is_asked(rules) and _leaves_files(plain)


def _is_asked(rules: CommandRules) -> bool:
    told = rules.arguments_decide_change and not rules.shell_edits_are_opaque
    return told and not rules.commit_is_change


def _leaves_files(plain: Plain) -> bool:
    """`git tag v1`, `git branch -D old`, `mkdir -p build`; `rmdir` fails where a file stands."""
    told = plain.words
    if not told or plain.opaque or unsafe(plain.segment):
        return False
    if program_name(told[0]) in _FOLDERS:
        return True
    subcommand = git_subcommand(told)
    names = subcommand in _NAMING and _ASKS_EDITOR.isdisjoint(told)
    return names or (subcommand == "remote" and not _OF_REMOTES.isdisjoint(told[2:3]))
