"""What is under test: a Python registry or a JSON dump of tools."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reasonix_conformance.errors import SubjectError
from reasonix_conformance.subjects.model import Form, Subject, SubjectTool

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Form", "Subject", "SubjectTool", "load"]


def load(spec: str, base: Path) -> Subject:
    """Return the subject of a spec: `module:attribute`, or the path of a JSON dump.

    A relative path is relative to `base`, which is also where modules are looked for.

    Raises:
        SubjectError: the spec has no such form, or what it names cannot be loaded.
    """
    path = base / spec
    module, colon, attribute = spec.partition(":")
    if module.endswith(".py"):
        name = module.removesuffix(".py").replace("/", ".").strip(".") or "module"
        raise SubjectError(
            f"subject {spec!r} is the path of a Python file; name its module and what holds the "
            f"tools in it, such as '{name}:{attribute or 'registry'}'"
        )
    if path.is_file() or spec.endswith(".json"):
        from reasonix_conformance.subjects import dump

        return dump.load(path, label=spec)
    if colon and all(part.isidentifier() for part in (*module.split("."), *attribute.split("."))):
        from reasonix_conformance.subjects import registry

        return registry.load(module, attribute, base)
    raise SubjectError(
        f"subject {spec!r} is neither package.module:attribute nor an existing JSON file "
        f"(looked in {base}); name a registry such as 'myhost.tools:registry', or a dump of "
        "the tools array such as 'tools.json'"
    )
