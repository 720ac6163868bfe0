"""The languages that a linter reads: of files of another one it says nothing.

`shellcheck scripts/*.sh` passes whatever stands in `src/app.py`. Only those are listed here that
read nothing else, however a project sets them up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reasonix_runtime.evidence.word_lists import words

if TYPE_CHECKING:
    from reasonix_runtime.evidence.options.command_line import CommandLine

_PYTHON: Final = words("py pyi pyx ipynb toml cfg ini")
_YAML: Final = words("yml yaml")
# What is written for the web, and what plugins of its linters read besides.
_WEB: Final = words(
    "js jsx mjs cjs ts tsx mts cts vue svelte astro html htm hbs css scss sass less json json5"
    " jsonc graphql gql md mdx toml yml yaml"
)
_NATIVE: Final = words("c cc cpp cxx c++ h hh hpp hxx inl ipp m mm cu")
_LANGUAGES: Final = {
    **dict.fromkeys(
        words(
            "ruff flake8 black isort pylint mypy pyright basedpyright ty pyrefly bandit vulture"
            " pycodestyle pyflakes pydocstyle interrogate"
        ),
        _PYTHON,
    ),
    **dict.fromkeys(words("shellcheck shfmt"), words("sh bash ksh zsh bats")),
    **dict.fromkeys(words("yamllint actionlint ansible-lint cfn-lint"), _YAML),
    **dict.fromkeys(words("markdownlint markdownlint-cli2"), words("md mdx markdown")),
    **dict.fromkeys(words("luacheck selene stylua"), words("lua luau toml")),
    **dict.fromkeys(words("tflint tfsec terraform"), words("tf tfvars hcl json")),
    **dict.fromkeys(words("rubocop standardrb brakeman"), words("rb rake ru gemspec erb yml")),
    **dict.fromkeys(words("phpcs phpstan psalm"), words("php phtml inc neon xml json")),
    "stylelint": words("css scss sass less vue svelte html js jsx ts tsx json"),
    "hadolint": words("dockerfile yml yaml"),
    "sqlfluff": words("sql"),
    "taplo": words("toml"),
    "buf": words("proto yaml"),
    "protolint": words("proto yaml"),
    "swiftlint": words("swift yml"),
    "ktlint": words("kt kts"),
    "rustfmt": words("rs toml"),
    **dict.fromkeys(words("eslint oxlint biome tslint standard xo tsc vue-tsc svelte-check"), _WEB),
    # Its plugins read many a language, and none of them one of these.
    "prettier": _WEB | words("php rb java kt xml sql sh rs sol prisma proto"),
    **dict.fromkeys(words("cppcheck clang-tidy cpplint"), _NATIVE),
    **dict.fromkeys(words("golangci-lint staticcheck revive errcheck gofmt"), words("go mod sum")),
    "go vet": words("go mod sum s c h"),
    **dict.fromkeys(("cargo clippy", "cargo fmt", "cargo check"), words("rs toml lock")),
    "dotnet format": words("cs vb fs csproj editorconfig"),
}


def languages_of(line: CommandLine) -> frozenset[str]:
    """Return the endings of the files that a check reads, nothing for any but such a linter."""
    return _LANGUAGES.get(line.program) or _LANGUAGES.get(line.start, frozenset())


def ending_of(path: str) -> str:
    """Return the ending of a file without its dot, in lower case; mostly there is one."""
    base = path.rpartition("/")[2]
    return base.rpartition(".")[2].lower() if "." in base else ""
