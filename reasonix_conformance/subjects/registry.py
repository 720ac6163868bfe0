"""A Python registry as subject.

Anything will do that has `entries()`, or can be iterated, over objects or mappings with `name`,
`description`, `read_only` and `schema` (a mapping, text or bytes). A callable is called first.
An entry that cannot be read is reported for its tool; the others are still checked.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from types import CoroutineType, MappingProxyType, ModuleType
from typing import Any

from reasonix_conformance.errors import SubjectError
from reasonix_conformance.subjects.model import Form, Subject, SubjectTool, names_of

REFERENCE = ("reasonix_runtime", "reasonix_conformance")

_ABSENT = object()


def load(module_name: str, attribute: str, base: Path) -> Subject:
    """Return the subject that an attribute of a module holds or returns.

    Raises:
        SubjectError: the module or attribute does not exist, raises, or holds no entries.
    """
    spec = f"{module_name}:{attribute}"
    reference = module_name.split(".")[0] in REFERENCE
    label = "reference runtime" if reference else spec
    # What the subject prints is no part of the result, which a program may read.
    with (
        _importable(base),
        contextlib.redirect_stdout(sys.stderr),
        _theirs(spec, f"reading {spec}"),
    ):
        module = _import(module_name, spec)
        value = _attribute(module, attribute, spec)
        if isinstance(value, type) or (callable(value) and not _has_entries(value)):
            value = _call(value, "calling", spec)
        tools = tuple(_tools(value, label))
        surfaces = _surfaces(value, spec)
    if not tools:
        raise SubjectError(f"subject {spec} has no entries: there is nothing to check")
    return Subject(
        label=label,
        form=Form.REGISTRY,
        tools=tools,
        complete=True,
        reference=reference,
        surfaces=surfaces,
    )


@contextlib.contextmanager
def _importable(base: Path) -> Iterator[None]:
    """Look for modules in the folder that the spec belongs to as well, for the time of loading."""
    folder = str(base)
    if folder in sys.path:
        yield
        return
    sys.path.insert(0, folder)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):
            sys.path.remove(folder)


@contextlib.contextmanager
def _theirs(spec: str, doing: str) -> Iterator[None]:
    """Turn whatever the subject's own code raises into an error that tells what was done.

    Its `sys.exit(0)` must not end a check as if it had passed, and what frameworks raise beside
    `Exception` (a skipped module, a cancelled task) is no failure of ours. An interrupt is the
    user's.
    """
    try:
        yield
    except (SubjectError, KeyboardInterrupt):
        raise
    except BaseException as error:
        raise SubjectError(
            f"subject {spec}: {doing} raised {_told(error)}{_place(error)}; "
            "the subject has to load before it can be checked"
        ) from None


def _told(error: BaseException) -> str:
    """Return the kind of an exception and its text, on one line; some cannot even tell that."""
    text = "an exception that has no text"
    with contextlib.suppress(Exception):
        text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}"


def _place(error: BaseException) -> str:
    """Return the last line of the code that raised an exception."""
    frames = traceback.extract_tb(error.__traceback__)
    return f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""


def _import(name: str, spec: str) -> ModuleType:
    with _theirs(spec, f"importing {name}"):
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name and (name == error.name or name.startswith(f"{error.name}.")):
                raise SubjectError(
                    f"subject {spec}: there is no module {error.name!r}; check the spelling, and "
                    "that the package is installed or stands in the folder pytest is run from"
                ) from None
            raise


def _attribute(module: ModuleType, dotted: str, spec: str) -> Any:
    value: Any = module
    for part in dotted.split("."):
        try:
            value = getattr(value, part)
        except AttributeError:
            from difflib import get_close_matches

            public = [name for name in dir(value) if not name.startswith("_")]
            near = get_close_matches(part, public, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(public) or 'none'}"
            raise SubjectError(
                f"subject {spec}: {module.__name__} has no attribute {part!r}; {hint}"
            ) from None
    return value


def _call(function: Any, doing: str, spec: str) -> Any:
    with _theirs(spec, f"{doing} {spec}"):
        found = function()
    if isinstance(found, CoroutineType):
        found.close()  # or Python complains that nobody awaited it
        raise SubjectError(
            f"subject {spec}: {doing} {spec} gives a coroutine, and nothing awaits it here; name "
            "a plain function that returns the registry"
        )
    return found


def _has_entries(value: Any) -> bool:
    return hasattr(value, "entries") or isinstance(value, Iterable)


def _tools(value: Any, spec: str) -> Iterator[SubjectTool]:
    """Yield the entries of a registry in its order."""
    entries = getattr(value, "entries", None)
    if callable(entries):
        found = _call(entries, "calling entries() of", spec)
    else:
        found = value if entries is None else entries
    if isinstance(found, Mapping):
        found = found.values()
    if isinstance(found, str | bytes) or not isinstance(found, Iterable):
        raise SubjectError(
            f"subject {spec} is {_kind_of(found)}: expected a registry with entries(), an "
            "iterable of entries, or a callable that returns one of them"
        )
    for number, entry in enumerate(_call(partial(tuple, found), "reading the entries of", spec)):
        yield _tool(entry, number, spec)


def _tool(entry: Any, number: int, spec: str) -> SubjectTool:
    """Return one entry; what is wrong with it becomes the tool's problem."""
    at = f"{spec}, entry {number}"
    problems: list[str] = []

    def get(key: str, kinds: type | tuple[type, ...]) -> Any:
        """Return a field of the entry; a broken one is a problem, and None like a missing one."""
        try:
            value = (
                entry.get(key, _ABSENT)
                if isinstance(entry, Mapping)
                else getattr(entry, key, _ABSENT)
            )
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a property of somebody else's entry may raise anything
            problems.append(f"reading its {key} raised {_told(error)}")
            return None
        if value is _ABSENT or value is None:
            return None
        if not isinstance(value, kinds):
            problems.append(f"its {key} is {_kind_of(value)}, not {_kind_names(kinds)}")
            return None
        # A member of an enumeration is its text, also where it is put into a sentence.
        return str.__str__(value) if isinstance(value, str) else value

    name = get("name", str)
    description = get("description", str)
    read_only = get("read_only", bool)
    schema = get("schema", (Mapping, str, bytes))
    if not name:
        problems.append("it has no name")
    raw = None
    try:
        raw = _schema_bytes(schema)
    except (TypeError, ValueError, RecursionError) as error:
        problems.append(f"its schema is no JSON data: {error}")
    return SubjectTool(
        name=name or f"#{number}",
        at=at,
        description=description,
        read_only=read_only,
        schema=raw,
        exact=isinstance(schema, str | bytes),
        problem="; ".join(problems) or None,
        listed=bool(name),
    )


