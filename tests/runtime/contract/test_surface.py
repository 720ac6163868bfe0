"""Which agent sees which tools."""

from __future__ import annotations

from typing import Any

import pytest
import yaml
from places import TRANSCRIPTS

from reasonix_runtime.contract import surface
from reasonix_runtime.contract.surface import (
    BUILT_IN,
    CORE,
    FULL,
    HOST_CONTROL,
    PROXY,
    ROLES,
    SESSION,
    boot_surfaces,
    child_proxy,
    child_registry,
    provider_visible,
)
from reasonix_runtime.errors import ContractError
from reasonix_runtime.gates.surfaces import SurfaceSetup, child_tools
from reasonix_runtime.tools.registry import default_registry

READ_ONLY = {tool.name for tool in default_registry(review=True) if tool.read_only}


def child(role: str, parent: tuple[str, ...] = FULL, **options: Any) -> tuple[str, ...]:
    """Return the registry of a child of the full registry."""
    return child_registry(role, parent, read_only=READ_ONLY, **options)


def test_the_counts_are_those_of_the_contract() -> None:
    """21 built-in tools, 27 of the session and the proxy make a default boot."""
    assert (21, 27, 49, 9, 13) == (
        len(BUILT_IN),
        len(SESSION),
        len(FULL),
        len(CORE),
        len(provider_visible(FULL)),
    )


def test_every_list_names_registered_tools_only() -> None:
    """A misspelt name in a list would hide or show nothing, unseen."""
    for names in (
        surface.CORE,
        surface.HOST_CONTROL,
        surface.BACKGROUND_JOBS,
        surface.DELEGATION,
        surface.WRITING_DELEGATION,
        surface.EXECUTOR_ONLY,
        surface.PLANNER_HIDDEN,
        surface.PATH_WRITERS,
    ):
        assert set() == set(names) - set(FULL)
        assert len(set(names)) == len(names)


def test_a_provider_sees_names_in_byte_order_whatever_was_registered_first() -> None:
    """A cached prefix must not depend on registration."""
    assert ("bash", "edit_file", "use_capability", "wait") == provider_visible(
        ["wait", PROXY, "edit_file", "bash", "grep"], host_control=False
    )


@pytest.mark.parametrize(
    ("registered", "options", "expected"),
    [
        ((), {}, (PROXY,)),
        (("grep", "task"), {}, (PROXY,)),
        (HOST_CONTROL, {}, (*HOST_CONTROL, PROXY)),
        (HOST_CONTROL, {"host_control": False}, (PROXY,)),
        (FULL, {"host_control": False}, CORE),
        (
            FULL,
            {"host_control": False, "compress": False},
            tuple(n for n in CORE if n != "compress"),
        ),
    ],
)
def test_only_what_is_registered_is_visible_and_the_proxy_always(
    registered: tuple[str, ...], options: dict[str, bool], expected: tuple[str, ...]
) -> None:
    """Each agent front end has exactly one proxy."""
    assert expected == provider_visible(registered, **options)


def test_connected_servers_do_not_change_what_a_provider_sees() -> None:
    """The bytes of the tools array stay the same for the whole session."""
    assert provider_visible(FULL) == provider_visible([*FULL, "mcp__github__search"])


def test_a_planner_only_researches() -> None:
    """No shell, no writer, no delegation, nothing that talks to the host, no adapter."""
    names = child("planner", (*FULL, "mcp__a__b"))

    assert set(names) <= READ_ONLY
    assert {"grep", "read_file", "docs", PROXY} <= set(names)
    assert set() == set(names) & {*HOST_CONTROL, "bash", "wait", "read_skill", "mcp__a__b"}


def test_no_child_has_background_jobs_installers_or_fan_out() -> None:
    """They belong to the executor."""
    hidden = {*surface.BACKGROUND_JOBS, *surface.EXECUTOR_ONLY, "mcp__a__b"}
    for role in ROLES:
        assert set() == hidden & set(child(role, (*FULL, "mcp__a__b"))), role


@pytest.mark.parametrize(
    ("depth", "limit", "delegates"),
    [(1, 2, True), (2, 2, False), (1, 1, False), (1, 0, False), (1, -3, False), (2, 3, True)],
)
def test_a_child_at_the_depth_limit_cannot_delegate(
    depth: int, limit: int, delegates: bool
) -> None:
    """A limit below one means one; otherwise children would nest without end."""
    names = child("subagent", depth=depth, max_depth=limit)

    assert delegates == ("task" in names)
    assert delegates == (
        "read_only_task" in child("read_only_subagent", depth=depth, max_depth=limit)
    )
    assert "read_skill" in names


def test_a_read_only_child_never_starts_a_writer() -> None:
    """A flag of true on a delegation tool says nothing about its child."""
    names = set(child("read_only_subagent"))

    assert names - {"bash"} <= READ_ONLY
    assert {"bash", "read_only_task", "read_only_skill"} <= names
    assert set() == names & {*surface.WRITING_DELEGATION, *HOST_CONTROL, "slash_command"}


