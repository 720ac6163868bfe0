"""Rules of reading a stored result page by page (PG)."""

from __future__ import annotations

from functools import partial

from reasonix_runtime.gates.rule import Rule

_rule = partial(Rule, area="result_pages", points=("proxy_is_judged",))

RULES = (
    _rule(
        id="PG-1",
        sentence="An agent reads the results of its own session, where it has one.",
        sentence_zh="代理只能读取自己会话的结果，且必须有会话。",
        reasons=("page.no_session",),
    ),
    _rule(
        id="PG-2",
        sentence="The answer of a sub-agent is read with `read_subagent_result`.",
        sentence_zh="子代理的回答用 `read_subagent_result` 读取。",
        reasons=("page.sa",),
    ),
    _rule(
        id="PG-3",
        sentence="A page names the call whose result it shows.",
        sentence_zh="分页必须指明结果所属的调用。",
        reasons=("page.id_missing",),
    ),
    _rule(
        id="PG-4",
        sentence="Offsets count bytes from 0.",
        sentence_zh="偏移量从 0 起按字节计。",
        reasons=("page.offset_neg",),
    ),
    _rule(
        id="PG-5",
        sentence="A limit is 1 to 24576 bytes, and 0 for the default; it is never clamped.",
        sentence_zh="上限为 1 至 24576 字节，0 表示默认值；不会自动截取。",
        reasons=("page.limit",),
    ),
    _rule(
        id="PG-6",
        sentence="The session has a result of that call.",
        sentence_zh="会话中必须有该调用的结果。",
        reasons=("page.notfound",),
    ),
    _rule(
        id="PG-7",
        sentence="A reference that is given is that of a result of that call.",
        sentence_zh="给出的引用必须属于该调用的某个结果。",
        reasons=("page.ref_mismatch",),
    ),
    _rule(
        id="PG-8",
        sentence="Of several results of one call the reference chooses.",
        sentence_zh="同一调用有多个结果时，由引用选定。",
        reasons=("page.ambiguous",),
    ),
    _rule(
        id="PG-9",
        sentence="A result that was cut is read by the reference of its marker.",
        sentence_zh="被截断的结果须用标记中的引用读取。",
        reasons=("page.ref_needed",),
    ),
    _rule(
        id="PG-10",
        sentence="Pages are cut from a complete copy.",
        sentence_zh="分页取自完整副本。",
        reasons=("page.legacy",),
    ),
    _rule(
        id="PG-11",
        sentence="A body that is paged is valid UTF-8.",
        sentence_zh="分页的正文必须是有效的 UTF-8。",
        reasons=("page.utf8",),
    ),
    _rule(
        id="PG-12",
        sentence="An offset lies within the body or at its end.",
        sentence_zh="偏移量必须在正文之内或恰在末尾。",
        reasons=("page.offset_range",),
    ),
    _rule(
        id="PG-13",
        sentence="An offset stands at a character.",
        sentence_zh="偏移量必须位于字符边界。",
        reasons=("page.offset_rune",),
    ),
    _rule(
        id="PG-14",
        sentence="A limit has room for the character at the offset.",
        sentence_zh="上限必须容得下偏移处的字符。",
        reasons=("page.limit_rune",),
    ),
    _rule(
        id="PG-15",
        sentence="A page says where the next one begins; joined, the pages are the body.",
        sentence_zh="每页说明下一页的起点；各页相连即为正文。",
        reasons=("page.page", "page.last", "page.empty"),
    ),
)
