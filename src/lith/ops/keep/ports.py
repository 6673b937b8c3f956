"""What `archive` and `keep` see of the rest of the house: the map, written by a sync of the archive's part only, and the receipts.

The other modules of this folder and `ops.sync` call it.
"""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path

from lith.archive import Generation
from lith.ingest import sync as ingest_sync
from lith.ingest.report import RootSpec, Shelf, SyncReport
from lith.ingest.report import SyncRequest as IngestRequest
from lith.keep import House, ProcHolders, Receipt, find_receipts, read_receipt
from lith.kernel.ids import unpack
from lith.ops.evidence import CheckedReader, Unfit
from lith.ops.roots import plan_roots
from lith.ops.runtime import Runtime
from lith.retrieval.answers import Place
from lith.sources.registry import SOURCES
from lith.store.map import generations as store
from lith.store.map.files import load_coverage
from lith.store.map.schema import open_for_reading

_UNITS = {"s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


class ArchiveReceipts:
    """The receipts in an archive."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def names(self) -> Iterable[str]:
        """See `ingest.report.Receipts`."""
        return find_receipts(self._root)

    def load(self, name: str) -> Iterable[tuple[bytes, bytes]]:
        """See `ingest.report.Receipts`."""
        pairs = read_receipt(self._root / name).pairs
        return [(bytes.fromhex(pruned), bytes.fromhex(original)) for pruned, original in pairs]


def shelf(runtime: Runtime, sources: tuple[str, ...] = ()) -> Shelf:
    """The archive as a sync takes it in."""
    return Shelf(runtime.archive_dir, ArchiveReceipts(runtime.archive_dir), sources)


def take_in(runtime: Runtime, roots: tuple[RootSpec, ...] = ()) -> SyncReport:
    """Bring the map up to date with the archive, and with these roots. Raises what a sync raises."""
    runtime.close()  # a reader's view of the map would be that of before
    request = IngestRequest(roots=roots, shelf=shelf(runtime), projection=runtime.config.sources.projection)
    return ingest_sync(request, data_dir=runtime.data_dir, sources=SOURCES, clock=runtime.clock)


class MapDoor:
    """The map for `keep`: its `MapPort` and its `CopiesPort`."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def index_generation(self, generation: Generation) -> None:  # noqa: ARG002 -- a sync sees by itself what is new
        """See `keep.MapPort`."""
        take_in(self._runtime)

    def note_receipt(self, receipt: Receipt) -> None:
        """See `keep.MapPort`. Receipts lie in the archive, where the sync of `resync`, which always follows, finds them."""

    def resync(self, path: Path) -> None:
        """See `keep.MapPort`."""
        real = path.resolve()
        specs = plan_roots(self._runtime)
        take_in(self._runtime, tuple(spec for spec in specs if real.is_relative_to(spec.path.resolve())))

    def find_unindexed(self, generation: Generation, hashes: Collection[bytes]) -> Collection[bytes]:
        """See `keep.MapPort`."""
        connection = open_for_reading(self._runtime.map_path)
        try:
            return set(hashes) - store.find_hashes(connection, self._path(generation))
        finally:
            connection.close()

    def find_in_generation(self, generation: Generation, start: int, end: int) -> Sequence[tuple[str, bytes]]:
        """See `keep.CopiesPort`."""
        connection = self._runtime.read_map()
        return [(unpack(record), found) for record, found in store.find_span(connection, self._path(generation), start, end)]

    def find_readable_copies(self, content_hash: bytes) -> Sequence[str]:
        """See `keep.CopiesPort`: every copy with the hash is read."""
        connection = self._runtime.read_map()
        roots = [Path(row.selector.partition(":")[2]) for row in load_coverage(connection)]
        readable = []
        with CheckedReader(roots, self._runtime.archive_dir) as reader:
            for root, path, offset, length, size, mtime_ns in store.find_copies_of(connection, content_hash):
                place = Place(
                    source="", path=path, state="", offset=offset, length=length, line=0, hash="", dev=0, inode=0, size=size,
                    mtime_ns=mtime_ns, ctime_ns=0,
                )  # fmt: skip
                try:
                    reader.read(Path(root) / path, place, content_hash)
                except Unfit:
                    continue
                readable.append(f"{root}/{path}")
        return readable

    def _path(self, generation: Generation) -> str:
        return generation.folder.relative_to(generation.folder.parents[3]).as_posix()


def build_house(runtime: Runtime) -> House:
    """Everything that rewriting a live file needs. Raises `ConfigError`, `UsageError`."""
    return House(
        archive=runtime.archive_dir,
        roots=tuple(spec.path.resolve() for spec in plan_roots(runtime)),
        map=MapDoor(runtime),
        holders=ProcHolders(),
        clock=runtime.clock,
        quiet_ms=quiet_period(runtime),
    )


def quiet_period(runtime: Runtime) -> int:
    """How long a session counts as live after a change, in milliseconds. Raises `ConfigError`."""
    word = runtime.config.archive.quiet_period
    return int(word[:-1]) * _UNITS[word[-1]]
