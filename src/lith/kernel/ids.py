"""Ids of records as transcripts carry them, packed small and compared by prefix.

Any room may call it. Most ids are UUIDs: 36 characters that fit 16 bytes. `pack` keeps everything else as it is, so that `unpack`
gives back exactly what came in.
"""

import hashlib
import re

Packed = bytes | str
"""An id as it is stored: 16 bytes for a canonical UUID, else the text itself."""

DIGEST_BYTES = 16
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\Z")
_HEX = re.compile(r"[0-9a-f-]*\Z")
_DASHES = (8, 13, 18, 23)


def pack(text: str) -> Packed:
    """The stored form of an id: only a lower-case UUID with its dashes is shortened, so nothing is normalised away."""
    return bytes.fromhex(text.replace("-", "")) if len(text) == 36 and _UUID.match(text) else text


def unpack(packed: Packed) -> str:
    """The id as the transcript wrote it."""
    if isinstance(packed, str):
        return packed
    digits = packed.hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def digest(data: bytes | bytearray | memoryview) -> bytes:
    """The content hash of a record: the first 16 bytes of its SHA-256."""
    return hashlib.sha256(data).digest()[:DIGEST_BYTES]


def derive(scope: str, content: bytes) -> str:
    """An id for a record that has none: a UUID-shaped hash of where it belongs and what it says.

    The same record gets the same id after a rename, a compression or a rebuild.
    """
    return unpack(hashlib.sha256(scope.encode() + b"\0" + content).digest()[:16])


def small_hash(text: str) -> int:
    """A signed 64-bit hash, for grouping within one session where a full id would cost too much room."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big", signed=True)


def prefix_range(prefix: str) -> tuple[bytes, bytes] | None:
    """The inclusive range of packed UUIDs that begin with `prefix` (dashes optional, as an id is typed); None if none can."""
    lower = prefix.lower()
    if not _HEX.match(lower):
        return None
    if "-" in lower and any(lower[i] != "-" if i in _DASHES else lower[i] == "-" for i in range(len(lower))):
        return None
    digits = lower.replace("-", "")
    if not digits or len(digits) > 32:
        return None
    return bytes.fromhex(digits.ljust(32, "0")), bytes.fromhex(digits.ljust(32, "f"))
