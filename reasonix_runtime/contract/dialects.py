"""What providers refuse in a tool schema, as rules with their source and how sure they are.

Providers read JSON Schema in dialects of their own, and one bad tool usually fails the whole
request. A rule belongs to a provider, sometimes to a variant of it (strict mode, managed tools);
by default a contract is held against every provider's ordinary form, so that it works with all of
them. Reports of refusals contradict each other, hence the confidence of each rule: what is not
sure is never an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from reasonix_runtime.contract import dialect_checks
from reasonix_runtime.contract.dialect_checks import Found
from reasonix_runtime.errors import ContractError, SchemaError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reasonix_runtime.contract.entry import ContractEntry

ANY = "any"
"""The provider of rules that hold for all of them."""


class Confidence(StrEnum):
    """How sure it is that the provider refuses."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


LEVELS = {Confidence.HIGH: "error", Confidence.MEDIUM: "warning", Confidence.LOW: "note"}
"""How much a finding weighs, by the confidence of its rule."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectRule:
    """A rule of one provider's dialect.

    `place` says where in a schema it looks, `fix` what to do about a finding.
    """

    id: str
    provider: str
    variant: str = ""
    place: str
    confidence: Confidence = Confidence.HIGH
    sentence: str
    fix: str
    check: Callable[[str, Any], Iterator[Found]]

    @property
    def profile(self) -> str:
        """The provider with its variant, as it is chosen: `openai` or `openai/strict`."""
        return f"{self.provider}/{self.variant}" if self.variant else self.provider


@dataclass(frozen=True, slots=True, kw_only=True)
class DialectFinding:
    """A rule that a tool breaks, with the JSON pointer of the place in its schema."""

    rule: DialectRule
    tool: str
    pointer: str
    what: str

    @property
    def level(self) -> str:
        """`error`, `warning` or `note`."""
        return LEVELS[self.rule.confidence]

    @property
    def message(self) -> str:
        """What is wrong, where, for whom, and what to do, in one line."""
        where = f"{self.tool}#{self.pointer}"
        return f"{where}: {self.what} ({self.rule.profile}, {self.rule.id}); {self.rule.fix}"


def lint(
    entries: Iterable[ContractEntry], *, profiles: Iterable[str] | None = None
) -> tuple[DialectFinding, ...]:
    """Return what the dialects of these profiles find in the tools, in order of the tools.

    A profile is a provider (`openai`), or a provider with a variant (`openai/strict`), which
    includes the provider's ordinary rules. By default every provider's ordinary form is asked for.
    A schema that is no JSON has no findings here: whether it is valid, whether its references lead
    somewhere and whether it is recursive is not a matter of dialect.

    Raises `ContractError` for a profile that there is not.
    """
    rules = rules_for(profiles)
    findings = []
    for entry in entries:
        try:
            schema = entry.parameters()
        except SchemaError:
            continue
        for rule in rules:
            for found in rule.check(entry.name, schema):
                findings.append(
                    DialectFinding(
                        rule=rule, tool=entry.name, pointer=found.pointer, what=found.what
                    )
                )
    return tuple(findings)


def rules_for(profiles: Iterable[str] | None = None) -> tuple[DialectRule, ...]:
    """Return the rules of the profiles and those of every provider, in the order of the table.

    Raises ContractError for a profile that does not exist.
    """
    if profiles is None:
        return tuple(rule for rule in RULES if not rule.variant)
    wanted = {ANY}
    for profile in profiles:
        if profile not in PROFILES:
            hint = did_you_mean(profile, PROFILES)
            raise ContractError(f"unknown provider profile {profile!r}{hint}")
        wanted |= {profile, profile.partition("/")[0]}
    return tuple(rule for rule in RULES if rule.profile in wanted)


RULES: tuple[DialectRule, ...] = (
    DialectRule(
        id="DIALECT-1",
        provider="openai",
        place="everywhere",
        sentence="An array says what its items are.",
        fix="add items",
        check=dialect_checks.array_without_items,
    ),
    DialectRule(
        id="DIALECT-1",
        provider="gemini",
        place="everywhere",
        sentence="An array says what its items are.",
        fix="add items",
        check=dialect_checks.array_without_items,
    ),
    DialectRule(
        id="DIALECT-2",
        provider="openai",
        variant="strict",
        place="everywhere",
        sentence="An object is closed and all its properties are required.",
        fix='set "additionalProperties": false and require every property',
        check=dialect_checks.strict_objects,
    ),
    DialectRule(
        id="DIALECT-3",
        provider="anthropic",
        place="root",
        sentence="There is no composition at the root; inside a property there may be.",
        fix="say it in the description, or move it into a property",
        check=dialect_checks.composition_at_root,
    ),
    DialectRule(
        id="DIALECT-4",
        provider="anthropic",
        variant="managed",
        place="property names",
        sentence="A property name matches ^[A-Za-z0-9_.-]{1,64}$.",
        fix="rename the property",
        check=dialect_checks.property_names,
    ),
    DialectRule(
        id="DIALECT-4",
        provider="anthropic",
        variant="managed",
        place="everywhere",
        sentence="There are no references.",
        fix="write the definition out where it is used",
        check=dialect_checks.any_reference,
    ),
    DialectRule(
        id="DIALECT-5",
        provider="moonshot",
        place="everywhere",
        confidence=Confidence.MEDIUM,
        sentence="A schema with anyOf has no type beside it.",
        fix="move the type into the branches",
        check=dialect_checks.type_beside_any_of,
    ),
    DialectRule(
        id="DIALECT-6",
        provider="moonshot",
        place="beside references",
        sentence="A keyword beside a reference does not say otherwise than its target.",
        fix="drop the keyword, or write the definition out",
        check=dialect_checks.beside_reference,
    ),
    DialectRule(
        id="DIALECT-7",
        provider="gemini",
        place="everywhere",
        sentence="A type is a single name.",
        fix='use "nullable": true with one type, or anyOf with a null branch',
        check=dialect_checks.list_of_types,
    ),
    DialectRule(
        id="DIALECT-8",
        provider="gemini",
        place="everywhere",
        sentence="An enum has type string and string members.",
        fix="give it type string and strings, or say the values in the description",
        check=dialect_checks.enum_of_strings,
    ),
    DialectRule(
        id="DIALECT-9",
        provider="gemini",
        place="everywhere",
        sentence="Only the keywords of the provider's own schema object are used.",
        fix="drop it when sending to this provider",
        check=dialect_checks.unknown_keywords,
    ),
    DialectRule(
        id="DIALECT-10",
        provider=ANY,
        place="tool name",
        sentence="A tool name matches ^[A-Za-z0-9_-]{1,64}$.",
        fix="rename the tool",
        check=dialect_checks.tool_name,
    ),
    DialectRule(
        id="DIALECT-10",
        provider="gemini",
        place="tool name",
        confidence=Confidence.MEDIUM,
        sentence="A tool name does not begin with a digit.",
        fix="rename the tool",
        check=dialect_checks.leading_digit,
    ),
)
"""Every rule about schemas and names, in the order that findings of one tool have."""

PROFILES = tuple(
    sorted(
        {rule.profile for rule in RULES if rule.provider != ANY}
        | {rule.provider for rule in RULES if rule.provider != ANY}
    )
)
"""What can be asked for: providers, and their variants."""
