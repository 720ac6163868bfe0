"""What is said to a forge by its own program: a request to take changes in, an issue, a release.

It changes what stands on another machine, as a push does, and nothing of the work.
"""

from __future__ import annotations

from typing import Final

from reasonix_runtime.evidence.checks.verification import program_name
from reasonix_runtime.evidence.word_lists import words as word_set

_SAYING: Final = {
    "pr": word_set("create comment edit review ready close reopen"),
    "mr": word_set("create note update approve close reopen"),
    "issue": word_set("create comment note edit update close reopen"),
    "run": word_set("watch rerun cancel"),
    "workflow": word_set("run"),
    "ci": word_set("run retry cancel"),
    "release": word_set("create edit upload"),
}
_FORGES: Final = word_set("gh glab")
# With these a branch of the work is taken away as well, or an editor or a browser runs.
_ELSE: Final = word_set("-d --delete-branch -w --web -e --editor")
_START: Final = 3


def is_forge(program: str) -> bool:
    """Whether a program is one by which a forge is spoken to."""
    return program in _FORGES


def speaks_to_forge(words: tuple[str, ...]) -> bool:
    """Whether a command with these words says something to a forge, and nothing else."""
    if len(words) < _START or not is_forge(program_name(words[0])):
        return False
    saying = words[2] in _SAYING.get(words[1], ())
    # What closes a request may take its branch away; elsewhere `-d` is a draft.
    elsewise = _ELSE if words[2] == "close" else _ELSE - {"-d"}
    return saying and elsewise.isdisjoint(words[_START:])
