"""Children run side by side, and what they came to as their caller reads it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reasonix_runtime.agents.children.child import Child
from reasonix_runtime.agents.children.order import Came
from reasonix_runtime.gates.delegation.aggregate import Answer, aggregate, head_line
from reasonix_runtime.gates.delegation.world import Child as ChildCame
from reasonix_runtime.tools.support.cancellation import Cancellation

if TYPE_CHECKING:
    from reasonix_runtime.trace.events import Outcome

LOG = logging.getLogger(__name__)


def run_all(children: Sequence[Child]) -> list[Came]:
    """Run children side by side and return what came of each, in their order.

    A fault of ours in one of them is raised once all have ended.
    """
    came: dict[int, Came] = {}
    faults: list[BaseException] = []

    def run(number: int) -> None:
        """Keep what came of a child, or the fault that ended it."""
        try:
            came[number] = children[number].run()
        except BaseException as error:  # raised again where somebody sees it
            faults.append(error)

    threads = [
        threading.Thread(target=run, args=(number,), name=f"child {child.scope}", daemon=True)
        for number, child in enumerate(children)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]
    return [came[number] for number in range(len(children))]


def finished(
    kind: str, children: Sequence[Child], cancellation: Cancellation
) -> tuple[Outcome, str]:
    """Run the children of a job and return how it ended, and what it answers."""
    try:
        came = run_all(children)
    except Exception as error:  # a fault of ours must not leave somebody waiting for the job
        LOG.exception("a job of sub-agents failed")
        return "error", f"internal error: {type(error).__name__}"
    cancelled = cancellation.requested
    if kind == "fleet":
        text = together(kind, came, cancelled=cancelled)
        return "cancelled" if cancelled else "ok", text
    if came[0].status == "completed":
        return "ok", answer(came[0])
    return "cancelled" if cancelled else "error", failure(came[0])


def together(kind: str, came: Sequence[Came], *, cancelled: bool) -> str:
    """Return what many children came to."""
    answers = [
        Answer(
            child=ChildCame(status=one.status, error=one.error),
            body=one.answer.encode(),
            ref=one.ref if one.status == "completed" else "",
        )
        for one in came
    ]
    done = sum(one.status == "completed" for one in came)
    return aggregate(head_line(kind, done, len(came), cancelled=cancelled), answers).text


def answer(came: Came) -> str:
    """Return what a single child answered, with its reference where it is kept."""
    if not came.ref:
        return came.answer
    return (
        f"Subagent reference: {came.ref}\n"
        f"Pass it as continue_from to carry on with this sub-agent.\n\n"
        f"Final answer:\n{came.answer}"
    )


def failure(came: Came) -> str:
    """Return why a single child gave no answer."""
    told = f"the sub-agent {came.status}: {came.error}"
    return f"{told}\nSubagent reference ({came.status}): {came.ref}" if came.ref else told
