"""Installations of what a project asks for, and whether they leave the work as it is."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.effects.installs import leaves_work


@pytest.mark.parametrize(
    ("command", "changed", "leaves"),
    [
        ("npm install", ["src/a.ts"], True),
        ("npm install", [], True),
        ("npm install && npm run build", ["src/a.ts"], True),
        ("npm install", ["package.json"], False),
        ("cd web && pnpm install", ["web/package.json"], False),
        ("npm install", ["package-lock.json"], False),
        ("bundle install", ["gemfile"], False),
        ("uv sync", ["/w/app/pyproject.toml"], False),
        ("terraform init", ["infra/main.tf"], True),
        ("terraform init", ["infra/versions.tf"], False),
        ("dotnet restore", ["src/App/App.csproj"], False),
        ("npm install", ["src/package.json.ts"], True),
        ("npm ci", ["package.json"], True),
        ("npm run build", ["package.json"], True),
        ("npm install lodash", [], False),
        ("go mod tidy", [], False),
        ("bundle lock", [], False),
        ("npm install && rm a.py", [], False),
    ],
)
def test_an_installation_writes_its_lock_file_where_something_else_is_asked_for(
    command: str, changed: list[str], *, leaves: bool
) -> None:
    """What is asked for stands in files of the work."""
    assert leaves is leaves_work(command, changed, CONTRACT_COMMANDS)
    assert not leaves_work(command, changed, CLASSIC_COMMANDS)


ASKING = """
package.json composer.json global.json bower.json pnpm-workspace.yaml .npmrc .yarnrc.yml
Gemfile shop.gemspec Shop.podspec pyproject.toml setup.py setup.cfg requirements-dev.txt
Pipfile mix.exs pubspec.yaml go.mod go.sum go.work Cargo.toml Podfile NuGet.Config App.csproj
Directory.Packages.props a.targets App.sln App.slnx versions.tf providers.tf terraform.tf
yarn.lock
"""


@pytest.mark.parametrize("name", ASKING.split())
def test_what_asks_for_packages_is_known_by_its_name(name: str) -> None:
    """A change of it makes the next installation write; that of `a_setup.py_b` does not."""
    for folder in ("", "web/", "/w/app/"):
        assert not leaves_work("npm install", [f"{folder}{name}"], CONTRACT_COMMANDS)
        assert leaves_work("npm install", [f"{folder}a_{name}_b"], CONTRACT_COMMANDS)
