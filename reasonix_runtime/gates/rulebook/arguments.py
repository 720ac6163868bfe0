"""Rules of a call's arguments, held against a contract where one is given (AR)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

AREA = "arguments"
"""The area, which is also the name of its only gate."""

_rule = partial(Rule, area=AREA)

RULES = (
    _rule(
        id="AR-01",
        sentence="A called tool is one of the contract.",
        sentence_zh="被调用的工具必须是契约中的工具。",
        reasons=("arguments.tool_unknown",),
    ),
    _rule(
        id="AR-02",
        sentence="The arguments of a call are JSON.",
        sentence_zh="调用的参数必须是 JSON。",
        reasons=("arguments.not_json",),
    ),
    _rule(
        id="AR-03",
        sentence="The arguments of a call are valid by the schema of the tool; none at all are an "
        "empty object.",
        sentence_zh="调用的参数必须符合该工具的参数结构；没有参数即为空对象。",
        reasons=("arguments.invalid",),
    ),
)
