"""A small document that stands for one too big to hold: the same JSON with its long strings cut, and the digest of the whole.

Owns where a string may be cut. `jsonl_resync` fills it while a document streams past; readers decode the result as they would the original.
"""

import codecs
import hashlib
import re

from lith.kernel.jsonl_grammar import STRING_BODY, WINDOW

LONG_STRING = WINDOW
"""Strings longer than this (in bytes, with quotes) are cut to it."""
SHORT_STRING = 1 << 8
"""The same, once half of the space is used, so that many middling strings do not fill it."""
MAX_SKELETON = 8 << 20

_HIGH_SURROGATE = re.compile(rb"u[dD][89abAB][0-9a-fA-F]{2}\Z")


class Skeleton:
    """Takes a document piece by piece; memory stays within twice `limit` bytes, whatever the document's size."""

    def __init__(self, limit: int = MAX_SKELETON) -> None:
        self.cut = LONG_STRING
        self.strings_cut = 0
        self.overflow = False
        self._limit = limit
        self._out = bytearray()
        self._digest = hashlib.sha256()
        self._head = b""
        self._length = 0

    def feed(self, data: bytes) -> None:
        """Take bytes in which no string is longer than `cut`."""
        self._digest.update(data)
        self._keep(data)

    def feed_string(self, data: bytes) -> None:
        """Take the next bytes of one string, quotes included."""
        self._digest.update(data)
        room = self.cut - len(self._head)
        if room > 0 and not self.overflow:
            self._head = self._head + data[:room] if self._head else data[:room]
        self._length += len(data)

    def end_string(self) -> None:
        """The string that was fed is complete."""
        if self._length > self.cut:
            self._head = b'"' + whole_prefix(self._head[1:]) + b'"'
            self.strings_cut += 1
        self._keep(self._head)
        self._head, self._length = b"", 0

    def document(self) -> bytes:
        """The JSON text with long strings cut; empty when it does not fit."""
        return bytes(self._out)

    def digest(self) -> bytes:
        """SHA-256 of all bytes of the document, as they are in the file."""
        return self._digest.digest()

    def _keep(self, data: bytes) -> None:
        if self.overflow:
            return
        if len(self._out) + len(data) > self._limit:
            self.overflow = True
            self._out = bytearray()
            self.cut = LONG_STRING
            return
        self._out += data
        if len(self._out) > self._limit // 2:
            self.cut = SHORT_STRING


def whole_prefix(body: bytes) -> bytes:
    """The longest start of a JSON string's inside, WINDOW bytes at most, that ends between characters and between escapes."""
    match = STRING_BODY.match(body, 0, WINDOW)
    kept = body[: match.end()] if match else b""
    if _HIGH_SURROGATE.search(kept):
        before = kept[:-5]
        if (len(before) - len(before.rstrip(b"\\"))) % 2:  # an even run is escaped backslashes and then plain text
            kept = before[:-1]
    return kept[: codecs.utf_8_decode(kept, "replace", False)[1]]
