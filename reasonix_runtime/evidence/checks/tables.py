"""Which programs check, and by which sub-command, option or target: data for `check_kinds.py`."""

from __future__ import annotations

from typing import Final

from reasonix_runtime.evidence.word_lists import words

# Programs that do nothing but check.
PLAIN_RUNNERS: Final = words(
    "pytest unittest doctest gotestsum ginkgo staticcheck errcheck revive gosec govulncheck mypy"
    " flake8 pylint pyright basedpyright pycodestyle pyflakes pydocstyle bandit vulture interrogate"
    " deptry codespell pip-audit jest vitest mocha ava tap eslint stylelint oxlint knip solhint"
    " svelte-check markdownlint markdownlint-cli2 web-test-runner shellcheck yamllint hadolint"
    " actionlint ansible-lint cfn-lint typos editorconfig-checker lychee luacheck selene busted"
    " phpunit pest psalm phpcs rspec rubocop standardrb brakeman cucumber hlint ktlint detekt"
    " tflint tfsec checkov kubeconform kubeval slither prove perlcritic clang-tidy"
    " behat shellspec tsd testcafe cucumber-js elm-test vale cpplint ctest nox bats"
)

# Scripts of a package that are called like the runner that they start.
RUNNER_SCRIPTS: Final = words("eslint jest vitest mocha ava stylelint")

# Programs that mend what they find, and then fail: they changed nothing only where they passed.
REPAIRING: Final = words("pre-commit")

# Hooks that look at the form of a file and at nothing that it says.
FORM_HOOKS: Final = words(
    "trailing-whitespace end-of-file-fixer mixed-line-ending fix-byte-order-marker"
    " check-byte-order-marker check-added-large-files check-case-conflict check-merge-conflict"
    " check-symlinks destroyed-symlinks forbid-new-submodules no-commit-to-branch"
    " fix-encoding-pragma check-executables-have-shebangs check-shebang-scripts-are-executable"
    " detect-private-key"
    " file-contents-sorter requirements-txt-fixer check-vcs-permalinks"
)

# Programs that check, unless it is one of these sub-commands that they are given.
ASIDE: Final[dict[str, frozenset[str]]] = {
    "vitest": words("watch dev bench list init"),
    "vale": words("sync ls-config ls-metrics ls-dirs ls-vars"),
    "ginkgo": words("help version outline watch build bootstrap generate labels unfocus"),
    "gotestsum": words("tool help"),
    "tap": words("list build plugin report version versions config dump-config debug repl help"),
    "ktlint": words("generateEditorConfig installGitPreCommitHook installGitPrePushHook"),
    "selene": words("generate-roblox-std update-roblox-std capabilities"),
    "mix": frozenset({f"credo {verb}" for verb in ("explain", "list", "info", "gen.config")}),
    "swift": frozenset({"test list"}),
}

# Programs with sub-commands: those that check, up to two words; "" where none is needed.
SUBCOMMANDS: Final[dict[str, frozenset[str]]] = {
    "ruff": words("check"),
    "ty": words("check"),
    "pyrefly": words("check"),
    "dmypy": words("run check"),
    "tox": words("run r run-parallel p") | {""},
    "hatch": words("test"),
    "rye": words("test lint"),
    "poetry": words("check"),
    "manage.py": words("test check"),
    "go": words("test vet") | {"mod verify"},
    "golangci-lint": words("run") | {"config verify"},
    "cargo": words("test t check c clippy lint audit machete udeps tarpaulin")
    | {"nextest run", "nextest r", "miri test", "deny check", "hack check", "hack test"},
    "playwright": words("test"),
    "cypress": words("run"),
    "react-scripts": words("test"),
    "next": words("lint"),
    "astro": words("check"),
    "ng": words("test lint"),
    "hardhat": words("test"),
    "wdio": words("run"),
    "biome": words("ci check lint format"),
    "spectral": words("lint"),
    "redocly": words("lint"),
    "deno": words("test lint check"),
    "bazel": words("test"),
    "buck2": words("test"),
    "pants": words("test lint check"),
    "dotnet": words("test"),
    "phpstan": words("analyse analyze"),
    "artisan": words("test"),
    "composer": words("validate"),
    "rails": words("test t test:system test:all"),
    "swiftlint": words("lint analyze") | {""},
    "srb": words("tc"),
    "mix": words("test credo dialyzer"),
    "rebar3": words("eunit ct dialyzer") | {"do eunit", "do ct"},
    "gleam": words("test check"),
    "stack": words("test"),
    "cabal": words("test v2-test"),
    "dune": words("test runtest") | {"build @runtest"},
    "zig": words("test"),
    "meson": words("test"),
    "flutter": words("test analyze"),
    "dart": words("test analyze"),
    "terraform": words("validate test"),
    "terragrunt": words("validate"),
    "packer": words("validate"),
    "helm": words("lint unittest"),
    "conftest": words("test"),
    "opa": words("test check"),
    "buf": words("lint breaking"),
    "protolint": words("lint"),
    "sqlfluff": words("lint"),
    "taplo": words("check lint"),
    "nix": frozenset({"flake check"}),
    "statix": words("check"),
    "forge": words("test"),
    "crystal": words("spec"),
    "nimble": words("test"),
    "nim": words("check"),
    "v": words("test vet"),
    "odin": words("test"),
    "anchor": words("test"),
    "scala-cli": words("test"),
    "codecept": words("run"),
    "molecule": words("test verify lint"),
    "dbt": words("test"),
    "newman": words("run"),
    "plz": words("test"),
    "trunk": words("check"),
    "swift-format": words("lint"),
    "django-admin": words("test check"),
}

