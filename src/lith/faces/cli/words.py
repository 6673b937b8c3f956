"""What a command line is made of, as plain data: options, arguments, and the values that were given for them.

`tree` makes click's objects of it, `quick` reads a command line with it without click, and the CLI reference is printed from it. So a
command says once what it takes. Nothing here imports click.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from lith.faces.cli.output import Output

Shape = Literal["text", "number", "flag"]


class Option(NamedTuple):
    """An option. `key` is the name of its value, `choices` the valid words where only some are, `least` and `most` the limits of a number.

    `bare` is its value where the option is given without one; such an option need not have a value.
    """

    flags: tuple[str, ...]
    key: str
    help: str
    shape: Shape = "text"
    many: bool = False
    metavar: str | None = None
    choices: tuple[str, ...] = ()
    least: int = 0
    most: int | None = None
    bare: str | None = None


class Argument(NamedTuple):
    """A positional argument; with `many` all that follow, joined by nobody."""

    key: str
    metavar: str
    many: bool = False
    required: bool = True


class Values:
    """The values of one command line, by key. Asking for a key that the command does not take is a mistake in lith."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self._values = values

    def get(self, key: str) -> Any:
        """Whatever was given, of whatever shape."""
        return self._values[key]

    def text(self, key: str) -> str | None:
        """One word, or None where it was not given."""
        value: str | None = self._values[key]
        return value

    def required(self, key: str) -> str:
        """One word that the parser has made sure of."""
        value: str = self._values[key]
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """All the words given for something that may come more than once."""
        return tuple(self._values[key])

    def number(self, key: str) -> int | None:
        """A number, or None where it was not given."""
        value: int | None = self._values[key]
        return value

    def flag(self, key: str) -> bool:
        """Whether a flag was given."""
        return bool(self._values[key])

    def having(self, **values: Any) -> "Values":
        """The same with some values replaced."""
        return Values({**self._values, **values})


class Command(NamedTuple):
    """One command: what it takes, how a request is made of that, how the result is shown to a person.

    `operation` is the name of its row in `ops.table`, which has the summary. `request` may raise `UsageError`. `status` gives the exit
    status of a result. `extras` gives further arguments of the operation that only this face has (a progress callback).
    """

    operation: str
    request: Callable[[Values], Any]
    show: Callable[[Any, "Output"], None]
    arguments: tuple[Argument, ...] = ()
    options: tuple[Option, ...] = ()
    details: str = ""
    examples: tuple[str, ...] = ()
    status: Callable[[Any, Values], int] | None = None
    extras: Callable[["Output"], Mapping[str, Any]] | None = None
    settings: Mapping[str, str] = {}
    """Options that override a setting: key of the value to key of the setting."""

    @property
    def all_options(self) -> Sequence[Option]:
        """Its own options and those that every command has."""
        return (*self.options, *EVERYWHERE)


EVERYWHERE = (
    Option(("--json",), "json", "Print one JSON object instead of text.", shape="flag"),
    Option(
        ("--data-dir",),
        "data_dir",
        "Where lith keeps its files [default: $LITH_DATA_DIR, else your state folder].",
        metavar="PATH",
    ),
    Option(
        ("--quiet", "-q"), "quiet", "Print the answer only: no notes, no progress; of sync, nothing but errors.", shape="flag"
    ),
)
