"""One segment file: Zstandard frames cut at line ends, a frame of facts that decompressors skip, and a seek table at the end.

`append` writes segments, `reader` and `verify` read them; nothing else knows the bytes. The seek table is that of Zstandard's seekable
format; the facts (`SegmentFacts`) are JSON in a skippable frame, so that the file describes itself and `zstd -dc` gives the raw bytes.
"""

import contextlib
import hashlib
import os
import struct
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import msgspec

from lith.archive.disk import Disk
from lith.archive.errors import ArchiveDamaged

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

FRAME = 2 << 20
"""Raw bytes that a frame aims at: large enough to compress well, small enough to read one record of it in milliseconds."""
MAX_FRAME = 8 << 20
"""A line that would make a frame longer is cut over several."""
LEVEL = 3
FORMAT = 1

_FACTS_MAGIC = 0x184D2A50
_TABLE_MAGIC = 0x184D2A5E
_SEEKABLE = 0x8F92EAB1
_FOOT = struct.Struct("<IBI")
_ENTRY = struct.Struct("<II")
_HEAD = struct.Struct("<II")
_TAIL_READ = 16 << 10
_SEAL = 16
_MAX_FRAMES = 1 << 24
_OPTIONS: dict[int, int] = {zstd.CompressionParameter.compression_level: LEVEL, zstd.CompressionParameter.checksum_flag: 1}


class SegmentFacts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a segment says of itself.

    `offset` is where its bytes begin in the generation, `length` how many there are, `sha256` their digest; `chain` is the digest of the
    chain before it and its own digest; `whole`, where it was known, is the SHA-256 of the generation up to its end. `proof` is the digest
    of windows of the generation up to its end (`archive.proof`). `origin` is `live`, `import` or `undo`; `name` the file that an import
    came from.
    """

    format: int
    source: str
    session: str
    path: str
    generation: int
    segment: int
    offset: int
    length: int
    sha256: str
    chain: str
    whole: str | None = None
    at: int
    mtime_ns: int = 0
    mode: int = 0o600
    origin: str = "live"
    name: str | None = None
    proof: str | None = None

    @property
    def end(self) -> int:
        """The offset in the generation where the segment ends."""
        return self.offset + self.length


class Segment(msgspec.Struct, frozen=True):
    """A segment file: its facts and frames as (offset in the file, compressed bytes, raw bytes).

    `rebuilt` says that the end of the file was unreadable and the frames were found by reading them; `facts` then holds what that gave.
    """

    file: Path
    size: int
    facts: SegmentFacts
    frames: tuple[tuple[int, int, int], ...]
    rebuilt: bool = False


def chain_digest(before: str, sha256: str) -> str:
    """The chain after a segment: the digest of the chain before it and of the segment's own digest, both in hex."""
    return hashlib.sha256(f"{before}{sha256}".encode()).hexdigest()


def cut_frames(pieces: Iterable[bytes], total: int) -> Iterator[bytes]:
    """Cut `total` raw bytes into frames of about the same size, each ending with a line unless that would make it too long."""
    count = max(1, round(total / FRAME))
    held = bytearray()
    done = number = 0
    for piece in pieces:
        held += piece
        while True:
            goal = total * (number + 1) // count - done if number + 1 < count else total
            newline = held.find(b"\n", max(0, goal - 1), MAX_FRAME) if goal <= len(held) else -1
            end = newline + 1 if newline >= 0 else MAX_FRAME if len(held) > MAX_FRAME else 0
            if not end:
                break
            yield bytes(held[:end])
            del held[:end]
            done += end
            number = max(number + 1, round(done * count / total))
    if held:
        yield bytes(held)


def write_segment(
    handle: int, frames: Iterable[bytes], facts: SegmentFacts, disk: Disk, whole: Callable[[], str | None]
) -> SegmentFacts:
    """Write a segment to an open file; returns the facts with the digests filled in.

    `facts.chain` is the chain before; `whole` is asked, once all bytes are through, for the digest of the whole generation.
    """
    digest = hashlib.sha256()
    entries = []
    for raw in frames:
        digest.update(raw)
        compressed = zstd.compress(raw, options=_OPTIONS)
        entries.append((len(compressed), len(raw)))
        disk.write(handle, compressed)
    sha256 = digest.hexdigest()
    facts = msgspec.structs.replace(
        facts,
        length=sum(raw for _, raw in entries),
        sha256=sha256,
        chain=chain_digest(facts.chain, sha256),
        whole=sha256 if facts.offset == 0 else whole(),
    )
    disk.write(handle, _ending(entries, msgspec.json.encode(facts)))
    return facts


def _seal(facts: bytes) -> bytes:
    """The digest that stands behind the facts, so that no bit of them changes unseen."""
    return hashlib.sha256(facts).hexdigest()[:_SEAL].encode()


def _ending(entries: list[tuple[int, int]], facts: bytes) -> bytes:
    facts += _seal(facts)
    table = [*entries, (_HEAD.size + len(facts), 0)]
    body = b"".join(_ENTRY.pack(*entry) for entry in table) + _FOOT.pack(len(table), 0, _SEEKABLE)
    return _HEAD.pack(_FACTS_MAGIC, len(facts)) + facts + _HEAD.pack(_TABLE_MAGIC, len(body)) + body


