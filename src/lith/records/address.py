"""Addresses: how people and programs name a session, a message and a record.

`claude_code:<session>` is a session, `claude_code:<session>/<agent>` a sub-agent of it, `REF#12` a message, `rec:<id>` a
record. Pure: whether
something has that address is for the map to say.
"""

import re

import msgspec

from lith.errors import BadSelector, UnknownSource

SOURCES = ("claude_code", "codex", "pi", "dsh", "opencode", "gemini")
"""The one spelling of every client's name."""

_KINDS = ("thread", "rec", "obs", "mem", "int")
_ID = re.compile(r"[^\s#:]+\Z")
_SEQ = re.compile(r"(?P<ref>.+)#(?P<seq>\d{1,9})\Z")


class Address(msgspec.Struct, frozen=True):
    """A parsed address.

    `kind` is `session`, `message`, `thread`, `rec`, `obs`, `mem` or `int`. `source` is None where a session was named by its id
    alone; `id` may be a prefix. `seq` is the message number of a `message`.
    """

    kind: str
    id: str
    source: str | None = None
    seq: int | None = None


def parse_address(text: str) -> Address:
    """Parse an address. Raises `BadSelector` for what cannot be one and `UnknownSource` for a client that does not exist."""
    word = text.strip()
    match = _SEQ.match(word)
    seq = int(match["seq"]) if match else None
    ref = match["ref"] if match else word
    head, colon, tail = ref.partition(":")
    if not colon:
        head, tail = "", ref
    if not _ID.match(tail):
        raise BadSelector(
            f"{text!r} is not an address",
            hint="a session is claude_code:<session id>, a message claude_code:<session id>#12, a record rec:<id>",
        )
    if head in _KINDS:
        if seq is not None:
            raise BadSelector(f"{text!r}: only a session has numbered messages")
        return Address(kind=head, id=tail)
    if colon:
        check_source(head)
    return Address(kind="session" if seq is None else "message", source=head or None, id=tail, seq=seq)


def check_source(name: str) -> str:
    """`name`, if it is a client's name. Raises `UnknownSource`, naming the valid ones."""
    if name not in SOURCES:
        raise UnknownSource(f"there is no source {name!r}", hint=f"the sources are {', '.join(SOURCES)}")
    return name


def session_ref(source: str, native_id: str) -> str:
    """The address of a session."""
    return f"{source}:{native_id}"


def message_ref(ref: str, seq: int) -> str:
    """The address of a message of the session at `ref`."""
    return f"{ref}#{seq}"
