"""What the plugin costs: nothing where it is not asked for, little where the contract is green.

* `idle`: pytest with the plugin installed and none of its options, to the same pytest with the
  entry point switched off.
* `contract`: the contract items of 50 tools, all green, to the same pytest with one empty test, in
  the environment as it is installed (the plugins of hypothesis and syrupy come with the kit).
* `bare`: the same with every other plugin switched off, where our imports weigh most; no goal.
"""

from __future__ import annotations

import json
import shutil
import sys
import tempfile
from pathlib import Path

from benchmarks.timing import Command, Goal, Ratio, paired

# Other plugins of this environment only add noise to both sides where nothing of ours runs.
OTHERS = ("syrupy", "hypothesispytest", "xdist", "xdist.looponfail", "anyio")
PYTEST = (sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
QUIET = (*PYTEST, *(word for name in OTHERS for word in ("-p", f"no:{name}")))
OFF = (*QUIET, "-p", "no:reasonix_conformance")

IDLE = Goal(limit=1.03)
CONTRACT = Goal(limit=1.30, moonshot=1.15)


def run(rounds: int) -> list[Ratio]:
    """Measure all ratios."""
    with tempfile.TemporaryDirectory(prefix="bench-plugin-") as name:
        folder = Path(name)
        return [
            *idle(folder / "idle", rounds),
            *contract(folder / "contract", rounds, PYTEST, goal=CONTRACT),
            *contract(folder / "bare", rounds, QUIET, goal=None),
        ]


def idle(folder: Path, rounds: int) -> list[Ratio]:
    """Measure a run that asks for nothing of ours."""
    _project(folder)
    return paired(
        {
            "entry point off": Command(argv=OFF, folder=folder),
            "plugin installed, no option": Command(argv=QUIET, folder=folder),
        },
        "entry point off",
        rounds=rounds,
        goals={"plugin installed, no option": IDLE},
    )


def contract(
    folder: Path, rounds: int, pytest: tuple[str, ...], *, goal: Goal | None
) -> list[Ratio]:
    """Measure a green contract run: the reference runtime, and a dump of its tools."""
    _project(folder)
    _contract_project(folder)
    # Another host has one document; the reference runtime has one in each language.
    other = folder.with_name(f"{folder.name}-other-host")
    shutil.copytree(folder, other)
    (other / "docs" / "TOOL_CONTRACT.zh-CN.md").unlink()
    suite = (*pytest, "--reasonix-contract")
    bare = "" if goal else ", no other plugin"
    empty, dump, own = (
        f"{name}{bare}"
        for name in (
            "one empty test",
            "50 tools of another host's dump",
            "50 tools of the reference runtime",
        )
    )
    return paired(
        {
            empty: Command(
                argv=(*pytest, "-p", "no:reasonix_conformance", "test_empty.py"), folder=folder
            ),
            dump: Command(argv=(*suite, "--reasonix-subject", "tools.json"), folder=other),
            own: Command(argv=suite, folder=folder),
        },
        empty,
        rounds=rounds,
        goals={dump: goal, own: goal} if goal else {},
    )


def _project(folder: Path) -> None:
    folder.mkdir(parents=True)
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "test_empty.py").write_text("def test_empty():\n    pass\n")


def _contract_project(folder: Path) -> None:
    """Write documents, snapshots and a dump of the reference runtime's 50 tools."""
    from reasonix_conformance import contract_text, docs, snapshots
    from reasonix_conformance.settings import DEFAULT_SNAPSHOTS, DEFAULT_SUBJECT
    from reasonix_conformance.subjects import load
    from reasonix_runtime.contract.canonical import canonicalise

    subject = load(DEFAULT_SUBJECT, folder)
    for tool in subject.tools:
        snapshots.write(folder / DEFAULT_SNAPSHOTS, tool.name, canonicalise(tool.schema or b""))
    for language in docs.LANGUAGES:
        docs.write(folder / "docs" / docs.file_name(language), docs.render(language))
    dump = contract_text.to_json(subject, subject.tools)
    (folder / "tools.json").write_text(json.dumps(dump), encoding="utf-8")
