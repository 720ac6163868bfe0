"""JSON pointers (RFC 6901): made from paths, and followed inside a schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence


def escape(name: str) -> str:
    """Return a name as a part of a JSON pointer."""
    return name.replace("~", "~0").replace("/", "~1")


def pointer(path: Sequence[Any]) -> str:
    """Return the JSON pointer of a path of keys and indices."""
    return "".join(f"/{escape(str(part))}" for part in path)


def resolve(root: Any, reference: str) -> Any:
    """Return what a reference inside a schema points at, or None if it points nowhere in it.

    `reference` is `#` or a JSON pointer as a fragment, `#/$defs/a%20b`; an anchor or an address
    of another schema points nowhere.
    """
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return None
    here = root
    for part in _decoded(reference[2:]).split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(here, Mapping) and name in here:
            here = here[name]
        elif isinstance(here, list) and name.isdecimal() and int(name) < len(here):
            here = here[int(name)]
        else:
            return None
    return here


def _decoded(fragment: str) -> str:
    if "%" not in fragment:
        return fragment
    from urllib.parse import unquote

    return unquote(fragment)
