"""Decoding of call arguments the way the gates read them (CS-01, TW-01, RV-03).

:class:`Fields` accepts keys in any case, and `null` counts as absent. A wrong JSON type is noted,
and the member then reads as absent, so that a gate can name every fault and still look at the rest.
Receipts and the proxy read their own keys case-sensitively (EL-04), by the functions before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

from reasonix_runtime.evidence.paths import PathStyle, norm

_PATH_KEYS = ("path", "file_path", "notebook_path", "source_path", "destination_path")
_PATH_LIST_KEYS = ("paths", "file_paths")
PATH_KEYS = frozenset(_PATH_KEYS + _PATH_LIST_KEYS)
"""Keys under which arguments name files (EL-04)."""
_FURTHER_PATH_KEYS = PATH_KEYS - {"path"}
"""Few tools have one of these."""


def json_type(value: object) -> str:
    """Return the JSON name of a value's type, for messages; `null` is absent, and never wrong."""
    match value:
        case bool():
            return "a boolean"
        case int() | float():
            return "a number"
        case str():
            return "a text"
        case list() | tuple():
            return "a list"
        case _:
            return "an object"


def command_in(args: Any) -> str:
    """Return the trimmed command in the arguments of a `bash` call, empty when there is none."""
    command = args.get("command") if isinstance(args, dict) else None
    return command.strip() if isinstance(command, str) else ""


def in_background(args: Any) -> bool:
    """Whether the arguments ask for a command or a delegated run that outlives its call (EL-16).

    Hosts differ in what they take for true (`"true"`, 1): anything but a false value asks for it.
    """
    return isinstance(args, dict) and bool(args.get("run_in_background"))


def text_member(members: Mapping[str, Any], key: str) -> str:
    """Return a text member by its exact key, trimmed; empty when it is absent or no text."""
    value = members.get(key)
    return value.strip() if isinstance(value, str) else ""


def paths_of(
    args: Any, style: PathStyle = PathStyle.POSIX, *, most: int | None = None
) -> tuple[str, ...]:
    """Return the normalised paths that arguments name (EL-04, EL-05), none if it is no object.

    Nor are there any where they are more than `most`.
    """
    if not isinstance(args, dict):
        return ()
    if _FURTHER_PATH_KEYS.isdisjoint(args):
        path = args.get("path")
        clean = norm(path, style) if isinstance(path, str) else ""
        return (clean,) if clean else ()
    found = [value for key in _PATH_KEYS if isinstance(value := args.get(key), str)]
    for key in _PATH_LIST_KEYS:
        values = args.get(key)
        if isinstance(values, list) and all(isinstance(value, str) for value in values):
            found += values
    paths = tuple(path for value in found if (path := norm(value, style)))
    return paths if most is None or len(paths) <= most else ()


MOST_PATHS: Final = 1000
"""So many paths of one call are told apart; of one that names more nobody knows what it is about.

It shows nothing and proves nothing, and a change of it may have changed anything.
"""


class Fields:
    """The members of one argument object, read by name in any case.

    Args:
        value: any JSON value; what is no object is a problem and has no members.
        where: the place of the object, for messages.
        problems: where wrong types are noted, as sentences that name place and types.
        position: its index, where it stands in a list at that place.
    """

    __slots__ = ("_members", "_position", "_where", "problems")

    def __init__(
        self,
        value: Any,
        where: str = "",
        problems: list[str] | None = None,
        *,
        position: int | None = None,
    ) -> None:
        self.problems: list[str] = [] if problems is None else problems
        self._where = where
        self._position = position
        is_object = isinstance(value, dict)
        members = value if is_object else self._checked("", value, dict, "an object", {})
        # Most objects come with lower-case keys and are read as they are: `null` is absent anyway.
        if not all(map(str.islower, members)):
            members = {key.lower(): item for key, item in members.items() if item is not None}
        self._members: Mapping[str, Any] = members

    def at(self, name: str) -> str:
        """Return the place of a member, for messages: `evidence[0].kind`."""
        where = self._where if self._position is None else f"{self._where}[{self._position}]"
        return f"{where}.{name}" if where and name else name or where

    def _checked(self, name: str, value: Any, kind: type, expected: str, absent: Any) -> Any:
        if value is None:
            return absent
        if isinstance(value, kind) and not (kind is int and isinstance(value, bool)):
            return value
        place = self.at(name) or "the arguments"
        self.problems.append(f"{place}: expected {expected}, got {json_type(value)}")
        return absent

    def text(self, name: str) -> str:
        """Return a text member, empty when absent."""
        value = self._members.get(name.lower())
        if type(value) is str:
            return value
        found: str = self._checked(name, value, str, "a text", "")
        return found

    def integer(self, name: str) -> int:
        """Return an integer member, 0 when absent."""
        value = self._members.get(name.lower())
        if value is None or type(value) is int:
            return value or 0
        found: int = self._checked(name, value, int, "an integer", 0)
        return found

    def items(self, name: str) -> list[Any]:
        """Return a list member, empty when absent."""
        value = self._members.get(name.lower())
        if type(value) is list:
            return value
        found: list[Any] = self._checked(name, value, list, "a list", [])
        return found

    def texts(self, name: str) -> tuple[str, ...]:
        """Return a list of texts; `null` elements read as empty texts."""
        if name.lower() not in self._members:
            return ()
        return tuple(
            self._checked(f"{name}[{position}]", value, str, "a text", "")
            for position, value in enumerate(self.items(name))
        )

    def objects(self, name: str) -> Iterator[Fields]:
        """Yield the objects of a list member; what is no object reads as an empty one."""
        where = self.at(name)
        for position, value in enumerate(self.items(name)):
            yield Fields(value, where, self.problems, position=position)

    def object(self, name: str) -> Fields:
        """Return an object member; one without members when absent or no object."""
        return Fields(self._members.get(name.lower()), self.at(name), self.problems)
