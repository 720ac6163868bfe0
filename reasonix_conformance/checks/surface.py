"""The requirements on a boot surface: which names an agent sees, and in which order."""

from __future__ import annotations

import itertools
import re
from collections.abc import Container, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from reasonix_conformance.checks import Breach, Check, Report, Untold
from reasonix_conformance.findings import Level
from reasonix_runtime.contract.surface import ROLES

if TYPE_CHECKING:
    from reasonix_conformance.subjects import Subject
    from reasonix_runtime.contract.document_model import Document, SurfaceClaim

HEADINGS: Mapping[str, str] = MappingProxyType(
    {"default full boot surface": "registry", "unified boot surface": "core"}
)
"""The surface that a well-known heading speaks of, by the heading without case."""

KNOWN = frozenset((*HEADINGS.values(), "visible", *(role.replace("_", "-") for role in ROLES)))
"""Keys that mean the same surface in every host."""

LEAST_COMMON = 0.5
"""Share of names that a list and a surface of other names have to have in common to be one."""


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
    told = ", ".join(map(repr, subject.surfaces))
    why = (
        f"the subject tells no such boot surface (it tells {told})"
        if told
        else "the subject tells no boot surfaces"
    )
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
        keyed[_unused(told or _slug(claim.heading), keyed)] = claim
    return keyed


def _slug(heading: str) -> str:
    return re.sub(r"[\W_]+", "-", heading.casefold()).strip("-") or "unnamed"


def _assign(
    surfaces: Mapping[str, tuple[str, ...]], claims: Sequence[SurfaceClaim]
) -> dict[str, SurfaceClaim]:
    """Return which claim speaks of which surface, by the keys of the surfaces.

    A mark in the document decides, then an equal list, then a well-known heading. A host may call
    its surfaces as it likes, and so may its document: what is left is paired by what it lists, or a
    list would be held against its surface only for as long as the two are equal.
    """
    keyed = _keyed(claims)
    assigned = {key: keyed.pop(key) for key in surfaces if key in keyed and keyed[key].id == key}
    for known, names in surfaces.items():
        same = next((key for key, one in keyed.items() if set(one.names) == set(names)), None)
        if known not in assigned and same is not None:
            assigned[known] = keyed.pop(same)
    for key in surfaces.keys() & keyed.keys() - assigned.keys():
        assigned[key] = keyed.pop(key)
    left = {key: names for key, names in surfaces.items() if key not in assigned}
    for known, key in _alike(left, keyed):
        assigned[known] = keyed.pop(key)
    for key, claim in keyed.items():
        assigned[_unused(key, {*surfaces, *assigned})] = claim
    return assigned


def _alike(
    surfaces: Mapping[str, tuple[str, ...]], claims: Mapping[str, SurfaceClaim]
) -> Iterator[tuple[str, str]]:
    """Yield surfaces and claims that are most likely one, the likeliest pair first.

    Half of their names are common, or there is no other on either side. Two that are known under
    different names never are.
    """
    alone = len(surfaces) == len(claims) == 1
    pairs = sorted(
        (-_common(names, claim.names), known, key)
        for known, names in surfaces.items()
        for key, claim in claims.items()
        if not {known, key} <= KNOWN
    )
    paired: dict[str, str] = {}
    for less, known, key in pairs:
        if (alone or -less >= LEAST_COMMON) and not (known in paired or key in paired.values()):
            paired[known] = key
            yield known, key


def _common(some: Sequence[str], others: Sequence[str]) -> float:
    """Return the share of names that stand on both of two lists."""
    return len({*some} & {*others}) / len({*some, *others})


def _unused(key: str, used: Container[str]) -> str:
    """Return a key, numbered if it is used."""
    numbered = (f"{key}-{number}" for number in itertools.count(2))
    return next(one for one in itertools.chain((key,), numbered) if one not in used)


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
            hint="correct the list in the document, or what the host shows at boot; a list that "
            "is about another surface is marked with a line <!-- surface: KEY --> above it",
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
