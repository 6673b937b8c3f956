"""`block`: the exact bytes of one record, from the raw file, checked before they are given out.

The bytes must have the hash that the map has (`evidence`). Where the best copy fails, the record's other copies are tried.
"""

from pathlib import Path

import msgspec

from lith.errors import StaleSource
from lith.ops.evidence import CheckedReader, Unfit
from lith.ops.runtime import Runtime
from lith.retrieval import locate_record
from lith.retrieval.answers import Place, RecordPlaces
from lith.store.map.files import load_coverage


class BlockRequest(msgspec.Struct, frozen=True):
    """`address` is `rec:<id>`, or a message, `REF#<seq>`."""

    address: str


class BlockResult(msgspec.Struct, frozen=True, kw_only=True):
    """One record and where it is: `offset` and `length` are bytes of the decompressed file, `hash` the first 16 bytes of its SHA-256.

    The bytes are in `text` where they are UTF-8, else in `base64`.
    """

    record: str
    session_ref: str | None = None
    type: str | None = None
    path: str
    line: int
    offset: int
    length: int
    hash: str
    text: str | None = None
    base64: str | None = None

    def data(self) -> bytes:
        """The bytes themselves."""
        import base64  # noqa: PLC0415

        return self.text.encode() if self.text is not None else base64.b64decode(self.base64 or "")


class _Typed(msgspec.Struct):
    type: str | None = None


def block(request: BlockRequest, runtime: Runtime) -> BlockResult:
    """The bytes of a record. Raises `StaleSource` where no copy on the disk is what the map was made from, and what locating raises."""
    with runtime.reading() as connection:
        found = locate_record(connection, request.address)
        roots = [Path(row.selector.partition(":")[2]) for row in load_coverage(connection)]
    reasons = []
    with CheckedReader(roots, runtime.archive_dir) as reader:
        for place in found.places:
            try:
                return _result(found, place, reader.read(Path(place.path), place, bytes.fromhex(place.hash)))
            except Unfit as reason:
                reasons.append(f"{place.path}: {reason}")
    raise StaleSource(
        f"the bytes of {request.address} cannot be vouched for: {'; '.join(reasons) or 'no file holds it any more'}",
        hint="sync takes in what changed; what the client deleted is only in the map",
        next=[runtime.argv("sync"), runtime.argv("status")],
    )


def _result(found: RecordPlaces, place: Place, data: bytes) -> BlockResult:
    import base64  # noqa: PLC0415

    text: str | None
    encoded = None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = None
        encoded = base64.b64encode(data).decode()
    return BlockResult(
        record=found.record,
        session_ref=found.session_ref,
        type=_type(data),
        path=place.path,
        line=place.line,
        offset=place.offset,
        length=place.length,
        hash=place.hash,
        text=text,
        base64=encoded,
    )


def _type(data: bytes) -> str | None:
    """The type that the record itself names, if it does."""
    try:
        return msgspec.json.decode(data, type=_Typed).type
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
