"""Rules before a call and at the end of a turn (DL)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="delivery")

RULES = (
    _rule(
        id="DL-01",
        sentence="While a plan is made, no step of it is signed off.",
        sentence_zh="制定计划期间不得签收任何步骤。",
        reasons=("guard.planning",),
    ),
    _rule(
        id="DL-02.G0",
        sentence="After a change of the same message failed, no check and no change runs that "
        "could build on it; bookkeeping and reads do.",
        sentence_zh="同一条消息中的改动失败后，可能建立在其上的检查和改动都不得运行；记录与读取照常。",
        reasons=("preflight.failed_change_barrier",),
    ),
    _rule(
        id="DL-02.G1",
        sentence="A check is not followed by printing `$?`, which would make the call succeed.",
        sentence_zh="检查之后不得再打印 `$?`，否则调用总会显示成功。",
        reasons=("preflight.exit_masked",),
        points=("ledger.commands",),
    ),
    _rule(
        id="DL-02.G2",
        sentence="One command does not change and check: in a closed loop never, else not where "
        "the failure of the change can be hidden.",
        sentence_zh="一条命令不得同时改动并检查：闭环中一律禁止，普通轮次中在可能掩盖改动失败时禁止。",
        reasons=("preflight.mixed_mutation_verification",),
        points=("ledger.commands",),
    ),
    _rule(
        id="DL-02.G3",
        sentence="An inline program is the last part of a command whose status can be hidden.",
        sentence_zh="在退出状态可能被掩盖的命令中，内联程序必须是最后一部分。",
        reasons=("preflight.inline_nonterminal",),
    ),
    _rule(
        id="DL-02.G4",
        sentence="In a closed loop no program text is given on a command line.",
        sentence_zh="闭环中不得在命令行上直接给出程序文本。",
        reasons=("preflight.inline_opaque",),
    ),
    _rule(
        id="DL-02.G5",
        sentence="In a closed loop a change or a check comes after acceptance criteria: a task "
        "list, or a goal that carries them.",
        sentence_zh="闭环中，改动或检查之前必须有验收准则：任务清单，或带有准则的目标。",
        reasons=("preflight.criteria_required",),
        points=("delivery.changes_need_task", "delivery.host_state_needs_task"),
    ),
    _rule(
        id="DL-02.G6",
        sentence="In a closed loop a change belongs to a task that is in progress.",
        sentence_zh="闭环中，每次改动都必须属于一个进行中的任务。",
        reasons=("preflight.active_todo_required",),
        points=("delivery.changes_need_task", "delivery.host_state_needs_task"),
    ),
    _rule(
        id="DL-05.F2",
        sentence="A turn with progress ends with its task list done.",
        sentence_zh="有进展的轮次结束时，任务清单必须全部完成。",
        reasons=("finish.todos_incomplete",),
    ),
    _rule(
        id="DL-05.F10",
        sentence="After a change every declared project check has passed.",
        sentence_zh="改动之后，项目声明的每项检查都必须通过。",
        reasons=("finish.project_check_missing",),
        points=("end_of_turn",),
    ),
    _rule(
        id="DL-05.answer",
        sentence="A turn does not end with an empty answer.",
        sentence_zh="轮次不得以空白回答结束。",
        reasons=("finish.answer_missing",),
        points=("delivery.empty_answer_refused",),
    ),
    _rule(
        id="DL-06.O1",
        sentence="A closed loop has acceptance criteria.",
        sentence_zh="闭环必须有验收准则。",
        reasons=("finish.criteria_missing",),
        points=("end_of_turn",),
    ),
    _rule(
        id="DL-06.O2",
        sentence="A closed loop signs a step off after its latest change.",
        sentence_zh="闭环必须在最近一次改动之后签收步骤。",
        reasons=("finish.signoff_missing",),
        points=("end_of_turn",),
    ),
    _rule(
        id="DL-06.O3",
        sentence="A verification passed after the latest change.",
        sentence_zh="最近一次改动之后必须有验证通过。",
        reasons=("finish.verification_missing",),
        points=("end_of_turn", "delivery.risk_scope"),
    ),
    _rule(
        id="DL-06.O4",
        sentence="What was changed was looked at after the change.",
        sentence_zh="改动之后必须查看过被改动的内容。",
        reasons=("finish.inspection_missing",),
        points=(
            "end_of_turn",
            "delivery.risk_scope",
            "ledger.failures_may_change",
            "ledger.flags_hide_changes",
        ),
    ),
    _rule(
        id="DL-08.T1",
        sentence="A request for observable work in a closed loop is not answered without any.",
        sentence_zh="闭环中要求可观察工作的请求，不得在毫无工作的情况下作答。",
        reasons=("finish.no_action",),
        points=("delivery.text_expects",),
    ),
    _rule(
        id="DL-08.T2",
        sentence="A request to remember for good ends with `remember`.",
        sentence_zh="要求长期记住的请求必须调用 `remember`。",
        reasons=("finish.memory_not_saved",),
        points=("delivery.text_expects",),
    ),
    _rule(
        id="DL-08.T3",
        sentence="A request for a change in a closed loop ends with a change.",
        sentence_zh="闭环中要求改动的请求必须有实际改动。",
        reasons=("finish.mutation_missing",),
        points=("delivery.text_expects",),
    ),
    _rule(
        id="DL-10.success",
        sentence="A write that already succeeded twice with equal arguments is not repeated.",
        sentence_zh="以相同参数成功两次的写入不得再重复。",
        reasons=("guard.repeat_success",),
    ),
    _rule(
        id="DL-10.failure",
        sentence="A write that failed twice with the same error is not tried again unchanged.",
        sentence_zh="以相同错误失败两次的写入不得原样再试。",
        reasons=("guard.repeat_failure",),
    ),
    _rule(
        id="DL-10.anchor",
        sentence="A range of a file that was written in this turn is deleted only after the file "
        "was read in full.",
        sentence_zh="本轮写过的文件，须先完整读取，才能按锚点删除其中一段。",
        reasons=("guard.stale_anchor",),
    ),
    _rule(
        id="DL-10.pass",
        sentence="A run that a loop guard stopped may report what blocks it; what that is worth at "
        "the end of the turn is a policy point.",
        sentence_zh="被循环防护停下的运行可以报告阻碍；它在轮次结束时的效力是一个策略点。",
        reasons=("finish.loop_guard",),
        points=("delivery.guard_release",),
    ),
)