def test_a_path_bound_child_has_a_shell_only_in_a_sandbox() -> None:
    """A shell writes anywhere; checked writers write where they may."""
    assert "bash" not in child("path_bound_subagent")
    confined = set(child("path_bound_subagent", sandboxed_shell=True))
    assert {"bash", *surface.PATH_WRITERS} == confined - READ_ONLY


def test_only_a_reviewing_child_reports() -> None:
    """A parent that could report would review its own work."""
    for role in ROLES:
        assert (role == "review_subagent") == ("review_report" in child(role)), role
    assert "review_report" not in child("subagent", ("review_report", "bash"))


@pytest.mark.parametrize(
    ("allowlist", "expected"),
    [
        (["read_file", "grep"], ("grep", "read_file")),
        (
            ["read_*"],
            ("read_file", "read_only_skill", "read_only_task", "read_session", "read_skill"),
        ),
        (["grep", PROXY], ("grep", PROXY)),
        (["grep", "mcp-server:github"], ("grep", PROXY)),
        (["unknown"], ()),
        ([], ()),
        (["wait", "fleet"], ()),
    ],
)
def test_an_allowlist_only_narrows(allowlist: list[str], expected: tuple[str, ...]) -> None:
    """What a child never gets cannot be asked for by name."""
    assert expected == child("subagent", allowlist=allowlist)


@pytest.mark.parametrize(
    ("allowlist", "expected"),
    [
        (None, "full"),
        ([PROXY], "full"),
        (["mcp-tool:github/search"], "restricted"),
        (["mcp-tool:github/a/b"], "restricted"),
        (["mcp-server:github"], "restricted"),
        (["mcp__github__search"], "restricted"),
        (["mcp__git*"], "restricted"),
        (["mcp__other*"], "none"),
        (["mcp__other*__search"], "none"),
        (["*"], "full"),
        (["use_*"], "full"),
        (["mcp-server:"], "none"),
        (["mcp-server:a/b"], "none"),
        (["mcp-tool:github"], "none"),
        (["mcp-tool:/search"], "none"),
        (["read_file"], "none"),
        ([], "none"),
    ],
)
def test_a_child_gets_the_proxy_that_its_allowlist_means(
    allowlist: list[str] | None, expected: str
) -> None:
    """A malformed id is no entry: it must not open the whole proxy."""
    assert expected == child_proxy(allowlist, [*FULL, "mcp__github__search"])


@pytest.mark.parametrize(("role", "proxy"), [("planner", "full"), ("executor", "none")])
def test_an_allowlist_takes_the_proxy_from_a_child_and_not_from_the_planner(
    role: str, proxy: str
) -> None:
    """A planner is no child that was given tools; what it may call is bounded by its role."""
    verdict = child_tools(SurfaceSetup(role=role, allowlist=("read_file",)))

    assert proxy == verdict.facts["state_after"]["proxy"]


def test_an_unknown_role_is_answered_with_the_nearest() -> None:
    """Roles come from transcripts that people write."""
    with pytest.raises(ContractError, match="did you mean 'planner'"):
        child("planer")


def test_boot_surfaces_are_told_once_each_and_in_wire_order() -> None:
    """Their ids are part of item names."""
    surfaces = boot_surfaces([*FULL, "review_report"], read_only=READ_ONLY)

    assert ["core", "visible", "registry"] == [s.id for s in surfaces[:3]]
    assert len(surfaces) == len({s.id for s in surfaces})
    for s in surfaces:
        assert tuple(sorted(s.names)) == s.names
    assert FULL == next(s.names for s in surfaces if s.id == "registry")


def transcripts() -> list[dict[str, Any]]:
    """Return the recorded transcripts that ask for a surface directly."""
    path = TRANSCRIPTS / "capability-surface.yaml"
    return [
        transcript
        for transcript in yaml.safe_load(path.read_text("utf-8"))
        if transcript["turns"][0]["events"][0]["host"] in ("provider_tools", "child_tools")
    ]


@pytest.mark.parametrize("transcript", transcripts(), ids=lambda transcript: transcript["id"])
def test_the_surfaces_of_recorded_transcripts_are_told(transcript: dict[str, Any]) -> None:
    """The keys of their setup are the arguments of the functions."""
    setup = transcript["setup"]["host"]
    event = transcript["turns"][0]["events"][0]

    if event["host"] == "provider_tools":
        names = provider_visible(
            setup.get("registration_order", FULL),
            host_control=setup.get("host_control", True),
            compress=setup.get("compress", True),
        )
    else:
        names = child(
            setup["role"],
            setup.get("parent", FULL),
            allowlist=setup.get("allowlist"),
            depth=setup.get("child_depth", 1),
            max_depth=setup.get("max_subagent_depth", 2),
        )

    assert event["expect"]["state_after"]["names"] == list(names)
