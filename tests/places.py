"""Where the files are that tests read."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FIXTURES = ROOT / "fixtures"
RECORDED = FIXTURES / "verdicts"
"""Recorded verdict files."""
TRACES = FIXTURES / "traces"
CLASSIC = TRACES / "classic-2026-08"
RECENT = TRACES / "reasonix-1.38.11"
GOOD = CLASSIC / "step-command-failed" / "1.trajectory.jsonl"
"""A recording whose host the rules agree with in every verdict."""
TRANSCRIPTS = FIXTURES / "transcripts"
