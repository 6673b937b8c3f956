"""Every setting that there is, one row each: its key, its shape, its default, what it is for.

The loader, the `LITH_*` variables, `lith config show` and the documentation follow from this table. A setting that nothing uses has
no row, so that writing it is an error and not a silent nothing.
"""

from typing import Literal, NamedTuple

Shape = Literal["choice", "sources", "roots"]
"""`choice` is one word of `choices`, `sources` a list of client names, `roots` a table of client name to one or more paths."""

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
)


def find_setting(key: str) -> Setting | None:
    """The row of a key, if there is one."""
    return next((setting for setting in SETTINGS if setting.key == key), None)
