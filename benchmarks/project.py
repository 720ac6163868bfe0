"""A project under an agent's hands: files that it reads and edits, and what its tools answer.

What is assumed of real sessions: source files of 2 to 10 KB, read whole or a hundred lines at a
time, each line behind its number and an arrow, as the reference host writes it; diffs of the last
edits; test runs that say little where they pass and show a traceback where they fail; listings, and
changes in place that say nothing. A file reads the same until it is edited.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from benchmarks.source_text import NOUNS, Draw, expression, function, name, sentence, source_file

SMALLEST, LARGEST = 2_000, 10_000
"""Sizes of a source file, in characters."""


class Project:
    """The files of a project, as the calls so far have left them."""

    def __init__(self, draw: Draw, paths: Iterable[str]) -> None:
        self._draw = draw
        self._files = {path: source_file(draw, draw.between(SMALLEST, LARGEST)) for path in paths}
        self._hunks: deque[tuple[str, str]] = deque(maxlen=4)
        """The last changes: path and hunk."""

    def edit(self, path: str) -> dict[str, Any]:
        """Return the arguments of an edit: a function, and the same with another body."""
        parts, draw = self._files[path], self._draw
        at = draw.between(1, len(parts) - 1)
        old, new = parts[at], function(draw)
        kept = draw.below(min(len(old), len(new)))
        new[:kept] = old[:kept]
        return {"path": path, "old_string": "\n".join(old), "new_string": "\n".join(new)}

    def answer(self, tool: str, args: Mapping[str, Any], *, ok: bool) -> str:
        """Return what a call answers, and let it do what it does."""
        if tool == "bash":
            command, _, tail = args["command"].partition(" 2>&1 | tail -")
            text = self._shell(command.removeprefix("cd app && "), ok=ok)
            return "\n".join(text.split("\n")[-int(tail) :]) if tail else text
        if tool == "todo_write":
            return "Todos updated: 1 total — 0 completed, 1 in progress, 0 pending."
        if tool == "complete_step":
            return f'Step "{args["step"]}" signed off with 1 evidence item(s) [verification].'
        if not ok:
            return f"error: {sentence(self._draw, 14)}"
        if tool == "edit_file":
            return self._edited(args["path"], args["old_string"], args["new_string"])
        if tool == "grep":
            return self._found(args["path"], args["pattern"])
        return self._numbered(args["path"], args.get("offset", 0), args.get("limit"))

    def _lines(self, path: str) -> list[str]:
        return [line for part in self._files[path] for line in part]

    def _numbered(self, path: str, offset: int, limit: int | None) -> str:
        lines = self._lines(path)
        shown = lines[offset : None if limit is None else offset + limit]
        if not shown:
            return f"(the file has {len(lines)} lines)"
        return "\n".join(f"{at:>3}→{line}" for at, line in enumerate(shown, offset + 1))

    def _found(self, path: str, text: str) -> str:
        lines = enumerate(self._lines(path), 1)
        return "\n".join(f"{path}:{at}:{line}" for at, line in lines if text in line)

    def _edited(self, path: str, old: str, new: str) -> str:
        parts = self._files[path]
        was, now = old.split("\n"), new.split("\n")
        at = parts.index(was)
        parts[at] = now
        line = sum(map(len, parts[:at])) + 1
        change = "\n".join((*(f"-{text}" for text in was), *(f"+{text}" for text in now)))
        around = parts[at - 1][-3:]
        before = "".join(f" {text}\n" for text in around)
        place = f"-{line - len(around)},{len(was)} +{line - len(around)},{len(now)}"
        self._hunks.append((path, f"@@ {place} @@\n{before}{change}"))
        receipt = (
            "Actual replacement receipt after write:\n@@ replacement 1 of 1 (1 occurrence(s)) @@"
        )
        return f"edited {path}\n{receipt}\n{change}\n"

    # -- the shell ---------------------------------------------------------------------------

    def _shell(self, command: str, *, ok: bool) -> str:
        words = command.split()
        program = " ".join(words[:2]) if words[0] in ("git", "sed", "go") else words[0]
        path = next((word for word in words if word in self._files), "")
        if program in ("pytest", "make", "go test", "npm"):
            return self._checked(program, words, ok=ok)
        if not ok:
            return f"{program}: {sentence(self._draw, 10)}"
        if program == "cat":
            return "\n".join(self._lines(path))
        if program == "sed -n":
            return "\n".join(self._lines(path)[:80])
        if program == "sed -i":
            return ""
        if program == "rg":
            return "\n".join(self._found(path, "def ").split("\n")[:20])
        if program == "wc":
            return f"{len(self._lines(path))} {path}"
        if program == "git status":
            changed = sorted({path for path, _ in self._hunks})
            return "\n".join(("On branch main", *(f"\tmodified:   {path}" for path in changed)))
        if program == "git diff":
            return self._diff(path)
        return "\n".join(sorted({path.partition("/")[0] for path in self._files}))

    def _diff(self, path: str) -> str:
        """Return the last changes of a path, or of all of them."""
        return "\n".join(
            f"diff --git a/{of} b/{of}\n--- a/{of}\n+++ b/{of}\n{hunk}"
            for of, hunk in self._hunks
            if path in ("", of)
        )

    def _checked(self, program: str, words: Sequence[str], *, ok: bool) -> str:
        draw = self._draw
        if program == "pytest":
            few = len(words) > 2  # a file is named
            return self._tests(draw.between(5, 60) if few else draw.between(200, 900), ok=ok)
        if program == "make":
            findings = [] if ok else [self._finding() for _ in range(draw.between(1, 25))]
            return "\n".join(
                (*findings, "All checks passed!" if ok else "make: *** [lint] Error 1")
            )
        seconds = (f"{draw.below(3000) / 1000:.3f}s" for _ in range(draw.between(10, 50)))
        mark = "✓" if program == "npm" else "ok  \t"
        shown = [f"{mark} {draw.of(NOUNS)}/{name(draw)}\t({took})" for took in seconds]
        return "\n".join(shown if ok else [*shown, *self._traceback()])

    def _tests(self, count: int, *, ok: bool) -> str:
        """Return the output of a run of `count` tests; a failed one shows where."""
        draw = self._draw
        failed = 0 if ok else draw.between(1, 3)
        marks = "." * count if ok else "." * (count // 2) + "F" * failed + "." * (count // 2)
        lines = [
            f"{marks[at : at + 72]:<72} [{min(100, (at + 72) * 100 // count):3d}%]"
            for at in range(0, count, 72)
        ]
        for _ in range(failed):
            lines += [f"_____ test_{name(draw)} _____", "", *self._traceback()]
        took = f"{draw.below(30_000) / 1000:.2f}s"
        if failed:
            return "\n".join((*lines, f"{failed} failed, {count - failed} passed in {took}"))
        return "\n".join((*lines, f"{count} passed in {took}"))

    def _traceback(self) -> list[str]:
        draw = self._draw
        path = draw.of(tuple(self._files))
        where = draw.of(self._files[path])
        told = f"E       assert {expression(draw)} == {expression(draw)}"
        return [*where, told, "", f"{path}:{draw.between(9, 200)}: AssertionError"]

    def _finding(self) -> str:
        draw = self._draw
        path, line, column = draw.of(tuple(self._files)), draw.between(1, 200), draw.between(1, 99)
        return f"{path}:{line}:{column}: E{draw.between(100, 999)} {sentence(draw, 8)}"
