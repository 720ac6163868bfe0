"""Durations in the short form that hosts of this family print: `30s`, `2m0s`, `1.5s`."""

from __future__ import annotations


def short_duration(seconds: float) -> str:
    """Return a duration of whole milliseconds in its short form."""
    if 0 < seconds < 1:
        return f"{round(seconds * 1000)}ms"
    hours, rest = divmod(seconds, 3600)
    minutes, rest = divmod(rest, 60)
    parts = [f"{int(hours)}h"] if hours else []
    if hours or minutes:
        parts.append(f"{int(minutes)}m")
    return "".join([*parts, f"{round(rest, 3):g}s"])
