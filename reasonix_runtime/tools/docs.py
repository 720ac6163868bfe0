"""Search and read the product's own documentation."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="docs",
    read_only=True,
    description=(
        "Look something up in the documentation that comes with this build; nothing is fetched. "
        "`search` ranks sections for a query, `read` returns a section by `section_id` or the "
        "section list of a document by `path`, `list` shows every document. Answers name the "
        "version of the documentation, so prefer them to what you remember about the product."
    ),
    description_zh=(
        "查阅随本版本附带的文档，不访问网络。`search` 按查询给章节排序，`read` 按 `section_id` "
        "返回章节或按 `path` 返回某文档的章节列表，`list` 列出所有文档。答复会注明文档版本，请"
        "优先相信它而不是你对产品的记忆。"
    ),
    arguments=s.record(
        {
            "operation": s.choice(
                ["search", "read", "list"],
                "search for sections, read one, or list the documents.",
            ),
            "query": s.string("What to search for.", maxLength=4096),
            "section_id": s.string("The section to read, by its exact id."),
            "path": s.string("A document, by its exact path; without section_id its sections."),
            "language": s.choice(
                ["auto", "all", "en", "zh-CN"],
                "Language of the documents; a search prefers that of the query if left out.",
            ),
            "audience": s.choice(
                ["all", "user", "developer", "maintainer"], "For whom; all if left out."
            ),
            "limit": s.integer(
                "How many sections a search returns; 5 if left out.", minimum=1, maximum=10
            ),
        },
        required=["operation"],
    ),
)
