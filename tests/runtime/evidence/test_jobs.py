"""Background jobs as result texts tell of them (EL-16)."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.jobs import ended, started


@pytest.mark.parametrize(
    ("text", "job"),
    [
        ('Started background job "bash-1".', "bash-1"),
        ('Started background job "task-2" for you.', "task-2"),
        ('It said: Started background job "bash-1".', None),
        ("3 passed", None),
        ("", None),
    ],
)
def test_a_start_is_told_at_the_beginning_of_the_result(text: str, job: str | None) -> None:
    """A text that merely quotes such a sentence starts nothing."""
    assert job == started(text)


def test_a_report_tells_the_end_of_each_job() -> None:
    """`wait` reports several; what still runs has not ended."""
    text = "[bash-1 (npm test)] done\nok\n\n[bash-2] failed\n\n[bash-3] running\n\n[t-4] killed"

    assert [("bash-1", "ok"), ("bash-2", "error"), ("t-4", "cancelled")] == list(ended(text))


@pytest.mark.parametrize("text", ["bash-1 done", "x [bash-1] done", "[bash-1] doneness", ""])
def test_other_lines_tell_no_end(text: str) -> None:
    """The form is `[id] status` at the start of a line."""
    assert [] == list(ended(text))
