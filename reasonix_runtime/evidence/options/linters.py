"""The options of programs that only read the work: linters, types, formatters that check.

Data only, names in exact case, as the programs read them. An option that stands in no list of its
program is harmless; a word that follows it is an operand.
"""

from __future__ import annotations

from typing import Final

from reasonix_runtime.evidence.options.tool_options import ToolOptions
from reasonix_runtime.evidence.word_lists import words

LINTERS: Final[dict[str, ToolOptions]] = {
    "tsc": ToolOptions(
        values=words(
            "-p --project --target -t --module -m --lib --jsx --moduleResolution --pretty"
        ),
        narrows=words("-p --project --skipLibCheck --target --module --noEmit"),
    ),
    "mypy": ToolOptions(
        values=words("--config-file -p -m -c --python-version --exclude --cache-dir --platform"),
        narrows=words("--config-file -p -m -c --follow-imports --python-version --platform"),
        empties=words("-h -V -c --command"),
    ),
    "eslint": ToolOptions(
        values=words(
            "-c --config --ext --format -f --rule --ignore-pattern --ignore-path --max-warnings"
            " --output-file -o --parser --plugin --cache-location --rulesdir --env --global"
        ),
        narrows=words("-c --config --ext --rule --quiet --no-ignore --parser --plugin --env"),
        empties=words("-h -v"),
        writes=words("-o --cache-location"),
    ),
    "prettier": ToolOptions(
        values=words("--config --ignore-path --parser --plugin --log-level"),
        narrows=words("--config --parser --plugin"),
        empties=words("-h -v"),
    ),
    "ruff": ToolOptions(
        values=words(
            "--select --ignore --extend-select --extend-ignore --exclude --config --output-format"
            " --line-length -o"
        ),
        narrows=words("--line-length --target-version"),
        empties=words("-e -h -V -w --diff"),
        writes=words("-o"),
    ),
    "golangci-lint": ToolOptions(
        values=words(
            "-c --config -E -D --enable --disable --timeout --out-format -p --issues-exit-code"
        ),
        narrows=words("-D -p --presets --default --max-same-issues --max-issues-per-linter -c"),
        empties=words("--issues-exit-code=0 -h"),
        writes=words("--cpu-profile-path --mem-profile-path --trace-path"),
    ),
    "staticcheck": ToolOptions(
        values=words("-checks -tags -go -f -fail"),
        narrows=words("-checks -tags -fail"),
        empties=words("-fail=none -version"),
    ),
    "flake8": ToolOptions(
        values=words(
            "--select --ignore --extend-select --extend-ignore --exclude --max-line-length --config"
            " --format"
        ),
        narrows=words("--max-line-length --per-file-ignores"),
        empties=words("-h --bug-report"),
        writes=words("--tee"),
    ),
    "pylint": ToolOptions(
        values=words("-d --disable -e --enable --rcfile -j --output-format --fail-under"),
        narrows=words("-d --disable -E --errors-only --rcfile --fail-under --fail-on"),
        empties=words("-h --list-msgs --generate-rcfile"),
    ),
    "black": ToolOptions(
        values=words("-l --line-length -t --target-version --config"),
        narrows=words("-l --line-length --exclude --force-exclude"),
        empties=words("-h --code"),
    ),
    "isort": ToolOptions(
        values=words("--profile --settings-path --sp"), narrows=words("--profile --sp")
    ),
    "biome": ToolOptions(
        values=words("--config-path --max-diagnostics --diagnostic-level --reporter"),
        narrows=words("--config-path --changed --staged --since --diagnostic-level --only --skip"),
        writes=words("--apply --apply-unsafe"),
    ),
    "pre-commit": ToolOptions(
        values=words("--files --from-ref --to-ref -s -o --hook-stage -c --config"),
        narrows=words("--files --from-ref --to-ref -s -o --hook-stage -c"),
    ),
    "rubocop": ToolOptions(
        values=words("--only --except -c --config -f --format --fail-level --require -r"),
        narrows=words("--except -c --fail-level --force-default-config -r -l --lint --safe"),
        empties=words("-L --list-target-files --show-cops --show-docs-url -h -v -V"),
        writes=words("-a -A -x -o --out --fix-layout --regenerate-todo"),
    ),
    "shellcheck": ToolOptions(
        values=words("-e --exclude -S --severity -s --shell -f --format -i --include -o --enable"),
        narrows=words("-e -S --severity -s --shell -i --norc --rcfile"),
        empties=words("-V"),
    ),
    "stylelint": ToolOptions(
        values=words("--config --custom-syntax -f --formatter --max-warnings -o"),
        narrows=words("-q --quiet --custom-syntax"),
        writes=words("-o"),
    ),
    "bandit": ToolOptions(
        values=words("-c -f -o -x -t -s -b -l -i --severity-level"),
        narrows=words("-c -x -t -s -b -l -ll -lll -i --severity-level --confidence-level"),
        writes=words("-o"),
    ),
    "bash": ToolOptions(),
    "sh": ToolOptions(),
    "zsh": ToolOptions(),
    "php": ToolOptions(),
    "tflint": ToolOptions(empties=words("--force")),
    "clang-tidy": ToolOptions(values=words("-p"), narrows=words("-p --checks -checks")),
    "ktlint": ToolOptions(writes=words("-F --format")),
    "hlint": ToolOptions(writes=words("--refactor")),
    "shfmt": ToolOptions(writes=words("-w"), narrows=words("-ln")),
    "terraform": ToolOptions(empties=words("-help"), writes=words("-write=true")),
    "kubeconform": ToolOptions(
        values=words("-output"), prints=words("-output=text -output=json -output=pretty")
    ),
    "yamllint": ToolOptions(
        values=words("-c --config-file -d --config-data -f --format"),
        narrows=words("-c --config-file -d --config-data --no-warnings"),
        empties=words("-h -v --list-files"),
    ),
    "actionlint": ToolOptions(
        values=words("-config-file -ignore -shellcheck -pyflakes -format -stdin-filename"),
        narrows=words("-config-file -ignore -shellcheck -pyflakes"),
        empties=words("-h -help -init-config"),
    ),
    "sqlfluff": ToolOptions(
        values=words(
            "-d --dialect -t --templater -r --rules -e --exclude-rules --config -f --format -p"
            " --processes --annotation-level"
        ),
        narrows=words("-d --dialect -t --templater -r -e --exclude-rules --config --warn-unused"),
        empties=words("-h --nofail"),
        writes=words("--write-output"),
    ),
    "phpstan": ToolOptions(
        values=words("-c --configuration -l --level -a --autoload-file --error-format"),
        narrows=words("-c --configuration -l --level"),
        empties=words("-h -V"),
        writes=words("-b --generate-baseline"),
    ),
    "phpcs": ToolOptions(
        values=words("-d"),
        narrows=words("-n -l --standard --sniffs --exclude --severity --error-severity"),
        empties=words("-h -i -e"),
    ),
    "oxlint": ToolOptions(
        values=words("-c --config -D --deny -A --allow -W --warn -f --format --tsconfig"),
        narrows=words("-c --config -D -A --allow -W --warn --quiet --tsconfig"),
        empties=words("-h -V --init"),
    ),
    "swiftlint": ToolOptions(
        values=words("--config --reporter --cache-path --use-alternative-excluding"),
        narrows=words("--config --only-rule --enable-all-rules"),
        writes=words("--autocorrect"),
    ),
    "pyright": ToolOptions(
        values=words("-p --project --pythonversion --level"),
        narrows=words("-p --project --level --skipunannotated"),
        empties=words("-h -w --createstub --verifytypes"),
        writes=words("--writebaseline"),
    ),
}
