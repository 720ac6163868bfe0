"""Which programs build, pack or lay out what the work is made into: data for `products.py`."""

from __future__ import annotations

from typing import Final

from reasonix_runtime.evidence.word_lists import words

# Sub-commands that build, or take away what was built; "" where none is needed.
BUILDING: Final = {
    "cargo": words("build b clean package") | {"nextest list"},
    "docker": words("pull") | {"compose build", "compose pull"},
    "go": words("build clean install"),
    "dotnet": words("build clean publish pack"),
    "swift": words("build") | {"test list"},
    "mix": words("compile clean release deps.compile assets.build assets.deploy"),
    "dune": words("build clean"),
    "stack": words("build clean"),
    "cabal": words("build v2-build clean"),
    "gleam": words("build clean"),
    "forge": words("build clean"),
    "hardhat": words("compile clean"),
    "bazel": words("build clean"),
    "buck2": words("build clean"),
    "meson": words("setup compile"),
    "rebar3": words("compile clean release"),
    "next": words("build"),
    "vite": words("build"),
    "ng": words("build"),
    "astro": words("build"),
    "tsc": frozenset({""}),
    "webpack": words("build") | {""},
    "docker-compose": words("build pull"),
    "nx": words("build"),
    "nix": words("build"),
    "flutter": frozenset(
        {f"build {kind}" for kind in words("apk appbundle bundle ios ipa web macos linux windows")}
    ),
    "dbt": words("compile parse run build"),
    "hatch": words("build"),
    "uv": words("build"),
    "poetry": words("build"),
    "pdm": words("build"),
    "flit": words("build"),
    "mkdocs": words("build"),
    "artisan": words("config:clear cache:clear view:clear route:clear optimize:clear"),
    "helm": frozenset({"dependency build"}),
    # what is put where programs are installed, or beside the work in its repository
    "playwright": words("install"),
    "cypress": words("install"),
    "pre-commit": words("install install-hooks"),
    # what is packed, for others to install
    "pyproject-build": frozenset({""}),
    "npm": words("pack"),
    "pnpm": words("pack"),
    "yarn": words("pack"),
    "gem": words("build"),
    "maturin": words("build"),
    "wasm-pack": words("build"),
    "sam": words("build"),
    "serverless": words("package"),
    "cdk": words("synth synthesize"),
    "pants": words("package"),
    # what a site, an application or its documents are made into
    **dict.fromkeys(
        words("rollup tsup tsdown unbuild hugo eleventy svelte-package build-storybook"),
        frozenset({""}),
    ),
    **dict.fromkeys(
        words(
            "parcel rsbuild nest remix ember gatsby docusaurus vitepress vuepress vue-cli-service"
            " react-scripts storybook mdbook trunk jupyter-book crystal nimble odin"
        ),
        words("build"),
    ),
    "rspack": words("build") | {""},
    "jekyll": words("build b clean"),
    "nuxt": words("build generate"),
    "expo": words("export"),
    "rush": words("build rebuild"),
    "deno": words("cache"),
    "podman": words("pull"),
    "arduino-cli": words("compile"),
    "west": words("build"),
    "pio": words("run"),
    "scons": frozenset({""}),
    "doxygen": words("Doxyfile") | {""},
}
