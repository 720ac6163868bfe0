"""What each policy point means, in Chinese: the rule document has it beside the values.

The English meanings stand at the points themselves, in the records of `gates/policy.py` and of the
floors that ask them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MEANINGS_ZH: Mapping[str, str] = MappingProxyType(
    {
        "evidence_gates": "步骤签收、评审报告和轮次结束是该主机的门禁。",
        "end_of_turn": "如何判断轮次结束。",
        "proxy_is_judged": "在已知能力入口所处环境时，判断对它的调用。",
        "delivery.guard_release": "循环防护放行之后，这次放行有多大效力。",
        "delivery.risk_scope": "对哪些改动评定风险并要求评审。",
        "delivery.routes_every_turn": "每一轮都检查能力路由；否则只在闭环中检查。",
        "delivery.text_expects": "用户的文字决定期望（DL-08）；否则只看工具做了什么。",
        "delivery.host_state_needs_task": (
            "`remember` 等工具与其他改动一样需要准则和当前任务（G5、G6）。"
        ),
        "delivery.changes_need_task": "闭环中的改动需要准则和当前任务（G5、G6）。",
        "delivery.writers_are_guarded": "对写入工具检查用户的限制和前提条件（FC-10）。",
        "delivery.goal_closes_loop": (
            "有活动目标、正在执行计划或有策略下限即为闭环；否则只由运行的开关决定。"
        ),
        "delivery.no_ledger_passes": "没有账本时轮次可以结束；否则视为无法评估。",
        "delivery.empty_answer_refused": "没有文字的最终回答会使轮次不能结束。",
        "ledger.commands.citation_by_grammar": (
            "按顺序比较程序和各个词；否则只要求首词相同、被引用的词都出现。"
        ),
        "ledger.commands.trailing_dots_stripped": (
            "在对话记录中查找引用时，去掉末尾的 `...`（CS-09 S1）。"
        ),
        "ledger.commands.tool_name_proves": (
            "以工具名开头的引用，可由对该工具的一次调用证明（S4）。"
        ),
        "ledger.commands.status_of_segment": (
            "退出状态必须属于被引用的那一段；否则以整个调用的状态为准。"
        ),
        "ledger.commands.prefixes": "归类命令时，会略过命令前面的哪些前缀。",
        "ledger.commands.git_global_options": (
            "查找 git 子命令时，会略过 git 自身的哪些选项（`git -C d`、`--no-pager`）。"
        ),
        "ledger.commands.wide_checks": (
            "识别 DL-03 表中没有的常用运行器，略过全局选项；带有写入、跳过或清空检查的选项时，"
            "不算检查。"
        ),
        "ledger.commands.cargo_builds_check": (
            "`cargo check` 算验证，`cargo doc` 只算读取；否则两者都算写入。"
        ),
        "ledger.commands.arguments_decide_change": (
            "表中列为读取的命令还要看参数（`git tag v1` 是改动）。"
        ),
        "ledger.commands.commit_is_change": "普通的 `git commit -m` 算对工作树的改动。",
        "ledger.commands.push_is_change": (
            "`git push` 算对工作树的改动；凡由参数决定是否改动之处，强制推送都算改动。"
        ),
        "ledger.commands.processes_change": "启动服务器或结束进程算对工作树的改动。",
        "ledger.commands.shell_edits_are_opaque": (
            "不认为能知道 shell 命令改动了哪些文件（R2）；否则以就地编辑、复制、移动、删除或重定向"
            "所指明的文件为准。"
        ),
        "ledger.commands.looks_by_meaning": (
            "git 显示了改动的什么内容，"
            "由其选项和版本判断（`git show HEAD:p` 显示的是改动前的内容）；"
            "否则由 RV-05 和 EL-14 列出的词判断。"
        ),
        "ledger.commands.scratch_is_work": (
            "在临时目录里新建或删除东西（`rm -rf /tmp/x`、`mktemp -d`）算对工作树的改动，"
            "不论工作目录在哪里。"
        ),
        "ledger.commands.work": (
            "工作目录在哪里，只看它对“什么是临时文件”的影响：`apart` 与所有临时目录分开；"
            "在某个临时目录之中或之上（此时为其根路径）；`untold` 无人告知。"
        ),
        "ledger.paths": "如何规范化路径。",
        "ledger.background_from_start": ("后台命令从启动起即可作证（EL-16）；否则要等看到它结束。"),
        "ledger.host_state_changes": (
            "`remember`、`forget`、`kill_shell`、`set_session_title` 算改动（EL-07 第 5 行）。"
        ),
        "ledger.notes_change": "上述工具中只作记录的（除 `kill_shell` 外）也算改动。",
        "ledger.fleet_changes": "除子代理所做之外，`fleet` 本身也算一次改动（EL-07 第 5 行）。",
        "ledger.unknown_kill_changes": "对从未运行的任务使用 `kill_shell` 也算改动。",
        "ledger.suffix_paths": (
            "看过的路径覆盖以其结尾的每个较短路径，不计大小写（EL-05）；"
            "否则按工作区根目录解析后再比较。"
        ),
        "ledger.reads_go_stale": "在某路径最近一次改动之前看过的内容不能作证。",
        "ledger.names_are_content": (
            "只列名称的工具（`ls`、`glob`）或没有找到任何内容的搜索，"
            "也算显示了所给路径的内容（RV-04 E1、E3）。"
        ),
        "ledger.any_tool_names_files": (
            "参数中的每个路径键都指明一个文件，包括不按名称接收文件的工具（`ask`、`bash`）（EL-04）；"
            "否则这样的键不说明任何事。"
        ),
        "ledger.mentions_are_whole": (
            "命令中的路径两端没有更长的名称时才算提到该路径（`cat a.py.bak` 没有提到 `a.py`）。"
        ),
        "ledger.latest_run_decides": "最近一次运行失败的命令，不能由较早的成功证明。",
        "ledger.selection_outweighs": (
            "只选取部分测试的通过，可以抵消同一成果上未包含在内的失败：全部测试或另一部分测试。"
        ),
        "ledger.inconclusive_exits": (
            "对检查结果没有说明的退出码（未能启动、被中止或被终止）；"
            "这样的运行既不算通过也不算失败。"
        ),
        "ledger.empty_runs_pass": (
            "输出表明没有运行任何测试的检查也算通过；否则既不算通过也不算失败。"
        ),
        "ledger.flags_hide_changes": (
            "注册表的只读标记或只读角色使文件写入工具和 shell 命令不算改动（EL-07 第 1 行）；"
            "否则以它们所做的为准。"
        ),
        "ledger.failures_may_change": (
            "失败或被中止的命令，以及被中止的非文件工具调用，此前可能已有改动；"
            "否则认为它们没有改动任何东西。"
        ),
        "ledger.answered_only": (
            "对较早轮次只记得结果为 `ok` 的调用；"
            "否则记得除结果以 `error:` 或 `blocked:` 开头之外的全部"
            "调用，包括当前消息中尚无结果的调用（EL-19）。"
        ),
        "ledger.goal_keeps_ledger": (
            "同一目标的下一次运行沿用账本（EL-17）；否则每一轮都从空账本开始，尚欠的义务另行保存。"
        ),
        "risk.whole_words": (
            "危险词必须是路径某一段或文件名中的完整单词（`authors.md` 无害）；"
            "否则出现在路径任何位置都算。"
        ),
        "risk.documents_by_name": (
            "许可证等文件没有文档后缀也算文档，工作区根目录下的文档目录亦然（`docs/guide.html`）；"
            "程序或其依赖清单不算文档（`readme.py`、`requirements.txt`）。"
        ),
        "steps.stale_verification_refused": "早于最近一次改动的运行不能作证。",
        "steps.sources_mix": (
            "一项证据的各个路径可以部分由本轮、部分由较早轮次证明；否则必须由同一来源全部证明"
            "（CS-10、CS-11）。"
        ),
        "steps.step_ids": "条目可以用 `step_id` 指明，优先于序号和标题（CS-20）。",
        "steps.plan_criteria": "证据可以引用已批准计划的准则（CS-20）。",
        "steps.current_of_equals": (
            "标题相同的条目中签收当前的那个；否则签收第一个，即使它已完成。"
        ),
        "todo.completion_is_signed": "条目由签收完成，而不是由模型标记（TW-06）。",
        "todo.active_list_kept": "仍有未完成条目的清单不能清空（TW-09）。",
        "todo.step_ids": "条目可以带有稳定标识；标识唯一、须保留，并决定是否同一条目（TW-09）。",
        "todo.carried_list_recovers": (
            "从较早轮次带来的清单，也可以在签收被拒后恢复（TW-07）；否则本轮必须提交过清单。"
        ),
        "todo.rewording_keeps_identity": (
            "条目留在原位，且一种表述的词全部出现在另一种表述中时，仍是同一条目；"
            "只有先前清单中没有完全同名的条目时，签收或完成状态才转移给它。"
        ),
        "todo.disproof_recovers": (
            "证据本身对签收不利时（检查失败、过时或没有说明）也可以恢复；"
            "否则只有指错条目的签收可以恢复。"
        ),
        "todo.reopened_needs_signoff": "较早的签收不能完成后来的清单重新打开的条目。",
        "todo.told_list_agrees": "结果中关于清单的说法必须与已存储的清单一致（TW-10）。",
        "reviews.finding_lists": (
            "除 `findings` 外，"
            "还读取 `blocking_findings`、`non_blocking` 和 `required_changes`（RV-12）。"
        ),
        "reviews.coverage": "报告在何种情况下覆盖所要求的路径。",
        "reviews.evidence": "类型为 review 的证据以什么为依据。",
        "reviews.reviewers_only": "只有为评审而启动的运行，其报告才算数（RV-01）。",
        "goal.upgrade_after_continue": (
            "同一轮中 `continue` 之后的 `complete` 或 `blocked` 会取代它；否则为时已晚。"
        ),
        "goal.repeat_continue": (
            "相同的 `continue` 可以重复，不同的则为冲突；否则两者都为时已晚。"
        ),
        "goal.new_reads_are_progress": "首次查看某路径和新的搜索算可见进展。",
        "goal.continue_is_progress": "`continue` 报告使停滞计数归零，无论主机看到了什么。",
        "goal.refused_completion_is_progress": "`complete` 报告即使被拒绝，也使停滞计数归零。",
        "goal.evaluator_end_is_progress": (
            "由评估者结束的轮次与由报告结束的一样，使停滞计数归零。"
        ),
        "goal.continue_guides_next_prompt": (
            "`continue` 报告决定下一条提示和保存的原因；否则两者都按没有报告处理。"
        ),
        "goal.repeated_gap_accepted": (
            "仅因缺少检查而被拒绝过一次的完成声明，在再次声明且预设允许部分完成时被接受。"
        ),
        "goal.silent_turn_pauses": ("没有报告、也无法询问评估者的轮次使目标暂停；否则循环继续。"),
        "goal.exact_revision": "目标工具要指明所针对的标识和修订号。",
    }
)
"""Dotted name of a policy point -> what it means."""
