"""Writing the contract document from a contract, in each language."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from reasonix_runtime.contract.document_blocks import LINE_END
from reasonix_runtime.contract.document_parts import find_parts, part_text
from reasonix_runtime.contract.document_tables import UNKNOWN
from reasonix_runtime.contract.document_text import WORDINGS
from reasonix_runtime.contract.surface import boot_surfaces
from reasonix_runtime.errors import DocumentError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from reasonix_runtime.contract.document_model import Row
    from reasonix_runtime.contract.document_text import Wording
    from reasonix_runtime.contract.entry import Contract, ContractEntry
    from reasonix_runtime.contract.surface import Surface

HAND_WRITTEN = ("introduction", "tools", "end")
"""The places of the document that a person may write in."""

_NOTHING: Mapping[str, str] = MappingProxyType({})


def cell_text(description: str) -> str:
    r"""Return a description as a table cell: on one line, blanks single, pipes as `\|`.

    Nothing else is escaped, so that existing tools of the family find what they look for.
    """
    return " ".join(description.replace("|", "\\|").split())


def row_text(entry: ContractEntry, adopted: Row | None = None) -> str:
    """Return the table row of a tool.

    A description that was adopted from a document is written as it stands there: the whole row if
    it is well-formed and tells the same flag, else its cell.
    """
    flag = UNKNOWN if entry.read_only is None else str(entry.read_only).lower()
    cell = cell_text(entry.description)
    if adopted is not None and adopted.description == entry.description:
        if adopted.standard and adopted.read_only == entry.read_only:
            return adopted.raw.strip()
        cell = adopted.cell
    return f"| `{cell_text(entry.name)}` | {flag} | {cell} |"


def render(
    contract: Contract,
    language: str = "en",
    *,
    surfaces: Sequence[Surface] | None = None,
    hand_written: Mapping[str, str] = _NOTHING,
) -> str:
    """Return the contract document, ending in a line end.

    `surfaces` default to those of a boot with the contract's tools. `hand_written` are the parts to
    keep, by name; those that the document has no place for stand at its end.

    Raises `DocumentError` for a language that there is no wording for.
    """
    words = _wording(language)
    if surfaces is None:
        flagged = {entry.name for entry in contract if entry.read_only}
        surfaces = boot_surfaces(contract.names, read_only=flagged)
    parts = [
        f"# {words.title}",
        f"<!-- {words.generated} -->",
        *words.introduction,
        part_text("introduction", hand_written.get("introduction", "")),
        f"## {words.tools_heading}",
        "\n".join(_tool_table(contract, words)),
        part_text("tools", hand_written.get("tools", "")),
        f"## {words.snapshot_heading}",
        *words.snapshot,
        "\n".join(_fingerprints(contract, words)),
        *_surface_sections({surface.id: surface for surface in surfaces}, words),
        f"## {words.proxy_heading}",
        _bullets(words.proxy),
        f"## {words.gates_heading}",
        words.gates_intro,
        _bullets(words.gates),
        part_text("end", hand_written.get("end", "")),
        *(part_text(name, text) for name, text in hand_written.items() if name not in HAND_WRITTEN),
    ]
    return "\n\n".join(parts) + "\n"


def build(
    contracts: Mapping[str, Contract], existing: Mapping[str, str] = _NOTHING
) -> dict[str, str]:
    """Return the documents by file name: one a language, its contract in that language.

    `existing` are the present texts by file name; their hand-written parts and their line ends are
    kept.

    Raises `DocumentError` if a hand-written part of a present text does not begin and end properly,
    because rebuilding it would lose what was written.
    """
    documents = {}
    for language, contract in contracts.items():
        file = _wording(language).file
        present = existing.get(file, "")
        text = render(contract, language, hand_written=_kept(present, file))
        documents[file] = text.replace("\n", "\r\n") if "\r\n" in present else text
    return documents


def _wording(language: str) -> Wording:
    try:
        return WORDINGS[language]
    except KeyError:
        hint = did_you_mean(language, WORDINGS)
        raise DocumentError(f"no contract document in language {language!r}{hint}") from None


def _kept(text: str, file: str) -> Mapping[str, str]:
    parts, broken = find_parts(LINE_END.split(text.removeprefix("\ufeff")))
    if broken:
        raise DocumentError(
            f"{broken[0].at(file)}; mend the markers, or the text would be lost by the rebuild"
        )
    return parts


def _tool_table(contract: Contract, words: Wording) -> Iterator[str]:
    yield "| " + " | ".join(words.header) + " |"
    yield "| --- | --- | --- |"
    for entry in contract.wire():
        yield row_text(entry, contract.rows.get(entry.name))


def _fingerprints(contract: Contract, words: Wording) -> Iterator[str]:
    yield "| " + " | ".join(words.fingerprint_header) + " |"
    yield "| --- | --- |"
    for entry in contract.wire():
        yield f"| `{cell_text(entry.name)}` | `{entry.fingerprint}` |"


def _surface_sections(surfaces: Mapping[str, Surface], words: Wording) -> Iterator[str]:
    registry = surfaces["registry"]
    yield f"## {words.registry_heading}"
    yield words.registry.format(count=len(registry.names))
    yield _names(registry, words)
    yield f"## {words.visible_heading}"
    yield words.visible
    yield _names(surfaces["visible"], words)
    yield words.core
    yield _names(surfaces["core"], words)
    yield f"## {words.children_heading}"
    yield words.children
    for id_, (heading, sentence) in words.child.items():
        if id_ in surfaces:
            yield f"### {heading}"
            yield sentence
            yield _names(surfaces[id_], words)


def _names(surface: Surface, words: Wording) -> str:
    names = words.separator.join(f"`{name}`" for name in surface.names)
    return f"<!-- surface: {surface.id} -->\n\n{names}"


def _bullets(sentences: Iterable[str]) -> str:
    return "\n".join(f"* {sentence}" for sentence in sentences)
