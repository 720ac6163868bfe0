"""Contract documents are read from any host, and written so that they can be read again."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from places import DOCS

from reasonix_runtime.contract.document import build, load, parse, render, row_text
from reasonix_runtime.contract.entry import Contract, ContractEntry
from reasonix_runtime.contract.surface import CORE, FULL
from reasonix_runtime.errors import DocumentError
from reasonix_runtime.tools.registry import default_registry

FILES = {"en": "TOOL_CONTRACT.md", "zh-CN": "TOOL_CONTRACT.zh-CN.md"}
REGISTRY = default_registry(review=True)
CONTRACT = REGISTRY.contract()

HEADER = "| Tool | Read-only | Description |\n| --- | --- | --- |\n"


def entry(
    name: str, description: str = "does it", *, read_only: bool | None = True
) -> ContractEntry:
    """Return an entry without parameters."""
    return ContractEntry.of(name, description=description, read_only=read_only, schema=b"")


def rows(text: str) -> list[tuple[str, bool | None, str | None]]:
    """Return name, flag and description of each row."""
    return [(row.name, row.read_only, row.description) for row in parse(text).rows]


def problems(text: str) -> list[tuple[int, int, str]]:
    """Return place and code of each problem."""
    return [(p.line, p.column, p.code) for p in parse(text).problems]


# what is written


@pytest.mark.parametrize("language", sorted(FILES))
def test_the_committed_document_is_the_generated_one(language: str) -> None:
    """A document that nobody rebuilt tells something else than the registry."""
    texts = {file: (DOCS / file).read_text("utf-8") for file in FILES.values()}
    contracts = {language: REGISTRY.contract(language=language)}

    assert texts[FILES[language]] == build(contracts, texts)[FILES[language]]


@pytest.mark.parametrize("language", sorted(FILES))
def test_a_generated_document_is_read_as_what_it_was_written_from(language: str) -> None:
    """Our own reader must not need to be told what our own writer meant."""
    contract = REGISTRY.contract(language=language)

    document = parse(render(contract, language))

    assert () == document.problems
    assert [(e.name, e.read_only, e.description) for e in contract] == [
        (row.name, row.read_only, row.description) for row in document.rows
    ]
    assert {e.name: e.fingerprint for e in contract} == {
        claim.name: claim.value for claim in document.fingerprints
    }
    assert REGISTRY.surfaces() == {claim.id: claim.names for claim in document.surfaces}


@pytest.mark.parametrize("language", sorted(FILES))
def test_existing_tools_of_the_family_find_what_they_look_for(language: str) -> None:
    """They search the text for rows, headings and names in back quotes."""
    text = render(REGISTRY.contract(language=language), language)

    for each in CONTRACT:
        assert f"| `{each.name}` | {str(each.read_only).lower()} |" in text
    for heading in ("Schema Snapshot", "Default Full Boot Surface", "Unified Boot Surface"):
        assert f"\n## {heading}" in text
    assert all(f"`{name}`" in text for name in FULL)


@pytest.mark.parametrize(
    ("description", "row"),
    [
        ("", "| `t` | true |  |"),
        ("a | b", "| `t` | true | a \\| b |"),
        ("a\nb\r\n\n  c\td", "| `t` | true | a b c d |"),
        ("a\u00a0\u3000b\u2028c", "| `t` | true | a b c |"),
        ("`a\\b` <br> &amp; *c*", "| `t` | true | `a\\b` <br> &amp; *c* |"),
        ("a \\| b", "| `t` | true | a \\\\| b |"),
        ("ends in \\", "| `t` | true | ends in \\ |"),
    ],
)
def test_a_description_is_written_into_one_cell(description: str, row: str) -> None:
    """A raw pipe or line break would tear the row for every reader of the page."""
    assert row == row_text(entry("t", description))


def test_an_unknown_flag_is_written_and_read_as_unknown() -> None:
    """What a dump does not tell must not become a false."""
    contract = Contract([entry("a", read_only=None)])

    document = parse(render(contract))

    assert "| `a` | unknown | does it |" == row_text(entry("a", read_only=None))
    assert (None, ()) == (document.rows[0].read_only, document.problems)


WORDS = st.text(st.characters(codec="utf-8"), max_size=30)


@settings(deadline=None)
@given(st.dictionaries(st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True), WORDS, max_size=5))
def test_what_is_rendered_is_read_again(described: dict[str, str]) -> None:
    """Pipes, backslashes, back quotes, line breaks, markup: none may move between cells."""
    contract = Contract(entry(name, text) for name, text in described.items())

    document = parse(render(contract))

    expected = {name: " ".join(text.split()) for name, text in described.items()}
    assert expected == {row.name: row.description for row in document.rows}
    assert render(contract) == render(contract.with_descriptions(document))


# hand-written parts


NOTE = "A note.\n\n```\n<!-- not closed\n| `a` | b |\n"


@pytest.mark.parametrize("place", ["introduction", "tools", "end"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_what_a_person_wrote_survives_a_rebuild(place: str, newline: str) -> None:
    """Whatever it is, an unfinished code block included, and with the line ends of the file."""
    text = render(CONTRACT, hand_written={place: NOTE.rstrip("\n")}).replace("\n", newline)
    file = FILES["en"]

    again = build({"en": CONTRACT}, {file: text})

    assert text == again[file]
    assert NOTE.replace("\n", newline).rstrip() in again[file]


def test_a_part_that_the_document_has_no_place_for_is_kept_at_its_end() -> None:
    """A part of an older edition, or one that somebody made up, is not thrown away."""
    file = FILES["en"]
    old = "<!-- hand-written: mine -->\nkept\n<!-- end of hand-written: mine -->\n"

    text = build({"en": CONTRACT}, {file: old})[file]

    assert text.endswith(old)
    assert text == build({"en": CONTRACT}, {file: text})[file]


@pytest.mark.parametrize(
    ("broken", "place"),
    [
        ("<!-- hand-written: tools -->\ntext\n", "1:1: hand-written part 'tools' never ends"),
        ("\n<!-- end of hand-written: tools -->\n", "2:1: hand-written part 'tools' ends here"),
        (
            "<!-- hand-written: a -->\n<!-- hand-written: b -->\n<!-- end of hand-written: a -->\n",
            "2:1: hand-written part 'b' begins inside of 'a'",
        ),
        (
            "<!-- hand-written: a -->\n<!-- end of hand-written: a -->\n" * 2,
            "3:1: hand-written part 'a' is there twice",
        ),
    ],
)
def test_a_broken_marker_stops_the_rebuild(broken: str, place: str) -> None:
    """Guessing where a part ends would lose text."""
    with pytest.raises(DocumentError, match=re.escape(f"TOOL_CONTRACT.md:{place}")):
        build({"en": CONTRACT}, {FILES["en"]: broken})


def test_an_unknown_language_is_answered_with_the_nearest() -> None:
    """Only languages with a wording can be written."""
    with pytest.raises(DocumentError, match="did you mean 'zh-CN'"):
        render(CONTRACT, "zh-cn")


# documents of other hosts


ADOPTED = (
    "| `bash`  | false | Their   words, with  two blanks. |",
    "| `grep` | true | pipes \\| and \\\\| slashes \\ and <br> &lt; |",
    "| `ls` | true | trailing backslash \\ |",
)


def test_an_adopted_document_gives_the_same_rows_byte_for_byte() -> None:
    """A provider sees exactly their words, and rebuilding their document changes none of them."""
    document = parse("# Theirs\n\n" + HEADER + "\n".join((*ADOPTED, "| `own` | true | theirs |")))

    adopted = CONTRACT.with_descriptions(document)

    assert "pipes | and \\| slashes \\ and <br> &lt;" == adopted["grep"].description
    lines = render(adopted).split("\n")
    assert [] == [row for row in ADOPTED if row not in lines]
    assert row_text(CONTRACT["wait"]) in lines
    assert "own" not in adopted


def test_an_adopted_row_keeps_our_flag() -> None:
    """A document can change what is said about a tool, not what it is."""
    document = parse(HEADER + "| `bash` | true |  Their  words |\n")

    row = row_text(
        CONTRACT.with_descriptions(document)["bash"],
        CONTRACT.with_descriptions(document).rows["bash"],
    )

    assert "| `bash` | false | Their  words |" == row


@pytest.mark.parametrize(
    "text",
    [
        HEADER + "| `a` | true | does |\n",
        "\ufeff" + (HEADER + "| `a` | true | does |\n").replace("\n", "\r\n"),
        HEADER.replace("|", " |").replace("---", ":-:") + " |  `a`  |true| does |  \n",
        "Tool | Read-only | Description\n-|-|-\n`a` | true | does\n",
        "| 工具 | 只读 | 说明 |\n|---|---|---|\n| `a` | 是 | does |\n",
        "| Werkzeug | Nur lesen | Beschreibung |\n|---|---|---|\n| a | ja | does |\n",
        "| ツール | 読み取り専用 | 説明 |\n|---|---|---|\n| **a** | はい | does |\n",
        "| Nombre | ¿Lee? | Qué hace |\n|---|---|---|\n| `a` | sí | does |\n",
        "| **Tool** | Access | What it does |\n|---|---|---|\n| `a` (old) | read-only | does |\n",
        "| Read-only | Description | Tool |\n|---|---|---|\n| ✓ | does | [`a`](#a) |\n",
        "| Tool | Since | Read-only | Description |\n|---|---|---|---|\n| `a` | 1 | yes | does |\n",
        "- in a list\n\n  " + (HEADER + "| `a` | `true` | does |").replace("\n", "\n  ") + "\n",
        "<details>\n\n" + HEADER + "| `a` | TRUE | does |\n\n</details>\n",
        "```\n| `no` | true | code |\n```\n<!--\n| `no` | true | comment |\n-->\n"
        "    | `no` | true | code |\n> | `no` | true | quoted |\n\n"
        + HEADER
        + "| `a` | true | does |\n",
        "| Parameter | Required | Description |\n|---|---|---|\n| `path` | true | no tool |\n\n"
        + HEADER
        + "| `a` | true | does |\n",
        HEADER
        + "| `a` | true | does |\n\n| Tool | Property | Type |\n|---|---|---|\n| `b` | x | y |\n",
    ],
)
def test_a_table_of_tools_is_found_in_any_document(text: str) -> None:
    """Forks translate headers, add columns and put the table anywhere."""
    assert [("a", True, "does")] == rows(text)
    assert [] == problems(text)


def test_other_columns_are_kept() -> None:
    """Nothing that a document says about a tool is lost."""
    document = parse(
        "| Tool | Since | Read-only | Description | Risk |\n|---|---|---|---|---|\n"
        "| `a` | 1.2 | true | does | high |\n"
    )

    assert {"Since": "1.2", "Risk": "high"} == document.rows[0].extra
    assert "does" == document.rows[0].description


@pytest.mark.parametrize(
    ("text", "found", "expected"),
    [
        ("", [], [(1, 1, "table.missing")]),
        ("# Title\n\nNo table.\n", [], [(1, 1, "table.missing")]),
        (
            "| Tool | Description |\n|---|---|\n| `a` | does |\n",
            [("a", None, "does")],
            [(1, 1, "table.no_flag")],
        ),
        (
            "| Tool | Read-only |\n|---|---|\n| `a` | false |\n",
            [("a", False, None)],
            [(1, 1, "table.no_description")],
        ),
        (
            HEADER + "| `a` | maybe | does |\n| `b` | | does |\n",
            [("a", None, "does"), ("b", None, "does")],
            [(3, 9, "row.flag"), (4, 8, "row.flag")],
        ),
        (
            HEADER + "| `a` | true | one\ntwo |\n| `b` | true | does |\n",
            [("a", True, "one"), ("b", True, "does")],
            [(4, 6, "row.torn")],
        ),
        (
            HEADER + "| `a` | true\n| does |\n| `b` | true | does |\n",
            [("a", True, None), ("b", True, "does")],
            [(3, 13, "row.torn"), (4, 9, "row.torn")],
        ),
        (
            HEADER + "| `a` | true | one | two |\n",
            [("a", True, "one | two")],
            [(3, 22, "row.surplus")],
        ),
        (
            HEADER + "| `a` | true | one |\n\n| `b` | false | two \\| three |\n",
            [("a", True, "one"), ("b", False, "two | three")],
            [(5, 3, "row.outside")],
        ),
        (
            "| `b` | false | two |\n",
            [("b", False, "two")],
            [(1, 1, "table.missing"), (1, 3, "row.outside")],
        ),
        (
            HEADER + "|  | true | does |\n| `a b` | true | does |\n",
            [],
            [(3, 1, "row.no_name"), (4, 3, "row.name")],
        ),
        (
            HEADER + "| `a` | true | does |\n\n```\nnever closed\n",
            [("a", True, "does")],
            [(5, 1, "fence.open")],
        ),
        (
            HEADER + "| `a` | true | does |\n\n<!-- never closed\n| `b` | true | does |\n",
            [("a", True, "does")],
            [(5, 1, "comment.open")],
        ),
    ],
)
def test_what_cannot_be_read_is_told_with_its_place(
    text: str, found: list[object], expected: list[object]
) -> None:
    """A maintainer gets a line and a column, and every other row is still checked."""
    assert found == rows(text)
    assert sorted(expected, key=str) == sorted(problems(text), key=str)
    assert problems(text) == problems(text.replace("\n", "\r\n"))


def test_a_problem_is_printed_with_its_source() -> None:
    """Editors open `file:line:column`."""
    problem = parse(HEADER + "| `a` | maybe | does |\n").problems[0]

    assert "docs/X.md:3:9: read-only flag of 'a' is 'maybe'; expected true or false" == problem.at(
        "docs/X.md"
    )


def test_of_a_tool_that_stands_twice_the_first_row_counts() -> None:
    """The second one is the one that nobody updates."""
    document = parse(HEADER + "| `a` | true | x |\n| `b` | true | x |\n| `a` | false | y |\n")

    row = document.row("a")
    assert row is not None
    assert "x" == row.description
    assert document.row("c") is None


@pytest.mark.parametrize(
    "body",
    [
        "The surface is `bash`, `bash_output`, and `wait`; nothing else.",
        "`bash`,\n`bash_output`\nand `wait`",
        "* `bash`\n* `bash_output` — reads `bash` jobs\n* `wait`\n",
        "1. `bash` (`sh`)\n2. `bash_output`\n3. `wait`\n",
        "Use `action` = `call`. It has `bash`、`bash_output` 和 `wait`。",
        "| # | tool | note |\n|---|---|---|\n| 1 | `bash` | x |\n| 2 | `bash_output` | |\n"
        "| 3 | `wait` | |\n",
        "One: `edit_file`, `x`.\n\nTwo: `bash`, `bash_output`, `wait`.\n\n"
        "```\n`a`, `b`, `c`, `d`\n```",
    ],
)
def test_a_surface_is_the_longest_list_of_names_under_its_heading(body: str) -> None:
    """Documents give it as prose, as a list or as a table, among other words."""
    document = parse(f"# Doc\n\n## Unified Boot Surface\n\n{body}\n\n## Next\n\n`p`, `q`\n")

    claim = document.surface("unified boot surface")
    assert claim is not None
    assert ("bash", "bash_output", "wait") == claim.names
    assert 1 == len(document.surfaces)


def test_a_marked_surface_is_found_by_its_id_in_any_language() -> None:
    """Headings are translated, marks are not."""
    document = parse(render(REGISTRY.contract(language="zh-CN"), "zh-CN"))

    claim = document.surface("core")
    assert claim is not None
    assert claim.names == CORE
    assert "Unified Boot Surface（统一启动面）" == claim.heading


def test_fingerprints_are_read_from_tables_and_lists() -> None:
    """Other generators write them as they like; a digest looks like one."""
    full = "ab" * 32
    document = parse(
        "## Schemas\n\n| Name | Hash |\n|---|---|\n| `a` | `0123456789abcdef` |\n| `b` | "
        f"{full} |\n\n* `c`: `00112233aabbccdd`\n* `d`: `beef`\n"
    )

    assert [("a", "0123456789abcdef"), ("b", full), ("c", "00112233aabbccdd")] == [
        (claim.name, claim.value) for claim in document.fingerprints
    ]


def test_schemas_that_are_written_out_are_read() -> None:
    """The form that a renderer of the family writes: a heading a tool and a fenced schema."""
    document = parse('## Schemas\n\n### `ls`\n\nRead-only.\n\n```json\n{\n  "a": 1\n}\n```\n')

    assert [("ls", '{\n  "a": 1\n}', 7)] == [(s.name, s.text, s.line) for s in document.schemas]


@settings(deadline=None)
@given(st.text() | st.text(alphabet="|`-ab \n\r\t#<!>*1.\\:,true", max_size=200))
def test_any_text_can_be_read(text: str) -> None:
    """Reading somebody's document never fails, and every place it tells exists."""
    lines = re.split(r"\r\n|\n|\r", text)
    document = parse(text)

    for problem in document.problems:
        assert 1 <= problem.line <= len(lines)
        assert 1 <= problem.column <= len(lines[problem.line - 1]) + 1


