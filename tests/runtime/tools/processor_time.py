"""How processor time grows with the size of a task; the clock would measure the machine."""

from __future__ import annotations

import time
from collections.abc import Callable

FACTOR = 8
"""How much larger the large task is than the small one."""
MOST = 4 * FACTOR
"""Growth up to which a task counts as even; what grows with the square comes to 64."""
ROUNDS = 3

Prepared = Callable[[], object]


def spent(prepare: Callable[[], Prepared]) -> float:
    """Return the seconds of processor time of a task, the least of some rounds.

    Each round prepares anew what its task changes; only the task is measured.
    """
    return min(_once(prepare()) for _ in range(ROUNDS))


def growth(prepare: Callable[[int], Prepared], size: int) -> float:
    """Return how many times as much a task takes at `FACTOR` times the size."""
    small = spent(lambda: prepare(size))
    return spent(lambda: prepare(size * FACTOR)) / small


def _once(task: Prepared) -> float:
    begin = time.process_time()
    task()
    return time.process_time() - begin
