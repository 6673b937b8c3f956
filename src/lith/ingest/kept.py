"""What the map keeps of a record's texts: scrubbed, without what lith itself had recalled, and not without end.

`project` stores it, `derive` indexes it, and whoever shows a record from its bytes goes through here as well, so that there is one view.
"""

from collections.abc import Iterable, Iterator

import msgspec

from lith.records.record import Kind, Piece
from lith.scrub import scrub, strip_sentinels
from lith.store.map.schema import MAX_PIECES

MAX_TEXT = 256 << 10
"""Characters of one piece that are kept; the rest is reached through its record."""
MAX_NAME = 256
"""Characters of a name (a type, a tool, a branch) that are kept."""
NUL_SHOWN = "\u2400"
"""What stands for a NUL in stored text: SQLite's own text functions end at one."""

_ENCODE = msgspec.json.Encoder().encode
_FIELDS = msgspec.json.Decoder(dict[str, str])


def iter_kept(pieces: Iterable[Piece], *, calls: bool) -> Iterator[tuple[int, Piece, str]]:
    """The pieces of a record that the map holds, each with its number and its text as it may be shown; of a call a JSON object."""
    kept = 0
    for piece in pieces:
        if piece.kind is Kind.CALL:
            if not calls:
                continue
            text = _ENCODE(_clean_fields(piece.fields)).decode()
        else:
            text = clean_text(piece.text)
            if not text.strip():
                continue
        if kept == MAX_PIECES:
            return
        yield kept, piece, text
        kept += 1


def searchable(kind: Kind, tool: str | None, text: str) -> str:
    """The words of a stored piece that search sees: of a call its tool and the values of its fields, not their names."""
    if kind is not Kind.CALL:
        return text
    return "\n".join((tool or "", *_FIELDS.decode(text).values()))


def clean_text(text: str) -> str:
    """What of a client's text may be stored."""
    text, _ = strip_sentinels(text)
    clean = scrub(text).text.replace("\0", NUL_SHOWN)
    if len(clean) <= MAX_TEXT:
        return clean
    return f"{clean[: MAX_TEXT // 2]}\n[… {len(clean) - MAX_TEXT} characters …]\n{clean[-MAX_TEXT // 2 :]}"


def clean_name(name: str) -> str:
    """What of a client's name for something may be stored: a transcript can put anything in its place."""
    return scrub(name[:MAX_NAME]).text.replace("\0", NUL_SHOWN)


def _clean_fields(fields: tuple[tuple[str, str], ...]) -> dict[str, str]:
    """The fields of a call, one value each: a call that names several files gives their paths line by line."""
    values: dict[str, str] = {}
    for name, value in fields:
        clean = clean_text(value)
        values[name] = f"{values[name]}\n{clean}" if name in values else clean
    return values
