"""The contract documents: read, regenerate, check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_conformance.errors import DocumentError

if TYPE_CHECKING:
    from pathlib import Path

    from reasonix_runtime.contract.document_model import Document


def read(path: Path, shown: str) -> Document:
    """Return a contract document as it stands; `shown` is what messages call it.

    Raises:
        DocumentError: the file does not exist, or is no UTF-8 text.
    """
    from reasonix_runtime.contract.document import parse

    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise DocumentError(
            f"contract document {shown} does not exist: name another with --reasonix-document "
            "PATH, or write this one with `reasonix-conformance docs build`"
        ) from None
    except OSError as error:
        raise DocumentError(f"contract document {shown}: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise DocumentError(
            f"{shown}:{line}: byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        ) from None
    return parse(text, shown)


def is_generated(document: Document) -> bool:
    """Tell whether a document was written by the reference runtime, not by another host's hand."""
    return bool(document.blocks)
