"""The rule catalogue as a document."""

from __future__ import annotations

import pytest
from policy_points import CHOSEN_BY_WORKSPACE

from reasonix_runtime.gates.goal.machine import TABLE, mermaid
from reasonix_runtime.gates.policy import RULE_SETS
from reasonix_runtime.gates.policy_zh import MEANINGS_ZH
from reasonix_runtime.gates.rules import AREAS, RULES
from reasonix_runtime.gates.rules_document import AREA_TITLES, meanings, points_of, render

LANGUAGES = ["en", "zh-CN"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_rule_and_every_reason_code_is_in_the_document(language: str) -> None:
    """A code that a user gets and cannot look up helps nobody."""
    text = render(language)

    for rule in RULES.values():
        assert f"| {rule.id} |" in text
        assert all(f"`{reason}`" in text for reason in rule.reasons)
    assert all(f"`{row.reason}`" in text for row in TABLE)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_diagram_is_the_machine_s_own(language: str) -> None:
    """A picture that was drawn by hand would be right only once."""
    assert f"```mermaid\n{mermaid()}\n```" in render(language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_of_a_table_have_as_many_cells_as_its_head(language: str) -> None:
    """One bar too many shifts every cell behind it."""
    cells = None
    for line in render(language).splitlines():
        if not line.startswith("|"):
            cells = None
            continue
        found = line.replace("\\|", "").count("|")
        cells = cells or found
        assert cells == found, line


def test_both_languages_have_the_same_tables() -> None:
    """A rule that only readers of one language learn of is not public."""
    english, chinese = (render(language).count("\n| ") for language in LANGUAGES)

    assert english == chinese


def test_an_unknown_language_is_refused() -> None:
    """A default would hand somebody a document they did not ask for."""
    with pytest.raises(ValueError, match="expected en or zh-CN"):
        render("fr")


def test_every_area_has_a_title() -> None:
    """An id of a module is no heading."""
    assert set() == set(AREAS) - set(AREA_TITLES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_policy_point_says_what_it_means(language: str) -> None:
    """A table of names and yes or no explains nothing, and no language goes without."""
    points = points_of(RULE_SETS["contract"])

    assert [] == [point for point in points if not meanings(language).get(point)]


def test_the_chinese_table_of_points_is_in_chinese() -> None:
    """Names of rules in its last column told a reader nothing of a point."""
    assert set() == set(MEANINGS_ZH) - set(points_of(RULE_SETS["contract"]))
    assert [] == [point for point, text in MEANINGS_ZH.items() if not text.endswith("。")]


def test_rules_name_only_points_that_exist() -> None:
    """A misspelt point sends the reader looking for nothing; a group of points may be named."""
    points = set(points_of(RULE_SETS["contract"]))
    known = points | {point.rpartition(".")[0] for point in points}

    assert {} == {rule.id: rule.points for rule in RULES.values() if not set(rule.points) <= known}


def test_every_policy_point_differs_somewhere_or_is_told_by_a_rule() -> None:
    """A point that is the same everywhere and that no rule names does nothing."""
    named = {point for rule in RULES.values() for point in rule.points}
    values = [points_of(policy) for policy in RULE_SETS.values()]
    alike = {
        point for point in values[0] if all(value[point] == values[0][point] for value in values)
    }

    assert alike - named <= CHOSEN_BY_WORKSPACE
