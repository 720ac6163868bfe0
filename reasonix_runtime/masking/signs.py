"""All signs by which a secret is known, one after the other."""

from __future__ import annotations

from reasonix_runtime.masking import encoded, keys, named, places


def masked(text: str) -> str:
    """Return a text with every secret in it masked that has one of the signs."""
    return encoded.masked(_bare(text), _bare)


def _bare(text: str) -> str:
    return named.masked(places.masked(keys.masked(text)))
