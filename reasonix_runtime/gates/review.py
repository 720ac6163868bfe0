"""Review reports: parsing, read evidence, and which report decides (RV-01 to RV-12, DL-07)."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import msgspec

from reasonix_runtime.evidence.arguments import Fields, in_background
from reasonix_runtime.evidence.content_seen import (
    content_coverage,
    content_seen,
    shows_all_changes,
    shows_otherwise,
)
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.looked_after import light_inspection, verified_signoff
from reasonix_runtime.evidence.masking import shown, shown_all
from reasonix_runtime.evidence.owed.review import REVIEW_KINDS
from reasonix_runtime.evidence.paths import PathStyle, either_way, norm
from reasonix_runtime.gates import found, path_hints
from reasonix_runtime.gates.policy import Policy
from reasonix_runtime.gates.steps.policy import Coverage, ReviewRules
from reasonix_runtime.gates.verdict import Refusal, Verdict, accept, decide, refuse

GATE = "review_report"
VERDICTS = ("pass", "warn", "block")
REVIEWERS = {"review": "review", "security": "security_review"}
"""The tool that leads to each kind of report."""
BLOCKING = frozenset({"block", "blocking", "critical", "error"})
WARNING = frozenset({"medium", "warn", "warning"})
"""Severities of findings, in lower case, that make a report block or warn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One finding; a blank severity has become its default."""

    severity: str
    summary: str
    path: str
    listed_as_blocking: bool = False

    @property
    def blocks(self) -> bool:
        """Whether this finding forbids delivery (RV-06)."""
        return self.listed_as_blocking or self.severity.lower() in BLOCKING


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """A decoded `review_report`; `problems` names every member of a wrong type."""

    kind: str
    verdict: str
    paths: tuple[str, ...]
    findings: tuple[Finding, ...]
    problems: tuple[str, ...] = ()

    @property
    def blocks(self) -> bool:
        """Whether the report forbids delivery (RV-06)."""
        return self.verdict == "block" or any(finding.blocks for finding in self.findings)

    @property
    def warnings(self) -> int:
        """How many warnings the user is shown: the verdict itself and findings (RV-06)."""
        return (self.verdict == "warn") + sum(
            finding.severity.lower() in WARNING for finding in self.findings
        )


def report_of(args: Any, rules: ReviewRules, style: PathStyle) -> Report:
    """Decode the arguments of a report (RV-02)."""
    fields = Fields(args)
    kind = fields.text("kind").strip().lower()
    verdict = fields.text("verdict").strip().lower()
    paths = tuple(path for raw in fields.texts("reviewed_paths") if (path := norm(raw, style)))
    findings = [_finding(item, "info", listed=False) for item in fields.objects("findings")]
    if rules.finding_lists:
        for item in fields.objects("blocking_findings"):
            findings.append(_finding(item, "block", listed=True))
        for item in fields.objects("non_blocking"):
            findings.append(_finding(item, "info", listed=False))
        fields.texts("required_changes")
    return Report(
        kind=kind,
        verdict=verdict,
        paths=paths,
        findings=tuple(findings),
        problems=tuple(fields.problems),
    )


def handed_in(ledger: Ledger, kind: str, policy: Policy) -> bool:
    """Whether a run has handed in a report of a kind that was taken."""
    return any(
        receipt.tool == "review_report"
        and receipt.success
        and report_of(receipt.args, policy.reviews, policy.ledger.paths).kind == kind
        for receipt in ledger
    )


def _finding(fields: Fields, default: str, *, listed: bool) -> Finding:
    fields.integer("line")
    return Finding(
        severity=fields.text("severity").strip() or default,
        summary=fields.text("summary").strip(),
        path=fields.text("path").strip(),
        listed_as_blocking=listed,
    )


def parse_refusals(report: Report) -> Iterator[Refusal]:
    """Yield what is wrong with the report itself, in the order of RV-03 P1 to P5."""
    if report.problems:
        yield refuse(
            "report.json_invalid", f"The arguments do not fit: {'; '.join(report.problems)}."
        )
    if report.kind not in REVIEW_KINDS:
        yield refuse(
            "report.kind_invalid",
            f'`kind` is "{shown(report.kind)}"; it must be one of {", ".join(REVIEW_KINDS)}.',
        )
    if report.verdict not in VERDICTS:
        yield refuse(
            "report.verdict_invalid",
            f'`verdict` is "{shown(report.verdict)}"; it must be one of {", ".join(VERDICTS)}.',
        )
    if not report.paths:
        yield refuse(
            "report.paths_empty",
            "`reviewed_paths` names no path; list the files whose content was read.",
        )
    for number, finding in enumerate(report.findings, 1):
        if not finding.summary:
            yield refuse(
                "report.finding_summary_missing",
                f"Finding {number} has no `summary`; say in one sentence what it is.",
            )


def is_well_formed(report: Report) -> bool:
    """Whether nothing is wrong with the report itself; what it names need not have been read."""
    return next(parse_refusals(report), None) is None


def judge(args: Any, *, ledger: Ledger | None, policy: Policy) -> Verdict:
    """Decide whether a report is taken (RV-03).

    `ledger` is that of the reviewing run. Facts: `parsed`, `paths`, `backed` (per path: was its
    content seen), `blocking`, `warnings`, `unread` (the paths without read evidence).
    """
    style = ledger.rules.paths if ledger is not None else policy.ledger.paths
    report = report_of(args, policy.reviews, style)
    backed = [ledger is not None and _is_backed(ledger, path) for path in report.paths]
    unread = [path for path, seen in zip(report.paths, backed, strict=True) if not seen]

    def refusals() -> Iterator[Refusal]:
        """Yield what speaks against the report, its form first."""
        yield from parse_refusals(report)
        if unread:
            yield _not_read(unread, ledger)

    verdict = decide(GATE, refusals(), lambda: accept(GATE, message=_taken(report)))
    facts = {
        "parsed": is_well_formed(report),
        "paths": report.paths,
        "backed": backed,
        "blocking": report.blocks,
        "warnings": report.warnings,
        "unread": unread,
    }
    return msgspec.structs.replace(verdict, facts=facts)


def _is_backed(ledger: Ledger, path: str) -> bool:
    """Whether the reviewing run saw the content of a path (RV-04), newer than its last change."""
    after = ledger.last_change_of(path) if ledger.rules.reads_go_stale else -1
    return content_seen(ledger, path, after) is not None


def _not_read(unread: Sequence[str], ledger: Ledger | None) -> Refusal:
    """P6: name every path without evidence, and what was read instead."""
    if ledger is None:
        return refuse("report.path_not_read", "No receipts are kept here, so nothing was read.")
    old = [path for path in unread if content_seen(ledger, path) is not None]
    never = [path for path in unread if path not in old]
    listed = [path for path in never if ledger.key(path) in ledger.read]
    otherwise = [path for path in never if shows_otherwise(ledger, path)]
    whole = bool(never) and not otherwise and shows_all_changes(ledger)
    refused = {*map(ledger.key, unread)}
    seen = [path for path in ledger.touched_paths() if path not in refused]
    shown_ones = [path for path in seen if path in ledger.read]
    first = [
        f"The content of {_list(never)} was not read in this review." if never else "",
        f"{_list(listed)} was named or listed, which shows no content." if listed else "",
        f"Of {_list(otherwise)} git showed another state than what was changed."
        if otherwise
        else "",
        "A diff of everything shows what is known to have changed in this turn, and no other file."
        if whole
        else "",
        f"{_list(old)} changed after it was read: read it again." if old else "",
        "Read each file (read_file, or `cat`, `head`, `git diff -- PATH` with output), or leave it "
        "out.",
        *(path_hints.nearest(path, shown_ones, ledger) for path in never[: path_hints.TOLD]),
        found.paths(seen, "read or written") if seen else "No other path was read or written.",
    ]
    failed = [path_hints.failed(path, ledger, reads=True) for path in never[: path_hints.TOLD]]
    return refuse("report.path_not_read", path_hints.told(first, failed))


def _list(paths: Sequence[str]) -> str:
    return shown_all(paths[: found.MOST_IN_ALL])


def _taken(report: Report) -> str:
    ending = " It forbids delivery." if report.blocks else ""
    return (
        f"Report accepted: {report.kind}, {report.verdict}, {len(report.paths)} paths, "
        f"{len(report.findings)} findings.{ending}"
    )


# -- which report decides ------------------------------------------------------------------------


class Standing(StrEnum):
    """What the reports of one kind say of a change."""

    MISSING = "missing"
    GOOD = "good"
    BLOCKING = "blocking"


@dataclass(frozen=True, slots=True)
class Decided:
    """The standing of one kind and the ledger index of the report that decided."""

    standing: Standing
    index: int | None = None

    @property
    def present(self) -> bool:
        """Whether some report covers the change."""
        return self.standing is not Standing.MISSING

    @property
    def blocking(self) -> bool:
        """Whether the deciding report forbids delivery."""
        return self.standing is Standing.BLOCKING


def deciding_report(
    ledger: Ledger, kind: str, mutation: int, required: Sequence[str], rules: ReviewRules
) -> Decided:
    """Find the report of a kind that decides on a change: the first that covers it (RV-08)."""
    for index, report in reports(ledger, mutation, rules):
        if report.kind == kind and covers(report, required, ledger, rules):
            return Decided(Standing.BLOCKING if report.blocks else Standing.GOOD, index)
    return Decided(Standing.MISSING)


def reports(ledger: Ledger, after: int, rules: ReviewRules) -> Iterator[tuple[int, Report]]:
    """Yield the successful reports after an index that parse; read evidence is not asked again."""
    for index, receipt in ledger.successes(after):
        if receipt.tool == "review_report":
            report = report_of(receipt.args, rules, ledger.rules.paths)
            if is_well_formed(report):
                yield index, report


def covers(report: Report, required: Sequence[str], ledger: Ledger, rules: ReviewRules) -> bool:
    """Whether a report covers every required path (RV-07, RV-12); no path: any report does."""
    style = ledger.rules.paths
    return all(_covered(norm(path, style), report.paths, ledger, rules) for path in required)


def _covered(wanted: str, reported: Sequence[str], ledger: Ledger, rules: ReviewRules) -> bool:
    if wanted in reported:
        return True
    match rules.coverage:
        case Coverage.BASE_NAME:
            name = posixpath.basename(wanted)
            return any(posixpath.basename(path) == name for path in reported)
        case Coverage.SUFFIX:
            return any(either_way(path, wanted) for path in reported)
        case Coverage.EXACT:
            return any(ledger.fits(path, wanted) for path in reported)


def completed_review(ledger: Ledger, rules: ReviewRules) -> bool:
    """Whether a review was completed after the latest change (RV-09); its verdict is not asked."""
    mutation = ledger.latest_mutation
    paths = ledger[mutation].paths if mutation >= 0 else ()
    for _, report in reports(ledger, mutation, rules):
        if report.kind == "review" and covers(report, paths, ledger, rules):
            return True
    return any(
        is_review_call(receipt.tool, receipt.profile, receipt.args)
        and (mutation < 0 or light_inspection(ledger, mutation, index))
        for index, receipt in ledger.successes(mutation)
    )


_REVIEW_SKILLS = frozenset({"review", "security-review", "security_review"})
_NAMES_SKILL = {"run_skill": "name", "task": "profile", "use_capability": "capability_id"}
"""Tools that start the run which an argument of theirs names."""


def starts_review(tool: str, args: Any) -> bool:
    """Whether a call starts a run that hands its result over by `review_report` (RV-01)."""
    if tool in ("review", "security_review"):
        return True
    key = _NAMES_SKILL.get(tool)
    name = args.get(key) if key and isinstance(args, dict) else None
    return isinstance(name, str) and name.strip().removeprefix("skill:") in _REVIEW_SKILLS


def is_review_call(tool: str, profile: str, args: Any) -> bool:
    """Whether a call is a review in the foreground (RV-09 row 2)."""
    if tool == "review":
        return True
    return tool == "task" and profile == "review" and not in_background(args)


# -- the structured review of a change -----------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewTools:
    """Which review tools the host registers: a run of a skill serves for both."""

    review: bool
    security: bool


ALL_TOOLS = ReviewTools(review=True, security=True)


def structured_review(
    ledger: Ledger,
    *,
    risk: str,
    required: Sequence[str],
    tools: ReviewTools,
    rules: ReviewRules,
) -> Iterator[Refusal]:
    """Yield what the structured review of the latest change lacks (DL-07 by risk).

    Args:
        ledger: the ledger of the parent run, child receipts merged.
        risk: `low`, `medium` or `high` of the change set.
        required: paths that a report has to cover (DL-07 "required paths").
        tools: the registered review tools.
        rules: the policy points of reviews.
    """
    mutation = ledger.latest_mutation
    if mutation < 0 or risk not in ("medium", "high"):
        return
    review = deciding_report(ledger, "review", mutation, required, rules)
    if risk == "medium":
        yield from _medium(ledger, review, required, tools)
        return
    security = deciding_report(ledger, "security", mutation, required, rules)
    yield from _high(review, security, required, tools)


def _medium(
    ledger: Ledger, review: Decided, required: Sequence[str], tools: ReviewTools
) -> Iterator[Refusal]:
    if not tools.review:
        return
    if review.blocking:
        yield _blocked("review", review)
    mutation = ledger.latest_mutation
    proven = verified_signoff(ledger, mutation) and content_coverage(ledger, mutation, required)
    if not review.present and not proven:
        yield refuse(
            "review.medium_unproven",
            f"a medium-risk change needs a `review` report that covers {_list(required)}, or a "
            "look at its content (each file read, or `git diff`) and after that a sign-off that "
            "cites a passing check",
            grounds=(mutation,),
        )


def _high(
    review: Decided, security: Decided, required: Sequence[str], tools: ReviewTools
) -> Iterator[Refusal]:
    if not tools.review and not tools.security:
        yield refuse(
            "review.tools_missing",
            "a high-risk change needs a review and a security review, and this host registers "
            "neither tool: ask the user to review it",
        )
    decisions = (("review", review), ("security", security))
    missing = [kind for kind, decided in decisions if not (decided.blocking or decided.present)]
    for kind, decided in decisions:
        if decided.blocking:
            yield _blocked(kind, decided)
        elif kind in missing:
            over = f" that covers {_list(required)}" if required else ""
            reports = " and ".join(f"a `{REVIEWERS[each]}` report{over}" for each in missing)
            yield refuse(
                f"review.high_missing_{kind}",
                f"a high-risk change needs {reports}, made after it",
            )


def _blocked(kind: str, decided: Decided) -> Refusal:
    return refuse(
        f"{kind}.blocking",
        f"the {kind} report forbids delivery: mend what it found, then have it reviewed again",
        grounds=() if decided.index is None else (decided.index,),
    )
