"""The house stands: one direction between the packages, floors in order inside each."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from places import DOCS, FIXTURES, ROOT

KIT = "reasonix_conformance"
RUNTIME_FLOORS = (
    "errors",
    "console",
    "usage",
    "contract",
    "trace",
    "evidence",
    "gates",
    "host",
    "tools",
    "capabilities",
    "agents",
    "sessions",
    "commands",
    "cli",
    "__main__",
)


def _imports(path: Path) -> set[str]:
    """Return the dotted names of our own packages that a module imports anywhere."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return {name for name in found if name.startswith(("reasonix_runtime", "reasonix_conformance"))}


def _floor(dotted: str) -> str:
    """Return the floor of a module of the runtime, or the part of one of the kit."""
    return dotted.split(".")[1] if "." in dotted else ""


def _modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def _modules_below(folder: Path) -> set[str]:
    """Return the modules of a folder as the architecture page names them, without `.py`."""
    return {
        path.relative_to(folder).with_suffix("").as_posix()
        for path in folder.rglob("*.py")
        if path.stem != "__init__"
    }


@pytest.mark.parametrize(
    "path", _modules("reasonix_runtime"), ids=lambda p: str(p.relative_to(ROOT))
)
def test_a_floor_imports_only_floors_above_it(path: Path) -> None:
    """A gate that knew a tool, or evidence that knew a gate, could not be trusted to be pure."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    own = parts[1] if len(parts) > 1 else ""
    if own == "__init__":
        own = "errors"
    imported = {_floor(name) for name in _imports(path) if name.startswith("reasonix_runtime.")}

    too_low = {
        floor
        for floor in imported
        if floor in RUNTIME_FLOORS and RUNTIME_FLOORS.index(floor) > RUNTIME_FLOORS.index(own)
    }

    assert set() == too_low


@pytest.mark.parametrize(
    "path", _modules("reasonix_runtime"), ids=lambda p: str(p.relative_to(ROOT))
)
def test_the_runtime_never_imports_the_kit(path: Path) -> None:
    """The reference host must be usable without the kit that judges it."""
    assert set() == {name for name in _imports(path) if name.startswith("reasonix_conformance")}


def test_every_floor_of_the_list_exists() -> None:
    """A misspelt floor in this list would check nothing."""
    missing = [
        floor
        for floor in RUNTIME_FLOORS
        if floor != "cli"
        and not (ROOT / "reasonix_runtime" / floor).is_dir()
        and not (ROOT / "reasonix_runtime" / f"{floor}.py").is_file()
    ]

    assert missing == []


def _told_parts(folder: str) -> list[str]:
    """Return the modules and folders that the architecture page tells of a package, in order."""
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = page.split(f"of `{folder}` | holds |")[1].split("\n\n")[0]
    return [
        name
        for row in rows.splitlines()[2:]
        for name in re.findall(r"`([a-z_0-9]+(?:\.py|/))`", row.split("|")[1])
    ]


@pytest.mark.parametrize("folder", ["reasonix_runtime", "reasonix_conformance"])
def test_the_architecture_page_tells_every_part_and_no_other(folder: str) -> None:
    """Who opens the repository looks there first; what it does not tell is not found."""
    parts = [
        f"{path.name}/" if path.is_dir() else path.name
        for path in (ROOT / folder).iterdir()
        if not path.name.startswith("__") and (path.is_dir() or path.suffix == ".py")
    ]

    assert sorted(parts) == sorted(_told_parts(folder))


@pytest.mark.parametrize(
    "path", _modules("reasonix_conformance"), ids=lambda p: str(p.relative_to(ROOT))
)
def test_a_part_of_the_kit_imports_only_parts_above_it(path: Path) -> None:
    """A report that knew the suite, or a reader that knew a gate, could not be used without it."""
    order = [name.removesuffix(".py").removesuffix("/") for name in _told_parts(KIT)]
    own = path.relative_to(ROOT).with_suffix("").parts[1]
    known = order[: order.index(own) + 1] if own in order else order
    imported = {_floor(name) for name in _imports(path) if name.startswith(f"{KIT}.")}

    assert imported & set(order) <= set(known)


def test_the_architecture_page_tells_every_module_that_readers_share() -> None:
    """One module is one format, or something that several of them need."""
    from reasonix_conformance.readers import formats

    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = page.split("| module | holds |")[1].split("\n\n")[0]
    told = {
        name
        for row in rows.splitlines()[2:]
        for name in re.findall(r"`([a-z_/]+)\.py`", row.split("|")[1])
    }
    readers = {module.replace(".", "/") for module, _ in formats._READERS.values()}

    assert _modules_below(ROOT / "reasonix_conformance" / "readers") - readers == told - readers


def test_the_architecture_page_tells_every_module_of_evidence_once() -> None:
    """Who looks for a rule finds the file by the question that it answers."""
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = page.split("| question | modules of `evidence/` |")[1].split("\n\n")[0]
    told = [
        f"{folder}{name}"
        for cell in re.split(r"\bin (?=`)|\n", rows)
        for folder in re.findall(r"^`([a-z_]+/)`", cell) or [""]
        for name in re.findall(r"`([a-z_]+)\.py`", cell)
    ]

    assert sorted(_modules_below(ROOT / "reasonix_runtime" / "evidence")) == sorted(told)


def test_no_two_modules_of_the_tests_share_a_name() -> None:
    """Pytest imports them by it, and collects nothing at all where two have the same."""
    names = [path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py"]

    assert [] == sorted({name for name in names if names.count(name) > 1})


@pytest.mark.parametrize("package", ["reasonix_runtime", KIT])
def test_no_pattern_repeats_a_group_possessively(package: str) -> None:
    """Older releases of Python 3.11, that of Debian 12 for one, match such a pattern wrongly."""
    found = [
        f"{path.relative_to(ROOT)}: {node.value}"
        for path in _modules(package)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if re.search(r"\)[*+?]\+", node.value)
    ]

    assert [] == found


@pytest.mark.slow
def test_the_tests_are_collected_in_any_import_mode() -> None:
    """Pytest recommends `importlib`, which finds what tests share in no folder by itself."""
    asked = ("--import-mode=importlib", "--collect-only", "-q", "-p", "no:cacheprovider")

    run = subprocess.run(
        [sys.executable, "-m", "pytest", *asked], cwd=ROOT, capture_output=True, text=True
    )

    assert 0 == run.returncode, run.stdout[-2000:]


def test_every_rule_id_that_the_code_names_is_explained() -> None:
    """Whoever meets `EL-07` in a docstring finds what it is about without asking anybody."""
    runtime, kit = _modules("reasonix_runtime"), _modules(KIT)
    code = "".join(path.read_text(encoding="utf-8") for path in (*runtime, *kit))
    pages = [(DOCS / page).read_text(encoding="utf-8") for page in ("GATES.md", "architecture.md")]
    rows = [row.split("|") for page in pages for row in page.splitlines() if row.startswith("| ")]
    ids = " ".join(row[1] for row in rows)
    told = set(re.findall(r"\b[A-Z]{2}-\d\d", ids))
    for area, first, last in re.findall(r"([A-Z]{2}-)(\d\d) to [A-Z]{2}-(\d\d)", ids):
        told |= {f"{area}{number:02}" for number in range(int(first), int(last) + 1)}

    assert set(re.findall(r"\b(?:CS|TW|RV|DL|EL|FC|G[ACLR]|CP|PG|AR)-\d\d\b", code)) <= told

    faults = (FIXTURES / "pitfalls.yaml").read_text(encoding="utf-8")
    met = re.findall(r"\((?:CMD|GATE|GOAL|PATH|TODO)-\d+\)", code)
    assert all(f"  {one[1:-1]}:" in faults for one in met)


def test_the_rules_behind_the_verdicts_begin_where_the_architecture_page_says() -> None:
    """The module that a row names first speaks of the rule that the row names first."""
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    rows = page.split("| id | about | begins in |")[1].split("\n\n")[0].splitlines()[2:]
    wrong = []
    for row in rows:
        rule, module = row[2:7], re.findall(r"`([a-z_/]+\.py)`", row)[0]
        text = (ROOT / "reasonix_runtime" / module).read_text(encoding="utf-8")
        wrong += [] if rule in text else [f"{module} does not speak of {rule}"]

    assert [] == wrong
