"""`notebook_edit`: one cell changes, nbformat agrees, and every other byte stays."""

from __future__ import annotations

import copy
import json
from typing import Any

import nbformat
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench


def code(source: str, **more: Any) -> dict[str, Any]:
    return {
        "cell_type": "code",
        "execution_count": 1,
        "metadata": {},
        "outputs": [{"name": "stdout", "output_type": "stream", "text": ["1\n"]}],
        "source": source.splitlines(keepends=True),
        **more,
    }


def markdown(source: str, **more: Any) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": [source], **more}


def notebook(*cells: dict[str, Any], minor: int = 4) -> dict[str, Any]:
    return {
        "cells": list(cells),
        "metadata": {"z": 1.0, "a": 1e25},
        "nbformat": 4,
        "nbformat_minor": minor,
    }


def dump(value: dict[str, Any], indent: int | None = 1) -> str:
    return json.dumps(value, indent=indent, sort_keys=True, ensure_ascii=False) + "\n"


def edited(bench: Bench, **arguments: Any) -> dict[str, Any]:
    """Edit `n.ipynb`, let nbformat judge it, and return it."""
    bench.ok("notebook_edit", path="n.ipynb", **arguments)
    value: dict[str, Any] = json.loads(bench.get("n.ipynb"))
    nbformat.validate(nbformat.from_dict(copy.deepcopy(value)))
    return value


THREE = notebook(
    code("a\nb"), markdown("# t"), {"cell_type": "raw", "metadata": {}, "source": ["r"]}
)


