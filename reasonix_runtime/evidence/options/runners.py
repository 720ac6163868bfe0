"""The options of programs that run the work: its tests, its builds, its scripts.

Data only, names in exact case, as the programs read them. An option that stands in no list of its
program is harmless; a word that follows it is an operand.
"""

from __future__ import annotations

from typing import Final

from reasonix_runtime.evidence.options.tool_options import ToolOptions
from reasonix_runtime.evidence.word_lists import words

_PNPM: Final = ToolOptions(
    values=words("-C --dir --filter -F --loglevel --reporter"),
    narrows=words("--filter -F"),
    writes=words("-u"),
)
_NPM: Final = ToolOptions(
    values=words("--prefix -C --dir --cwd -w --workspace --filter -F --loglevel --reporter"),
    narrows=words("-w --workspace --workspaces --filter -F"),
    empties=words("--script-shell"),
)

_JEST: Final = ToolOptions(
    values=words(
        "-t --testNamePattern -c --config --maxWorkers --rootDir --testPathPattern"
        " --testPathIgnorePatterns --changedSince --selectProjects --shard --reporter --reporters"
        " --testTimeout --env --coverageReporters --coverageDirectory --dir --project --pool -r"
        " --root --runner --testRunner --exclude --outputFile --bail --max-workers --minWorkers"
        " --retry"
    ),
    narrows=words(
        "-t -c -o -f -r --runner --testRunner --root --rootDir --dir --project --env"
        " --runTestsByPath"
    ),
    writes=words("--coverage"),
)

