"""Addresses as data: their spellings, the book of all that were ever given, and the next free number.

`address`, `ingest` and `lint` build on it. It never writes.
"""

import re
import unicodedata
from collections.abc import Iterable

import msgspec

from lith.wiki.adoption import COUNTER, LEGACY_COUNTER
from lith.wiki.errors import VaultDamaged
from lith.wiki.manifest import Manifest
from lith.wiki.page import HASH_CHARS, Facts
from lith.wiki.snapshot import Snapshot
from lith.wiki.vault import Vault, writable

DIGITS = 6
_ADDRESS = re.compile(r"(?:f(\d+)\.(\d+)/)?([cl])-(\d{1,12})(?::h([0-9a-f]{5}))?$")
_STRICT = re.compile(r"([cl])-(\d{6,12})(?::h([0-9a-f]{5}))?$")
_KINDS = {"c": COUNTER, "l": LEGACY_COUNTER}


class Reference(msgspec.Struct, frozen=True):
    """An address as somebody wrote it: kind and number, with the fold and the content hash if they are named."""

    kind: str
    number: int
    fold: tuple[int, int] | None = None
    content: str | None = None

    @property
    def address(self) -> str:
        """The address itself."""
        return format_address(self.kind, self.number)


def format_address(kind: str, number: int) -> str:
    """`c-000042`: six digits, more when they are needed."""
    return f"{kind}-{number:0{DIGITS}d}"


def parse_reference(text: str) -> Reference | None:
    """An address in any spelling a user may type (`c-42`, `c-000042:h7f3c2`, `f1.2/c-000042`); None for anything else."""
    match = _ADDRESS.match(text.strip())
    if match is None:
        return None
    fold = (int(match[1]), int(match[2])) if match[1] else None
    return Reference(match[3], int(match[4]), fold, match[5])


def parse_address(text: str) -> Reference | None:
    """An address as a page must carry it (padded, perhaps with its content hash); None for anything else."""
    match = _STRICT.match(text)
    if match is None or (len(match[2]) > DIGITS and match[2].startswith("0")):
        return None
    return Reference(match[1], int(match[2]), None, match[3])


def content_mark(facts: Facts) -> str:
    """The content hash of a page's body as addresses carry it."""
    return facts.body_hash[:HASH_CHARS]


class Book(msgspec.Struct, frozen=True):
    """Every address a vault knows: the counters' next numbers (0: no counter), pages by address, and the manifest's map."""

    counters: dict[str, int]
    pages: dict[str, list[str]]
    mapped: dict[str, str]

    def next_number(self, kind: str) -> int:
        """1 + the highest number that any of counter, manifest and pages knows."""
        given = [number for address in (*self.pages, *self.mapped.values()) if (number := _number(address, kind))]
        return max([self.counters.get(kind, 0), 1, *(number + 1 for number in given)])

    def address_for(self, path: str) -> str | None:
        """The address that the manifest keeps for a path, unless another page carries it now."""
        address = self.mapped.get(_normal(path))
        if address is None or any(page != path for page in self.pages.get(address, ())):
            return None
        return address if parse_address(address) else None


def read_book(snapshot: Snapshot, manifest: Manifest) -> Book:
    """Collect what counter files, pages and manifest know. Raises `VaultDamaged` for an unreadable counter."""
    pages: dict[str, list[str]] = {}
    for path, facts in snapshot.pages.items():
        if facts.address:
            pages.setdefault(facts.plain_address, []).append(path)
    mapped = {_normal(path): address.partition(":")[0] for path, address in manifest.address_map.items()}
    counters = {kind: value for kind in _KINDS if (value := read_counter(snapshot.vault, kind)) is not None}
    return Book(counters=counters, pages=pages, mapped=mapped)


def read_counter(vault: Vault, kind: str) -> int | None:
    """The next number that a counter file promises; None when there is no file. Raises `VaultDamaged`."""
    place = writable(vault, _KINDS[kind])
    try:
        text = place.read_bytes()[:64].decode("ascii", "replace").strip()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise VaultDamaged(f"{_KINDS[kind]} cannot be read: {error.strerror}") from error
    if not text.isdigit() or len(text) > 13:
        raise VaultDamaged(
            f"{_KINDS[kind]} holds {text[:20]!r}, not a number",
            hint="remove it and recover it from the pages",
            next=[["lith", "wiki", "address", "rebuild"]],
        )
    return int(text)


def counter_file(kind: str) -> str:
    """The vault path of a counter."""
    return _KINDS[kind]


def duplicates(book: Book) -> Iterable[tuple[str, list[str]]]:
    """Addresses that several pages carry."""
    return ((address, paths) for address, paths in sorted(book.pages.items()) if len(paths) > 1)


def _number(address: str, kind: str) -> int:
    reference = parse_address(address)
    return reference.number if reference is not None and reference.kind == kind else 0


def _normal(path: str) -> str:
    return unicodedata.normalize("NFC", path)