@pytest.mark.parametrize(
    ("says", "before", "arguments", "cells", "answer"),
    [
        (
            "replace sets the source and clears what it printed",
            THREE,
            {"cell_number": 0, "new_source": "x = 1\ny"},
            [code("x = 1\ny", outputs=[], execution_count=None), *THREE["cells"][1:]],
            "replaced cell source in <ws>/n.ipynb (cell 0; 3 cells total)",
        ),
        (
            "with one cell no target is needed",
            notebook(markdown("a")),
            {"new_source": "b"},
            [markdown("b")],
            "replaced cell source in <ws>/n.ipynb (cell 0; 1 cells total)",
        ),
        (
            "code to markdown loses the code-only fields",
            THREE,
            {"cell_number": 0, "cell_type": "markdown", "new_source": "# t"},
            [markdown("# t"), *THREE["cells"][1:]],
            "replaced cell source in <ws>/n.ipynb (cell 0; 3 cells total)",
        ),
        (
            "markdown to code gets both",
            notebook(markdown("x", attachments={"i.png": {"image/png": "eA=="}})),
            {"cell_type": "code", "new_source": "y"},
            [code("y", outputs=[], execution_count=None)],
            "replaced cell source in <ws>/n.ipynb (cell 0; 1 cells total)",
        ),
        (
            "a raw cell stays a raw cell",
            THREE,
            {"cell_number": 2, "new_source": "s"},
            [*THREE["cells"][:2], {"cell_type": "raw", "metadata": {}, "source": ["s"]}],
            "replaced cell source in <ws>/n.ipynb (cell 2; 3 cells total)",
        ),
        (
            "the type alone keeps the source",
            notebook(code("a\nb")),
            {"cell_type": "markdown"},
            [{**markdown(""), "source": ["a\n", "b"]}],
            "replaced cell source in <ws>/n.ipynb (cell 0; 1 cells total)",
        ),
        (
            "an empty source is an empty list",
            notebook(markdown("a")),
            {"new_source": ""},
            [{**markdown(""), "source": []}],
            "replaced cell source in <ws>/n.ipynb (cell 0; 1 cells total)",
        ),
        (
            "CR stays inside the lines",
            notebook(markdown("a")),
            {"new_source": "a\r\nb\rc\n"},
            [{**markdown(""), "source": ["a\r\n", "b\rc\n"]}],
            "replaced cell source in <ws>/n.ipynb (cell 0; 1 cells total)",
        ),
        (
            "an id wins over a number",
            notebook(markdown("a", id="one"), markdown("b", id="two"), minor=5),
            {"cell_number": 0, "cell_id": "two", "new_source": "c"},
            [markdown("a", id="one"), markdown("c", id="two")],
            "replaced cell source in <ws>/n.ipynb (cell 1; 2 cells total)",
        ),
        (
            "the source under other names",
            notebook(markdown("a")),
            {"new_source": "", "content": "c", "source": "s"},
            [markdown("c")],
            "replaced cell source in <ws>/n.ipynb (cell 0; 1 cells total)",
        ),
        (
            "insert without a number goes first",
            notebook(markdown("a")),
            {"edit_mode": "insert", "cell_type": "code", "new_source": "x"},
            [code("x", outputs=[], execution_count=None), markdown("a")],
            "inserted code cell in <ws>/n.ipynb (cell 0; 2 cells total)",
        ),
        (
            "insert goes behind the number",
            THREE,
            {"edit_mode": "insert", "cell_type": "markdown", "cell_number": 2, "new_source": "x"},
            [*THREE["cells"], markdown("x")],
            "inserted markdown cell in <ws>/n.ipynb (cell 3; 4 cells total)",
        ),
        (
            "insert ignores an id",
            notebook(markdown("a", id="one"), minor=4),
            {"edit_mode": "insert", "cell_type": "markdown", "cell_id": "nix"},
            [{**markdown(""), "source": []}, markdown("a", id="one")],
            "inserted markdown cell in <ws>/n.ipynb (cell 0; 2 cells total)",
        ),
        (
            "insert into no cells",
            notebook(),
            {"edit_mode": "insert", "cell_type": "markdown", "new_source": "x"},
            [markdown("x")],
            "inserted markdown cell in <ws>/n.ipynb (cell 0; 1 cells total)",
        ),
        (
            "delete the first",
            THREE,
            {"edit_mode": "delete", "cell_number": 0},
            THREE["cells"][1:],
            "deleted cell in <ws>/n.ipynb (cell 0; 2 cells total)",
        ),
        (
            "delete the last",
            THREE,
            {"edit_mode": "delete", "cell_number": 2},
            THREE["cells"][:2],
            "deleted cell in <ws>/n.ipynb (cell 2; 2 cells total)",
        ),
        (
            "delete the only one",
            notebook(markdown("a")),
            {"edit_mode": "delete"},
            [],
            "deleted cell in <ws>/n.ipynb (cell 0; 0 cells total)",
        ),
    ],
)
@pytest.mark.parametrize("indent", [1, 2, None])
def test_notebook_edit(
    bench: Bench,
    says: str,
    before: dict[str, Any],
    arguments: dict[str, Any],
    cells: list[dict[str, Any]],
    answer: str,
    indent: int | None,
) -> None:
    """The cell is as asked, the rest is as it was, in the layout of the file."""
    if before["nbformat_minor"] == 4 and any("id" in cell for cell in before["cells"]):
        before = {**before, "nbformat_minor": 5}
        cells = [{**cell, "id": cell.get("id", "?")} for cell in cells]
    bench.put("n.ipynb", dump(before, indent))

    text = bench.ok("notebook_edit", path="n.ipynb", **arguments)
    after = json.loads(bench.get("n.ipynb"))

    for cell, wanted in zip(after["cells"], cells, strict=False):
        if wanted.get("id") == "?":
            wanted["id"] = cell["id"]
    assert after["cells"] == cells, says
    assert text == answer
    assert {**after, "cells": 0} == {**before, "cells": 0}
    if indent is not None:
        assert bench.get("n.ipynb").decode() == dump(after, indent)
    nbformat.validate(nbformat.from_dict(copy.deepcopy(after)))


