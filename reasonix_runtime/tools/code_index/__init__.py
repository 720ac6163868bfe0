"""Outline or search the symbols of source files."""

from __future__ import annotations

from reasonix_runtime.tools import schema as s
from reasonix_runtime.tools.base import Declaration

DECLARATION = Declaration(
    name="code_index",
    read_only=True,
    description=(
        "List the symbols of a file or directory (action `outline`) or find where a name may be "
        "defined (action `search`), without a language server. Reads Go, JavaScript, "
        "TypeScript, Python, Java, Kotlin, C#, Rust, C and C++ by their grammars. It sees where "
        "names are written down, not what they refer to, so results are candidates to read, not "
        "proofs. Each line is `file:line: kind name — signature`. Filters are applied before "
        "the limit; a cut result says so. Use `grep` for text and the lsp tools for exact "
        "references."
    ),
    description_zh=(
        "列出文件或目录中的符号（action 为 `outline`），或查找某个名称可能的定义处（action 为 "
        "`search`），无需语言服务器。按语法读取 Go、JavaScript、TypeScript、Python、Java、"
        "Kotlin、C#、Rust、C 与 C++。它看到的是名称写在何处，而不是指向什么，因此结果只是待查看的"
        "候选，不是证明。每行格式为 `文件:行号: 种类 名称 — 签名`。先过滤再截断，截断时会注明。"
        "查文本用 `grep`，查准确引用用 lsp 工具。"
    ),
    arguments=s.record(
        {
            "action": s.choice(
                ["outline", "search"],
                "outline lists what is under path; search looks for definitions by name.",
            ),
            "path": s.string('File or directory to look at; "." if left out.'),
            "query": s.string(
                "The name, or a part of it, without regard to case; search needs it."
            ),
            "kind": s.string(
                "Only symbols of this kind: func, method, class, type, interface, const, var, "
                "struct, enum, trait and so on."
            ),
            "limit": s.integer(
                "How many symbols to return: 100 if left out, at most 200.", minimum=1
            ),
        },
        required=["action"],
    ),
)
