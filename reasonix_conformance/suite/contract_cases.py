"""The contract suite as cases: a subject held against its document and its snapshots."""

from __future__ import annotations

from functools import cached_property, partial
from typing import TYPE_CHECKING, TypeVar

from reasonix_conformance import docs, snapshots, subjects
from reasonix_conformance.checks import document, judge, surface, tool
from reasonix_conformance.findings import Outcome
from reasonix_conformance.suite.cases import Case, CaseFile
from reasonix_runtime.contract.document_model import Document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

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
        path = self.settings.document
        return docs.read(path, self.settings.show(path), update=self.settings.update_command)

    def load(self) -> None:
        """Read subject and document now, so that a mistake is told before anything runs.

        Raises:
            SubjectError: the subject cannot be loaded.
            DocumentFileError: the document cannot be read.
        """
        _ = self.subject, self.document

    def documents(self) -> list[tuple[Path, str]]:
        """Return the document and its translations, each with its language.

        A translation counts if it is there; the reference runtime writes all of them.
        """
        main = self.settings.document
        language = docs.language_of(main)
        found = [(main, language)]
        if language == docs.LANGUAGES[0]:
            for other in docs.LANGUAGES[1:]:
                path = docs.twin(main, other)
                if path.is_file() or self.generated:
                    found.append((path, other))
        return found

    @property
    def generated(self) -> bool:
        """Whether the document is one that the reference runtime, the subject, has written."""
        return self.subject.reference and docs.is_generated(self.document)

    def files(self) -> Iterator[CaseFile]:
        """Yield the document and its translations as files of cases."""
        (main, _), *translations = self.documents()
        yield CaseFile(path=main, make=self.cases)
        for path, language in translations:
            yield CaseFile(path=path, make=partial(self._translation, path, language))

    def cases(self) -> list[Case]:
        """Return one case a tool name, one a surface, and one for the document."""
        path, language = self.documents()[0]
        return [*self._tools(), *self._surfaces(), self._document_case(path, language)]

    def _translation(self, path: Path, language: str) -> list[Case]:
        return [self._document_case(path, language, main=self.document)]

    def _document_case(self, path: Path, language: str, main: Document | None = None) -> Case:
        return Case(
            name="document",
            kind="document",
            judge=partial(self._judge_document, path, language, main),
        )

    def _judge_document(self, path: Path, language: str, main: Document | None) -> Result:
        shown = self.settings.show(path)
        text = docs.text_of(path, shown) if path.is_file() else ""
        expected = docs.render(language, text) if self.generated else None
        if main is None:
            parsed: Document | None = self.document
        elif text == expected:
            # What is byte for byte the generated document need not be read to be judged.
            parsed = Document(source=shown, surfaces=main.surfaces)
        else:
            parsed = docs.parse(text, shown) if path.is_file() else None
        case = document.DocumentCase(
            source=shown,
            document=parsed,
            text=text,
            expected=expected,
            main=main,
            surfaces_told=self.subject.is_request or bool(self.subject.surfaces),
        )
        result = judge(document.checks(case), case, strict=self.settings.strict)
        if self.settings.update and self.generated:
            from reasonix_conformance.suite import accept

            # A document that cannot be read in places is repaired by writing it anew.
            checks = frozenset(check.id for check in document.checks(case))
            return accept.whole(result, checks)
        return result

    def _judge_surface(self, case: surface.SurfaceCase) -> Result:
        result = judge(surface.SURFACE, case, strict=self.settings.strict)
        if self.settings.update and self.generated:
            from reasonix_conformance.suite import accept

            return accept.whole(result, frozenset(("surface/members", "surface/order")))
        return result

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
            canonical=entries[0].canonical() if entries else None,
            snapshots=self.settings.snapshots,
            own_texts=not self.subject.reference or docs.is_generated(self.document),
            language=docs.language_of(self.settings.document),
            show=self.settings.show,
            text=partial(docs.text_of, self.settings.document, self.document.source),
            update=self.settings.update_command,
        )
        result = judge(tool.checks(case), case, strict=self.settings.strict)
        if not self.settings.update and result.outcome is not Outcome.FAILED:
            return result
        from reasonix_conformance.suite import accept

        return accept.tool(case, result) if self.settings.update else accept.held_up(case, result)

    def _surfaces(self) -> Iterator[Case]:
        for case in surface.cases(self.subject, self.document):
            yield Case(
                name=f"surface:{case.id}",
                kind="surface",
                line=case.claim.line if case.claim else 1,
                judge=partial(self._judge_surface, case),
            )


def lint(
    subject: Subject, *, strict: bool, providers: Sequence[str] = ()
) -> list[tuple[Case, Result]]:
    """Judge a subject by itself: no document, no snapshots.

    `providers` are the profiles whose dialect is binding; without any, every provider's is advice.
    """
    from reasonix_conformance.checks import dialect

    demands = (*tool.LINT, *dialect.checks(providers))
    judged = []
    for name, entries in sorted(_by_name(subject.tools).items()):
        case = tool.ToolCase(
            name=name,
            subject=subject,
            document=Document(source=subject.label),
            tools=tuple(entries),
            rows=(),
            canonical=entries[0].canonical(),
            snapshots=None,
        )
        check = partial(judge, tool.checks(case, demands), case, strict=strict)
        judged.append((Case(name=name, kind="tool", judge=check), check()))
    return judged


def _by_name(things: Iterable[Named]) -> dict[str, Sequence[Named]]:
    """Return things by their names; a name may stand more than once."""
    grouped: dict[str, list[Named]] = {}
    for thing in things:
        grouped.setdefault(thing.name, []).append(thing)
    return dict(grouped)
