"""What is remembered of earlier turns (EL-19, CS-09; SCOPE under the contract)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.ledger_rules import CLASSIC_LEDGER, CONTRACT_LEDGER
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.evidence.session import AnsweredRuns, Conversation, call_text, history_of
from reasonix_runtime.trace.events import Outcome


def told(
    *calls: tuple[str, dict[str, Any], Outcome | None], open_message: bool = False
) -> Conversation:
    """Fill a conversation; each call is (tool, args, outcome), None for no answer."""
    history = Conversation(CLASSIC_LEDGER)
    for number, (tool, args, outcome) in enumerate(calls):
        history.called(str(number), tool, args)
        if outcome is not None:
            history.answered(str(number), outcome)
    if not open_message:
        history.message_ended()
    return history


def run(command: str, outcome: Outcome = "ok") -> tuple[str, dict[str, Any], Outcome]:
    return ("bash", {"command": command}, outcome)


def turns(*turn_calls: list[tuple[str, dict[str, Any], Outcome]]) -> AnsweredRuns:
    """Let the contract's memory take in the ledgers of several turns."""
    history = AnsweredRuns(CONTRACT_LEDGER)
    ledger = Ledger(CONTRACT_LEDGER)
    for calls in turn_calls:
        for tool, args, outcome in calls:
            ledger.record(receipt_of(tool, args, rules=CONTRACT_LEDGER, outcome=outcome))
        history.turn_ended(ledger)
        ledger.clear()
    return history


def test_each_rule_set_has_its_memory() -> None:
    """`answered_only` chooses."""
    assert isinstance(history_of(CLASSIC_LEDGER), Conversation)
    assert isinstance(history_of(CONTRACT_LEDGER), AnsweredRuns)


@pytest.mark.parametrize(
    ("outcome", "found"),
    [
        ("ok", True),
        ("cancelled", True),
        (None, True),
        ("error", False),
        ("blocked", False),
        ("not_run", False),
    ],
)
def test_a_conversation_counts_what_does_not_say_that_it_failed(
    outcome: str | None, found: bool
) -> None:
    """T1: the reference looks at the beginning of the result text only."""
    assert found is (told(run("make unit", outcome)).recall("make unit") is not None)


def test_a_running_message_counts_whatever_its_calls_did() -> None:
    """T3: its results are not in the transcript yet."""
    assert told(run("make unit", "error"), open_message=True).recall("make unit")


@pytest.mark.parametrize(
    ("cited", "found"),
    [
        ("go test ./...", False),
        ("go test ./", False),
        ("make unit…", True),
        ("make unit...", True),
        ("...", False),
        ("  ", False),
    ],
)
def test_trailing_dots_are_dropped_before_the_conversation_is_asked(
    cited: str, found: bool
) -> None:
    """S1: a recursive package pattern is never found there."""
    history = told(run("go test ./..."), run("make unit"))

    assert found is (history.recall(cited) is not None)


def test_a_tools_name_proves_itself_in_a_conversation() -> None:
    """S4, whatever follows the name; never for the shell."""
    history = told(("grep", {"pattern": "x"}, "ok"), run("ls"))

    assert history.recall("grep -r foo .")
    assert not history.recall("bash -lc true")


def test_a_conversation_knows_readers_by_name_only() -> None:
    """T2: the registry flag is not known there."""
    history = told(
        ("read_file", {"path": "a"}, "ok"),
        ("glob", {"path": "b"}, "ok"),
        ("edit_file", {"path": "c"}, "ok"),
        ("edit_file", {"path": "d"}, "error"),
    )

    assert [True, False, True, False] == [history.touched(path) for path in "abcd"]
    assert [False, False, True, False] == [history.wrote(path) for path in "abcd"]


def test_a_conversation_stays_small_however_often_a_call_is_repeated() -> None:
    """Memory grows with distinct calls, not with calls."""
    history = told(*[run("make unit")] * 1000)

    assert ["make unit"] == list(history.recent())


@pytest.mark.parametrize(
    ("tool", "args", "text"),
    [
        ("bash", {"command": "ls"}, "ls"),
        ("bash", {"command": 7}, ""),
        ("grep", {"pattern": "x"}, "grep"),
        ("read_file", {"path": "a"}, "read_file a"),
        ("read_file", "a", "read_file"),
    ],
)
def test_a_call_has_a_text_to_be_cited_by(tool: str, args: Any, text: str) -> None:
    """CS-09."""
    assert text == call_text(tool, args)


def test_answered_runs_hold_only_what_ended_well() -> None:
    """SCOPE-2: attempts are no proof."""
    history = turns([run("make a"), run("make b", "error"), run("make c", "cancelled")])

    assert [True, False, False] == [history.recall(f"make {name}") is not None for name in "abc"]


def test_a_failure_takes_an_earlier_success_back() -> None:
    """The latest run decides, over turns as well."""
    history = turns([run("make a")], [run("make a", "error")])

    assert history.recall("make a") is None


@pytest.mark.parametrize(
    ("later", "proves"),
    [
        ("CI=1 pytest -q", False),
        ("cd app && pytest -q", False),
        ("pytest -q -v", False),
        ("pytest -q -k slow", True),
        ("make lint", True),
    ],
)
def test_a_failure_of_the_same_check_in_other_words_takes_a_success_back(
    later: str, *, proves: bool
) -> None:
    """The latest run of what is cited decides, however it was written down."""
    history = turns([run("pytest -q")], [run(later, "error")])

    assert proves is (history.recall("pytest -q") is not None)


def test_what_a_background_command_changed_itself_does_not_make_it_old() -> None:
    """It is known by its start, and whatever it changes it changes after that."""
    history, ledger = AnsweredRuns(CONTRACT_LEDGER), Ledger(CONTRACT_LEDGER)
    started, ended = (
        receipt_of("bash", {"command": "python gen.py"}, rules=CONTRACT_LEDGER) for _ in range(2)
    )
    for receipt in (replace(started, settled=False), replace(ended, began=0)):
        ledger.record(receipt)
    history.turn_ended(ledger)
    recalled = history.recall("python gen.py")
    assert recalled is not None
    assert not recalled.stale

    ledger.clear()
    ledger.record(receipt_of("edit_file", {"path": "a.py"}, rules=CONTRACT_LEDGER))
    history.turn_ended(ledger)
    recalled = history.recall("python gen.py")
    assert recalled is not None
    assert recalled.stale


def test_a_later_change_makes_an_earlier_run_stale() -> None:
    """FRESH: ages are counted over the session."""
    edit: tuple[str, dict[str, Any], Outcome] = ("edit_file", {"path": "x"}, "ok")
    stale = turns([run("make test")], [edit]).recall("make test")
    fresh = turns([edit], [run("make test")]).recall("make test")

    assert stale is not None
    assert stale.stale
    assert fresh is not None
    assert not fresh.stale


@pytest.mark.parametrize(
    ("later", "proof"),
    [
        ("cat a.py", "pytest -q"),  # the citation itself, not the later run that covers it too
        ("sed -i s/a/b/ a.py && pytest -v -q", "pytest -v -q"),  # the citation itself is old
    ],
)
def test_a_run_of_the_citation_itself_is_told_before_others_while_it_is_fresh(
    later: str, proof: str
) -> None:
    """A long session has thousands of commands: comparing them all was most of a sign-off."""
    changed, _, again = later.rpartition(" && ")
    commands = ["pytest -q", *filter(None, [changed]), "pytest -v -q", again]
    history = turns([run(command) for command in commands])

    recalled = history.recall("pytest -q")

    assert recalled is not None
    assert (proof, False) == (recalled.command, recalled.stale)
