"""Rules of the sign-off gate, `complete_step` (CS)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="steps")

RULES = (
    _rule(
        id="CS-02.V1",
        sentence="The arguments of a sign-off or of a task list have the JSON types of the schema.",
        sentence_zh="签收或任务清单的参数必须符合参数结构规定的 JSON 类型。",
        reasons=("args.invalid",),
    ),
    _rule(
        id="CS-02.V2",
        sentence="A sign-off names its item: by number, by title, or by id where ids are used.",
        sentence_zh="签收必须指明条目：用序号、标题，或在使用标识的规则集中用标识。",
        reasons=("step.missing",),
        points=("steps.step_ids",),
    ),
    _rule(
        id="CS-02.V3",
        sentence="A step index counts from 1 and is never negative.",
        sentence_zh="步骤序号从 1 开始，不能为负。",
        reasons=("step_index.negative",),
    ),
    _rule(
        id="CS-02.V4",
        sentence="A sign-off says in `result` what is now true.",
        sentence_zh="签收必须在 `result` 中说明现在成立的事实。",
        reasons=("result.missing",),
    ),
    _rule(
        id="CS-02.V5",
        sentence="A sign-off carries at least one item of evidence.",
        sentence_zh="签收至少要附一项证据。",
        reasons=("evidence.missing",),
    ),
    _rule(
        id="CS-02.V6",
        sentence="Each item of evidence has one of the five kinds and a summary.",
        sentence_zh="每项证据必须属于五种类型之一，并带有摘要。",
        reasons=("evidence.kind_invalid", "evidence.summary_missing"),
    ),
    _rule(
        id="CS-20.criterion",
        sentence="Evidence may only cite criteria that the approved plan has.",
        sentence_zh="证据只能引用已批准计划中存在的准则。",
        reasons=("criterion.unknown",),
        points=("steps.plan_criteria",),
    ),
    _rule(
        id="CS-05",
        sentence="The named item is found in the list: by number, by equal wording, or as the only "
        "one whose wording contains the other.",
        sentence_zh="被指明的条目必须能在清单中找到：按序号、按相同文字，或者是唯一一个与之互相包含的条目。",
        reasons=("todo.step_unmatched",),
        points=("steps.current_of_equals", "steps.step_ids"),
    ),
    _rule(
        id="CS-06.renewal",
        sentence="When every item is completed, only an existing item can be signed off again.",
        sentence_zh="当所有条目都已完成时，只能对已有条目重新签收。",
        reasons=("todo.renewal_unmatched",),
    ),
    _rule(
        id="CS-06.phase",
        sentence="A phase is signed off after all its sub-steps.",
        sentence_zh="阶段必须在其所有子步骤之后签收。",
        reasons=("todo.phase_unfinished",),
    ),
    _rule(
        id="CS-06.order",
        sentence="Items are signed off in order: only the current item or a completed one.",
        sentence_zh="条目按顺序签收：只能签收当前条目或已完成的条目。",
        reasons=("todo.step_pending",),
    ),
    _rule(
        id="CS-06.status",
        sentence="An item whose status is none of the three cannot be signed off.",
        sentence_zh="状态不属于三种合法状态的条目不能签收。",
        reasons=("todo.step_status_invalid",),
    ),
    _rule(
        id="CS-07.command",
        sentence="Evidence of kind verification cites the command that ran.",
        sentence_zh="类型为 verification 的证据必须引用所运行的命令。",
        reasons=("verification.command_missing",),
    ),
    _rule(
        id="CS-07.failed",
        sentence="A command that ran and failed proves nothing; where the latest run decides, an "
        "earlier success does not outweigh it, nor does a selection outweigh what it leaves out.",
        sentence_zh="运行过但失败的命令不能作证；若以最近一次运行为准，之前的成功也不能抵消，"
        "只选取部分测试的运行也不能抵消其未包含的失败。",
        reasons=("verification.command_failed",),
        points=("ledger.latest_run_decides", "ledger.selection_outweighs"),
    ),
    _rule(
        id="CS-07.inconclusive",
        sentence="A run that could not start, was stopped or was killed is neither pass nor "
        "failure; nor is one whose output says that no test ran, or that tests failed.",
        sentence_zh="未能启动、被中止或被终止的运行既不算通过也不算失败；输出表明没有运行任何测试、或表明测试仍有失败的运行亦然。",
        reasons=("verification.inconclusive",),
        points=("ledger.empty_runs_pass", "ledger.inconclusive_exits"),
    ),
    _rule(
        id="CS-08",
        sentence="A cited command is covered by one successful run of this turn, or of the session "
        "(CS-09).",
        sentence_zh="被引用的命令必须由本轮（或本会话，CS-09）的一次成功运行所覆盖。",
        reasons=("verification.command_not_run",),
        points=(
            "ledger.answered_only",
            "ledger.commands.citation_by_grammar",
            "ledger.commands.tool_name_proves",
            "ledger.commands.trailing_dots_stripped",
        ),
    ),
    _rule(
        id="CS-07.exit",
        sentence="The exit status of the run belongs to the cited command; a start in the "
        "background has none until its end was seen.",
        sentence_zh="运行的退出状态必须属于被引用的命令；后台启动在看到结束之前没有状态。",
        reasons=("verification.exit_masked",),
        points=(
            "ledger.background_from_start",
            "ledger.commands.status_of_segment",
        ),
    ),
    _rule(
        id="CS-07.C1",
        sentence="Once something changed, a closed loop wants a recognised verification.",
        sentence_zh="一旦发生改动，闭环只接受可识别的验证命令。",
        reasons=("verification.not_recognized",),
        points=("ledger.commands.wide_checks",),
    ),
    _rule(
        id="CS-07.C2",
        sentence="A verification is newer than the latest change.",
        sentence_zh="验证必须晚于最近一次改动。",
        reasons=("verification.stale",),
        points=("ledger.failures_may_change", "steps.stale_verification_refused"),
    ),
    _rule(
        id="CS-10",
        sentence="Evidence of kind diff names files that a file writer changed.",
        sentence_zh="类型为 diff 的证据必须列出由文件写入工具改动过的文件。",
        reasons=("diff.paths_missing", "diff.path_not_written"),
        points=("ledger.answered_only", "steps.sources_mix"),
    ),
    _rule(
        id="CS-11",
        sentence="Evidence of kind files names paths that were read, written or used in a "
        "successful command.",
        sentence_zh="类型为 files 的证据必须列出读过、写过或在成功命令中出现过的路径。",
        reasons=("files.paths_missing", "files.path_not_touched"),
        points=(
            "ledger.answered_only",
            "ledger.any_tool_names_files",
            "ledger.mentions_are_whole",
            "steps.sources_mix",
        ),
    ),
    _rule(
        id="CS-12",
        sentence="Evidence of kind review rests on a review that was completed after the latest "
        "change, and where the whole step counts on one of everything that it changed.",
        sentence_zh="类型为 review 的证据必须基于最近一次改动之后完成的评审；"
        "若以整个步骤为准，则须覆盖该步骤的全部改动。",
        reasons=("review.not_completed",),
        points=("reviews.coverage", "reviews.evidence"),
    ),
    _rule(
        id="CS-14",
        sentence="Declared project checks succeed after the latest cited write.",
        sentence_zh="项目声明的检查必须在最近一次被引用的写入之后成功运行。",
        reasons=("project_check.not_run",),
        points=("ledger.commands.status_of_segment",),
    ),
    _rule(
        id="CS-16",
        sentence="One assistant message signs off at most one item.",
        sentence_zh="一条助手消息最多签收一个条目。",
        reasons=("batch.second_signoff",),
    ),
)