@pytest.mark.parametrize(
    ("says", "arguments", "message"),
    [
        ("no path", {"path": ""}, "path is required\n"),
        (
            "a mode that is none",
            {"edit_mode": "Replace"},
            "invalid args for notebook_edit:\n- edit_mode: ",
        ),
        ("insert without a type", {"edit_mode": "insert"}, "cell_type is required for insert\n"),
        (
            "beyond the end",
            {"cell_number": 3, "new_source": "x"},
            "cell_number 3 out of range: the notebook has 3 cells\n",
        ),
        ("-1 names no cell", {"cell_number": -1, "new_source": "x"}, "cell_number -1 out of range"),
        (
            "insert beyond the end",
            {"edit_mode": "insert", "cell_type": "code", "cell_number": 3},
            "cell_number 3 out of range",
        ),
        (
            "no target among many",
            {"new_source": "x"},
            "cell_number or cell_id is required for replace",
        ),
        (
            "nor for delete",
            {"edit_mode": "delete"},
            "cell_number or cell_id is required for delete",
        ),
        (
            "unknown id",
            {"cell_id": "nix", "new_source": "x"},
            'no cell with id "nix" in <ws>/n.ipynb\n',
        ),
        ("nothing to put there", {"cell_number": 0}, "new_source is required for replace; "),
        ("no JSON", {"path": "bad", "cell_number": 0}, "<ws>/bad: not valid notebook JSON: "),
        (
            "more than JSON",
            {"path": "more", "cell_number": 0},
            "<ws>/more: not valid notebook JSON: ",
        ),
        ("no cells", {"path": "none", "cell_number": 0}, '<ws>/none: no "cells" array'),
        ("cells of another shape", {"path": "odd"}, "<ws>/odd: cells is not an array of objects\n"),
        ("no file", {"path": "nix"}, "read <ws>/nix: "),
    ],
)
def test_notebook_edit_refuses(
    bench: Bench, says: str, arguments: dict[str, Any], message: str
) -> None:
    """The notebook keeps its bytes."""
    bench.put("n.ipynb", dump(THREE))
    bench.put("bad", "{")
    bench.put("more", dump(THREE) + "}")
    bench.put("none", "{}")
    bench.put("odd", '{"cells": [1]}')

    assert bench.fails("notebook_edit", **({"path": "n.ipynb"} | arguments)).startswith(message), (
        says
    )
    assert bench.get("n.ipynb").decode() == dump(THREE)


ODD = """{
    "nbformat_minor" : 5, "nbformat": 4,
    "metadata": {"x": 1.50, "big": 12345678901234567890, "html": "<b>ü&\\u2028"},
    "extra": [1,2],
    "cells": [
        {"source": "one line", "id": "a", "cell_type": "code", "metadata": {"k": [1 , 2]},
         "outputs": [], "execution_count": null, "vendor": {"keep": true}},
        {
            "cell_type": "markdown",
            "id": "b",
            "metadata": {},
            "source": []
        }
    ]
}"""


def test_everything_outside_the_cell_keeps_its_bytes(bench: Bench) -> None:
    """Spelling of numbers, escapes, order of keys, layout, no last newline, unknown fields."""
    bench.put("n.ipynb", ODD)

    bench.ok("notebook_edit", path="n.ipynb", cell_id="b", new_source="<p> é\n")
    changed = bench.get("n.ipynb").decode()

    head, tail = ODD.split('"source": []')
    assert changed == f'{head}"source": [\n                "<p> é\\n"\n            ]{tail}'

    bench.ok("notebook_edit", path="n.ipynb", cell_id="a", new_source="x")
    cell = json.loads(bench.get("n.ipynb"))["cells"][0]
    assert cell["vendor"] == {"keep": True}
    assert list(cell)[:3] == ["source", "id", "cell_type"]


def test_crlf_and_ascii_notebooks_stay_so(bench: Bench) -> None:
    """A tool that changes every line makes every review useless."""
    text = json.dumps(notebook(markdown("é")), indent=1, sort_keys=True).replace("\n", "\r\n")
    bench.put("n.ipynb", text)

    bench.ok("notebook_edit", path="n.ipynb", new_source="ü")

    assert bench.get("n.ipynb").decode() == text.replace("\\u00e9", "\\u00fc")


