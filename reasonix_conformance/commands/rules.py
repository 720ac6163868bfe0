"""`reasonix-conformance rules`: what a rule demands, what a refusal means."""

from __future__ import annotations

import argparse
import re
import sys
import textwrap
from difflib import get_close_matches
from typing import TYPE_CHECKING, Final

from reasonix_conformance.commands import forms
from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.exit_codes import GOOD
from reasonix_runtime.usage import RawHelp

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reasonix_runtime.gates.rule import Rule

SCHEMA = "reasonix-conformance/rules/1"
CHINESE: Final = "zh-CN"

_LABELS: Final = {
    "en": ("reason codes   ", "no verdict     ", "policy points  "),
    CHINESE: ("原因代码：", "不产生裁决：", "策略点："),
}
_HEADINGS: Final = {
    "en": ("Decided by {}:", "Accepted by the same gate ({}):"),
    CHINESE: ("由 {} 决定：", "同一门禁（{}）接受："),
}


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command and its options to the program's parser."""
    parser = subparsers.add_parser(
        "rules",
        help="explain a rule or a reason code",
        description="Shows the rule catalogue, or the rules behind an id or a reason code.",
        epilog=(
            "examples:\n"
            "  reasonix-conformance rules\n"
            "  reasonix-conformance rules CS-02.V1\n"
            "  reasonix-conformance rules verification.command_not_run\n\n"
            "exit codes: 0 shown, 2 nothing has that name"
        ),
        formatter_class=RawHelp,
    )
    parser.add_argument(
        "name",
        nargs="?",
        metavar="ID|REASON",
        help="a rule id, its beginning (CS-02), an area (steps), a gate as reports name it "
        "(complete_step), a reason code, or the code of a note of a reader (bad_line)",
    )
    parser.add_argument(
        "--language", choices=tuple(_LABELS), default="en", help="default: %(default)s"
    )
    forms.add_option(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Show the rules that were asked for, or what a note means; return the exit code."""
    if args.format == "text" and (note := note_text(args.name)):
        sys.stdout.write(note)
        return GOOD
    rules = find(args.name)
    if args.format == "json":
        forms.write_json(to_json(rules), sys.stdout)
    else:
        sys.stdout.write(as_text(rules, language=args.language, whole=args.name is not None))
        if len(rules) == 1:
            sys.stdout.write(examples_text(rules[0], args.name, language=args.language))
    return GOOD


def note_text(name: str | None) -> str | None:
    """Return what a code of a reader means, as reports name it; None for any other name."""
    from reasonix_conformance.reports.notes import MEANING, note_level

    code = (name or "").removeprefix("reader/")
    if code not in MEANING:
        return None
    level = note_level(code).value
    return f"{code}  (note of a reader, level {level})\n{MEANING[code]}\n"


def find(name: str | None) -> list[Rule]:
    """Return the rules of an id, the beginning of one, an area, a gate or a reason; all for None.

    Raises:
        ConformanceError: nothing has that name; the error names the nearest.
    """
    from reasonix_conformance.reports.notes import MEANING
    from reasonix_runtime.gates.rules import REASONS, RULES

    if name is None:
        return list(RULES.values())
    if name in RULES:
        return [RULES[name]]
    if name in REASONS:
        return [RULES[REASONS[name]]]
    moved = [rule for rule in RULES.values() if name in rule.moves]
    if moved:
        return moved
    wanted = name.casefold()
    found = [
        rule
        for rule in RULES.values()
        if rule.area == wanted
        or rule.id.casefold().startswith((f"{wanted}.", f"{wanted}-"))
        or rule.id.casefold() == wanted
    ]
    if found:
        return found
    by_gate = _by_gate()
    if name in by_gate:
        return by_gate[name]
    areas = (rule.area for rule in RULES.values())
    choices = sorted({*RULES, *REASONS, *MEANING, *areas, *by_gate})
    near = _gates_of_a_verdict(name, by_gate) or get_close_matches(name, choices, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "run `rules` alone to see them all"
    raise ConformanceError(f"no rule, area, gate or reason code is called {name!r}; {hint}")


def _gates_of_a_verdict(name: str, gates: Iterable[str]) -> list[str]:
    """Return the gates of a verdict as reports name it: `turn-1/end`, `turn-1/4-complete_step`."""
    ours = re.sub(r"^\d+-", "", name.casefold().rpartition("/")[2])
    return sorted(gate for gate in gates if gate == ours or gate.endswith(f"_{ours}"))


def _by_gate() -> dict[str, list[Rule]]:
    """Return the rules that each gate decides by, by the gate's name in reports."""
    from reasonix_conformance.coverage import gate_of
    from reasonix_runtime.gates.rules import RULES

    found: dict[str, list[Rule]] = {}
    for rule in RULES.values():
        for gate in sorted({gate_of(reason) for reason in rule.reasons} - {None}, key=str):
            found.setdefault(str(gate), []).append(rule)
    return found


def examples_text(rule: Rule, asked: str | None, *, language: str = "en") -> str:
    """Return a transcript that the rule decides, and one that its gate accepts.

    Where a reason code was asked for it is the one that decides, else the rule's first.
    """
    from reasonix_conformance import rule_examples

    reason = asked if asked in rule.reasons else next(iter(rule.reasons), None)
    decided = rule_examples.of_reason(reason) if reason else None
    if reason is None or decided is None:
        return ""
    by, same_gate = _HEADINGS[language]
    parts = [f"\n{by.format(reason)}\n\n{textwrap.indent(decided.as_yaml(), '  ')}"]
    accepted = rule_examples.accepted_by(decided.gate)
    if accepted is not None and accepted != decided:
        text = textwrap.indent(accepted.as_yaml(), "  ")
        parts.append(f"\n{same_gate.format(decided.gate)}\n\n{text}")
    return "".join(parts)


def to_json(rules: Iterable[Rule]) -> dict[str, object]:
    """Return the rules in their published form."""
    return {
        "schema": SCHEMA,
        "rules": [
            {
                "id": rule.id,
                "area": rule.area,
                "sentence": rule.sentence,
                "sentence_zh": rule.sentence_zh,
                "reasons": list(rule.reasons),
                "points": list(rule.points),
                "moves": list(rule.moves),
            }
            for rule in rules
        ],
    }


def as_text(rules: Iterable[Rule], *, language: str, whole: bool) -> str:
    """Return the rules for a terminal: one line each, or everything about each."""
    lines = []
    reasons, moves, points = _LABELS[language]
    for rule in rules:
        sentence = rule.sentence_zh if language == CHINESE else rule.sentence
        if not whole:
            lines.append(f"{rule.id:<14} {sentence}")
            continue
        lines += [f"{rule.id}  ({rule.area})", *textwrap.wrap(sentence, 88)]
        if rule.reasons:
            lines.append(f"  {reasons}{', '.join(rule.reasons)}")
        if rule.moves:
            lines.append(f"  {moves}{', '.join(rule.moves)}")
        if rule.points:
            lines.append(f"  {points}{', '.join(rule.points)}")
        lines.append("")
    return "\n".join(lines).rstrip() + "\n"