RUNNERS: Final[dict[str, ToolOptions]] = {
    "pytest": ToolOptions(
        values=words(
            "-k -m -p -c -o -n -r -W --maxfail --tb --durations --durations-min --rootdir"
            " --confcutdir --junitxml --junit-xml --deselect --ignore --ignore-glob --override-ini"
            " --numprocesses --dist --maxprocesses --cov --cov-report --cov-config --timeout"
            " --timeout-method --import-mode --basetemp --log-level --log-cli-level --log-file"
            " --color --capture --show-capture --html --reruns --reruns-delay --lfnf"
            " --last-failed-no-failures --hypothesis-profile --hypothesis-seed --count --pastebin"
            " --config-file --report-log --asyncio-mode --cov-fail-under"
        ),
        narrows=words(
            "-k -m -c -o -p --lf --ff --nf --sw --pyargs --confcutdir --rootdir --config-file"
            " --noconftest --lfnf --last-failed-no-failures --doctest-modules --runxfail"
        ),
        harmless=words(
            "-p=no:cacheprovider -p=no:warnings -p=no:sugar -p=no:randomly -p=no:xdist -p=no:cov"
            " -p=no:logging -p=no:faulthandler -o=log_cli=true -o=log_cli=1 -o=cache_dir=/dev/null"
            " -o=console_output_style=classic -o=xfail_strict=true -o=junit_family=xunit2"
        ),
        empties=words("-h -V --trace-config --cache-show"),
        writes=words(
            "--basetemp --cov-report --pastebin --inline-snapshot --cache-clear --debug --alluredir"
            " --json-report --json-report-file --benchmark-save --benchmark-autosave"
            " --benchmark-json --record-mode --vcr-record"
        ),
        prints=words(
            "--record-mode=none --vcr-record=none"
            " --cov-report= --cov-report=term --cov-report=term-missing"
            " --cov-report=term:skip-covered --cov-report=term-missing:skip-covered"
        ),
        optional=words("--cov"),
    ),
    "unittest": ToolOptions(
        values=words("-k -s --start-directory -p --pattern -t --top-level-directory"),
        narrows=words("-k -s --start-directory -p --pattern -t --top-level-directory"),
        empties=words("-h"),
    ),
    "go": ToolOptions(
        values=words(
            "-C -run -skip -bench -benchtime -count -timeout -p -parallel -cpu -tags -mod -modfile"
            " -exec -o -coverprofile -covermode -coverpkg -cpuprofile -memprofile -blockprofile"
            " -mutexprofile -memprofilerate -blockprofilerate -mutexprofilefraction -outputdir"
            " -trace -ldflags -gcflags -asmflags -vet -vettool -toolexec -pkgdir -overlay -shuffle"
            " -list -fuzz -fuzztime -fuzzminimizetime -buildmode -compiler -installsuffix -pgo"
        ),
        narrows=words(
            "-run -skip -bench -list -short -tags -vet -vettool -modfile -overlay -exec -toolexec"
            " -args -fuzz -buildmode -gcflags -ldflags"
        ),
        empties=words("-n -list -h"),
        writes=words("-c -exec -toolexec -vettool -o -trace -artifacts -fix -outputdir"),
    ),
    "npm": _NPM,
    "pnpm": _PNPM,
    "yarn": ToolOptions(
        values=words("--cwd --scope --include --from"),
        narrows=words("--scope --include --from --since"),
        writes=words("-u"),
    ),
    "invoke-pester": ToolOptions(
        values=words("-Output -Path -Tag -TagFilter -ExcludeTag -FullNameFilter -ExcludePath"),
        narrows=words("-Path -Tag -TagFilter -ExcludeTag -FullNameFilter -ExcludePath"),
        prints=words("-Output=Detailed -Output=Normal -Output=Minimal -Output=Diagnostic"),
    ),
    "bun": ToolOptions(
        values=words("--cwd --filter -F -c --config --preload -r --timeout -t"),
        narrows=words("--filter -F -c --config --preload -r -t"),
        writes=words("--coverage"),
    ),
    "cargo": ToolOptions(
        values=words(
            "-C --manifest-path -p --package --features -F --target --target-dir --profile -j"
            " --jobs --test --bin --example --bench --exclude --color --message-format -Z --config"
            " -E --filterset --run-ignored"
        ),
        narrows=words(
            "--manifest-path -p --package --features -F --target --test --bin --bins --lib --doc"
            " --example --examples --bench --benches --exclude --config -E --filterset"
            " --run-ignored"
        ),
        empties=words("--no-run --list -h -E=none()"),
    ),
    "make": ToolOptions(
        values=words("-C --directory -f --file --makefile -o --old-file --assume-old -W -I"),
        numbers=words("-j -l --jobs --load-average"),
        narrows=words("-f --file --makefile -o --old-file --assume-old -W -I"),
        empties=words("-n -t -q -i -p -v -h -f=/dev/null --file=/dev/null --makefile=/dev/null"),
    ),
    "just": ToolOptions(
        values=words("-f --justfile -d --working-directory --color"),
        narrows=words("-f --justfile"),
        empties=words("-n -l -h -V --summary --evaluate --show --choose"),
    ),
    "node": ToolOptions(
        values=words(
            "-r --require --import --loader --experimental-loader -C --conditions"
            " --test-name-pattern --test-skip-pattern"
        ),
        narrows=words("--test-name-pattern --test-skip-pattern --test-only --test-shard"),
        empties=words("-h -v -e --eval -p --print"),
    ),
    "jest": _JEST,
    "vitest": _JEST,
    "mocha": ToolOptions(
        values=words(
            "-g --grep -f --fgrep -r --require -R --reporter -t --timeout -C --config --ignore"
            " --exclude"
        ),
        narrows=words("-g -f -i --invert --config -r --require"),
    ),
    "ava": ToolOptions(
        values=words("-m --match -c --concurrency -T --timeout --config"),
        narrows=words("-m --match --config"),
    ),
    "mvn": ToolOptions(
        values=words("-pl --projects -f --file -P -T --threads -s --settings -rf --resume-from"),
        narrows=words("-pl --projects -f --file -P -rf --resume-from -am -amd -s -N"),
        empties=words("-v -h -fn --fail-never"),
    ),
    "gradle": ToolOptions(
        values=words(
            "-p --project-dir -x --exclude-task --tests -b -c -I --console -g --warning-mode"
            " --max-workers --priority"
        ),
        narrows=words("-x --exclude-task --tests -b -c -I"),
        empties=words("-m -h -v --dry-run --test-dry-run --continuous -t"),
    ),
    "dotnet": ToolOptions(
        values=words("--filter -c --configuration -f --framework -l --logger -r -s -v --verbosity"),
        narrows=words("--filter -f --framework -s --settings --no-build --no-restore"),
        empties=words("-t -h -?"),
        writes=words("-l --logger -o --results-directory --collect"),
        prints=words("--logger=console -l=console"),
    ),
    "swift": ToolOptions(
        values=words("--filter --skip --package-path -c --configuration -j --jobs"),
        narrows=words("--filter --skip --skip-build"),
        empties=words("-l -h"),
    ),
    "tox": ToolOptions(
        values=words("-e -c -x --workdir -f -m -p --parallel"),
        narrows=words("-e -c -x -f -m --skip-env --skip-missing-interpreters --"),
        empties=words("-l -a -h -n"),
        optional=words("-p --parallel"),
    ),
    "nox": ToolOptions(
        values=words("-s --session --sessions -e -k -t --tags -f --noxfile -p --python"),
        narrows=words("-s --session --sessions -e -k -t -f --noxfile -p --python --"),
        empties=words("-l -h --install-only --report"),
    ),
    "ctest": ToolOptions(
        values=words(
            "-R -E -L -LE -I -C -j --test-dir -S -D -M -T --timeout -O --parallel --exclude-regex"
        ),
        narrows=words("-R -E -L -LE -I --rerun-failed --tests-regex --exclude-regex"),
        empties=words("-N -h --print-labels -E=.* -E=. --exclude-regex=.*"),
        writes=words("-O -D -S -M -T --output-junit"),
    ),
    "rspec": ToolOptions(
        values=words(
            "-e -t --tag -r -f --format -o --out -P --pattern --exclude-pattern -I --seed --require"
            " --failure-exit-code"
        ),
        narrows=words("-e --example -t -P --pattern --only-failures -n --next-failure"),
        empties=words("-h -v --failure-exit-code=0"),
        writes=words("-o --out"),
    ),
    "phpunit": ToolOptions(
        values=words(
            "--filter --group --exclude-group --exclude-filter --testsuite -c --configuration"
        ),
        narrows=words("-c --configuration --bootstrap"),
        empties=words("-h --list-groups --list-test-files --check-version"),
        writes=words("--coverage-php"),
    ),
    "bazel": ToolOptions(
        values=words("--config --test_filter --run_under"),
        narrows=words(
            "--config --run_under --test_size_filters --test_lang_filters --cache_test_results"
        ),
        empties=words("--nobuild --build_only --nocheck_up_to_date --noexec"),
    ),
    "deno": ToolOptions(
        values=words("--filter --config -c --import-map --reporter"),
        narrows=words("-c --import-map"),
        empties=words("-h"),
        writes=words("--coverage --junit-path"),
    ),
    "gotestsum": ToolOptions(
        values=words("--format -f --packages --post-run-command --rerun-fails"),
        narrows=words("--packages --rerun-fails --raw-command"),
        empties=words("-h"),
        writes=words("--post-run-command"),
    ),
    "ninja": ToolOptions(
        values=words("-C -f -j -k -l -t -d -w"),
        narrows=words("-f"),
        empties=words("-n -t -h"),
    ),
    "meson": ToolOptions(
        values=words("-C --suite --wrap --wrapper --timeout-multiplier -t --num-processes"),
        narrows=words("--suite --no-suite --wrap --wrapper --setup"),
    ),
    "cmake": ToolOptions(
        values=words("--build --target -t --config -j --parallel --preset"),
        narrows=words("--build --target -t --config --preset"),
        empties=words("-N"),
        optional=words("--build"),
    ),
    "xcodebuild": ToolOptions(
        values=words(
            "-scheme -project -workspace -destination -configuration -sdk -derivedDataPath -target"
            " -resultBundlePath -testPlan -only-testing -skip-testing"
        ),
        narrows=words("-scheme -destination -testPlan -only-testing -skip-testing -target -sdk"),
        empties=words("-list -showdestinations -dry-run -n -showBuildSettings"),
        writes=words("-resultBundlePath"),
    ),
    "nix": ToolOptions(empties=words("--no-build --dry-run")),
    "turbo": ToolOptions(
        values=words("--filter -F --concurrency --output-logs --log-order --cwd"),
        narrows=words("--filter -F --affected"),
    ),
    "nx": ToolOptions(
        values=words("-t --target --targets -p --projects --base --head -c --configuration"),
        narrows=words("-t --target --targets -p --projects --base --head --exclude -c"),
    ),
    "playwright": ToolOptions(
        values=words(
            "-c --config -g --grep --grep-invert -j --workers --project --reporter --retries"
            " --shard --timeout --repeat-each --output --max-failures -x --trace"
        ),
        narrows=words("-c --project -g --grep-invert --last-failed --only-changed"),
    ),
    "cypress": ToolOptions(
        values=words("--spec -s --browser -b --config -c --env -e --project -P --reporter -r"),
        narrows=words("--spec -s --config -c --env -e --project -P --component --e2e"),
    ),
    "mix": ToolOptions(
        values=words("--only --exclude --include --seed --formatter --max-failures --timeout"),
        narrows=words("--include --failed"),
        empties=words("--stale --exclude=test --plt"),
        writes=words("--cover"),
    ),
    "flutter": ToolOptions(
        values=words("--name --plain-name -n -t -x --tags --exclude-tags --reporter -r -d"),
        narrows=words("--name --plain-name -n -t -x -d"),
    ),
    "dart": ToolOptions(
        values=words("-n --name -N --plain-name -t -x -r --reporter -o --output"),
        narrows=words("-n --name -N --plain-name -t -x"),
        prints=words("-o=none --output=none -o=show --output=show"),
    ),
    "bats": ToolOptions(
        values=words("-f --filter -j -F"), narrows=words("-f"), empties=words("-c --count")
    ),
    "rake": ToolOptions(values=words("-f -I -R -r"), empties=words("-n -T -P -D -W -h -V")),
    "prove": ToolOptions(
        values=words("-I -P -M -e --exec --ext --harness --source -a --archive -j --state"),
        narrows=words("-I -P -M -e --exec --ext --harness --source --state"),
        empties=words("-D -h -H -V"),
        writes=words("-a --archive"),
    ),
    "dune": ToolOptions(writes=words("--auto-promote")),
    "pixi": ToolOptions(values=words("-e --environment"), narrows=words("-e --environment")),
    "hatch": ToolOptions(
        values=words("-e --env"), narrows=words("-e --env"), empties=words("-s --show")
    ),
    "zig": ToolOptions(
        values=words("--summary --build-file --test-filter"),
        narrows=words("--build-file --test-filter"),
    ),
    "composer": ToolOptions(),
}
