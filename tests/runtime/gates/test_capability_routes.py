"""Capability routes: which call settles which, and what stays open."""

from __future__ import annotations

from typing import Any

import pytest

from reasonix_runtime.gates.capability import (
    Route,
    RouteOutcome,
    RoutePolicy,
    capability_of,
    judge_answer,
    note,
    open_routes,
    outcome_of,
    plain_id,
    routes_of,
)


@pytest.mark.parametrize(
    ("tool", "args", "expected"),
    [
        ("run_skill", {"name": "deploy"}, "skill:deploy"),
        ("read_skill", {"name": "deploy"}, "skill:deploy"),
        ("run_skill", {}, None),
        ("security_review", {}, "skill:security-review"),
        ("review", {"name": "mine"}, "skill:mine"),
        ("explore", {}, "skill:explore"),
        ("use_capability", {"capability_id": "mcp-tool:a/b"}, "mcp-tool:a/b"),
        ("use_capability", {"action": "list"}, None),
        ("mcp__github__list_issues", {}, "mcp-tool:github/list_issues"),
        ("mcp__github", {}, None),
        ("read_file", {"path": "a"}, None),
        ("run_skill", None, None),
    ],
)
def test_a_call_settles_the_capability_that_it_names(
    tool: str, args: Any, expected: str | None
) -> None:
    """Ordinary reads stand for no capability."""
    assert expected == capability_of(tool, args)


@pytest.mark.parametrize(
    ("args", "succeeded", "expected"),
    [
        ({"action": "call"}, True, RouteOutcome.SUCCEEDED),
        ({"action": "call"}, False, RouteOutcome.FAILED),
        ({"action": " CALL "}, True, RouteOutcome.SUCCEEDED),
        ({"action": "Decline", "reason": "no"}, True, RouteOutcome.DECLINED),
        ({"action": "list"}, True, None),
        ({"action": "call", "capability_id": "session:tool_result"}, True, None),
        ("call", True, None),
        ({"action": "inspect"}, True, None),
        ({"action": "decline", "reason": "no"}, True, RouteOutcome.DECLINED),
        ({"action": "decline", "reason": " "}, True, None),
        ({"action": "decline", "reason": "no"}, False, None),
    ],
)
def test_the_proxy_settles_by_its_action(
    args: Any, expected: RouteOutcome | None, *, succeeded: bool
) -> None:
    """Looking at a capability is not using it, and neither is reading a result on."""
    assert expected is outcome_of("use_capability", args, succeeded=succeeded, told="error: no")


@pytest.mark.parametrize(
    ("tool", "action", "succeeded", "expected"),
    [
        ("use_capability", "call", False, RouteOutcome.UNAVAILABLE),
        ("use_capability", "call", True, RouteOutcome.SUCCEEDED),
        ("use_capability", "inspect", False, None),
        ("mcp__gh__list", "call", False, RouteOutcome.FAILED),
    ],
)
def test_a_proxy_that_leads_nowhere_says_that_the_capability_is_not_there(
    tool: str, action: str, expected: RouteOutcome | None, *, succeeded: bool
) -> None:
    """Its host has looked; a tool that merely writes such a sentence has failed, and no more."""
    told = "capability unavailable: the server gh is switched off"

    assert expected is outcome_of(tool, {"action": action}, succeeded=succeeded, told=told)


@pytest.mark.parametrize("settled", ["succeeded", "unavailable", "declined"])
@pytest.mark.parametrize("later", list(RouteOutcome))
def test_a_settled_route_yields_only_to_a_final_outcome(settled: str, later: RouteOutcome) -> None:
    """A failure after a success does not undo it; a success after a decline counts."""
    route = Route(id="skill:x", policy=RoutePolicy.REQUIRE, outcome=RouteOutcome(settled))
    final = later in (RouteOutcome.SUCCEEDED, RouteOutcome.UNAVAILABLE)

    assert (later if final else route.outcome) is route.after(later).outcome


def test_a_requirement_is_told_before_a_preference() -> None:
    """Only the first problem is told (K1 to K3)."""
    routes = (
        Route(id="skill:a", policy=RoutePolicy.PREFER),
        Route(id="skill:b", policy=RoutePolicy.REQUIRE, outcome=RouteOutcome.DECLINED),
    )

    found = list(open_routes(routes, changed=False, reminded=False))

    assert ["capability.required_missing"] == [item.reason for item in found]
    assert {"missing": ["skill:b"], "unavailable": []} == found[0].facts["state_after"]


def test_what_is_unavailable_is_told_before_an_unused_preference() -> None:
    """A reading turn ends with the blocker as its report; with a change that is what holds it."""
    routes = (
        Route(id="a", policy=RoutePolicy.REQUIRE, outcome=RouteOutcome.UNAVAILABLE),
        Route(id="b", policy=RoutePolicy.PREFER),
    )

    found = [
        [item.reason for item in open_routes(routes, changed=changed, reminded=False)]
        for changed in (False, True)
    ]

    assert [[], ["capability.required_unavailable"]] == found


def test_a_requirement_that_is_not_there_is_named_with_what_to_do() -> None:
    """It cannot be declined, so only the user of the host can lift it."""
    route = Route(id="skill:a", policy=RoutePolicy.REQUIRE, outcome=RouteOutcome.UNAVAILABLE)

    (found,) = open_routes((route,), changed=True, reminded=False)

    assert (
        "`skill:a` is required but unavailable, and the turn changed something without it: make it "
        "available and use it in this turn"
    ) == found.message


def test_a_name_with_a_hash_settles_the_id_that_it_was_made_of() -> None:
    """A direct call carries no id, and the characters that the name lacks are in none."""
    routes = (Route(id="skill:x"), Route(id="mcp-tool:git hub/search.issues"))
    tool = "mcp__git_hub_a4bc41__search_issues_646efa"

    assert "mcp-tool:git hub/search.issues" == capability_of(tool, {}, routes)


def test_a_capability_without_a_route_is_noted_as_a_suggestion() -> None:
    """The ledger keeps everything that was called, and nothing is owed for it."""
    found = note((), "tool:grep", RouteOutcome.FAILED)

    assert (Route(id="tool:grep", outcome=RouteOutcome.FAILED),) == found


@pytest.mark.parametrize(
    ("tool", "expected"),
    [
        ("mcp__fs__read", "mcp-tool:fs/read"),
        ("mcp__fs__", None),
        ("mcp____read", None),
        ("mcp__fs", None),
    ],
)
def test_a_tool_of_a_server_has_an_id_of_both_names(tool: str, expected: str | None) -> None:
    """Half a name is that of no capability."""
    assert expected == plain_id(tool)


@pytest.mark.parametrize(
    ("outcome", "told"),
    [("unavailable", "`skill:lint` is required and unavailable: report it"), ("succeeded", "")],
)
def test_an_answer_that_passes_names_what_it_has_to_report(outcome: str, told: str) -> None:
    """Without a change a requirement that is gone holds nothing back, and is not silent either."""
    routes = routes_of([{"id": "skill:lint", "policy": "require", "outcome": outcome}])

    verdict = judge_answer(routes, changed=False, reminded=False)

    assert verdict.accepted
    assert told == verdict.message
