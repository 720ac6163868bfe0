"""Sub-agents of Claude Code whose calls are not in the recording, and what they can excuse.

What a sub-agent did it did before its end; nothing of that speaks for a change that came later.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from claude_records import Record, answers, asks, read, record, says

from reasonix_conformance.replay.results import Judged
from reasonix_conformance.traces.sessions import Options, file_results

GO = record("user", "1", "go")
ON = record("user", "o", "on", parentUuid="9")
DONE, DONE_TOO = says("9", "done"), says("0", "done")


def task(*between: Record, **facts: str) -> tuple[Record, ...]:
    """Return the call of a sub-agent, its result with these facts, and what stands between them."""
    answer = answers("u", "t", "I look.", toolUseResult=facts)
    return (asks("t", "Task", prompt="look"), *between, answer)


def edit(name: str) -> tuple[Record, Record]:
    return (asks(name, "Edit", file_path=f"/w/{name}.py"), answers(f"r{name}", name, "updated"))


LOOK = (asks("l", "Read", file_path="/w/a.py"), answers("m", "l", "1 x"))
CHECK = (asks("c", "Bash", command="pytest -q"), answers("d", "c", "9 passed"))
BESIDE = (asks("t", "Task", prompt="look"), edit("a")[0])


def ends(folder: Path, *records: Record) -> list[Judged]:
    read(folder, *records)
    (result,) = file_results(folder / "s.jsonl", Options())
    return list(result.verdicts)


@pytest.mark.parametrize(
    ("told", "decisions"),
    [
        pytest.param((*edit("a"), *task(), DONE), ["not_assessable"], id="after-the-change"),
        pytest.param((*task(), *edit("a"), DONE), ["reject"], id="before-it"),
        pytest.param((*task(agentId="gone"), *edit("a"), DONE), ["reject"], id="its-file-is-gone"),
        pytest.param((*task(*edit("a")), DONE), ["not_assessable"], id="around-it"),
        pytest.param(
            (*BESIDE, answers("u", "t", "ok"), answers("ra", "a", "updated"), DONE),
            ["not_assessable"],
            id="beside-it",
        ),
        pytest.param(
            (*task(), *edit("a"), *LOOK, *CHECK, DONE), ["not_assessable"], id="it-may-have-changed"
        ),
        pytest.param(
            (*task(), DONE, ON, DONE_TOO), ["not_assessable"] * 2, id="nothing-settles-it"
        ),
        pytest.param(
            (*task(), *edit("b"), DONE, ON, *edit("a"), *LOOK, *CHECK, DONE_TOO),
            ["reject", "reject"],
            id="not-before-all-is-done",
        ),
        pytest.param(
            (*task(status="async_launched", agentId="a1"), DONE, ON, DONE_TOO),
            ["not_assessable", "not_assessable"],
            id="it-may-still-change",
        ),
        pytest.param(
            (*edit("a"), *task(), DONE, ON, *edit("b"), DONE_TOO),
            ["not_assessable", "reject"],
            id="in-an-earlier-turn",
        ),
        pytest.param(
            (*task(status="async_launched", agentId="a1"), *edit("a"), DONE),
            ["not_assessable"],
            id="it-may-still-run",
        ),
    ],
)
def test_what_a_sub_agent_did_unseen_excuses_what_came_before_its_end(
    told: tuple[Record, ...], decisions: list[str], tmp_path: Path
) -> None:
    """It may have looked, checked or reviewed, and may have changed something, until then."""
    assert decisions == [one.verdict.decision for one in ends(tmp_path, GO, *told)]


def test_a_refusal_names_only_what_is_owed_in_any_case(tmp_path: Path) -> None:
    """The sub-agent may have looked at the first file."""
    (end,) = ends(tmp_path, GO, *edit("a"), *task(), *edit("b"), DONE)

    assert "nobody looked at `/w/b.py` since" in end.verdict.message
    assert "a.py" not in end.verdict.message
