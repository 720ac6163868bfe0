"""How a finding reads in a terminal."""

from __future__ import annotations

from reasonix_conformance.findings import Finding


def test_every_line_of_a_detail_stands_under_its_finding() -> None:
    """A refusal of an end of turn lists what is missing, a line each."""
    finding = Finding(check="turn-1/end", what="reject", details=("in this order:\n1. read", "b"))

    assert [
        "turn-1/end: reject",
        "    in this order:",
        "    1. read",
        "    b",
    ] == finding.lines()
