"""Pytest nodes of the suite: a file of cases, and one item a case.

Items have no fixtures; for the rest `-k`, `-x`, `--lf`, `-n` and JUnit treat them as any other.
"""

from __future__ import annotations

from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

import pytest

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.findings import Finding, Outcome, Result
from reasonix_conformance.suite.hooks import hooks_for
from reasonix_runtime.console import system_failure
from reasonix_runtime.plain import readable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from reasonix_conformance.suite.cases import Case, CaseFile

MARKER = "reasonix"
PROPERTY = "reasonix"
"""Name of the user property that holds an item's result as JSON."""


@cache
def _marker() -> pytest.MarkDecorator:
    """Return the marker of every item; looking it up checks the markers of the project."""
    marker: pytest.MarkDecorator = getattr(pytest.mark, MARKER)
    return marker


class UnmetError(Exception):
    """An item failed; carries its finished text."""


def _sentence(error: BaseException) -> str | None:
    """Return the text of what is not met, of a user's mistake, or of a file the system refuses."""
    if isinstance(error, OSError) and error.filename is not None:
        return system_failure(error)
    return str(error) if isinstance(error, UnmetError | ConformanceError) else None


def _unjudged(kind: str, error: Exception) -> Result:
    """Return the result of a case that could not be judged to its end."""
    what = _sentence(error) or f"judging it raised {type(error).__name__}: {error}"
    return unread(kind, what)


def unread(kind: str, why: str) -> Result:
    """Return the result of what cannot be read; of tools alone that may be their snapshots."""
    check = "tool/schema-snapshot" if kind == "tool" else f"{kind}/readable"
    return Result(findings=(Finding(check=check, what=why),))


class ConformanceFile(pytest.File):
    """A file of the suite: a contract document, or a file of transcripts."""

    cases: CaseFile

    @cached_property
    def ihook(self) -> Any:
        """The hooks that apply to the file and its items."""
        return hooks_for(self.config, self.path)

    @classmethod
    def of(cls, parent: pytest.Collector, cases: CaseFile) -> ConformanceFile:
        """Return the node of a file of cases.

        The id of a file outside of pytest's root is its whole path, which can be given back as an
        argument; pytest would give two of the same name the same id.
        """
        whole: dict[str, Any] = {}
        if not cases.path.is_relative_to(parent.config.rootpath):
            whole["nodeid"] = cases.path.as_posix()
        node: ConformanceFile = cls.from_parent(parent, path=cases.path, **whole)
        node.cases = cases
        return node

    def collect(self) -> Iterator[pytest.Item]:
        """Yield one item a case."""
        for case in self.cases.make():
            yield ConformanceItem.of(self, case)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show a user's mistake as its sentence, our own faults with their traceback."""
        return _sentence(excinfo.value) or super().repr_failure(excinfo)


UNKNOWN = "not assessable: "
"""What begins a reason for which nobody can tell, of a verdict or of an item."""


class ConformanceItem(pytest.Item):
    """One case of the suite."""

    case: Case

    @property
    def ihook(self) -> Any:
        """The hooks that apply to the item: those of its file."""
        parent: Any = self.parent
        return parent.ihook

    _result: Result | None = None

    @classmethod
    def of(cls, parent: ConformanceFile, case: Case) -> ConformanceItem:
        """Return the item of a case."""
        item: ConformanceItem = cls.from_parent(parent, name=readable(case.name))
        item.case = case
        item.add_marker(_marker())
        return item

    def judge(self) -> Result:
        """Return what the case came to; it is judged once."""
        if self._result is None:
            self._result = self.case.judge()
        return self._result

    def add_record(self, result: Result) -> None:
        """Add the result to the item's reports, in place of that of an earlier run."""
        self.user_properties[:] = [one for one in self.user_properties if one[0] != PROPERTY]
        self.user_properties.append((PROPERTY, result.record(self.case.kind, self.case.name)))

    def runtest(self) -> None:
        """Judge the case; a known failure that passes is a failure of the list."""
        try:
            result = self.judge()
        # Whatever it is: a report that left it out would be green where the run is not.
        except Exception as error:
            self.add_record(_unjudged(self.case.kind, error))
            raise
        self.add_record(result)
        if result.outcome is Outcome.UNKNOWN:
            unknown = (one.what.removeprefix(UNKNOWN) for one in result.of(Outcome.UNKNOWN))
            reasons = dict.fromkeys(unknown)
            # The place of a skip is the case, not this line.
            raise pytest.skip.Exception(
                f"{UNKNOWN}{'; '.join(reasons) or 'nothing was judged'}",
                _use_item_location=True,
            )
        if result.outcome is Outcome.KNOWN:
            known = result.of(Outcome.KNOWN)
            self._known_to_fail(result, "; ".join(dict.fromkeys(one.details[-1] for one in known)))
        elif result.outcome is Outcome.FAILED:
            raise UnmetError(result.text(self.case.name))
        elif self.case.known is not None:
            from reasonix_conformance.known_failures import CHECK

            what = f"{self.case.name} passes, but is listed as a known failure: {self.case.known}"
            listed = Finding(check=CHECK, what=what, hint="delete the entry")
            self.add_record(result._replace(findings=(*result.findings, listed)))
            raise UnmetError(what)

    def _known_to_fail(self, result: Result, known: str) -> None:
        pytest.xfail(known)
        raise UnmetError(result.text(self.case.name))  # reached with --runxfail only

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Show what is not met as its text, our own faults with their traceback."""
        return _sentence(excinfo.value) or super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Return where the case stands; of many traces, each case is called `replay`."""
        parent = self.parent.nodeid if self.parent is not None else ""
        return self.path, self.case.line - 1, f"{self.name} ({readable(parent)})"
