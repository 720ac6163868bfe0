"""Read the complete answer of a sub-agent, page by page."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="read_subagent_result",
    read_only=True,
    description=(
        "Read the complete final answer of a sub-agent that has ended, when a preview was "
        "shortened. Pages end at a character boundary; the answer tells the offset of the next "
        "page or that it was the last."
    ),
    description_zh=(
        "当预览被缩短时，分页读取已结束子代理的完整最终答复。每页在字符边界结束；答复会给出下一"
        "页的偏移或说明已到末尾。"
    ),
    arguments=s.record(
        {
            "ref": s.string("The reference, beginning with sa_."),
            "offset_bytes": s.integer("Where to start, in bytes; 0 if left out.", minimum=0),
            "limit_bytes": s.integer(
                "How many bytes to return; 12288 if left out.", minimum=1, maximum=24576
            ),
        },
        required=["ref"],
    ),
)
