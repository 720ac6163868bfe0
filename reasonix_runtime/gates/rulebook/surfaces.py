"""Rules of what is shown to whom (SF)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="surfaces", points=("proxy_is_judged",))

RULES = (
    _rule(
        id="SF-1",
        sentence="A request carries the visible tools by name, whatever was registered first.",
        sentence_zh="请求按名称携带可见工具，与注册顺序无关。",
        reasons=("surface.order",),
    ),
    _rule(
        id="SF-2",
        sentence="The array of a request is the same for a whole session, whatever the proxy "
        "connects.",
        sentence_zh="请求中的工具数组在整个会话中保持不变，无论能力入口连接了什么。",
        reasons=("surface.stable",),
    ),
    _rule(
        id="SF-3",
        sentence="A tool that is registered and not shown is dispatched all the same.",
        sentence_zh="已注册但不显示的工具同样可以调用。",
        reasons=("surface.hidden_dispatch",),
    ),
    _rule(
        id="SF-4",
        sentence="A sub-agent has what its parent has and it was given, without what is not for "
        "it; its proxy follows its allowlist.",
        sentence_zh="子代理拥有父代理获准给它的工具，不含不供子代理使用的；其能力入口遵循允许列表。",
        reasons=("surface.child",),
    ),
    _rule(
        id="SF-5",
        sentence="A planner has what is read-only and research, and a proxy of its own.",
        sentence_zh="规划者拥有只读的调研工具和自己的能力入口。",
        reasons=("surface.planner",),
    ),
)
