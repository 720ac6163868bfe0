"""The requirements on the schema of one tool: by itself, and against what was recorded of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from reasonix_conformance import snapshots
from reasonix_conformance.checks import Breach, Report, Untold, schema_faults, schema_loops
from reasonix_conformance.checks.left_out import left_out
from reasonix_conformance.subjects import repeated_keys
from reasonix_conformance.subjects.model import Form
from reasonix_runtime.contract.canonical import (
    canonical_or_none,
    fingerprint,
    parse,
    why_not_canonical,
)
from reasonix_runtime.excerpts import clipped

if TYPE_CHECKING:
    from reasonix_conformance.checks.tool import ToolCase
    from reasonix_conformance.subjects import SubjectTool

LONGEST_VALUE = 60
"""Characters that are shown of a schema that is no JSON."""


def valid(case: ToolCase) -> Iterator[Report]:
    """Report a schema that providers would refuse."""
    if case.tool.schema is None:
        yield left_out(case, "schema", "a schema")
        return
    if case.canonical is None:
        what, _, why = why_not_canonical(case.tool.schema).partition(": ")
        yield Breach(
            what=f"the schema is {what}",
            at=case.tool.at,
            found=clipped(case.tool.schema.decode("utf-8", "replace"), LONGEST_VALUE),
            details=(why,) if why else (),
            hint="no provider takes such a schema; the other tools are checked without it",
        )
        return
    for fault in schema_faults.faults_of(case.canonical):
        yield Breach(
            what=fault.what,
            at=f"{case.tool.at}, schema {fault.at or 'root'}",
            hint="a provider refuses the whole request for one bad schema",
        )
    for fault in schema_loops.loops_of(case.canonical):
        yield Breach(
            what=fault.what,
            at=f"{case.tool.at}, schema {fault.at}",
            hint="nothing says what such a schema demands, and validators take anything for it",
        )


def portable(case: ToolCase) -> Iterator[Report]:
    """Report what is valid, but not taken by every provider."""
    if case.canonical is None:
        yield Untold("there is no schema to judge")
        return
    if not schema_faults.refers(case.canonical):
        return
    for fault in schema_faults.recursion(parse(case.canonical.decode())):
        yield Breach(
            what=f"the schema is recursive: {fault.what}",
            at=f"{case.tool.at}, schema {fault.at}",
            hint="unroll it to the depth that is needed; some providers refuse recursion",
        )


def is_canonical(tool: SubjectTool, canonical: bytes) -> bool:
    """Whether a host sends a schema as its canonical bytes, or the value that they stand for."""
    raw = tool.schema
    return raw == canonical or (raw is not None and not tool.exact and _same_value(raw, canonical))


def in_canonical_form(case: ToolCase) -> Iterator[Report]:
    """Report a schema whose bytes are not the canonical ones.

    A schema that was given as a value has no bytes of its own; it is judged by what the canonical
    form says about values (order of `required`, what is dropped, what a root must have).
    """
    raw, canonical = case.tool.schema, case.canonical
    if raw is None or canonical is None:
        yield Untold("there is no schema to judge")
        return
    if case.subject.form is Form.MCP:
        yield Untold("the host that registers the tools of an MCP server makes them canonical")
        return
    if is_canonical(case.tool, canonical):
        return
    from reasonix_conformance.changes import describe

    yield Breach(
        what="the schema is not canonical",
        at=case.tool.at,
        details=tuple(str(change) for change in describe(raw, canonical)),
        hint="register the canonical form (docs/usage.md, Canonical form; in Python "
        "reasonix_runtime.contract.canonical.canonicalise), so that equal tools are equal bytes "
        "for a provider's cache",
    )


def _same_value(raw: bytes, canonical: bytes) -> bool:
    """Whether a value survives canonicalisation as it is, the order of keys apart."""
    if not raw.strip() or raw.strip() == b"null":
        return True  # a tool without parameters, told as such
    # Canonicalising never turns a boolean into a number, so plain equality tells them apart.
    return bool(json.loads(raw) == json.loads(canonical))


def recorded(case: ToolCase) -> Iterator[Report]:
    """Report a schema that differs from its recorded snapshot, or has none."""
    if case.canonical is None:
        yield Untold("there is no schema to compare")
        return
    if case.snapshots is None:
        yield Untold(
            "no snapshots belong to this subject; give their folder with --reasonix-snapshots DIR, "
            "in commands --snapshots DIR"
        )
        return
    text = snapshots.read(case.snapshots, case.name)
    if text is not None and snapshots.stands_for(text, case.canonical):
        return
    path = case.show(snapshots.path_of(case.snapshots, case.name))
    repeated = repeated_keys.places_in_text(text.decode("utf-8", "replace")) if text else []
    if repeated:
        yield Breach(
            what=f"in the snapshot {repeated_keys.sentence(repeated)}",
            at=path,
            hint=f"restore the file, or record the schema anew with `{case.update}`",
        )
        return
    recorded = canonical_or_none(text) if text else None
    if recorded == case.canonical:
        return
    if text is None:
        yield Breach(
            what="the schema has no snapshot",
            at=path,
            hint=f"look at the schema, then record it with `{case.update}`",
        )
        return
    if recorded is None:
        yield Breach(
            what="the snapshot is not JSON, so it cannot be compared",
            at=path,
            found=clipped(text.decode("utf-8", "replace"), LONGEST_VALUE) or "an empty file",
            hint=f"restore the file, or record the schema anew with `{case.update}`",
        )
        return
    from reasonix_conformance.changes import describe

    yield Breach(
        what="the schema is not the recorded one (from the snapshot to the subject)",
        at=path,
        details=tuple(str(change) for change in describe(recorded, case.canonical)),
        hint=case.accept,
    )


def fingerprinted(case: ToolCase) -> Iterator[Report]:
    """Report a fingerprint in the document that is not that of the schema."""
    if case.canonical is None:
        yield Untold("there is no schema to compare")
        return
    claims = case.document.fingerprints
    if not claims and case.document.fingerprint_table is None:
        yield Untold(
            "the document gives no fingerprints; it may have a table | Tool | Fingerprint |"
        )
        return
    if not case.own_texts:
        yield Untold("the document is another host's; its schema texts are not ours")
        return
    actual = fingerprint(case.canonical)
    claim = next((claim for claim in claims if claim.name == case.name), None)
    if claim is None:
        yield Breach(
            what="the document gives no fingerprint for the tool",
            at=case.document.source,
            expected=actual,
            hint=f"add it, or {case.rebuild}",
        )
    elif claim.value != actual:
        yield Breach(
            what="the fingerprint in the document is not that of the schema",
            at=f"{case.document.source}:{claim.line}",
            expected=actual,
            found=claim.value,
            hint=f"see what changed in the schema; {case.accept}",
        )
