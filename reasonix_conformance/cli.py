"""`reasonix-conformance`: the kit as commands.

Only the module of the command that is asked for is imported. Exit codes: 0 all good, 1 something
failed its check, 2 wrong use or unreadable input, 3 nothing could be assessed.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from reasonix_conformance.exit_codes import FAILED, INTERRUPTED, NOTHING_ASSESSED, WRONG_USE
from reasonix_runtime import interrupts
from reasonix_runtime.usage import CommandParser, RawHelp, current_folder
from reasonix_runtime.version_option import ShowVersion

COMMANDS: Mapping[str, str] = MappingProxyType(
    {
        "replay": "recompute every host decision of recorded traces",
        "verdicts": "recompute recorded verdicts of a host and tell how many agree",
        "contract": "show, check, lint or compare what a host tells a model",
        "docs": "build or check the contract documents",
        "rules": "explain a rule or a reason code",
    }
)
"""The commands and what they are for; each is a module of `commands/`."""

EXAMPLES = """\
examples:
  reasonix-conformance replay session.jsonl
  reasonix-conformance verdicts recorded.jsonl --rules classic
  reasonix-conformance contract check --subject tools.json --document docs/TOOL_CONTRACT.md
  reasonix-conformance docs check
  reasonix-conformance rules verification.command_not_run

exit codes: 0 all good, 1 something failed its check, 2 wrong use or unreadable input,
3 nothing could be assessed, 130 interrupted"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; `argv` defaults to the process's own arguments."""
    from reasonix_conformance.errors import ConformanceError, NothingToAssessError
    from reasonix_runtime.console import (
        complain,
        drop_output,
        prepare_output,
        system_failure,
    )
    from reasonix_runtime.errors import ReasonixError

    prepare_output()
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        if sys.stdout is None:
            raise ConformanceError("standard output is closed")
        args = _parser(arguments).parse_args(arguments)
        interrupts.raise_from_now_on()
        current_folder()  # that it is gone would be told as a result that cannot be written
        # Processes that share the work would outlive this one, and what it writes stay half done.
        with interrupts.also_by_the_system():
            code = args.run(args)
        sys.stdout.flush()
    except NothingToAssessError as error:
        complain(f"reasonix-conformance: {error}")
        return NOTHING_ASSESSED
    except (ConformanceError, ReasonixError) as error:
        complain(f"reasonix-conformance: {error}")
        return WRONG_USE
    except BrokenPipeError:
        # The reader has gone (`| head`); nothing that is written now can be read.
        drop_output()
        return FAILED
    except OSError as error:
        drop_output()
        complain(f"reasonix-conformance: {system_failure(error)}")
        return WRONG_USE
    except KeyboardInterrupt:
        return INTERRUPTED
    return int(code)


def _parser(arguments: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser that knows the command asked for in full, and of the others their purpose."""
    parser = CommandParser(
        prog="reasonix-conformance",
        description="Check a coding-agent host's tool contract and its evidence gates.",
        epilog=EXAMPLES,
        formatter_class=RawHelp,
    )
    parser.add_argument("--version", action=ShowVersion)
    subparsers = parser.add_subparsers(metavar="COMMAND", required=True)
    asked = next((word for word in arguments if not word.startswith("-")), None)
    for name, purpose in COMMANDS.items():
        if name == asked:
            importlib.import_module(f"reasonix_conformance.commands.{name}").add_parser(subparsers)
        else:
            subparsers.add_parser(name, help=purpose)
    return parser
