"""The word lists behind command reading: what only reads, what writes, what checks (EL-09, DL-03).

Data only. The modules that read them say how; `CommandRules` says which of them a rule set uses.
"""

from __future__ import annotations

from reasonix_runtime.evidence.word_lists import words

# EL-09: commands that only read, whatever stands after them.
READ_ONLY_PROGRAMS = words(
    "cat head tail less more ls find locate which whereis type grep egrep fgrep rg echo printf pwd"
    " cd whoami id uname hostname date printenv wc sort uniq cut tr stat file du df ps top htop"
    " diff cmp comm man info help true false test [ basename dirname realpath readlink"
    " get-childitem get-content get-item get-location get-process get-command get-nettcpconnection"
    " resolve-path select-string measure-object compare-object"
)

# EL-09: programs that only read when the second word is one of these.
READ_ONLY_SUBCOMMANDS = {
    "git": words(
        "log status diff show tag blame grep ls-files ls-tree rev-parse rev-list describe reflog"
        " shortlog whatchanged cherry cat-file for-each-ref name-rev"
    ),
    "go": words("vet doc list version env"),
    "npm": words("ls list view info outdated audit"),
    "cargo": words("check doc search"),
    "docker": words("ps images inspect logs stats info version"),
    "kubectl": words("get describe logs explain api-resources api-versions"),
    "node": words("-v --version"),
    "python": words("-v --version"),
    "python3": words("-v --version"),
}

# EL-08 rule 4: no table hit, and still no change.
NETWORK_PROBE = "test-netconnection"

# EL-09: programs that may stand inside, or around, a double-quoted `$(...)`.
SUBSTITUTION_PROGRAMS = words(
    "cat head tail ls grep egrep fgrep rg echo printf pwd whoami id uname hostname wc stat file du"
    " df cmp comm true false test [ basename dirname realpath readlink"
)

FIND_WRITES = words("-exec -execdir -delete -ok -okdir -fls -fprint -fprint0 -fprintf")
GO_ENV_WRITES = words("-w -u")
GIT_OUTPUT_SUBCOMMANDS = words("diff show log")
GIT_TAG_WRITES = words("-d --delete -a -s -f --force -m -F")
GIT_TAG_LISTS = words("-l --list")

# EL-10: an output redirect to one of these throws the output away.
NULL_DEVICES = words("/dev/null")
NULL_DEVICES_ANY_CASE = words("$null nul")
OUTPUT_OPERATORS = frozenset({">", ">>", ">|", "&>", "&>>"})
# Programs that pass on what they are handed, and keep it under each name that they are given.
KEEPING = words("tee tee-object")
# Programs that print what they are told, and nothing that is there already.
SAYING = words("echo printf yes write-output")

# DL-03: flags that take a check out of the table, for every program.
WRITING_FLAGS = words("--fix --write -w --update -u")
WRITING_OPTION_NAMES = words(
    "snapshot-update updatesnapshot junitxml junit-xml junitfile jsonfile coverprofile cpuprofile"
    " memprofile blockprofile mutexprofile testlogfile gocoverdir outputfile report-log"
    " xunit-output scratch-path build-path cache-path event-stream-output-path"
    " experimental-event-stream-output attachments-path experimental-attachments-path"
)

GO_TEST_WRITES = words(
    "c o trace artifacts testlogfile gocoverdir coverprofile cpuprofile memprofile blockprofile"
    " mutexprofile"
)
ALWAYS_CHECKS = words("pytest py.test gotestsum staticcheck golangci-lint")
TSC_OTHER_MODES = words(
    "--tsbuildinfofile --generatetrace --generatecpuprofile --init --help -h -? --all --version -v"
    " --showconfig --listfilesonly --nocheck --watch -w --build -b --clean"
)
PACKAGE_CHECKS = words("test check lint clippy")
SCRIPT_CHECKS = words("test check lint typecheck")
NPX_RUNNERS = words("vitest jest mocha ava eslint")
PRETTIER_CHECKS = words("--check -c --list-different")
NPX_WRITES = words(
    "--update -u --updatesnapshot --update-snapshots --output-file -o --cache-location --coverage"
)
NODE_TEST_WRITES = words(
    "--cpu-prof --heap-prof --heapsnapshot-near-heap-limit --heapsnapshot-signal"
    " --localstorage-file --perf-basic-prof --perf-basic-prof-only-functions --perf-prof --prof"
    " --redirect-warnings --report-on-fatalerror --report-on-signal --report-uncaught-exception"
    " --test-reporter-destination --test-rerun-failures --test-update-snapshots --tls-keylog"
    " --trace-events-enabled"
)
MAKE_CHECKS = words("test check lint verify ci")
SWIFT_OTHER_MODES = words("help h version list-tests l")
MAVEN_CHECKS = words("test check verify")

# Shells that take a command line as text.
SHELLS = words("bash sh zsh dash ksh")

# DL-02: interpreters that take a program on their command line, and the option they take it by.
INLINE_OPTIONS = {
    "node": words("-e --eval -p --print"),
    "bun": words("-e --eval -p --print"),
    "python": words("-c -e"),
    "python3": words("-c -e"),
    "ruby": words("-c -e"),
    "perl": words("-c -e"),
    "php": words("-r"),
}
