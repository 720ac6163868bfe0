"""Adapter of the kind about the canonical bytes of a parameter schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from reasonix_conformance.verdicts.calls import read_input
from reasonix_runtime.contract.canonical import canonicalise
from reasonix_runtime.gates.policy import Policy


class _Schema(msgspec.Struct, frozen=True):
    schema: str = ""


def schema_canon(data: Mapping[str, Any], policy: Policy) -> dict[str, Any]:
    """Bring a schema into canonical form, and tell whether it was in that form already."""
    del policy  # the canonical form is the same under every rule set
    schema = read_input(data, _Schema).schema
    canonical = canonicalise(schema).decode("utf-8", "replace")
    return {"accept": canonical == schema, "canonical": canonical}
