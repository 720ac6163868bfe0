"""The contract suite in real pytest runs: what is broken fails, alone, and says what to do."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reasonix_conformance.cli import main
from reasonix_runtime.contract.canonical import canonicalise

Edit = Callable[[Any], object]


def test_a_contract_that_holds_is_green(project: Any) -> None:
    """Three tools and a surface that agree with their document and snapshots."""
    result = project.run()

    result.assert_outcomes(passed=5)
    assert pytest.ExitCode.OK == result.ret


@pytest.mark.parametrize("layout", [{"indent": "\t"}, {"separators": (" , ", " : ")}])
def test_a_snapshot_that_another_program_laid_out_holds(project: Any, layout: Any) -> None:
    """Formatters of a project go over its JSON files as well."""
    project.write()
    path = project.snapshots / "look.json"
    path.write_text(json.dumps(json.loads(path.read_text()), **layout))

    assert [] == project.failed(project.run())


def _no_row(project: Any) -> None:
    del project.rows["put"]


def _two_rows(project: Any) -> None:
    project.write()
    text = project.text().replace("| `put` |", "| `put` | false | Twice. |\n| `put` |")
    project.text = lambda: text


BREAKS: list[tuple[str, Edit, str, str, tuple[str, ...]]] = [
    (
        "tool/documented",
        _no_row,
        "put",
        "the document has no row for the tool",
        ("| `put` | false |", "docs/TOOL_CONTRACT.md", "let `pytest --reasonix-contract --reas"),
    ),
    (
        "row/unique",
        _two_rows,
        "put",
        "the document has 2 rows for 'put'",
        ("lines 6, 7",),
    ),
    (
        "tool/flag",
        lambda p: p.rows["put"].update(read_only=True),
        "put",
        "the read-only flag differs",
        ("docs/TOOL_CONTRACT.md:6", "false (the subject", "true (the document)"),
    ),
    (
        "tool/description-present",
        lambda p: p.tools["wait"].update(description="  "),
        "wait",
        "the tool has no description",
        (),
    ),
    (
        "tool/schema-valid",
        lambda p: p.tools["wait"].update(schema="{not json"),
        "wait",
        "the schema is not JSON",
        ("{not json",),
    ),
    (
        "tool/schema-valid",
        lambda p: p.tools["wait"].update(schema={"type": "string"}),
        "wait",
        "the root type is 'string'",
        (),
    ),
    (
        "tool/schema-valid",
        lambda p: p.tools["wait"].update(schema={"type": "object", "$ref": "#"}),
        "wait",
        "'#' leads back to itself on the same value",
        ("schema /$ref", "validators take anything"),
    ),
    (
        "tool/schema-canonical",
        lambda p: p.tools["look"].update(
            schema=json.dumps(p.tools["look"]["schema"] | {"required": ["path", "mode"]})
        ),
        "look",
        "the schema is not canonical",
        ('required was reordered from ["path", "mode"] to ["mode", "path"]',),
    ),
    (
        "tool/schema-snapshot",
        lambda p: p.tools["look"]["schema"].update(required=["mode", "path"]),
        "look",
        "the schema is not the recorded one",
        ('root: required gained "mode"', "reasonix-contract/look.json", "--reasonix-update"),
    ),
    (
        "tool/schema-snapshot",
        lambda p: (p.snapshots / "look.json").unlink(),
        "look",
        "the schema has no snapshot",
        ("--reasonix-update",),
    ),
    (
        "tool/schema-snapshot",
        lambda p: (p.snapshots / "look.json").write_text("{"),
        "look",
        "the snapshot is not JSON",
        ("where     reasonix-contract/look.json", "found     {", "restore the file"),
    ),
    (
        "tool/fingerprint",
        lambda p: p.fingerprints.update(look="0" * 16),
        "look",
        "the fingerprint in the document is not that of the schema",
        ("found     0000000000000000",),
    ),
    (
        "tool/fingerprint",
        lambda p: p.fingerprints.pop("look"),
        "look",
        "the document gives no fingerprint for the tool",
        (),
    ),
    (
        "row/stale",
        lambda p: p.rows.update(gone={"description": "Old.", "read_only": True}),
        "gone",
        "the document has a row for 'gone', a tool that the subject does not have",
        ("docs/TOOL_CONTRACT.md:8",),
    ),
    (
        "snapshot/stale",
        lambda p: (p.snapshots / "gone.json").write_text("{}"),
        "gone",
        "there is a snapshot of 'gone'",
        ("reasonix-contract/gone.json",),
    ),
    (
        "surface/members",
        lambda p: setattr(p, "shown", ("look", "put")),
        "surface:core",
        "the names under 'Unified Boot Surface' are not those of the host",
        ("wait: the document claims it, the host does not show it",),
    ),
    (
        "surface/order",
        lambda p: setattr(p, "surface", ("put", "look", "wait")),
        "surface:core",
        "the names are not in wire order",
        ("put, look",),
    ),
    (
        "surface/registered",
        lambda p: (setattr(p, "surface", ("look", "pty")), setattr(p, "shown", ("look", "pty"))),
        "surface:core",
        "the surface names what is no tool of the host: pty",
        (),
    ),
    (
        "tool/usable",
        lambda p: p.tools["wait"].update(read_only="yes"),
        "wait",
        "its read_only is a str, not bool",
        (),
    ),
]


@pytest.mark.parametrize(
    ("check", "edit", "item", "sentence", "texts"),
    BREAKS,
    ids=[f"{check}-{index}" for index, (check, *_) in enumerate(BREAKS)],
)
def test_what_is_broken_fails_alone_and_says_so(
    project: Any, check: str, edit: Edit, item: str, sentence: str, texts: tuple[str, ...]
) -> None:
    """One cause must not hide behind another, nor take healthy tools down with it."""
    edit(project)

    result = project.run()

    output = result.stdout.str()
    assert [item] == project.failed(result)
    assert f"{check}: " in output
    for text in (sentence, *texts):
        assert text in output
    assert "Traceback" not in output


def test_a_description_text_is_recommended_and_binding_in_strict_runs(project: Any) -> None:
    """Hand-written rows of other hosts differ in wording; that is advice, not a breach."""
    project.rows["wait"]["description"] = "Wait, and do nothing else."

    relaxed, strict = project.run(), project.run("--reasonix-strict")

    relaxed.assert_outcomes(passed=5)
    relaxed.stdout.fnmatch_lines(["recommended, not met: tool/description-text*"])
    assert ["wait"] == project.failed(strict)
    strict.stdout.fnmatch_lines(["*expected  Wait.", "*found     Wait, and do nothing else."])


def test_a_recursive_schema_is_valid_but_not_recommended(project: Any) -> None:
    """Some providers refuse recursion, so it is said; others take it, so it is not a breach."""
    project.tools["wait"]["schema"] = {
        "type": "object",
        "properties": {"kids": {"type": "array", "items": {"$ref": "#"}}},
    }
    (project.snapshots / "wait.json").unlink()

    output = project.run("-k", "wait", "--reasonix-strict").stdout.str()

    assert "tool/schema-portable: the schema is recursive" in output


def test_two_entries_of_one_name_are_reported_together(project: Any) -> None:
    """A provider refuses or shadows one of two tools of the same name."""
    project.write()
    (project.root / "host.py").write_text(
        (project.root / "host.py").read_text().replace("'name': 'wait'", "'name': 'put'")
    )
    project.write = lambda: None

    result = project.run()

    assert {"put", "wait", "surface:core"} == set(project.failed(result))
    result.stdout.fnmatch_lines(["tool/unique: the subject lists 'put' 2 times"])


DUMPS: dict[str, Callable[[str, dict[str, Any]], dict[str, Any]]] = {
    "chat": lambda name, tool: {
        "type": "function",
        "function": {
            "name": name,
            "description": tool["description"],
            "parameters": tool["schema"],
        },
    },
    "anthropic": lambda name, tool: {
        "name": name,
        "description": tool["description"],
        "input_schema": tool["schema"],
    },
    "responses": lambda name, tool: {
        "type": "function",
        "name": name,
        "description": tool["description"],
        "parameters": tool["schema"],
    },
    "mcp": lambda name, tool: {
        "name": name,
        "description": tool["description"],
        "inputSchema": tool["schema"],
        "annotations": {"readOnlyHint": tool["read_only"]},
    },
    "contract": lambda name, tool: {"name": name, **tool},
}

WRAPS: dict[str, Callable[[list[Any]], Any]] = {
    "array": lambda tools: tools,
    "request": lambda tools: {"model": "m", "messages": [], "tools": tools},
    "rpc": lambda tools: {"jsonrpc": "2.0", "id": 1, "result": {"tools": tools}},
}


@pytest.mark.parametrize("wrap", WRAPS)
@pytest.mark.parametrize("form", DUMPS)
def test_a_dump_of_every_form_is_held_against_the_document(
    project: Any, form: str, wrap: str
) -> None:
    """What a form cannot tell is named as not assessed; what it tells is judged."""
    tools = [DUMPS[form](name, tool) for name, tool in project.tools.items()]
    (project.root / "tools.json").write_text(json.dumps(WRAPS[wrap](tools)))

    output = project.run(subject="tools.json").stdout.str()

    assert "5 passed" in output or "4 passed, 1 skipped" in output
    assert (form in ("chat", "anthropic", "responses")) == (
        "not assessed: tool/flag (3x)" in output
    )


@pytest.mark.parametrize("form", DUMPS)
def test_one_bad_schema_in_a_dump_fails_for_its_tool_only(project: Any, form: str) -> None:
    """Nothing is lost: the others are still checked."""
    project.tools["put"]["schema"] = "{]"
    tools = [DUMPS[form](name, tool) for name, tool in project.tools.items()]
    (project.root / "tools.json").write_text(json.dumps(tools))

    result = project.run(subject="tools.json")

    assert ["put"] == project.failed(result)
    result.stdout.fnmatch_lines(["tool/schema-valid: the schema is not JSON"])


def test_a_request_does_not_make_hidden_tools_stale(project: Any) -> None:
    """A request lists what one model sees; the host may well dispatch more."""
    del project.tools["wait"]
    project.surface = ("look", "put")
    tools = [DUMPS["chat"](name, tool) for name, tool in project.tools.items()]
    (project.root / "tools.json").write_text(json.dumps(tools))

    result = project.run("-rs", subject="tools.json")

    result.assert_outcomes(passed=4, skipped=1)
    assert "whether the host still has the tool is not told" in result.stdout.str()


def test_a_request_is_held_against_the_nearest_surface(project: Any) -> None:
    """A request that lacks a tool of the documented list is the fault to find."""
    del project.tools["wait"]
    tools = [DUMPS["chat"](name, tool) for name, tool in project.tools.items()]
    (project.root / "tools.json").write_text(json.dumps(tools))

    result = project.run(subject="tools.json")

    assert ["surface:core"] == project.failed(result)
    assert "wait: the document claims it, the host does not show it" in result.stdout.str()


def test_no_list_of_a_surface_is_missed_where_the_subject_tells_none(project: Any) -> None:
    """There is nothing that it could be held against; without it a strict project was red."""
    project.surface = ()
    contract = [{"name": name, **tool} for name, tool in project.tools.items()]
    for one in contract:
        one["schema"] = json.loads(canonicalise(one["schema"]))
    (project.root / "tools.json").write_text(json.dumps(contract))

    told = project.run("--reasonix-strict")
    untold = project.run("--reasonix-strict", subject="tools.json")

    assert ["document"] == project.failed(told)
    assert pytest.ExitCode.OK == untold.ret
    assert "neither the document nor the subject tells a boot surface" in untold.stdout.str()


BAD_SUBJECTS: list[tuple[str, str | None, str]] = [
    ("tools.json", "", "the file is empty"),
    ("tools.json", "{", "tools.json:1:2: not JSON"),
    ("tools.json", "[]", "its tools array is empty"),
    ("tools.json", '{"models": []}', "found an object with the keys models"),
    ("tools.json", "7", "found a number"),
    ("tools.json", "null", "found null"),
    ("tools.json", '[{"a": 1}]', "none of its 1 entries is a tool"),
    ("tools.json", "\xff", "tools.json:1: byte 0xff is not UTF-8"),
    ("gone.json", None, "there is no file"),
    ("nowhere:registry", None, "there is no module 'nowhere'"),
    ("host:registri", None, "did you mean 'registry'?"),
    ("host.py", None, "is the path of a Python file; name its module"),
    ("./src/host.py:tools", None, "such as 'src.host:tools'"),
    ("just a word", None, "neither package.module:attribute nor an existing JSON file"),
    ("broken:registry", None, "importing broken raised ZeroDivisionError"),
    ("empty:registry", None, "has no entries"),
    ("number:registry", None, "is an int: expected a registry"),
    ("leaves:registry", None, "importing leaves raised SystemExit: 0"),
    ("quits:registry", None, "calling quits:registry raised SystemExit: 0"),
    ("breaks:registry", None, "reading the entries of breaks:registry raised ZeroDivisionError"),
    ("skips:registry", None, "importing skips raised Skipped: no network"),
    ("cancelled:registry", None, "calling cancelled:registry raised CancelledError: a b at"),
    ("waits:registry", None, "calling waits:registry gives a coroutine"),
    ("waits:host", None, "calling entries() of waits:host gives a coroutine"),
    ("hidden:leaves", None, "reading hidden:leaves raised SystemExit: 0 at"),
    ("hidden:silent", None, "raised Silent: an exception that has no text"),
    ("hidden:surfaces", None, "reading hidden:surfaces raised KeyError: 'core'"),
    ("shows:number", None, "surface 'core' is 3; expected a list of tool names"),
    ("shows:text", None, "surface 'core' is 'look'; expected a list of tool names"),
    ("shows:numbers", None, "surface 'core' is [1]; expected a list of tool names"),
    (
        "tools.json",
        '{"surfaces": {"core": [1]}, "tools": [{"name": "a", "input_schema": {}}]}',
        "surface 'core' is [1]; expected a list of tool names",
    ),
]


BAD_MODULES = {
    "broken": "1 / 0",
    "empty": "registry = []",
    "number": "registry = 3",
    "leaves": "import sys; sys.exit(0)",
    "quits": "import sys\nregistry = lambda: sys.exit(0)",
    "breaks": "registry = ({'name': 1 / n} for n in (1, 0))",
    # A module of tests may skip itself, which is raised beside `Exception`.
    "skips": "import pytest; pytest.skip('no\\nnetwork', allow_module_level=True)",
    "cancelled": (
        "from asyncio import CancelledError\ndef registry(): raise CancelledError('a\\nb')"
    ),
    "waits": (
        "async def registry(): return []\n"
        "class Host:\n"
        "    async def entries(self): return []\n"
        "host = Host()\n"
    ),
    "hidden": (
        "import sys\n"
        "class Silent(Exception):\n"
        "    def __str__(self): raise ValueError\n"
        "def silent(): raise Silent\n"
        "class Leaves:\n"
        "    entries = property(lambda self: sys.exit(0))\n"
        "class Broken(dict):\n"
        "    def __getitem__(self, key): raise KeyError(key)\n"
        "class Surfaces:\n"
        "    entries = [{'name': 'look', 'schema': {}}]\n"
        "    surfaces = Broken(core=['look'])\n"
        "leaves, surfaces = Leaves(), Surfaces()\n"
    ),
    "shows": (
        "class Host:\n"
        "    def __init__(self, core): self.core = core\n"
        "    def entries(self): return [{'name': 'look', 'schema': {}}]\n"
        "    def surfaces(self): return {'core': self.core}\n"
        "number, text, numbers = Host(3), Host('look'), Host([1])\n"
    ),
}


@pytest.mark.parametrize(("spec", "content", "sentence"), BAD_SUBJECTS)
def test_an_unusable_subject_is_one_sentence(
    project: Any, spec: str, content: str | None, sentence: str
) -> None:
    """A mistake of the user ends the run with what to do, never with a traceback."""
    for name, body in BAD_MODULES.items():
        (project.root / f"{name}.py").write_text(body)
    if content is not None:
        (project.root / spec).write_bytes(content.encode("latin-1"))

    result = project.run(subject=spec)

    output = result.stderr.str() + result.stdout.str()
    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert sentence in output
    assert "Traceback" not in output


ODD_REGISTRY = """\
import enum, sys, types
print("loading")
class Name(str, enum.Enum):
    LOOK = "look"
