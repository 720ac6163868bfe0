"""Where the files are that tests read."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
FIXTURES = ROOT / "fixtures"
RECORDED = FIXTURES / "verdicts"
"""Recorded verdict files."""
TRACES = FIXTURES / "traces"
TRANSCRIPTS = FIXTURES / "transcripts"
