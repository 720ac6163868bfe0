"""PowerShell and cmd: separators, quotes, and what they join."""

from __future__ import annotations

import pytest

from reasonix_runtime.evidence.shell.exit_status import proven
from reasonix_runtime.evidence.shell.script import Dialect, Problem, parse
from reasonix_runtime.evidence.shell.windows import dialect_of

POWERSHELL, CMD = Dialect.POWERSHELL, Dialect.CMD
GUARD = "if ($LASTEXITCODE -ne 0) { throw 'x' }"


@pytest.mark.parametrize(
    ("dialect", "command", "segments", "operators"),
    [
        (POWERSHELL, "pytest -q; ls", [("pytest", "-q"), ("ls",)], (";",)),
        (POWERSHELL, "a && b || c | d", [("a",), ("b",), ("c",), ("d",)], ("&&", "||", "|")),
        (POWERSHELL, "echo 'a;b' \"c|d\"", [("echo", "a;b", "c|d")], ()),
        (POWERSHELL, "echo 'it''s' \"a\"\"b\"", [("echo", "it's", 'a"b')], ()),
        (POWERSHELL, "echo `$x a`;b", [("echo", "$x", "a;b")], ()),
        (POWERSHELL, "& '.\\run me.ps1' -Fast", [(".\\run me.ps1", "-Fast")], ()),
        (POWERSHELL, "ls # a; b\npwd", [("ls",), ("pwd",)], ("\n",)),
        (POWERSHELL, "Get-Content a.txt > out.txt", [("Get-Content", "a.txt")], ()),
        (
            POWERSHELL,
            "pytest; if ($LASTEXITCODE -ne 0) { exit $LASTEXITCODE }; ls",
            [("pytest",), ("exit", "1"), ("ls",)],
            ("||", ";"),
        ),
        (
            POWERSHELL,
            "pytest\nif (-not $?) {\n  throw 'tests failed'\n}",
            [("pytest",), ("exit", "1")],
            ("||",),
        ),
        (CMD, "dir & echo done", [("dir",), ("echo", "done")], ("&",)),
        (CMD, 'cd "a b" && pytest', [("cd", "a b"), ("pytest",)], ("&&",)),
        (CMD, "echo a^&b", [("echo", "a&b")], ()),
        (CMD, "echo 'a & b'", [("echo", "'a"), ("b'",)], ("&",)),
        (CMD, "pytest 2>&1 | findstr x", [("pytest",), ("findstr", "x")], ("|",)),
    ],
)
def test_commands_are_split_by_the_rules_of_their_shell(
    dialect: Dialect,
    command: str,
    segments: list[tuple[str, ...]],
    operators: tuple[str, ...],
) -> None:
    """Read with the quotes of another shell, a separator in a text would start a command."""
    script = parse(command, dialect)

    assert (None, operators) == (script.problem, script.operators)
    assert segments == [segment.values for segment in script.segments]


@pytest.mark.parametrize(
    ("dialect", "command", "problem"),
    [
        (POWERSHELL, "if ($x) { pytest }", Problem.GROUP),
        (POWERSHELL, "pytest; if ($LASTEXITCODE -ne 0) { exit 0 }", Problem.GROUP),
        (POWERSHELL, "pytest; if ($LASTEXITCODE -ne 1) { exit 1 }", Problem.GROUP),
        (POWERSHELL, f"try {{ pytest; {GUARD} }} catch {{ Write-Host x }}", Problem.GROUP),
        (POWERSHELL, f"try {{ pytest; {GUARD}; ruff check }} catch {{ }}", Problem.GROUP),
        (POWERSHELL, "try { Get-Item x -EA Stop; pytest } catch { }", Problem.GROUP),
        (POWERSHELL, "try { throw 'x'; pytest } catch { }", Problem.GROUP),
        (POWERSHELL, "foreach", Problem.CONTROL),
        (POWERSHELL, "ls |", Problem.SYNTAX),
        (POWERSHELL, "ls &&", Problem.SYNTAX),
        (CMD, "dir ||", Problem.SYNTAX),
        (POWERSHELL, "ls 'a", Problem.SYNTAX),
        (POWERSHELL, "&& ls", Problem.SYNTAX),
        (CMD, "(dir & echo x)", Problem.GROUP),
        (CMD, "for %i in (1 2) do dir", Problem.GROUP),
        (CMD, "dir >", Problem.SYNTAX),
    ],
)
def test_what_is_not_a_plain_list_is_said_so(
    dialect: Dialect, command: str, problem: Problem
) -> None:
    """What a small reader does not read proves nothing."""
    assert problem is parse(command, dialect).problem


