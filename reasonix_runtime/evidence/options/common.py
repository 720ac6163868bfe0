"""What options mean for a check whatever the program is: they narrow, skip, write, or do no harm.

Data only. Names without dashes, lower case.
"""

from __future__ import annotations

import re
from typing import Final

from reasonix_runtime.evidence.word_lists import words

NARROWING_NAMES: Final = words(
    "grep filter only select deselect exclude skip include match pattern run tag tags group"
    " groups exclude-group lf last-failed lastfailed sw stepwise failed-first changed since"
    " changed-since changedsince onlychanged only-changed onlyfailures only-failures"
    " findrelatedtests related affected shard short testnamepattern test-name-pattern"
    " testpathpattern testpathpatterns testpathignorepatterns selectprojects fgrep invert"
    " new new-from-rev new-from-patch fast disable disable-all enable-only tests config"
    " configuration rootdir project manifest-path features no-default-features all-features"
    " override-ini no-build target exact ignored testsuite no-config isolated rule"
    " no-eslintrc no-inline-config ignore-pattern ignore-path test_filter test_tag_filters"
    " build_tag_filters"
)
# Spelled so, with its value: vitest does not wait for changes.
NOT_NARROWING: Final = words("--run=")
NARROWING_BEGINNINGS: Final = ("ignore", "exclude", "skip", "disable", "allow", "extend-")
EMPTYING_NAMES: Final = words(
    "help version collect-only co collectonly fixtures fixtures-per-test markers setup-plan"
    " setup-only list listtests showconfig show-config print-config"
    " no-run norun dry-run dryrun just-print recon"
    " exit-zero no-fail suppress-tests-failed-exit-code ignore-errors"
    " notest listenvs listenvs-all show-only print-data-base watch watchall skiptests"
    " nobuild show-files show-settings env-info ignore-scripts"
    " question touch allow-empty-input pass-on-no-patterns fix-dry-run dry"
    " soft-fail inspect-config clearcache clear-cache ui no-run-tests"
    # only told what there is
    " graph rules errorlist projecthelp tasks make-whitelist long-help type-list profile-proto"
    " verify-config langserver dump show-codecov-path"
    # never fails
    " no-exit-code no-exit-on-warn no-exit-on-error mute-exit-status ignore-exit-status lenient"
    " allow-failure allow-failures ignore-failure ignore-failures nofail fail-none fail-never"
    " suppress-exit-code pass-on-failing-test-suite test-no-exec bisect"
)
# With these a run passes also where it finds no test, or no such script; with a value where told.
LENIENT_NAMES: Final = words(
    "passwithnotests pass-with-no-tests if-present suppress-no-test-exit-code allow-no-tests"
    " do-not-fail-on-empty-test-suite permit-no-files no-tests=pass no-tests=warn no-tests=ignore"
    " no-tests-action=ignore"
)
# Not with a bare `list`: `prettier --list-different` checks.
EMPTYING_BEGINNINGS: Final = ("list-", "dump-", "explain", "help-", "init-")
# An option that says when to fail, and values that say never.
FAILING: Final = re.compile(r"(?:fail|failure|exit|issues-exit|error-exit)(?:[-_]?code)?(?:-\w+)*")
NEVER: Final = words("0 none off never no")
WRITING_NAMES: Final = words(
    "fix fix-only fix-type unsafe-fixes write update update-snapshot update-snapshots"
    " updatesnapshot snapshot-update force-regen add-noqa install-types generate-baseline"
    " update-baseline set-baseline junitxml junit-xml junitfile jsonfile coverprofile cpuprofile"
    " memprofile blockprofile mutexprofile testlogfile gocoverdir outputfile output-file"
    " output report-log xunit-output scratch-path build-path cache-path"
    " event-stream-output-path experimental-event-stream-output attachments-path"
    " experimental-attachments-path log-junit log-file output-log report-file resultlog html"
    " coverage-html coverage-clover coverage-xml coverage-text log-teamcity testdox-html"
    " coveragedirectory coverage-directory save-profile trace-out coverage init suppress-all"
    " suppress-rule alter"
)
SCRATCH_FOLDERS: Final = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - compared with only
IN_SCRATCH_FOLDERS: Final = f"(?:{'|'.join(SCRATCH_FOLDERS)})"
# A log or a report beside the work, which nothing runs; to write it changes nothing of the work. It
# stands directly in a folder for such files: below it the work itself may stand.
SCRATCH_LOG: Final = re.compile(
    rf"{IN_SCRATCH_FOLDERS}/[\w-][\w.-]*\.(?:log|txt|out|err|diff|patch|tap|csv|xml|json)"
)
WRITING_BEGINNINGS: Final = (
    "update",
    "regen",
    "overwrite",
    "rewrite",
    "bless",
    "accept",
    "autocorrect",
    "auto-correct",
    "auto-gen",
    "auto-promote",
    "write-",
    "generate-",
    "migrate-",
)
# What changes nothing but the look, the speed or the strictness, whatever the program.
HARMLESS_NAMES: Final = words(
    "verbose quiet silent color colors no-color colour ansi no-ansi progress no-progress"
    " no-progress-bar summary durations stacktrace trace debug strict format formatter reporter"
    " output-format error-format message-format jobs parallel workers threads processes cores"
    " no-cache no-interaction nologo ci recursive fail-fast failfast bail timeout"
)
# With this every program tells how it is used, whatever else it is given.
ASKING_LETTER: Final = "-h"
# Options of one letter that write or watch for most programs; those that use them otherwise say so.
WRITING_LETTERS: Final = words("-w -u")
# `-w` and `-u` mean something harmless here.
OWN_LETTERS: Final = words(
    "npm pnpm yarn make just bazel mvn gradle cargo tox nox ctest go ninja cmake meson perlcritic"
    " ruby"
)
