"""The programs whose options are known, under which names, and how they are read."""

from __future__ import annotations

from typing import Final

from reasonix_runtime.evidence.options.linters import LINTERS
from reasonix_runtime.evidence.options.runners import RUNNERS
from reasonix_runtime.evidence.options.tool_options import ToolOptions
from reasonix_runtime.evidence.word_lists import words

TOOL_OPTIONS: Final[dict[str, ToolOptions]] = {**RUNNERS, **LINTERS}

# The same program under other names.
ALIASES: Final = {
    "py.test": "pytest",
    "eslint_d": "eslint",
    "pnpx": "npx",
    "bunx": "npx",
    "gmake": "make",
    "mvnw": "mvn",
    "gradlew": "gradle",
    "mvnd": "mvn",
    "bazelisk": "bazel",
    "gtimeout": "timeout",
    "inv": "invoke",
    "python3": "python",
    "go-task": "task",
    "tofu": "terraform",
    "richgo": "go",
    "cross": "cargo",
    "prek": "pre-commit",
    "please": "plz",
}

# Of programs whose other options nobody listed: those with which nothing is checked.
ASKING: Final[dict[str, frozenset[str]]] = {
    "phpcs": words("-i -e --config-show --config-set --config-delete"),
    "ansible-lint": words("-L -T"),
    "checkov": words("-l -s"),
    "brakeman": words("-k --checks"),
    "typos": words("--files"),
    "cfn-lint": words("-l"),
    "busted": words("-l"),
    "cucumber": words("-d"),
    "hlint": words("--default"),
    "task": words("-n -l --summary --status"),
    "poe": words("-d"),
    "invoke": words("-R -l"),
    "ant": words("-p"),
    "opa": words("--bench"),
    "newman": words("-x"),
}

# Programs whose options of one letter may stand together, and hold their value: `pytest -qkx`.
JOINING: Final = words(
    "pytest make just gradle cargo rspec tox nox black pylint rubocop shellcheck bats npm pnpm yarn"
    " eslint golangci-lint mocha jest vitest playwright mypy isort bandit ninja ruff rake"
    " prove"
)
