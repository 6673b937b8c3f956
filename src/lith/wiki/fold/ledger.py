"""The fold ledger: which entry is in which fold, at which level, and exactly what each fold added to index and log.

The file `.vault-meta/fold-ledger.json` belongs to the vault (it goes into git with the folds). Reads and encodes; `fold.apply`
writes it in its transaction.
"""

from collections.abc import Iterable

import msgspec

from lith.wiki.errors import VaultDamaged
from lith.wiki.vault import META, Vault, writable

LEDGER = f"{META}/fold-ledger.json"


class FoldRecord(msgspec.Struct, frozen=True):
    """One fold: `f<level>.<ordinal>`, its page with the digest it was written with, its children, and the text it put elsewhere."""

    id: str
    level: int
    ordinal: int
    path: str
    first: str
    last: str
    entries: int
    children: list[str]
    addresses: list[str]
    digest: str
    index_text: str
    log_text: str


class Ledger(msgspec.Struct, frozen=True):
    """All folds of a vault, in the order they were made; `index_section` is the heading that the first fold put into the index."""

    version: int = 1
    folds: list[FoldRecord] = []
    index_section: str = ""
    created: list[str] = []

    def at_level(self, level: int) -> list[FoldRecord]:
        """The folds of one level, oldest range first."""
        return sorted((fold for fold in self.folds if fold.level == level), key=lambda fold: (fold.first, fold.last, fold.id))

    def folded(self, level: int) -> dict[str, str]:
        """What is folded at a level: child id → fold id."""
        return {child: fold.id for fold in self.folds if fold.level == level for child in fold.children}

    def depth(self) -> int:
        """The highest level in use."""
        return max((fold.level for fold in self.folds), default=0)

    def get(self, id: str) -> FoldRecord | None:
        """The fold with this id."""
        return next((fold for fold in self.folds if fold.id == id), None)

    def next_ordinal(self, level: int) -> int:
        """The number of the next fold of a level."""
        return max((fold.ordinal for fold in self.folds if fold.level == level), default=0) + 1

    def folds_of_page(self, address: str) -> list[tuple[int, int]]:
        """The folds (level, ordinal) that mention the page of an address, lowest level and oldest first."""
        return sorted((fold.level, fold.ordinal) for fold in self.folds if address in fold.addresses)

    def without(self, ids: Iterable[str]) -> "Ledger":
        """The ledger after these folds are gone."""
        gone = set(ids)
        return msgspec.structs.replace(self, folds=[fold for fold in self.folds if fold.id not in gone])


def read_ledger(vault: Vault) -> Ledger:
    """The vault's ledger, or an empty one. Raises `VaultDamaged`."""
    try:
        data = writable(vault, LEDGER).read_bytes()
    except FileNotFoundError:
        return Ledger()
    except OSError as error:
        raise VaultDamaged(f"{LEDGER} cannot be read: {error.strerror}") from error
    return decode_ledger(data)


def decode_ledger(data: bytes) -> Ledger:
    """A ledger from its bytes. Raises `VaultDamaged`."""
    try:
        ledger = msgspec.json.decode(data, type=Ledger)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise VaultDamaged(f"{LEDGER} cannot be used: {error}", hint="restore it from git") from error
    if ledger.version != 1:
        raise VaultDamaged(f"{LEDGER} is of version {ledger.version}, which this lith does not know")
    return ledger


def encode_ledger(ledger: Ledger) -> bytes:
    """The ledger's bytes: stable, one value per line, so that git merges it."""
    return msgspec.json.format(msgspec.json.encode(ledger), indent=1) + b"\n"