# Programs, perhaps with a sub-command, that check only with one of these options.
WITH_OPTION: Final[dict[str, frozenset[str]]] = {
    "black": words("--check"),
    "invoke-pester": words("-CI -ci -EnableExit -enableexit"),
    "isort": words("--check --check-only -c"),
    "ruff format": words("--check --diff"),
    "hatch fmt": words("--check"),
    "pre-commit run": words("--all-files -a --files"),
    "manage.py makemigrations": words("--check"),
    "manage.py migrate": words("--check"),
    "prettier": words("--check -c --list-different -l"),
    "deno fmt": words("--check"),
    "git diff": words("--check"),
    "rustfmt": words("--check"),
    "cargo fmt": words("--check"),
    "dotnet format": words("--verify-no-changes"),
    "php-cs-fixer fix": words("--dry-run"),
    "rector process": words("--dry-run"),
    "pint": words("--test"),
    "erb_lint": words("--lint-all"),
    "mix format": words("--check-formatted"),
    "gleam format": words("--check"),
    "zig fmt": words("--check"),
    "dart format": words("--set-exit-if-changed"),
    "swiftformat": words("--lint"),
    "terraform fmt": words("-check"),
    "taplo fmt": words("--check"),
    "stylua": words("--check"),
    "shfmt": words("-d --diff"),
    "alejandra": words("--check"),
    "nixfmt": words("--check"),
    "forge fmt": words("--check"),
    "crystal tool": words("--check"),
    "deadnix": words("--fail"),
    "ansible-playbook": words("--syntax-check"),
    "vue-tsc": words("--noEmit"),
    "karma start": words("--single-run"),
    "xmllint": words("--noout"),
    "cppcheck": words("--error-exitcode"),
    "gcc": words("-fsyntax-only"),
    "g++": words("-fsyntax-only"),
    "clang": words("-fsyntax-only"),
    "clang++": words("-fsyntax-only"),
}

# All of these by their names.
LISTED: Final = PLAIN_RUNNERS.union(
    SUBCOMMANDS, (command.partition(" ")[0] for command in WITH_OPTION)
)

# Programs that run what a project named, and the sub-commands before the names ("": none).
# Of the first group every word is a name, of the second all but the first are arguments.
ALL_NAMED: Final[dict[str, frozenset[str]]] = {
    "make": frozenset({""}),
    "ninja": frozenset({""}),
    "scons": frozenset({""}),
    "rake": frozenset({""}),
    "ant": frozenset({""}),
    "turbo": words("run") | {""},
    "zig": words("build"),
    "mage": frozenset({""}),
    "lage": frozenset({""}),
    "npm-run-all": frozenset({""}),
    "run-s": frozenset({""}),
    "run-p": frozenset({""}),
}
FIRST_NAMED: Final[dict[str, frozenset[str]]] = {
    "just": frozenset({""}),
    "task": frozenset({""}),
    "poe": frozenset({""}),
    "invoke": frozenset({""}),
    "lein": frozenset({""}),
    "composer": words("run run-script") | {""},
    "uv": words("run"),
    "poetry": words("run"),
    "pipenv": words("run"),
    "hatch": words("run"),
    "pdm": words("run"),
    "rye": words("run"),
    "pixi": words("run"),
    "mise": words("run"),
    "devbox": words("run"),
    "deno": words("task"),
    "melos": words("run"),
    "lerna": words("run"),
    "rush": frozenset({""}),
    "bb": frozenset({""}),
    "fastlane": frozenset({""}),
    "cargo": words("make xtask"),
}
# All of both groups by their names.
RUNNING_NAMED: Final = frozenset({*ALL_NAMED, *FIRST_NAMED})
