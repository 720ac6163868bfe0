"""What a path is about, for duties that follow from what was changed (FC-02)."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Final

from reasonix_runtime.evidence.memo import memoised
from reasonix_runtime.evidence.owed.risk import CLASSIC_RISK, LOW_FOLDERS, is_low
from reasonix_runtime.evidence.paths import norm
from reasonix_runtime.evidence.word_lists import words as word_set


class PathClass(StrEnum):
    """The class of a path, in the order in which they are tried."""

    AUTH = "auth"
    SECRET = "secret"  # noqa: S105 - the name of a class, no secret
    MIGRATION = "migration"
    SCHEMA = "schema"
    PUBLIC_API = "public_api"
    LOW = "low"
    CONCURRENCY = "concurrency"
    ORDINARY = "ordinary"


_AUTH: Final = word_set(
    "auth authentication authorization permission permissions oauth oidc sso iam acl rbac"
)

# Class, directory names, words of the file name, extensions; the first hit wins.
_CLASSES: Final[tuple[tuple[PathClass, frozenset[str], frozenset[str], frozenset[str]], ...]] = (
    (PathClass.AUTH, _AUTH, _AUTH | word_set("session login passwd"), frozenset()),
    (
        PathClass.SECRET,
        word_set("secret secrets credential credentials keystore keyring certs tls ssl"),
        word_set("secret secrets credential credentials password passwd token keystore keyring"),
        frozenset(),
    ),
    (
        PathClass.MIGRATION,
        word_set("migration migrations migrate"),
        word_set("migration migrate"),
        frozenset(),
    ),
    (
        PathClass.SCHEMA,
        word_set("schema schemas protobuf proto openapi graphql"),
        word_set("schema migration"),
        word_set("proto graphql"),
    ),
    (
        PathClass.PUBLIC_API,
        word_set("api apis openapi swagger"),
        word_set("openapi swagger"),
        word_set("proto"),
    ),
    (PathClass.LOW, LOW_FOLDERS, frozenset(), frozenset()),
    (
        PathClass.CONCURRENCY,
        word_set("concurrent concurrency goroutine"),
        word_set(
            "mutex rwmutex rwlock concurrent concurrency goroutine waitgroup atomic deadlock race"
        ),
        frozenset(),
    ),
)
_SPLIT: Final = re.compile(r"[^a-z0-9]+")


@memoised(4096)
def path_class(path: str) -> PathClass:
    """Return the class of a path: by its directories, the words of its file name, its extension."""
    lowered = norm(path).lower()
    *folders, base = lowered.split("/")
    names, words = frozenset(folders), frozenset(_SPLIT.split(base))
    extension = base.rpartition(".")[2] if "." in base else ""
    for found, directories, file_words, extensions in _CLASSES:
        hit = (
            not names.isdisjoint(directories)
            or not words.isdisjoint(file_words)
            or extension in extensions
        )
        if hit or (found is PathClass.LOW and is_low(path, CLASSIC_RISK)):
            return found
    return PathClass.ORDINARY
