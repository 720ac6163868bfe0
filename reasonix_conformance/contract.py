"""The contract suite as cases: a subject held against its document and its snapshots."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from reasonix_conformance import docs, snapshots, subjects
from reasonix_conformance.cases import Case, CaseFile
from reasonix_conformance.checks import judge, surface, tool
from reasonix_runtime.contract.document_model import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from reasonix_conformance.findings import Result
    from reasonix_conformance.settings import Settings
    from reasonix_conformance.subjects import Subject, SubjectTool
    from reasonix_runtime.contract.document_model import Row

Named = TypeVar("Named", "SubjectTool", "Row")


class ContractSuite:
    """What a run holds a subject to; subject and document are read once."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings; nothing is read yet."""
        self.settings = settings

    @cached_property
    def subject(self) -> Subject:
        """What is under test."""
        return subjects.load(self.settings.subject, self.settings.subject_base)

    @cached_property
    def document(self) -> Document:
        """The contract document that the subject is held against."""
        return docs.read(self.settings.document, self.settings.show(self.settings.document))

    def load(self) -> None:
        """Read subject and document now, so that a mistake is told before anything runs.

        Raises:
            SubjectError: the subject cannot be loaded.
            DocumentError: the document cannot be read.
        """
        _ = self.subject, self.document

    def files(self) -> Iterator[CaseFile]:
        """Yield the document as a file of cases."""
        yield CaseFile(path=self.settings.document, make=self.cases)

    def cases(self) -> list[Case]:
        """Return one case a tool name, then one a surface."""
        return [*self._tools(), *self._surfaces()]

    def _tools(self) -> Iterator[Case]:
        entries = _by_name(self.subject.tools)
        rows = _by_name(self.document.rows)
        recorded: set[str] = set()
        if self.settings.snapshots is not None and self.subject.complete:
            recorded.update(snapshots.names(self.settings.snapshots))
        for name in sorted({*entries, *rows, *recorded}):
            own, told = entries.get(name, ()), rows.get(name, ())
            yield Case(
                name=name,
                kind="tool",
                line=told[0].line if told else 1,
                judge=partial(self._judge_tool, name, tuple(own), tuple(told)),
            )

    def _judge_tool(
        self, name: str, entries: tuple[SubjectTool, ...], rows: tuple[Row, ...]
    ) -> Result:
        case = tool.ToolCase(
            name=name,
            subject=self.subject,
            document=self.document,
            tools=entries,
            rows=rows,
            canonical=tool.canonical_of(entries[0]) if entries else None,
            snapshots=self.settings.snapshots,
            own_texts=not self.subject.reference or docs.is_generated(self.document),
        )
        return judge(tool.checks(case), case, strict=self.settings.strict)

    def _surfaces(self) -> Iterator[Case]:
        for case in surface.cases(self.subject, self.document):
            yield Case(
                name=f"surface:{case.id}",
                kind="surface",
                line=case.claim.line if case.claim else 1,
                judge=partial(judge, surface.SURFACE, case, strict=self.settings.strict),
            )


def lint(subject: Subject, *, strict: bool) -> list[tuple[Case, Result]]:
    """Judge a subject by itself: no document, no snapshots."""
    judged = []
    for name, entries in sorted(_by_name(subject.tools).items()):
        case = tool.ToolCase(
            name=name,
            subject=subject,
            document=Document(source=subject.label),
            tools=tuple(entries),
            rows=(),
            canonical=tool.canonical_of(entries[0]),
            snapshots=None,
        )
        check = partial(judge, tool.LINT, case, strict=strict)
        judged.append((Case(name=name, kind="tool", judge=check), check()))
    return judged


def _by_name(things: Iterable[Named]) -> dict[str, Sequence[Named]]:
    """Return things by their names; a name may stand more than once."""
    grouped: dict[str, list[Named]] = {}
    for thing in things:
        grouped.setdefault(thing.name, []).append(thing)
    return dict(grouped)
