"""Sign off one step of the task list with evidence that the host checks."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="complete_step",
    read_only=True,
    description=(
        "Sign off the step of the task list that is in progress, with evidence that the host "
        "compares with what really ran; on success the host marks the step `completed` and "
        "starts the next one, so do not repeat that with `todo_write`. Name the step by "
        "`step_index` or `step`. `result` says what is true now. Each evidence item has a "
        "`kind` and a `summary`: `verification` needs the `command` that was run and passed, "
        "`diff` and `files` need the `paths` as they were written in the calls that changed or "
        "read them, `review` rests on a completed review newer than the last change, `manual` "
        "is taken as unverified. Cite only what happened, after it happened: run the check "
        "first, then sign off in a later response. A command that failed, was never run, or "
        "whose exit status was masked is refused, with the reason. Sign off one step per "
        "response."
    ),
    description_zh=(
        "为任务清单中正在进行的步骤签收，证据由主机与真实执行记录核对；成功后主机会把该步骤标为"
        " `completed` 并启动下一步，无需再用 `todo_write` 重复。用 `step_index` 或 `step` 指明"
        "步骤；`result` 说明现在成立的事实。每条证据都有 `kind` 和 `summary`：`verification` 需"
        "要确实运行且通过的 `command`；`diff` 与 `files` 需要 `paths`，写法与修改或读取它们的调"
        "用一致；`review` 依据最后一次改动之后完成的评审；`manual` 视为未验证。只引用已经发生的"
        "事：先运行检查，再在之后的回复中签收。失败的、从未运行的或退出码被掩盖的命令会被拒绝并"
        "说明原因。每次回复只签收一个步骤。"
    ),
    arguments=s.record(
        {
            "step": s.string("The step's text as it stands in the task list, or its number."),
            "step_index": s.integer(
                "Position in the task list, counted from 1; decides when step is given as well.",
                minimum=1,
            ),
            "result": s.string("What holds now that the step is done."),
            "evidence": s.array(
                s.record(
                    {
                        "kind": s.choice(
                            ["verification", "review", "diff", "files", "manual"],
                            "What backs the claim: verification requires command; diff and files "
                            "require paths.",
                        ),
                        "summary": s.string("What this item shows, in one sentence."),
                        "command": s.string(
                            "The command as it was run; required for kind verification."
                        ),
                        "paths": s.array(
                            s.string(),
                            "The files, spelled as in the calls that touched them; required for "
                            "kinds diff and files.",
                        ),
                    },
                    required=["kind", "summary"],
                ),
                "One item or more; every one of them is checked.",
                minItems=1,
            ),
            "notes": s.string("Anything worth keeping that is no evidence."),
        },
        required=["result", "evidence"],
    ),
)
