"""Which vault a command means, and what its errors suggest: every operation of the wiki begins here.

`--vault` wins over the setting `wiki.vault`, and that over the nearest vault at or above the working directory.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from lith.config.places import absolute
from lith.errors import LithError
from lith.ops.runtime import Runtime
from lith.wiki import Vault, find_vault


class VaultRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What every request about a wiki may say: the vault's folder as it was typed."""

    vault: str | None = None


class VaultResult(msgspec.Struct, frozen=True, kw_only=True):
    """What every result about a wiki says: the vault's folder."""

    vault: str


@contextlib.contextmanager
def opened(request: VaultRequest, runtime: Runtime) -> Iterator[Vault]:
    """The vault for the block; commands that an error suggests name it as the user did. Raises `NoVault`."""
    try:
        yield find_place(request.vault, runtime)
    except LithError as error:
        error.next = [_naming(argv, request.vault) for argv in error.next]
        raise


def find_place(word: str | None, runtime: Runtime) -> Vault:
    """The vault that a word means; without one, that of the settings or the nearest. Raises `NoVault`, `ConfigError`."""
    if word is not None:
        return find_vault(runtime.cwd, absolute(word, runtime.home, runtime.cwd))
    configured = runtime.config.wiki.vault
    if configured:
        return find_vault(runtime.cwd, absolute(configured, runtime.home, runtime.home))
    return find_vault(runtime.cwd)


def command(request: VaultRequest, runtime: Runtime, *words: str) -> list[str]:
    """A wiki command as argv that works as printed: it names the vault where the user had to."""
    return runtime.argv("wiki", *words, *(() if request.vault is None else ("--vault", request.vault)))


def typed_path(word: str, runtime: Runtime) -> Path:
    """A path as a person writes it, made absolute."""
    return absolute(word, runtime.home, runtime.cwd)


def page_word(word: str, vault: Vault, runtime: Runtime) -> str:
    """A page as a person names it: a path from the working directory where that leads to a file of the vault, else as it is."""
    place = typed_path(word, runtime)
    if place.is_file() and place.resolve().is_relative_to(vault.root):
        return str(place.resolve())
    return word


def _naming(argv: list[str], word: str | None) -> list[str]:
    if word is None or argv[:2] != ["lith", "wiki"] or "--vault" in argv:
        return argv
    return [*argv, "--vault", word]
