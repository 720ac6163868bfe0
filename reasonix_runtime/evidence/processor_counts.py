"""Words that tell how many processors there are: `make -j$(nproc)` is `make -j1` on one of them."""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.evidence.shell import Word

_COUNTS: Final = re.compile(
    r"\s*(?:nproc(?:\s+--(?:all|ignore=\d+))?|getconf\s+_NPROCESSORS_ONLN"
    r"|sysctl\s+-n\s+hw\.(?:(?:logical|physical)?ncpu|(?:logical|physical)cpu))"
    r"(?:\s+2>\s*/dev/null)?(?:\s*\|\|\s*echo\s+\d+)?\s*"
)
_SUBSTITUTION: Final = re.compile(r"\$\([^()]*\)|`[^`]*`")


def settled(word: Word) -> Word:
    """Return a word with a number where it asks for the count of the processors, others as is."""
    if not word.substitutions or word.opaque:
        return word
    if not all(_COUNTS.fullmatch(inner.command) for inner in word.substitutions):
        return word
    text = _SUBSTITUTION.sub("1", word.text)
    return Word(text, text.replace('"', ""))
