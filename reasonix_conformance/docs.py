"""The contract documents: read, regenerate, check.

A document that the reference runtime wrote carries markers for its hand-written parts; it is
regenerated as a whole and these parts are kept. A document of another host is never rewritten as a
whole: its rows are the host's own words.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reasonix_conformance.errors import DocumentFileError
from reasonix_conformance.files import failing_as, reason_of, write_whole
from reasonix_runtime.contract.document_parse import parse as _parse
from reasonix_runtime.excerpts import odd_byte
from reasonix_runtime.whole_files import read_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reasonix_runtime.contract.document import Document
    from reasonix_runtime.contract.entry import Contract

LANGUAGES = ("en", "zh-CN")
"""Languages that the documents are written in; the first is the contract's own."""


UPDATE = (
    "pytest --reasonix-contract --reasonix-subject=SPEC --reasonix-document=PATH --reasonix-update"
)
"""The command that adds tools to a document, where nobody has told which."""

BUILD = "`reasonix-conformance docs build`"
"""What the head of a generated contract names as its writer."""


class Difference(NamedTuple):
    """Where a document is not what would be written: the first line, and how many differ.

    `expected` and `found` are None past the end of the shorter text.
    """

    line: int
    lines: int
    expected: str | None
    found: str | None


def read(path: Path, shown: str, *, update: str = UPDATE) -> Document:
    """Return a contract document as it stands; `shown` is what messages call it.

    `update` is the command that adds the tools of the user's host to it.

    Raises:
        DocumentFileError: the file does not exist, or is no UTF-8 text.
    """
    return parse(text_of(path, shown, update=update), shown)


def parse(text: str, shown: str) -> Document:
    """Return what the text of a document says; this never fails."""
    return _parse(text, shown)


def text_of(path: Path, shown: str, *, update: str = UPDATE) -> str:
    """Return the text of a document, line ends and byte order mark as they are.

    `update` is the command that adds the tools of the user's host to it.

    Raises:
        DocumentFileError: the file does not exist, or is no UTF-8 text.
    """
    try:
        data = read_whole(path)
    except FileNotFoundError:
        raise DocumentFileError(
            f"contract document {shown} does not exist: name another with --reasonix-document "
            "PATH, in commands --document PATH; or begin one with the lines "
            "`| Tool | Read-only | Description |` and `| --- | --- | --- |`, and have "
            f"`{update}` add the tools of your host "
            "(`reasonix-conformance docs build` writes that of the reference runtime)"
        ) from None
    except OSError as error:
        raise DocumentFileError(
            f"contract document {shown} cannot be read: {reason_of(error)}; name a Markdown file "
            "with --reasonix-document PATH, in commands --document PATH"
        ) from None
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        odd = odd_byte(error)
        raise DocumentFileError(f"{shown}:{odd.line}: {odd.what}; save the file as UTF-8") from None


def is_generated(document: Document) -> bool:
    """Whether a document was written by the reference runtime, not by another host's hand."""
    return bool(document.blocks)


def wrote(text: str, present: str) -> bool:
    """Whether what is there was written by `docs build`, as `text` is what it would write.

    The contract says so in its head; the rule catalogue has no words of anybody's, only its title.
    """
    return BUILD in present if BUILD in text else text.splitlines()[0] in present.splitlines()[:1]


def twin(path: Path, language: str) -> Path:
    """Return the path of the same document in a language: `NAME.md`, `NAME.zh-CN.md`."""
    return path if language == LANGUAGES[0] else path.with_name(f"{path.stem}.{language}.md")


def file_name(language: str) -> str:
    """Return the usual file name of the document in a language."""
    return twin(Path("TOOL_CONTRACT.md"), language).name


def write(path: Path, text: str) -> None:
    """Write a document whole, so that nobody reads half of it.

    Raises:
        DocumentFileError: the file cannot be written.
    """
    with failing_as(DocumentFileError, f"{path}: cannot be written"):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, text.encode())


def language_of(path: Path) -> str:
    """Return the language that a document's name tells."""
    return next((one for one in LANGUAGES[1:] if path.name.endswith(f".{one}.md")), LANGUAGES[0])


def _reference_contract(language: str) -> Contract:
    """Return the contract of the reference runtime with descriptions for a document's readers."""
    from reasonix_conformance.subjects.reference import registry

    return registry().contract(language=language)


def render(language: str, present: str = "", *, adopt: Document | None = None) -> str:
    """Return the reference runtime's document; hand-written parts of `present` are kept.

    With `adopt`, every tool that this other document describes is written with its row.

    Raises:
        ReasonixError: the markers in `present` are broken, so that text would be lost.
    """
    from reasonix_runtime.contract import document_render

    contract = _reference_contract(language)
    if adopt is not None:
        contract = contract.with_descriptions(adopt)
    plain = document_render.render(contract, language)
    if plain == present:
        return plain  # nothing is hand-written, so there is nothing to look for
    name = file_name(language)
    return document_render.build({language: contract}, {name: present})[name]


def not_adopted(language: str, adopt: Document, shown: str) -> Iterator[str]:
    """Yield what of a document's rows is not taken over, one line each, and why.

    A document can change what is said about a tool, not what it is: the flag is that of the
    registry. A tool that the registry does not have has no row; of several rows the first counts.
    """
    contract = _reference_contract(language)
    seen: set[str] = set()
    for row in adopt.rows:
        place = f"{shown}:{row.line}: {row.name}"
        if row.name not in contract:
            yield f"{place}: left out, the reference runtime has no tool of that name"
        elif row.name in seen:
            yield f"{place}: left out, an earlier row describes this tool"
        elif row.description is None:
            yield f"{place}: left out, the table has no descriptions"
        elif row.read_only is not None and row.read_only is not contract[row.name].read_only:
            ours = str(contract[row.name].read_only).lower()
            theirs = str(row.read_only).lower()
            yield f"{place}: its words are taken over, its flag {theirs} is not: here it is {ours}"
        seen.add(row.name)


def rules_file_name(language: str) -> str:
    """Return the file name of the rule catalogue in a language."""
    from reasonix_runtime.gates.rules_document import FILES

    return FILES[language]


def render_rules(language: str) -> str:
    """Return the rule catalogue as a document; nothing in it is written by hand."""
    from reasonix_runtime.gates import rules_document

    return rules_document.render(language)


def difference(expected: str, found: str) -> Difference | None:
    """Return where a document differs from what would be written, or None."""
    if expected == found:
        return None
    wanted, present = expected.split("\n"), found.split("\n")
    if wanted[-1] == present[-1] == "":  # what stands behind the last line end is no line
        del wanted[-1], present[-1]
    length = max(len(wanted), len(present))
    differing = [index for index in range(length) if _at(wanted, index) != _at(present, index)]
    first = differing[0]
    return Difference(
        line=first + 1,
        lines=len(differing),
        expected=_at(wanted, first),
        found=_at(present, first),
    )


def _at(lines: list[str], index: int) -> str | None:
    return lines[index] if index < len(lines) else None
