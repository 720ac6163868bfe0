"""The rule catalogue as a document: every rule, every policy point, and the goal machine's diagram.

Everything is drawn from the data that decides: `gates/rulebook/`, the rule sets of
`gates/policy.py`, and the transition table of `gates/goal/machine.py`.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from enum import StrEnum
from itertools import groupby, pairwise
from types import MappingProxyType
from typing import Any

from reasonix_runtime.gates.goal.machine import TABLE, mermaid
from reasonix_runtime.gates.policy import CONTRACT, RULE_SETS, Policy
from reasonix_runtime.gates.policy_zh import MEANINGS_ZH
from reasonix_runtime.gates.rule import Rule
from reasonix_runtime.gates.rules import RULES

ENGLISH, CHINESE = "en", "zh-CN"

FILES: Mapping[str, str] = MappingProxyType({ENGLISH: "GATES.md", CHINESE: "GATES.zh-CN.md"})
"""The name of the document in each language."""

AREA_TITLES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "steps": ("Step sign-off", "步骤签收"),
        "todo": ("Task list", "任务清单"),
        "review": ("Review reports", "评审报告"),
        "delivery": ("Before a call and at the end of a turn", "调用之前与轮次结束"),
        "duties": ("End of a turn by duties", "按义务判断的轮次结束"),
        "goal": ("Goals", "目标"),
        "account": ("Completion account", "完成说明"),
        "capability": ("Capability proxy", "能力入口"),
        "result_pages": ("Pages of a result", "结果分页"),
        "surfaces": ("What is shown to whom", "工具的可见范围"),
        "delegation": ("Delegation", "委派"),
        "capability_routes": ("Capability routes", "能力路由"),
        "arguments": ("Arguments of a call, where a contract is given", "调用参数（给定契约时）"),
    }
)
"""What an area is called in English and in Chinese."""

_MOST_VALUES = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class _Words:
    """The fixed texts of the document in one language."""

    title: str
    intro: str
    rules_head: tuple[str, ...]
    diagram: str
    table_head: tuple[str, ...]
    points: str
    points_intro: str
    point: str
    meaning: str
    yes: str
    no: str
    stays: str
    none: str


_WORDS: Mapping[str, _Words] = {
    ENGLISH: _Words(
        title="The rules of the gates",
        intro="Generated from the rule catalogue. A verdict names the rule that decided and a "
        "reason code; reason codes are stable. Policy points say where rule sets differ; "
        "[deviations.md](deviations.md) says why. `reasonix-conformance rules CODE` explains a "
        "rule or a reason code with examples. 中文版：[GATES.zh-CN.md](GATES.zh-CN.md)。",
        rules_head=("Rule", "Demands", "Reason codes", "Policy points"),
        diagram="The goal machine. An edge carries the reason code of the row that moves the goal; "
        "of the rows that answer one event, the first that holds decides.",
        table_head=("Row", "Event", "From", "To", "Verdict", "Next prompt", "Reason code"),
        points="Policy points",
        points_intro="What each rule set says at each point. Where `contract` differs from a host, "
        "the host's rule set restores its behaviour.",
        point="Point",
        meaning="Meaning",
        yes="yes",
        no="no",
        stays="stays",
        none="–",
    ),
    CHINESE: _Words(
        title="门禁规则",
        intro="由规则目录生成。每个裁决都会指明起决定作用的规则和原因代码；原因代码保持稳定。"
        "策略点说明各规则集之间的差异，原因见 [deviations.md](deviations.md)（英文）。"
        "`reasonix-conformance rules 代码 --language zh-CN` 会用例子解释一条规则或一个原因代码。"
        "English: [GATES.md](GATES.md)。",
        rules_head=("规则", "要求", "原因代码", "策略点"),
        diagram="目标状态机。每条边标注移动目标的那一行的原因代码；同一事件有多行可答时，由最先成立的一行决定。",
        table_head=("行", "事件", "从", "到", "裁决", "下一条提示", "原因代码"),
        points="策略点",
        points_intro="各规则集在每个策略点上的取值。"
        "`contract` 与某主机不同之处，可由该主机的规则集恢复。",
        point="策略点",
        meaning="含义",
        yes="是",
        no="否",
        stays="不变",
        none="–",
    ),
}


def render(language: str) -> str:
    """Return the document in `en` or `zh-CN`.

    Raises:
        ValueError: the language is another one.
    """
    if language not in _WORDS:
        raise ValueError(f"unknown language {language!r}: expected {ENGLISH} or {CHINESE}")
    words = _WORDS[language]
    lines = [f"# {words.title}", "", words.intro, ""]
    for area, rules in groupby(RULES.values(), key=lambda rule: rule.area):
        lines += _area(area, list(rules), language)
        if area == "goal":
            lines += _machine(words)
    lines += _policy(words, language)
    return "\n".join(lines)


def _area_title(area: str, language: str) -> str:
    """Return the heading of an area."""
    english, chinese = AREA_TITLES.get(area, (area, area))
    return chinese if language == CHINESE else english


def points_of(policy: Policy) -> Mapping[str, Any]:
    """Return the value of every policy point by its dotted name."""
    return dict(_points(policy, ""))


def _points(record: Any, prefix: str) -> Iterator[tuple[str, Any]]:
    for field in fields(record):
        value = getattr(record, field.name)
        if is_dataclass(value):
            yield from _points(value, f"{prefix}{field.name}.")
        elif field.name != "name":
            yield f"{prefix}{field.name}", value


def meanings(language: str = ENGLISH) -> Mapping[str, str]:
    """Return what every policy point means; in English from the records that define them."""
    return MEANINGS_ZH if language == CHINESE else dict(_meanings(CONTRACT, ""))


def _meanings(record: Any, prefix: str) -> Iterator[tuple[str, str]]:
    source = _source(type(record))
    for name, text in (_attributes(source) | _texts_below(source)).items():
        yield f"{prefix}{name}", text
    for field in fields(record):
        value = getattr(record, field.name)
        if is_dataclass(value):
            yield from _meanings(value, f"{prefix}{field.name}.")


def _source(record: type) -> ast.ClassDef:
    """Return a record as it is written: `python -OO` leaves it without its docstring."""
    parsed = ast.parse(textwrap.dedent(inspect.getsource(record)))
    return next(node for node in parsed.body if isinstance(node, ast.ClassDef))


def _attributes(record: ast.ClassDef) -> dict[str, str]:
    """Return the entries of a docstring's `Attributes` section."""
    _, _, section = (ast.get_docstring(record) or "").partition("Attributes:\n")
    found: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        text = line.strip()
        if line.startswith("    ") and not line.startswith("     ") and ":" in text:
            name, _, text = text.partition(":")
            found[name] = text.strip()
        elif name and text:
            found[name] += f" {text}"
    return found


