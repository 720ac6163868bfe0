"""Every tool declares what the contract says."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from places import FIXTURES, RECORDED

from reasonix_runtime.contract.canonical import NAME_MAPS, canonicalise, is_canonical
from reasonix_runtime.contract.surface import BUILT_IN, FULL, PROXY, REVIEW_REPORT, SESSION
from reasonix_runtime.errors import UnknownToolError
from reasonix_runtime.tools.base import Declaration
from reasonix_runtime.tools.registry import Registry, all_declarations, default_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

STRUCTURES = json.loads((FIXTURES / "structures.json").read_text("utf-8"))
CANONICAL = json.loads((RECORDED / "canonical-schemas.json").read_text("utf-8"))
TOOLS = {tool.name: tool for tool in all_declarations()}

EARLIER_EDITION = {"update_goal"}
"""Recorded before `completion` was added to it."""


def walk(schema: Any, path: str = "#") -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield every sub-schema of a declaration with its place."""
    yield path, schema
    for name, member in schema.get("properties", {}).items():
        yield from walk(member, f"{path}/properties/{name}")
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict):
            yield from walk(schema[key], f"{path}/{key}")


def undescribed(schema: Any, *, names: bool = False) -> Any:
    """Return a schema without its descriptions; below `names` a `description` is an argument."""
    if isinstance(schema, dict):
        return {
            key: undescribed(member, names=not names and key in NAME_MAPS)
            for key, member in schema.items()
            if names or key != "description"
        }
    return [*map(undescribed, schema)] if isinstance(schema, list) else schema


def structure(schema: Any) -> bytes:
    """Return the canonical bytes of what hosts that word their descriptions apart agree on."""
    return canonicalise(undescribed(schema))


def test_all_fifty_tools_are_declared_once() -> None:
    """The lists of the surfaces and the modules of the tools are one contract."""
    assert sorted(STRUCTURES) == sorted(TOOLS)
    assert (*BUILT_IN, *SESSION, PROXY, REVIEW_REPORT) == tuple(TOOLS)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_a_schema_has_the_structure_and_the_flag_of_the_contract(name: str) -> None:
    """Words are ours; what a model may send is not."""
    assert structure(STRUCTURES[name]["structure"]) == structure(TOOLS[name].arguments)
    assert STRUCTURES[name]["read_only"] is TOOLS[name].read_only


@pytest.mark.parametrize("name", sorted(set(CANONICAL["tools"]) & set(TOOLS)))
def test_a_schema_has_the_recorded_structure_of_a_real_host(name: str) -> None:
    """The digests were taken from a running host."""
    recorded = CANONICAL["tools"][name]
    digest = hashlib.sha256(structure(TOOLS[name].arguments)).hexdigest()

    assert recorded["read_only"] is TOOLS[name].read_only
    assert (recorded["structure_sha256"] != digest) == (name in EARLIER_EDITION)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_description_is_one_line_that_says_something(name: str) -> None:
    """A description is a table cell, and all that a model knows of the tool."""
    tool = TOOLS[name]
    for text in (tool.description, tool.description_zh):
        assert " ".join(text.split()) == text
        assert text.endswith((".", "。"))
        assert text.count("`") % 2 == 0
    assert 60 <= len(tool.description) <= 1100
    assert any("\u4e00" <= letter <= "\u9fff" for letter in tool.description_zh)


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_argument_says_what_it_is(name: str) -> None:
    """Array elements and the root need no sentence of their own; arguments do."""
    silent = [
        place
        for place, schema in walk(TOOLS[name].arguments)
        if place.rsplit("/", 2)[-2:-1] == ["properties"] and not schema.get("description")
    ]
    assert [] == silent


