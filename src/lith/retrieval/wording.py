"""How a document reads: a message as it is, a call as the values of its fields.

Called by the other modules of this room. It reads rows, not the map.
"""

from functools import lru_cache

import msgspec

from lith.records.record import Kind, Label
from lith.store.map.read import DocumentRow

ABOUT_ALL = frozenset({Label.TITLE, Label.AI_TITLE, Label.SUMMARY})
"""What profile texts say of a session as a whole; the others, such as a compaction, have a place in the conversation."""

_FIELDS = msgspec.json.Decoder(dict[str, str])


@lru_cache(maxsize=1024)
def call_fields(text: str) -> dict[str, str]:
    """The fields of a call, in order, from its stored text; what is no JSON object of strings is one field, `text`."""
    try:
        return _FIELDS.decode(text)
    except (msgspec.DecodeError, UnicodeEncodeError):
        return {"text": text}


def fields_of(document: DocumentRow) -> dict[str, str]:
    """The parts of a document that can match, by name: `text` of a message or a result, the label of a profile text, a call's fields."""
    if document.kind == Kind.CALL:
        return call_fields(document.text)
    return {(document.label if document.kind == Kind.PROFILE else None) or "text": document.text}


def plain_text(document: DocumentRow) -> str:
    """A document as one text, to match and to score by."""
    return "\n".join(fields_of(document).values()) if document.kind == Kind.CALL else document.text


def readable_text(document: DocumentRow) -> str:
    """A document as it is printed: of a call one line for each field, with its name."""
    if document.kind != Kind.CALL:
        return document.text
    return "\n".join(f"{name}: {value}" for name, value in call_fields(document.text).items())
