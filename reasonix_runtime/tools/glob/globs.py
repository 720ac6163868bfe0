"""Shell-style patterns as regular expressions of the RE2 dialect, which match in linear time."""

from __future__ import annotations

from reasonix_runtime.tools.errors import ToolError

MAGIC = frozenset("*?[\\")
"""Characters that make a part of a pattern more than a name."""


MOST_ALTERNATIVES = 1000
"""How many patterns one with braces may stand for."""


class GlobSyntaxError(ToolError):
    """A pattern is not well formed."""

    def __init__(self, pattern: str) -> None:
        super().__init__(f'glob "{pattern}": syntax error in pattern')


def is_magic(part: str) -> bool:
    """Whether a part of a pattern is more than a name."""
    return not MAGIC.isdisjoint(part)


def part_expression(part: str, pattern: str) -> str:
    """Return the expression of one part between slashes; raises GlobSyntaxError."""
    pieces: list[str] = []
    at = 0
    while at < len(part):
        symbol = part[at]
        if symbol == "*":
            pieces.append("[^/]*")
        elif symbol == "?":
            pieces.append("[^/]")
        elif symbol == "[":
            piece, at = _class(part, at, pattern)
            pieces.append(piece)
        elif symbol == "\\":
            at += 1
            if at == len(part):
                raise GlobSyntaxError(pattern)
            pieces.append(quote(part[at]))
        else:
            pieces.append(quote(symbol))
        at += 1
    return "".join(pieces)


def _class(part: str, at: int, pattern: str) -> tuple[str, int]:
    """Return the expression of a bracket class that starts at `at`, and where it ends."""
    at += 1
    negated = part.startswith(("^", "!"), at)
    at += negated
    ranges: list[str] = []
    while True:
        low, at = _class_character(part, at, pattern)
        high = low
        if part.startswith("-", at):
            high, at = _class_character(part, at + 1, pattern)
        if low > high:
            raise GlobSyntaxError(pattern)
        ranges.append(quote(low) if low == high else f"{quote(low)}-{quote(high)}")
        if part.startswith("]", at):
            slash = "/" if negated else ""
            return f"[{'^' if negated else ''}{slash}{''.join(ranges)}]", at
        if at >= len(part):
            raise GlobSyntaxError(pattern)


def _class_character(part: str, at: int, pattern: str) -> tuple[str, int]:
    if at >= len(part) or part[at] in "-]":
        raise GlobSyntaxError(pattern)
    if part[at] == "\\":
        at += 1
        if at >= len(part):
            raise GlobSyntaxError(pattern)
    return part[at], at + 1


def parts_of(pattern: str) -> list[str]:
    """Return the parts of a path pattern between its slashes."""
    return [part for part in pattern.split("/") if part not in {"", "."}]


def path_expression(pattern: str) -> str:
    """Return the expression of a relative path pattern with `**` and `{a,b}`."""
    alternatives = (_parts_expression(alternative, pattern) for alternative in braces(pattern))
    return f"^(?:{'|'.join(alternatives)})$"


def _parts_expression(alternative: str, pattern: str) -> str:
    """Return the expression of a pattern without braces; `**` stands for any directories."""
    parts = parts_of(alternative)
    text = ""
    for index, part in enumerate(parts):
        last = index == len(parts) - 1
        if part == "**":
            text += ".*" if last else "(?:[^/]+/)*"
        else:
            text += part_expression(part, pattern) + ("" if last else "/")
    return text


def braces(pattern: str) -> list[str]:
    """Return the patterns that a pattern with `{a,b}` stands for.

    Raises GlobSyntaxError, and ToolError for more than `MOST_ALTERNATIVES`: they multiply.
    """
    found: list[str] = []
    waiting = [pattern]
    while waiting:
        if len(found) + len(waiting) > MOST_ALTERNATIVES:
            raise ToolError(
                f'glob "{pattern}": stands for more than {MOST_ALTERNATIVES} patterns; '
                "use fewer braces"
            )
        current = waiting.pop()
        start = _find(current, "{", 0)
        if start is None:
            if _find(current, "}", 0) is not None:
                raise GlobSyntaxError(pattern)
            found.append(current)
            continue
        choices, end = _choices(current, start)
        waiting += [current[:start] + choice + current[end:] for choice in reversed(choices)]
    return found


def _find(pattern: str, wanted: str, at: int) -> int | None:
    while at < len(pattern):
        if pattern[at] == wanted:
            return at
        at += 2 if pattern[at] == "\\" else 1
    return None


def _choices(pattern: str, start: int) -> tuple[list[str], int]:
    choices: list[str] = []
    depth = 1
    begin = at = start + 1
    while at < len(pattern):
        symbol = pattern[at]
        if symbol == "{":
            depth += 1
        elif symbol == "}":
            depth -= 1
        if depth == 0 or (symbol == "," and depth == 1):
            choices.append(pattern[begin:at])
            begin = at + 1
        if depth == 0:
            return choices, at + 1
        at += 2 if symbol == "\\" else 1
    raise GlobSyntaxError(pattern)


def quote(symbol: str) -> str:
    """Return the expression of one character."""
    return symbol if symbol.isalnum() or symbol in "_/" else f"\\x{{{ord(symbol):x}}}"
