"""A syrupy extension over the schema snapshots of the contract suite.

Give it to a `snapshot` fixture of your own, and name each snapshot after its tool::

    def test_schema(snapshot):
        recorded = snapshot.use_extension(CanonicalSchemaExtension)
        assert registry.schema("bash") == recorded(name="bash")

It reads and writes the files that `pytest --reasonix-contract` compares with: canonical schemas,
indented, one JSON file a tool, in the folder of the ini value `reasonix_snapshots`. An update run
deletes none of them: a file that no test of yours used belongs to the contract suite all the same.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from syrupy.data import SnapshotCollections
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from reasonix_conformance import snapshots
from reasonix_conformance.errors import SnapshotError
from reasonix_conformance.files import write_whole
from reasonix_conformance.settings import DEFAULT_SNAPSHOTS
from reasonix_runtime.contract.canonical import canonicalise, is_canonical

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from syrupy.location import PyTestLocation

__all__ = ["CanonicalSchemaExtension"]


class CanonicalSchemaExtension(SingleFileSnapshotExtension):
    """Compares schemas by their canonical bytes, with one JSON file a tool."""

    file_extension = "json"
    _write_mode = WriteMode.BINARY

    def serialize(self, data: Any, **_: Any) -> bytes:
        """Return the canonical schema, indented; a mapping, text or bytes is taken.

        Raises:
            SnapshotError: the data is no JSON, so it has no canonical form.
        """
        canonical = canonicalise(data)
        if not is_canonical(canonical):
            raise SnapshotError(f"no JSON Schema: {canonical[:60]!r}")
        return snapshots.render(canonical)

    def matches(self, *, serialized_data: Any, snapshot_data: Any) -> bool:
        """Whether two schemas have the same canonical bytes; layout does not matter."""
        return canonicalise(serialized_data) == canonicalise(snapshot_data)

    def diff_lines(self, serialized_data: Any, snapshot_data: Any) -> Iterator[str]:
        """Yield what changed from the snapshot to the schema, in words."""
        from reasonix_conformance.changes import describe

        for change in describe(canonicalise(snapshot_data), canonicalise(serialized_data)):
            yield str(change)

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        """Return the folder of the contract suite's snapshots."""
        config = test_location.item.config
        told = config.getini("reasonix_snapshots")
        base = config.inipath.parent if told and config.inipath else config.rootpath
        return str(base / (told or DEFAULT_SNAPSHOTS))

    @classmethod
    def get_location(cls, *, test_location: PyTestLocation, index: Any) -> str:
        """Return the file of the tool that a snapshot is named after.

        Raises:
            SnapshotError: the snapshot has no name, so nobody knows which tool it is.
        """
        if not isinstance(index, str):
            raise SnapshotError(
                f"{test_location.item.nodeid}: name the snapshot after the tool, as in "
                "snapshot(name='bash')"
            )
        return str(snapshots.path_of(Path(cls.dirname(test_location=test_location)), index))

    def discover_snapshots(self, **_: Any) -> SnapshotCollections:
        """Return nothing: what is not discovered is never called unused, and never deleted."""
        return SnapshotCollections()

    @classmethod
    def write_snapshot(
        cls, *, snapshot_location: str, snapshots: Sequence[tuple[Any, Any, Any]], **_: Any
    ) -> None:
        """Write a snapshot in one step.

        The base would warn that the file is not named after the test; it is named after the tool.
        """
        for data, _location, _index in snapshots:
            path = Path(snapshot_location)
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, data)
