"""A small host in a folder of its own, with its document and snapshots, for real pytest runs."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance import snapshots
from reasonix_runtime.contract.canonical import canonicalise, fingerprint

# A run in this process forgets what it was the first to import; C extensions must not come twice,
# and a pool of processes pickles functions by a module that has to be the same.
for _name in ("suite.session", "suite.accept", "suite.trace_cases", "replay.replay", "changes"):
    import_module(f"reasonix_conformance.{_name}")
for _name in ("commands.replay", "subjects.reference", "readers.reasonix.wire_announced"):
    import_module(f"reasonix_conformance.{_name}")
for _name in ("trace.yaml12", "trace.transcript", "host.state", "gates.policy", "masking.signs"):
    import_module(f"reasonix_runtime.{_name}")
for _name in ("jsonschema", "jsonschema_rs", "deepdiff", "hypothesis.internal.observability"):
    import_module(_name)
for _name in ("concurrent.futures.process", "email.parser", "xdist.dsession", "xdist.remote"):
    import_module(_name)

TOOLS: dict[str, dict[str, Any]] = {
    "look": {
        "description": "Show a file.",
        "read_only": True,
        "schema": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "mode": {"enum": ["text", "hex"]}},
            "required": ["path"],
        },
    },
    "put": {
        "description": "Write a file: all of it | or nothing.",
        "read_only": False,
        "schema": {
            "type": "object",
            "properties": {"path": {"type": "string"}, "content": {"type": "string"}},
            "required": ["content", "path"],
        },
    },
    "wait": {
        "description": "Wait.",
        "read_only": True,
        "schema": {"type": "object", "properties": {}},
    },
}

SURFACE = ("look", "put", "wait")


class Project:
    """A project under test; change `tools`, `rows` or `surface`, then `run`."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.root = pytester.path
        self.tools = json.loads(json.dumps(TOOLS))
        self.rows = json.loads(json.dumps(TOOLS))
        self.surface: tuple[str, ...] = SURFACE
        self.shown: tuple[str, ...] = SURFACE
        self.fingerprints: dict[str, str] = {
            name: fingerprint(canonicalise(tool["schema"])) for name, tool in TOOLS.items()
        }
        pytester.makefile(".ini", pytest="[pytest]\naddopts = --strict-markers --strict-config\n")
        for name, tool in TOOLS.items():
            snapshots.write(self.snapshots, name, canonicalise(tool["schema"]))

    @property
    def document(self) -> Path:
        return self.root / "docs" / "TOOL_CONTRACT.md"

    @property
    def snapshots(self) -> Path:
        return self.root / "reasonix-contract"

    def write(self) -> None:
        """Write the document and the module of the host."""
        self.document.parent.mkdir(exist_ok=True)
        self.document.write_text(self.text(), encoding="utf-8")
        entries = [
            {"name": name, **tool, "schema": canonical(tool["schema"])}
            for name, tool in self.tools.items()
        ]
        (self.root / "host.py").write_text(
            "class Registry:\n"
            f"    def entries(self):\n        return {entries!r}\n"
            f"    def surfaces(self):\n        return {{'core': {self.shown!r}}}\n"
            "registry = Registry()\n",
            encoding="utf-8",
        )

    def text(self) -> str:
        """Return the document."""
        lines = ["# Contract", "", "| Tool | Read-only | Description |", "| --- | --- | --- |"]
        for name, row in self.rows.items():
            cell = row["description"].replace("|", "\\|")
            lines.append(f"| `{name}` | {str(row['read_only']).lower()} | {cell} |")
        lines += ["", "## Schema Snapshot", ""]
        lines += ["| Tool | Fingerprint |", "| --- | --- |"]
        lines += [f"| `{name}` | `{value}` |" for name, value in self.fingerprints.items()]
        lines += ["", "## Unified Boot Surface", ""]
        lines += [f"- `{name}`" for name in self.surface]
        return "\n".join(lines) + "\n"

    def run(self, *args: str, subject: str = "host:registry") -> pytest.RunResult:
        """Write everything and run the suite on it in this process."""
        self.write()
        return self.pytester.runpytest_inprocess(
            "--reasonix-contract", "--reasonix-subject", subject, "-p", "no:randomly", *args
        )

    def failed(self, result: pytest.RunResult) -> list[str]:
        """Return the names of the items that failed, in their order."""
        return [
            line.split("::", 1)[1].split(" - ")[0]
            for line in result.outlines
            if line.startswith("FAILED ")
        ]


def canonical(schema: object) -> object:
    """Return the canonical text of a schema; a text is given as it is."""
    return canonicalise(schema).decode() if isinstance(schema, dict) else schema


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    """Return a host of three tools whose contract holds."""
    return Project(pytester)
