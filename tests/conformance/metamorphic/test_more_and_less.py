"""Less evidence, or more that is none, never makes a refusal an acceptance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from forms import FORMS, Form, few_and_many, gained
from hypothesis import assume
from hypothesis import strategies as st
from told import Call, Response, Session, changed, each_call, in_order
from told_drawn import CALLS, PATHS, PROOFS, REAL_SESSIONS

PLACES = st.integers(0, 11)
MORE = st.one_of(PROOFS, PROOFS, CALLS)
ENDS = st.sampled_from(["", "denied", "stopped", "never"])
APART = tuple(form for form in FORMS if form.apart)


def _any(call: Call) -> bool:
    return True


def _one(session: Session, place: int, fits: Callable[[Call], bool] = _any) -> int:
    """Return the number of one of the calls that fit; a session without one is no example."""
    numbers = [number for number, call in enumerate(each_call(session)) if fits(call)]
    assume(numbers)
    return numbers[place % len(numbers)]


def _is_one_of_many(session: Session, call: Call) -> bool:
    """Whether a sign-off may be what another one of its response is refused for."""
    signs = [one for one in each_call(session) if one.kind == "sign"]
    return call.kind == "sign" and len(signs) > 1


def _proofs_of(session: Session) -> Callable[[Call], bool]:
    """Tell of a call of a session whether it proves something and changes nothing."""
    return lambda call: _is_done(call) and not call.changes and not _is_one_of_many(session, call)


def _is_done(call: Call) -> bool:
    """Whether a call did what it should at once; a list, and what a sub-agent left, may be owed."""
    return call.ok and not call.ended and call.kind not in ("list", "task")


def _unlisted(session: Session) -> Session:
    """Return a session without task lists: an open one holds only a turn that made progress."""
    return changed(session, lambda _, call: () if call.kind == "list" else (call,))


def _with(session: Session, number: int, *calls: Call) -> Session:
    """Return a session with another call, or none, in the place of one."""
    return changed(session, lambda at, call: calls if at == number else (call,))


def without_a_result(form: Form, session: Session, place: int) -> None:
    """Hold that of a call without a result nobody knows what it did, or showed.

    Of a change that holds for the end of the turn: a sign-off is judged by what is known. And a
    host keeps a change from running behind one of its response that failed.
    """
    session = _unlisted(session)
    all_changed = all(call.ok for call in each_call(session) if call.changes)

    def proves(call: Call) -> bool:
        told = call.ok and not call.ended and not _is_one_of_many(session, call)
        return told and (all_changed or not call.changes)

    number = _one(session, place, proves)
    call = each_call(session)[number]

    found = gained(form, session, _with(session, number, replace(call, answered=False)))

    assert [] == [key for key in found if key[0] == "end" or not call.changes]


def without_a_call(form: Form, session: Session, place: int) -> None:
    """Hold that what a look, a check or a sign-off proved is gone with it."""
    session = _unlisted(session)
    number = _one(session, place, _proofs_of(session))

    assert [] == gained(form, session, _with(session, number))


def with_a_failure(form: Form, session: Session, place: int) -> None:
    """Hold that a look or a check that failed is none."""
    session = _unlisted(session)
    number = _one(session, place, _proofs_of(session))
    call = each_call(session)[number]

    assert [] == gained(form, session, _with(session, number, replace(call, ok=False)))


def with_another_call(form: Form, session: Session, place: int, more: Call, ended: str) -> None:
    """Hold that one that came to nothing is an attempt, wherever it stands.

    It failed, was refused, was stopped, or was never answered. A sign-off in a capture of the
    editor protocol shows whose host it is, and so whose word on the end counts.
    """
    assume(form.failures or more.kind == "run")
    assume(form.name != "acp" or more.kind != "sign")
    number = _one(session, place)
    call = each_call(session)[number]
    answered, ended = ended != "never", ended.replace("never", "")
    more = replace(more, ident="toolu_901", ok=False, answered=answered, ended=ended)

    assert [] == gained(form, session, _with(session, number, call, more))


def with_a_later_change(form: Form, session: Session, path: str, beside: bool) -> None:
    """Hold that whatever was looked at and checked is older than it."""
    *before, last = session
    change = Call("edit", path, ident="toolu_901")
    told = list(last.responses)
    if beside and told:
        told[-1] = replace(told[-1], calls=(*told[-1].calls, change))
    else:
        told.append(Response((change,)))

    assert [] == gained(form, session, (*before, replace(last, responses=tuple(told))))


def with_a_stray_result(form: Form, session: Session, place: int, stray: Call) -> None:
    """Hold that a result without its call is never evidence, however good it is."""
    number = _one(session, place)
    call = each_call(session)[number]
    stray = replace(stray, ident="toolu_901", ok=True, made=False)

    assert [] == gained(form, session, _with(session, number, call, stray))


def with_a_second_result(form: Form, session: Session, place: int) -> None:
    """Hold that the first result counts; the second says the opposite."""
    number = _one(session, place)
    call = each_call(session)[number]

    assert [] == gained(form, session, _with(session, number, replace(call, twice=True)))


def with_an_id_twice(form: Form, session: Session, place: int, other: int) -> None:
    """Hold that each result belongs to one call, though ids repeat in real recordings.

    Of two calls of one response that have the same id, the first result is that of the first.
    """
    session = in_order(session)
    one, two = _one(session, place), _one(session, other)
    ident = each_call(session)[one].ident

    assert [] == gained(
        form, session, _with(session, two, replace(each_call(session)[two], ident=ident))
    )


test_a_missing_result_proves_nothing, test_a_missing_result_proves_nothing_in_thousands = (
    few_and_many(without_a_result, REAL_SESSIONS, PLACES)
)
test_a_missing_call_proves_nothing, test_a_missing_call_proves_nothing_in_thousands = few_and_many(
    without_a_call, REAL_SESSIONS, PLACES
)
test_a_failure_proves_nothing, test_a_failure_proves_nothing_in_thousands = few_and_many(
    with_a_failure, REAL_SESSIONS, PLACES
)
test_an_attempt_proves_nothing, test_an_attempt_proves_nothing_in_thousands = few_and_many(
    with_another_call, REAL_SESSIONS, PLACES, MORE, ENDS
)
(
    test_a_later_change_is_checked_by_nothing,
    test_a_later_change_is_checked_by_nothing_in_thousands,
) = few_and_many(with_a_later_change, REAL_SESSIONS, st.sampled_from(PATHS), st.booleans())
test_a_stray_result_proves_nothing, test_a_stray_result_proves_nothing_in_thousands = few_and_many(
    with_a_stray_result, REAL_SESSIONS, PLACES, MORE, of=APART
)
test_a_second_result_proves_nothing, test_a_second_result_proves_nothing_in_thousands = (
    few_and_many(with_a_second_result, REAL_SESSIONS, PLACES, of=APART)
)
test_an_id_twice_proves_nothing, test_an_id_twice_proves_nothing_in_thousands = few_and_many(
    with_an_id_twice, REAL_SESSIONS, PLACES, PLACES, of=APART
)
