"""`reasonix-runtime run`: one turn of an agent in a workspace, held to the gates."""

from __future__ import annotations

import argparse
import os
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reasonix_runtime import interrupts
from reasonix_runtime.commands.host_options import (
    add_host_options,
    allowed_networks,
    open_connections,
    standard_input,
)
from reasonix_runtime.usage import WRONG_USE, UsageError, current_folder, of_option

if TYPE_CHECKING:
    from reasonix_runtime.agents.model import Model
    from reasonix_runtime.agents.session import AgentSession, RunSettings
    from reasonix_runtime.commands.run_goal import Errand

ACCEPTED, INCOMPLETE, FAILED, UNJUDGED = 0, 1, WRONG_USE, 3

PROFILES = ("ordinary", "delivery")
PRESETS = ("light", "balanced", "delivery")


def add_run(commands: Any) -> None:
    """Add the command and its options."""
    run = commands.add_parser(
        "run",
        help="let an agent work in a folder",
        description="Let a model work in a folder with the tools of the reference host, and hold "
        "the end of its turn to the gates. Its answer goes to standard output, what it does to "
        "standard error.",
        epilog="Exit codes: 0 the turn was let end, or the goal was reached, 1 it stopped "
        "incomplete, 2 wrong use or a model that gave no usable answer, 3 the rule set has no gate "
        "at the end of a turn, 130 interrupted.",
    )
    run.add_argument(
        "text",
        metavar="TEXT",
        help="what to do; '-' reads it from standard input, '/goal TEXT' gives a goal that is "
        "worked on turn after turn",
    )
    run.add_argument("--workspace", metavar="DIR", help="where it works (default: current folder)")
    _add_model(run.add_argument_group("who answers"))
    _add_rules(run.add_argument_group("what it is held to"))
    run.add_argument(
        "--record", metavar="FILE", help="write the run to a new file that `replay` judges again"
    )
    run.add_argument(
        "--skills",
        metavar="DIR",
        help="a folder with skills (NAME/SKILL.md or NAME.md) that the agent may use",
    )
    run.add_argument(
        "--goal-file",
        metavar="FILE",
        help="keep the goal in this file, and go on with the one that is in it",
    )
    add_host_options(run)
    run.set_defaults(run=run_agent)


def _add_model(group: Any) -> None:
    group.add_argument("--model", metavar="NAME", help="model of the provider")
    group.add_argument(
        "--url",
        help="endpoint of a provider that speaks Chat Completions "
        "(default: https://api.openai.com/v1)",
    )
    group.add_argument(
        "--key-variable",
        metavar="NAME",
        help="environment variable with the key (default: OPENAI_API_KEY, and none with --url)",
    )
    group.add_argument(
        "--script", metavar="FILE", help="answers from a YAML or JSON file, in place of a provider"
    )


def _add_rules(group: Any) -> None:
    group.add_argument(
        "--rules",
        metavar="NAME",
        default="contract",
        help="rule set: contract, classic, facts or ungated (default: %(default)s)",
    )
    group.add_argument(
        "--profile", choices=PROFILES, default="ordinary", help="default: %(default)s"
    )
    group.add_argument(
        "--preset",
        choices=PRESETS,
        default="balanced",
        help="what completion asks of a change (default: %(default)s)",
    )
    group.add_argument(
        "--max-steps",
        metavar="N",
        type=_count,
        default=50,
        help="most responses of the model in a turn (default: %(default)s)",
    )


def _count(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text) > 0):
        raise argparse.ArgumentTypeError(f"{text!r} is no number from 1 on")
    return int(text)


def run_agent(options: argparse.Namespace) -> int:
    """Take the turn and return the exit code; raises UsageError before anything has run."""
    from reasonix_runtime.commands.run_goal import (
        WITHOUT_A_RUN,
        errand_of,
        goal_command,
        kept_apart,
        open_store,
        tend,
    )
    from reasonix_runtime.gates.policy import rule_set

    text = standard_input("the text").decode("utf-8", "replace") if options.text == "-" else None
    text = options.text if text is None else text
    if not text.strip():
        raise UsageError("the text is empty; say what is to be done")
    command, policy = goal_command(text), rule_set(options.rules)
    with kept_apart(options.goal_file, command):
        store = open_store(options.goal_file, policy, command)
        if command is not None and command.action in WITHOUT_A_RUN and store is not None:
            tend(command.action, store)
            return ACCEPTED
        errand = errand_of(text, command, store, policy.goal)
        return _take(options, _model(options), errand)


