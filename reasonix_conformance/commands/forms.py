"""The two forms of what a command answers: text for people, JSON for programs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import argparse
    from typing import TextIO


def add_option(parser: argparse.ArgumentParser) -> None:
    """Add the option that chooses the form."""
    parser.add_argument(
        "--format", choices=("text", "json"), default="text", help="default: %(default)s"
    )


def write_json(value: object, out: TextIO) -> None:
    """Write a value as JSON that a person can read as well."""
    json.dump(value, out, ensure_ascii=False, indent=2)
    out.write("\n")
