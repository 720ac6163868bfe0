"""`edit_file` and `multi_edit`: one place, all or nothing, and every other byte as it was."""

from __future__ import annotations

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench, MakeBench

from reasonix_runtime.tools.context import ToolSettings
from reasonix_runtime.tools.support.edits import Applied
from reasonix_runtime.tools.support.replacement_receipt import RECEIPT_LIMIT, receipt


@pytest.mark.parametrize(
    ("says", "before", "old", "new", "after"),
    [
        ("exactly one match is replaced", "a b c", "b", "X", "a X c"),
        ("empty new text removes", "a b c", " b", "", "a c"),
        ("old equal to new rewrites the file", "abc", "b", "b", "abc"),
        ("patterns are text", "x = 1", "x = 1", r"x=$& \1 \g<0> $$", r"x=$& \1 \g<0> $$"),
        ("new text keeps its trailing blanks", "a\n", "a", "b  ", "b  \n"),
        ("tabs elsewhere stay", "\tone\n\ttwo\n", "two", "2", "\tone\n\t2\n"),
        ("new bytes are the given bytes", "q\n", "q", "\u2019e\u0301", "\u2019e\u0301\n"),
        ("LF text matches in a CRLF file", "p\r\nq\r\n", "p\nq", "1\n2", "1\r\n2\r\n"),
        ("one line becomes two in a CRLF file", "p\r\nq\r\n", "q", "1\n2", "p\r\n1\r\n2\r\n"),
        ("a line end that old begins with is taken whole", "p\r\nq", "\nq", "\nX", "p\r\nX"),
        ("and goes whole", "p\r\nq\r\n", "\nq", "X", "pX\r\n"),
        ("the last line follows the one before", "p\r\nq", "q", "1\n2", "p\r\n1\r\n2"),
        ("a LF file stays LF", "p\nq\n", "q", "1\n2", "p\n1\n2\n"),
        ("mixed ends: the place decides (LF)", "p\r\nq\nr\r\n", "q", "1\n2", "p\r\n1\n2\nr\r\n"),
        ("mixed ends: the place decides (CRLF)", "p\nq\r\nr\n", "q", "1\n2", "p\n1\r\n2\r\nr\n"),
        ("an exact place wins over a tolerant one", "a \nb\na\nb\n", "a\nb\n", "X\n", "a \nb\nX\n"),
        ("a missing last newline stays missing", "a\nb", "b", "c", "a\nc"),
    ],
)
def test_edit_file(bench: Bench, says: str, before: str, old: str, new: str, after: str) -> None:
    """The region changes, and nothing else does."""
    bench.put("f", before)

    text = bench.ok("edit_file", path="f", old_string=old, new_string=new)

    assert after.encode() == bench.get("f"), says
    assert text.startswith("edited <ws>/f\nActual replacement receipt after write:\n@@ replacement")


@pytest.mark.parametrize(
    ("says", "before", "old", "new", "after"),
    [
        ("trailing blanks, tabs and CR", "a  \nb\t\nc\n", "a\nb\n", "X\n", "X\nc\n"),
        ("tabs as four spaces", "\tif x:\n", "    if x:\n", "Y\n", "Y\n"),
        ("copied line numbers", "one\ntwo\n", " 9→one\n10→two\n", "Z\n", "Z\n"),
        ("numbers and tabs", "\tone\n", "1→    one\n", "Z\n", "Z\n"),
        ("a last line without end keeps its own", "a \nb \nc\n", "a\nb", "X", "X\nc\n"),
        ("its CRLF too", "a \r\nb \r\nc\r\n", "a\nb", "X\nY", "X\r\nY\r\nc\r\n"),
        ("new text is never stripped", "a \n", "a\n", "1→b  \n", "1→b  \n"),
        ("new text gets the CRLF of the place", "a \r\nb\r\n", "a\nb\n", "1\n2\n", "1\r\n2\r\n"),
        ("the first mode with a hit decides", "    x\n\tx\n", "    x  \n", "y\n", "y\n\tx\n"),
    ],
)
def test_edit_file_tolerates(
    bench: Bench, says: str, before: str, old: str, new: str, after: str
) -> None:
    """Without an exact match, whole lines may differ in what a model copies wrongly."""
    bench.put("f", before)

    text = bench.ok("edit_file", path="f", old_string=old, new_string=new)

    assert after.encode() == bench.get("f"), says
    assert text.startswith("edited <ws>/f (fuzzy match)\n")
    assert "(1 occurrence(s), fuzzy match) @@\n" in text


