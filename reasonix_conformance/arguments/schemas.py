"""The schemas that calls are held against: of a registry, a dump of tools, or a contract document.

They are read once, by the process that the user started, and sent to the others as bytes.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from reasonix_conformance.errors import SubjectError

DOCUMENT_ENDING = ".md"


class Schemas(NamedTuple):
    """What a contract tells of the arguments of its tools.

    `tools` holds the name of each tool and the JSON of its schema, None where the contract does not
    tell it. `complete` is whether the host dispatches no other tools; a model request lists only
    what one model sees.
    """

    label: str
    tools: tuple[tuple[str, bytes | None], ...]
    complete: bool


def load(spec: str, base: Path) -> Schemas:
    """Return the schemas of `module:attribute`, of a JSON dump, or of a contract document (`.md`).

    A relative path is relative to `base`, which is also where modules are looked for.

    Raises:
        SubjectError: what the spec names cannot be loaded, or tells no schema at all.
        DocumentFileError: the document is missing or no text.
    """
    if spec.endswith(DOCUMENT_ENDING):
        found = _of_document(base / spec, spec)
    else:
        from reasonix_conformance import subjects

        subject = subjects.load(spec, base)
        found = Schemas(
            label=subject.label,
            tools=tuple((tool.name, tool.schema) for tool in subject.tools),
            complete=subject.complete,
        )
    if not any(schema is not None for _, schema in found.tools):
        raise SubjectError(
            f"{spec} tells no schema of any tool, so no call can be held against it; name a "
            "registry such as 'myhost.tools:registry', a dump of the tools array such as "
            "'tools.json', or a contract document that writes the schemas out"
        )
    return found


def _of_document(path: Path, shown: str) -> Schemas:
    """Return what a document tells: its rows and surfaces name tools, its blocks hold schemas."""
    from reasonix_conformance import docs

    document = docs.read(path, shown)
    told = {claim.name: claim.text.encode() for claim in document.schemas}
    names = dict.fromkeys(
        (
            *(row.name for row in document.rows),
            *(name for surface in document.surfaces for name in surface.names),
            *told,
        )
    )
    tools = tuple((name, told.get(name)) for name in names)
    return Schemas(label=shown, tools=tools, complete=True)
