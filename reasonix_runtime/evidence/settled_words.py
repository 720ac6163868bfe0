"""Words that ask for something of which it is known what it comes to.

How many processors there are is a number, so that `make -j$(nproc)` is `make -j1` on one of them;
the top of the work is where the work stands, all packages of Go are `./...`.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.evidence.shell import Word

_COUNT: Final = re.compile(
    r"\s*(?:nproc(?:\s+--(?:all|ignore=\d+))?|getconf\s+_NPROCESSORS_ONLN"
    r"|sysctl\s+-n\s+hw\.(?:(?:logical|physical)?ncpu|(?:logical|physical)cpu))"
    r"(?:\s+2>\s*/dev/null)?(?:\s*\|\|\s*echo\s+\d+)?\s*"
)
_TOP: Final = re.compile(r"\s*git\s+rev-parse\s+--show-toplevel\s*")
_PACKAGES: Final = re.compile(r"\s*go\s+list\s+\./\.\.\.\s*")
_ANSWERS: Final = ((_COUNT, "1"), (_TOP, "."), (_PACKAGES, "./..."))
_SUBSTITUTION: Final = re.compile(r"\$\([^()]*\)|`[^`]*`")


def settled(word: Word) -> Word:
    """Return a word with what it asks for in its place, where that is known, others as is."""
    if not word.substitutions or word.opaque:
        return word
    for question, answer in _ANSWERS:
        if all(question.fullmatch(inner.command) for inner in word.substitutions):
            text = _SUBSTITUTION.sub(answer, word.text)
            return Word(text, text.replace('"', ""))
    return word
