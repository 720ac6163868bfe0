"""Rules of the task list, `todo_write` (TW)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="todo")

RULES = (
    _rule(
        id="TW-01",
        sentence="Each item has a title, a level of 0 or 1, and one of the three statuses.",
        sentence_zh="每个条目必须有标题、层级 0 或 1，以及三种状态之一。",
        reasons=(
            "todo_write.content_missing",
            "todo_write.level_invalid",
            "todo_write.status_invalid",
        ),
    ),
    _rule(
        id="TW-02.1",
        sentence="At most one item of the list is in progress.",
        sentence_zh="清单中最多只有一个条目处于进行中。",
        reasons=("todo_write.two_current",),
    ),
    _rule(
        id="TW-02.2",
        sentence="A sub-step stands below a phase.",
        sentence_zh="子步骤必须位于某个阶段之下。",
        reasons=("todo_write.orphan_substep",),
    ),
    _rule(
        id="TW-02.3",
        sentence="Completed items stand before everything unfinished, in the list and in a phase.",
        sentence_zh="无论在清单还是阶段中，已完成的条目都排在未完成的条目之前。",
        reasons=("todo_write.completed_not_prefix",),
    ),
    _rule(
        id="TW-02.4",
        sentence="A phase is not completed before its sub-steps.",
        sentence_zh="阶段不能先于其子步骤完成。",
        reasons=("todo_write.phase_done_early",),
    ),
    _rule(
        id="TW-02.5",
        sentence="A phase is not in progress while one of its sub-steps is open.",
        sentence_zh="有未完成子步骤时，阶段本身不能处于进行中。",
        reasons=("todo_write.phase_current_early",),
    ),
    _rule(
        id="TW-02.7",
        sentence="The current item is the first unfinished one.",
        sentence_zh="当前条目必须是第一个未完成的条目。",
        reasons=("todo_write.current_not_first",),
    ),
    _rule(
        id="TW-02.8",
        sentence="A list with open items has a current item.",
        sentence_zh="有未完成条目的清单必须有当前条目。",
        reasons=("todo_write.no_current",),
    ),
    _rule(
        id="TW-04",
        sentence="The current item survives a new list and does not go back to pending.",
        sentence_zh="当前条目在新清单中必须保留，且不能退回待办。",
        reasons=("todo_write.current_dropped", "todo_write.current_demoted"),
        points=("todo.rewording_keeps_identity", "todo.step_ids"),
    ),
    _rule(
        id="TW-05",
        sentence="Completed items keep their place, and stay completed while the list is open.",
        sentence_zh="已完成的条目保持原位，并且在清单未完成期间保持完成状态。",
        reasons=("todo_write.completed_moved", "todo_write.history_changed"),
        points=("todo.rewording_keeps_identity", "todo.step_ids"),
    ),
    _rule(
        id="TW-06",
        sentence="An item is completed by a sign-off, or by recovery from a refused one (TW-07).",
        sentence_zh="条目由签收完成，或由被拒签收后的恢复（TW-07）完成。",
        reasons=("todo_write.completed_unsigned",),
        points=(
            "todo.completion_is_signed",
            "todo.carried_list_recovers",
            "todo.disproof_recovers",
            "todo.reopened_needs_signoff",
            "todo.rewording_keeps_identity",
        ),
    ),
    _rule(
        id="TW-06.first",
        sentence="A first list starts with open items only.",
        sentence_zh="首个清单只能包含未完成的条目。",
        reasons=("todo_write.initial_completed",),
        points=("todo.completion_is_signed",),
    ),
    _rule(
        id="TW-09.id",
        sentence="Stable ids are unique, and an item that keeps its wording keeps its id.",
        sentence_zh="稳定标识必须唯一，文字不变的条目必须保留其标识。",
        reasons=("todo_write.step_id_duplicate", "todo_write.step_id_dropped"),
        points=("todo.step_ids",),
    ),
    _rule(
        id="TW-09.clear",
        sentence="A list with open items is not emptied.",
        sentence_zh="仍有未完成条目的清单不能清空。",
        reasons=("todo_write.active_list_cleared",),
        points=("todo.active_list_kept",),
    ),
    _rule(
        id="TW-10",
        sentence="What a result tells of the list is what the host stored: its numbers, and that "
        "nothing is left.",
        sentence_zh="结果中关于清单的说法必须与主机存储的清单一致：条目数量，以及是否已无剩余。",
        reasons=("todo.told_otherwise",),
        points=("todo.told_list_agrees",),
    ),
)
