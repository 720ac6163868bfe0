"""What happens in real sessions beside the work: it proves nothing, and hides nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from forms import FORMS, ROWS, Form, Told, decisions, few_and_many, gained, results, signature
from hypothesis import assume
from hypothesis import strategies as st
from told import Call, Files, Response, Session, changed, each_call, each_response, in_order, lines
from told_drawn import REAL_SESSIONS

PLACES = st.integers(0, 11)
APART = tuple(form for form in FORMS if form.apart)
NUMBERED = tuple(form for form in FORMS if form.name in ("stream", "trajectory"))
"""Forms of which each run of a session has a file of its own."""
HOLDING_BACK = tuple(form for form in FORMS if form.name != "acp")
"""Forms in which no word of the host stands for what a sub-agent did unseen."""
MARKED = ("acp", "claude-stream", "codex", "codex-exec-stream", "neutral", "stream", "trajectory")
"""Forms that mark the end of a turn: without its mark none is judged."""


def _judged(form: Form, session: Session) -> Told:
    return decisions(results(form, form.write(form.fit(session))))


def _same_or_untold(before: Told, after: Told) -> None:
    """Hold that nothing is judged otherwise; that it is not told well enough may be said."""
    assert before.keys() == after.keys()
    known = {key: told for key, told in after.items() if told != "not_assessable"}
    assert {key: before[key] for key in known} == known


# -- results of one response in another order


def in_another_order(form: Form, session: Session) -> None:
    """Hold that results of calls that ran beside one another may come in any order.

    A host of the contract runs what changes something, and what has a gate, alone and in order. Of
    a check that was run twice the latest run decides.
    """
    session = in_order(session)

    def turned(one: Response) -> Response:
        kinds = {call.kind for call in one.calls}
        alone = any(call.changes for call in one.calls) or kinds & {"list", "sign", "task"}
        runs = [call.what for call in one.calls if call.kind == "run"]
        fits = len(runs) == len(set(runs)) and not (alone and form.ordered)
        return replace(one, turned=fits)

    after = each_response(session, turned)

    assert _judged(form, session) == _judged(form, after)


# -- what the model is shown


def with_a_shorter_view(form: Form, session: Session, place: int) -> None:
    """Hold that what is taken out of the view of the model has happened all the same."""
    plain = each_response(session, lambda one: replace(one, compacted=False))
    number = iter(range(999))
    count = sum(len(turn.responses) for turn in plain)
    assume(count)
    after = tuple(
        replace(
            turn,
            responses=tuple(
                replace(one, compacted=next(number) == place % count) for one in turn.responses
            ),
        )
        for turn in plain
    )

    _same_or_untold(_judged(form, plain), _judged(form, after))


def with_images(form: Form, session: Session, everywhere: bool) -> None:
    """Hold that an image beside a text takes nothing away from it, and adds nothing."""
    plain = changed(session, lambda _, call: (replace(call, shows=False),))
    plain = tuple(replace(turn, shows=False) for turn in plain)
    after = tuple(replace(turn, shows=True) for turn in plain)
    if everywhere:
        after = changed(after, lambda _, call: (replace(call, shows=True),))

    _same_or_untold(_judged(form, plain), _judged(form, after))


def after_a_failure_of_the_provider(form: Form, session: Session) -> None:
    """Hold that what the model began to say, and was asked for again, never happened."""
    plain = each_response(session, lambda one: replace(one, retried=False))

    assert _judged(form, plain) == _judged(
        form, each_response(plain, lambda one: replace(one, retried=True))
    )


# -- sub-agents


def through_a_sub_agent(form: Form, session: Session, place: int) -> None:
    """Hold that what a sub-agent did proves no more than had its parent done it."""
    calls = each_call(session)
    numbers = [at for at, call in enumerate(calls) if call.kind in ("read", "edit", "write", "run")]
    numbers = [at for at in numbers if calls[at].ended == ""]
    assume(numbers)
    chosen = numbers[place % len(numbers)]

    def delegated(number: int, call: Call) -> tuple[Call, ...]:
        if number != chosen:
            return (call,)
        return (Call("task", "do it", ident="toolu_900", inside=(Response((call,)),)),)

    assert [] == gained(form, session, changed(session, delegated))


# -- files


def in_two_files(form: Form, session: Session, place: int) -> None:
    """Hold that a run which goes on with a session is judged as its further turns."""
    session = form.fit(session)
    assume(len(session) > 1)
    at = 1 + place % (len(session) - 1)
    begin, rest = (form.write(part) for part in (session[:at], session[at:]))
    kind = form.name
    names = [f"{number}.{kind}.jsonl" for number in (2, 1)]
    files = dict(zip(names, (data for one in (rest, begin) for data in one.values()), strict=True))

    whole = decisions(results(form, form.write(session)))
    found = decisions(results(form, files))
    later = {
        (what, key - at if what == "end" else key): told
        for (what, key), told in whole.items()
        if what != "end" or key > at
    }
    found = {key: told for key, told in found.items() if key[0] == "end"}
    later = {key: told for key, told in later.items() if key[0] == "end"}

    _same_or_untold(later, found)


def cut_off(form: Form, session: Session, place: int) -> None:
    """Hold that each end which a cut file still tells is judged as in the whole one."""
    (name, data), *others = form.write(form.fit(session)).items()
    rows = data.splitlines(keepends=True)
    cut = {name: b"".join(rows[: 1 + place * 7 % len(rows)]), **dict(others)}

    whole, begun = (
        {key: told for key, told in decisions(results(form, files)).items() if key[0] == "end"}
        for files in ({name: data, **dict(others)}, cut)
    )
    last = max((turn for _, turn in begun), default=0)
    if form.name not in MARKED:
        begun.pop(("end", last), None)
    known = {key: told for key, told in begun.items() if told != "not_assessable"}
    assert {key: whole[key] for key in known} == known


# -- what no reader knows


_GIVEN = frozenset({"args", "arguments", "attributes", "input", "rawInput"})
"""Keys of what is given to a call: a field more there is an argument more."""


def _wider(value: Any) -> Any:
    """Return a record with a field more in each of its objects."""
    if isinstance(value, list):
        return [_wider(item) for item in value]
    if not isinstance(value, dict):
        return value
    told = {key: item if key in _GIVEN else _wider(item) for key, item in value.items()}
    return {**told, "brand_new": {"of": ["later", 1]}}


def with_fields_of_later(form: Form, session: Session) -> None:
    """Hold that fields that nobody knows change nothing, wherever they stand."""
    files = form.write(form.fit(session))
    wider = {
        name: lines(*map(_wider, map(json.loads, data.splitlines())))
        for name, data in files.items()
    }

    assert signature(results(form, files)) == signature(results(form, wider))


def _rows(data: bytes, change: Callable[[list[bytes]], list[bytes]]) -> bytes:
    return b"".join(row + b"\n" for row in change(data.splitlines()))


def with_a_record_of_later(form: Form, session: Session, place: int) -> None:
    """Hold that a record of a kind that nobody knows is told, and changes no verdict."""
    (name, data), *others = form.write(form.fit(session)).items()
    record = json.dumps(form.unknown).encode()
    at = 1 + place % len(data.splitlines())
    more: Files = {name: _rows(data, lambda rows: [*rows[:at], record, *rows[at:]])}

    before = results(form, {name: data, **dict(others)})
    after = results(form, more | dict(others))

    _same_or_untold(decisions(before), decisions(after))
    codes = [
        {diag.code for result in found for diag in result.diagnostics} for found in (before, after)
    ]
    assert codes[1] - codes[0] <= {"unknown_record", "bad_line"}
    assert codes[1] & {"unknown_record", "bad_line"}


(
    test_results_in_another_order_mean_nothing,
    test_results_in_another_order_mean_nothing_in_thousands,
) = few_and_many(in_another_order, REAL_SESSIONS, of=APART)
test_a_shorter_view_hides_nothing, test_a_shorter_view_hides_nothing_in_thousands = few_and_many(
    with_a_shorter_view, REAL_SESSIONS, PLACES
)
test_images_mean_nothing, test_images_mean_nothing_in_thousands = few_and_many(
    with_images, REAL_SESSIONS, st.booleans()
)
(
    test_a_failure_of_the_provider_means_nothing,
    test_a_failure_of_the_provider_means_nothing_in_thousands,
) = few_and_many(after_a_failure_of_the_provider, REAL_SESSIONS)
test_a_sub_agent_proves_no_more, test_a_sub_agent_proves_no_more_in_thousands = few_and_many(
    through_a_sub_agent, REAL_SESSIONS, PLACES, of=HOLDING_BACK
)
test_two_files_are_one_session, test_two_files_are_one_session_in_thousands = few_and_many(
    in_two_files, REAL_SESSIONS, PLACES, of=NUMBERED
)
test_a_cut_file_tells_no_other_end, test_a_cut_file_tells_no_other_end_in_thousands = few_and_many(
    cut_off, REAL_SESSIONS, PLACES, of=ROWS
)
(
    test_a_record_of_later_means_nothing,
    test_a_record_of_later_means_nothing_in_thousands,
) = few_and_many(with_a_record_of_later, REAL_SESSIONS, PLACES, of=ROWS)
(
    test_a_field_of_later_means_nothing,
    test_a_field_of_later_means_nothing_in_thousands,
) = few_and_many(with_fields_of_later, REAL_SESSIONS, of=ROWS)