@pytest.mark.parametrize(
    ("says", "before", "old", "message"),
    [
        ("no match", "alpha\n", "beta", "old_string not found in <ws>/f; read the file again"),
        (
            "the nearest line is quoted",
            "x\n  return value + 1\n",
            "return value - 1",
            'old_string not found in <ws>/f (nearest line 2: "  return value + 1"); read',
        ),
        (
            "advice for CRLF files",
            "a\r\n",
            "zzz",
            "old_string not found in <ws>/f; read the file "
            "again and copy the text exactly; its lines end in CRLF",
        ),
        ("leading blanks count", "  a\n", "a b\n", "old_string not found"),
        ("a tolerant line must be whole", "xa \n", "a\n", "old_string not found"),
        ("a line end is needed where old has one", "a ", "a\n", "old_string not found"),
        (
            "only normalisation differs",
            "e\u0301\n",
            "\u00e9",
            "old_string not found in <ws>/f (there is a text that differs only in Unicode norm",
        ),
        (
            "two matches",
            "a\nb\na\n",
            "a",
            "old_string is not unique in <ws>/f (2 matches) at line 1, 3; take in more",
        ),
        (
            "overlapping ones too",
            "ab\nab\nab\n",
            "ab\nab\n",
            "old_string is not unique in <ws>/f (2 ",
        ),
        ("in one line", "xxx", "xx", "old_string is not unique in <ws>/f (2 matches) at line 1;"),
        (
            "at most five lines are told",
            "a\n" * 7,
            "a",
            "old_string is not unique in <ws>/f (7 matches) at line 1, 2, 3, 4, 5, ...;",
        ),
        ("two tolerant matches", "a \nb\na \n", "a  \n", "old_string is not unique in <ws>/f (2 "),
        ("empty", "a", "", "old_string is required\n"),
    ],
)
def test_edit_file_refuses(bench: Bench, says: str, before: str, old: str, message: str) -> None:
    """The file keeps its bytes, and the message says what to do."""
    bench.put("f", before)

    assert bench.fails("edit_file", path="f", old_string=old, new_string="N").startswith(message), (
        says
    )
    assert before.encode() == bench.get("f")


@pytest.mark.parametrize(
    ("before", "old", "message"),
    [
        (
            "a\n" * 40_000,
            "a",
            "old_string is not unique in <ws>/f (10000 or more matches) at line 1,",
        ),
        (
            "x" * 250_000,
            "x" * 3000,
            "old_string is not unique in <ws>/f (10000 or more matches)",
        ),
        ("x  \n" * 5_000, "x\n" * 2_500 + "y\n", "old_string not found in <ws>/f"),
    ],
    ids=["many matches", "one long line", "white space at the ends"],
)
def test_the_refusal_of_a_large_file_counts_no_further_than_it_has_to(
    bench: Bench, before: str, old: str, message: str
) -> None:
    """What it costs is held by `benchmarks/tool_growth.py`."""
    bench.put("f", before)

    assert bench.fails("edit_file", path="f", old_string=old, new_string="N").startswith(message)


def test_the_checks_come_in_the_stated_order(bench: Bench) -> None:
    """Path, then old_string, then confinement, then the file."""
    assert "path is required\n" == bench.fails("edit_file", path="", old_string="", new_string="")
    assert "old_string is required\n" == bench.fails(
        "edit_file", path="../x", old_string="", new_string=""
    )
    assert "outside the workspace" in bench.fails(
        "edit_file", path="../x", old_string="a", new_string=""
    )
    assert "read <ws>/x: open <ws>/x: no such file or directory\n" == bench.fails(
        "edit_file", path="x", old_string="a", new_string=""
    )


def test_the_exact_profile_tolerates_nothing(make_bench: MakeBench) -> None:
    """A host may want exact text only."""
    bench = make_bench(settings=ToolSettings(tolerant_edits=False))
    bench.put("f", "a \nb\n")

    assert "not found" in bench.fails("edit_file", path="f", old_string="a\n", new_string="N")
    bench.ok("edit_file", path="f", old_string="a \n", new_string="N\n")


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("gb18030", b""),
    ],
)
def test_an_edit_keeps_encoding_and_mark(bench: Bench, encoding: str, mark: bytes) -> None:
    """A match on the first line works, although a mark stands in front of it."""
    bench.put("f", mark + "x=1 你好\r\nend".encode(encoding))

    bench.ok("edit_file", path="f", old_string="x=1", new_string="x=2")

    assert mark + "x=2 你好\r\nend".encode(encoding) == bench.get("f")


