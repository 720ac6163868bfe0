"""The diff that a deletion answers with: what the change was, as other programs read it."""

from __future__ import annotations

import subprocess
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_bench import Bench

from reasonix_runtime.tools.support.diffs import unified_diff


def test_a_huge_diff_is_replaced_by_a_note(bench: Bench) -> None:
    """And a text with NUL has none."""
    bench.put("f", "a\n" + "x\n" * 2100 + "b\n")
    note = bench.ok("delete_range", path="f", start_anchor="a", end_anchor="b")

    assert note == "(diff omitted: +0 -2102 lines are more than 2000)"
    assert unified_diff("a\0", "b", "f") == ""


LINES = st.lists(st.sampled_from(["a", "b", "", "x\r", "é"]), max_size=9)


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(
    head=LINES, middle=LINES, new=LINES, tail=LINES, ends=st.tuples(st.booleans(), st.booleans())
)
def test_patch_applies_every_diff(
    tmp_path: Path,
    head: list[str],
    middle: list[str],
    new: list[str],
    tail: list[str],
    ends: tuple[bool, bool],
) -> None:
    """What we show as the change is the change, as another program understands it."""
    before, after = ("\n".join([*head, *part, *tail]) for part in (middle, new))
    before, after = before + "\n" * ends[0], after + "\n" * ends[1]
    diff = unified_diff(before, after, "/f")
    (tmp_path / "f").write_bytes(before.encode())
    (tmp_path / "d").write_bytes(diff.encode())

    done = subprocess.run(
        ["patch", "--binary", "--fuzz=0", "-s", "f", "d"],
        cwd=tmp_path,
        capture_output=True,
    )

    assert (before == after) == (diff == "")
    assert done.returncode == 0, (done.stdout, diff)
    made = (tmp_path / "f").read_bytes() if (tmp_path / "f").exists() else b""
    assert made == after.encode()


def test_a_symbol_and_a_range_are_told_as_the_same_kind_of_diff(bench: Bench) -> None:
    """The whole path is in its head, three lines around the change, and nothing behind it."""
    source = "package p\n\n" + "".join(f"var v{n} = {n}\n" for n in range(9))
    expected = (
        "--- a/<ws>/p.go\n+++ b/<ws>/p.go\n@@ -4,7 +4,6 @@\n var v1 = 1\n var v2 = 2\n"
        " var v3 = 3\n-var v4 = 4\n var v5 = 5\n var v6 = 6\n var v7 = 7\n"
    )
    calls: list[tuple[str, dict[str, str]]] = [
        ("delete_symbol", {"name": "v4"}),
        ("delete_range", {"start_anchor": "var v4 = 4", "end_anchor": "var v4 = 4"}),
    ]
    for tool, arguments in calls:
        bench.begin_turn()
        bench.put("p.go", source)

        assert bench.ok(tool, path="p.go", **arguments) == expected
