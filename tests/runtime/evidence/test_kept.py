"""What is kept of long texts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reasonix_runtime.evidence.arguments import MOST_PATHS
from reasonix_runtime.evidence.claims import cited_verifications
from reasonix_runtime.evidence.kept import (
    LONGEST_MARK,
    LONGEST_WHOLE,
    brief,
    mark,
    packed,
    unpacked,
    whole,
)
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.receipts import (
    LongClaim,
    LongReceipt,
    Receipt,
    long_claim,
    receipt_of,
    reported_paths,
)
from reasonix_runtime.evidence.session import history_of
from reasonix_runtime.gates.policy import rule_set

TEXTS = st.builds(lambda text, times: text * times, st.text(min_size=1), st.integers(0, 6000))
BODY = "x = 1  # a line\n" * 4096
RULES = rule_set("contract").ledger
DOCUMENT = f"cat > a.py <<'EOF'\n{BODY}EOF\npytest -q"


@given(TEXTS, TEXTS)
def test_a_text_comes_back_whole_and_equals_itself_alone(one: str, other: str) -> None:
    """A half of a surrogate pair, too: agents send any JSON text."""
    halved = f"{one}\ud800"

    assert [one, other, halved] == list(unpacked([packed(one), packed(other), packed(halved)]))
    assert (one == other) == (packed(one) == packed(other))
    assert isinstance(packed(one), str) == (len(one) <= LONGEST_WHOLE)


@pytest.mark.parametrize("value", [BODY, [BODY], {"a": [BODY, None]}, "\ud800" * 9999])
def test_a_mark_is_short_and_tells_values_apart(value: Any) -> None:
    """The mark of a file of any length is a digest."""
    assert len(mark(value)) <= LONGEST_MARK
    assert mark(value) == mark(value)
    assert mark(value) != mark([value])


def test_brief_arguments_hold_the_paths_and_no_content() -> None:
    """What a file is written with is only told apart."""
    args = {"path": "a.py", "content": BODY, "mode": 420, "edits": [{"new": BODY}], "paths": ["b"]}

    kept = brief(args)

    assert ("a.py", 420, ["b"]) == (kept["path"], kept["mode"], kept["paths"])
    assert len(str(kept)) < 300
    assert kept == brief(dict(args))
    assert kept != brief({**args, "content": f"{BODY}x"})
    assert args == {**args, "content": BODY}


def test_of_more_paths_than_are_told_apart_a_digest_is_kept() -> None:
    """A call that names ten thousand files took half a megabyte for as long as its turn did."""
    many = [f"src/{number}.py" for number in range(MOST_PATHS + 1)]

    kept = brief({"paths": many, "path": "a.py"})

    assert ("a.py", MOST_PATHS) == (kept["path"], len(brief({"paths": many[1:]})["paths"]))
    assert len(str(kept)) < 300
    assert kept != brief({"paths": many[::-1], "path": "a.py"})


@pytest.mark.parametrize("rules", ["contract", "classic"])
def test_a_long_command_is_kept_packed_and_asked_for_as_it_was(rules: str) -> None:
    """Six hundred here-documents of 64 KB took 40 MB for as long as their session went on."""
    ledger_rules = rule_set(rules).ledger
    receipt = receipt_of("bash", {"command": DOCUMENT}, rules=ledger_rules, output="1 passed")
    short = receipt_of("bash", {"command": "pytest -q"}, rules=ledger_rules, output="1 passed")
    ledger = Ledger(ledger_rules)
    ledger.record(receipt)
    ledger.record(short)

    assert receipt.command == DOCUMENT
    assert [type(short), "pytest -q"] == [Receipt, short.command]
    assert isinstance(receipt, LongReceipt)
    assert len(receipt.kept_command) < len(DOCUMENT) / 50
    assert BODY not in str(receipt.args)
    assert ["pytest -q", DOCUMENT] == list(ledger.commands())
    assert all(len(kept) < 2000 for kept in ledger.latest.passed)
    assert ledger.run_of(DOCUMENT) is not None
    assert ledger.command_ran(DOCUMENT)


@pytest.mark.parametrize("rules", ["contract", "classic"])
def test_a_session_keeps_a_long_command_packed(rules: str) -> None:
    """What earlier turns ran may be cited as long as the session lasts."""
    ledger_rules = rule_set(rules).ledger
    history, ledger = history_of(ledger_rules), Ledger(ledger_rules)
    history.called("main#1", "bash", {"command": DOCUMENT})
    history.message_ended()
    ledger.record(receipt_of("bash", {"command": DOCUMENT}, rules=ledger_rules, output="1 passed"))
    history.turn_ended(ledger)
    ledger.clear()

    assert [DOCUMENT] == list(history.recent())
    assert BODY not in repr(vars(history))
    found = history.recall(DOCUMENT)
    assert found is not None
    assert DOCUMENT == whole(found.command)


STEP = "Write the reader " * 600
CLAIMS = {
    "complete_step": {
        "step": STEP,
        "result": BODY,
        "evidence": [{"kind": "verification", "summary": BODY, "command": DOCUMENT}],
    },
    "todo_write": {"todos": [{"content": STEP, "status": "in_progress"}, {"content": "b"}]},
    "review_report": {
        "kind": "review",
        "verdict": "pass",
        "reviewed_paths": [f"src/{n}.py" for n in range(900)],
        "findings": [{"summary": BODY, "kind": "info"}],
    },
    "update_goal": {"status": "complete", "summary": BODY, "completion": {"verified": [DOCUMENT]}},
}


@pytest.mark.parametrize("tool", sorted(CLAIMS))
def test_a_long_claim_is_kept_packed_and_says_what_it_said(tool: str) -> None:
    """Six hundred sign-offs of 64 KB took 120 MB for as long as their turn went on."""
    args = CLAIMS[tool]
    receipt = receipt_of(tool, args, rules=RULES)

    kept = long_claim(receipt)

    assert isinstance(kept, LongClaim)
    assert len(kept.kept_args) < 5000
    assert (receipt.step, receipt.todos) == (kept.step, kept.todos)
    assert reported_paths(receipt) == reported_paths(kept)
    assert list(cited_verifications(args)) == list(cited_verifications(kept.args))
    same = ("tool", "success", "paths", "step_proof", "read", "mutation", "outcome")
    assert [getattr(receipt, name) for name in same] == [getattr(kept, name) for name in same]


def test_of_long_prose_the_beginning_is_kept_and_what_tells_it_apart() -> None:
    """Whether there is any is asked, never what it says."""
    claims: list[Any] = [
        {"step": "a", "result": BODY + end, "evidence": [{"summary": BODY}], "note": "\ud800"}
        for end in "xxy"
    ]
    kept = [long_claim(receipt_of("complete_step", c, rules=RULES)).args for c in claims]

    assert [True, False] == [kept[0] == kept[1], kept[0] == kept[2]]
    assert all(len(str(one)) < 1000 and one["result"].startswith(BODY[:200]) for one in kept)
    assert ["a", "\ud800"] == [kept[0]["step"], kept[0]["note"]]
    assert BODY == claims[0]["evidence"][0]["summary"]