class Leaves:
    name, description, read_only = "leaves", "Leaves.", True
    schema = property(lambda self: sys.exit(0))
class Host:
    look = {"name": Name.LOOK, "description": "Look.", "read_only": True, "schema":
        types.MappingProxyType({"type": "object", "properties": types.MappingProxyType({})})}
    def entries(self): return [self.look]
    def surfaces(self): return {Name.LOOK: [Name.LOOK]}
host, leaves = Host(), [Leaves(), Host.look]
"""


def test_names_of_an_enumeration_and_schemas_that_are_views_are_what_they_show(
    project: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Hosts keep names in enumerations and hand out schemas that nobody can change."""
    (project.root / "odd.py").write_text(ODD_REGISTRY)

    assert 0 == main(["contract", "show", "--format", "json", "--subject", "odd:host"])

    shown = json.loads(capsys.readouterr().out)  # what a subject prints is not among the results
    assert [("look", {"type": "object", "properties": {}})] == [
        (tool["name"], tool["schema"]) for tool in shown["tools"]
    ]
    assert {"look": ["look"]} == shown["surfaces"]


def test_an_entry_that_leaves_python_is_a_fault_of_that_tool(
    project: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """A check that ended with `sys.exit(0)` passed without having looked at anything."""
    (project.root / "odd.py").write_text(ODD_REGISTRY)

    assert 1 == main(["contract", "lint", "--subject", "odd:leaves"])

    assert "reading its schema raised SystemExit: 0" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("content", "sentence"),
    [(None, "does not exist"), (b"caf\xe9\n", "byte 0xe9 is not UTF-8")],
)
def test_an_unusable_document_is_one_sentence(
    project: Any, content: bytes | None, sentence: str
) -> None:
    """Without a document there is nothing to hold the host against."""
    path: Path = project.root / "OTHER.md"
    if content is not None:
        path.write_bytes(content)

    result = project.run("--reasonix-document", "OTHER.md")

    assert pytest.ExitCode.USAGE_ERROR == result.ret
    assert sentence in result.stderr.str()