def _take(options: argparse.Namespace, model: Model, errand: Errand) -> int:
    """Take the turns and return the exit code."""
    from reasonix_runtime.agents.turn import Ending
    from reasonix_runtime.commands.run_goal import standing
    from reasonix_runtime.commands.run_output import print_end, print_turn, tell
    from reasonix_runtime.gates.goal.state import GoalStatus

    with ExitStack() as cleanup:
        cleanup.enter_context(interrupts.also_by_the_system())
        session = _session(options, model, errand, cleanup)
        pursuit = errand.begin(session)
        for result in pursuit.turns(errand.text):
            if pursuit.next_prompt is not None:
                print_turn(result, standing(pursuit.goal))
        unfinished, goal = session.unfinished, pursuit.goal
    print_end(result, standing(goal) if goal.scope else "")
    if unfinished:
        tell(f"ended with the run: {', '.join(unfinished)}")
    for problem in errand.problems:
        tell(problem)
    if options.record:
        tell(f"recorded in {options.record}")
    if result.goal is not None:
        return ACCEPTED if goal.status is GoalStatus.COMPLETE else INCOMPLETE
    codes = {
        Ending.ACCEPTED: ACCEPTED,
        Ending.INCOMPLETE: INCOMPLETE,
        Ending.FAILED: FAILED,
        Ending.UNJUDGED: UNJUDGED,
    }
    return codes[result.ending]


def _model(options: argparse.Namespace) -> Model:
    """Return who answers; raises UsageError where the options do not say it in one way."""
    from reasonix_runtime.agents.chat_completions import (
        DEFAULT_KEY_VARIABLE,
        DEFAULT_URL,
        ChatCompletions,
        ChatSettings,
    )
    from reasonix_runtime.agents.script import ScriptedModel, load_script
    from reasonix_runtime.commands.run_output import tell

    if options.script is not None:
        if options.url or options.key_variable:
            raise UsageError("--script asks no provider; leave --url and --key-variable out")
        with of_option("--script", expected="a YAML file with `answers` (docs/runs.md)"):
            script = load_script(Path(options.script))
        return ScriptedModel(script, name=options.model or f"script:{options.script}")
    if options.model is None:
        raise UsageError("nobody answers: name a model with --model, or a file with --script")
    # A key goes to the provider that it is of: to another one only when it is named.
    variable = options.key_variable or (None if options.url else DEFAULT_KEY_VARIABLE)
    settings = ChatSettings(
        model=options.model, url=options.url or DEFAULT_URL, key_variable=variable
    )
    return ChatCompletions(settings, environment=os.environ, tell=tell)


def _session(
    options: argparse.Namespace, model: Model, errand: Errand, cleanup: ExitStack
) -> AgentSession:
    """Open a session in the workspace; the record is made when all else is known to be right."""
    from reasonix_runtime.agents.journal import Record
    from reasonix_runtime.agents.session import AgentSession
    from reasonix_runtime.commands.run_output import print_event
    from reasonix_runtime.sessions.hold import lock_of
    from reasonix_runtime.tools.support.jobs import Jobs
    from reasonix_runtime.tools.support.workspace import Workspace

    settings = _settings(options, errand)
    folder = Path(options.workspace) if options.workspace else current_folder()
    if not folder.is_dir():
        raise UsageError(f"--workspace {folder} is no folder")
    own = [file for file in (options.record, options.goal_file) if file]
    own += [str(lock_of(Path(options.goal_file)))] if options.goal_file else []
    workspace = Workspace(folder, guarded=own)
    connections = open_connections(options.servers)
    cleanup.callback(connections.close)
    listeners = [print_event]
    if options.record:
        with of_option("--record"):
            record = Record(Path(options.record))
        cleanup.callback(record.close)
        listeners.append(record.take)
    jobs = Jobs()
    cleanup.callback(jobs.close)
    session = AgentSession(
        model,
        workspace,
        settings,
        sid=f"run-{os.urandom(6).hex()}",
        clock=lambda: datetime.now(UTC),
        jobs=jobs,
        connections=connections,
        # What is not on record cannot be read later, so its children are not kept either.
        child_ids=(lambda: os.urandom(6).hex()) if options.record else None,
        listeners=listeners,
    )
    cleanup.callback(session.close)
    return session


def _settings(options: argparse.Namespace, errand: Errand) -> RunSettings:
    from reasonix_runtime.agents.session import RunSettings
    from reasonix_runtime.agents.skills import read_skills
    from reasonix_runtime.agents.turn import Limits
    from reasonix_runtime.gates.policy import rule_set
    from reasonix_runtime.tools.context import ToolSettings
    from reasonix_runtime.tools.support.environment import EnvironmentPolicy

    # Whatever the variable is called, no command of the agent sees the key.
    hidden = frozenset({options.key_variable} - {None})
    with of_option("--skills"):
        skills = read_skills(Path(options.skills)) if options.skills else {}
    return RunSettings(
        policy=rule_set(options.rules),
        profile=options.profile,
        preset=options.preset,
        tasks=errand.tasks,
        skills=skills,
        limits=Limits(steps=options.max_steps),
        tools=ToolSettings(
            sandbox=options.sandbox,
            allowed_networks=allowed_networks(options),
            environment=EnvironmentPolicy(credentials=hidden),
        ),
    )
