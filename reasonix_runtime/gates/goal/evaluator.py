"""The evaluator: what is put before it, how its answer is read, and what counts as none.

An evaluator is anything that turns a question into a text. It has no tools and no history. Only one
JSON object with a known outcome is an answer; everything else, and every error, is a failure, and a
failure pauses the goal.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import TypeAlias

from reasonix_runtime.errors import ReasonixError
from reasonix_runtime.gates.goal.turn import Evaluation, Opinion

Evaluator: TypeAlias = Callable[[str], str]
"""Answers a question; the host sets temperature, output tokens and time as `LIMITS` say."""

LIMITS: Mapping[str, int] = MappingProxyType(
    {"temperature": 0, "output_tokens": 256, "seconds": 30, "output_bytes": 4096}
)
EVIDENCE_BYTES = 6144
REASON_BYTES = 500
"""Bytes of all that an evaluator is told, and of the reason that it gives."""

FIELD_BYTES: Mapping[str, int] = MappingProxyType(
    {
        "goal": 600,
        "last_answer": 1200,
        "todos": 600,
        "research": 600,
        "turn_status": 300,
        "last_reason": 200,
    }
)
"""UTF-8 bytes that each field of the question may take."""

NO_EVALUATOR = Evaluation(opinion=Opinion.FAILED, reason="no evaluator is configured")
"""What a host without an evaluator takes for its answer."""

ANSWERS = (Opinion.COMPLETE, Opinion.CONTINUE, Opinion.BLOCKED, Opinion.UNCERTAIN)
_FENCED = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*?)\n?\s*```\s*\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What an evaluator may know; every field is cut to its bytes."""

    goal: str
    last_answer: str = ""
    todos: str = ""
    research: str = ""
    turn_status: str = ""
    last_reason: str = ""

    def text(self) -> str:
        """Return the question: one JSON object, within the bytes allowed.

        Line ends and quotes take more bytes there than by themselves. Where that makes it too
        long, each field is cut to its bytes as they are written.
        """
        whole = self._written(cut)
        fits = len(whole.encode("utf-8", "replace")) <= EVIDENCE_BYTES
        return whole if fits else self._written(_cut_written)

    def _written(self, shorten: Callable[[str, int], str]) -> str:
        told = {
            field.name: shorten(getattr(self, field.name), FIELD_BYTES[field.name])
            for field in fields(self)
        }
        return json.dumps(told, ensure_ascii=False)


def ask(evaluator: Evaluator | None, question: Question) -> Evaluation:
    """Ask an evaluator; one that is missing or raises has failed."""
    if evaluator is None:
        return NO_EVALUATOR
    try:
        answer = evaluator(question.text())
    except ReasonixError as error:
        return Evaluation(opinion=Opinion.FAILED, reason=str(error))
    except Exception as error:  # an evaluator is the host's own and may raise anything
        return Evaluation(opinion=Opinion.FAILED, reason=f"{type(error).__name__}: {error}")
    return read_evaluation(answer)


def read_evaluation(answer: str) -> Evaluation:
    """Read an answer: one JSON object with `outcome` and `reason`, code fences tolerated."""
    if len(answer.encode("utf-8", "surrogatepass")) > LIMITS["output_bytes"]:
        return _failed(f"the answer is longer than {LIMITS['output_bytes']} bytes")
    fenced = _FENCED.match(answer)
    try:
        found = json.loads(fenced[1] if fenced else answer)
    except (ValueError, RecursionError):
        return _failed("the answer is no JSON object")
    if not isinstance(found, dict):
        return _failed("the answer is no JSON object")
    outcome, reason = found.get("outcome"), found.get("reason", "")
    if outcome not in ANSWERS or not isinstance(reason, str):
        return _failed(f"the answer has no known outcome: {outcome!r}")
    return Evaluation(opinion=Opinion(outcome), reason=cut(reason.strip(), REASON_BYTES))


def cut(text: str, size: int) -> str:
    """Return a text within so many UTF-8 bytes, whole characters only."""
    data = text.encode("utf-8", "replace")
    return text if len(data) <= size else data[:size].decode("utf-8", "ignore")


def _cut_written(text: str, size: int) -> str:
    """Return a text that takes so many UTF-8 bytes inside a JSON string, whole characters only."""
    for at, character in enumerate(text):
        size -= len(json.dumps(character, ensure_ascii=False).encode("utf-8", "replace")) - 2
        if size < 0:
            return text[:at]
    return text


def _failed(why: str) -> Evaluation:
    return Evaluation(opinion=Opinion.FAILED, reason=why)
