"""A prompt, an answer or a mark of a turn that a recording lost accuses no host."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from reasonix_conformance.replay.results import Agreement, Judged
from reasonix_conformance.traces.sessions import Options, file_results

TRACES = Path(__file__).parents[3] / "fixtures" / "traces"
CLASSIC = TRACES / "classic-2026-08"
LATER = TRACES / "reasonix-1.38.11"


def judged(rows: list[bytes], folder: Path, name: str) -> tuple[list[Judged], Counter[str]]:
    """Return the verdicts on a recording of lines, and the codes of its diagnostics."""
    path = folder / name
    path.write_bytes(b"".join(rows))
    found = list(file_results(path, Options()))
    codes = Counter(diag.code for result in found for diag in result.diagnostics)
    return [one for result in found for one in result.verdicts], codes


@pytest.mark.parametrize(
    ("recording", "line", "role", "codes"),
    [
        (CLASSIC / "goal-blocked-resumed/chat.jsonl", 7, b"I cannot publish", []),
        (CLASSIC / "goal-blocked-resumed/chat.jsonl", 8, b'"user"', ["missing_prompt"]),
        (CLASSIC / "delivery-missing-verification/chat.jsonl", 9, b'"user"', ["missing_prompt"]),
        (CLASSIC / "delivery-missing-verification/chat.jsonl", 1, b'"user"', ["mid_chain_start"]),
        (CLASSIC / "goal-blocked-resumed/1.served.jsonl", 0, b'"notice"', []),
        (CLASSIC / "goal-continue-complete/1.served.jsonl", 31, b'"notice"', []),
        (
            CLASSIC / "goal-continue-complete/1.served.jsonl",
            32,
            b'"turn_started"',
            ["missing_prompt"],
        ),
        (CLASSIC / "plan-mode/1.served.jsonl", 36, b'"turn_started"', ["missing_prompt"]),
        (CLASSIC / "rewound/1.served.jsonl", 18, b'"turn_done"', []),
        (CLASSIC / "delivery-preflight/1.stream.jsonl", 92, b'"partial":true', []),
        (CLASSIC / "ids-repeated/chat.jsonl", 9, b'"write_file', ["orphan_result"]),
        (LATER / "goal-user-turns/chat.jsonl", 1, b"session-context", []),
        (LATER / "goal-user-turns/chat.jsonl", 2, b'"user"', ["mid_chain_start"]),
        (LATER / "goal-user-turns/1.served.jsonl", 1, b'"turn_started"', ["turn_inferred"]),
        (LATER / "goal-user-turns/1.served.jsonl", 4, b'"user_message"', []),
    ],
    ids=lambda value: value.parent.name if isinstance(value, Path) else None,
)
def test_a_lost_mark_of_a_turn_accuses_nobody(
    recording: Path, line: int, role: bytes, codes: list[str], tmp_path: Path
) -> None:
    """What the host knew of its turns stood in the line that is lost."""
    rows = recording.read_bytes().splitlines(keepends=True)
    lost = rows.pop(line)

    _, before = judged([*rows[:line], lost, *rows[line:]], tmp_path, recording.name)
    verdicts, after = judged(rows, tmp_path, recording.name)

    assert role in lost
    assert codes == sorted(after - before)
    assert {Agreement.AGREE, Agreement.UNKNOWN} >= {one.agreement for one in verdicts}


def _wire(turns: int, *, without: int) -> Iterator[bytes]:
    for number in range(turns):
        if number != without:
            yield b'{"kind": "turn_started"}\n'
        tool = f'{{"id": "c{number}", "name": "read_file", "args": "{{\\"path\\": \\"a.py\\"}}"'
        yield f'{{"kind": "tool_dispatch", "tool": {tool}}}}}\n'.encode()
        yield f'{{"kind": "tool_result", "tool": {tool}, "output": "x"}}}}\n'.encode()
        yield b'{"kind": "message", "text": "done"}\n'
        yield b'{"kind": "turn_done"}\n'


@pytest.mark.parametrize(("without", "missing"), [(1, 1), (9, 0)])
def test_a_call_behind_the_end_of_a_turn_tells_that_a_beginning_is_missing(
    without: int, missing: int, tmp_path: Path
) -> None:
    """The next one has its own beginning again."""
    _, codes = judged(list(_wire(3, without=without)), tmp_path, "1.stream.jsonl")

    assert missing == codes["missing_prompt"]
