"""The requirements on one tool: what the subject tells of it, its row, what is left of it.

Those on its schema are in `tool_schema.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reasonix_conformance import snapshots
from reasonix_conformance.checks import Breach, Check, Report, Untold, tool_names, tool_schema
from reasonix_conformance.checks.left_out import left_out
from reasonix_conformance.checks.tool_names import is_tool_name
from reasonix_conformance.findings import Level
from reasonix_runtime.contract.canonical import well_formed
from reasonix_runtime.contract.document_blocks import LINE_END, split_cells
from reasonix_runtime.contract.document_tables import flag as read_flag
from reasonix_runtime.contract.surface import PROXY, REVIEW_REPORT, SESSION, is_mcp_adapter
from reasonix_runtime.excerpts import around, clipped

if TYPE_CHECKING:
    from reasonix_conformance.subjects import Subject, SubjectTool
    from reasonix_runtime.contract.document_model import Document, Row

LONGEST_EXCERPT = 100
"""Characters of a description that are shown around a difference."""

LONGEST_ROW = 90
"""Characters of a row of the document that are shown."""

_SESSION_TOOLS = frozenset((*SESSION, PROXY, REVIEW_REPORT))


class ToolCase(NamedTuple):
    """One name: its entries in the subject, its rows in the document, its snapshot folder.

    `tools` and `rows` hold every entry and row of that name; none of both for a snapshot that is
    left over. `canonical` are the canonical bytes of the schema, None where none is told or it is
    no JSON. `snapshots` is None where none belong to this subject. `own_texts` is whether the
    document's description texts are those of this subject, `language` that of the document. `show`
    returns a path as messages show it, `text` the text of the document. `update` is the command
    that accepts a change.
    """

    name: str
    subject: Subject
    document: Document
    tools: tuple[SubjectTool, ...]
    rows: tuple[Row, ...]
    canonical: bytes | None
    snapshots: Path | None
    own_texts: bool = True
    language: str = "en"
    show: Callable[[Path], str] = str
    text: Callable[[], str] = str
    update: str = "--reasonix-update"

    @property
    def tool(self) -> SubjectTool:
        """The first entry of that name."""
        return self.tools[0]

    @property
    def has_snapshot(self) -> bool:
        """Whether a snapshot of that name is recorded."""
        return self.snapshots is not None and snapshots.exists(self.snapshots, self.name)

    @property
    def accept(self) -> str:
        """What to do about a change that is meant."""
        return f"if the change is meant, accept it with `{self.update}`"

    @property
    def rebuild(self) -> str:
        """What writes what a document lacks; only the reference runtime's is built as a whole."""
        if self.subject.reference and self.own_texts:
            return "rebuild the document (reasonix-conformance docs build)"
        return f"let `{self.update}` add it"

    def place(self, row: Row) -> str:
        """Return where a row stands, as file and line."""
        return f"{self.document.source}:{row.line}"


def usable(case: ToolCase) -> Iterator[Report]:
    """Report an entry that cannot be read as a tool."""
    if case.tool.apart:
        yield Untold(case.tool.apart)
    for tool in case.tools:
        if tool.problem:
            yield Breach(
                what=f"the subject's entry cannot be used: {tool.problem}",
                at=tool.at,
                hint="repair the entry; the other tools are checked without it",
            )
    if case.tool.listed and not is_tool_name(case.name):
        yield Breach(
            what=f"no document can name the tool {case.name!a}",
            at=case.tool.at,
            expected="letters, digits and _ . : / -, the first a letter, a digit or _",
            found=", ".join(tool_names.odd_characters(case.name)),
            hint=f"rename the tool: providers refuse such names{_meant(case)}",
        )
    elif case.tool.listed and not snapshots.can_hold(case.name):
        yield Breach(
            what="the name of the tool is too long for the file of its snapshot",
            at=case.tool.at,
            expected=f"a file name of at most {snapshots.LONGEST_NAME} bytes",
            found=f"one of {len(snapshots.file_name(case.name))}",
            hint="rename the tool: providers take 64 or 128 characters",
        )


def unique(case: ToolCase) -> Iterator[Report]:
    """Report a name that the subject lists twice."""
    if len(case.tools) > 1:
        yield Breach(
            what=f"the subject lists {case.name!r} {len(case.tools)} times",
            at=", ".join(tool.at for tool in case.tools),
            expected="one entry a name",
            hint="a provider refuses or shadows one of them; remove or rename the others",
        )


