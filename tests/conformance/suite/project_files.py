"""Files that tests of the plugin put into a project."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TRANSCRIPT = """\
- id: t-good
  rules: [classic, facts]
  turns:
    - events:
        - call: complete_step
          args: {step: "  ", result: done, evidence: [{kind: manual, summary: looked}]}
          expect: {verdict: reject, reason: step.missing}
- id: t-bad
  rules: classic
  turns:
    - events:
        - call: complete_step
          args: {step: "  ", result: done, evidence: [{kind: manual, summary: looked}]}
          expect: {verdict: accept}
"""


def transcripts(project: Any, text: str = TRANSCRIPT, *, known: str | None = None) -> None:
    """Give the project a file of transcripts, and a list of known failures."""
    folder = project.root / "fixtures" / "transcripts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "steps.yaml").write_text(text)
    if known is not None:
        (project.root / "fixtures" / "known-failures.yaml").write_text(known)


def own_test(project: Any) -> Path:
    """Give the project a test of its own."""
    folder: Path = project.root / "own"
    folder.mkdir(exist_ok=True)
    (folder / "test_own.py").write_text("def test_own(): pass\n")
    return folder
