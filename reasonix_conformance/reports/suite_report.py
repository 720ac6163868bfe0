"""The report of a suite run: one record an item, as JSON.

The form is `reasonix-conformance/suite/1`: `items` in the order of their ids, each with `id`,
`kind`, `name`, `outcome`, the requirements that passed and the findings of the others; `summary`
counts the outcomes. The order does not depend on workers.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reasonix_conformance.errors import ConformanceError
from reasonix_conformance.snapshots import write_whole

SCHEMA = "reasonix-conformance/suite/1"


def write(path: Path, records: Sequence[dict[str, Any]]) -> None:
    """Write the report.

    Raises:
        ConformanceError: the file cannot be written.
    """
    items = sorted(records, key=lambda record: str(record["id"]))
    outcomes = Counter(str(record["outcome"]) for record in items)
    report = {"schema": SCHEMA, "items": items, "summary": dict(sorted(outcomes.items()))}
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, (json.dumps(report, ensure_ascii=False, indent=2) + "\n").encode())
    except OSError as error:
        raise ConformanceError(f"report {path}: cannot be written: {error.strerror}") from None