@pytest.mark.parametrize("name", sorted(TOOLS))
def test_every_schema_is_valid_in_the_drafts_that_hosts_use(name: str) -> None:
    """Providers and hosts read them as 2020-12 or as draft 7."""
    arguments = json.loads(canonicalise(TOOLS[name].arguments))
    jsonschema.Draft202012Validator.check_schema(arguments)
    jsonschema.Draft7Validator.check_schema(arguments)
    assert "object" == arguments["type"]
    assert "properties" in arguments
    for place, schema in walk(arguments):
        assert schema["type"] != "array" or "items" in schema, place
        assert set(schema.get("required", ())) <= set(schema.get("properties", ())), place


def test_no_two_tools_are_described_alike() -> None:
    """A model could not choose between them."""
    assert len(TOOLS) == len({tool.description for tool in TOOLS.values()})
    assert len(TOOLS) == len({tool.description_zh for tool in TOOLS.values()})


def test_what_the_sign_off_gate_demands_is_said_in_its_schema() -> None:
    """The schema cannot make `command` required for one kind only, so its words must."""
    item = TOOLS["complete_step"].arguments["properties"]["evidence"]["items"]["properties"]
    assert "verification requires command" in item["kind"]["description"]
    assert "diff and files require paths" in item["kind"]["description"]
    assert "required for kind verification" in item["command"]["description"]
    assert "required for kinds diff and files" in item["paths"]["description"]


def test_the_task_list_tells_a_model_to_sign_off_instead_of_flipping_a_status() -> None:
    """Telling it to do what the gate refuses would be a trap."""
    text = TOOLS["todo_write"].description
    assert "through `complete_step`" in text
    assert "do not set a status to `completed` yourself" in text


def test_entries_are_in_wire_order_and_names_as_registered() -> None:
    """People read the one, providers get the other."""
    registry = default_registry()

    assert FULL == tuple(entry.name for entry in registry.entries())
    assert (*BUILT_IN, *SESSION, PROXY) == registry.names
    assert all(is_canonical(entry.schema) for entry in registry.entries())
    assert 50 == len(default_registry(review=True).entries())


def test_registering_again_replaces_a_tool_in_its_place() -> None:
    """A host may put its own variant of a tool in; the order stays."""
    registry = Registry(TOOLS[name] for name in ("wait", "bash", "ls"))
    registry.register(
        Declaration(
            name="bash", read_only=False, description="other", description_zh="别的", arguments={}
        )
    )

    assert ("wait", "bash", "ls") == registry.names
    assert ["other"] == [e.description for e in registry.entries() if e.name == "bash"]


def test_the_same_entries_are_given_every_time() -> None:
    """A schema is canonicalised once; nothing may enter it between two turns."""
    registry = default_registry()

    assert all(a is b for a, b in zip(registry.entries(), registry.entries(), strict=True))


def test_a_contract_taken_at_boot_is_not_changed_by_later_registrations() -> None:
    """What a server tells later must not change the bytes of a running session."""
    registry = Registry([TOOLS["bash"]])
    boot = registry.contract()
    registry.register(TOOLS["grep"])

    assert ("bash",) == boot.names
    assert ("bash", "grep") == registry.contract().names


def test_an_unregistered_tool_is_answered_with_the_nearest() -> None:
    """A misspelt name is the likely mistake."""
    with pytest.raises(UnknownToolError, match="did you mean 'grep'"):
        default_registry()["grp"]


def test_the_chinese_contract_differs_in_descriptions_only() -> None:
    """It is what the Chinese document shows; what is sent stays the same."""
    english = default_registry().contract()
    chinese = default_registry().contract(language="zh-CN")

    assert english.names == chinese.names
    for entry in english:
        assert entry.description != chinese[entry.name].description
        assert entry.schema == chinese[entry.name].schema
        assert entry.read_only is chinese[entry.name].read_only


def test_declaring_tools_loads_nothing_but_the_standard_library() -> None:
    """A contract run pays for every import of a tool module."""
    code = (
        "import sys; before = set(sys.modules)\n"
        "from reasonix_runtime.tools.registry import default_registry\n"
        "default_registry().entries()\n"
        "tops = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(sorted(tops - set(sys.stdlib_module_names) - {'reasonix_runtime'}))"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)

    assert "[]" == result.stdout.strip(), result.stderr
