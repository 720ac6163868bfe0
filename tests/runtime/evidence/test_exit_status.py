"""Whose exit status it is."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.exit_status import proven
from reasonix_runtime.evidence.shell import parse


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("pytest", ["pytest"]),
        ("cd x && pytest", ["cd x", "pytest"]),
        ("rm -r build; make", ["make"]),
        ("pytest || true", []),
        ("pytest && echo ok || echo failed", []),
        ("pytest || exit 1; echo ok", ["pytest", "echo ok"]),
        ("pytest || { echo failed; exit 1; }", ["pytest"]),
        ("pytest || exit 0; echo ok", []),
        ("test -d x || exit; pytest", ["test -d x", "pytest"]),
        ("pytest | tee log", ["tee log"]),
        ("set -o pipefail; pytest | tee log", ["pytest", "tee log"]),
        ("set -o pipefail && a 2>&1 | b", ["set -o pipefail", "a 2>&1", "b"]),
        ("a && b 2>&1 | c", ["a", "c"]),
        ("pytest | tail; exit ${PIPESTATUS[0]}", ["pytest"]),
        ('pytest | tail; exit "${PIPESTATUS[0]}"', ["pytest"]),
        ("pytest | tail; ls; exit ${PIPESTATUS[0]}", []),
        ("pytest | tail; exit ${PIPESTATUS[1]}", []),
        ("set -o pipefail; set +o pipefail; pytest | tee log", ["tee log"]),
        ("set -e; pytest; echo done", ["set -e", "pytest", "echo done"]),
        ("set -euo pipefail; a | b; c", ["set -euo pipefail", "a", "b", "c"]),
        ("set -e; a && b; c", ["set -e", "c"]),
        ("set -e; set +e; a; b", ["set -e", "b"]),
        ("pytest; echo rc=$?", ["echo rc=$?"]),
        ("pytest; exit $?", ["pytest"]),
        ("pytest; rc=$?; echo $rc; exit $rc", ["pytest"]),
        ('pytest; rc=$?; ls; exit "$rc"', ["pytest"]),
        ("pytest; rc=$?; rc=0; exit $rc", []),
        ("pytest; exit 0", []),
        ("exit 0; pytest", []),
        ("false && pytest || true", ["true"]),
        ("false || pytest", ["pytest"]),
        ("a && exit 0; pytest", []),
        ("if a; then exit 0; fi; pytest", []),
        ("if a; then exit 1; fi; pytest", ["pytest"]),
        ("if pytest; then echo ok; fi", []),
        ("for i in 1 2; do pytest; done", []),
        ("pytest &", []),
        ("pytest & wait", ["wait"]),
        ("(cd a && pytest)", ["cd a", "pytest"]),
        ("(pytest; true)", ["true"]),
        ("(exit 0); pytest", ["pytest"]),
        ("{ exit 0; }; pytest", []),
        ("{ pytest; } && echo ok", ["pytest", "echo ok"]),
        ("(set -e; a; b)", ["set -e", "a", "b"]),
        ("(set -e); a; b", ["b"]),
        ("time pytest", ["time pytest"]),
        ("exec pytest; echo never", ["exec pytest"]),
        ("trap 'exit 0' EXIT; pytest", []),
        ("! a | b", ["b"]),
    ],
)
def test_only_what_must_have_succeeded_is_proven(command: str, expected: list[str]) -> None:
    """A call has one exit status; what it does not speak for is unknown, and unknown is no pass."""
    script = parse(command)

    assert expected == [script.segments[index].text for index in sorted(proven(script))]