@settings(deadline=None)
@given(st.lists(st.text(alphabet="|`ab \\:true", max_size=20), max_size=8))
def test_no_row_is_lost_in_silence(lines: list[str]) -> None:
    """Every line of a table becomes a row or a problem of that line."""
    body = [f"| {line}" for line in lines]
    document = parse(HEADER + "\n".join(body))

    told = {row.line for row in document.rows} | {p.line for p in document.problems}
    assert set(range(3, 3 + len(body))) <= told


def test_pathological_text_is_read_in_time() -> None:
    """A file of tens of thousands of marks is no reason to hang or to recurse."""
    for unit in ("- ", "> ", "| ", "`", "```\n", "<!--", "* `a`, ", "|\n-|\n", "#"):
        parse(unit * 20_000)


# files


def test_a_missing_document_is_a_clear_error(tmp_path: Path) -> None:
    """The path is what is wrong, and it is told."""
    with pytest.raises(DocumentError, match=r"none\.md: cannot read the contract document"):
        load(tmp_path / "none.md")


def test_a_document_that_is_no_utf8_is_a_clear_error(tmp_path: Path) -> None:
    """Reading it as something else would turn words into other words."""
    path = tmp_path / "latin.md"
    path.write_bytes(HEADER.encode() + "| `a` | true | gr\xfcn |\n".encode("latin-1"))

    with pytest.raises(DocumentError, match=r"latin\.md:3: byte 0xfc is not UTF-8"):
        load(path)


def test_a_document_is_loaded_from_its_file(tmp_path: Path) -> None:
    """Messages call it by its path."""
    path = tmp_path / "contract.md"
    path.write_text(HEADER + "| `a` | true | does |\n", "utf-8")

    assert (str(path), "a") == (load(path).source, load(path).rows[0].name)
