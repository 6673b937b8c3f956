"""Which clients this lith reads, told without importing their adapters: a search that names one should not pay for all of them.

Called by the other modules of this room. An adapter is a package below `lith.sources` with the client's name.
"""

from collections.abc import Sequence
from functools import cache
from importlib.util import find_spec

from lith.errors import UnknownSource
from lith.records.address import SOURCES


@cache
def client_names() -> tuple[str, ...]:
    """The clients that have an adapter, in the order in which clients are listed."""
    return tuple(name for name in SOURCES if find_spec(f"lith.sources.{name}") is not None)


def check_client(name: str, option: str, next: Sequence[Sequence[str]] = ()) -> str:
    """`name`, if it is a client that this lith reads. Raises `UnknownSource`, naming what is near and what there is."""
    if name in client_names():
        return name
    why = f"this lith does not read {name} yet" if name in SOURCES else f"there is no client {name!r}"
    hint = f"lith reads {', '.join(client_names())}"
    near = find_near(name, client_names())
    raise UnknownSource(f"{option}: {why}", hint=f"did you mean {near[0]}? {hint}" if near else hint, next=next)


def find_near(word: str, valid: Sequence[str], *, count: int = 1) -> list[str]:
    """Those of some valid words that a mistyped one is nearest to, without regard to case; first those that it begins or is part of."""
    import difflib  # noqa: PLC0415 -- only for a word that is wrong

    folded = {one.casefold(): one for one in reversed(valid)}
    typed = word.casefold()
    if not typed:
        return []
    inside = [one for one in valid if typed in one.casefold()]
    close = [folded[one] for one in difflib.get_close_matches(typed, list(folded), n=count, cutoff=0.5)]
    return list(dict.fromkeys([*inside, *close]))[:count]
