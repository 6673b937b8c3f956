"""Every setting that there is, one row each: its key, its shape, its default, what it is for.

The loader, the `LITH_*` variables, `lith config show` and the documentation follow from this table. A setting that nothing uses has
no row, so that writing it is an error and not a silent nothing.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

Shape = Literal["choice", "sources", "roots", "path", "switch", "age"]
"""`choice` is one word of `choices`, `sources` a list of client names, `roots` a table of client name to one or more paths.

`path` is one path, or empty for none. `switch` is `on` or `off` (`true` and `false` in the file), `age` a length of time such as `10m`.
"""

Plain = str | tuple[str, ...] | tuple[tuple[str, str], ...]
"""What a setting can hold; roots are (client, path) pairs."""


class Setting(NamedTuple):
    """One row: `key` is `section.name`."""

    key: str
    shape: Shape
    default: Plain
    doc: str
    choices: tuple[str, ...] = ()

    @property
    def section(self) -> str:
        """The table of the config file that it stands in."""
        return self.key.partition(".")[0]

    @property
    def name(self) -> str:
        """Its key within that table."""
        return self.key.partition(".")[2]

    @property
    def flag(self) -> str:
        """The option that overrides it, where a command has one: that of a list names one thing at a time."""
        return f"--{self.name.removesuffix('s')}"

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return "LITH_" + self.key.replace(".", "_").upper()


SETTINGS = (
    Setting("sources.roots", "roots", (), "where a client's sessions are, instead of the client's own place"),
    Setting("sources.disabled", "sources", (), "clients that sync leaves out"),
    Setting(
        "sources.projection",
        "choice",
        "calls",
        "what becomes searchable: `talk` is what people and models said, `calls` adds what tools were called with",
        ("talk", "calls"),
    ),
    Setting("archive.auto", "switch", "off", "whether every sync archives what it finds, as with --archive"),
    Setting("archive.quiet_period", "age", "10m", "how long a session counts as live after a change: it is not pruned before"),
    Setting(
        "wiki.vault", "path", "", "the vault that `lith wiki` works on, instead of the nearest one from the working directory"
    ),
)


def find_setting(key: str) -> Setting | None:
    """The row of a key, if there is one."""
    return next((setting for setting in SETTINGS if setting.key == key), None)


def find_unknown_variables(names: Iterable[str]) -> list[tuple[str, str | None]]:
    """Those of some `LITH_*` variables that no setting has, each with the one that is nearest, if any is near."""
    import difflib  # noqa: PLC0415 -- hardly anybody sets a variable

    known = [setting.variable for setting in SETTINGS] + ["LITH_DATA_DIR"]
    unknown = [name for name in names if name not in known]
    return [(name, next(iter(difflib.get_close_matches(name, known, n=1, cutoff=0.7)), None)) for name in unknown]
