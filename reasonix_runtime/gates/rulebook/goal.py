"""Rules of the goal tool and of the goal machine (GC calls, GL life, GT end of turn, GR revisions).

Each reason code is that of a row of `gates/goal/machine.py` or of a check of `gates/goal/report.py`
and `gates/goal/ungated.py`.
"""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="goal")

_CALLS = (
    _rule(
        id="GC-01",
        sentence="The arguments of a report have the JSON types of the schema.",
        sentence_zh="报告的参数必须符合参数结构规定的 JSON 类型。",
        reasons=("goal.args",),
    ),
    _rule(
        id="GC-02",
        sentence="The status is `continue`, `complete` or `blocked`; another word never defaults.",
        sentence_zh="状态只能是 `continue`、`complete` 或 `blocked`；其他取值不会被当作默认值。",
        reasons=("goal.status",),
    ),
    _rule(
        id="GC-03",
        sentence="A `continue` or `blocked` report says why.",
        sentence_zh="`continue` 或 `blocked` 报告必须说明原因。",
        reasons=("goal.reason",),
    ),
    _rule(
        id="GC-04",
        sentence="No entry of `completion.verified` is blank, whatever the status.",
        sentence_zh="无论状态如何，`completion.verified` 中不得有空白条目。",
        reasons=("goal.verified_blank",),
    ),
    _rule(
        id="GC-05",
        sentence="Without a running goal turn there is nothing to report on; the call fails.",
        sentence_zh="没有正在运行的目标轮次，就没有可报告的内容：调用必须失败且不改变任何状态。",
        reasons=("goal.no_turn",),
    ),
    _rule(
        id="GC-06",
        sentence="The goal is the one that the turn began with: same scope, same epoch, running.",
        sentence_zh="目标必须仍是本轮开始时的那个：范围相同、纪元相同、正在运行。",
        reasons=("goal.stale",),
    ),
    _rule(
        id="GC-07",
        sentence="After a terminal report the turn takes no other, not even an equal one.",
        sentence_zh="终结性报告之后，本轮不再接受任何报告，即使内容相同。",
        reasons=("goal.final",),
        points=("goal.upgrade_after_continue", "goal.repeat_continue"),
    ),
    _rule(
        id="GC-08",
        sentence="The first report of a turn is taken as its candidate.",
        sentence_zh="一轮中的第一个报告被记为候选。",
        reasons=("goal.recorded",),
    ),
    _rule(
        id="GC-09",
        sentence="An equal `continue` may be repeated and changes nothing.",
        sentence_zh="相同的 `continue` 可以重复，且不改变任何内容。",
        reasons=("goal.same",),
        points=("goal.repeat_continue",),
    ),
    _rule(
        id="GC-10",
        sentence="A `continue` may be raised to `complete` or `blocked` in the same turn.",
        sentence_zh="同一轮中，`continue` 可以升级为 `complete` 或 `blocked`。",
        reasons=("goal.upgrade",),
        points=("goal.upgrade_after_continue",),
    ),
    _rule(
        id="GC-11",
        sentence="A second, different `continue` is refused and the first one stays.",
        sentence_zh="第二个不同的 `continue` 被拒绝，第一个保留。",
        reasons=("goal.conflict",),
        points=("goal.repeat_continue",),
    ),
)

