"""Runs items that pass without the ceremony that only tests with fixtures need.

Most items of a run pass, and setting up, capturing and tearing down nothing costs more than judging
them. An item is judged first; if it passes, its three reports are made at once. Whatever else comes
out is run by pytest's own protocol, which then finds it judged. The same reports reach every
reporter either way. Where a plugin or a `conftest.py` has a hook for single phases, or a marker was
added to an item, pytest's own protocol runs it too.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Literal

import pytest

from reasonix_conformance.findings import Outcome

if TYPE_CHECKING:
    from reasonix_conformance.suite.nodes import ConformanceItem

_PHASE_HOOKS = (
    "pytest_runtest_setup",
    "pytest_runtest_call",
    "pytest_runtest_teardown",
    "pytest_runtest_makereport",
)

_HARMLESS = ("_pytest", "_hypothesis_pytestplugin", "anyio", "syrupy", "xdist")
"""Packages whose hooks for phases do nothing with an item that is no function and passes."""


class QuickPass:
    """Runs passing items of one session; `run` is its only use."""

    def __init__(self, config: pytest.Config) -> None:
        """Take the configuration of the session."""
        self._watched: dict[pytest.Collector | None, bool] = {}
        self._plain = not (config.option.setupshow or config.option.setuponly)

    def run(self, item: ConformanceItem, nextitem: pytest.Item | None) -> bool:
        """Run an item if it passes; False leaves it to pytest's own protocol."""
        # Not public; where it is missing, every item is left to pytest.
        setup = getattr(item.session, "_setupstate", None)
        if setup is None or not self._plain or self._is_watched(item):
            return False
        start, clock = time.time(), time.perf_counter()
        try:
            result = item.judge()
        except Exception:
            return False  # it is raised again, where a traceback can be shown
        if result.outcome is not Outcome.PASSED or item.case.known is not None:
            return False
        item.add_record(result)
        _report(item, start, time.perf_counter() - clock)
        # Collectors that pytest's own protocol has set up are left when the run leaves them.
        setup.teardown_exact(nextitem)
        return True

    def _is_watched(self, item: ConformanceItem) -> bool:
        """Whether somebody else has a say in how the item runs."""
        if len(list(item.iter_markers())) != 1:
            return True
        watched = self._watched.get(item.parent)
        if watched is None:
            watched = self._watched[item.parent] = any(
                impl.function.__module__.partition(".")[0] not in _HARMLESS
                for name in _PHASE_HOOKS
                for impl in getattr(item.ihook, name).get_hookimpls()
            )
        return watched


def _report(item: ConformanceItem, start: float, duration: float) -> None:
    """Send the reports of an item that passed."""
    hook = item.ihook
    keywords: dict[str, Literal[1]] = dict.fromkeys(item.keywords, 1)
    hook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    phases: tuple[tuple[Literal["setup", "call", "teardown"], float], ...] = (
        ("setup", 0.0),
        ("call", duration),
        ("teardown", 0.0),
    )
    for when, took in phases:
        report = pytest.TestReport(
            nodeid=item.nodeid,
            location=item.location,
            keywords=keywords,
            outcome="passed",
            longrepr=None,
            when=when,
            duration=took,
            start=start,
            stop=start + took,
            user_properties=item.user_properties,
        )
        hook.pytest_runtest_logreport(report=report)
    hook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
