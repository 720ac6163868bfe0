"""Answers about command lines, remembered in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, Final, ParamSpec, TypeAlias, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

Question: TypeAlias = Callable[Concatenate[str, P], T]
"""A function of a command line, and of what else it is asked under."""

MEMOISED_LENGTH: Final = 4096
"""Characters of a command line up to which answers about it are remembered.

Longer texts (a file written through a here-document) are read anew each time, so that the memory
stays small whatever a trace holds.
"""


def memoised(most: int) -> Callable[[Question[P, T]], Question[P, T]]:
    """Return a decorator of a question about a command line: `most` answers are remembered."""

    def decorate(question: Question[P, T]) -> Question[P, T]:
        remembered: Question[P, T] = lru_cache(maxsize=most)(question)

        @wraps(question)
        def ask(command: str, /, *args: P.args, **kwargs: P.kwargs) -> T:
            if len(command) > MEMOISED_LENGTH:
                return question(command, *args, **kwargs)
            return remembered(command, *args, **kwargs)

        return ask

    return decorate
