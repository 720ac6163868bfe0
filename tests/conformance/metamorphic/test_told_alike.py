"""The same session in another form: the same verdicts, or that the form does not tell enough."""

from __future__ import annotations

import msgspec
from forms import FORMS, Form, few_and_many, recording, results, signature
from hypothesis import strategies as st
from told import Session
from told_drawn import REAL_SESSIONS

from reasonix_conformance.replay.results import TraceResult
from reasonix_conformance.traces.sessions import Options, events_of

RULES = st.sampled_from(["contract", "classic", "facts"])
UNTOLD = "not_assessable"
# What a capture of the editor protocol shows of its host later on decides how all of it is judged.
BY_TURNS = tuple(form for form in FORMS if form.name != "acp")


def ends(found: list[TraceResult]) -> dict[int, tuple[str, str | None]]:
    """Return (decision, reason) of each end of a turn."""
    return {
        one.turn: (one.verdict.decision.value, one.verdict.reason)
        for result in found
        for one in result.verdicts
        if one.subject == "end"
    }


def told_in_two_forms(form: Form, session: Session, rules: str) -> None:
    """Hold that it means nothing what tools are called, and how an outcome is told.

    Where a form tells too little, a verdict stands in which the host agrees.
    """
    session = form.fit(session)
    expected, found = (
        ends(results(form, files, rules)) for files in (form.twin(session), form.write(session))
    )

    assert expected.keys() == found.keys()
    if form.tells_all(session):
        assert expected == found
    told = {turn: end[0] for turn, end in found.items() if end[0] not in (UNTOLD, form.host)}
    assert {turn: expected[turn][0] for turn in told} == told


def told_as_neutral_events(form: Form, session: Session) -> None:
    """Hold that a trace which is passed on is judged as where it came from."""
    options = Options(rules="contract", **dict(form.options))
    files = form.write(form.fit(session))
    with recording(files) as path:
        told = b"".join(msgspec.json.encode(event) + b"\n" for event in events_of([path], options))

    before, after = (signature(results(form, one)) for one in (files, {"trace.jsonl": told}))

    assert [(found[2], found[4]) for found in before] == [(found[2], found[4]) for found in after]


def told_up_to_a_turn(form: Form, session: Session) -> None:
    """Hold that what comes later changes no verdict on what went before."""
    session = form.fit(session)
    whole = signature(results(form, form.write(session)))[0][4]
    begun = signature(results(form, form.write(session[:1])))[0][4]

    assert begun == whole[: len(begun)]


test_two_forms_of_a_session_are_judged_alike, test_two_forms_are_judged_alike_in_thousands = (
    few_and_many(told_in_two_forms, REAL_SESSIONS, RULES)
)
test_neutral_events_are_judged_alike, test_neutral_events_are_judged_alike_in_thousands = (
    few_and_many(told_as_neutral_events, REAL_SESSIONS)
)
test_the_first_turn_is_judged_alike, test_the_first_turn_is_judged_alike_in_thousands = (
    few_and_many(told_up_to_a_turn, REAL_SESSIONS, of=BY_TURNS)
)
