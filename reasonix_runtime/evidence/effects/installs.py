"""Installations of what a project asks for: when they leave the work as it is.

What is installed is no part of the work. Which versions were installed stands in the lock file, and
one that fits what is asked for stays as it is: there is something new to look at only where one of
the two was changed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.command_kinds import changes_only_by
from reasonix_runtime.evidence.effects.formatters import installs_as_asked
from reasonix_runtime.evidence.effects.products import makes_products, only_makes_products
from reasonix_runtime.evidence.memo import memoised

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reasonix_runtime.evidence.command_rules import CommandRules
    from reasonix_runtime.evidence.running.reading import Plain

# Files that say what is to be installed, and those that keep which versions.
_ASKING: Final = re.compile(
    r"(?:.*/)?(?:(?:package|composer|global|bower)\.json|pnpm-workspace\.ya?ml|\.(?:npm|yarn)rc.*"
    r"|gemfile|[^/]+\.(?:gem|pod)spec|pyproject\.toml|setup\.(?:py|cfg)|requirements.*|pipfile"
    r"|mix\.exs|pubspec\.ya?ml|go\.(?:mod|sum|work)|cargo\.toml|podfile|nuget\.config"
    r"|[^/]+\.(?:\w+proj|props|targets|slnx?)|(?:versions|providers|terraform)\.tf"
    r"|[^/]*[.-]lock\b.*)",
    re.IGNORECASE | re.DOTALL,
)


def leaves_work(command: str, changed: Iterable[str], rules: CommandRules) -> bool:
    """Whether all that a command changes are products, after the change of some paths."""
    if only_makes_products(command, rules):
        return True
    return _only_installs(command, rules) and not any(map(_ASKING.fullmatch, changed))


@memoised(1024)
def _only_installs(command: str, rules: CommandRules) -> bool:
    return rules.wide_checks and changes_only_by(_installs, command, rules)


def _installs(plain: Plain) -> bool:
    return installs_as_asked(plain) or makes_products(plain)