def test_the_receipt_shows_what_was_replaced(bench: Bench) -> None:
    """The model sees the truth about its edit without reading the file again."""
    bench.put("f", "one\ntwo\nthree\n")

    text = bench.ok("edit_file", path="f", old_string="one\ntwo\n", new_string="")

    assert text == (
        "edited <ws>/f\n"
        "Actual replacement receipt after write:\n"
        "@@ replacement 1 of 1 (1 occurrence(s)) @@\n"
        "-one\n-two\n+<empty>\n"
    )


def test_the_receipt_of_many_tolerant_places_shows_the_first(bench: Bench) -> None:
    """And says that it is a sample: the others may look different."""
    bench.put("f", "a \nb\na\t\n")

    text = bench.ok(
        "multi_edit",
        path="f",
        edits=[{"old_string": "a  \n", "new_string": "N\n", "replace_all": True}],
    )

    assert text.endswith(
        "@@ replacement 1 of 1 (2 occurrence(s), fuzzy match, first matched sample shown) @@\n"
        "-a \n+N\n"
    )


def test_a_long_side_is_cut_three_quarters_head(bench: Bench) -> None:
    """The receipt stays small, and says where it was cut."""
    applied = Applied(removed="é" * 1000, added="new", count=1)

    text = receipt([applied])

    side = text.split("\n")[2]
    head, tail = side[1:].split("…[replacement span truncated]…")
    assert {"é"} == set(head) | set(tail)
    assert len(side[1:].encode()) <= 896
    assert 2.8 < len(head) / len(tail) < 3.2


def test_a_receipt_of_many_short_lines_is_cut_as_a_whole() -> None:
    """Each line gets a sign, so the sides alone do not bound it."""
    text = receipt([Applied(removed="\n" * 2000, added="x\n" * 2000, count=1)])

    assert len(text.encode()) <= RECEIPT_LIMIT
    assert "…[receipt truncated; use read_file for the full content]…" in text


@given(
    st.lists(
        st.builds(
            Applied,
            removed=st.text(max_size=50).map(lambda t: t * 60),
            added=st.text(alphabet="a\n中😀", max_size=2000),
            count=st.integers(1, 3),
            tolerant=st.booleans(),
        ),
        min_size=1,
        max_size=4,
    )
)
def test_a_receipt_is_bounded_text(applied: list[Applied]) -> None:
    """Whatever was replaced, the receipt stays within its limit and ends its last line."""
    text = receipt(applied)

    assert len(text.encode()) <= RECEIPT_LIMIT
    assert text.endswith("\n")


@pytest.mark.parametrize(
    ("says", "before", "edits", "after", "summary"),
    [
        (
            "each step sees the text of the one before",
            "a",
            [("a", "b", False), ("b", "c", False)],
            "c",
            "2 edits applied (2 total replacements)",
        ),
        ("replace_all takes all", "x x x", [("x", "yy", True)], "yy yy yy", "1 edits applied (3 "),
        ("one is enough for it", "x", [("x", "y", True)], "y", "1 edits applied (1 total"),
        ("overlapping ones from the left", "xxx", [("xx", "y", True)], "yx", "1 edits applied (1 "),
        (
            "tolerant windows too",
            "a \nb\na\t\nb\n",
            [("a  \n", "N\n", True)],
            "N\nb\nN\nb\n",
            "1 edits applied (2 total replacements) (fuzzy match)",
        ),
        (
            "tolerant windows do not overlap",
            "a \na \na \n",
            [("a\na\n", "N\n", True)],
            "N\na \n",
            "1 edits applied (1 total replacements) (fuzzy match)",
        ),
        (
            "in a CRLF file",
            "a\r\nb\r\na\r\nb\r\n",
            [("a\nb", "1\n2\n3", True)],
            "1\r\n2\r\n3\r\n1\r\n2\r\n3\r\n",
            "1 edits applied (2 total replacements)",
        ),
    ],
)
def test_multi_edit(
    bench: Bench,
    says: str,
    before: str,
    edits: list[tuple[str, str, bool]],
    after: str,
    summary: str,
) -> None:
    """An ordered list of replacements, written once."""
    bench.put("f", before)
    steps = [{"old_string": o, "new_string": n, "replace_all": r} for o, n, r in edits]

    text = bench.ok("multi_edit", path="f", edits=steps)

    assert after.encode() == bench.get("f"), says
    assert text.startswith(f"multi_edit <ws>/f: {summary}"), says


