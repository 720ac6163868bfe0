"""Entries and contracts."""

from __future__ import annotations

import pytest

from reasonix_runtime.contract.canonical import EMPTY
from reasonix_runtime.contract.document import parse
from reasonix_runtime.contract.entry import Contract, ContractEntry
from reasonix_runtime.errors import DuplicateToolError, SchemaError, UnknownToolError


def entry(
    name: str, description: str = "does it", *, read_only: bool | None = True
) -> ContractEntry:
    """Return an entry without parameters."""
    return ContractEntry.of(name, description=description, read_only=read_only, schema=b"")


def test_an_entry_has_a_trimmed_description_and_canonical_bytes() -> None:
    """What a provider gets must not depend on how a source was indented."""
    made = ContractEntry.of(
        "a", description="\n says  so \t", read_only=False, schema={"required": ["b", "a"]}
    )

    assert "says  so" == made.description
    assert b'{"properties":{},"required":["a","b"],"type":"object"}' == made.schema


def test_a_schema_that_is_no_data_is_refused_with_the_name_of_its_tool() -> None:
    """Among fifty tools the name is what a maintainer needs."""
    with pytest.raises(SchemaError, match="schema of 'grep': not JSON data"):
        ContractEntry.of("grep", description="", read_only=None, schema={"a": object()})


def test_parameters_of_a_schema_that_is_no_json_cannot_be_given() -> None:
    """The entry itself exists, so that the other tools are checked all the same."""
    broken = ContractEntry.of("a", description="", read_only=None, schema="{")

    with pytest.raises(SchemaError, match="schema of 'a': not JSON"):
        broken.parameters()


def test_the_order_of_a_contract_is_its_own_and_that_of_the_wire_is_by_bytes() -> None:
    """A dump's order is a fact to check; a provider's order is fixed."""
    contract = Contract(map(entry, ["wait", "Bash", "bash_output", "bash", "é"]))

    assert ("wait", "Bash", "bash_output", "bash", "é") == contract.names
    assert ("Bash", "bash", "bash_output", "wait", "é") == contract.wire().names


def test_two_tools_of_one_name_are_no_contract() -> None:
    """A provider refuses the request, or one of them is never reached."""
    with pytest.raises(DuplicateToolError, match="'ls' is declared twice"):
        Contract([entry("ls"), entry("bash"), entry("ls")])


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    """A misspelt tool name is the likely mistake."""
    contract = Contract([entry("read_file"), entry("bash")])

    with pytest.raises(
        UnknownToolError, match=r"unknown tool 'read_fil' \(did you mean 'read_file'"
    ):
        contract["read_fil"]
    assert "bash" in contract
    assert "read_fil" not in contract


def test_equal_schemas_have_equal_fingerprints() -> None:
    """The fingerprint is of the schema alone."""
    assert entry("a").fingerprint == entry("b", "other", read_only=None).fingerprint
    assert EMPTY == entry("a").schema


def test_descriptions_are_adopted_from_a_document() -> None:
    """A host can be shown to a model in the words of another document."""
    document = parse(
        "| Tool | Read-only | Description |\n| --- | --- | --- |\n"
        "| `ls` | true | lists \\| shows |\n| `other` | true | unknown here |\n"
        "| `ls` | true | a second row |\n"
    )

    adopted = Contract([entry("ls"), entry("bash")]).with_descriptions(document)

    assert "lists | shows" == adopted["ls"].description
    assert "does it" == adopted["bash"].description
    assert ("ls", "bash") == adopted.names
