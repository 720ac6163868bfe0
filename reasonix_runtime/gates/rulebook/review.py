"""Rules of review reports and of the structured review of a change (RV, DL-07)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="review")

RULES = (
    _rule(
        id="RV-03.P1",
        sentence="A review report has the JSON types of its schema.",
        sentence_zh="评审报告必须符合其参数结构规定的 JSON 类型。",
        reasons=("report.json_invalid",),
    ),
    _rule(
        id="RV-03.P2",
        sentence="The kind of a report is review or security.",
        sentence_zh="报告类型只能是 review 或 security。",
        reasons=("report.kind_invalid",),
    ),
    _rule(
        id="RV-03.P3",
        sentence="The verdict of a report is pass, warn or block.",
        sentence_zh="报告结论只能是 pass、warn 或 block。",
        reasons=("report.verdict_invalid",),
    ),
    _rule(
        id="RV-03.P4",
        sentence="A report names at least one reviewed path.",
        sentence_zh="报告至少要列出一个已评审的路径。",
        reasons=("report.paths_empty",),
    ),
    _rule(
        id="RV-03.P5",
        sentence="Each finding of a report has a summary.",
        sentence_zh="报告中的每条发现都必须有摘要。",
        reasons=("report.finding_summary_missing",),
        points=("reviews.finding_lists",),
    ),
    _rule(
        id="RV-04",
        sentence="The reviewing run saw the content of every reviewed path, after its last change "
        "where reads go stale.",
        sentence_zh="评审过程必须看过每个已评审路径的内容；若规则集规定读过的内容会失效，则须在该路径最近一次改动之后看过。",
        reasons=("report.path_not_read",),
        points=(
            "ledger.any_tool_names_files",
            "ledger.commands.looks_by_meaning",
            "ledger.names_are_content",
            "ledger.reads_go_stale",
            "ledger.suffix_paths",
        ),
    ),
    _rule(
        id="DL-07.M2",
        sentence="A change of medium risk has a review report, or host proof: its content seen and "
        "a verified sign-off after it.",
        sentence_zh="中等风险的改动需要评审报告，或由主机证明：改动后查看过内容，其后又有经过检查的签收。",
        reasons=("review.medium_unproven",),
        points=("ledger.commands.looks_by_meaning", "reviews.coverage"),
    ),
    _rule(
        id="DL-07.H0",
        sentence="A change of high risk needs a host that has review tools.",
        sentence_zh="高风险的改动要求主机具备评审工具。",
        reasons=("review.tools_missing",),
    ),
    _rule(
        id="DL-07.H1",
        sentence="A change of high risk has a review report that covers it.",
        sentence_zh="高风险的改动必须有覆盖它的评审报告。",
        reasons=("review.high_missing_review",),
        points=("reviews.coverage",),
    ),
    _rule(
        id="DL-07.H2",
        sentence="A change of high risk has a security report that covers it.",
        sentence_zh="高风险的改动必须有覆盖它的安全报告。",
        reasons=("review.high_missing_security",),
        points=("reviews.coverage",),
    ),
    _rule(
        id="RV-06",
        sentence="The report that decides on a change does not forbid delivery.",
        sentence_zh="对改动起决定作用的报告不能禁止交付。",
        reasons=("review.blocking", "security.blocking"),
        points=("reviews.evidence", "reviews.finding_lists"),
    ),
)
