"""Finds the whole objects on a line that is not simply one of them, and the damage between.

Owns what counts as an object among fragments. Only `jsonl` calls it; it reads no file and decodes nothing but the keys that settle a doubt.
Its verdict depends on the bytes of the line alone, so that reading a file in pieces and reading it at once tell the same.
"""

from collections.abc import Callable, Iterator
from typing import Literal

import msgspec

from lith.kernel.jsonl_grammar import COMMA, LBRACE, LBRACKET, NUL, QUOTE, RBRACE, RBRACKET
from lith.kernel.jsonl_scan import Scanner
from lith.kernel.jsonl_skeleton import Skeleton

WORK_PER_BYTE = 8
"""Failed attempts may cost this many times the bytes passed so far; a line that asks for more is damage from there on."""
WORK_PER_ATTEMPT = 1 << 10
"""What a failed attempt costs beside the bytes it read. Every object found pays for four."""
WORK_FLOOR = 1 << 27

Reason = Literal["torn", "garbage", "nul", "oversized", "budget"]

_GOES_ON = (COMMA, RBRACKET, RBRACE)
_keys = msgspec.json.Decoder(dict[str, msgspec.Raw])


class Span(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A run of bytes of the (decompressed) file: offset and length in bytes; `line` counts from 1, by LF.

    `object` is one whole JSON object, `value` a line that is one whole JSON document of another kind, `damage` bytes that are not white
    space and belong to no whole object. `reason`, for damage: `torn` begins as an object, `nul` with zero bytes, `garbage` with neither;
    `oversized` is a whole object too big to be given; `budget` was not looked at, because finding objects in it would take too long.
    """

    kind: Literal["object", "value", "damage"]
    line: int
    offset: int
    length: int
    reason: Reason | None = None


class Splitter:
    """Iterates over the spans of the line under a scanner, in order; objects of a streamed line come with their skeleton.

    A damage span runs to the next object or to the end of the line, without the white space before that. `is_tail` is asked at the end
    of the line: an unfinished line's last damage is not reported, because more bytes may complete it.
    """

    def __init__(
        self,
        scanner: Scanner,
        line: int,
        *,
        is_tail: Callable[[], bool],
        new_skeleton: Callable[[], Skeleton] | None = None,
    ) -> None:
        self._scanner = scanner
        self._line = line
        self._is_tail = is_tail
        self._new_skeleton = new_skeleton
        self._balance = WORK_FLOOR
        self._first = scanner.tell()
        self._damage = -1
        self._reason: Reason = "torn"
        self._only_separators = True

    def __iter__(self) -> Iterator[tuple[Span, Skeleton | None]]:
        scanner = self._scanner
        if scanner.peek() in (LBRACKET, QUOTE):
            yield from self._iter_value()
        while (char := scanner.peek()) >= 0:
            if char == LBRACE:
                yield from self._iter_object()
            else:
                self._skip_garbage(char)
        if not self._is_tail():
            yield from self._iter_damage(scanner.trim(self._damage))

    def _iter_value(self) -> Iterator[tuple[Span, Skeleton | None]]:
        """A line that begins as an array or a string is one value, or is searched for objects."""
        scanner, start = self._scanner, self._scanner.tell()
        skeleton = self._new_skeleton() if self._new_skeleton else None
        done = scanner.scan(skeleton)
        end = scanner.tell()
        if done and scanner.peek() < 0:
            if not self._is_tail():
                yield self._whole("value", start, end, skeleton), skeleton
        elif scanner.streamed:
            self._begin_damage(start, "garbage")
            self._only_separators = False
            if not done:
                scanner.resync(start)
        else:
            scanner.wasted += end - start
            scanner.pos = start - scanner.base

    def _iter_object(self) -> Iterator[tuple[Span, Skeleton | None]]:
        scanner, start = self._scanner, self._scanner.tell()
        damage_end = scanner.trim(self._damage)
        skeleton = self._new_skeleton() if self._new_skeleton else None
        if scanner.scan(skeleton):
            end = scanner.tell()
            if self._damage >= 0 and not self._only_separators and scanner.peek() in _GOES_ON:
                return  # a part of the broken document around it, which goes on
            yield from self._iter_damage(damage_end)
            yield self._whole("object", start, end, skeleton), skeleton
            self._balance += 4 * WORK_PER_ATTEMPT
            return
        self._begin_damage(start, "oversized" if scanner.too_big else "torn")
        self._only_separators = False
        inner = self._find_swallowed(start)
        if inner:
            yield from self._iter_damage(inner[0])
            yield Span("object", self._line, inner[0], inner[1] - inner[0]), None
            return
        scanner.resync(start)
        self._balance -= WORK_PER_ATTEMPT
        if scanner.too_big:
            scanner.skip_all()
        elif scanner.wasted > WORK_PER_BYTE * (scanner.tell() - self._first) + self._balance:
            self._reason = "budget"
            scanner.skip_all()

    def _skip_garbage(self, char: int) -> None:
        self._begin_damage(self._scanner.tell(), "garbage" if char != NUL else "nul")
        if self._only_separators and char in (COMMA, LBRACKET, RBRACKET, NUL):
            self._scanner.skip_separators()
        else:
            self._only_separators = False
            self._scanner.find_object()

    def _find_swallowed(self, start: int) -> tuple[int, int] | None:
        """The offsets of a whole object that a fragment took for its own value, when it broke right after.

        `{"type":"a","message":` and then a whole record reads as one document until the record ends. A part of the fragment looks the
        same, so the object counts only if it repeats the fragment's own first keys, as records of one file do.
        """
        scanner = self._scanner
        end = scanner.ends_with_brace()
        if scanner.streamed or not scanner.settled or end < 0 or (scanner.at_end and self._is_tail()):
            return None
        again = Scanner(scanner.buf, scanner.base)
        again.pos = start - scanner.base
        again.scan(watch_depth=len(scanner.stack))
        scanner.wasted += scanner.tell() - start
        inner = again.watched
        fragment = scanner.buf[start - scanner.base : inner - scanner.base] + b"null" + bytes(scanner.stack[::-1])
        try:
            outer_keys = _keys.decode(fragment)
            inner_keys = _keys.decode(scanner.buf[inner - scanner.base : end - scanner.base])
        except (msgspec.DecodeError, RecursionError):
            return None
        shared = sum(key in inner_keys for key in outer_keys)
        return (inner, end) if shared >= min(3, len(outer_keys)) else None

    def _whole(self, kind: Literal["object", "value"], start: int, end: int, skeleton: Skeleton | None) -> Span:
        if skeleton and skeleton.overflow:
            return Span("damage", self._line, start, end - start, "oversized")
        return Span(kind, self._line, start, end - start)

    def _begin_damage(self, start: int, reason: Reason) -> None:
        if self._damage < 0:
            self._damage, self._reason = start, reason

    def _iter_damage(self, end: int) -> Iterator[tuple[Span, Skeleton | None]]:
        """Report the damage that ends at offset `end`, if there is any, and begin anew."""
        if self._damage >= 0:
            yield Span("damage", self._line, self._damage, end - self._damage, self._reason), None
        self._damage, self._only_separators = -1, True
