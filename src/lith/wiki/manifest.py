"""The manifest `.raw/.manifest.json`: where each raw source came from, and which address each page path has.

Other programs write it too: keys that this module does not know stay as they are, in their order. Verbs read it through
`read_manifest` and put the bytes of `encode` into their transaction.
"""

import json
from collections.abc import Mapping
from typing import Any

from lith.wiki.errors import VaultDamaged
from lith.wiki.transaction import Writer
from lith.wiki.vault import RAW, Vault, writable

MANIFEST = f"{RAW}/.manifest.json"


class Manifest:
    """A manifest in memory; `sources` and `address_map` are its two tables."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.sources: dict[str, dict[str, Any]] = document.setdefault("sources", {})
        self.address_map: dict[str, str] = document.setdefault("address_map", {})

    def encode(self) -> bytes:
        """The file's bytes."""
        return json.dumps(self.document, ensure_ascii=False, indent=2).encode("utf-8", "surrogatepass") + b"\n"

    def pages_of(self, source: str) -> list[str]:
        """The pages that were made from a raw source."""
        pages = self.sources.get(source, {}).get("pages_created", [])
        return [page for page in pages if isinstance(page, str)] if isinstance(pages, list) else []


def read_manifest(vault: Vault) -> Manifest:
    """The vault's manifest, or an empty one. Raises `VaultDamaged` when there is one that cannot be read."""
    place = writable(vault, MANIFEST)
    try:
        data = place.read_bytes()
    except FileNotFoundError:
        return Manifest({"version": 1, "sources": {}, "address_map": {}})
    except OSError as error:
        raise VaultDamaged(f"{MANIFEST} cannot be read: {error.strerror}") from error
    return decode_manifest(data)


def decode_manifest(data: bytes) -> Manifest:
    """A manifest from its bytes. Raises `VaultDamaged`."""
    try:
        document = json.loads(data.decode("utf-8-sig")) if data.strip() else {}
    except (ValueError, RecursionError) as error:
        raise _damaged(f"it is not JSON ({error})") from error
    if not isinstance(document, dict):
        raise _damaged("it is not an object")
    for key in ("sources", "address_map"):
        if not isinstance(document.get(key, {}), dict):
            raise _damaged(f"its {key!r} is not an object")
    if not all(isinstance(value, str) for value in _mapping(document, "address_map").values()):
        raise _damaged("an address in its map is not text")
    if not all(isinstance(value, dict) for value in _mapping(document, "sources").values()):
        raise _damaged("a source in it is not an object")
    return Manifest(document)


def encode_if_changed(writer: Writer, manifest: Manifest) -> bytes | None:
    """The bytes to write, or None when the file says the same already."""
    old = writer.read(MANIFEST)
    if old is not None and decode_manifest(old).document == manifest.document:
        return None
    return manifest.encode()


def _mapping(document: Mapping[str, Any], key: str) -> dict[str, Any]:
    value: dict[str, Any] = document.get(key, {})
    return value


def _damaged(reason: str) -> VaultDamaged:
    return VaultDamaged(
        f"{MANIFEST} cannot be used: {reason}", hint="repair it by hand or restore it from git; nothing was written"
    )
