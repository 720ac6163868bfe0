"""The hooks of a file of the suite: those of all plugins, and of the `conftest.py` files above it.

The suite's files are added to a session without walking the folders that they lie in, so pytest
does not know which `conftest.py` files it has loaded apply to them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pytest


class Hooks:
    """Hook callers without the plugins of other folders, by the names of the hooks."""

    def __init__(self, manager: pytest.PytestPluginManager, remove: list[object]) -> None:
        """Take the plugin manager and the plugins whose hooks are left out."""
        self._manager = manager
        self._remove = remove

    def __getattr__(self, name: str) -> Any:
        """Return the caller of a hook, and keep it for the next time."""
        caller = self._manager.subset_hook_caller(name, remove_plugins=self._remove)
        self.__dict__[name] = caller
        return caller


def hooks_for(config: pytest.Config, path: Path) -> Any:
    """Return the hooks that apply to a file."""
    manager = config.pluginmanager
    elsewhere = [plugin for plugin in manager.get_plugins() if _is_elsewhere(plugin, path)]
    return Hooks(manager, elsewhere) if elsewhere else config.hook


def _is_elsewhere(plugin: object, path: Path) -> bool:
    """Whether a plugin is the `conftest.py` of a folder that a file does not lie in."""
    file = getattr(plugin, "__file__", None)
    if not isinstance(file, str) or not file.endswith("conftest.py"):
        return False
    return not path.is_relative_to(Path(file).parent)
