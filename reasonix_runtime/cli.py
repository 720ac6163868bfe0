"""`reasonix-runtime`: look at the tools of the reference host, run one of them, run an agent.

Exit codes: 0 done, 1 the tool answered with an error or the turn stopped incomplete, 2 wrong use or
a model that gave no usable answer, 3 nobody judged the end of the turn, 130 interrupted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from reasonix_runtime import interrupts
from reasonix_runtime.commands.host_options import (
    add_host_options,
    allowed_networks,
    open_connections,
    standard_input,
)
from reasonix_runtime.commands.run import add_run
from reasonix_runtime.console import complain, drop_output, prepare_output, system_failure
from reasonix_runtime.errors import ReasonixError, did_you_mean
from reasonix_runtime.usage import WRONG_USE, CommandParser, UsageError, current_folder
from reasonix_runtime.version_option import ShowVersion

if TYPE_CHECKING:
    from reasonix_runtime.contract.entry import ContractEntry
    from reasonix_runtime.tools.dispatch import CallResult

DONE, FAILED, INTERRUPTED = 0, 1, 130

CONTRACT_FORMAT = "reasonix-runtime/contract/1"
CALL_FORMAT = "reasonix-runtime/call/1"


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    prepare_output()
    try:
        if sys.stdout is None:
            raise UsageError("standard output is closed")
        options = _parser().parse_args(argv)
        interrupts.raise_from_now_on()
        code: int = options.run(options)
        sys.stdout.flush()
    except ReasonixError as error:
        return _refuse(str(error))
    except BrokenPipeError:
        # The reader of our output has seen enough.
        drop_output()
        return DONE
    except OSError as error:
        drop_output()
        return _refuse(system_failure(error))
    except KeyboardInterrupt:
        drop_output()
        _refuse("interrupted")
        return INTERRUPTED
    return code


def _refuse(message: str) -> int:
    complain(f"reasonix-runtime: {message}")
    return WRONG_USE


def _parser() -> argparse.ArgumentParser:
    parser = CommandParser(
        prog="reasonix-runtime",
        description="Look at the tools of the reference host, run one of them, run an agent.",
        epilog="Exit codes: 0 done, 1 the tool answered with an error or the turn stopped "
        "incomplete, 2 wrong use or a model that gave no usable answer, 3 nobody judged the end of "
        "the turn, 130 interrupted.",
    )
    parser.add_argument("--version", action=ShowVersion)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    _add_tools(commands)
    _add_call(commands)
    add_run(commands)
    return parser


def _add_tools(commands: Any) -> None:
    tools = commands.add_parser(
        "tools",
        help="list the tools",
        description="List the tools of the reference host with flag and description.",
    )
    tools.add_argument(
        "--surface", metavar="NAME", help="only those of a boot surface, such as core or planner"
    )
    tools.add_argument("--json", action="store_true", help="as contract JSON, with the schemas")
    tools.set_defaults(run=_tools)


def _add_call(commands: Any) -> None:
    call = commands.add_parser(
        "call",
        help="run one tool in the current folder",
        description="Run one tool in the current folder and print its result.",
    )
    call.add_argument("tool", metavar="TOOL", help="its name, as `tools` lists it")
    call.add_argument(
        "arguments",
        metavar="ARGS",
        nargs="?",
        default="",
        help="a JSON object; '-' reads it from standard input; nothing is {}",
    )
    call.add_argument("--json", action="store_true", help="with outcome and exit code, as JSON")
    add_host_options(call)
    call.set_defaults(run=_call)


def _tools(options: argparse.Namespace) -> int:
    from reasonix_runtime.tools.registry import default_registry

    # With what reviewing sub-agents have as well: their surface is one of those asked for.
    registry = default_registry(review=True)
    surfaces = registry.surfaces()
    wanted = _surface(options.surface or "registry", surfaces)
    if options.surface is not None:
        surfaces = {options.surface: wanted}
    entries = [entry for entry in registry.entries() if entry.name in wanted]
    if options.json:
        _print_contract(entries, surfaces)
        return DONE
    width = max(len(entry.name) for entry in entries)
    for entry in entries:
        flag = "read-only" if entry.read_only else "changes"
        print(f"{entry.name:<{width}}  {flag:<9}  {_first_sentence(entry.description)}")
    return DONE


def _surface(name: str, surfaces: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    if name not in surfaces:
        raise UsageError(f"unknown surface {name!r}{did_you_mean(name, surfaces)}")
    return surfaces[name]


def _print_contract(
    entries: Sequence[ContractEntry], surfaces: Mapping[str, tuple[str, ...]]
) -> None:
    document = {
        "schema": CONTRACT_FORMAT,
        "tools": [
            {
                "name": entry.name,
                "read_only": entry.read_only,
                "description": entry.description,
                "schema": json.loads(entry.schema),
            }
            for entry in entries
        ],
        "surfaces": {name: list(names) for name, names in surfaces.items()},
    }
    print(json.dumps(document, ensure_ascii=False, indent=2))


def _first_sentence(text: str) -> str:
    return text.split(". ", 1)[0].rstrip(".")


def _call(options: argparse.Namespace) -> int:
    from reasonix_runtime.capabilities.front_end import FrontEnd
    from reasonix_runtime.gates.policy import CONTRACT
    from reasonix_runtime.host.state import HostState
    from reasonix_runtime.tools.behaviours import built_in_behaviours
    from reasonix_runtime.tools.context import Context, ToolSettings
    from reasonix_runtime.tools.dispatch import Toolbox
    from reasonix_runtime.tools.registry import default_registry
    from reasonix_runtime.tools.support.arguments import read_arguments
    from reasonix_runtime.tools.support.jobs import Jobs
    from reasonix_runtime.tools.support.workspace import Workspace

    registry = default_registry()
    # Asked here as well, so that a wrong name or argument is told apart from a tool's own error.
    if options.tool not in registry:
        near = did_you_mean(options.tool, registry.names)
        hint = near or "; `reasonix-runtime tools` lists all"
        raise UsageError(f"unknown tool {options.tool!r}{hint}")
    entry = registry[options.tool].entry()
    raw = standard_input("the arguments") if options.arguments == "-" else options.arguments
    arguments = read_arguments(raw, entry)
    _tell_unread(arguments, entry)
    settings = ToolSettings(
        sandbox=options.sandbox,
        allowed_networks=allowed_networks(options),
    )
    jobs, state = Jobs(), HostState(CONTRACT)
    connections = open_connections(options.servers)
    try:
        context = Context(workspace=Workspace(current_folder()), jobs=jobs, settings=settings)
        works = registry.select(built_in_behaviours())
        door = FrontEnd(registry=works, state=state, connections=connections)
        box = Toolbox(context, state=state, registry=registry, door=door)
        result = box.call(options.tool, arguments)
    finally:
        connections.close()
        jobs.close()
    _show(result, as_json=options.json)
    if result.outcome == "running":
        print(
            "reasonix-runtime: the job was ended with this command; jobs need a host that goes on",
            file=sys.stderr,
        )
    return DONE if result.ok else FAILED


def _tell_unread(arguments: Mapping[str, Any], entry: ContractEntry) -> None:
    """Say of keys that the schema does not name that nothing reads them.

    Schemas without `additionalProperties` let them pass, and a misspelt key with them.
    """
    known = entry.parameters()["properties"]
    for name in arguments:
        if name not in known:
            near = did_you_mean(name, known)
            complain(f"reasonix-runtime: {entry.name} does not read the key {name!r}{near}")


def _show(result: CallResult, *, as_json: bool) -> None:
    if as_json:
        document = {
            "schema": CALL_FORMAT,
            "tool": result.name,
            "outcome": result.outcome,
            "exit_code": result.exit_code,
            "text": result.text,
        }
        print(json.dumps(document, ensure_ascii=False, indent=2))
        return
    # The text as the model sees it; a shell prompt needs a line end behind it.
    sys.stdout.write(result.text)
    if result.text and not result.text.endswith("\n"):
        sys.stdout.write("\n")


if __name__ == "__main__":
    sys.exit(main())