_LIFE = (
    _rule(
        id="GL-01",
        sentence="Setting a goal opens a new scope, adds one to the epoch and derives its budget "
        "from its text.",
        sentence_zh="设定目标会开启新范围、纪元加一，并按文字推导预算。",
        reasons=("goal_life.set",),
    ),
    _rule(
        id="GL-02",
        sentence="Setting the running goal again changes nothing.",
        sentence_zh="再次设定正在运行的同一目标不产生任何变化。",
        reasons=("goal_life.set_noop",),
    ),
    _rule(
        id="GL-03",
        sentence="A goal that cannot be stored is not set: memory goes back to what is stored.",
        sentence_zh="无法保存的目标不算设定：内存恢复为已保存的内容。",
        reasons=("goal_life.save_rollback",),
    ),
    _rule(
        id="GL-04",
        sentence="Clearing takes the goal, its scope and its counters away.",
        sentence_zh="清除会去掉目标、范围和计数。",
        reasons=("goal_life.clear",),
    ),
    _rule(
        id="GL-05",
        sentence="Stopping a running goal keeps its text and ends the loop.",
        sentence_zh="停止正在运行的目标会保留文字并结束循环。",
        reasons=("goal_life.stop",),
    ),
    _rule(
        id="GL-06",
        sentence="Stopping what does not run only makes earlier prompts and reports void.",
        sentence_zh="停止未在运行的目标只会使先前的提示和报告失效。",
        reasons=("goal_life.stop_idle",),
    ),
    _rule(
        id="GL-07",
        sentence="A pause blocks a running goal with a cause and keeps its counters.",
        sentence_zh="暂停以某个原因阻塞正在运行的目标，计数保留。",
        reasons=("goal_life.pause",),
    ),
    _rule(
        id="GL-08",
        sentence="A pause of what does not run changes nothing.",
        sentence_zh="对未在运行的目标暂停不产生任何变化。",
        reasons=("goal_life.pause_idle",),
    ),
    _rule(
        id="GL-09",
        sentence="Only a goal that has a text and is not reached can be resumed.",
        sentence_zh="只有仍有文字且尚未达成的目标才能恢复。",
        reasons=("goal_life.resume_refused",),
    ),
    _rule(
        id="GL-10",
        sentence="Resuming after a spent budget or a stall adds one quota of the goal's class.",
        sentence_zh="预算用尽或停滞之后恢复，会增加一份该类别的配额。",
        reasons=("goal_life.resume_extend",),
    ),
    _rule(
        id="GL-11",
        sentence="Resuming with budget left adds nothing, and the stall counter starts again.",
        sentence_zh="预算未用尽时恢复不增加配额，停滞计数重新开始。",
        reasons=("goal_life.resume",),
    ),
    _rule(
        id="GL-12",
        sentence="A stored goal is taken as it stands; a file that cannot be read changes nothing "
        "and is reported.",
        sentence_zh="已保存的目标按原样取用；无法读取的文件不改变任何内容，但会被报告。",
        reasons=("goal_life.restore",),
    ),
    _rule(
        id="GL-13",
        sentence="A goal paused by the token ceiling of the past runs again once it is loaded.",
        sentence_zh="因旧版 token 上限而暂停的目标，加载后重新运行。",
        reasons=("goal_life.restore_migrate",),
    ),
    _rule(
        id="GL-14",
        sentence="Tokens are added to the goal of the same scope and epoch; they never pause it.",
        sentence_zh="token 用量只计入范围与纪元都相同的目标，且绝不会使其暂停。",
        reasons=("goal_life.usage",),
    ),
    _rule(
        id="GL-15",
        sentence="Late usage of a goal that was replaced is dropped.",
        sentence_zh="已被替换的目标的迟到用量会被丢弃。",
        reasons=("goal_life.usage_stale",),
    ),
    _rule(
        id="GL-16",
        sentence="A continuation prompt is sent for the goal and the epoch it was made for.",
        sentence_zh="继续运行的提示只发给它所属的目标和纪元。",
        reasons=("goal_life.admit",),
    ),
    _rule(
        id="GL-17",
        sentence="A continuation that was prepared for an older epoch is not sent.",
        sentence_zh="为较早纪元准备的继续提示不会发送。",
        reasons=("goal_life.admit_stale",),
    ),
    _rule(
        id="GL-18",
        sentence="A new session starts without a goal; that of the old one stays in its file.",
        sentence_zh="新会话开始时没有目标；旧会话的目标保留在其文件中。",
        moves=("goal_life.new_session",),
    ),
)

_TURNS = (
    _rule(
        id="GT-epoch",
        sentence="A turn whose goal was replaced or stopped is not counted and changes nothing.",
        sentence_zh="目标已被替换或停止的轮次不计数，也不改变任何内容。",
        reasons=("goal_turn.epoch",),
    ),
    _rule(
        id="GT-idle",
        sentence="The end of a turn without a running goal changes nothing.",
        sentence_zh="没有正在运行的目标时，轮次结束不改变任何内容。",
        reasons=("goal_turn.idle",),
    ),
    _rule(
        id="GT-1",
        sentence="One `blocked` report ends the loop at once, whatever the budget.",
        sentence_zh="一个 `blocked` 报告立即结束循环，与预算无关。",
        reasons=("goal_turn.blocked",),
    ),
    _rule(
        id="GT-2",
        sentence="An evaluator that says blocked ends the loop like a report.",
        sentence_zh="评估者判定受阻时，与报告一样结束循环。",
        reasons=("goal_turn.blocked_eval",),
        points=("goal.evaluator_end_is_progress",),
    ),
    _rule(
        id="GT-3",
        sentence="A claimed completion is accepted when no task is open and nothing is missing.",
        sentence_zh="没有未完成任务且没有缺失时，才接受完成声明。",
        reasons=("goal_turn.complete",),
        points=("goal.evaluator_end_is_progress",),
    ),
    _rule(
        id="GT-3r",
        sentence="A completion that was refused for missing checks alone is accepted when the same "
        "gap is claimed again and the preset allows partial completion.",
        sentence_zh="仅因缺少检查而被拒绝的完成，在预设允许部分完成、且缺口相同时再次声明即被接受。",
        reasons=("goal_turn.complete_repeat",),
        points=("goal.repeated_gap_accepted",),
    ),
    _rule(
        id="GT-4",
        sentence="An evaluator that fails, is missing or cannot judge pauses the goal.",
        sentence_zh="评估者失败、缺失或无法判断时，目标暂停。",
        reasons=("goal_turn.eval_down",),
        points=("goal.silent_turn_pauses",),
    ),
    _rule(
        id="GT-5",
        sentence="A spent turn budget pauses the goal before any further request.",
        sentence_zh="轮次预算用尽时，在任何后续请求之前暂停目标。",
        reasons=("goal_turn.turns",),
    ),
    _rule(
        id="GT-6",
        sentence="Turns without visible progress pause the goal at the stall limit.",
        sentence_zh="连续没有可见进展的轮次达到停滞上限时，目标暂停。",
        reasons=("goal_turn.stall",),
        points=(
            "goal.new_reads_are_progress",
            "goal.continue_is_progress",
            "goal.refused_completion_is_progress",
        ),
    ),
    _rule(
        id="GT-7a",
        sentence="A completion that is not accepted, or a silent turn with something missing, goes "
        "on with the list of what is missing.",
        sentence_zh="完成声明未被接受，或没有报告且仍有缺失时，下一轮以缺失清单开始。",
        reasons=("goal_turn.not_ready",),
    ),
    _rule(
        id="GT-7b",
        sentence="A `continue` report goes on with its `next_action`, else the standing prompt.",
        sentence_zh="`continue` 报告之后，下一轮以其 `next_action` 开始；没有时使用固定提示。",
        reasons=("goal_turn.continue",),
        points=("goal.continue_guides_next_prompt",),
    ),
    _rule(
        id="GT-7d",
        sentence="An evaluator that says continue goes on with the standing prompt.",
        sentence_zh="评估者判定继续时，下一轮以固定提示开始。",
        reasons=("goal_turn.continue_eval",),
        points=("goal.silent_turn_pauses",),
    ),
)

