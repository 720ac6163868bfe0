"""A turn that is filled call by call and then asked to judge; for the tests of the step gates."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from reasonix_runtime.evidence.latest import Doubt
from reasonix_runtime.evidence.ledger import Ledger
from reasonix_runtime.evidence.receipts import receipt_of
from reasonix_runtime.evidence.session import SessionHistory, history_of
from reasonix_runtime.evidence.tasks import Task
from reasonix_runtime.gates import review
from reasonix_runtime.gates.policy import CONTRACT, Policy
from reasonix_runtime.gates.steps import complete_step, todo_write
from reasonix_runtime.gates.verdict import Verdict
from reasonix_runtime.trace.events import UNTOLD


class StepTurn:
    """One turn under a rule set."""

    def __init__(self, policy: Policy = CONTRACT, *, tasks: Sequence[Task] = ()) -> None:
        self.policy = policy
        self.tasks = tasks
        self.ledger = Ledger(policy.ledger)
        self.history: SessionHistory = history_of(policy.ledger)

    def call(self, tool: str, *, outcome: str = "ok", output: str = "x", **args: Any) -> StepTurn:
        exit_code = args.pop("exit_code", None)
        receipt = receipt_of(
            tool,
            args,
            rules=self.policy.ledger,
            outcome=outcome,
            output=output,
            exit_code=exit_code,
            tasks=self.ledger.todos or (),
        )
        self.ledger.record(receipt)
        if receipt.mutation and outcome in UNTOLD:
            self.ledger.doubt(Doubt(tool, receipt.command or args["path"], self.ledger.end))
        return self

    def run(self, command: str, **more: Any) -> StepTurn:
        return self.call("bash", command=command, **more)

    def edit(self, path: str, **more: Any) -> StepTurn:
        return self.call("edit_file", path=path, **more)

    def read(self, path: str, **more: Any) -> StepTurn:
        return self.call("read_file", path=path, **more)

    def sign(self, *evidence: Mapping[str, Any], closed_loop: bool = False, **args: Any) -> Verdict:
        """Judge a sign-off; the arguments are good unless given otherwise."""
        given = {"step": "Step", "result": "done", "evidence": list(evidence), **args}
        return self.judge_step(given, closed_loop=closed_loop)

    def judge_step(self, args: Any, **more: Any) -> Verdict:
        context = complete_step.StepContext(
            policy=self.policy,
            ledger=self.ledger,
            history=self.history,
            tasks=self.tasks,
            doubted=None if self.ledger is None else self.ledger.doubted,
            **more,
        )
        return complete_step.judge(args, context)

    def write(self, *todos: Mapping[str, Any], **more: Any) -> Verdict:
        """Judge a new list."""
        context = todo_write.TodoContext(
            policy=self.policy, ledger=self.ledger, tasks=self.tasks, **more
        )
        return todo_write.judge({"todos": list(todos)}, context)

    def report(self, paths: Iterable[str], **more: Any) -> Verdict:
        """Judge a report on these paths."""
        args = {"kind": "review", "verdict": "pass", "reviewed_paths": list(paths), **more}
        return review.judge(args, ledger=self.ledger, policy=self.policy)


def verified(command: str) -> dict[str, Any]:
    """Return evidence of kind verification."""
    return {"kind": "verification", "summary": "s", "command": command}


def changed(*paths: str) -> dict[str, Any]:
    """Return evidence of kind diff."""
    return {"kind": "diff", "summary": "s", "paths": list(paths)}


def touched(*paths: str) -> dict[str, Any]:
    """Return evidence of kind files."""
    return {"kind": "files", "summary": "s", "paths": list(paths)}


MANUAL = {"kind": "manual", "summary": "looked"}
