"""A translation by hand tells the facts of its document, and each that it does not tell once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from reasonix_conformance.checks import document, judge
from reasonix_runtime.contract.document import parse

MAIN = """\
| Tool | Read-only | Description |
| --- | --- | --- |
| `look` | true | Look. |
| `put` | false | Put. |

## Unified Boot Surface

`look`, `put`

## Planner surface

`look`, `wait`
"""

CHINESE = """\
| 工具 | 只读 | 说明 |
| --- | --- | --- |
| `look` | 是 | 看。 |
| `put` | 否 | 写。 |

## 统一启动工具面

`look`, `put`

## 规划者工具面

`look`, `wait`
"""


def found(main: str, translation: str) -> list[tuple[str, str, str]]:
    """Return what is found of a translation: what, where, and what was expected."""
    case = document.DocumentCase(
        source="zh.md", document=parse(translation, "zh.md"), main=parse(main, "en.md")
    )
    result = judge(document.TRANSLATION, case, strict=True)
    return [(one.what, one.at, one.expected) for one in result.findings]


def test_a_translation_of_the_same_facts_holds() -> None:
    """Words, headings and flags may be those of another language."""
    assert [] == found(MAIN, CHINESE)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (
            lambda text: text.replace("| `put`", "| `put` | 否 | 写。 |\n| `put`"),
            ("'put' has another row here", "zh.md:5", ""),
        ),
        (
            lambda text: text.replace("| `put` | 否 | 写。 |\n", ""),
            ("the row of 'put' is missing", "zh.md", ""),
        ),
        (
            lambda text: text.replace("| `put`", "| `zap` | 否 | 删。 |\n| `put`"),
            ("'zap' has a row here and none in en.md", "zh.md:4", ""),
        ),
        (
            lambda text: text.replace("| 否 |", "| 是 |"),
            ("the read-only flag of 'put' differs", "zh.md:4", "false (en.md:4)"),
        ),
        (
            lambda text: text.replace("| 否 |", "| unknown |"),
            ("the read-only flag of 'put' differs", "zh.md:4", "false (en.md:4)"),
        ),
        (
            lambda text: text.replace("`look`, `put`", "`look`, `put`, `wait`"),
            (
                "the names under '统一启动工具面' are not those under 'Unified Boot Surface'",
                "zh.md:8",
                "",
            ),
        ),
        (
            lambda text: text.replace("`look`, `wait`", "`wait`, `zap`"),
            (
                "the names under '规划者工具面' are not those under 'Planner surface'",
                "zh.md:12",
                "",
            ),
        ),
    ],
)
def test_what_a_translation_tells_otherwise_is_told_once(
    change: Callable[[str], str], expected: tuple[str, str, str]
) -> None:
    """Rows that stand twice and lists of surfaces were never looked at."""
    assert [expected] == found(MAIN, change(CHINESE))


def test_a_cell_that_cannot_be_read_is_no_other_flag() -> None:
    """Its own document is told of it; `expected None` told nobody anything."""
    torn = MAIN.replace("| `put` | false |", "| `put` | maybe |")

    assert [] == found(torn, CHINESE)
    assert [] == found(MAIN, CHINESE.replace("| 否 |", "| 也许 |"))


def test_a_section_that_is_not_translated_is_nobodys_list() -> None:
    """A translation may say less than its document; what it says has to be so."""
    assert [] == found(MAIN, CHINESE.partition("## 规划者")[0])
