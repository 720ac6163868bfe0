"""An example for each reason code: the plainest transcript that it decides.

The examples are taken from transcript files and shipped as data, so that `rules` can show them
where only the package is installed. They are written anew with
`python -m reasonix_conformance.rule_examples PATH...`.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from reasonix_runtime.gates.policy import CONTRACT
from reasonix_runtime.gates.rules import RULES
from reasonix_runtime.whole_files import read_whole

if TYPE_CHECKING:
    from reasonix_conformance.replay.results import Judged

FILE = "rule_examples.json"
_LEFT_OUT = frozenset({"source", "confidence", "rules", "rule"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A transcript in which a reason decides, or in which its gate accepts.

    `transcript` is the transcript as it stands in its file, `rules` the rule set it is shown under.
    """

    rules: str
    gate: str
    transcript: Mapping[str, Any]

    def as_yaml(self) -> str:
        """Return the transcript as a person writes it."""
        import yaml

        text: str = yaml.safe_dump(
            [{**self.transcript, "rules": self.rules}],
            sort_keys=False,
            allow_unicode=True,
            width=88,
        )
        return text


@cache
def shipped() -> Mapping[str, Mapping[str, Any]]:
    """Return the examples of the package: by reason code, and by gate those that it accepts."""
    text = resources.files(__package__).joinpath(FILE).read_text("utf-8")
    loaded: Mapping[str, Mapping[str, Any]] = json.loads(text)
    return loaded


def of_reason(reason: str) -> Example | None:
    """Return the example that a reason decides."""
    return _example(shipped()["reasons"].get(reason))


def accepted_by(gate: str) -> Example | None:
    """Return the example that a gate accepts."""
    return _example(shipped()["accepted"].get(gate))


def _example(found: Mapping[str, Any] | None) -> Example | None:
    return None if found is None else Example(**found)


def collect(paths: Iterable[Path]) -> dict[str, dict[str, Any]]:
    """Return the plainest example of each reason, and of each gate's accept, in these files."""
    reasons: dict[str, _Found] = {}
    accepted: dict[str, _Found] = {}
    decisions = list(_decisions(paths))
    areas, gates = _areas(decisions), _gates(decisions)
    for found in decisions:
        verdict = found.judged.verdict
        if verdict.reason is not None and verdict.gate == gates[verdict.reason]:
            _keep_plainer(reasons, verdict.reason, found, areas)
        if verdict.accepted:
            _keep_plainer(accepted, verdict.gate, found, areas)
    return {"accepted": _shown(accepted), "reasons": _shown(reasons)}


class _Found(NamedTuple):
    """An expectation that holds: where its transcript stands, and the verdict."""

    file: str
    place: int
    raw: Mapping[str, Any]
    rules: str
    expected: int
    judged: Judged

    def oddness(self, areas: Mapping[str, str]) -> tuple[object, ...]:
        """Return what an example is chosen by, given the area of each gate; the least is plainest.

        Best is a transcript that shows one thing, from a file on the subject of its gate, or on
        that of its rule where this is no gate's, under the rule set of one who names none. Such
        files begin with what is usual; the shortest transcript of all is most often a boundary.
        """
        verdict = self.judged.verdict
        rule = RULES.get(verdict.rule or "")
        of_rule, of_gate = rule.area if rule else "", areas.get(verdict.gate, "")
        foreign = of_rule and of_rule not in areas.values()
        own = of_rule if foreign else f"{verdict.gate}_{of_gate}"
        subjects = (own, f"{verdict.gate}_{of_gate}_{of_rule}")
        away = [not _words(self.file) & _words(subject) for subject in subjects]
        usual = self.rules == CONTRACT.name
        waived = verdict.accepted and verdict.reason is not None
        first = len(json.dumps(self.raw)) if all(away) else self.place
        return (self.expected > 1, waived, away, not usual, first, self.file)


def _areas(decisions: Iterable[_Found]) -> dict[str, str]:
    """Return the area that most rules are of by which a gate refused."""
    areas: dict[str, Counter[str]] = {}
    for verdict in (found.judged.verdict for found in decisions):
        if not verdict.accepted and (rule := RULES.get(verdict.rule or "")):
            areas.setdefault(verdict.gate, Counter())[rule.area] += 1
    return {gate: counted.most_common(1)[0][0] for gate, counted in areas.items()}


def _gates(decisions: Iterable[_Found]) -> dict[str, str]:
    """Return by each reason the gate that most often gives it; coverage counts it there."""
    counts: dict[str, Counter[str]] = {}
    for verdict in (found.judged.verdict for found in decisions):
        if verdict.reason is not None:
            counts.setdefault(verdict.reason, Counter())[verdict.gate] += 1
    return {reason: counted.most_common(1)[0][0] for reason, counted in counts.items()}


def _words(name: str) -> set[str]:
    return {word.removesuffix("s") for word in re.split(r"[-_]", name) if word}


def _decisions(paths: Iterable[Path]) -> Iterator[_Found]:
    """Yield each expectation that holds, in the order of files, transcripts and rule sets."""
    from reasonix_conformance.replay.replay import replay_transcript
    from reasonix_runtime.gates.policy import rule_set
    from reasonix_runtime.trace import yaml12
    from reasonix_runtime.trace.transcript import loads

    for path in sorted(paths):
        data = read_whole(path)
        transcripts = loads(data, str(path))
        value = yaml12.load(data, path.name).value
        raws = {raw["id"]: raw for raw in (value if isinstance(value, list) else [value])}
        for place, transcript in enumerate(transcripts):
            for rules in transcript.rules:
                result = replay_transcript(transcript, rule_set(rules))
                asked = [judged for judged in result.verdicts if judged.expected is not None]
                if not result.failures:
                    raw = raws[transcript.id]
                    for judged in asked:
                        yield _Found(path.stem, place, raw, rules, len(asked), judged)


def _keep_plainer(
    kept: dict[str, _Found], key: str, found: _Found, areas: Mapping[str, str]
) -> None:
    if key not in kept or found.oddness(areas) < kept[key].oddness(areas):
        kept[key] = found


def _shown(kept: Mapping[str, _Found]) -> dict[str, dict[str, Any]]:
    return {
        key: {
            "rules": found.rules,
            "gate": found.judged.verdict.gate,
            "transcript": {name: one for name, one in found.raw.items() if name not in _LEFT_OUT},
        }
        for key, found in sorted(kept.items())
    }


def main(arguments: list[str]) -> int:
    """Write the examples of the package from transcript files."""
    from reasonix_conformance.files import write_whole
    from reasonix_runtime.console import complain
    from reasonix_runtime.trace.transcript import TranscriptError

    try:
        found = collect(file for name in arguments for file in _transcripts(Path(name)))
    except TranscriptError as error:
        complain(f"rule_examples: {error}")
        return 2
    if not found["reasons"]:
        where = ", ".join(arguments) or "no path was given"
        complain(f"rule_examples: no transcript that decides anything: {where}")
        return 2
    write_whole(Path(__file__).parent / FILE, _written(found).encode())
    return 0


def _transcripts(path: Path) -> list[Path]:
    return [path] if path.is_file() else sorted(path.glob("*.yaml"))


def _written(examples: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the text of the file: one example a line, so that a change shows what it changes."""
    parts = []
    for name, found in examples.items():
        lines = (
            f"{json.dumps(key)}: {json.dumps(example, ensure_ascii=False)}"
            for key, example in found.items()
        )
        parts.append(f"{json.dumps(name)}: {{\n" + ",\n".join(lines) + "\n}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
