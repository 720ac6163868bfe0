"""Adapter of the kind about the canonical bytes of a parameter schema."""

from __future__ import annotations

from typing import Any

import msgspec

from reasonix_conformance.verdicts.inputs import reads
from reasonix_runtime.contract.canonical import canonicalise
from reasonix_runtime.gates.policy import Policy


class _Schema(msgspec.Struct, frozen=True):
    schema: str = ""


@reads(_Schema)
def schema_canon(given: _Schema, policy: Policy) -> dict[str, Any]:
    """Bring a schema into canonical form, and tell whether it was in that form already."""
    del policy  # the canonical form is the same under every rule set
    schema = given.schema
    canonical = canonicalise(schema).decode("utf-8", "replace")
    return {"accept": canonical == schema, "canonical": canonical}
