"""Evidence of kind verification: a cited command has to have run, well, and late enough.

A refusal keeps the cases apart: the command never ran, it ran and failed, it ran too early, it is
no recognised check; and, where the rules ask whose exit status a call has, it ran in a form that
hides its status.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from operator import attrgetter, itemgetter

import msgspec

from reasonix_runtime.evidence import runs_against
from reasonix_runtime.evidence.citing.covering import Claims
from reasonix_runtime.evidence.commands import CommandRules, classify, matches
from reasonix_runtime.evidence.effects.after_check import changes_behind
from reasonix_runtime.evidence.latest import Doubt, Run
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.masking import shown
from reasonix_runtime.evidence.receipts import Receipt
from reasonix_runtime.evidence.session import Recalled
from reasonix_runtime.gates import found
from reasonix_runtime.gates.found_checks import masked_since
from reasonix_runtime.gates.steps.claim import Item
from reasonix_runtime.gates.steps.inquiry import Inquiry, named
from reasonix_runtime.gates.verdict import Refusal, refuse

MOST_COMPARED = 64
"""So many of the latest commands are compared with a citation to say why none of them covers it."""
WHY_LENGTH = 120
"""Most characters of what stands against a run."""
_TOOL = attrgetter("tool")


def verification_refusals(item: Item, inquiry: Inquiry) -> Iterator[Refusal]:
    """Yield what speaks against a cited command (CS-08, CS-09)."""
    cited = item.command.strip()
    if not cited:
        yield refuse(
            "verification.command_missing",
            "A verification needs `command`: the command that ran, as it ran. "
            f"{found.ran(inquiry.ledger, inquiry.history)}",
        )
        return
    evidence = _evidence_for(cited, inquiry)
    if not evidence.owned:
        yield from _not_proved(cited, evidence, inquiry)
    elif (
        evidence.run
        and not inquiry.ledger.rules.selection_outweighs
        and (failed := runs_against.failed_beside(inquiry.ledger, evidence.run))
    ):
        yield refuse(
            "verification.command_failed",
            f"`{shown(failed.command)}` failed on the same work before `{shown(cited)}` passed, "
            "which does not take all of it in. Mend what it found and run it until it passes.",
            grounds=(failed.index,),
        )
    if inquiry.closed_loop:
        yield from _not_recognised(cited, inquiry)
    if inquiry.policy.steps.stale_verification_refused:
        yield from _too_early(cited, evidence, inquiry)


class _Evidence(msgspec.Struct, frozen=True):
    """What is known of a cited command: the best run of this turn, of earlier turns, a failure."""

    run: Run | None
    recalled: Recalled | None
    failed: Run | None

    @property
    def owned(self) -> bool:
        """Whether some run has the exit status of the citation."""
        if self.run is not None and self.run.match.status_owned:
            return True
        return self.recalled is not None and self.recalled.owned


def _evidence_for(cited: str, inquiry: Inquiry) -> _Evidence:
    ledger = inquiry.ledger
    run = ledger.run_of(cited)
    if run and _is_best(run, cited, ledger):
        return _Evidence(run, None, None)
    failed = runs_against.failure_of(ledger, cited)
    latest_decides = ledger.rules.latest_run_decides
    runs = sorted(ledger.runs(cited), key=lambda run: (run.match.status_owned, run.began))
    run = runs[-1] if runs else None
    if run and failed and latest_decides and run.began < failed.began:
        run = None
    # The memory of a whole conversation holds the runs of this turn too, without their status.
    enough = run and (run.match.status_owned or inquiry.history.hears_calls)
    recalled = None if enough else inquiry.history.recall(cited)
    if recalled and failed and latest_decides:
        recalled = None
    if latest_decides and runs_against.belied_after(
        ledger, cited, run.began if run else -ledger.base - 1
    ):
        return _Evidence(None, None, failed)
    if run and not (recalled and recalled.owned):
        return _Evidence(run, None, failed)
    # A run that hides its status takes nothing from an earlier one that has it.
    return _Evidence(None, recalled, failed)


def _is_best(run: Run, cited: str, ledger: Ledger) -> bool:
    """Whether no other run has to be looked at: this one proves the citation, and is the latest.

    It is so for nearly all citations.
    """
    latest = ledger.latest
    if not run.match.status_owned or run.began < latest.latest_mutation:
        return False
    if not ledger.rules.latest_run_decides:
        return True
    return not (
        (latest.failed and runs_against.failed_after(ledger, cited, run.began))
        or (latest.belied and runs_against.belied_after(ledger, cited, run.began))
    )


def _not_proved(cited: str, evidence: _Evidence, inquiry: Inquiry) -> Iterator[Refusal]:
    """Yield why no run proves the citation: its status is unknown, it failed, it never ran."""
    if evidence.run or evidence.recalled:
        yield _masked(cited, evidence)
    elif evidence.failed:
        yield _failed(cited, evidence.failed, inquiry)
    elif (index := runs_against.inconclusive(inquiry.ledger, cited)) is not None:
        yield _inconclusive(cited, inquiry.ledger, index)
    elif (start := runs_against.unsettled(inquiry.ledger, cited)) is not None:
        yield refuse(
            "verification.exit_masked",
            f"`{shown(cited)}` was started in the background and its end was not seen. Wait for "
            "the job, then sign off; or run it in the foreground.",
            grounds=(start,),
        )
    else:
        yield _never_ran(cited, inquiry)


def _masked(cited: str, evidence: _Evidence) -> Refusal:
    run = evidence.run
    command = run.command if run else evidence.recalled.command if evidence.recalled else cited
    return refuse(
        "verification.exit_masked",
        f"`{shown(command)}` succeeded, but its exit status does not belong to "
        f"`{shown(cited)}`: what stands after or around it can hide a failure. Run the check "
        "alone, or joined by `&&`, without `|| true`, a pipe, a later `;` command or `&`.",
        grounds=(run.index,) if run else (),
    )


def _failed(cited: str, failed: Run, inquiry: Inquiry) -> Refusal:
    receipt = inquiry.ledger[failed.index]
    code = "" if receipt.exit_code is None else f" with exit status {receipt.exit_code}"
    checks = classify(failed.command, inquiry.ledger.rules.commands).verification
    absent = (
        ""
        if checks
        else " To prove that something is absent cite a command that succeeds then, such as "
        "`test ! -e PATH`."
    )
    return refuse(
        "verification.command_failed",
        f"`{shown(failed.command)}` ran and failed{code}, so it does not prove "
        f"`{shown(cited)}`. Mend what it found and run it until it passes.{absent}",
        grounds=(failed.index,),
    )


def _inconclusive(cited: str, ledger: Ledger, index: int) -> Refusal:
    receipt = ledger[index]
    if receipt.ran_nothing and classify(receipt.command, ledger.rules.commands).lenient:
        how = "passes also where it finds no test, and its output tells of none that ran"
    elif receipt.ran_nothing:
        how = "says in its output that it ran no test, or that tests failed although it ended well"
    elif receipt.outcome == "unknown":
        how = "ran, and nothing tells surely enough how it ended"
    elif receipt.exit_code is not None:
        how = f"ended with exit status {receipt.exit_code}: it was not started, or was killed"
    else:
        how = f"ended as {receipt.outcome}: it was not started, was stopped or was killed"
    wanted = "the tests of what was changed" if receipt.ran_nothing else "it to its end"
    return refuse(
        "verification.inconclusive",
        f"`{shown(cited)}` {how}; that is neither a pass nor a failure. Run {wanted}, then sign "
        "off.",
        grounds=(index,),
    )


def _never_ran(cited: str, inquiry: Inquiry) -> Refusal:
    ledger = inquiry.ledger
    if owner := _latest_covering(cited, ledger, lambda ran: bool(ledger.own_text(ran))):
        file = ledger.own_text(owner)
        return refuse(
            "verification.command_not_run",
            f"`{shown(owner)}` took in `{shown(file)}`, which this session wrote and in which any "
            f"program may be defined anew. Run `{shown(cited)}` without it.",
        )
    if away := _latest_covering(cited, ledger, lambda ran: not ledger.is_of_work(ran)):
        return refuse(
            "verification.command_not_run",
            f"`{shown(cited)}` did not run on this work: `{shown(away)}` checks another folder, "
            "where nothing was changed. Run it in the workspace, or cite it as it ran if the other "
            "folder is what you mean.",
        )
    if fell := inquiry.history.failure_of(cited):
        return refuse(
            "verification.command_not_run",
            f"No single call of this turn covers `{shown(cited)}`, and `{shown(fell)}`, of an "
            "earlier turn, failed or told of failures. Mend what it found and run it until it "
            "passes.",
        )
    known = _of_its_kind(cited, ledger)
    near = found.nearest(cited, [ran for ran in known if _proves(ran, inquiry)])
    other = _nearly(cited, ledger) or _only_a_tool(cited, ledger)
    hint = f" The nearest is `{shown(near)}`: cite that if it is what you mean." if near else ""
    return refuse(
        "verification.command_not_run",
        f"No single successful call covers `{shown(cited)}`.{other}{hint} "
        f"{found.ran(ledger, inquiry.history)} Run the command, or cite one that ran.",
    )


def _nearly(cited: str, ledger: Ledger) -> str:
    """Say of the latest run of the cited program why it is another one."""
    for ran in islice(ledger.commands(), MOST_COMPARED):
        match = matches(cited, ran, ledger.rules.commands)
        if match.near:
            return f" `{shown(ran)}` ran, which is not the same: {shown(match.why, WHY_LENGTH)}."
    return ""


def _proves(command: str, inquiry: Inquiry) -> bool:
    """Whether a sign-off that cites this command as its check is taken."""
    item = Item(kind="verification", command=command)
    owned = _evidence_for(command, inquiry).owned
    return owned and next(verification_refusals(item, inquiry), None) is None


def _only_a_tool(cited: str, ledger: Ledger) -> str:
    """Say that what the citation begins with was called as a tool, which is no command."""
    name = cited.partition(" ")[0]
    if name not in map(_TOOL, ledger.receipts):
        return ""
    return (
        f" The tool `{shown(name)}` was called, and a verification cites commands of the shell: "
        "cite one, or give another kind of evidence."
    )


def _latest_covering(cited: str, ledger: Ledger, kind: Callable[[str], bool]) -> str:
    """Return the latest run of a kind that has the words of the citation, else nothing."""
    rules = ledger.rules.commands
    runs = sorted(ledger.ran(ledger.latest.passed, cited), key=itemgetter(1), reverse=True)
    return next((ran for ran, _ in runs if kind(ran) and matches(cited, ran, rules)), "")


def _of_its_kind(cited: str, ledger: Ledger) -> Sequence[str]:
    """Return the commands that a citation may mean: if it is a check, the checks among them."""
    rules = ledger.rules.commands
    any_kind = not classify(cited, rules).verification
    latest = islice(ledger.commands(), MOST_COMPARED)
    alike = (ran for ran in latest if any_kind or classify(ran, rules).verification)
    return [*islice(alike, found.MOST_OF_TURN)][::-1]


def _not_recognised(cited: str, inquiry: Inquiry) -> Iterator[Refusal]:
    """C1: once something changed, a closed loop wants a recognised verification."""
    ledger = inquiry.ledger
    if ledger.latest_mutation < 0:
        return
    if not classify(cited, ledger.rules.commands).verification:
        yield refuse(
            "verification.not_recognized",
            f"`{shown(cited)}` ran, but it is no recognised check (a test, lint or type check "
            f"that changes nothing), and files changed in this turn. Run and cite one, for "
            f"example `{found.example(ledger)}`.",
            grounds=(ledger.latest_mutation,),
        )


def _too_early(cited: str, evidence: _Evidence, inquiry: Inquiry) -> Iterator[Refusal]:
    """Refuse a check that is older than what it should have checked (FRESH)."""
    ledger, history, run = inquiry.ledger, inquiry.history, evidence.run
    ran = run.command if run else evidence.recalled.command if evidence.recalled else ""
    if behind := _changes_behind(cited, ran, ledger.rules.commands):
        yield refuse(
            "verification.stale",
            f"`{shown(ran)}` changed something after `{shown(cited)}`: `{shown(behind)}`, so it "
            f"says nothing about what stands now. Run `{shown(cited)}` again, then sign off.",
            grounds=(run.index,) if run else (),
        )
        return
    change = _latest_change(cited, inquiry)
    if run and change >= 0 and run.began < change:
        since = masked_since(ledger, cited, change)
        yield _stale(cited, run.command, ledger[change], since, grounds=(run.index, change))
    elif run and history.changed_after(ledger.base + run.began):
        yield _stale(cited, run.command, _earlier_change(ran, inquiry), "", grounds=(run.index,))
    elif evidence.recalled and change >= 0:
        since = masked_since(ledger, cited, change)
        yield _stale(cited, ran, ledger[change], since, grounds=(change,))
    elif evidence.recalled and evidence.recalled.stale:
        since = masked_since(ledger, cited, -1)
        yield _stale(cited, ran, _earlier_change(ran, inquiry), since)


def _earlier_change(ran: str, inquiry: Inquiry) -> Receipt | None:
    """Return the latest change of earlier turns, unless the run made it: then one before counts."""
    change = inquiry.history.latest_change
    return None if change is None or change.command == ran else change


def _changes_behind(cited: str, ran: str, rules: CommandRules) -> str:
    """Return what a run changed after a recognised check; other commands may be changes."""
    if not (ran and classify(cited, rules).verification):
        return ""
    return changes_behind(cited, ran, rules)


def _latest_change(cited: str, inquiry: Inquiry) -> int:
    """Return the latest change that makes a run of the citation old.

    A recognised check, or a command that only reads, is old after any change. Any other command did
    part of the work itself. Changes that the same sign-off cites do not make it old, since they are
    the work that is reported.
    """
    ledger = inquiry.ledger
    rules = ledger.rules.commands
    known = classify(cited, rules)
    if known.verification or known.permission_readonly:
        return ledger.latest_mutation
    if inquiry.latest_uncited is None:
        inquiry.latest_uncited = _latest_uncited(ledger, inquiry.cited)
    return inquiry.latest_uncited


def _latest_uncited(ledger: Ledger, cited: Sequence[str]) -> int:
    """Return the latest change that no cited command covers, -1 for none."""
    rules, claims = ledger.rules.commands, Claims(ledger.rules.commands)
    for command in cited:
        claims.keep(command)
    for index in range(ledger.latest_mutation, -1, -1):
        receipt = ledger[index]
        command = receipt.command
        if receipt.changed and not (
            command and any(matches(one, command, rules) for one in claims.covered_by(command))
        ):
            return index
    return -1


def _stale(
    cited: str, command: str, change: Receipt | None, since: str, grounds: Sequence[int] = ()
) -> Refusal:
    if change is None:
        what = "something changed after it or beside it"
    elif change.success:
        what = f"{named(change)} changed something after it or beside it"
    else:
        what = (
            f"{named(change)} came after it or beside it and failed, and may have changed something"
        )
    return refuse(
        "verification.stale",
        f"`{shown(command)}` did not surely run after the latest change: {what}, so it says "
        f"nothing about what stands now. {since}Run `{shown(cited)}` again, then sign off.",
        grounds=grounds,
    )


def may_be_old(item: Item, inquiry: Inquiry, doubted: Doubt) -> bool:
    """Whether a call came after the run that proves an item, and nobody knows what it did (FRESH).

    It may have made the run old, so that it speaks neither for the item nor against it.
    """
    if item.kind != "verification" or not inquiry.policy.steps.stale_verification_refused:
        return False
    evidence = _evidence_for(item.command.strip(), inquiry)
    if evidence.run is not None:
        return inquiry.ledger.base + evidence.run.began < doubted.at
    return evidence.recalled is not None and evidence.recalled.age < doubted.at
