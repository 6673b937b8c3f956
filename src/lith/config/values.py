"""The settings that are in force, as frozen values."""

import msgspec

from lith.config.settings import Plain


class Value(msgspec.Struct, frozen=True):
    """One setting with its origin: `default`, a file and line, a `LITH_*` variable, or an option of the command."""

    key: str
    value: Plain
    origin: str


class SourceSettings(msgspec.Struct, frozen=True):
    """`[sources]`. `roots` are (client, path) pairs; a client without one uses its own place."""

    roots: tuple[tuple[str, str], ...] = ()
    disabled: tuple[str, ...] = ()
    projection: str = "calls"


class ArchiveSettings(msgspec.Struct, frozen=True):
    """`[archive]`. `auto` is `on` or `off`, `quiet_period` a length of time as it was written."""

    auto: str = "off"
    quiet_period: str = "10m"


class WikiSettings(msgspec.Struct, frozen=True):
    """`[wiki]`. `vault` is a path as it was written, or empty."""

    vault: str = ""


class Config(msgspec.Struct, frozen=True):
    """Everything that can be set. `values` has the same once more, one by one, each with where it came from."""

    sources: SourceSettings
    archive: ArchiveSettings
    wiki: WikiSettings
    values: tuple[Value, ...]
    file: str
    file_exists: bool
