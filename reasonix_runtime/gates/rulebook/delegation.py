"""Rules of delegation (DG)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="delegation", points=("proxy_is_judged",))

RULES = (
    _rule(
        id="DG-1.args",
        sentence="The arguments decode; `parallel_tasks`, `fleet` and `read_subagent_result` take "
        "no unknown fields.",
        sentence_zh="参数必须可解析；`parallel_tasks`、`fleet` 和 `read_subagent_result` "
        "不接受未知字段。",
        reasons=("subagent.args",),
    ),
    _rule(
        id="DG-1.prompt",
        sentence="Every child has a prompt.",
        sentence_zh="每个子代理都必须有提示。",
        reasons=("subagent.prompt",),
    ),
    _rule(
        id="DG-1.profile",
        sentence="A profile that is named is that of a sub-agent.",
        sentence_zh="指定的配置必须是子代理的配置。",
        reasons=("subagent.profile",),
    ),
    _rule(
        id="DG-1.paths",
        sentence="A writer names paths of the workspace, and no patterns.",
        sentence_zh="写入者必须指明工作区内的路径，不得使用通配。",
        reasons=(
            "subagent.wp_blank",
            "subagent.wp_glob",
            "subagent.wp_outside",
        ),
    ),
    _rule(
        id="DG-1.reader",
        sentence="A child that only reads names no paths to write.",
        sentence_zh="只读的子代理不得指定写入路径。",
        reasons=("subagent.wp_readonly",),
    ),
    _rule(
        id="DG-1.depth",
        sentence="Children nest only so deep.",
        sentence_zh="子代理的嵌套深度有限。",
        reasons=("subagent.depth",),
    ),
    _rule(
        id="DG-1.tools",
        sentence="The tools of a call only narrow those of a profile, and leave some.",
        sentence_zh="调用给出的工具只能收窄配置的工具，且不得为空。",
        reasons=("subagent.tools_empty",),
    ),
    _rule(
        id="DG-1.no_tools",
        sentence="A child that only reads has a tool to read with.",
        sentence_zh="只读的子代理至少要有一个只读工具。",
        reasons=("subagent.no_tools",),
    ),
    _rule(
        id="DG-1.model",
        sentence="A model that is named can be resolved.",
        sentence_zh="指定的模型必须可用。",
        reasons=("subagent.model",),
    ),
    _rule(
        id="DG-1.jobs",
        sentence="A child runs in the background only where jobs do.",
        sentence_zh="只有支持后台任务时，子代理才能在后台运行。",
        reasons=("subagent.no_jobs",),
    ),
    _rule(
        id="DG-1.slot",
        sentence="A nested child never waits for a slot.",
        sentence_zh="嵌套的子代理不会等待名额。",
        reasons=("subagent.nested_full",),
    ),
    _rule(
        id="DG-1.queue",
        sentence="A background job without a slot waits for one.",
        sentence_zh="没有名额的后台任务会排队等待。",
        reasons=("subagent.queued",),
    ),
    _rule(
        id="DG-3.both",
        sentence="A run is carried on with or forked, not both.",
        sentence_zh="一次运行要么继续，要么分叉，不能两者兼有。",
        reasons=("subagent.cont_both",),
    ),
    _rule(
        id="DG-3.kept",
        sentence="Only a session that is kept has runs to carry on with.",
        sentence_zh="只有被保存的会话才有可继续的运行。",
        reasons=("subagent.cont_ephemeral",),
    ),
    _rule(
        id="DG-3.reference",
        sentence="A reference is well formed, free and that of a stored run.",
        sentence_zh="引用必须格式正确、未被占用，且指向已存储的运行。",
        reasons=(
            "subagent.ref_bad",
            "subagent.ref_busy",
        ),
    ),
    _rule(
        id="DG-3.owner",
        sentence="A run is carried on with by its own conversation, or as a copy by one that goes "
        "back to it.",
        sentence_zh="运行只能由其所属会话继续，或由其后继会话以副本继续。",
        reasons=(
            "subagent.ref_foreign",
            "subagent.copy",
        ),
    ),
    _rule(
        id="DG-3.same",
        sentence="Only a completed run of the same kind is carried on with.",
        sentence_zh="只能继续同类且已完成的运行。",
        reasons=(
            "subagent.ref_status",
            "subagent.ref_identity",
        ),
    ),
    _rule(
        id="DG-4",
        sentence="A run that is not kept returns its answer without a reference.",
        sentence_zh="不保存的运行只返回回答，没有引用。",
        reasons=("subagent.ephemeral",),
    ),
    _rule(
        id="DG-5",
        sentence="`parallel_tasks` runs 2 to 64 tasks.",
        sentence_zh="`parallel_tasks` 运行 2 至 64 个任务。",
        reasons=(
            "subagent.pt_none",
            "subagent.pt_one",
            "subagent.pt_many",
        ),
    ),
    _rule(
        id="DG-6.count",
        sentence="A fleet has 2 to 64 items.",
        sentence_zh="`fleet` 有 2 至 64 项。",
        reasons=("subagent.fleet_count",),
    ),
    _rule(
        id="DG-6.overlap",
        sentence="No two writers of a fleet could write the same; nothing starts before that is "
        "known.",
        sentence_zh="`fleet` 中任何两个写入者都不得有可能写入同一处；确认之前不启动任何一个。",
        reasons=(
            "subagent.fleet_overlap",
            "subagent.fleet_start",
        ),
    ),
    _rule(
        id="DG-7",
        sentence="Many answers come back as one result: each with its status, and with an equal "
        "share of it.",
        sentence_zh="多个回答合为一个结果：各带状态，并平分篇幅。",
        reasons=("subagent.preview",),
    ),
    _rule(
        id="DG-7.cancelled",
        sentence="A cancelled group tells what was done, as an error.",
        sentence_zh="被取消的一组以错误告知已完成的部分。",
        reasons=("subagent.cancelled",),
    ),
    _rule(
        id="DG-8.arguments",
        sentence="A page of an answer names a reference, an offset from 0 and a limit of 1 to "
        "24576 bytes.",
        sentence_zh="回答的分页须给出引用、从 0 起的偏移和 1 至 24576 字节的上限。",
        reasons=(
            "subagent_result.ref",
            "subagent_result.offset",
            "subagent_result.limit",
        ),
    ),
    _rule(
        id="DG-8.kept",
        sentence="Answers are read where runs are stored, in a session that is kept.",
        sentence_zh="只有存储运行且会话被保存时才能读取回答。",
        reasons=(
            "subagent_result.store",
            "subagent_result.ephemeral",
        ),
    ),
    _rule(
        id="DG-8.owner",
        sentence="An answer is read by its own conversation or one that goes back to it, in its "
        "workspace.",
        sentence_zh="回答只能由其所属会话或其后继会话在同一工作区读取。",
        reasons=(
            "subagent_result.lineage",
            "subagent_result.workspace",
        ),
    ),
    _rule(
        id="DG-8.answer",
        sentence="Only the answer of a completed run is read.",
        sentence_zh="只能读取已完成运行的回答。",
        reasons=(
            "subagent_result.status",
            "subagent_result.empty",
        ),
    ),
    _rule(
        id="DG-8.offset",
        sentence="An offset lies within the answer, at a character.",
        sentence_zh="偏移量必须在回答之内并位于字符边界。",
        reasons=(
            "subagent_result.range",
            "subagent_result.rune",
        ),
    ),
    _rule(
        id="DG-8.page",
        sentence="A page says where it ends and whether more remains.",
        sentence_zh="每页说明其终点以及是否还有后续。",
        reasons=("subagent_result.page",),
    ),
)
