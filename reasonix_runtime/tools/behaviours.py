"""What the built-in tools do, by name."""

from __future__ import annotations

from functools import lru_cache
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING

from reasonix_runtime.contract.surface import BUILT_IN

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reasonix_runtime.tools.context import Behaviour


@lru_cache(maxsize=1)
def built_in_behaviours() -> Mapping[str, Behaviour]:
    """Return the behaviour of every built-in tool: the `run` of its module."""
    found = {
        name: import_module(f"reasonix_runtime.tools.{name}.behaviour").run for name in BUILT_IN
    }
    return MappingProxyType(found)