@pytest.mark.parametrize(
    ("says", "edits", "message"),
    [
        ("a miss", [("a", "b"), ("zz", "y")], "edit 2: old_string not found in <ws>/f"),
        (
            "not unique mentions replace_all",
            [("n", "x")],
            "edit 1: old_string is not unique in <ws>/f (2 matches) at line 1; take in more "
            "neighbouring lines, or set replace_all; no edit was made\n",
        ),
        (
            "without old_string, found when reached",
            [("zz", "y"), ("", "x")],
            "edit 1: old_string not found",
        ),
        ("without old_string", [("a", "b"), ("", "x")], "edit 2: old_string is required"),
    ],
)
def test_multi_edit_changes_all_or_nothing(
    bench: Bench, says: str, edits: list[tuple[str, str]], message: str
) -> None:
    """A list that is half done is worse than one that is not."""
    bench.put("f", "banana"[:3] + "n")
    steps = [{"old_string": old, "new_string": new} for old, new in edits]

    assert bench.fails("multi_edit", path="f", edits=steps).startswith(message), says
    assert b"bann" == bench.get("f")


def test_everything_in_one_long_line_is_replaced(bench: Bench) -> None:
    """Generated files have one line of megabytes, and each new line ends as the file's do."""
    bench.put("f", "x," * 80_000 + "\r\n")

    edit = {"old_string": "x,", "new_string": "y\n", "replace_all": True}
    bench.ok("multi_edit", path="f", edits=[edit])

    assert bench.get("f") == b"y\r\n" * 80_000 + b"\r\n"


@given(
    text=st.lists(st.sampled_from(["a", "b", "\n", "\r\n"]), max_size=20).map("".join),
    old=st.text(alphabet="ab\n", min_size=1, max_size=3),
    new=st.text(alphabet="abc\n", max_size=4),
)
def test_replacing_everything_is_what_everybody_means_by_it(text: str, old: str, new: str) -> None:
    """From left to right; no line end is torn apart, and none is doubled."""
    from reasonix_runtime.tools.support.edits import Edit, apply

    plain = text.replace("\r\n", "\n")
    if not 0 < text.count(old) == plain.count(old):
        return
    changed, applied = apply(text, Edit(old=old, new=new, replace_all=True), path="f")

    assert applied.count == text.count(old)
    assert changed.replace("\r\n", "\n") == plain.replace(old, new)
    if "\r" not in text:
        assert changed == text.replace(old, new)


def test_multi_edit_needs_a_path_and_a_file(bench: Bench) -> None:
    """It never creates a file."""
    steps = [{"old_string": "a", "new_string": "b"}]

    assert "path is required\n" == bench.fails("multi_edit", path="", edits=steps)
    assert bench.fails("multi_edit", path="x", edits=steps).startswith("read <ws>/x: ")
    assert "expected at least 1 item(s)" in bench.fails("multi_edit", path="x", edits=[])


def test_of_more_than_two_edits_the_first_and_last_are_shown(bench: Bench) -> None:
    """A long list must not flood the conversation."""
    bench.put("f", "abcd")
    steps = [{"old_string": c, "new_string": c.upper()} for c in "abcd"]

    text = bench.ok("multi_edit", path="f", edits=steps)

    assert text.split("\n", 1)[1] == (
        "Actual replacement receipt after write:\n"
        "@@ replacement 1 of 4 (1 occurrence(s)) @@\n-a\n+A\n"
        "…[2 intermediate replacement receipt(s) omitted]…\n"
        "@@ replacement 4 of 4 (1 occurrence(s)) @@\n-d\n+D\n"
    )


TEXT = st.text(alphabet="ab é中\t\r\n", max_size=40)
STORED = st.sampled_from(
    [
        ("utf-8", b""),
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
    ]
)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(head=TEXT, tail=TEXT, new=TEXT, stored=STORED)
def test_bytes_outside_the_edit_stay_as_they_are(
    bench: Bench, head: str, tail: str, new: str, stored: tuple[str, bytes]
) -> None:
    """For any line end, mark and encoding, an edit touches its own region only."""
    bench.begin_turn()
    codec, mark = stored
    bench.put("f", mark + f"{head}OLD{tail}".encode(codec))

    bench.ok("edit_file", path="f", old_string="OLD", new_string=new)

    data = bench.get("f")
    assert data.startswith(mark + head.encode(codec))
    assert data.endswith(tail.encode(codec))
    middle = data[len(mark + head.encode(codec)) : len(data) - len(tail.encode(codec))]
    assert middle.decode(codec).replace("\r\n", "\n") == new.replace("\r\n", "\n")


