"""Lists of known failures by themselves: what one holds and covers, and what is wrong with it."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance import known_failures, known_register
from reasonix_conformance.errors import KnownFailuresError
from reasonix_conformance.findings import Finding, Outcome
from reasonix_conformance.known_failures import Entry, KnownFailures
from reasonix_conformance.known_register import Failure, Register, of_counts

ON_TRACES = "run.jsonl::turn-1/end"
PASSES = "delete the entry"


def entry(ident: str, at: str = "k.yaml:1", **more: Any) -> Entry:
    """Return an entry for every rule set."""
    return Entry(**{"id": ident, "reason": "agreed", "rules": None, "owner": None, "at": at} | more)


def loaded(text: str, folder: Path) -> tuple[Entry, ...]:
    """Return the entries of a list."""
    path = folder / "k.yaml"
    path.write_text(text, "utf-8")
    return known_failures.load(path, "k.yaml").entries


def told(findings: list[Finding]) -> list[tuple[str, str, str]]:
    """Return where, what, and what to do; a list names nothing else."""
    assert all(finding.check == known_failures.CHECK for finding in findings)
    return [(finding.at, finding.what, finding.hint) for finding in findings]


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("null\n", ()),
        ("[]\n", ()),
        ("- {id: a, reason: ' agreed '}\n", (entry("a"),)),
        ("- {id: a, reason: see a.log}\n", (entry("a", reason="see a.log"),)),
        ("- {id: 'x/a.jsonl::y', reason: agreed}\n", (entry("x/a.jsonl::y"),)),
        ("- {id: a, reason: agreed, rules: facts}\n", (entry("a", rules=("facts",)),)),
        (
            "- {id: a, reason: agreed, rules: [facts, classic], owner: ann, until: 2026-12-31}\n",
            (entry("a", rules=("facts", "classic"), owner="ann", until=date(2026, 12, 31)),),
        ),
        (
            "- {id: a, reason: agreed, rules: facts}\n- {id: a, reason: agreed, rules: classic}\n",
            (entry("a", rules=("facts",)), entry("a", at="k.yaml:2", rules=("classic",))),
        ),
        (
            "- {id: a, reason: agreed}\n- {id: b, reason: agreed}\n",
            (entry("a"), entry("b", at="k.yaml:2")),
        ),
    ],
)
def test_an_entry_is_read_as_it_is_written(
    text: str, entries: tuple[Entry, ...], tmp_path: Path
) -> None:
    """Who wrote it, why, and until when."""
    assert entries == loaded(text, tmp_path)


UNKNOWN = "unknown rule set {!r}: expected one of contract, classic, facts, ungated"


@pytest.mark.parametrize(
    ("text", "problems"),
    [
        ("a: 1\n", [f"k.yaml: {known_failures.EXPECTED}"]),
        ("- a\n", ["k.yaml:1: expected an entry with the keys id and reason, found 'a'"]),
        ("- {id: a}\n", ["k.yaml:1: reason: expected a text, found None"]),
        ("- {id: a, reason: ' '}\n", ["k.yaml:1: reason: expected a text, found ' '"]),
        ("- {id: 7, reason: b}\n", ["k.yaml:1: id: expected a text, found 7"]),
        (
            "- id: a\n  reason: b\n  rule: x\n",
            ["k.yaml:3: rule: unknown key; did you mean 'rules'?"],
        ),
        (
            "- {id: a, reason: b, zzz: x}\n",
            ["k.yaml:1: zzz: unknown key; known: id, reason, rules, owner, until"],
        ),
        ("- {id: a, reason: b, owner: 7}\n", ["k.yaml:1: owner: expected a text, found 7"]),
        (
            "- {id: a, reason: b, until: 7}\n",
            ["k.yaml:1: until: expected a date such as 2026-12-31, found 7"],
        ),
        ("- {id: a, reason: b, rules: []}\n", [f"k.yaml:1: rules: {UNKNOWN.format('[]')}"]),
        (
            "- {id: a, reason: b, rules: [facts, x]}\n",
            [f"k.yaml:1: rules: {UNKNOWN.format('x')}"],
        ),
        (
            "- {id: a.jsonl, reason: b}\n",
            [
                "k.yaml:1: id: 'a.jsonl' is no id of a transcript, and a verdict on a trace is "
                "named PATH::VERDICT; did you mean 'a.jsonl::*'?"
            ],
        ),
        (
            "- {id: reason.jsonl, reason: 7}\n- 8\n",
            [
                "k.yaml:1: id: 'reason.jsonl' is no id of a transcript, and a verdict on a trace "
                "is named PATH::VERDICT; did you mean 'reason.jsonl::*'?",
                "k.yaml:1: reason: expected a text, found 7",
                "k.yaml:2: expected an entry with the keys id and reason, found 8",
            ],
        ),
        (
            "- {id: a, reason: b}\n- {id: a, reason: c, rules: facts}\n- {id: a, reason: d}\n",
            [
                "k.yaml:2: 'a' stands twice, first at k.yaml:1",
                "k.yaml:3: 'a' stands twice, first at k.yaml:1",
            ],
        ),
        (
            "- {id: a, reason: b, rules: facts}\n- {id: a, reason: c}\n",
            ["k.yaml:2: 'a' stands twice, first at k.yaml:1"],
        ),
        (
            "- {id: a, reason: b, rules: [facts, classic]}\n"
            "- {id: a, reason: c, rules: [contract, classic]}\n",
            ["k.yaml:2: 'a' stands twice, first at k.yaml:1"],
        ),
    ],
)
def test_everything_that_is_wrong_with_a_list_is_told_with_its_line(
    text: str, problems: list[str], tmp_path: Path
) -> None:
    """A list of which a part is not understood excuses nothing."""
    with pytest.raises(KnownFailuresError) as caught:
        loaded(text, tmp_path)

    assert problems == str(caught.value).split("\n")


@pytest.mark.parametrize(
    ("ident", "rules", "name", "covered"),
    [
        ("a", None, "a", True),
        ("a", ("facts",), "a", True),
        ("a", ("classic",), "a", False),
        ("b", None, "a", False),
        ("?*", ("classic", "facts"), "a", True),
    ],
)
def test_an_entry_covers_a_name_under_its_rule_sets(
    ident: str, rules: tuple[str, ...] | None, name: str, *, covered: bool
) -> None:
    """The first entry that does gives the reason, with its owner."""
    known = KnownFailures([entry("zz"), entry(ident, rules=rules, owner="ann"), entry("a")])

    why = "k.yaml:1: agreed" + (" (ann)" if covered else "")
    assert why == known.reason(name, "facts")
    assert None is known.reason("other", "facts") or ident == "?*"


def test_an_entry_past_its_day_is_told() -> None:
    """On its last day it counts."""
    day = date(2026, 12, 31)
    known = KnownFailures([entry("a", until=day), entry("b"), entry("c", until=date(2027, 1, 1))])

    assert [] == known.past(day)
    assert [
        (
            "k.yaml:1",
            "the entry 'a' counted until 2026-12-31",
            "repair what fails, or agree on a new date",
        )
    ] == told(known.past(date(2027, 1, 1)))


def test_an_entry_about_an_item_of_the_contract_excuses_nothing() -> None:
    """What differs there is accepted by an update, or mended."""
    known = KnownFailures([entry("doc.md::look"), entry("doc.md"), entry("other.md::look")])

    assert [
        (
            "k.yaml:1",
            "'doc.md::look' is an item of the contract, and no entry excuses one",
            "mend what fails or accept what is (--reasonix-update), and delete the entry",
        )
    ] == told(known_failures.of_contract(known, "doc.md"))


OR_DELETE = "or delete the entry"


@pytest.mark.parametrize(
    ("one", "ids", "kind", "hint"),
    [
        (
            entry("cmd-1", rules=("facts", "classic")),
            ["cmd-1", "x"],
            "transcript",
            "cmd-1 exists, but not under facts, classic; correct the rules",
        ),
        (
            entry("cmd-1"),
            ["cmd-2", "x"],
            "transcript",
            f"did you mean 'cmd-2'? correct the id {OR_DELETE}",
        ),
        (
            entry("cmd-1"),
            ["zzz"],
            "transcript",
            "delete the entry; one about a trace is named PATH::VERDICT",
        ),
        (
            entry("a/run.jsonl::turn-1/end"),
            ["a/ran.jsonl::turn-1/end", "b[1]/run.jsonl::turn-1/end"],
            "verdict",
            "did you mean 'b[[]1]/run.jsonl::turn-1/end'? correct the id, write "
            f"'*run.jsonl::turn-1/end', which fits from any folder, {OR_DELETE}",
        ),
        (
            entry("*run.jsonl::turn-1/end"),
            ["ron.jsonl::turn-1/end"],
            "verdict",
            f"did you mean 'ron.jsonl::turn-1/end'? correct the id {OR_DELETE}",
        ),
        (
            entry("run.jsonl::turn-1/end"),
            [],
            "verdict",
            "paths are those that reports of this run show: correct the id, write "
            f"'*run.jsonl::turn-1/end', which fits from any folder, {OR_DELETE}",
        ),
    ],
)
def test_an_entry_that_names_nothing_is_told_what_it_may_have_meant(
    one: Entry, ids: list[str], kind: str, hint: str
) -> None:
    """Most of them are names that changed, or paths of a run from another folder."""
    assert [("k.yaml:1", f"no {kind} has the id {one.id!r}", hint)] == told(
        [known_failures.names_nothing(one, ids)]
    )


def test_an_entry_about_transcripts_has_to_name_one_under_its_rule_set() -> None:
    """Those about traces are judged where traces are."""
    known = KnownFailures([entry("a", rules=("facts",)), entry("b"), entry(ON_TRACES)])

    found = known.unmatched([("a", "classic"), ("b", "facts")])

    assert ["no transcript has the id 'a'"] == [finding.what for finding in found]


HEARD = (("t-1", "wrong"), ("t-2", None), (ON_TRACES, "wrong"), ("run.jsonl::turn-2/end", None))


@pytest.mark.parametrize(
    ("ident", "found"),
    [
        ("t-1", []),
        ("t-2", [("k.yaml:1", "t-2 passes, but is listed as a known failure", PASSES)]),
        ("t-*", [("k.yaml:1", "t-2 passes, but is listed as a known failure", PASSES)]),
        ("u", [("k.yaml:1", "no transcript has the id 'u'")]),
        (ON_TRACES, []),
        ("run.jsonl::*", []),
        (
            "run.jsonl::turn-2/*",
            [
                (
                    "k.yaml:1",
                    "run.jsonl::turn-2/end passes, but is listed as a known failure",
                    PASSES,
                )
            ],
        ),
        ("other.jsonl::x", [("k.yaml:1", "no verdict has the id 'other.jsonl::x'")]),
    ],
)
def test_a_register_says_which_entries_are_of_no_use(
    ident: str, found: list[tuple[str, ...]]
) -> None:
    """A listed transcript has to fail, and of the verdicts on traces that a pattern fits one."""
    register = Register(KnownFailures([entry(ident)]))
    known = [name for name, why in HEARD if register.hear(name, "facts", failure=why)]

    assert found == [finding[: len(found[0])] for finding in told(register.findings())]
    covers = entry(ident).covers
    assert [name for name, why in HEARD if why and covers(name, "facts")] == known
    assert [Failure(name, "facts", "wrong") for name in known] == register.listed
    assert {name for name, why in HEARD if why} - {*known} == {
        one.name for one in register.failures
    }


def test_a_register_judges_no_entry_of_what_it_did_not_hear() -> None:
    """A run of transcripts says nothing about traces."""
    known = KnownFailures([entry("u"), entry(ON_TRACES)])
    of_transcripts, of_traces = Register(known), Register(known)
    of_transcripts.hear("t", "facts", failure=None)
    of_traces.hear("other::x", "facts", failure=None)

    assert ["no transcript has the id 'u'"] == [one.what for one in of_transcripts.findings()]
    assert [f"no verdict has the id {ON_TRACES!r}"] == [one.what for one in of_traces.findings()]


def test_the_counts_of_several_files_say_which_entries_are_of_no_use() -> None:
    """An entry may fail in one of them and pass in the others."""
    known = KnownFailures(
        entry(ident, at=str(at))
        for at, ident in enumerate(("r::fails", "r::passes", "r::none", "t", "r::*"))
    )
    counts = []
    for number in range(2):
        register = Register(known)
        register.hear("r::fails", "facts", failure=None if number else "wrong")
        for _ in range(5):
            register.hear("r::passes", "facts", failure=None)
        counts.append(register.counts())

    assert {"0": [1, 0, 0], "1": [0, 3, 0], "4": [1, 3, 0]} == counts[0]
    assert {"0": [0, 1, 0], "1": [0, 3, 0], "4": [0, 3, 0]} == counts[1]
    assert [
        ("1", "r::passes passes, but is listed as a known failure"),
        ("2", "no verdict has the id 'r::none'"),
    ] == [one[:2] for one in told(known_register.of_counts(known, counts))]


def test_a_written_list_holds_what_is_kept_and_each_failure_once(tmp_path: Path) -> None:
    """An entry by which something failed is kept, and one that nobody found to be useless."""
    day = date(2026, 12, 31)
    known = KnownFailures(
        [
            entry("fails", at="1", rules=("facts",), owner="ann", until=day),
            entry("useless", at="2"),
            entry("other", at="3", rules=("facts", "classic")),
            entry("any", at="4"),
        ]
    )
    register = Register(known)
    register.hear("fails", "facts", failure="wrong")
    for rules in ("facts", "classic", "facts"):
        register.hear("neu[1]ö", rules, failure=f"wrong under {rules}")
    path = tmp_path / "k.yaml"

    known_register.write(path, register.failures, register.kept({"1", "2"}))

    assert path.read_text("utf-8") == (
        "- id: fails\n  rules: facts\n  reason: agreed\n  owner: ann\n  until: '2026-12-31'\n"
        "- id: other\n  rules:\n  - facts\n  - classic\n  reason: agreed\n"
        "- id: any\n  reason: agreed\n"
        "- id: neu[[]1]ö\n  rules: classic\n  reason: wrong under classic\n"
        "- id: neu[[]1]ö\n  rules: facts\n  reason: wrong under facts\n"
    )


@pytest.mark.parametrize(("ident", "is_told"), [("r::open", True), ("r::*", True), ("s::*", False)])
def test_what_could_not_be_judged_does_not_pass_and_keeps_its_entry(
    ident: str, is_told: bool
) -> None:
    """Its user was told that it passes, and to delete what was agreed of it."""
    known = KnownFailures([entry(ident)])
    register = Register(known)
    register.hear("r::passes", "facts", failure=None)
    register.hear("r::open", "facts", failure=None, is_judged=False)
    register.hear("s::open", "facts", failure=None, is_judged=False)
    register.hear("s::fails", "facts", failure="wrong")

    told = f"{'r::open' if is_told else ident} could not be assessed, so nobody knows whether it "
    found = [(one.what, one.outcome) for one in register.findings()]
    assert [(f"{told}still fails as listed", Outcome.UNKNOWN)] * is_told == found
    kept = register.kept({one.at for one in register.findings()})
    assert known.entries == kept.entries
    of_files = [one.outcome for one in of_counts(known, [register.counts()])]
    assert [Outcome.UNKNOWN] * is_told == of_files
