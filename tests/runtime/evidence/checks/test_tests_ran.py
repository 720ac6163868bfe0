"""What the output of a check says of how many tests ran."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.tests_ran import ran_nothing, says_nothing_ran

_LOG = "src/app/module.py compiled\n" * 20
"""Lines that say nothing of tests, more than the sum of a run takes."""


@pytest.mark.parametrize(
    "output",
    [
        "No tests found, exiting with code 0",
        "No test files found, exiting with code 0",
        "no tests ran in 0.01s",
        "=========== 5 deselected in 0.02s ===========",
        "==== 3 skipped, 2 deselected, 1 warning in 0.01s ====",
        "?   \texample.com/a\t[no test files]",
        "testing: warning: no tests to run\nPASS\nok  \ta\t0.1s [no tests to run]",
        "running 0 tests\n\ntest result: ok. 0 passed; 0 failed; 0 ignored; 12 filtered out",
        "running 5 tests\ntest a ... ignored\n\ntest result: ok. 0 passed; 0 failed; 5 ignored",
        "No tests were found!!!",
        "Ran 0 tests in 0.000s\n\nOK",
        "NO TESTS RAN",
        "  0 passing (1ms)",
        "No examples found.\n\n0 examples, 0 failures",
        "No tests executed!",
        "There are no tests to run",
        "0 tests, 0 failures",
        "[INFO] No tests to run.",
        "[INFO] Tests are skipped.\n[INFO] BUILD SUCCESS",
        "Inspecting 0 files\n\n0 files inspected, no offenses detected",
        "Checked 0 files in 2ms. No fixes applied.",
        "No source files found.\n0 errors, 0 warnings, 0 informations",
        "12:00:00.000 [main] WARN com.pinterest - No files matched [**/*.kt]",
        "No Python files are present to be formatted. Nothing to do",
        "Found 0 warnings and 0 errors.\nFinished in 2ms on 0 files with 90 rules.",
        "Done linting! Found 0 violations, 0 serious in 0 files.",
        "0 chart(s) linted, 0 chart(s) failed",
        "Tests run: 0, Failures: 0, Errors: 0, Skipped: 0",
        "> Task :test NO-SOURCE\nBUILD SUCCESSFUL in 1s",
        "No test is available in /x/bin/Tests.dll.",
        "No test matches the given testcase filter `x`",
        "# tests 0\n# pass 0",
        "# Subtest: a.js\n    ok 1 - x # SKIP\n    1..1\nok 1 - a.js\n1..1\n# pass 0",
        "    ok 1 - x # SKIP\n    ok 2 - y # SKIP\n    1..2\n    # skip: 2\nok 1 - t.js # time=5ms",
        "\N{CHECK MARK} s (1ms)\n\N{INFORMATION SOURCE} tests 1\n\N{INFORMATION SOURCE} pass 0",
        "Suites:   1 passed, 1 of 1 completed\nAsserts:  0 passed, 0 failed, 3 skip, of 3",
        "/w/a.ts\n  0:0  warning  File ignored because of a matching ignore pattern.\n\n"
        "1 problem (0 errors, 1 warning)",
        "> Task :detekt NO-SOURCE\n\nBUILD SUCCESSFUL in 1s",
        "> Task :app:checkstyleMain NO-SOURCE\n\nBUILD SUCCESSFUL in 1s",
        "1..0",
        'No projects matched the filters in "/w"',
        "make: 'test' is up to date.",
        "make: Nothing to be done for 'test'.",
        'task: Task "test" is up to date',
        'task: Task "unit" is up to date\ntask: Task "test" is up to date\n',
        "12:00:01  Nothing to do. Try checking your model configs and model specification args",
        "Done. PASS=0 WARN=0 ERROR=0 SKIP=4 TOTAL=4",
        "ruff.......(no files to check)Skipped\nmypy.......(no files to check)Skipped",
        " 0 pass\n 0 fail\nRan 0 tests across 0 files.",
        "Executed 0 tests, with 0 failures",
        "Tests:       5 skipped, 5 total",
        "      Tests  5 skipped (5)",
        "No tasks were executed as part of this run.",
        "0 runs, 0 assertions, 0 failures, 0 errors",
        "=== RUN   TestSlow\n--- SKIP: TestSlow (0.00s)\nPASS\nok  \ta\t0.01s",
        "> Task :test SKIPPED\n\nBUILD SUCCESSFUL in 1s",
        "> Task :compileTestJava NO-SOURCE\n> Task :a:test NO-SOURCE",
        "No suitable tests defined.",
        "Up to date\nNo test suites enabled.",
        "  4 skipped",
        " Tasks:    0 successful, 0 total\nCached:    0 cached, 0 total",
        'None of the selected packages has a "test" script',
        "ok | 0 passed | 0 failed | 4 ignored (3ms)",
        "  py311: SKIP (0.00 seconds)\n  congratulations :) (0.01 seconds)",
        "1..2\nok 1 a # skip\nok 2 b # SKIP no network",
        "0 successes / 0 failures / 0 errors / 3 pending : 0.0 seconds",
        "lerna success run Ran npm script 'test' in 0 packages in 0.0s:",
        "lerna success run No packages found with the lifecycle script 'test'",
        " NX   No projects with target test were run",
        'No projects found in "/x"',
        "Error: no test specified",
        "No tests defined.",
        "Files=1, Tests=0,  0 wallclock secs\nResult: NOTESTS",
        "Ok:                 0   \nFail:               0   \nSkipped:            3   ",
        "collected 12 items / 12 deselected / 0 selected",
        "[ FAIL 0 | WARN 0 | SKIP 3 | PASS 0 ]",
        "Executed 0 of 3 (skipped 3) SUCCESS",
        "Success: no issues found in 0 source files",
        "All checks passed!\nwarning: No Python files found under the given path(s)",
        "Ran 3 tests in 0.000s\n\nOK (skipped=3)",
        "3 runs, 0 assertions, 0 failures, 0 errors, 3 skips",
        'error: regex "x" matched 0 tests. Searched 1 file (skipping 3 tests)',
        "nox > Running session tests\nnox > Session tests skipped: missing interpreter.",
        "nox > Ran multiple sessions:\nnox > * tests: skipped\nnox > * lint: skipped",
        "TEST RUN PASSED\n\nDuration: 100 ms\nPassed:   0\nFailed:   0\n",
        "  (Results)\n  \N{BOX DRAWINGS LIGHT VERTICAL} Tests:        0",
    ],
)
def test_a_runner_says_that_it_ran_nothing(output: str) -> None:
    """It ended well, and its status tells of no test."""
    assert says_nothing_ran(output)


@pytest.mark.parametrize(
    ("output", "nothing"),
    [
        ("No tests found, exiting with code 0", True),
        ("Executed 0 out of 12 tests", True),
        ("Tests run: 0, Failures: 0, Errors: 0", True),
        ("NO TESTS RAN", True),
        ("12 tests, 0 failures, 12 excluded", True),
        ("TEST RUN PASSED\n\nDuration: 100 ms\n\nPassed:   0\nFailed:   0", True),
        (" 0 pass\n 3 skip\n\n 0 fail\nRan 3 tests across 1 file. [9.00ms]", True),
        ("Total tests: 3\n     Skipped: 3", True),
        ("Tests:       3 todo, 3 total", True),
        ("3 scenarios (3 undefined)", True),
        ("Tests: 3, Assertions: 0, Incomplete: 3.", True),
        ("Tests run:  0, Failures:  0", True),
        ("# tests 0", True),
        ("Done. PASS=0 WARN=0 ERROR=0", True),
        ("Test Run Passed\n\nDuration: 100 ms\nPassed: 0\nFailed: 0", True),
        ("Ok:                 0   \nFail:               0   ", True),
        (f"Total tests: 3\n{_LOG}     Skipped: 3", False),
        ("10 passed, 1 skipped in 0.1s", False),
    ],
)
def test_what_a_run_sums_up_is_found_in_a_long_log(output: str, *, nothing: bool) -> None:
    """Of a long output only what stands near a hint is searched, and nothing is put together."""
    assert nothing is says_nothing_ran(f"{_LOG}{output}\n{_LOG}")


@pytest.mark.parametrize(
    "output",
    [
        "",
        "all good",
        "100% tests passed, 0 tests failed out of 9",
        "> web@1.0.0 test\n> node run.js\n\nall good",
        "5 passed in 0.1s",
        "    ok 1 - x\n    ok 2 - y # SKIP\n    1..2\nok 1 - t.js\n1..1",
        "1..2\nok 1 - x\nok 2 - y # SKIP",
        "# tests 3\n# pass 3\n\n# tests 1\n# pass 0\n# skipped 1",
        "Suites:   1 passed, 1 of 1 completed\nAsserts:  2 passed, 0 failed, 3 skip, of 5",
        "/w/a.ts\n  0:0  warning  File ignored because of a matching ignore pattern.\n/w/b.ts\n"
        "  1:1  warning  Unexpected any\n\n2 problems (0 errors, 2 warnings)",
        "> Task :a:detekt NO-SOURCE\n> Task :b:detekt\n\nBUILD SUCCESSFUL in 1s",
        "> Task :checkstyleMain\n> Task :checkstyleTest NO-SOURCE\nBUILD SUCCESSFUL in 1s",
        "No files found in /tmp/a, as it should be\n5 passed in 0.1s",
        "[INFO] Tests are skipped.\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0",
        "5 passed, 3 skipped, 2 deselected in 0.1s",
        "2 problems (0 errors, 2 warnings)\n\n1 skipped",
        "ok  \ta\t0.1s\n?   \tb\t[no test files]",
        "?   \tb\t[no test files]\nok  \ta\t(cached)",
        "running 3 tests\ntest result: ok. 3 passed\n\nrunning 0 tests\n\nok. 0 passed",
        "No tests found in packages/a\nTests:       5 passed, 5 total",
        "Ran 3 tests in 0.1s\n\nOK",
        "12 passing (3s)\n 0 failing",
        "OK (5 tests, 9 assertions)",
        "3 examples, 0 failures",
        "Tests run: 5, Failures: 0",
        "# tests 4\n# pass 4",
        "5 tests, 0 failures, 10 tests left",
        "All checks passed!",
        "Success: no issues found in 10 source files",
        "make[1]: Nothing to be done for 'all'.\nPASS: a\n# PASS: 1",
        "Passed!  - Failed:     0, Passed:     5, Skipped:     0",
        "PASS src/a.test.ts",
        "10 tests run: 10 passed, 0 skipped",
        "0 passed so far\n\N{CHECK MARK} adds",
        "=== RUN   A\n--- SKIP: A (0.00s)\n=== RUN   B\n--- PASS: B (0.00s)\nok  \ta\t0.01s",
        "=== RUN   A\n=== RUN   A/b\n    --- SKIP: A/b (0.0s)\n--- PASS: A (0.0s)\nok  \ta\t0.1s",
        "> Task :processResources NO-SOURCE\n> Task :test\n\nBUILD SUCCESSFUL in 1s",
        "> Task :processResources NO-SOURCE\n\nBUILD SUCCESSFUL in 1s",
        "> Task :a:test NO-SOURCE\n> Task :b:integrationTest UP-TO-DATE",
        "  9 passed (12s)\n  4 skipped",
        " Tasks:    4 successful, 4 total\nCached:    0 cached, 4 total",
        "ok | 12 passed | 0 failed | 4 ignored (3ms)",
        "  py310: SKIP (0.00 seconds)\n  py311: OK (0.3 seconds)\n  congratulations :)",
        "1..2\nok 1 a # skip\nok 2 b",
        "12 successes / 0 failures / 0 errors / 0 pending : 0.0 seconds",
        "lerna success run Ran npm script 'test' in 10 packages in 2.0s:",
        "Ok:                 3   \nSkipped:            3   ",
        "Ok:                 10  \nFail:               0   ",
        "[ FAIL 0 | WARN 0 | SKIP 3 | PASS 10 ]",
        "Executed 0 of 3 SUCCESS\nExecuted 3 of 3 SUCCESS",
        "collected 12 items / 2 deselected / 10 selected",
        "Ran 3 tests in 0.000s\n\nOK (skipped=2)",
        "3 runs, 2 assertions, 0 failures, 0 errors, 1 skips",
        "Error: no test specified\n 3 passing (4ms)",
        "nox > Session tests-3.9 skipped.\nnox > Session tests-3.12 was successful.",
        "TEST RUN PASSED\n\nDuration: 100 ms\nPassed:   4\nFailed:   0\n",
        'task: Task "build" is up to date\ntask: [test] ctest\n100% tests passed',
        "Done. PASS=3 WARN=0 ERROR=0 SKIP=4 TOTAL=7",
        "ruff.......Passed\nmypy.......(no files to check)Skipped",
    ],
)
def test_a_runner_that_ran_something_or_says_nothing_counts(output: str) -> None:
    """Some packages of a workspace have no tests, and many programs are quiet."""
    assert not says_nothing_ran(output)


@pytest.mark.parametrize(
    ("output", "nothing"),
    [
        ("All tests have been excluded.\n\n12 tests, 0 failures, 12 excluded", True),
        ("12 tests, 0 failures, 12 skipped", True),
        ("12 tests, 0 failures, 2 excluded", False),
        ("1 test, 0 failures, 11 excluded", False),
        ("12 examples, 0 failures, 12 pending", True),
        ("112 examples, 0 failures, 12 pending", False),
        ("Tests run: 2, Failures: 0, Errors: 0, Skipped: 2", True),
        ("Tests run: 2, Failures: 0, Errors: 0, Skipped: 1", False),
        (
            "Tests run: 2, Failures: 0, Errors: 0, Skipped: 2\n"
            "Tests run: 5, Failures: 0, Errors: 0, Skipped: 0",
            False,
        ),
        ("Tests: 12, Assertions: 0, Skipped: 12.", True),
        ("Executed 3 tests, with 3 tests skipped and 0 failures", True),
        ("Executed 3 tests, with 2 tests skipped and 0 failures", False),
        ("Skipped! - Failed:     0, Passed:     0, Skipped:     4, Total:     4", True),
        ("Passed!  - Failed:     0, Passed:     3, Skipped:     1, Total:     4", False),
        ("xxx [100%]\n3 xfailed in 0.03s", True),
        ("sx [100%]\n1 skipped, 1 xfailed in 0.03s", True),
        (
            " \u2193 src/a.test.ts (3 tests | 3 skipped)\n"
            "\n"
            " Test Files  1 skipped (1)\n"
            "      Tests  3 skipped (3)\n"
            "   Duration 200ms",
            True,
        ),
        (
            "\ufe63 a (0.5ms) # SKIP\n"
            "\u2139 tests 1\n"
            "\u2139 suites 0\n"
            "\u2139 pass 0\n"
            "\u2139 fail 0\n"
            "\u2139 cancelled 0\n"
            "\u2139 skipped 1\n"
            "\u2139 todo 0\n"
            "\u2139 duration_ms 40",
            True,
        ),
        (
            "    Starting 0 tests across 1 binary (3 tests skipped)\n"
            "------------\n"
            "     Summary [   0.000s] 0 tests run: 0 passed, 3 skipped",
            True,
        ),
        (
            "Test Run Successful.\nTotal tests: 3\n     Skipped: 3\n Total time: 0.5 Seconds",
            True,
        ),
        (
            "OK, but incomplete, skipped, or risky tests!\nTests: 3, Assertions: 0, Incomplete: 3.",
            True,
        ),
        (
            "\u25c7 Test run started.\n"
            "\u279c Test a() skipped.\n"
            "\u2714 Test run with 0 tests passed after 0.001 seconds.",
            True,
        ),
        (
            "Test project /b\n"
            "    Start 1: a\n"
            "1/1 Test #1: a ......***Skipped   0.00 sec\n"
            "\n"
            "100% tests passed, 0 tests failed out of 1\n"
            "\n"
            "Total Test time (real) =   0.01 sec\n"
            "\n"
            "The following tests did not run:\n"
            "\t  1 - a (Skipped)",
            True,
        ),
        (
            "  (Results)\n"
            "  \u2502 Tests:        3  \u2502\n"
            "  \u2502 Passing:      0  \u2502\n"
            "  \u2502 Failing:      0 \u2502\n"
            "  \u2502 Pending:      3  \u2502\n"
            "  \u2502 Skipped:      0 \u2502",
            True,
        ),
        (
            "bun test v1.1\n"
            "\n"
            "a.test.ts:\n"
            "\xbb adds\n"
            "\xbb removes\n"
            "\n"
            " 0 pass\n"
            " 2 skip\n"
            " 0 fail\n"
            "Ran 2 tests across 1 file. [10.00ms]",
            True,
        ),
        ("00:01 +0 ~2: All tests skipped.", True),
        (
            "[==========] Running 2 tests from 1 test suite.\n"
            "[ RUN      ] A.a\n"
            "a.cc:3: Skipped\n"
            "[  SKIPPED ] A.a (0 ms)\n"
            "[ RUN      ] A.b\n"
            "[  SKIPPED ] A.b (0 ms)\n"
            "[==========] 2 tests from 1 test suite ran. (0 ms total)\n"
            "[  PASSED  ] 0 tests.\n"
            "[  SKIPPED ] 2 tests, listed below:",
            True,
        ),
        (
            "[==========] 0 tests from 0 test suites ran. (0 ms total)\n"
            "[  PASSED  ] 0 tests.\n"
            "\n"
            "  YOU HAVE 2 DISABLED TESTS",
            True,
        ),
        (
            "===============================================================================\n"
            "test cases: 2 | 2 skipped\n"
            "assertions: - none -",
            True,
        ),
        ("3 scenarios (3 skipped)\n9 steps (9 skipped)\n0m00.01s", True),
        ("1 scenario (1 pending)\n3 steps (3 pending)", True),
        ("A :: x  | SKIP |\n1 test, 0 passed, 0 failed, 1 skipped", True),
        ("Tests completed in 100ms\nTests Passed: 0, Failed: 0, Skipped: 5 NotRun: 0", True),
        ("Ran 2 tests in 0.001s\n\nOK (expected failures=2)", True),
        ("SS\nRan 2 tests in 0.01s\nOK (SKIP=2)", True),
        ("  2 tests skipped", True),
        ("[info] Passed: Total 0, Failed 0, Errors 0, Passed 0, Ignored 2", True),
        (
            "Ran 0 of 3 Specs in 0.000 seconds\n"
            "SUCCESS! -- 0 Passed | 0 Failed | 0 Pending | 3 Skipped\n"
            "PASS",
            True,
        ),
        ("\u2205  x\n\u21b7  x (1 skipped)\n\nDONE 2 tests, 2 skipped in 0.3s", True),
        ("//a:t  SKIPPED\n\nExecuted 0 out of 1 test: 1 was skipped.", True),
        ("> Task :test\n3 tests completed, 3 skipped\nBUILD SUCCESSFUL in 1s", True),
        ("Tests:       11 skipped, 1 passed, 12 total", False),
        (
            "1/2 Test #1: a ...   Passed 0.1 sec\n"
            "2/2 Test #2: b ......***Skipped   0.00 sec\n"
            "100% tests passed, 0 tests failed out of 2\n"
            "The following tests did not run:\n"
            "\t  2 - b (Skipped)",
            False,
        ),
        (
            "[==========] Running 2 tests\n"
            "[       OK ] A.a\n"
            "[  PASSED  ] 1 test.\n"
            "[  SKIPPED ] 1 test",
            False,
        ),
        (" 1 pass\n 2 skip\n 0 fail\nRan 3 tests across 1 file.", False),
        ("# tests 2\n# pass 1\n# fail 0\n# skipped 1", False),
        ("3 scenarios (2 passed, 1 skipped)", False),
        ("test cases: 3 | 2 passed | 1 skipped\nassertions: 4 | 4 passed", False),
        ("\u2713  x (2ms)\nDONE 4 tests, 2 skipped in 0.3s", False),
        ("Ran 3 tests in 0.001s\n\nOK (skipped=2)", False),
        ("1 passed, 2 xfailed in 0.1s", False),
        (
            "  \u2502 Tests:        3  \u2502\n"
            "  \u2502 Passing:      2  \u2502\n"
            "  \u2502 Pending:      1  \u2502",
            False,
        ),
        ("00:01 +2 ~2: All tests passed!", False),
        ("3 tests completed, 2 skipped\n> Task :test\nBUILD SUCCESSFUL in 1s", False),
    ],
)
def test_tests_that_were_all_left_out_did_not_run(output: str, *, nothing: bool) -> None:
    """A runner counts them all the same."""
    assert nothing is says_nothing_ran(output)


@pytest.mark.parametrize(
    ("output", "nothing"),
    [
        ("ERROR: file or directory not found: tests/x.py\n\nno tests ran in 0.01s", True),
        ("No tests found, exiting with code 1", True),
        ("FAIL\ta [build failed]\n?   \tb\t[no test files]", False),
        ("ImportError: no module x\n\nno tests ran in 0.01s", False),
        ('npm error Missing script: "test"\nnpm error\nnpm error To see a list, run: x', True),
        ("npm ERR! code ENOENT\nnpm ERR! enoent ENOENT: x, open '/x/package.json'", True),
        ('> a@1.0.0 test\n> echo "Error: no test specified" && exit 1', True),
        ('error Couldn\'t find a package.json file in "/x"', True),
        ('error Command "test" not found.\ninfo Visit https://yarnpkg.com/', True),
        ("go: go.mod file not found in current directory or any parent directory", True),
        ("pattern ./...: directory prefix . does not contain main module", True),
        ("error: could not find `Cargo.toml` in `/x` or any parent directory", True),
        ("[ERROR] There is no POM in this directory (/x). -> [Help 1]\n[ERROR] see", True),
        ("make: *** No rule to make target 'test'.  Stop.", True),
        ("make: *** No rule to make target 'a.o', needed by 'test'.  Stop.", False),
        ("MSBUILD : error MSB1003: Specify a project or solution file.", True),
        ('npm error Missing script: "test"\n\n> b@1 test\n> jest\n\n1 failed, 3 passed', False),
    ],
)
def test_a_run_that_failed_without_a_test_found_none(output: str, *, nothing: bool) -> None:
    """A path that is not there says nothing of the work; a build that failed does."""
    assert nothing is says_nothing_ran(output, failed=True)


@pytest.mark.parametrize(
    ("output", "nothing"),
    [
        ("Tests:       12 passed, 12 total", False),
        ("Tests run: 5, Failures: 0", False),
        ("> web@1.0.0 test\n> node run.js", False),
        ("$ jest\nDone in 0.4s.", False),
        ("> web@1.0.0 test\n> jest\n\nNo tests found, exiting with code 0", True),
        ("", True),
        ("Done in 0.4s.", True),
        ("it costs > 5 $ ", True),
    ],
)
def test_a_lenient_check_has_to_tell_of_tests(output: str, *, nothing: bool) -> None:
    """Its status says the same where there is none; that of another one does not."""
    assert nothing is ran_nothing(output, lenient=True)
    assert says_nothing_ran(output) is ran_nothing(output, lenient=False)


def test_a_lenient_check_that_failed_ran_something() -> None:
    """It would have passed without."""
    assert not ran_nothing("Error: x", lenient=True, failed=True)
    assert ran_nothing("No tests found, exiting with code 1", lenient=True, failed=True)


@pytest.mark.parametrize(
    ("output", "idle"),
    [
        ("All checks passed!", False),
        ("Success: no issues found in 3 source files", False),
        ("All done!\n3 files would be left unchanged.", False),
        ("2 files already formatted", False),
        ("All matched files use Prettier code style!", False),
        ("12 files inspected, no offenses detected", False),
        ("0 errors, 0 warnings, 0 informations", False),
        ("0 errors, 12 warnings", False),
        ("13 files already formatted", False),
        ("1 file would be left unchanged", False),
        ("checked 1 source file", False),
        ("Checked 15 files in 3ms. No fixes applied.", False),
        ("Your code has been rated at 10.00/10", False),
        ("", True),
        ("no files to check", True),
        ("0 files already formatted", True),
    ],
)
def test_a_linter_that_may_have_been_handed_nothing_has_to_say_what_it_read(
    output: str, *, idle: bool
) -> None:
    """`xargs -r` runs nothing where nothing was found, and ends well."""
    assert idle is ran_nothing(output, lenient=True)
    assert not ran_nothing(output, lenient=False)


@pytest.mark.parametrize(
    ("output", "nothing"),
    [
        ("> a@1.0.0 test\n> true\n", True),
        ("\n> a@1.0.0 test\n> exit 0\n\n", True),
        ('> a@1.0.0 test\n> echo "5 passed"\n\n5 passed', True),
        ("> @a/b@1.0.0 test /w/b\n> echo ok; exit 0\n\nok", True),
        ("> test\n> :", True),
        ('> a@1 test\n> node -e "process.exit(0)"\n', True),
        ("> a@1 test\n> node -e \"console.log('5 passed')\"\n\n5 passed", True),
        ('> a@1 test\n> python -c "import sys; sys.exit(0)"\n', True),
        ('> a@1 test\n> deno eval "console.log(1)"\n\n1', True),
        ('$ ruby -e "puts 1, 2"\n1\n2', True),
        ('> a@1 test\n> python -c "import shop"\n', False),
        ("> a@1 test\n> node -e \"require('./test.js')\"\n", False),
        ('> a@1 test\n> node -e "process.exit(run())"\n', False),
        # with two ways to read a blank these take for ever
        (f'> a@1 test\n> node -e "0{" ; " * 2000}run()"\n', False),
        (f'> a@1 test\n> node -e "{" " * 20000}run()"\n', False),
        ('> a@1 test\n> node -e "console.log(1)" && jest\n\n1', False),
        ('> a@1 test\n> python -c "import sys\n', False),
        ("yarn run v1.22.19\n$ echo ok\nok\nDone in 0.1s.", True),
        ("packages/a test$ echo ok\npackages/a test: ok\npackages/a test: Done", True),
        ("> a@1 test\n> npm run unit\n\n\n> a@1 unit\n> true", True),
        ("> a@1 test\n> jest || true", True),
        ("> a@1 test\n> jest; exit 0\n", True),
        ("> a@1 test\n> jest || true\n\nTests:       5 passed, 5 total", False),
        ("> a@1 test\n> echo start && jest\n\nstart", False),
        ("> a@1 test\n> npm run unit\n\n\n> a@1 unit\n> jest", False),
        ("> a@1 lint\n> true\n\n\n> a@1 test\n> node run.js", False),
        ("> a@1 test\n> true\n\n5 passed in 0.1s", False),
        ("$ tsc --noEmit; jest\n", False),
        ("> a@1 test\n> if [ -d x ]", False),
        ("$ (", False),
    ],
)
def test_a_script_that_is_told_and_does_nothing_tests_nothing(
    output: str, *, nothing: bool
) -> None:
    """Managers of packages print what they run; what a script says itself is no result."""
    assert nothing is ran_nothing(output, lenient=False)


@pytest.mark.parametrize(
    ("output", "contradicts"),
    [
        ("=== 1 failed, 4 passed in 0.1s ===", True),
        ("1 failed, 4 passed in 0.10s", True),
        ("2 errors in 0.10s", True),
        ("Tests:       1 failed, 4 passed, 5 total", True),
        ("      Tests  1 failed | 4 passed (5)", True),
        ("test result: FAILED. 4 passed; 1 failed; 0 ignored", True),
        ("Ran 5 tests in 0.1s\n\nFAILED (failures=1)", True),
        ("  4 passing (3ms)\n  1 failing", True),
        ("ok  \ta\t0.1s\nFAIL\tb\t0.1s\nFAIL", True),
        ("5 examples, 1 failure", True),
        ("[INFO] BUILD FAILURE", True),
        ("80% tests passed, 1 tests failed out of 5", True),
        ("Failed!  - Failed:     1, Passed:     4, Skipped:     0", True),
        (" 4 pass\n 1 fail\nRan 5 tests across 1 file.", True),
        ("# tests 5\n# pass 4\n# fail 1", True),
        ("1 failed, 4 passed in 0.1s\n5 passed in 0.1s", False),
        ("Tests:       1 failed, 5 total\nTests:       5 passed, 5 total", False),
        ("4 passed, 1 xfailed in 0.1s", False),
        ("100% tests passed, 0 tests failed out of 5", False),
        ("test result: ok. 5 passed; 0 failed; 0 ignored", False),
        ("5 examples, 0 failures", False),
        ("logs: 1 failed job was retried", False),
    ],
)
def test_a_run_that_passed_and_ends_with_failures_tells_nothing(
    output: str, *, contradicts: bool
) -> None:
    """Its status is another's."""
    assert contradicts is ran_nothing(output, lenient=False)
    assert not ran_nothing(output, lenient=False, failed=True)


@pytest.mark.parametrize("failed", [True, False])
@pytest.mark.parametrize("lenient", [True, False])
def test_who_passed_and_tells_of_failures_in_the_end_threw_the_status_away(
    lenient: bool, failed: bool
) -> None:
    """One that failed has said so."""
    output = "3 passed in 0.1s\n1 failed, 2 passed in 0.1s"

    assert ran_nothing(output, lenient=lenient, failed=failed) is not failed


@pytest.mark.parametrize(
    "told",
    [
        "1 problem (0 errors, 1 warning)",
        "100% tests passed, 0 tests failed out of 1",
        f"TEST RUN PASSED\nDuration:{' ' * 300_000}x",
    ],
    ids=["eslint", "ctest", "vstest"],
)
def test_empty_lines_are_read_once(told: str) -> None:
    """Blanks that may run over the end of a line are tried from each of many lines."""
    assert not says_nothing_ran("\n" * 300_000 + f"did not run, File ignored\n{told}")
