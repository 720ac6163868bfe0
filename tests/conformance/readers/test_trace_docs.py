"""`docs/trace-formats.md` lists what there is."""

from __future__ import annotations

import re

from places import DOCS

from reasonix_conformance.readers.formats import FORMATS
from reasonix_runtime.trace.events import BASES, DIAGNOSTICS

PAGE = DOCS / "trace-formats.md"


def test_every_format_diagnostic_and_basis_is_documented() -> None:
    """A code that no page explains helps nobody."""
    text = PAGE.read_text(encoding="utf-8")
    listed = set(re.findall(r"^\| `([a-z_]+)` \|", text, re.MULTILINE)) & (
        DIAGNOSTICS | {"acp", "atif", "codex", "inspect", "neutral", "otel", "transcript"}
    )

    assert listed - set(FORMATS) - {"transcript"} == DIAGNOSTICS
    assert [] == [name for name in (*FORMATS, *BASES) if f"`{name}`" not in text]
