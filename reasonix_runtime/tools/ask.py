"""Put multiple-choice questions to the user."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="ask",
    read_only=True,
    description=(
        "Ask the user one to four multiple-choice questions at once and return the choices. Use "
        "it when a decision is the user's to make and a wrong guess would be costly; put the "
        "option that you recommend first. Option labels are unique within a question. If a "
        "question stays unanswered, do not choose for the user and do not act on it. Where no "
        "user is present the answer says so: go on with the safest option that can be undone, "
        "and call it your assumption."
    ),
    description_zh=(
        "一次向用户提出一到四个选择题并返回选择。当决定权在用户、猜错代价较大时使用；把推荐的选"
        "项放在最前。同一问题中的选项标签不得重复。若问题未被回答，不要替用户选择，也不要据此行"
        "动。没有用户在场时答复会说明：请采用最安全且可撤销的选项，并说明这是你的假设。"
    ),
    arguments=s.record(
        {
            "questions": s.array(
                s.record(
                    {
                        "header": s.string("A word or two, the question's tab label."),
                        "question": s.string("The whole question."),
                        "options": s.array(
                            s.record(
                                {
                                    "label": s.string("The choice."),
                                    "description": s.string("What choosing it means, in a line."),
                                },
                                required=["label"],
                            ),
                            "Two to four choices, the recommended one first.",
                            minItems=2,
                            maxItems=4,
                        ),
                        "multiSelect": s.boolean("Whether several choices may be taken."),
                    },
                    required=["header", "options", "question"],
                ),
                "One to four questions, shown together.",
                minItems=1,
                maxItems=4,
            )
        },
        required=["questions"],
    ),
)
