"""Vaults on a real disk, made from a mapping of paths to contents."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest

from lith.wiki.vault import Vault, find_vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]

NOON = int(datetime(2026, 6, 30, 12, tzinfo=UTC).timestamp() * 1000)
"""The present moment of the tests."""


@pytest.fixture
def make_vault(tmp_path: Path) -> MakeVault:
    """A function that writes files into a fresh vault and finds it."""

    def make(files: Mapping[str, str | bytes]) -> Vault:
        root = tmp_path / "vault"
        (root / ".obsidian").mkdir(parents=True, exist_ok=True)
        for path, content in files.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content.encode() if isinstance(content, str) else content)
        return find_vault(root)

    return make


@pytest.fixture
def now() -> int:
    """Noon of 2026-06-30, UTC."""
    return NOON


def tree(vault: Vault) -> dict[str, bytes]:
    """Every file of a vault but the machine's own, with its bytes."""
    return {
        path.relative_to(vault.root).as_posix(): path.read_bytes()
        for path in sorted(vault.root.rglob("*"))
        if path.is_file() and ".vault-meta/local/" not in path.as_posix() and ".git/" not in path.as_posix()
    }


@pytest.fixture
def read_tree() -> Callable[[Vault], dict[str, bytes]]:
    """A function that reads every file of a vault but the machine's own."""
    return tree
