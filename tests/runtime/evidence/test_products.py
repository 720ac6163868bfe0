"""Builds and pinned installations: changes that write no file of the work."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.commands import CLASSIC_COMMANDS, CONTRACT_COMMANDS
from reasonix_runtime.evidence.products import only_makes_products


@pytest.mark.parametrize(
    ("command", "products"),
    [
        ("cargo build", True),
        ("cargo build --release 2>&1 | tail -3", True),
        ("npm run build", True),
        ("npm run build:deploy", False),
        ("tsc", True),
        ("tsc --outDir src", False),
        ("make", True),
        ("make install", False),
        ("mkdir -p build && cd build && cmake .. && make -j4", True),
        ("cmake -B build -S .", True),
        ("cmake -P release.cmake", False),
        ("cmake -E rm src/a.c", False),
        ("cmake --install build", False),
        ("mkdir -p src/pkg", True),
        ("mkdir src/pkg && touch src/pkg/a.py", False),
        ("npm ci", True),
        ("npm ci --prefix web", True),
        ("npm install", False),
        ("npm install lodash", False),
        ("yarn install --frozen-lockfile", True),
        ("yarn --immutable", True),
        ("yarn install", False),
        ("pnpm i --frozen-lockfile", True),
        ("pnpm add x --frozen-lockfile", False),
        ("uv sync --locked", True),
        ("uv sync", False),
        ("uv venv", True),
        ("poetry install --no-root", True),
        ("poetry add x", False),
        ("bundle install --deployment", True),
        ("composer install --no-interaction", True),
        ("composer require x", False),
        ("go mod download", True),
        ("go mod tidy", False),
        ("pip install -r requirements.txt", True),
        ("pip install --requirement=requirements.txt -r dev.txt", True),
        ("python -m pip install -q -e '.[dev]'", True),
        ("pip install .", True),
        ("uv pip install -r requirements.txt", True),
        ("uv pip install requests", False),
        ("pip install requests", False),
        ("pip install -r requirements.txt requests", False),
        ("pip install -r requirements.txt --target src", False),
        ("pip install", False),
        ("pip uninstall -r requirements.txt", False),
        ("python -m venv .venv && .venv/bin/pip install -e .", True),
        ("npm ci && npm test", True),
        ("npm ci && sed -i s/a/b/ a.js", False),
        ("npm ci > src/log.txt", False),
        ("PATH=/tmp/fake npm ci", False),
        ("npm test", False),
        # what runs something else, writes into the work, or installs from elsewhere
        ("zig build deploy", False),
        ("go build -o build/app ./...", True),
        ("go build -o build/../src/main.go .", False),
        ("go build -o binary.go .", False),
        ("go build -toolexec=./x.sh ./...", False),
        ("cargo build --config build.rustc-wrapper=./x", False),
        ("cargo build --workspace --all-features", True),
        ("make SHELL=./x.sh build", False),
        ("make -f evil.mk build", False),
        ("gradle build -I evil.gradle", False),
        ("gradle build -b evil.gradle", False),
        ("dotnet build -t:Deploy", False),
        ("dotnet build -c Release --no-restore", True),
        ("vite build --config evil.js", False),
        ("ng build --configuration production", True),
        ("ng build --output-path=src", False),
        ("npm run build -- --outDir src", False),
        ("tsc -p tsconfig.build.json", True),
        ("mvn -q -DskipTests package", True),
        ("pip install -r https://example.org/r.txt", False),
        ("npm ci --prefix ../other", False),
        ("python -m venv src", False),
    ],
)
def test_what_makes_products_alone_is_known(command: str, *, products: bool) -> None:
    """What names packages, pins them anew or sends the product into the work does more."""
    assert products is only_makes_products(command, CONTRACT_COMMANDS)
    assert not only_makes_products(command, CLASSIC_COMMANDS)
