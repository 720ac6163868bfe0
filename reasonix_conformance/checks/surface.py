"""The requirements on a boot surface: which names an agent sees, and in which order."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from reasonix_conformance.checks import Breach, Check, Report, Untold
from reasonix_conformance.findings import Level

if TYPE_CHECKING:
    from reasonix_conformance.subjects import Subject
    from reasonix_runtime.contract.document_model import Document, SurfaceClaim

HEADINGS: Mapping[str, str] = MappingProxyType(
    {"default full boot surface": "registry", "unified boot surface": "core"}
)
"""The surface that a well-known heading speaks of, by the heading without case."""


class SurfaceCase(NamedTuple):
    """One surface: what the document claims and what the subject tells, either possibly None.

    `why` says why the subject tells nothing about it.
    """

    id: str
    subject: Subject
    source: str
    claim: SurfaceClaim | None
    names: tuple[str, ...] | None
    why: str = ""

    @property
    def place(self) -> str:
        """Where the claim stands, as file and line."""
        return f"{self.source}:{self.claim.line}" if self.claim else self.subject.label


def cases(subject: Subject, document: Document) -> list[SurfaceCase]:
    """Return the surfaces that the subject tells and those that the document claims."""
    if subject.is_request:
        return _of_request(subject, document)
    claims = _assign(subject.surfaces, document.surfaces)
    why = "the subject tells no boot surfaces"
    return [
        SurfaceCase(
            id=key,
            subject=subject,
            source=document.source,
            claim=claims.get(key),
            names=subject.surfaces.get(key),
            why=why,
        )
        for key in dict.fromkeys((*subject.surfaces, *claims))
    ]


def _of_request(subject: Subject, document: Document) -> list[SurfaceCase]:
    """Hold the one surface that a request shows against the claim that is nearest to it."""
    seen = set(subject.names)
    nearest = min(document.surfaces, key=lambda claim: len(seen ^ set(claim.names)), default=None)
    return [
        SurfaceCase(
            id=key,
            subject=subject,
            source=document.source,
            claim=claim,
            names=subject.names if claim is nearest else None,
            why=f"a request shows one surface, and this one is nearest to {_quoted(nearest)}",
        )
        for key, claim in _keyed(document.surfaces).items()
    ]


def _quoted(claim: SurfaceClaim | None) -> str:
    return repr(claim.heading) if claim else "none"


def _keyed(claims: Sequence[SurfaceClaim]) -> dict[str, SurfaceClaim]:
    """Return the claims by surface id; a second one of the same id is numbered."""
    keyed: dict[str, SurfaceClaim] = {}
    for claim in claims:
        told = claim.id or HEADINGS.get(claim.heading.casefold())
        base = key = told or _slug(claim.heading)
        number = 1
        while key in keyed:
            number += 1
            key = f"{base}-{number}"
        keyed[key] = claim
    return keyed


def _slug(heading: str) -> str:
    return re.sub(r"[\W_]+", "-", heading.casefold()).strip("-") or "unnamed"


def _assign(
    surfaces: Mapping[str, tuple[str, ...]], claims: Sequence[SurfaceClaim]
) -> dict[str, SurfaceClaim]:
    """Return which claim speaks of which surface: an exact list first, else by its heading."""
    assigned: dict[str, SurfaceClaim] = {}
    for key, claim in _keyed(claims).items():
        exact = next(
            (
                known
                for known, names in surfaces.items()
                if set(names) == set(claim.names) and known not in assigned
            ),
            key,
        )
        assigned[exact if exact not in assigned else key] = claim
    return assigned


def members(case: SurfaceCase) -> Iterator[Report]:
    """Report a surface whose names are not those that the document claims."""
    if case.names is None:
        yield Untold(case.why)
        return
    if case.claim is None:
        yield Untold("the document does not list this surface")
        return
    told, claimed = set(case.names), set(case.claim.names)
    lines = (
        *(
            f"{name}: the document claims it, the host does not show it"
            for name in sorted(claimed - told)
        ),
        *(
            f"{name}: the host shows it, the document leaves it out"
            for name in sorted(told - claimed)
        ),
    )
    if lines:
        yield Breach(
            what=f"the names under {case.claim.heading!r} are not those of the host",
            at=case.place,
            expected=f"{len(told)} names ({case.subject.label})",
            found=f"{len(claimed)} names",
            details=lines,
            hint="correct the list in the document, or what the host shows at boot",
        )


def order(case: SurfaceCase) -> Iterator[Report]:
    """Report names that are not in wire order (bytewise ascending, each once)."""
    breached = False
    for names, at in (
        (case.claim.names if case.claim else (), case.place),
        (case.names or (), case.subject.label),
    ):
        wrong = next((pair for pair in itertools.pairwise(names) if pair[0] >= pair[1]), None)
        if wrong:
            breached = True
            same = wrong[0] == wrong[1]
            yield Breach(
                what=f"{wrong[1]!r} stands twice" if same else "the names are not in wire order",
                at=at,
                expected="each name once, bytewise ascending",
                found=f"{wrong[0]}, {wrong[1]}",
                hint="a provider caches by the bytes of this list; sort it by name",
            )
    if case.names is None and not breached:
        yield Untold(case.why)


def registered(case: SurfaceCase) -> Iterator[Report]:
    """Report names on a surface that the host has no tool for."""
    if not case.subject.complete:
        yield Untold(f"{case.subject.form} do not tell every tool of the host")
        return
    tools = set(case.subject.names)
    for names, at in (
        (case.claim.names if case.claim else (), case.place),
        (case.names or (), case.subject.label),
    ):
        missing = [name for name in names if name not in tools]
        if missing:
            yield Breach(
                what=f"the surface names what is no tool of the host: {', '.join(missing)}",
                at=at,
                hint="remove the names, or register the tools",
            )


SURFACE: tuple[Check[SurfaceCase], ...] = (
    Check("surface/members", Level.MUST, "An agent sees what the document lists.", members),
    Check("surface/order", Level.MUST, "The names are in wire order.", order),
    Check("surface/registered", Level.MUST, "Every name is a tool of the host.", registered),
)
"""What is demanded of a boot surface."""
