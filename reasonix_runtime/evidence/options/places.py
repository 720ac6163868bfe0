"""Options that say where a program runs, or which project it is about: data for `places`."""

from __future__ import annotations

from typing import Final

from reasonix_runtime.evidence.word_lists import words

# Options that only say where to run; their value is a folder.
FOLDERS: Final[dict[str, frozenset[str]]] = {
    "pnpm": words("-C --dir"),
    "npm": words("--prefix -C --dir --cwd"),
    "yarn": words("--cwd"),
    "bun": words("--cwd"),
    "go": words("-C"),
    "cargo": words("-C"),
    "make": words("-C --directory"),
    "just": words("-d --working-directory"),
    "task": words("-d --dir"),
    "poe": words("-C --directory"),
    "gradle": words("-p --project-dir"),
    "swift": words("--package-path"),
    "ctest": words("--test-dir"),
    "ninja": words("-C"),
    "meson": words("-C"),
    "turbo": words("--cwd"),
    "terraform": words("-chdir"),
    "composer": words("-d --working-dir"),
    "busted": words("-C --directory"),
    "uv": words("--directory --project"),
    "poetry": words("-C --directory -P --project"),
    "pdm": words("-p --project"),
    "mise": words("-C --cd"),
}

# Options whose value is the file or the folder of the project that is checked, wherever they run.
PROJECTS: Final[dict[str, frozenset[str]]] = {
    "pytest": words("-c --config-file --rootdir"),
    "unittest": words("-s --start-directory -t --top-level-directory"),
    "tox": words("-c --conf --root"),
    "nox": words("-f --noxfile"),
    "pixi": words("--manifest-path"),
    "pyright": words("-p --project"),
    "basedpyright": words("-p --project"),
    "mvn": words("-f --file"),
    "gradle": words("-b --build-file -c --settings-file"),
    "ant": words("-f -file -buildfile"),
    "cargo": words("--manifest-path"),
    "go": words("-modfile -overlay"),
    "psalm": words("-r --root"),
    "make": words("-f --file --makefile"),
    "just": words("-f --justfile"),
    "task": words("-t --taskfile"),
    "rake": words("-f --rakefile"),
    "invoke": words("-r --search-root"),
    "cmake": words("--build"),
    "ninja": words("-f"),
    "tsc": words("-p --project"),
    "vue-tsc": words("-p --project"),
    "jest": words("-c --config --rootDir --roots --projects"),
    "vitest": words("-r --root --dir"),
    "playwright": words("-c --config"),
    "cypress": words("-P --project"),
    "astro": words("--root"),
    "phpunit": words("-c --configuration"),
    "pest": words("-c --configuration"),
    "xcodebuild": words("-project -workspace"),
    "stack": words("--stack-yaml"),
    "cabal": words("--project-file --project-dir"),
    "zig": words("--build-file"),
    "dune": words("--root"),
    "forge": words("--root"),
    "detekt": words("-i --input"),
}

# Scripts of a project, which check the project that they belong to.
PROJECT_SCRIPTS: Final = words("manage.py artisan")

# Programs with a sign of their own for what belongs to their project: `//pkg:test`.
LABELLED: Final = words("bazel buck2 pants nx mill sbt")

# Variables that name the folder or the file of the project.
VARIABLES: Final = words("UV_PROJECT UV_WORKING_DIRECTORY UV_WORKING_DIR MIX_EXS JUST_JUSTFILE")
