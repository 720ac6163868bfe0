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


def test_the_first_status_of_a_job_is_the_hosts_own() -> None:
    """What follows may be its log, which says whatever the command prints."""
    assert [] == list(ended("[bash-1] running\n[bash-1] done"))
    assert [("bash-1", "error")] == list(ended("[bash-1] failed\n[bash-1] done"))


def test_a_question_about_one_job_tells_nothing_of_another() -> None:
    """The output of one job may hold a line that looks like the end of another."""
    assert [("bash-2", "ok")] == list(ended("[bash-2] done\n[bash-1] done", ["bash-2"]))


def test_a_job_of_which_two_statuses_are_told_was_not_seen_to_end() -> None:
    """The first of them may stand in the log of the job before it."""
    text = "[bash-2] done\n[bash-1] done\n[bash-1] running"

    assert [("bash-2", "ok")] == list(ended(text, ["bash-2", "bash-1"]))
    assert [("bash-2", "ok")] == list(ended(text))
