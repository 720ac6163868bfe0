"""Rules of the completion account and of the partial-check waiver (GA)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="account")

RULES = (
    _rule(
        id="GA-01",
        sentence="A command said to be verified has run.",
        sentence_zh="声明已验证的命令必须运行过。",
        reasons=("account.never_ran",),
        points=("ledger.commands.citation_by_grammar", "ledger.commands.status_of_segment"),
    ),
    _rule(
        id="GA-02",
        sentence="Its last run succeeded; an earlier success does not cover a later failure.",
        sentence_zh="其最后一次运行必须成功；较早的成功不能掩盖之后的失败。",
        reasons=("account.last_failed",),
    ),
    _rule(
        id="GA-03",
        sentence="Its last run is not older than the latest change.",
        sentence_zh="其最后一次运行不得早于最近一次改动。",
        reasons=("account.before_change",),
    ),
    _rule(
        id="GA-04",
        sentence="Each declared item is a gap of the report and does not refuse the completion.",
        sentence_zh="每个声明为未验证的条目都是报告中的缺口，但不拒绝完成。",
        reasons=("account.declared",),
    ),
    _rule(
        id="GA-05",
        sentence="Risks are reported as they were given; they are no gaps.",
        sentence_zh="风险按原样报告，不算缺口。",
        reasons=("account.risk",),
    ),
    _rule(
        id="GA-06",
        sentence="A backed claim never removes a gap that the host found itself.",
        sentence_zh="有依据的声明不会消除主机自行发现的缺口。",
        reasons=("account.backed",),
    ),
    _rule(
        id="GA-07",
        sentence="Without an account only what the host observed is reported; a failed call claims "
        "nothing.",
        sentence_zh="没有说明时，只报告主机观察到的内容；失败的调用不构成任何声明。",
        reasons=("account.no_account",),
    ),
    _rule(
        id="GA-08",
        sentence="Missing checks are waived when they are declared, or the user forbade tests, and "
        "the preset allows partial completion.",
        sentence_zh="缺少的检查在已声明（或用户禁止测试）且预设允许部分完成时可以豁免。",
        reasons=("account.waived",),
    ),
    _rule(
        id="GA-09",
        sentence="Only checks are ever waived: no task, review, sign-off, criterion or action.",
        sentence_zh="除检查以外一律不得豁免：任务、评审、签收、准则和操作都不行。",
        reasons=("account.not_waived",),
    ),
)