@pytest.mark.parametrize(
    ("dialect", "command", "assigned"),
    [
        (POWERSHELL, "$env:CI='1'; pytest", ("CI", "1")),
        (POWERSHELL, "$env:CI = '1'; pytest", ("CI", "1")),
        (POWERSHELL, "$env:CI =; pytest", ("CI", "")),
        (POWERSHELL, "$env:OUT = pytest", ("OUT", None)),
        (POWERSHELL, "$x=[Text.Encoding]::UTF8; pytest", ("x", None)),
        (
            POWERSHELL,
            "[Console]::OutputEncoding=[Text.Encoding]::UTF8; pytest",
            ("[Console]::OutputEncoding", None),
        ),
        (CMD, "set CI=1&& pytest", ("CI", "1")),
    ],
)
def test_setting_a_variable_is_no_command(
    dialect: Dialect, command: str, assigned: tuple[str, str | None]
) -> None:
    """It prepares the command behind it, as an assignment does in Bash."""
    first, second = parse(command, dialect).segments

    assert [assigned] == [(a.name, a.word.value) for a in first.assignments]
    assert ((), ("pytest",)) == (first.values, second.values)


@pytest.mark.parametrize(
    ("dialect", "command"),
    [
        (POWERSHELL, "echo $name"),
        (POWERSHELL, 'echo "a $(ls)"'),
        (CMD, "echo %PATH%"),
    ],
)
def test_a_word_that_expands_has_no_value(dialect: Dialect, command: str) -> None:
    """What is only known at run time is never compared as if it were known."""
    assert None is parse(command, dialect).segments[0].words[-1].value


@pytest.mark.parametrize(
    ("command", "dialect"),
    [
        ("pytest -q", Dialect.BASH),
        ("$env:CI='1'; pytest", POWERSHELL),
        ("Get-ChildItem -Recurse", POWERSHELL),
        ("ls; if ($LASTEXITCODE) { exit 1 }", POWERSHELL),
        ("set CI=1&& pytest", CMD),
        ("echo %PATH%", CMD),
        ("try { pytest } finally { rm x }", POWERSHELL),
        ("[Console]::OutputEncoding=[Text.Encoding]::UTF8;\npytest", POWERSHELL),
        ("[[ -n $x ]] && echo a::b", Dialect.BASH),
        (".\\venv\\Scripts\\python.exe -m pytest", POWERSHELL),
        ("cd app; ..\\tools\\run.cmd", POWERSHELL),
        ("C:\\tools\\pytest.exe -q", POWERSHELL),
        ("grep a\\b.exe file", Dialect.BASH),
        ("date +%Y%m%d", Dialect.BASH),
        ("printf '%s%s' a b", Dialect.BASH),
        ("add-apt-repository x", Dialect.BASH),
        ("write-good README.md", Dialect.BASH),
        ("set -e; pytest", Dialect.BASH),
    ],
)
def test_the_shell_of_a_command_shows_in_its_text(command: str, dialect: Dialect) -> None:
    """Traces name the tool, not the shell behind it; without a sign it is Bash."""
    assert dialect is dialect_of(command)


CMDLETS = """
Get-Item Set-Content New-Item Remove-Item Select-String Test-Path Invoke-Pester Out-File
Add-Content Copy-Item Move-Item Write-Host Start-Process Where-Object ForEach-Object
Measure-Command Compare-Object Resolve-Path Import-Csv Export-Csv ConvertTo-Json
ConvertFrom-Json Sort-Object Group-Object Format-Table Tee-Object Join-Path Split-Path
Push-Location Pop-Location Rename-Item Clear-Content Stop-Process Expand-Archive
Compress-Archive
"""


@pytest.mark.parametrize("cmdlet", CMDLETS.split())
def test_a_cmdlet_shows_powershell_where_a_command_begins(cmdlet: str) -> None:
    """As an operand it is a word like any other."""
    assert POWERSHELL is dialect_of(f"ls; {cmdlet} src")
    assert Dialect.BASH is dialect_of(f"grep -rn {cmdlet} src")


