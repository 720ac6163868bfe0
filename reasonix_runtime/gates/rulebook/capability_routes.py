"""Rules of capability routes at the end of a turn (DL-09)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="capability_routes", points=("delivery.routes_every_turn",))

RULES = (
    _rule(
        id="DL-09.K1",
        sentence="A required capability was used with success; reads do not replace it and it "
        "cannot be declined.",
        sentence_zh="必需的能力必须成功使用；读取不能代替它，也不能拒绝它。",
        reasons=("capability.required_missing",),
    ),
    _rule(
        id="DL-09.K2",
        sentence="Where a required capability is unavailable, nothing is changed without it.",
        sentence_zh="必需的能力不可用时，不得在缺少它的情况下做出改动。",
        reasons=("capability.required_unavailable",),
    ),
    _rule(
        id="DL-09.K3",
        sentence="A preferred capability is used, or declined with a reason; the first time this "
        "is only a reminder.",
        sentence_zh="首选的能力应当使用，或说明理由后拒绝；第一次只作提醒。",
        reasons=("capability.prefer_reminder", "capability.prefer_unused"),
    ),
)
