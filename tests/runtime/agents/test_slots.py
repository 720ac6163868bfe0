"""The slots of a session: who starts, who waits, and that nobody waits for ever."""

from __future__ import annotations

import threading

import pytest

from reasonix_runtime.agents.children.slots import Slots
from reasonix_runtime.gates.delegation.claims import Claim
from reasonix_runtime.gates.delegation.launch import READS, Reads
from reasonix_runtime.tools.support.cancellation import Cancellation

WHOLE: Claim = None


def paths(*names: str) -> Claim:
    """Return the claim of a writer."""
    return frozenset(names)


class Party:
    """Children that hold their slot until they are told to go."""

    def __init__(self) -> None:
        self.slots = Slots()
        self.cancellation = Cancellation()
        self.came: list[str] = []
        self._threads: dict[str, threading.Thread] = {}
        self._go: dict[str, threading.Event] = {}
        self._changed = threading.Condition()

    def ask(self, name: str, asked: Claim | Reads) -> None:
        """Let one ask for a slot, and return when it holds one or waits."""
        go = self._go[name] = threading.Event()
        waiting = len(self.slots._waiting)

        def work() -> None:
            with self.slots.held(asked, self.cancellation) as got:
                with self._changed:
                    self.came.append(name if got else f"not {name}")
                    self._changed.notify_all()
                go.wait(60)

        thread = self._threads[name] = threading.Thread(target=work, daemon=True)
        thread.start()
        with self.slots._changed:
            self.slots._changed.wait_for(
                lambda: len(self.slots._waiting) > waiting or name in self.came, 20
            )

    def leaves(self, name: str) -> None:
        """Let one go, and return when it is gone."""
        self._go[name].set()
        self._threads[name].join(20)

    def sees(self, *names: str) -> bool:
        """Whether exactly these have come, in this order."""
        with self._changed:
            self._changed.wait_for(lambda: len(self.came) >= len(names), 20)
        return self.came == list(names)


@pytest.fixture
def party() -> Party:
    """Return a session without children."""
    return Party()


def test_a_writer_waits_for_one_whose_paths_it_would_write(party: Party) -> None:
    """One behind it whose paths are free starts before it."""
    party.ask("whole", WHOLE)
    party.ask("src", paths("src"))
    party.ask("reader", READS)
    assert party.sees("whole", "reader")

    party.leaves("whole")
    assert party.sees("whole", "reader", "src")


def test_a_later_one_that_fits_starts_before_an_earlier_that_does_not(party: Party) -> None:
    """A claim in the way keeps nobody else from working."""
    party.ask("a", paths("a"))
    party.ask("a again", paths("a/b"))
    party.ask("c", paths("c"))
    assert party.sees("a", "c")
    assert 2 == party.slots.taken.writers

    party.leaves("a")
    assert party.sees("a", "c", "a again")


def test_three_writers_and_six_children_run_at_once(party: Party) -> None:
    """The rest wait, in the order in which they came."""
    for number in range(5):
        party.ask(f"w{number}", paths(f"p{number}"))
    for number in range(4):
        party.ask(f"r{number}", READS)
    assert party.sees("w0", "w1", "w2", "r0", "r1", "r2")

    party.leaves("r0")
    assert party.sees("w0", "w1", "w2", "r0", "r1", "r2", "r3")
    party.leaves("w0")
    assert party.sees("w0", "w1", "w2", "r0", "r1", "r2", "r3", "w3")


def test_a_cancelled_one_does_not_wait_any_more(party: Party) -> None:
    """It gets no slot, and takes none from others."""
    party.ask("first", WHOLE)
    party.ask("second", WHOLE)
    party.cancellation.cancel()

    assert party.sees("first", "not second")
    assert 1 == party.slots.taken.total


def test_one_that_may_not_wait_gets_its_slot_at_once_or_not_at_all() -> None:
    """A nested child whose parent waits for it must not wait for its parent."""
    slots, never = Slots(), Cancellation()
    with slots.held(WHOLE, never) as first, slots.held(WHOLE, never, waits=False) as second:
        assert (True, False) == (first, second)
        assert slots.in_the_way(paths("x"))
    assert 0 == slots.taken.total
    assert not slots.in_the_way(paths("x"))