def read_segment(file: Path) -> Segment:
    """What a segment file says of itself. Raises `ArchiveDamaged` where its end cannot be read, `OSError` where it cannot be opened."""
    with open_plain(file) as handle:
        size = os.fstat(handle).st_size
        tail = _pread(handle, min(size, _TAIL_READ), max(0, size - _TAIL_READ))
        if len(tail) < _FOOT.size:
            raise ArchiveDamaged(f"{file} is no segment: {size} bytes")
        count, descriptor, magic = _FOOT.unpack_from(tail, len(tail) - _FOOT.size)
        table_size = count * _ENTRY.size + _FOOT.size
        if magic != _SEEKABLE or descriptor or not 0 < count < _MAX_FRAMES or table_size + _HEAD.size > size:
            raise ArchiveDamaged(f"the seek table of {file} is broken")
        at = size - table_size - _HEAD.size
        body = _pread(handle, table_size, size - table_size)
        if _HEAD.unpack(_pread(handle, _HEAD.size, at)) != (_TABLE_MAGIC, table_size):
            raise ArchiveDamaged(f"the seek table of {file} is broken")
        entries = [_ENTRY.unpack_from(body, index * _ENTRY.size) for index in range(count)]
        facts_size = entries[-1][0]
        if sum(compressed for compressed, _ in entries) != at or entries[-1][1] or facts_size < _HEAD.size + _SEAL:
            raise ArchiveDamaged(f"the seek table of {file} does not fit the file")
        data = _pread(handle, facts_size, at - facts_size)
    try:
        written = data[_HEAD.size : -_SEAL]
        if data[-_SEAL:] != _seal(written):
            raise ArchiveDamaged(f"the facts of {file} are not what was written")
        facts = msgspec.json.decode(written, type=SegmentFacts)
    except msgspec.DecodeError as error:
        raise ArchiveDamaged(f"the facts of {file} are unreadable: {error}") from error
    if _HEAD.unpack_from(data) != (_FACTS_MAGIC, facts_size - _HEAD.size) or facts.length != sum(raw for _, raw in entries):
        raise ArchiveDamaged(f"the facts of {file} do not fit the file")
    if facts.format > FORMAT:
        raise ArchiveDamaged(f"{file} has format {facts.format}; this lith reads {FORMAT}", hint="update lith")
    return Segment(file, size, facts, _place(entries[:-1]))


def rebuild_segment(file: Path, facts: SegmentFacts) -> Segment:
    """A segment whose end is unreadable, from its frames alone; `facts` gives everything but lengths and digests. Raises `OSError`."""
    frames: list[tuple[int, int, int]] = []
    digest = hashlib.sha256()
    with open_plain(file) as handle:
        data = _pread(handle, os.fstat(handle).st_size, 0)
    at = 0
    while at < len(data):
        decoder = zstd.ZstdDecompressor()
        try:
            raw = decoder.decompress(data[at:], MAX_FRAME + 1)
        except zstd.ZstdError:
            break
        if not decoder.eof or not raw:
            break
        end = len(data) - len(decoder.unused_data)
        frames.append((at, end - at, len(raw)))
        digest.update(raw)
        at = end
    sha256 = digest.hexdigest()
    length = sum(raw for _, _, raw in frames)
    facts = msgspec.structs.replace(facts, length=length, sha256=sha256, chain=chain_digest(facts.chain, sha256))
    return Segment(file, len(data), facts, tuple(frames), rebuilt=True)


def read_frame(handle: int, segment: Segment, index: int) -> bytes:
    """The raw bytes of one frame, checked against its checksum and length. Raises `ArchiveDamaged`."""
    at, compressed, raw = segment.frames[index]
    decoder = zstd.ZstdDecompressor()
    try:
        data = decoder.decompress(_pread(handle, compressed, at), raw + 1)
    except zstd.ZstdError as error:
        raise ArchiveDamaged(f"frame {index + 1} of {segment.file} is broken: {error}") from error
    if len(data) != raw or not decoder.eof:
        raise ArchiveDamaged(f"frame {index + 1} of {segment.file} gives {len(data)} bytes instead of {raw}")
    return data


def iter_raw(segment: Segment) -> Iterator[bytes]:
    """The raw bytes of a segment, frame by frame. Raises `ArchiveDamaged`, `OSError`."""
    with open_plain(segment.file) as handle:
        for index in range(len(segment.frames)):
            yield read_frame(handle, segment, index)


def digest_segment(segment: Segment) -> str:
    """The SHA-256 of a segment's raw bytes, by reading all of it. Raises `ArchiveDamaged`, `OSError`."""
    digest = hashlib.sha256()
    for data in iter_raw(segment):
        digest.update(data)
    return digest.hexdigest()


@contextlib.contextmanager
def open_plain(file: Path) -> Iterator[int]:
    """A descriptor of a file that must be a regular one and no symlink. Raises `OSError`."""
    handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0))
    try:
        yield handle
    finally:
        os.close(handle)


def _pread(handle: int, size: int, offset: int) -> bytes:
    parts = []
    while size > 0 and (data := os.pread(handle, size, offset)):
        parts.append(data)
        size -= len(data)
        offset += len(data)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def _place(entries: list[tuple[int, int]]) -> tuple[tuple[int, int, int], ...]:
    at = 0
    frames = []
    for compressed, raw in entries:
        frames.append((at, compressed, raw))
        at += compressed
    return tuple(frames)
