"""`docs/transcripts.md` tells every key of the format, and its example holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from places import DOCS

from reasonix_conformance.findings import Outcome
from reasonix_conformance.settings import Settings
from reasonix_conformance.suite.transcript_cases import judge
from reasonix_runtime.gates.delegation.world import DelegationWorld
from reasonix_runtime.gates.proxy.world import Server, World
from reasonix_runtime.gates.surfaces import SurfaceSetup
from reasonix_runtime.trace import transcript_keys
from reasonix_runtime.trace.transcript import loads, schema

PAGE = (DOCS / "transcripts.md").read_text(encoding="utf-8")

SETTINGS = Settings(root=DOCS, subject_base=DOCS, document=DOCS / "TOOL_CONTRACT.md")

PARTS: Mapping[str, Any] = schema()["$defs"]
TABLES = {
    "A transcript": PARTS["transcript"],
    "A turn": PARTS["turn"],
    "A call": PARTS["call"],
    "A host event": PARTS["host_event"],
    "The end of a turn": PARTS["turn"]["properties"]["end"],
    "Expectations": PARTS["expect"],
    "Setup": PARTS["setup"],
    "An item of the task list": PARTS["task"],
}
EXAMPLE = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]


def section(heading: str) -> str:
    """Return what stands under a heading, up to the next one."""
    behind = re.split(rf"^##+ {re.escape(heading)}\n", PAGE, flags=re.MULTILINE)[1]
    return re.split(r"^##", behind, flags=re.MULTILINE)[0]


def rows(heading: str, titles: str) -> list[tuple[str, str, str]]:
    """Return the rows of the table with these titles under a heading."""
    table = section(heading).partition(f"| {titles} |\n")[2].partition("\n\n")[0]
    return re.findall(r"^\| `(\w+)` \| (.+?) \| (.+) \|$", table, re.MULTILINE)


@pytest.mark.parametrize("heading", TABLES)
def test_a_table_lists_the_keys_of_the_schema_and_no_other(heading: str) -> None:
    """In the order of the schema, with what is required, and every name of a choice."""
    part = TABLES[heading]
    listed = rows(heading, "key | value | meaning")

    assert list(part["properties"]) == [key for key, _, _ in listed]
    assert part.get("required", []) == [key for key, value, _ in listed if "required" in value]
    for key, value, meaning in listed:
        told = part["properties"][key]
        names = told.get("enum") or told.get("items", {}).get("enum") or []
        if key not in ("host", "outcome"):  # both have a table of their own
            assert [] == [name for name in names if f"`{name}`" not in value + meaning]


def test_every_host_event_is_listed_with_its_keys() -> None:
    """The keys are those that the loader lets pass."""
    facts = section("`setup.goal`").partition("Facts around")[2].partition("Inside")[0]
    listed = rows("A host event", "`host` | keys | meaning")

    assert PARTS["host_event"]["properties"]["host"]["enum"] == [name for name, _, _ in listed]
    for name, keys, _ in listed:
        told = facts if keys == "[facts](#setupgoal)" else keys
        known = transcript_keys.EVENTS.get(name)
        assert (keys == "open") == (known is None)
        assert set(re.findall(r"`(\w+)`", told)) == (known or set())


def test_the_keys_that_only_the_loader_knows_are_listed() -> None:
    goal = set(re.findall(r"`(\w+)`", section("`setup.goal`")))
    inner = transcript_keys.READINESS | transcript_keys.EVALUATOR | transcript_keys.GAP
    setup = {key: meaning for key, _, meaning in rows("Setup", "key | value | meaning")}

    assert transcript_keys.GOAL | transcript_keys.CARRIED | inner == goal
    for key, known in (
        ("constraints", transcript_keys.CONSTRAINTS),
        ("capabilities", transcript_keys.ROUTE),
    ):
        assert known == set(re.findall(r"`(\w+)`", setup[key]))


@pytest.mark.parametrize(
    ("head", "record", "more"),
    [
        ("key | value | meaning", World, {"ledger"}),
        ("key of a server | value | meaning", Server, set()),
        ("key for surfaces | value | meaning", SurfaceSetup, set()),
        ("key for delegation | value | meaning", DelegationWorld, set()),
    ],
)
def test_the_keys_of_the_world_are_listed(
    head: str, record: type[msgspec.Struct], more: set[str]
) -> None:
    """What is read and not told cannot be written; what is told and not read means nothing."""
    listed = {key for key, _, _ in rows("`setup.host`", head)}

    assert listed == set(record.__struct_fields__) | more


def test_the_example_holds_under_every_rule_set_that_it_names() -> None:
    transcripts = loads(EXAMPLE, "greeting.yaml")
    results = {
        f"{one.id}[{rules}]": judge(one, rules, SETTINGS)
        for one in transcripts
        for rules in one.rules
    }

    assert {
        "greeting-checked[contract]": ("turn-1/4-complete_step", "turn-1/end"),
        "greeting-not-checked[contract]": ("turn-1/0-complete_step",),
        "greeting-not-checked[classic]": ("turn-1/0-complete_step",),
    } == {name: result.passed for name, result in results.items() if not result.findings}


def test_the_example_fails_where_it_expects_something_else() -> None:
    """A page whose example could not fail would show nothing."""
    wrong = EXAMPLE.replace("verification.command_not_run", "verification.command_failed")
    found = judge(loads(wrong, "greeting.yaml")[1], "contract", SETTINGS).findings

    assert [Outcome.FAILED] == [one.outcome for one in found]
