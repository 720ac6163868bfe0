"""Low, medium or high: how dangerous a change is, and which of its paths a review must cover.

DL-04 for the risk, DL-07 for the required paths.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.paths import norm
from reasonix_runtime.evidence.word_lists import words

Risk: TypeAlias = Literal["low", "medium", "high"]

MANY_PATHS: Final = 10
"""That many distinct paths in one change set are high risk, whatever they are (R4)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RiskRules:
    """The policy points of path risk; compared by identity, for they are the key of every memo.

    Attributes:
        whole_words: a word of danger counts as a whole word of a path segment or file name
            (`authors.md` is harmless); otherwise anywhere in the path.
        documents_by_name: a licence and its like are documents though no ending says so, a folder
            of documents is one at the root of the workspace as well (`docs/guide.html`), and a
            program or a list of what one needs is none (`readme.py`, `requirements.txt`).
    """

    whole_words: bool
    documents_by_name: bool


CLASSIC_RISK: Final = RiskRules(whole_words=False, documents_by_name=False)
CONTRACT_RISK: Final = RiskRules(whole_words=True, documents_by_name=True)
FACTS_RISK: Final = CLASSIC_RISK

_FOREIGN_TOOLS: Final = ("mcp__", "install_source", "install_skill", "plugin")

_DANGER: Final = words(
    "auth permission secret credential token password oauth crypto encrypt decrypt tls ssl keyring"
    " network proxy http websocket provider plugin mcp tool schema sandbox config migrate migration"
    " persist store database db concurrent mutex race lock atomic"
)

# Read as whole words, the list would miss what the substrings of the same list catch on purpose.
_INFLECTED: Final = words(
    "authn authz authenticate authenticated authentication authenticator authorize authorized"
    " authorization authorizer passwd passphrase encrypted encryption encryptor decrypted"
    " decryption decryptor cryptography cryptographic https proxied configuration configure"
    " configured migrated migrator persisted persistence persistent storage concurrency racing"
    " locked locking deadlock rwlock spinlock networking sandboxed sandboxing atomics atomicity"
    " proxies schemata"
)
_STEMS: Final = _DANGER | _INFLECTED
_DANGER_WORDS: Final = _STEMS | {word + "s" for word in _STEMS}

_LOW_ENDINGS: Final = ("_test.go", "_test.ts", ".test.ts", ".test.tsx", "_spec.ts", ".spec.ts")
LOW_FOLDERS: Final = words("testdata __tests__ fixtures docs locales i18n")
"""Folders of tests, documents and translations."""
_IN_LOW_FOLDER: Final = tuple(f"/{folder}/" for folder in LOW_FOLDERS)
_DOCUMENT_ENDINGS: Final = (".md", ".mdx", ".txt", ".rst")
_PROGRAM_ENDINGS: Final = words(
    "bash bat c cc cpp cs go h hpp java js jsx kt lua mjs php pl ps1 py pyi rb rs scala sh sql"
    " swift ts tsx zsh"
)
_BUILD_TEXTS: Final = words("cmakelists meson_options")
_LISTS_OF_NEEDS: Final = words("constraints requirements")
_DOCUMENT_NAMES: Final = words(
    "authors changelog changes contributing contributors copying copyright licence license notice"
)
# Other than the words of a name (`word_lists`) without digits: `auth2.py` speaks of `auth`.
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def risk(tool: str, paths: Iterable[str], rules: RiskRules) -> Risk:
    """Rate one change by its tool and its paths (DL-04, first hit wins)."""
    return rate((tool,), frozenset(paths), rules)


def risk_of_all(changes: Iterable[tuple[str, Iterable[str]]], rules: RiskRules) -> Risk | None:
    """Rate several changes, each a tool and its paths: the highest of them, None for none.

    Ten distinct paths over all of them are high, as they are for a single one.
    """
    tools: set[str] = set()
    distinct: set[str] = set()
    opaque = False
    for tool, paths in changes:
        listed = tuple(paths)
        opaque = opaque or not listed
        tools.add(tool)
        distinct.update(listed)
    return rate(tools, distinct, rules, opaque=opaque) if tools else None


def rate(
    tools: Iterable[str], paths: Collection[str], rules: RiskRules, *, opaque: bool = False
) -> Risk:
    """Rate changes together: the tools that made them and their distinct paths (DL-04).

    `opaque` says that some change among them has no path that is known.
    """
    if opaque or not paths or len(paths) >= MANY_PATHS:
        return "high"
    if any(map(_is_foreign, tools)):
        return "high"
    low = True
    for path in paths:
        if is_dangerous(path, rules):
            return "high"
        low = low and is_low(path, rules)
    return "low" if low else "medium"


@memoised(1024)
def _is_foreign(tool: str) -> bool:
    """Whether a tool comes from outside: what it changes is not all told by its paths (R1)."""
    lowered = tool.lower()
    return any(part in lowered for part in _FOREIGN_TOOLS)


@memoised(4096)
def is_dangerous(path: str, rules: RiskRules) -> bool:
    """Whether a path speaks of something that is dangerous to change (R5)."""
    clean = norm(path)
    if rules.whole_words:
        return not _DANGER_WORDS.isdisjoint(map(str.lower, _WORD.findall(clean)))
    lowered = clean.lower()
    return any(word in lowered for word in _DANGER)


@memoised(4096)
def is_low(path: str, rules: RiskRules) -> bool:
    """Whether a path is a test, a document, a translation or a style sheet (R7)."""
    lowered = norm(path).lower()
    base = lowered.rpartition("/")[2]
    is_document = base.endswith(_DOCUMENT_ENDINGS) or base.startswith("readme")
    if rules.documents_by_name:
        lowered = f"/{lowered}"
        if "." not in base and base.partition("-")[0] in _DOCUMENT_NAMES:
            return True
        is_document = is_document and not _is_run_or_built_by(lowered)
    return (
        is_document
        or lowered.endswith((*_LOW_ENDINGS, ".css"))
        or any(folder in lowered for folder in _IN_LOW_FOLDER)
    )


def _is_run_or_built_by(path: str) -> bool:
    """Whether a file reads like a document by its name, and programs are run or built by it."""
    folder, _, base = path.rpartition("/")
    stem, _, ending = base.rpartition(".")
    if ending != "txt":
        return ending in _PROGRAM_ENDINGS
    named = not _LISTS_OF_NEEDS.isdisjoint(_WORD.findall(stem))
    return named or stem in _BUILD_TEXTS or folder.endswith("/requirements")


def production_paths(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the distinct paths that a review has to cover, in order (DL-07).

    Go tests and documents are left out, unless nothing else was changed.
    """
    distinct = tuple(dict.fromkeys(paths))
    return tuple(filter(is_production, distinct)) or distinct


@memoised(4096)
def is_production(path: str) -> bool:
    """Whether a path is neither a Go test nor a document (DL-07)."""
    lowered = path.lower()
    return not lowered.endswith("_test.go") and "/docs/" not in lowered
