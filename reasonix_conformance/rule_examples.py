"""An example for each reason code: the shortest transcript that it decides.

The examples are taken from transcript files and shipped as data, so that `rules` can show them
where only the package is installed. They are written anew with
`python -m reasonix_conformance.rule_examples PATH...`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
    """Return the shortest example of each reason, and of each gate's accept, in these files."""
    reasons: dict[str, dict[str, Any]] = {}
    accepted: dict[str, dict[str, Any]] = {}
    for raw, rules, judged in _decisions(paths):
        shown = {key: value for key, value in raw.items() if key not in _LEFT_OUT}
        found = {"rules": rules, "gate": judged.verdict.gate, "transcript": shown}
        reason = judged.verdict.reason
        if reason is not None:
            _keep_shorter(reasons, reason, found)
        if judged.verdict.accepted:
            _keep_shorter(accepted, judged.verdict.gate, found)
    return {
        "accepted": dict(sorted(accepted.items())),
        "reasons": dict(sorted(reasons.items())),
    }


def _decisions(paths: Iterable[Path]) -> Iterator[tuple[Mapping[str, Any], str, Judged]]:
    """Yield raw transcript, rule set and verdict for each expectation that holds."""
    from reasonix_conformance.replay.replay import replay_transcript
    from reasonix_runtime.gates.policy import rule_set
    from reasonix_runtime.trace import yaml12
    from reasonix_runtime.trace.transcript import loads

    for path in sorted(paths):
        data = read_whole(path)
        transcripts = loads(data, str(path))
        value = yaml12.load(data, path.name).value
        raws = {raw["id"]: raw for raw in (value if isinstance(value, list) else [value])}
        for transcript in transcripts:
            for rules in transcript.rules:
                result = replay_transcript(transcript, rule_set(rules))
                if not result.failures:
                    yield from (
                        (raws[transcript.id], rules, judged)
                        for judged in result.verdicts
                        if judged.expected is not None
                    )


def _keep_shorter(kept: dict[str, dict[str, Any]], key: str, found: dict[str, Any]) -> None:
    if key not in kept or _length(found) < _length(kept[key]):
        kept[key] = found


def _length(example: Mapping[str, Any]) -> int:
    return len(json.dumps(example["transcript"]))


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
