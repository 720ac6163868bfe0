"""How many turns a goal may take: the class of its text and the quota of the class.

The class selects the quota and nothing else, never a permission. The text is read clause by
clause: a verb that asks for a change counts unless a negation stands shortly before it, and a bare
report of a fault counts as a request to mend it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

from reasonix_runtime.gates.goal.state import BudgetClass, ResearchMode

QUOTA: Mapping[BudgetClass, int] = MappingProxyType(
    {BudgetClass.SIMPLE: 10, BudgetClass.WRITE: 20, BudgetClass.RESEARCH: 40}
)
"""Turns of each class; a resume after a pause adds one more quota."""

STALL_LIMIT = 4
"""Turns in a row without visible progress before the goal is paused."""

_NEGATION_REACH = 6
"""Words before a verb in which a negation turns it off."""

_CLAUSE = re.compile(
    # A row of signs is tried from its first one: from the others it ends no otherwise.
    r"(?<![.,;:!?()\n，。；：！？、（）])[.,;:!?()\n，。；：！？、（）]+(?=\s|$|[^\x00-\x7f])"
    r"|[;,!?()\n]|[，。；：！？、（）]"
    r"|\b(?:but|however|nevertheless)\b|但是|但|不过|然而",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?")

_VERBS = """
    add adds apply bump change commit configure convert correct create delete drop edit extend fix
    fixes implement improve install integrate introduce insert make merge migrate modify move patch
    port publish refactor remove rename repair replace rework rewrite simplify split update upgrade
    write
"""
_CHANGE_VERBS = frozenset(_VERBS.split())
_MAKE_CHANGES = frozenset({"change", "changes", "edits", "sure"})

_NEGATIONS = frozenset(
    {"no", "not", "never", "without", "cannot", "avoid", "instead", "dont"}
    | {f"{verb}n't" for verb in ("do", "does", "ca", "wo", "should", "must")}
)
_CHANGE_ZH = re.compile(
    r"修复|修正|添加|新增|增加|实现|重构|编写|创建|删除|移除|修改|更新|升级|替换|重写|改写|改成|改为"
    r"|优化|迁移|安装|配置|写"
)
_NEGATION_ZH = re.compile(
    r"(?:不要|不用|不得|不准|不能|不许|不必|无需|无须|禁止|请勿|切勿|别|勿|不)[^，。；]{0,4}$"
)

_FAULT = re.compile(
    r"bug|crash|error|fail|broken|exception|panic|regression|not working|does(?:n't| not) work"
    r"|问题|报错|错误|崩溃|失败|异常|故障|闪退",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"[?？]|\b(?:explain|why|what happened|what is|what's|what does|how (?:does|do|is|are)|describe"
    r"|tell me)\b|解释|说明|为什么|怎么回事|什么",
    re.IGNORECASE,
)
_DIAGNOSIS = re.compile(
    r"\b(?:diagnos|analy[sz]|review|investigat|verif|audit|inspect|check|look into|examin|research)"
    r"|分析|排查|诊断|审查|评审|检查|调查|验证|研究|定位",
    re.IGNORECASE,
)
_HANDS_OFF = re.compile(
    r"\bwithout (?:\w+ )?(?:chang|modify|edit|touch|alter)ing"
    r"|\bno (?:edits|changes|modifications)\b|\bread[- ]only\b"
    r"|\b(?:do not|don't|don’t|never) (?:change|modify|edit|touch|alter)\b"
    r"|(?:不要|不得|禁止|请勿|别|不)(?:改|动|修改|更改)",
    re.IGNORECASE,
)
_LONG_RESEARCH = re.compile(
    r"\b(?:deep|long[- ]?(?:term|running)|extensive|exhaustive|thorough|continuous|ongoing"
    r"|iterative|repeated)(?:ly)?\s+(?:\w+\s+)?(?:research|stud(?:y|ies)|investigat\w+|survey)"
    r"|\b(?:keep|continue)\s+(?:on\s+)?(?:researching|investigating|studying)"
    r"|\bresearch\b[^.;]*\b(?:overnight|repeatedly|continuously|iteratively|in depth|for days)\b"
    r"|(?:深入|深度|长期|持续|反复|不断|多轮)(?:地)?(?:研究|调研|探索)",
    re.IGNORECASE,
)


def budget_class(text: str, mode: ResearchMode) -> BudgetClass:
    """Return the class of a goal text."""
    if mode is ResearchMode.ON:
        return BudgetClass.RESEARCH
    if mode is ResearchMode.AUTOMATIC and _LONG_RESEARCH.search(text):
        return BudgetClass.RESEARCH
    return (
        BudgetClass.WRITE if _asks_for_change(text) or _reports_fault(text) else BudgetClass.SIMPLE
    )


def _asks_for_change(text: str) -> bool:
    """Whether some clause has a change verb that no negation turns off."""
    return any(_affirms_change(clause) for clause in _CLAUSE.split(text))


def _reports_fault(text: str) -> bool:
    """Whether the text states a fault and asks neither a question, a reason nor a diagnosis."""
    excluded = (_ASKS, _DIAGNOSIS, _HANDS_OFF)
    return bool(_FAULT.search(text)) and not any(wording.search(text) for wording in excluded)


def _affirms_change(clause: str) -> bool:
    """Whether the clause asks for a change; one that starts with `why` asks for a reason."""
    words = _WORD.findall(clause.lower().replace("’", "'"))
    if words[:1] == ["why"]:
        return False
    if any(_is_change(words, at) and not _negated(words, at) for at in range(len(words))):
        return True
    return any(
        not _NEGATION_ZH.search(clause[: verb.start()]) for verb in _CHANGE_ZH.finditer(clause)
    )


def _is_change(words: list[str], at: int) -> bool:
    """Whether the word asks for a change; `make` only does so in `make changes` and the like."""
    if words[at] == "make":
        return not _MAKE_CHANGES.isdisjoint(words[at + 1 : at + 2])
    return words[at] in _CHANGE_VERBS


def _negated(words: list[str], at: int) -> bool:
    return any(word in _NEGATIONS for word in words[max(0, at - _NEGATION_REACH) : at])
