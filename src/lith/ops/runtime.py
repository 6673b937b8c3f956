"""The runtime: the only place where the outside world enters.

Clock, home, working directory, environment, settings and the data directory are gathered here once and travel as arguments from here
on. It opens the map lazily and only for reading; who writes it is `ingest`'s business.
"""

import contextlib
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from lith.config import places
from lith.errors import StorageError, UsageError
from lith.kernel.clock import Clock, system_clock

if TYPE_CHECKING:
    import apsw

    from lith.config.values import Config


class Runtime:
    """What an operation may use of the world. Close it, or use it as a context manager."""

    def __init__(
        self,
        *,
        clock: Clock,
        home: Path,
        cwd: Path | None,
        environment: Mapping[str, str],
        data_dir: Path,
        flags: Mapping[str, Sequence[str]] | None = None,
    ) -> None:
        self.clock = clock
        self.home = home
        self._cwd = cwd
        self.environment = environment
        self.data_dir = data_dir
        self._flags = dict(flags or {})
        self._config: Config | None = None
        self._map: apsw.Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Close the map, if it was opened."""
        if self._map is not None:
            self._map.close()
            self._map = None

    @property
    def cwd(self) -> Path:
        """The working directory. Raises `UsageError` where it was deleted under us: nothing else may take its place."""
        return places.absolute(".", self.home, self._cwd)

    @property
    def near(self) -> Path | None:
        """The working directory as a hint of what a question is about; None where there is none."""
        return self._cwd

    def path(self, word: str) -> Path:
        """A path as a person writes it, made absolute. Raises `UsageError` where that takes a working directory and there is none."""
        return places.absolute(word, self.home, self._cwd)

    @property
    def map_path(self) -> Path:
        """Where the map is or will be."""
        return self.data_dir / "map.sqlite"

    @property
    def archive_dir(self) -> Path:
        """Where the archive is or will be."""
        return self.data_dir / "archive"

    @property
    def config_path(self) -> Path:
        """Where the config file is or would be."""
        return places.config_file(self.home, self.environment)

    @property
    def config(self) -> "Config":
        """The settings in force, read on first use. Raises `ConfigError`."""
        if self._config is None:
            from lith.config.load import load  # noqa: PLC0415 -- reading the map needs no settings
            from lith.ops.known_clients import client_names  # noqa: PLC0415

            self._config = load(self.config_path, self.environment, sources=client_names(), flags=self._flags)
        return self._config

    def read_map(self) -> "apsw.Connection":
        """The map, opened read-only on first use. Raises `NoMap`, `MapTooNew`, `MapNeedsSync` and the like."""
        if self._map is None:
            from lith.store.map.schema import open_for_reading  # noqa: PLC0415 -- SQLite is not needed by every command

            try:
                self._map = open_for_reading(self.map_path)
            except OSError as error:
                raise StorageError(f"could not open {self.map_path}: {error.strerror}", hint="check its permissions") from error
        return self._map

    @contextlib.contextmanager
    def reading(self) -> "Iterator[apsw.Connection]":
        """The map for the block, as `read_map`; what SQLite raises in the middle of it becomes lith's own errors."""
        connection = self.read_map()
        from lith.kernel import sqlite  # noqa: PLC0415 -- loaded by then

        with sqlite.translate(self.map_path):
            yield connection

    def argv(self, *words: str) -> list[str]:
        """A lith command as argv that works as printed: it repeats `--data-dir` where the environment would not lead there."""
        word = self.data_dir_word
        if word is None:
            return ["lith", *words]
        end = words.index("--") if "--" in words else len(words)
        return ["lith", *words[:end], "--data-dir", word, *words[end:]]

    @property
    def data_dir_word(self) -> str | None:
        """The data directory as commands have to name it; None where `$LITH_DATA_DIR`, or else the default, is this one."""
        with contextlib.suppress(UsageError):
            if self.data_dir == places.data_dir(None, self.home, self.environment, self._cwd):
                return None
        return str(self.data_dir)

    def at(self, data_dir: Path) -> "Runtime":
        """A second runtime on another data directory, in the same world."""
        return Runtime(
            clock=self.clock,
            home=self.home,
            cwd=self._cwd,
            environment=self.environment,
            data_dir=data_dir,
            flags=self._flags,
        )


def open_runtime(
    *,
    data_dir: str | None = None,
    flags: Mapping[str, Sequence[str]] | None = None,
    environment: Mapping[str, str] | None = None,
    clock: Clock = system_clock,
) -> Runtime:
    """The runtime of this process. `data_dir` is the option's word, `flags` are settings that options override."""
    world = os.environ if environment is None else environment
    home = Path(world.get("HOME") or Path.home())
    cwd = _working_directory()
    return Runtime(
        clock=clock,
        home=home,
        cwd=cwd,
        environment=world,
        data_dir=places.data_dir(data_dir, home, world, cwd),
        flags=flags,
    )


def _working_directory() -> Path | None:
    """The working directory; None where it was deleted under us."""
    try:
        return Path.cwd()
    except OSError:
        return None
