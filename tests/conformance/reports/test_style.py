"""Text as a terminal shows it: in colours where they are wanted, and as wide as there is room."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from reasonix_conformance.commands.replay_progress import Progress
from reasonix_conformance.replay.results import Judged, TraceResult, write
from reasonix_conformance.reports.style import NARROWEST, WIDTH, Style, style_for
from reasonix_conformance.reports.text_report import MOST_NOTES, TextWriter
from reasonix_runtime.gates.verdict import Decision, Verdict
from reasonix_runtime.trace.events import Diag

CODES = re.compile(r"\x1b\[[0-9]*m")


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("environ", "terminal", "file"),
    [
        ({}, True, False),
        ({"TERM": "dumb"}, False, False),
        ({"NO_COLOR": "1"}, False, False),
        ({"NO_COLOR": ""}, True, False),
        ({"FORCE_COLOR": "1"}, True, True),
        ({"FORCE_COLOR": "1", "TERM": "dumb"}, True, True),
        ({"FORCE_COLOR": "1", "NO_COLOR": "1"}, False, False),
    ],
)
def test_colours_are_for_terminals_and_for_who_asks(
    environ: dict[str, str], terminal: bool, file: bool
) -> None:
    """no-color.org: set and not empty; it outweighs whoever forces them."""
    assert terminal is style_for(Terminal(), environ).colours
    assert file is style_for(io.StringIO(), environ).colours


@pytest.mark.parametrize(("columns", "width"), [("40", 40), ("200", WIDTH), ("9", NARROWEST)])
def test_a_text_is_as_wide_as_its_terminal(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within what can be read; a file is no terminal."""
    monkeypatch.setenv("COLUMNS", columns)

    assert width == style_for(Terminal(), {}).width
    assert WIDTH == style_for(io.StringIO(), {}).width


def trace(**more: Any) -> TraceResult:
    said = "run `reasonix-conformance replay --min-basis absence` " * 4
    verdict = Verdict(gate="turn_end", decision=Decision.REJECT, told=said, reason="x.y")
    judged = Judged(turn=1, event=None, verdict=verdict, subject="end", host=Decision.ACCEPT)
    return TraceResult(
        path="a\x1b[31m.jsonl", id="t", format="f", rules="contract", verdicts=(judged,), **more
    )


def written(result: TraceResult, style: Style, **more: Any) -> str:
    out = io.StringIO()
    write(TextWriter(out, style=style, **more), [result])
    return out.getvalue()


def test_colours_change_no_word() -> None:
    """What is copied from a terminal is what a file holds; a trace colours nothing."""
    result = trace(diagnostics=(Diag(code="bad_line", where="a:1", text="no JSON"),))
    plain, coloured = written(result, Style()), written(result, Style(colours=True))

    assert plain == CODES.sub("", coloured)
    assert "\x1b[31mREJECT\x1b[0m" in coloured
    assert "\x1b[31mHOST LENIENT\x1b[0m" in coloured
    assert "\x1b[1ma\\x1b[31m.jsonl" in coloured


@pytest.mark.parametrize("width", [40, 60, WIDTH])
def test_no_option_is_cut_at_its_hyphens(width: int) -> None:
    """It is there to be copied."""
    lines = [
        line for line in written(trace(), Style(width=width)).splitlines() if line[:10] == " " * 10
    ]

    assert all(len(line) <= width for line in lines)
    assert 4 == sum(line.count("--min-basis") for line in lines)


def test_only_notes_of_a_loss_need_a_look() -> None:
    """Of a thousand sessions, a thousand would say that their turns were inferred."""
    notes = tuple(Diag(code=code, text="x") for code in ("turn_inferred", "bad_line"))
    result = trace(diagnostics=notes)

    assert "note turn_inferred" in written(result, Style())
    assert "note turn_inferred" not in written(result, Style(), only_failures=True)
    assert "note bad_line" in written(result, Style(), only_failures=True)


def test_very_many_notes_of_a_kind_are_counted() -> None:
    """A file of the wrong form has one a line; no terminal holds the verdicts behind them."""
    notes = [Diag(code="bad_line", text=f"n{number}") for number in range(MOST_NOTES + 7)]
    text = written(trace(diagnostics=(*notes, Diag(code="bad_args", text="y"))), Style())

    assert f"n{MOST_NOTES - 1}\n" in text
    assert f"n{MOST_NOTES}\n" not in text
    assert "  note bad_line: 7 more of them\n" in text
    assert "  note bad_args: y\n" in text


def test_the_line_of_progress_stays_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name may hold anything, and a terminal may be narrow."""
    monkeypatch.setenv("COLUMNS", "40")
    out = Terminal()
    progress = Progress(out, alone=True)
    progress.begin(TraceResult(path="x" * 60 + "\n\x1b[2J", id="t", format="f", rules="contract"))
    progress.close()

    shown = out.getvalue().split("\r")
    assert all(len(part) < 40 for part in shown)
    assert not {"\n", "\x1b"} & set(out.getvalue())
