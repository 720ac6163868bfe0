"""Search files for a regular expression."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="grep",
    read_only=True,
    description=(
        "Search one file or a directory tree for a regular expression and return each matching "
        "line once as `path:line:text`. The expression is RE2 (no look-around, no "
        "back-references), case-sensitive unless it starts with `(?i)`, and is tested line by "
        "line. Hidden files, binary files, dependency directories and, in a git repository, "
        "ignored files are skipped; name a hidden or ignored directory as `path` to search it "
        "all the same. At most 200 lines are returned; a result that was cut or ran out of time "
        "says so."
    ),
    description_zh=(
        "在单个文件或目录树中搜索正则表达式，每个匹配行以 `路径:行号:文本` 返回一次。表达式为 "
        "RE2（不支持环视和反向引用），除非以 `(?i)` 开头，否则区分大小写，逐行匹配。跳过隐藏文"
        "件、二进制文件、依赖目录，以及 git 仓库中被忽略的文件；要搜索隐藏或被忽略的目录，请把"
        "它直接作为 `path`。最多返回 200 行；被截断或超时会注明。"
    ),
    arguments=s.record(
        {
            "pattern": s.string("The regular expression, in RE2 syntax."),
            "path": s.string('File or directory to search; "." if left out.'),
            "timeout_seconds": s.integer(
                "Stop the search after this many seconds and keep what was found: 30 if left out, "
                "at most 300.",
                minimum=1,
            ),
        },
        required=["pattern"],
    ),
)