def test_a_new_cell_gets_an_id_where_the_format_has_ids(bench: Bench) -> None:
    """Without one the notebook is invalid; the same edit gives the same id."""
    bench.put("n.ipynb", dump(notebook(markdown("a", id="one"), minor=5)))
    first = edited(bench, edit_mode="insert", cell_type="code", new_source="x")
    ids = [cell["id"] for cell in first["cells"]]
    bench.put("n.ipynb", dump(notebook(markdown("a", id="one"), minor=5)))
    second = edited(bench, edit_mode="insert", cell_type="code", new_source="x")

    assert ids == [cell["id"] for cell in second["cells"]]
    assert len(set(ids)) == 2


@pytest.mark.parametrize("odd", [[1], {"a": 1}, None, 7])
def test_an_id_that_is_no_text_does_no_harm(bench: Bench, odd: Any) -> None:
    """Notebooks are written by many programs; such a one is edited all the same."""
    before = notebook(markdown("a", id=odd), markdown("b", id="two"), minor=5)
    bench.put("n.ipynb", dump(before))

    bench.ok("notebook_edit", path="n.ipynb", edit_mode="insert", cell_type="code")
    bench.ok("notebook_edit", path="n.ipynb", cell_id="two", new_source="c")

    cells = json.loads(bench.get("n.ipynb"))["cells"]
    assert [cell["source"] for cell in cells] == [[], ["a"], ["c"]]
    assert cells[1]["id"] == odd


def test_a_number_of_thousands_of_digits_is_refused(bench: Bench) -> None:
    """The interpreter does not read it; that is told like any other fault of the file."""
    text = dump(notebook(markdown("a"))).replace("1e+25", "9" * 5000)
    bench.put("n.ipynb", text)

    message = bench.fails("notebook_edit", path="n.ipynb", new_source="b")

    assert message.startswith("<ws>/n.ipynb: not valid notebook JSON: ")
    assert bench.get("n.ipynb").decode() == text


CELL = st.one_of(st.text(max_size=20).map(code), st.text(max_size=20).map(markdown))


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    cells=st.lists(CELL, min_size=1, max_size=4),
    source=st.text(alphabet=st.characters(exclude_categories=["Cs"]), max_size=20),
    mode=st.sampled_from(["replace", "insert", "delete"]),
    data=st.data(),
    indent=st.sampled_from([None, 1, 4, "\t"]),
)
def test_nbformat_accepts_every_edit(
    bench: Bench,
    cells: list[dict[str, Any]],
    source: str,
    mode: str,
    data: st.DataObject,
    indent: Any,
) -> None:
    """Whatever is edited, it is a notebook afterwards, and the other cells are the same."""
    bench.begin_turn()
    number = data.draw(st.integers(0, len(cells) - 1))
    kind = data.draw(st.sampled_from(["code", "markdown"]))
    bench.put("n.ipynb", dump(notebook(*cells), indent))

    after = edited(bench, cell_number=number, edit_mode=mode, cell_type=kind, new_source=source)

    others = cells[:number] + cells[number + (mode != "insert") :]
    if mode == "insert":
        others = cells
        changed = after["cells"].pop(number + 1)
    elif mode == "replace":
        changed = after["cells"].pop(number)
    assert after["cells"] == others
    if mode != "delete":
        assert "".join(changed["source"]) == source
        assert changed["cell_type"] == kind


@pytest.mark.parametrize(
    ("given", "source"),
    [
        ({"content": "c", "source": "s", "new_string": "n"}, "c"),
        ({"source": "s", "new_string": "n"}, "s"),
        ({"content": "", "new_string": "n"}, "n"),
        ({"new_source": "x", "content": "c"}, "x"),
    ],
)
def test_an_empty_source_is_looked_for_under_other_names(
    bench: Bench, given: dict[str, str], source: str
) -> None:
    """Models use the names of neighbouring tools; the first that holds something counts."""
    bench.put("n.ipynb", dump(notebook(markdown("a"))))

    after = edited(bench, **given)

    assert after["cells"] == [markdown(source)]