def documented(case: ToolCase) -> Iterator[Report]:
    """Report a tool without a row."""
    if case.rows:
        return
    if not is_tool_name(case.name):
        yield Untold("no row can have its name")
        return
    begin = f"the row of {case.name!r} "
    torn = next((p for p in case.document.problems if p.message.startswith(begin)), None)
    if torn:
        yield Breach(
            what="its row in the document cannot be read",
            at=torn.at(case.document.source),
            hint="repair the row",
        )
        return
    told = [s.heading for s in case.document.surfaces if case.name in s.names]
    if (
        told
        and is_session_tool(case.name)
        and not any(is_session_tool(row.name) for row in case.document.rows)
    ):
        yield Untold(f"the table has no row; the document only names the tool under {told[0]!r}")
        return
    flag = {True: "true", False: "false", None: "<flag>"}[case.tool.read_only]
    outside = _row_outside(case)
    if outside is not None:
        yield Breach(
            what="the document has no row for the tool, only a line like one",
            at=f"{case.document.source}:{outside}",
            hint="move the line into the table: it stands in code, in a comment or in a quotation",
        )
        return
    yield Breach(
        what="the document has no row for the tool",
        at=case.document.source,
        expected=f"a row that begins  | `{case.name}` | {flag} |",
        hint=f"add the row, or {case.rebuild}{_meant(case)}",
    )


def _meant(case: ToolCase) -> str:
    """Ask whether a tool without a row is the one of a row that is like it and has no tool."""
    own = {*case.subject.names}
    left = {row.name: row for row in case.document.rows if row.name not in own}
    near = tool_names.nearest(case.name, left)
    return "" if near is None else f"; or is it {near!r} ({case.place(left[near])}), renamed?"


def _row_outside(case: ToolCase) -> int | None:
    """Return the number of a line that looks like the row of a tool, and is none there."""
    begin = re.compile(rf"\|[ \t]*`{re.escape(case.name)}`[ \t]*\|")
    for number, line in enumerate(LINE_END.split(case.text()), 1):
        found = begin.search(line)
        cells = split_cells(line[found.start() :])[0] if found else ()
        if len(cells) > 1 and read_flag(cells[1]) is not None:
            return number
    return None


def is_session_tool(name: str) -> bool:
    """Whether a tool is added at boot: tables of the family may list built-in tools only."""
    return name in _SESSION_TOOLS or is_mcp_adapter(name)


def row_unique(case: ToolCase) -> Iterator[Report]:
    """Report a tool that has two rows."""
    if len(case.rows) > 1:
        lines = ", ".join(str(row.line) for row in case.rows)
        yield Breach(
            what=f"the document has {len(case.rows)} rows for {case.name!r}",
            at=f"{case.document.source}, lines {lines}",
            expected="one row a tool",
            hint="delete all but the right one",
        )


def flag(case: ToolCase) -> Iterator[Report]:
    """Report a read-only flag that differs between subject and document."""
    if case.tool.read_only is None and case.subject.tells("read_only"):
        yield left_out(case, "read_only", "a read-only flag")
        return
    if not case.rows:
        yield Untold("the document has no row for the tool")
        return
    row = case.rows[0]
    if row.read_only is None and any(p.line == row.line for p in case.document.problems):
        yield Breach(
            what="the read-only cell is neither true nor false",
            at=case.place(row),
            found=row.raw,
            hint="write true or false",
        )
    elif row.read_only is None:
        yield Untold("the row does not tell a read-only flag")
    elif case.tool.read_only is None:
        yield left_out(case, "read_only", "a read-only flag")
    elif row.read_only is not case.tool.read_only:
        yield Breach(
            what="the read-only flag differs",
            at=case.place(row),
            expected=f"{_word(case.tool.read_only)} (the subject, {case.tool.at})",
            found=f"{_word(row.read_only)} (the document)",
            hint="a host schedules and permits by this flag: find out which side is right; "
            f"{case.accept}",
        )


def _word(flag: bool) -> str:
    return "true" if flag else "false"


def description_present(case: ToolCase) -> Iterator[Report]:
    """Report a tool that tells a model nothing about itself."""
    if case.tool.description is None:
        yield left_out(case, "description", "a description")
    elif not case.tool.description.strip():
        yield Breach(
            what="the tool has no description",
            at=case.tool.at,
            expected="at least one sentence",
            found="nothing but blanks" if case.tool.description else "an empty text",
            hint="a model chooses tools by their descriptions; write one",
        )