STEP = st.tuples(
    st.text(alphabet="ab\n", min_size=1, max_size=3), st.text(alphabet="abc\n", max_size=3)
)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(alphabet="ab\n", max_size=20), steps=st.lists(STEP, min_size=1, max_size=4))
def test_multi_edit_is_the_sequence_of_edits_or_nothing(
    bench: Bench, text: str, steps: list[tuple[str, str]]
) -> None:
    """Two tools for the same thing must not differ in what they do."""
    bench.put("one", text)
    bench.put("all", text)

    def apply_alone(old: str, new: str) -> bool:
        bench.begin_turn()
        return bench.call("edit_file", path="one", old_string=old, new_string=new).ok

    done = all(apply_alone(old, new) for old, new in steps)
    edits = [{"old_string": old, "new_string": new} for old, new in steps]

    result = bench.call("multi_edit", path="all", edits=edits)

    assert done == result.ok
    assert (bench.get("one") if done else text.encode()) == bench.get("all")


@settings(max_examples=100)
@given(text=st.text(alphabet="ab", max_size=12), old=st.text(alphabet="ab", min_size=1, max_size=4))
def test_exactly_one_place_means_exactly_one(text: str, old: str) -> None:
    """Counted the long way round, overlapping places included."""
    from reasonix_runtime.tools.errors import ToolError
    from reasonix_runtime.tools.support.edits import Edit, apply

    places = [at for at in range(len(text)) if text.startswith(old, at)]
    try:
        changed, _ = apply(text, Edit(old=old, new="X"), path="f", tolerant=False)
    except ToolError:
        assert len(places) != 1
        return
    assert [changed.index("X")] == places


def test_eight_threads_editing_one_file_lose_no_edit(bench: Bench) -> None:
    """Each edit is stored, or its caller is told that it was not: by the tool, or by the gate.

    A call that comes between an edit that failed and the next message is kept from running.
    """
    told = re.compile("changed since it was read|a change earlier in this message did not happen")
    bench.put("f", "\n".join(f"slot{n}=0;" for n in range(8)) + "\n")
    refused: list[Any] = []

    def work(slot: int) -> None:
        for value in range(15):
            while True:
                result = bench.box.call(
                    "edit_file",
                    {
                        "path": "f",
                        "old_string": f"slot{slot}={value};",
                        "new_string": f"slot{slot}={value + 1};",
                    },
                )
                if result.ok:
                    break
                refused.append(result.text)

    threads = [threading.Thread(target=work, args=(slot,)) for slot in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert "".join(f"slot{n}=15;\n" for n in range(8)).encode() == bench.get("f")
    assert [] == [text for text in refused if told.search(text) is None]
    assert ["f"] == [path.name for path in Path(bench.root).iterdir()]


@pytest.mark.parametrize("before", ["", "alpha\n", "ab \n"])
def test_a_list_that_replaces_everywhere_needs_one_place(bench: Bench, before: str) -> None:
    """Nothing replaced is not what was asked for."""
    bench.put("f", before)

    message = bench.fails(
        "multi_edit",
        path="f",
        edits=[{"old_string": "x\ny", "new_string": "z", "replace_all": True}],
    )

    assert message.startswith("edit 1: old_string not found in <ws>/f")
    assert bench.get("f") == before.encode()


def test_a_side_of_a_receipt_has_its_share(bench: Bench) -> None:
    """896 bytes at most, less where several edits are shown."""
    bench.put("f", "a" * 3000 + "\n" + "b" * 3000 + "\n")
    steps = [{"old_string": c * 3000, "new_string": c.upper() * 3000} for c in "ab"]

    text = bench.ok("multi_edit", path="f", edits=steps)

    sides = [line[1:] for line in text.splitlines() if line[:1] in "-+" and len(line) > 9]
    assert [len(side.encode()) <= 1792 // 4 for side in sides] == [True] * 4
    assert all(len(side.encode()) > 400 for side in sides)


def test_the_receipt_uses_what_it_may() -> None:
    """A cut that is larger than it has to be hides what the model could have seen."""
    one_side = receipt([Applied(removed="x" * 5000, added="y", count=1)])
    many_lines = receipt([Applied(removed="\n" * 2000, added="x\n" * 2000, count=1)])

    assert len(one_side.split("\n")[2][1:].encode()) == 896
    assert len(many_lines.encode()) == 2048
