"""What a schema in canonical form is, given as bytes and as a value."""

from __future__ import annotations

import pytest

from reasonix_conformance.checks.tool import ToolCase
from reasonix_conformance.checks.tool_schema import in_canonical_form
from reasonix_conformance.subjects import Form, Subject, SubjectTool
from reasonix_runtime.contract.canonical import canonicalise
from reasonix_runtime.contract.document import parse

CANONICAL = '{"properties":{"a":{},"b":{}},"required":["a","b"],"type":"object"}'


@pytest.mark.parametrize(
    ("schema", "bytes_hold", "value_holds"),
    [
        (CANONICAL, True, True),
        (CANONICAL.replace(",", ", "), False, True),
        (CANONICAL.replace('"a":{},"b":{}', '"b":{},"a":{}'), False, True),
        (CANONICAL.replace('"a","b"', '"b","a"'), False, False),
        ("null", False, True),
    ],
)
def test_a_value_is_held_to_what_the_form_says_of_values(
    schema: str, bytes_hold: bool, value_holds: bool
) -> None:
    """The order of keys is that of the bytes; the order of a list is in the value too."""
    found = []
    for exact in (True, False):
        tool = SubjectTool(name="look", at="", schema=schema.encode(), exact=exact)
        case = ToolCase(
            name="look",
            subject=Subject("host", Form.REGISTRY, (tool,), complete=True),
            document=parse("", "doc.md"),
            tools=(tool,),
            rows=(),
            canonical=canonicalise(schema),
            snapshots=None,
        )
        found.append([] == list(in_canonical_form(case)))

    assert [bytes_hold, value_holds] == found