_REVISIONS = (
    _rule(
        id="GR-01",
        sentence="Hosts with revisions take a goal call whose arguments fit the schema exactly.",
        sentence_zh="使用修订号的主机只接受参数完全符合参数结构的目标调用。",
        reasons=("goal_revision.args",),
        points=("goal.exact_revision",),
    ),
    _rule(
        id="GR-02",
        sentence="A session has one goal; another is created when the first is reached.",
        sentence_zh="一个会话只有一个目标；达成之后才能创建另一个。",
        reasons=("goal_revision.exists",),
        points=("goal.exact_revision",),
    ),
    _rule(
        id="GR-03",
        sentence="Without a goal, with the id of another one, or where goals are not in use, "
        "nothing changes.",
        sentence_zh="没有目标、标识属于另一个目标或未启用目标时，不改变任何内容。",
        reasons=("goal_revision.no_goal", "goal_revision.other_goal", "goal_revision.no_context"),
        points=("goal.exact_revision",),
    ),
    _rule(
        id="GR-04",
        sentence="A call names the revision that the goal is at.",
        sentence_zh="调用必须指明目标当前的修订号。",
        reasons=("goal_revision.stale",),
        points=("goal.exact_revision",),
    ),
    _rule(
        id="GR-05",
        sentence="Edit, pause and resume need an order of the person in the same turn, and what "
        "the person paused is resumed by the person.",
        sentence_zh="编辑、暂停和恢复需要用户在同一轮中的指令；用户暂停的目标由用户恢复。",
        reasons=("goal_revision.no_order", "goal_revision.user_paused"),
        points=("goal.exact_revision",),
    ),
    _rule(
        id="GR-06",
        sentence="A blocked goal says by what it is blocked, an edit says what it edits; no action "
        "says what belongs to another one, and an objective is not blank.",
        sentence_zh="受阻的目标必须说明受阻原因，编辑必须说明修改内容；任何动作都不得带有属于其他动作的"
        "字段，目标内容不得为空白。",
        reasons=(
            "goal_revision.blocked_reason",
            "goal_revision.nothing_edited",
            "goal_revision.other_fields",
            "goal_revision.objective",
        ),
        points=("goal.exact_revision",),
    ),
    _rule(
        id="GR-07",
        sentence="A call that names the goal and its revision is carried out and adds a revision.",
        sentence_zh="指明目标及其修订号的调用会被执行，并使修订号加一。",
        reasons=("goal_revision.taken",),
        points=("goal.exact_revision",),
    ),
    _rule(
        id="GR-08",
        sentence="Only an active goal is paused, blocked or completed, and only one that waits is "
        "resumed.",
        sentence_zh="只有进行中的目标才能暂停、受阻或完成，只有等待中的目标才能恢复。",
        reasons=("goal_revision.transition",),
        points=("goal.exact_revision",),
    ),
    _rule(
        id="GR-09",
        sentence="A round that the host began by itself reports a block after three rounds.",
        sentence_zh="主机自行开始的轮次要在三轮之后才能报告受阻。",
        reasons=("goal_revision.too_early",),
        points=("goal.exact_revision",),
    ),
)

RULES = (*_CALLS, *_LIFE, *_TURNS, *_REVISIONS)
