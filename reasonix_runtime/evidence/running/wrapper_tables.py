"""Which programs only run what follows them, with which words of their own (`wrappers.py`)."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from reasonix_runtime.evidence.options.places import FOLDERS
from reasonix_runtime.evidence.word_lists import words as word_set

_DURATION: Final = re.compile(r"\d+(?:\.\d+)?[smhd]?")
SERVICE: Final = re.compile(r"\w[\w.-]*")
IMAGE: Final = re.compile(r"\w[\w./:@-]*")
# What a container is given of the machine, where that is the folder of the work.
OF_THE_WORK: Final = re.compile(
    r"(?!\S*\.\.)(?:.*[=,](?:source|src)=)?[\"']?(?:\$\{?PWD\}?|\$\(pwd\)|`pwd`|%cd%|\.)[\"']?"
    r"(?P<below>/[\w./-]*)?[\"']?(?:[:,].*)?"
)
# Where in the container that is.
GIVEN_AT: Final = re.compile(r"(?::|,(?:target|dst|destination)=)[\"']?(/[\w./-]*)")
# As a container of an image that was built of the work would be told of it (`built_images.py`).
BUILT: Final = ".:/built"
# What may be mounted there, where the image keeps the work nobody knows: on places for no work.
BESIDE: Final = re.compile(
    r"(?:[A-Za-z]:)?[^,:]*:[\"']?/(?:(?:root|tmp|var|run|dev|etc)(?=[/:\"']|$)|home/\w+/\."
    r"|(?=\S*(?:cache|/node_modules)))[/.:\w-]*[\"']?"
)
# Where images keep the work that they were built of; of another folder nobody knows.
KEEPS_WORK: Final = re.compile(
    r"/(?:apps?|code|src|sources?|work(?:space|spaces|dir)?|repo|projects?|builds?|srv|opt|home|root|go"
    r"|data|var/(?:www|task|app)|usr/(?:local/)?(?:src|app))(?:/[\w./-]*)?"
)
_VERSION: Final = re.compile(r"v?\d[\d.]*|lts/[\w*]+|default|node|stable")
_ANYTHING: Final = re.compile(r".+")

# Options of Python itself that leave alone what is checked (`-O` would drop every assert).
PYTHON_ALONE: Final = word_set("-B -u -s -E -I -P -3 -bb -b")
PYTHON_WITH_VALUE: Final = word_set("-W -X")
# Modules and packages that are programs; a `_` in the name of a module is a `-` in the program.
PYTHON_PROGRAMS: Final = word_set(
    "pytest unittest doctest mypy ruff flake8 black isort pylint tox nox pyright basedpyright ty"
    " pyrefly pycodestyle pyflakes pydocstyle bandit vulture interrogate deptry codespell pip-audit"
    " pre-commit coverage pip json.tool http.server flask uvicorn gunicorn poetry pipenv pdm hatch"
    " uv venv virtualenv py-compile compileall twine mkdocs site sysconfig platform dis ast"
    " tokenize pyproject-build sphinx-build"
)
# Modules whose program has another name.
PYTHON_MODULES: Final = {"build": "pyproject-build", "sphinx": "sphinx-build"}
_NODE_PROGRAMS: Final = word_set(
    "vitest jest mocha ava tap eslint prettier tsc vue-tsc stylelint oxlint knip solhint playwright"
    " cypress biome svelte-check astro next ng markdownlint markdownlint-cli2 web-test-runner wdio"
    " turbo nx lerna hardhat pyright cross-env spectral redocly react-scripts tsd tsx testcafe"
    " cucumber-js newman karma elm-test lage npm-run-all run-s run-p dotenv env-cmd vite webpack"
    " rollup http-server serve json-server live-server kill-port wait-on nuxt storybook wrangler"
    " concurrently prisma esbuild parcel tsup tsdown unbuild rspack rsbuild babel swc ncc nest"
    " remix gatsby docusaurus vitepress vuepress eleventy typedoc jsdoc graphql-codegen"
    " drizzle-kit tailwindcss postcss expo depcheck madge publint attw"
)
_GO_PROGRAMS: Final = word_set(
    "gotestsum staticcheck golangci-lint govulncheck errcheck gosec revive ginkgo"
)
# Modules of Go by whose path their program is run.
GO_MODULES: Final = {
    "gotest.tools/gotestsum": "gotestsum",
    "honnef.co/go/tools/cmd/staticcheck": "staticcheck",
    "github.com/golangci/golangci-lint/cmd/golangci-lint": "golangci-lint",
    "github.com/golangci/golangci-lint/v2/cmd/golangci-lint": "golangci-lint",
    "golang.org/x/vuln/cmd/govulncheck": "govulncheck",
    "github.com/kisielk/errcheck": "errcheck",
    "github.com/securego/gosec/v2/cmd/gosec": "gosec",
    "github.com/mgechev/revive": "revive",
    "github.com/onsi/ginkgo/v2/ginkgo": "ginkgo",
}
SCOPED_PACKAGES: Final = GO_MODULES | {
    "@biomejs/biome": "biome",
    "@stoplight/spectral-cli": "spectral",
    "@redocly/cli": "redocly",
    "@angular/cli": "ng",
}
PACKAGE: Final = re.compile(
    r"((?:@[a-z0-9-]+/)?[a-z0-9][a-z0-9-]*|" + "|".join(map(re.escape, GO_MODULES)) + r")"
    r"(?:@[a-z0-9.\-+_~^*]+)?"
)
# Programs that run a program of another language by the path of its file.
INTERPRETERS: Final = word_set("node php ruby")
# Their own options before it that leave alone what is checked.
INTERPRETER_OPTIONS: Final = re.compile(
    r"--(?:experimental-vm-modules|no-warnings|no-deprecation|trace-(?:warnings|deprecation)"
    r"|enable-source-maps|expose-gc|(?:max-old-space-size|stack-trace-limit)=\d+)"
    r"|-d|(?:memory_limit|max_execution_time|error_reporting|display_errors|date\.timezone"
    r"|xdebug\.\w+|pcov\.\w+)=.*|-w|-W\d?|-I\S+"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrapper:
    """How to find the command that a wrapper runs.

    `lead` words come first (`run` in `uv run`), options around them: `alone`, `values` with a word
    after them, `folders` with a folder to run in, `assigns` with an assignment. `before` must
    match one word before the command (the duration of `timeout`). The value of one of `entries` is
    the program of the command, and what stands behind are its words. Where there are `behind`, the
    command is what follows one of these signs, whatever stands before the sign. With `scripts` a
    project may name what is run. `mounts` are options of which one has to give the folder of the
    work.
    """

    lead: tuple[str, ...] = ()
    alone: frozenset[str] = frozenset()
    values: frozenset[str] = frozenset()
    assigns: frozenset[str] = frozenset()
    before: re.Pattern[str] | None = None
    behind: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()
    scripts: bool = False
    mounts: frozenset[str] = frozenset()
    entries: frozenset[str] = frozenset()


_POETRY: Final = Wrapper(
    lead=("run",),
    alone=word_set("--"),
    folders=FOLDERS["poetry"],
    scripts=True,
)
_PDM: Final = Wrapper(lead=("run",), alone=word_set("--"), folders=FOLDERS["pdm"], scripts=True)
_PIPENV: Final = Wrapper(lead=("run",), alone=word_set("--"), scripts=True)
_SECRETS: Final = Wrapper(lead=("run",), behind=word_set("--"))
_EXEC: Final = Wrapper(lead=("exec",), alone=word_set("--"))
_SCRIPT_RUN: Final = Wrapper(
    lead=("run",),
    alone=word_set("--"),
    values=word_set("-e --environment --env -p --project"),
    scripts=True,
)
_CONDA: Final = Wrapper(
    lead=("run",),
    alone=word_set("--no-capture-output --live-stream"),
    values=word_set("-n --name -p --prefix"),
    folders=word_set("--cwd"),
)
_CONTAINER: Final = Wrapper(
    lead=("exec",),
    alone=word_set("-i -t -it -ti -T --interactive --tty --privileged"),
    values=word_set("-w --workdir -u --user"),
    assigns=word_set("-e --env"),
    before=SERVICE,
)
_COMPOSE_VALUES: Final = word_set(
    "-f --file -p --project-name --profile --env-file -w --workdir -u --user --entrypoint"
)
_COMPOSE: Final = tuple(
    Wrapper(
        lead=(verb,),
        alone=word_set("-i -t -it -T --no-TTY --rm --no-deps --quiet-pull"),
        values=_COMPOSE_VALUES,
        folders=word_set("--project-directory"),
        assigns=word_set("-e --env"),
        before=SERVICE,
        entries=word_set("--entrypoint"),
    )
    for verb in ("exec", "run")
)
_IMAGE: Final = Wrapper(
    lead=("run",),
    alone=word_set("-i -t -it -ti --rm --init --interactive --tty --privileged -q --quiet"),
    values=word_set(
        "-v --volume --mount -w --workdir -u --user --name --network --net --platform --env-file"
        " -p --publish -m --memory --cpus --add-host --tmpfs --ulimit --pull --shm-size --hostname"
        " --ipc --gpus --label --security-opt --cap-add --entrypoint"
    ),
    assigns=word_set("-e --env"),
    before=IMAGE,
    mounts=word_set("-v --volume --mount"),
    entries=word_set("--entrypoint"),
)
_DOTENV: Final = tuple(
    Wrapper(lead=lead, alone=word_set("--"), values=word_set("-f -e")) for lead in (("run",), ())
)
_SUDO: Final = Wrapper(
    alone=word_set("-E -n -H -S --preserve-env --"),
    values=word_set("-u --user -g --group"),
    folders=word_set("-D --chdir"),
)
WRAPPERS: Final[dict[str, tuple[Wrapper, ...]]] = {
    "time": (Wrapper(alone=word_set("-p -v")),),
    "timeout": (
        Wrapper(
            alone=word_set("--foreground --preserve-status -v --verbose"),
            values=word_set("-k --kill-after -s --signal"),
            before=_DURATION,
        ),
    ),
    "nice": (Wrapper(alone=word_set("-5 -10 -15 -19"), values=word_set("-n --adjustment")),),
    "ionice": (Wrapper(alone=word_set("-t"), values=word_set("-c -n")),),
    "taskset": (Wrapper(lead=("-c",), before=_ANYTHING),),
    "caffeinate": (Wrapper(alone=word_set("-d -i -m -s -u")),),
    "strace": (Wrapper(alone=word_set("-c -f -q -qq -r -t -tt -T -v -y")),),
    "stdbuf": (Wrapper(values=word_set("-i -o -e")),),
    "command": (Wrapper(alone=word_set("-p")),),
    "builtin": (Wrapper(),),
    "call": (Wrapper(),),
    "exec": (Wrapper(alone=word_set("-c -l")),),
    "nohup": (Wrapper(),),
    "sudo": (_SUDO,),
    "doas": (_SUDO,),
    "xvfb-run": (Wrapper(alone=word_set("-a --auto-servernum"), values=word_set("-s -n")),),
    "uv": (
        Wrapper(
            lead=("run",),
            alone=word_set(
                "--frozen --locked --no-sync --all-extras --dev --no-dev --isolated --quiet -q"
                " --active --offline --exact --all-groups --no-project --"
            ),
            values=word_set(
                "--with --with-editable --with-requirements --python -p --extra --group --package"
                " --env-file --no-group --only-group"
            ),
            folders=FOLDERS["uv"],
            scripts=True,
        ),
    ),
    "coverage": (
        Wrapper(
            lead=("run",),
            alone=word_set("--branch -p --parallel-mode -a --append"),
            values=word_set("--source --rcfile --omit --include"),
        ),
    ),
    "poetry": (_POETRY,),
    "pipenv": (_PIPENV,),
    "pdm": (_PDM,),
    "rye": (_SCRIPT_RUN,),
    "hatch": (_SCRIPT_RUN,),
    "pixi": (_SCRIPT_RUN,),
    "devbox": (Wrapper(lead=("run",), alone=word_set("--"), scripts=True),),
    "bundle": (_EXEC,),
    "opam": (_EXEC,),
    "pyenv": (_EXEC,),
    "rbenv": (_EXEC,),
    "asdf": (_EXEC,),
    "direnv": (Wrapper(lead=("exec",), before=_ANYTHING),),
    "mise": tuple(
        Wrapper(lead=(verb,), behind=word_set("--"), folders=FOLDERS["mise"])
        for verb in ("exec", "x")
    ),
    "nix": tuple(
        Wrapper(lead=(verb,), behind=word_set("-c --command")) for verb in ("develop", "shell")
    ),
    "conda": (_CONDA,),
    "mamba": (_CONDA,),
    "micromamba": (_CONDA,),
    "fvm": (Wrapper(),),
    "xcrun": (Wrapper(),),
    "corepack": (Wrapper(),),
    "volta": (Wrapper(lead=("run",), values=word_set("--node --npm --yarn --pnpm")),),
    "nvm": (Wrapper(lead=("exec",), alone=word_set("--silent"), before=_VERSION),),
    "fnm": (Wrapper(lead=("exec",), values=word_set("--using"), alone=word_set("--")),),
    "env-cmd": (Wrapper(values=word_set("-f --file -e --environments")),),
    "dotenv": _DOTENV,
    "dotenvx": _DOTENV,
    # they hand secrets to what stands behind the sign
    "doppler": (_SECRETS,),
    "infisical": (_SECRETS,),
    "op": (_SECRETS,),
    "docker": (
        _CONTAINER,
        _IMAGE,
        *(replace(wrapper, lead=("compose", *wrapper.lead)) for wrapper in _COMPOSE),
    ),
    "podman": (_CONTAINER, _IMAGE),
    "docker-compose": _COMPOSE,
    "devcontainer": (
        Wrapper(
            lead=("exec",),
            values=word_set("--container-id --config"),
            folders=word_set("--workspace-folder"),
        ),
    ),
}
_YES: Final = word_set("--yes -y --no --no-install --")
# Wrappers that fetch a program by the name of its package, and the names that are trusted.
PACKAGE_WRAPPERS: Final[dict[str, tuple[tuple[Wrapper, ...], frozenset[str]]]] = {
    "npx": ((Wrapper(alone=_YES),), _NODE_PROGRAMS),
    "npm": (
        (Wrapper(lead=("exec",), alone=_YES, folders=word_set("--prefix -C")),),
        _NODE_PROGRAMS,
    ),
    "pnpm": (
        tuple(Wrapper(lead=lead, folders=FOLDERS["pnpm"]) for lead in (("exec",), ("dlx",), ())),
        _NODE_PROGRAMS,
    ),
    "yarn": (
        tuple(
            Wrapper(lead=lead, folders=FOLDERS["yarn"])
            for lead in (("exec",), ("dlx",), ("run",), ())
        ),
        _NODE_PROGRAMS,
    ),
    "bun": ((Wrapper(lead=("x",), folders=FOLDERS["bun"]),), _NODE_PROGRAMS),
    "go": (tuple(Wrapper(lead=(verb,)) for verb in ("run", "tool")), _GO_PROGRAMS),
    "uvx": (
        (
            Wrapper(
                alone=word_set("-q --quiet"),
                values=word_set("-p --python --with"),
                folders=word_set("--directory"),
            ),
        ),
        PYTHON_PROGRAMS,
    ),
    "uv": (
        (Wrapper(lead=("tool", "run"), values=word_set("-p --python --with")),),
        PYTHON_PROGRAMS,
    ),
    "pipx": ((Wrapper(lead=("run",)),), PYTHON_PROGRAMS),
}
ENV: Final = Wrapper(
    alone=word_set("-i - --ignore-environment"),
    values=word_set("-u --unset"),
    folders=word_set("-C --chdir"),
)
XARGS: Final = Wrapper(
    alone=word_set("-0 -i -l -r -t -x --null --no-run-if-empty --replace --verbose --exit"),
    values=word_set("-n -P -L -I -d -s --max-args --max-procs --delimiter --replace --max-lines"),
)