def description_text(case: ToolCase) -> Iterator[Report]:
    """Report a row whose text is not the description that the host sends."""
    row = case.rows[0] if case.rows else None
    if row is None or row.description is None:
        yield Untold("the document has no description text for the tool")
    elif case.tool.description is None:
        yield Untold("the subject does not tell a description")
    elif not case.own_texts:
        yield Untold("the document is another host's; its texts are compared with that host")
    elif case.language != "en":
        yield Untold(f"the texts of a document in {case.language} are for its readers")
    elif one_line(row.description) != (sent := one_line(well_formed(case.tool.description))):
        expected, found = excerpts(sent, one_line(row.description))
        yield Breach(
            what="the description in the document is not what the host sends",
            at=case.place(row),
            expected=expected,
            found=found,
            hint=f"edit the side that is wrong; {case.accept}",
        )


def one_line(text: str) -> str:
    """Return a text as a table cell holds it: every run of blanks one blank, none at the ends."""
    return " ".join(text.split())


def excerpts(left: str, right: str) -> tuple[str, str]:
    """Return what two texts say around the first place where they differ, or `nothing`."""
    before, after = around(left, right, LONGEST_EXCERPT)
    return before or "nothing", after or "nothing"


def stale_row(case: ToolCase) -> Iterator[Report]:
    """Report a row of a tool that the subject does not have."""
    for row in case.rows:
        if not case.subject.complete:
            yield Untold(
                f"{case.subject.form} list what one model sees; whether the host still has "
                "the tool is not told"
            )
            return
        yield Breach(
            what=f"the document has a row for {case.name!r}, a tool that the subject does not have",
            at=case.place(row),
            found=clipped(row.raw, LONGEST_ROW),
            hint=f"delete the row, or give the host its tool back; {case.accept}",
        )


def stale_snapshot(case: ToolCase) -> Iterator[Report]:
    """Report a snapshot of a tool that the subject does not have."""
    if case.snapshots is None:
        return
    if not case.subject.complete:
        yield Untold(f"{case.subject.form} list what one model sees")
        return
    yield Breach(
        what=f"there is a snapshot of {case.name!r}, a tool that the subject does not have",
        at=case.show(snapshots.path_of(case.snapshots, case.name)),
        hint=f"delete the file, or give the host its tool back; {case.accept}",
    )


MUST, SHOULD = Level.MUST, Level.SHOULD

TOOL: tuple[Check[ToolCase], ...] = (
    Check("tool/usable", MUST, "The entry can be read as a tool.", usable),
    Check("tool/unique", MUST, "The subject lists a name once.", unique),
    Check("tool/documented", MUST, "The document has a row for the tool.", documented),
    Check("row/unique", MUST, "The document has one row for the tool.", row_unique),
    Check("tool/flag", MUST, "The row tells the tool's read-only flag.", flag),
    Check("tool/description-present", MUST, "The tool describes itself.", description_present),
    Check("tool/description-text", SHOULD, "The row is the description sent.", description_text),
    Check("tool/schema-valid", MUST, "The schema is valid for arguments.", tool_schema.valid),
    Check("tool/schema-portable", SHOULD, "Every provider takes the schema.", tool_schema.portable),
    Check("tool/schema-canonical", MUST, "The schema is canonical.", tool_schema.in_canonical_form),
    Check("tool/schema-snapshot", MUST, "The schema is the recorded one.", tool_schema.recorded),
    Check(
        "tool/fingerprint", MUST, "The document fingerprints the schema.", tool_schema.fingerprinted
    ),
)
"""What is demanded of a tool that the subject has."""

_LINTED = (
    "tool/usable",
    "tool/unique",
    "tool/description-present",
    "tool/schema-valid",
    "tool/schema-portable",
    "tool/schema-canonical",
)

LINT = tuple(check for check in TOOL if check.id in _LINTED)
"""What can be judged of a subject by itself."""

STALE_ROW = (Check("row/stale", MUST, "Every row is of a tool that the subject has.", stale_row),)
STALE_SNAPSHOT = (
    Check("snapshot/stale", MUST, "Every snapshot is of a tool that exists.", stale_snapshot),
)


def checks(
    case: ToolCase, demands: tuple[Check[ToolCase], ...] = TOOL
) -> tuple[Check[ToolCase], ...]:
    """Return what is demanded of a name: of a tool, or of what is left of one.

    An entry without a name, or one that no contract speaks of, is not asked for anything else.
    """
    if case.tools:
        return demands if case.tool.listed and not case.tool.apart else demands[:1]
    return (*(STALE_ROW if case.rows else ()), *(STALE_SNAPSHOT if case.has_snapshot else ()))
