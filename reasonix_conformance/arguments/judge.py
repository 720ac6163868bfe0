"""One call against the schema of its tool: valid, a refusal with its reason, or not assessable.

Each schema is compiled once a process. Answers are not remembered: to hold usual arguments against
a compiled schema takes no longer than to look an answer up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any

import msgspec

from reasonix_conformance.arguments.schemas import Schemas
from reasonix_conformance.arguments.violations import (
    UndecidedError,
    Violation,
    shown,
    shown_text,
    violations,
    violations_by_jsonschema,
)
from reasonix_conformance.checks.schema_loops import loops_of
from reasonix_conformance.subjects import repeated_keys
from reasonix_runtime.gates.rulebook.arguments import AREA
from reasonix_runtime.gates.verdict import (
    Refusal,
    Verdict,
    accept,
    decide,
    not_assessable,
    refuse,
)
from reasonix_runtime.trace.events import ToolCall

Check = Callable[[Any], bool]

GATE = AREA
"""The name of the gate, as verdicts tell it."""

MOST_SHOWN = 8
"""How many breaches of one call are told."""


class Judge:
    """Holds calls against one contract."""

    def __init__(self, schemas: Schemas) -> None:
        """Take the contract."""
        self._schemas = schemas
        self._told: Mapping[str, bytes | None] = dict(schemas.tools)
        self._disputed = {name for name, schema in schemas.tools if schema != self._told[name]}
        self.checks: dict[str, Check] = {}
        """By tool what tells whether arguments that are JSON are valid; made at its first call."""

    def answer(self, call: ToolCall) -> Verdict | None:
        """Return the verdict on a call's arguments, None where they are valid."""
        tool = call.name
        if tool not in self._told:
            return self._unknown(tool)
        if not call.args_ok:
            return _refused(refuse("arguments.not_json", _not_json(call), tool=tool))
        if tool in self._disputed:
            why = f"The contract ({self._schemas.label}) lists {tool} more than once, not alike."
            return not_assessable(GATE, why, tool=tool)
        schema = self._told[tool]
        if schema is None:
            why = f"The contract ({self._schemas.label}) tells no schema of {tool}."
            return not_assessable(GATE, why, tool=tool)
        validator = _compiled(schema)
        if validator.problem:
            why = f"The schema of {tool} cannot be used: {validator.problem}."
            return not_assessable(GATE, why, tool=tool)
        self.checks[tool] = validator.is_valid
        args = {} if call.args is None else call.args
        return None if validator.is_valid(args) else _explained(tool, args, validator)

    def _unknown(self, tool: str) -> Verdict | None:
        name, label = shown_text(tool), self._schemas.label
        if self._schemas.complete:
            text = f"{name} is no tool of the contract ({label})."
            return _refused(refuse("arguments.tool_unknown", text, tool=name))
        why = f"{label} lists what one model sees, which {name} does not belong to."
        return not_assessable(GATE, why, tool=name)


def passes() -> Verdict:
    """Return the verdict on valid arguments."""
    return accept(GATE, message="The arguments are valid by the schema of the tool.")


def _refused(refusal: Refusal) -> Verdict | None:
    verdict = decide(GATE, [refusal], passes)
    return None if verdict.accepted else verdict


def _explained(tool: str, args: Any, validator: _Validator) -> Verdict | None:
    """Return the verdict on arguments that are not valid, or that nobody can hold to the schema."""
    try:
        found = validator.violations(args)
    except Exception as error:  # nothing that an argument holds may stop an audit
        what = str(error) if isinstance(error, UndecidedError) else type(error).__name__
        why = f"The arguments of {tool} cannot be held against its schema: {what}."
        return not_assessable(GATE, why, tool=tool)
    if not found:
        return None
    more = len(found) - MOST_SHOWN
    told = found[:MOST_SHOWN]
    text = "; ".join(violation.text() for violation in told)
    return _refused(
        refuse(
            "arguments.invalid",
            f"{tool}: {text}{f'; and {more} more' if more > 0 else ''}.",
            tool=tool,
            violations=[dict(violation._asdict()) for violation in told],
            count=len(found),
        )
    )


def _not_json(call: ToolCall) -> str:
    raw = call.args_raw or ""
    try:
        msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError) as error:
        why = f" ({error})" if isinstance(error, msgspec.DecodeError) else ""
    else:
        why = ""
    return f"{call.name}: the arguments are no JSON{why}: {shown(raw)}."


class _Validator:
    """One schema, compiled; `problem` says why it cannot be used.

    jsonschema-rs judges. What it cannot take (numbers out of its range, halves of surrogate pairs)
    is judged by jsonschema, with the same verdict and places; but not where the schema has
    patterns, because there are texts on which Python's engine does not come to an end.
    """

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self.problem = ""
        self._patterns = '"pattern' in json.dumps(schema)
        self._fast: Any = None
        try:
            self._fast = _fast_validator(schema)
        except ImportError:  # no wheel for this platform: slower, same verdict
            pass
        except Exception as error:  # a contract may hold any schema, and references to anywhere
            self.problem = str(error).partition("\n")[0]

    @cached_property
    def _slow(self) -> Any:
        from jsonschema import Draft202012Validator
        from jsonschema.validators import validator_for
        from referencing import Registry

        # An empty registry: nothing that a schema refers to is fetched.
        return validator_for(self.schema, default=Draft202012Validator)(
            self.schema, registry=Registry()
        )

    @cached_property
    def is_valid(self) -> Check:
        """Whether arguments are valid; what cannot be told is not."""
        if self._fast is None:
            return self._is_valid_slowly
        fast: Check = self._fast.is_valid

        def is_valid(args: Any) -> bool:
            """Ask the fast validator, and the slow one about values that it cannot hold."""
            try:
                return fast(args)
            except Exception:  # numbers beyond 64 bits, half surrogate pairs: each its own class
                return not self._patterns and self._is_valid_slowly(args)

        return is_valid

    def _is_valid_slowly(self, args: Any) -> bool:
        try:
            return bool(self._slow.is_valid(args))
        except Exception:  # whatever it is, `violations` meets it again and says it
            return False

    def violations(self, args: Any) -> list[Violation]:
        """Return where arguments are not valid; raises what makes them impossible to judge."""
        if self._fast is not None:
            try:
                return violations(self._fast.iter_errors(args), self.schema)
            except Exception:  # as in `is_valid`
                if self._patterns:
                    raise
        return violations_by_jsonschema(self._slow.iter_errors(args))


def _fast_validator(schema: Any) -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(schema, retriever=_refuse)


def _refuse(uri: str) -> Any:
    raise ValueError(f"{uri} lies outside of the schema, and nothing is fetched")


@lru_cache(maxsize=1024)
def _compiled(schema: bytes) -> _Validator:
    """Return the validator of a schema, compiled when its tool is called for the first time."""
    try:
        value = repeated_keys.loads(schema)
    except (ValueError, RecursionError) as error:
        return _broken(f"it is no JSON ({error})")
    if not isinstance(value, dict):
        return _broken("it is no object")
    if repeated := list(repeated_keys.places(value)):
        return _broken(repeated_keys.sentence(repeated))
    if endless := loops_of(schema):
        return _broken(f"at {endless[0].at}, {endless[0].what}")
    return _Validator(value)


def _broken(problem: str) -> _Validator:
    """Return what stands for a schema that cannot be used."""
    validator = _Validator(False)
    validator.problem = problem
    return validator
