"""What the names that a project gave to its scripts say."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.checks.names import (
    names_check,
    names_generator,
    names_server,
    names_variant_check,
)


@pytest.mark.parametrize(
    "name",
    [
        *("verify", "check", "validate", "ci", "vet", "test", "lint", "e2e"),
        *("verify:types", "check:ts", "check-format", "check_all", "validate-schema", "verify-web"),
        *(
            "check-py312",
            "check:i18n",
            "ci:test",
            "ci-lint",
            "type-check",
            "spell-check",
            "vet-all",
        ),
        *("test:payment", "test-payments", "test:email", "api-test", "web:test", "lint:all"),
    ],
)
def test_a_name_of_a_check_is_one(name: str) -> None:
    """Tests are of anything; to check and to verify is done to what a project has."""
    assert names_check(name)


@pytest.mark.parametrize(
    "name",
    [
        *("verify-payment", "verify:order", "check-balance", "check:inventory", "validate-invoice"),
        *("verify-email", "check-updates", "check-health", "health-check", "balance-check"),
        *("ci-info", "test-email", "test-connection", "test_webhook", "connection-test"),
    ],
)
def test_what_an_application_does_is_no_check(name: str) -> None:
    """It verifies a payment, checks a balance, and sends an email to try it."""
    assert not names_check(name)


@pytest.mark.parametrize("name", ["apiCheck", "spotlessCheck", "connectedCheck", "lintDebug"])
def test_tasks_of_gradle_name_checks(name: str) -> None:
    """Their words stand together."""
    assert names_variant_check(name)


@pytest.mark.parametrize(
    ("name", "serves"),
    [
        ("dev", True),
        ("start:api", True),
        ("serve", True),
        ("dev:seed", False),
        ("start:test", False),
        ("startup", False),
        ("build", False),
    ],
)
def test_a_name_may_say_that_something_is_served(name: str, *, serves: bool) -> None:
    """And nothing else is done."""
    assert serves is names_server(name)


@pytest.mark.parametrize(
    ("name", "generates"),
    [
        *[
            (name, True)
            for name in ("generate", "codegen", "gen:api", "proto-gen", "generate-mocks")
        ],
        *[
            (name, False)
            for name in ("generate:keys", "generate-migration", "db:generate", "types")
        ],
        *[(name, False) for name in ("gen.sh", "test", "generate:deploy")],
    ],
)
def test_what_writes_code_anew_is_called_so(name: str, *, generates: bool) -> None:
    """What else is generated, keys or migrations, is more than the work says."""
    assert generates is names_generator(name)
