"""Which list of a document is held against which boot surface, whatever the two are called."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from reasonix_conformance.checks import judge, surface
from reasonix_conformance.findings import Outcome
from reasonix_conformance.subjects import Form, Subject, SubjectTool
from reasonix_runtime.contract.document import parse

NAMES = ("bash", "grep", "look", "put", "wait")
FEWER = ("bash", "grep", "look", "put")
PLANNER = ("grep", "look")


def document(lists: Mapping[str, tuple[str, ...]]) -> str:
    """Return a document with a list of names under each heading, and a mark where it has one."""
    parts = []
    for heading, names in lists.items():
        title, _, mark = heading.partition(" = ")
        parts += [f"## {title}", f"<!-- surface: {mark} -->" if mark else ""]
        parts.append(", ".join(f"`{name}`" for name in names))
    return "\n\n".join(parts)


def judged(
    told: Mapping[str, tuple[str, ...]], listed: Mapping[str, tuple[str, ...]]
) -> dict[str, str]:
    """Return what came of the members of each surface, by its id."""
    tools = tuple(SubjectTool(name=name, at="") for name in NAMES)
    subject = Subject("host", Form.REGISTRY, tools, complete=True, surfaces=told)
    found = {}
    for case in surface.cases(subject, parse(document(listed), "doc.md")):
        result = judge(surface.SURFACE[:1], case, strict=False)
        outcomes = [finding.outcome.value for finding in result.findings]
        found[case.id] = outcomes[0] if outcomes else Outcome.PASSED.value
    return found


@pytest.mark.parametrize(
    ("told", "listed"),
    [
        ({"boot": NAMES}, {"Unified Boot Surface": FEWER}),
        ({"boot": FEWER}, {"Unified Boot Surface": NAMES}),
        ({"core": NAMES}, {"Tool surface at boot": FEWER}),
        ({"default": NAMES}, {"The surface": FEWER}),
        ({"default": ("bash",)}, {"The surface": NAMES}),
        ({"core": NAMES}, {"Unified Boot Surface": FEWER}),
        ({"core": NAMES}, {"Any surface = core": FEWER}),
    ],
)
def test_a_list_is_held_against_its_surface_also_when_they_differ(
    told: Mapping[str, tuple[str, ...]], listed: Mapping[str, tuple[str, ...]]
) -> None:
    """Paired by equality alone, a list is checked only for as long as nothing is wrong with it."""
    (key,) = told

    assert {key: "failed"} == judged(told, listed)


def test_equal_lists_are_paired_first_and_the_likeliest_of_the_others() -> None:
    """With several surfaces each list goes to the one that it tells most of."""
    told = {"boot": NAMES, "plan": PLANNER}
    listed = {"Surface of planners": PLANNER, "Surface of all": FEWER}

    assert {"boot": "failed", "plan": "passed"} == judged(told, listed)


def test_a_mark_decides_before_an_equal_list() -> None:
    """Who marks a list says which surface it is about."""
    told = {"core": NAMES, "planner": FEWER}

    assert {"core": "failed", "planner": "not_assessable"} == judged(
        told, {"Any surface = core": FEWER}
    )


def test_surfaces_that_are_known_under_different_names_are_never_one() -> None:
    """A host that tells its planner says nothing about what its document lists for the core."""
    assert {"planner": "not_assessable", "core": "not_assessable"} == judged(
        {"planner": NAMES}, {"Unified Boot Surface": FEWER}
    )


def test_what_has_little_in_common_with_every_other_is_not_assessed() -> None:
    """Of several surfaces, a list is held against none at random."""
    told = {"boot": NAMES, "plan": ("look",)}
    listed = {"Surface of one": ("grep", "put", "wait", "x"), "Surface of others": ("y", "z")}

    assert "not_assessable" == judged(told, listed)["plan"]
    assert "not_assessable" == judged(told, listed)["surface-of-others"]


def test_one_list_speaks_of_one_surface() -> None:
    """Two surfaces may be like it; the likeliest one has it."""
    told = {"boot": NAMES, "plan": FEWER}

    assert {"boot": "not_assessable", "plan": "failed"} == judged(
        told, {"Any list of a surface": ("bash", "grep", "look")}
    )


@pytest.mark.parametrize(
    ("told", "listed", "found"),
    [
        (
            {"core": NAMES, "own": PLANNER},
            {"Unified Boot Surface": PLANNER},
            {"core": "not_assessable", "own": "passed"},
        ),
        (
            {"core": NAMES, "boot": PLANNER},
            {"Unified Boot Surface": NAMES, "Any surface": FEWER, "Z surface": ("x", "y")},
            {"core": "passed", "boot": "failed", "z-surface": "not_assessable"},
        ),
        (
            {"boot": NAMES},
            {"Any surface": FEWER, "Own surface": NAMES[:3]},
            {"boot": "failed", "own-surface": "not_assessable"},
        ),
    ],
)
def test_a_surface_that_has_its_list_is_held_against_no_other(
    told: Mapping[str, tuple[str, ...]],
    listed: Mapping[str, tuple[str, ...]],
    found: Mapping[str, str],
) -> None:
    """An equal list has it before a well-known heading, and this before what is only like it."""
    assert found == judged(told, listed)


def test_lists_of_one_name_are_numbered_from_the_second() -> None:
    """An id is one place in the document, and the first keeps its name."""
    heading = "Surface = planner"
    text = document({heading: PLANNER}) + "\n\n" + document({heading: FEWER})
    tools = (SubjectTool(name="bash", at=""),)
    subject = Subject("host", Form.REGISTRY, tools, complete=True, surfaces={"core": ("bash",)})

    ids = [case.id for case in surface.cases(subject, parse(text, "doc.md"))]

    assert ["core", "planner", "planner-2"] == ids


def test_what_the_host_tells_is_named_where_it_tells_other_surfaces() -> None:
    """A reader who sees that nothing is told looks for the fault in the host."""
    tools = (SubjectTool(name="bash", at=""),)
    told = {"planner": ("bash",)}
    subject = Subject("host", Form.REGISTRY, tools, complete=True, surfaces=told)
    cases = surface.cases(subject, parse(document({"Unified Boot Surface": NAMES}), "doc.md"))

    assert "the subject tells no such boot surface (it tells 'planner')" == cases[1].why