def _texts_below(record: ast.ClassDef) -> dict[str, str]:
    """Return the texts that stand below the fields of a record."""
    found: dict[str, str] = {}
    for field, below in pairwise(record.body):
        match field, below:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = " ".join(text.split())
    return found


def _area(area: str, rules: list[Rule], language: str) -> Iterator[str]:
    words = _WORDS[language]
    yield from (f"## {_area_title(area, language)}", "")
    yield from _head(words.rules_head)
    for rule in rules:
        sentence = rule.sentence_zh if language == CHINESE else rule.sentence
        yield _cells(rule.id, sentence, _codes(rule.reasons + rule.moves), _codes(rule.points))
    yield ""


def _machine(words: _Words) -> Iterator[str]:
    """Yield the diagram of the goal machine and its table."""
    yield from (words.diagram, "", "```mermaid", *mermaid().splitlines(), "```", "")
    yield from _head(words.table_head)
    for row in TABLE:
        yield _cells(
            row.key,
            _codes([event.__name__ for event in row.on]),
            _codes([place.value for place in row.at]),
            f"`{row.to}`" if row.to else words.stays,
            "accept" if row.accepts else "reject",
            f"`{row.prompt}`" if row.prompt else words.none,
            f"`{row.reason}`",
        )
    yield ""


def _policy(words: _Words, language: str) -> Iterator[str]:
    values = {name: points_of(policy) for name, policy in RULE_SETS.items()}
    told = meanings(language)
    yield from (f"## {words.points}", "", words.points_intro, "")
    yield from _head((words.point, *(f"`{name}`" for name in values), words.meaning))
    for point in points_of(CONTRACT):
        row = [_value(points[point], words) for points in values.values()]
        yield _cells(f"`{point}`", *row, _sentence(told[point]))
    yield ""


def _value(value: Any, words: _Words) -> str:
    if isinstance(value, bool):
        return words.yes if value else words.no
    if isinstance(value, StrEnum):
        return f"`{value.value}`"
    if isinstance(value, frozenset | tuple):
        shown = sorted(map(str, value))
        more = f" … ({len(shown)})" if len(shown) > _MOST_VALUES else ""
        return ", ".join(shown[:_MOST_VALUES]) + more or words.none
    return str(value)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]


def _codes(names: list[str] | tuple[str, ...]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _head(titles: tuple[str, ...]) -> tuple[str, str]:
    return _cells(*titles), f"|{' --- |' * len(titles)}"


def _cells(*cells: str) -> str:
    escaped = (cell.replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"
