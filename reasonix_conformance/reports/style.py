"""How text is shown where it is read: colours and the width of a terminal.

Colours are shown on a terminal, unless `NO_COLOR` is set (no-color.org) or the terminal is `dumb`;
`FORCE_COLOR` asks for them elsewhere, such as in the log of a CI job.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from typing import Final, NamedTuple, TextIO

WIDTH: Final = 110
"""How wide text is that no terminal bounds."""
NARROWEST: Final = 40

_CODES: Final = {"bold": "1", "faint": "2", "red": "31", "green": "32", "yellow": "33"}


class Style(NamedTuple):
    """How wide the lines are, and whether they have colours."""

    width: int = WIDTH
    colours: bool = False

    def paint(self, text: str, colour: str) -> str:
        """Return a text in a colour, or as it is."""
        return f"\x1b[{_CODES[colour]}m{text}\x1b[0m" if self.colours else text


PLAIN: Final = Style()


def style_for(out: TextIO, environ: Mapping[str, str] = os.environ) -> Style:
    """Return the style of what is written to a stream."""
    terminal = out.isatty()
    colours = terminal and environ.get("TERM") != "dumb"
    if environ.get("NO_COLOR"):
        colours = False
    elif environ.get("FORCE_COLOR"):
        colours = True
    if not terminal:
        return Style(colours=colours)
    columns = shutil.get_terminal_size((WIDTH, 24)).columns
    return Style(width=max(NARROWEST, min(WIDTH, columns)), colours=colours)
