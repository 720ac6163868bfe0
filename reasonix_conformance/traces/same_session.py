"""The output of a run beside the session files of the same agent: one session, judged once.

Who records a run and keeps what the program wrote by itself has two traces of one session. The file
tells more: the prompts, the folder, what sub-agents did. One that tells no call where the output
does, or has lost sub-agents that it tells, is not whole and hides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.readers.detection.detect import detect
from reasonix_conformance.readers.files.recording import Recording
from reasonix_conformance.readers.model_apis.requests import records_of
from reasonix_conformance.traces.sub_agents_told import untold

SESSION_NAME = re.compile(
    r"(?:rollout-.*-)?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl(?:\.gz|\.zst)?\Z"
)
"""The names of session files, with the id in them."""
_CALL = re.compile(rb'"(?:tool_use|\w+_call|\w+_execution|file_change)"')
"""What stands in a call of these programs, in their outputs and in their session files."""
_FILES = {"claude-stream": "claude-code", "codex-exec-stream": "codex"}
"""The outputs of runs, and what the session files of the same program are."""


class SessionFiles:
    """The session files among the files that were asked for."""

    def __init__(self, files: Iterable[Path]) -> None:
        named = ((SESSION_NAME.match(path.name), path) for path in files)
        self._by_id = {match[1]: path for match, path in named if match}

    def tell(self, path: Path) -> bool:
        """Whether a file is the output of runs whose sessions are all told by their own files."""
        if not self._by_id or SESSION_NAME.match(path.name):
            return False
        recording = Recording(path=path)
        try:
            kind = _FILES.get(detect(recording.head()) or "")
            if kind is None:
                return False
            files = [self._by_id.get(sid) for sid in _sessions_in(recording)]
            if not files or not all(file is not None and _is(file, kind) for file in files):
                return False
            told = [file for file in files if file is not None]
            if not _tells_calls(recording):
                return True
            lacking, _ = untold(path)
            whole = all(untold(file)[0] <= lacking for file in told)
            return whole and all(_tells_calls(Recording(path=file)) for file in told)
        except (OSError, ConformanceError):
            return False


def _tells_calls(recording: Recording) -> bool:
    """Whether a recording seems to tell what was done: one that was cut off early does not."""
    return any(_CALL.search(line) for lines in recording.blocks() for line in lines)


def _is(file: Path, kind: str) -> bool:
    return detect(Recording(path=file).head()) == kind


def _sessions_in(recording: Recording) -> Iterator[str]:
    """Yield the ids of the sessions in an output."""
    told: set[str] = set()
    for _, record in records_of(recording):
        if isinstance(record, dict):
            sid = record.get("session_id", record.get("thread_id"))
            if isinstance(sid, str) and sid not in told:
                told.add(sid)
                yield sid
