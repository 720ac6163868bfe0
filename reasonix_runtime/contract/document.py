"""The contract document: rendered from a contract, and read from any host of the family."""

from __future__ import annotations

from reasonix_runtime.contract.document_model import (
    Document,
    FingerprintClaim,
    Heading,
    Problem,
    Row,
    SchemaClaim,
    SurfaceClaim,
)
from reasonix_runtime.contract.document_parse import load, parse
from reasonix_runtime.contract.document_render import build, cell_text, render, row_text

__all__ = [
    "Document",
    "FingerprintClaim",
    "Heading",
    "Problem",
    "Row",
    "SchemaClaim",
    "SurfaceClaim",
    "build",
    "cell_text",
    "load",
    "parse",
    "render",
    "row_text",
]
