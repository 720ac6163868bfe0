"""One self-contained page: the timeline of each trace, its verdicts, and what they rested on.

The page needs no network and no other file. Its input is the JSON form of a replay
(`reasonix-conformance/replay/1`) with `timeline` in each trace and `receipts` in each verdict; the
page holds the sentences of the rules that decided beside it. Text from a trace reaches the page as
data only, never as markup.
"""

from __future__ import annotations

import html
import json
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from reasonix_conformance.redact import redact
from reasonix_conformance.reports.levels import REPLAY, About
from reasonix_runtime.gates.rules import RULES

# The title stands at the tab of a browser and over the page.
_MARKS = ("@TITLE@", "@STYLE@", "@TITLE@", "@DATA@", "@SCRIPT@")


def render(replay: Mapping[str, Any], *, about: About = REPLAY) -> str:
    """Return the page for one replay document, or for what else stands in its form."""
    page = files("reasonix_conformance.reports") / "page"
    parts = {
        "@TITLE@": html.escape(about.title),
        "@STYLE@": (page / "page.css").read_text(encoding="utf-8"),
        "@SCRIPT@": (page / "page.js").read_text(encoding="utf-8"),
        "@DATA@": _embed(
            {**replay, **_places(replay), "rules": _sentences(replay), "unit": about.unit}
        ),
    }
    text = (page / "page.html").read_text(encoding="utf-8")
    # Each mark once, in the order of the page, so that none is looked for in what was put in.
    done = ""
    for mark in _MARKS:
        before, _, text = text.partition(mark)
        done += before + parts[mark]
    return done + text


def _places(replay: Mapping[str, Any]) -> dict[str, Any]:
    """Return the traces and what was not read without names of users in their paths.

    The page is handed on; in the JSON form programs find the files by them.
    """
    traces = [{**trace, **_masked(trace, "path", "id")} for trace in replay["traces"]]
    for trace in traces:
        for name in {"timeline", "diagnostics"} & trace.keys():
            trace[name] = [{**one, **_masked(one, "where")} for one in trace[name]]
    lost = [_masked(file, "path", "text") for file in replay.get("unreadable", ())]
    problems = [redact(problem) for problem in replay.get("problems", ())]
    return {"traces": traces, "unreadable": lost, "problems": problems}


def _masked(record: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: redact(record[name]) for name in names if record.get(name)}


def _sentences(replay: Mapping[str, Any]) -> dict[str, str]:
    """Return what the rules say that decided a verdict of the replay, by id."""
    verdicts = (verdict for trace in replay["traces"] for verdict in trace.get("verdicts", ()))
    decided = {verdict["rule"] for verdict in verdicts}
    return {rule: RULES[rule].sentence for rule in sorted(decided & RULES.keys())}


# What turns the direction of a text round, or is seen by nobody, is spelled out in the page.
_UNSEEN = {
    code: f"\\\\u{code:04x}"
    for code in (
        0x61C,
        *range(0x200B, 0x2010),
        *range(0x202A, 0x202F),
        *range(0x2060, 0x2070),
        0xFEFF,
    )
}


def _embed(data: Mapping[str, Any]) -> str:
    """Return JSON that cannot end the script element it stands in, nor hide what it says."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":")).translate(_UNSEEN)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
