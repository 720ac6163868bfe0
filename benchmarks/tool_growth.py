"""How much longer the file tools take where their task is larger, as ratios of processor time.

A large file must hold no turn up, neither for an edit nor for the message that refuses one, and
searching is a multiple of reading that does not grow.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path

from benchmarks.timing import Goal, Ratio, paired
from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.host.state import HostState
from reasonix_runtime.tools.context import Context
from reasonix_runtime.tools.dispatch import Toolbox
from reasonix_runtime.tools.errors import ToolError
from reasonix_runtime.tools.support.edits import Edit, apply
from reasonix_runtime.tools.support.jobs import Jobs
from reasonix_runtime.tools.support.workspace import Workspace
from reasonix_runtime.trace.events import TurnStart

FACTOR = 8
"""How much larger the large task is than the small one."""
EVEN = Goal(limit=4 * FACTOR)
"""Growth up to which a task counts as even; what grows with the square comes to 64."""
SEARCHING = Goal(limit=150)

Edited = tuple[str, Edit]

EDITS: Mapping[str, Callable[[int], Edited]] = {
    "refuse one of many matches": lambda n: ("a\n" * (4 * n), Edit(old="a", new="N")),
    "refuse one long line": lambda n: ("x" * (25 * n), Edit(old="x" * 3000, new="N")),
    "refuse lines with blanks at their ends": lambda n: (
        "x  \n" * (n // 2),
        Edit(old="x\n" * (n // 4) + "y\n", new="N"),
    ),
    "replace everything in one line": lambda n: (
        "x," * n + "\r\n",
        Edit(old="x,", new="y\n", replace_all=True),
    ),
}
"""What is edited, by a size."""
SIZE = 10_000


def run(rounds: int) -> list[Ratio]:
    """Return the ratios of this suite."""
    ratios = []
    for name, task in EDITS.items():
        small, large = f"{name}, small", f"{name}, {FACTOR} times the size"
        cases = {large: _edit(*task(SIZE * FACTOR)), small: _edit(*task(SIZE))}
        goals = {large: EVEN}
        ratios += paired(cases, small, rounds=rounds, goals=goals, clock=time.process_time)
    return ratios + _searching(rounds)


def _edit(text: str, edit: Edit) -> Callable[[], None]:
    def done() -> None:
        with suppress(ToolError):  # Its message is what was worked out.
            apply(text, edit, path="f")

    return done


def _searching(rounds: int) -> list[Ratio]:
    with tempfile.TemporaryDirectory(prefix="bench-tools-") as name:
        files = [Path(name) / f"d{number % 20}" / f"f{number}" for number in range(40)]
        for file in files:
            file.parent.mkdir(exist_ok=True)
            file.write_text("some words in a line\n" * 200)
        cases = {"search 40 files": _search(Path(name)), "read them": partial(_read, files)}
        goals = {"search 40 files": SEARCHING}
        return paired(cases, "read them", rounds=rounds, goals=goals, clock=time.process_time)


def _search(folder: Path) -> Callable[[], object]:
    state = HostState(CONTRACT)
    box = Toolbox(Context(workspace=Workspace(folder), jobs=Jobs()), state=state)

    def searched() -> object:
        # The host's guards count equal calls within one turn.
        state.apply(TurnStart(turn=state.turn + 1))
        return box.call("grep", {"pattern": "needle|nothing"})

    return searched


def _read(files: list[Path]) -> list[str]:
    return [line for file in files for line in file.read_text().splitlines() if "needle" in line]
