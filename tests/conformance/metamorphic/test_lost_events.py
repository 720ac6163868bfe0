"""What a recording lost accuses no host, and lets nothing pass without a remark."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

from forms import FORMS, Form, decisions, few_and_many, results
from hypothesis import assume
from hypothesis import strategies as st
from told import Files, Session, in_order
from told_drawn import REAL_SESSIONS

from reasonix_conformance.replay.results import Agreement, TraceResult

PLACES = st.integers(0, 99)
IN_ONE = ("atif", "codex-exec-stream", "inspect", "otel")
"""Forms in which one record is a call with its result: that one is missing may show nowhere."""
TOLD_APART = tuple(form for form in FORMS if form.name not in (*IN_ONE, "v4"))
"""The other forms, but for frames, which have checksums."""
_NO_EVENTS = frozenset({"arguments", "attributes", "input", "args"})
"""Keys of what tells of one event."""


def _lists_in(value: Any) -> Iterator[list[Any]]:
    """Yield the lists of records in a document."""
    if isinstance(value, list):
        if value and all(isinstance(item, dict) for item in value):
            yield value
        inner = value
    else:
        told = value.items() if isinstance(value, dict) else ()
        inner = [item for key, item in told if key not in _NO_EVENTS]
    for item in inner:
        yield from _lists_in(item)


def _without_one(form: Form, data: bytes, place: int) -> bytes:
    """Return a file without one of its records."""
    if form.rows:
        rows = data.splitlines(keepends=True)
        assume(len(rows) > 1)
        # Where a response begins is no event; without it two of them are one.
        assume(b"stream_attempt" not in rows.pop(place % len(rows)))
        return b"".join(rows)
    document = deepcopy(json.loads(data))
    lists = list(_lists_in(document))
    places = [(told, at) for told in lists for at in range(len(told))]
    told, at = places[place % len(places)]
    del told[at]
    return json.dumps(document).encode()


def _accused(found: list[TraceResult]) -> Counter[tuple[str, str | None, str]]:
    accuses = (Agreement.HOST_LENIENT, Agreement.HOST_STRICT)
    return Counter(
        (one.subject, one.native_id, one.agreement.value)
        for result in found
        for one in result.verdicts
        if one.agreement in accuses
    )


def _codes(found: list[TraceResult]) -> Counter[str]:
    return Counter(diag.code for result in found for diag in result.diagnostics)


def without_an_event(form: Form, session: Session, place: int) -> None:
    """Hold that a record that is lost makes nobody lenient or strict, and no refusal good.

    What a host runs in order it answers in order; an answer out of order is itself a loss.
    """
    session = in_order(session) if form.ordered else session
    (name, data), *others = form.write(form.fit(session)).items()
    less: Files = {name: _without_one(form, data, place), **dict(others)}
    whole, lost = results(form, {name: data, **dict(others)}), results(form, less)

    before, after = decisions(whole), decisions(lost)
    remarked = _codes(lost) - _codes(whole)
    # Without the prompt behind a turn that broke off nothing tells that another one began.
    assume(remarked or before.keys() == after.keys())
    assert Counter() == _accused(lost) - _accused(whole)
    refused = {key for key, told in before.items() if told == "reject"}
    passes = {key for key, told in after.items() if told == "accept"}
    assert remarked or set() == refused & passes


test_a_lost_event_accuses_nobody, test_a_lost_event_accuses_nobody_in_thousands = few_and_many(
    without_an_event, REAL_SESSIONS, PLACES, of=TOLD_APART
)