def _schema_bytes(schema: Mapping[str, Any] | str | bytes | None) -> bytes | None:
    if isinstance(schema, Mapping):
        text = json.dumps(schema, ensure_ascii=False, allow_nan=False, default=_plain)
        return text.encode()
    return schema.encode() if isinstance(schema, str) else schema


def _plain(value: Any) -> dict[Any, Any]:
    """Return what JSON has for a mapping that is no `dict`, such as a read-only view of one."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{_kind_of(value)} in it is no JSON value")


def _kind_of(value: Any) -> str:
    """Say of which type a value is: `a str`, `an int`."""
    name = type(value).__name__
    return f"{'an' if name[0].lower() in 'aeiou' else 'a'} {name}"


def _kind_names(kinds: type | tuple[type, ...]) -> str:
    kinds = kinds if isinstance(kinds, tuple) else (kinds,)
    return " or ".join(kind.__name__ for kind in kinds)


def _surfaces(value: Any, spec: str) -> Mapping[str, tuple[str, ...]]:
    """Return the boot surfaces of a registry that has `surfaces()`: names in order, by key."""
    told = getattr(value, "surfaces", None)
    if told is None:
        return MappingProxyType({})
    told = _call(told, "calling surfaces() of", spec) if callable(told) else told
    if not isinstance(told, Mapping):
        raise SubjectError(
            f"subject {spec}: surfaces is {_kind_of(told)}; expected a mapping of surface "
            "key to the names of its tools in order"
        )
    return MappingProxyType({_key(key): names_of(key, told[key], spec) for key in told})


def _key(key: Any) -> str:
    return str.__str__(key) if isinstance(key, str) else str(key)
