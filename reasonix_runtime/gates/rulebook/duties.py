"""Rules of duties: what writers owe by what they touched (FC)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="duties", points=("end_of_turn",))
_guard = partial(Rule, area="duties", points=("delivery.writers_are_guarded",))

RULES = (
    _rule(
        id="FC-05.V1",
        sentence="After a change a check of it ran.",
        sentence_zh="改动之后必须运行针对它的检查。",
        reasons=("obligation.targeted_verification",),
    ),
    _rule(
        id="FC-05.V2",
        sentence="After a change of schema, migration, interface, auth or secrets all checks "
        "passed, later than any change.",
        sentence_zh="改动数据结构、迁移、接口、认证或机密之后，全部检查必须在最后一次改动之后通过。",
        reasons=("obligation.full_verification",),
    ),
    _rule(
        id="FC-05.C2",
        sentence="A change of production files was looked at: read, shown, or reviewed.",
        sentence_zh="对生产文件的改动必须被查看：读取、显示或评审。",
        reasons=("obligation.diff_review",),
    ),
    _rule(
        id="FC-03.independent",
        sentence="A wide or interface change has a good review report that covers it.",
        sentence_zh="范围大或涉及接口的改动必须有覆盖它的合格评审报告。",
        reasons=("obligation.independent_review",),
    ),
    _rule(
        id="FC-03.security",
        sentence="A change of auth or secrets has a good security report that covers it.",
        sentence_zh="对认证或机密的改动必须有覆盖它的合格安全报告。",
        reasons=("obligation.security_review",),
    ),
    _rule(
        id="FC-03.signoff",
        sentence="A strict change is signed off after it was made.",
        sentence_zh="严格类改动完成后必须签收。",
        reasons=("obligation.signoff",),
    ),
    _rule(
        id="FC-03.list",
        sentence="A change that wants a task list has one.",
        sentence_zh="要求任务清单的改动必须有清单。",
        reasons=("obligation.acceptance_criteria",),
    ),
    _rule(
        id="FC-08.plan",
        sentence="Every criterion of an approved plan is proven by a sign-off that names it.",
        sentence_zh="已批准计划的每条准则都必须由指明它的签收证明。",
        reasons=("finish.criterion_unproven",),
    ),
    _rule(
        id="FC-11",
        sentence="Where all that is open may be left open (nothing strict, or a check that was "
        "declared as not run), the turn ends in part and says so.",
        sentence_zh="未完成项均可保留（没有严格义务，或检查已声明未运行）时，"
        "轮次以部分完成结束并说明。",
        reasons=("finish.partial",),
    ),
    _guard(
        id="FC-10.user",
        sentence="What the user forbade in so many words does not run.",
        sentence_zh="用户明确禁止的操作不得运行。",
        reasons=(
            "guard.mutation_forbidden",
            "guard.external_forbidden",
            "guard.tests_forbidden",
            "guard.command_forbidden",
        ),
    ),
    _guard(
        id="FC-10.P1",
        sentence="A change of a sensitive kind, or of a second production file, comes after a task "
        "list.",
        sentence_zh="敏感类改动，或对第二个生产文件的改动，必须先有任务清单。",
        reasons=("guard.preconditions_missing",),
    ),
    _guard(
        id="FC-10.P2",
        sentence="A tool that may write anything runs only where a person can be asked.",
        sentence_zh="可能写入任何内容的工具，只有在能够询问用户时才可运行。",
        reasons=("guard.opaque_writer_headless",),
    ),
)
