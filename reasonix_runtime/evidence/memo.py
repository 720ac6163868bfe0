"""Answers about command lines and paths, remembered in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, Final, ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Question: TypeAlias = Callable[Concatenate[str, P], T]
"""A function of a command line or a path, and of what else it is asked under."""

REMEMBERED_LENGTH: Final = 1 << 18
"""Characters of the texts about which answers to one question are remembered.

Agents write whole files through here-documents, and a recording may name paths of any length.
However many a trace holds, and however long they are, no more than this stays in memory, or one
that is longer.
"""


def memoised(most: int) -> Callable[[Question[P, T]], Question[P, T]]:
    """Return a decorator of a question about a text, or about several.

    `most` answers are remembered, and when the texts that they are about come to more than
    :data:`REMEMBERED_LENGTH`, all are forgotten; what still repeats is soon known again. Lengths
    are looked at where an answer is worked out, so that a remembered one costs one look.
    """

    def decorate(question: Question[P, T]) -> Question[P, T]:
        """Return the question with a memory."""
        held = 0

        @wraps(question)
        def answer(command: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
            """Work an answer out, and make room for it first."""
            nonlocal held
            length = len(command) + sum(len(other) for other in args if isinstance(other, str))
            held += length
            if held > REMEMBERED_LENGTH:
                remembered.cache_clear()
                held = length
            return question(command, *args, **kwargs)

        remembered = lru_cache(maxsize=most)(answer)
        return remembered

    return decorate