@pytest.mark.parametrize(
    ("dialect", "command", "expected"),
    [
        (POWERSHELL, "pytest", ["pytest"]),
        (POWERSHELL, "pytest &", []),
        (POWERSHELL, "ruff check; pytest", ["pytest"]),
        (POWERSHELL, "ruff check && pytest", ["ruff check", "pytest"]),
        (POWERSHELL, "ruff check\npytest | findstr x", ["findstr x"]),
        (POWERSHELL, "pytest; Pop-Location; exit $LASTEXITCODE", ["pytest"]),
        (POWERSHELL, "pytest; ruff check; Pop-Location; exit $LASTEXITCODE", ["ruff check"]),
        (POWERSHELL, "pytest; $rc = $LASTEXITCODE; ruff check; exit $rc", ["pytest"]),
        (POWERSHELL, "pytest; Pop-Location; exit $?", ["Pop-Location"]),
        (POWERSHELL, "pytest; ruff | Out-Null; exit $LASTEXITCODE", ["ruff"]),
        (POWERSHELL, "pytest | Tee-Object -Append a; exit $LASTEXITCODE", ["pytest"]),
        (POWERSHELL, "pytest | Select-Object -Last 5; exit $LASTEXITCODE", ["pytest"]),
        (POWERSHELL, "pytest | Select-Object -First 5; exit $LASTEXITCODE", []),
        (POWERSHELL, "pytest | ForEach-Object { ruff }; exit $LASTEXITCODE", []),
        (POWERSHELL, "pytest | findstr x; exit $LASTEXITCODE", []),
        (POWERSHELL, "$ErrorActionPreference='Stop'; pytest; exit $LASTEXITCODE", ["pytest"]),
        (POWERSHELL, "pytest; $rc=$LASTEXITCODE; ruff check; exit $rc", ["pytest"]),
        (POWERSHELL, "pytest; $LASTEXITCODE=0; exit $LASTEXITCODE", ["$LASTEXITCODE=0"]),
        (
            POWERSHELL,
            "pytest; $global:LASTEXITCODE = 0; exit $LASTEXITCODE",
            ["$global:LASTEXITCODE = 0"],
        ),
        (POWERSHELL, "pytest | Out-String | Write-Host; exit $LASTEXITCODE", ["pytest"]),
        (CMD, "@echo off\n@pytest -q", ["@pytest -q"]),
        (CMD, "pytest || exit /b 1", ["pytest"]),
        (CMD, "pytest & exit /b 0", []),
        (CMD, "pytest\nif errorlevel 1 exit /b 1\nver", ["pytest", "ver"]),
        (CMD, "pytest & if errorlevel 1 exit 1 & ver", ["pytest", "ver"]),
        (CMD, "pytest\nif %ERRORLEVEL% neq 0 exit /b %ERRORLEVEL%\nver", ["pytest", "ver"]),
        (CMD, "pytest\nif not %errorlevel%==0 (exit /b 1)", ["pytest"]),
        (CMD, "pytest & if %errorlevel% neq 0 exit /b 1", ["if %errorlevel% neq 0 exit /b 1"]),
        (CMD, "pytest\nif errorlevel 1 exit /b 0", ["if errorlevel 1 exit /b 0"]),
        (CMD, "pytest\nif errorlevel 2 exit /b 1", ["if errorlevel 2 exit /b 1"]),
        (POWERSHELL, "pytest; $a = 'x'; exit $LASTEXITCODE", ["pytest"]),
        (POWERSHELL, "pytest; $a = ruff check; exit $LASTEXITCODE", ["$a =", "ruff check"]),
        (
            POWERSHELL,
            "$a = pytest -q 2>&1; $rc = $LASTEXITCODE; $a; exit $rc",
            ["$a =", "pytest -q 2>&1"],
        ),
        (POWERSHELL, "pytest; $rc = $LASTEXITCODE; $rc = ruff check; exit $rc", []),
        (POWERSHELL, "ls || $a = pytest; exit $LASTEXITCODE", []),
        (
            POWERSHELL,
            "pytest; if ($LASTEXITCODE -ne 0) { Write-Error 'x'; exit 1 }; ls",
            ["pytest", "ls"],
        ),
        (CMD, "pytest\nexit /b %ERRORLEVEL%", ["pytest"]),
        (CMD, "pytest\nver\nexit /b %errorlevel%", ["ver"]),
        (CMD, "pytest & exit /b %errorlevel%", []),
        (POWERSHELL, 'pytest; Write-Host "$(ruff)"; exit $LASTEXITCODE', ['Write-Host "$(ruff)"']),
        (POWERSHELL, "pytest; Invoke-Expression $x; exit $LASTEXITCODE", ["Invoke-Expression $x"]),
        (POWERSHELL, "try { pytest } finally { Pop-Location }", ["Pop-Location"]),
        (POWERSHELL, "try { pytest } finally { Pop-Location }; exit $LASTEXITCODE", ["pytest"]),
        (POWERSHELL, "try {\n pytest\n} catch {\n Write-Host x\n exit 1\n}", ["pytest"]),
        (POWERSHELL, "try { pytest } catch { throw 'x' } finally { }", ["pytest"]),
        (
            POWERSHELL,
            "try { pytest } catch { Write-Host x; Write-Error y; exit 1 }",
            ["pytest"],
        ),
        (POWERSHELL, "try { pytest } catch { Write-Host x }", ["Write-Host x"]),
        (POWERSHELL, f"try {{ pytest; {GUARD} }} catch {{ throw 'x' }}", ["pytest"]),
        (POWERSHELL, f"try {{ pytest; {GUARD} }} finally {{ }}; exit $LASTEXITCODE", ["pytest"]),
        (CMD, "ruff check & pytest", ["pytest"]),
        (CMD, "ruff check && pytest", ["ruff check", "pytest"]),
        (CMD, "ruff check || pytest", []),
    ],
)
def test_the_status_is_that_of_the_last_statement(
    dialect: Dialect, command: str, expected: list[str]
) -> None:
    """What was only listed in front of it may have failed (MASK-1)."""
    script = parse(command, dialect)

    assert sorted(expected) == sorted(script.segments[index].text for index in proven(script))
