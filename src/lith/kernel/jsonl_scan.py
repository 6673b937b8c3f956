"""A strict JSON scanner that finds where a document ends, or where it breaks, without building values.

Only `jsonl` and `jsonl_resync` use it, for lines that a C decoder has refused or that do not fit in memory. It is iterative, so nesting
costs memory and not stack. It accepts what the decoder accepts, plus lone surrogate escapes in strings; it never decodes a string.
"""

from collections.abc import Callable
from typing import Protocol

from lith.kernel import jsonl_grammar as grammar
from lith.kernel.jsonl_grammar import WINDOW

LOOKBACK = 256
"""Bytes kept before the position when the window moves, so that the text just before an error can be seen."""
REACH = 64
"""White space that is looked through backwards; with a quote and a brace two such runs fit in LOOKBACK, however a line arrives."""
MAX_STREAMED_DEPTH = 1_000_000
MAX_STREAMED_NUMBER = 1 << 20

_FAILED, _FIRST, _NEXT, _AFTER_VALUE = -1, 0, 1, 2


class Sink(Protocol):
    """Takes the bytes of the document that is being scanned, strings apart from the rest."""

    cut: int

    def feed(self, data: bytes) -> None: ...
    def feed_string(self, data: bytes) -> None: ...
    def end_string(self) -> None: ...


class Scanner:
    """A position in one line, which is whole in memory or arrives piece by piece from `pull` (empty bytes = the end).

    `tell()` is an offset in the file; `buf` and `pos` are the window. After a failed `scan`, the position is the first byte that cannot
    continue the document, `at_end` says that the line ended first, and `settled` that a complete value stood just before it.
    `attempts` and `wasted` count the work: documents begun, and bytes read in those that failed.
    """

    def __init__(self, buf: bytes, base: int, pull: Callable[[], bytes] | None = None) -> None:
        self.buf = buf
        self.base = base
        self.pos = 0
        self.stack = bytearray()
        self.at_end = False
        self.settled = False
        self.too_big = False
        self.watched = -1
        self.attempts = 0
        self.wasted = 0
        self._watch_depth = 0
        self._pull = pull
        self.streamed = pull is not None
        self._sink: Sink | None = None
        self._mark = 0

    def tell(self) -> int:
        """The offset of the position in the file."""
        return self.base + self.pos

    def peek(self) -> int:
        """Skip white space and return the byte there, or -1 at the end of the line."""
        while True:
            match = grammar.SPACE.match(self.buf, self.pos)
            self.pos = match.end() if match else self.pos
            if self.pos < len(self.buf):
                return self.buf[self.pos]
            if not self._more():
                return -1

    def need(self, count: int) -> None:
        """Have `count` bytes from the position in the window, if the line has as many."""
        while len(self.buf) - self.pos < count and self._more():
            pass

    def skip_separators(self) -> None:
        """Move past commas, brackets, zero bytes and white space: none of them is a sign of a document around."""
        while True:
            match = grammar.SEPARATORS.match(self.buf, self.pos)
            self.pos = match.end() if match else self.pos
            if self.pos < len(self.buf) or not self._more():
                return

    def find_object(self) -> None:
        """Move to the next place where an object may begin, or to the end of the line."""
        while True:
            match = grammar.OBJECT_START.search(self.buf, self.pos)
            self.pos = match.start() if match else len(self.buf)
            if match or not self._more():
                return

    def skip_all(self) -> None:
        """Move to the end of the line."""
        self.pos = len(self.buf)
        while self._more():
            self.pos = len(self.buf)

    def trim(self, low: int) -> int:
        """The offset after the last byte before the position that is not white space, `low` at least."""
        pos = self._before(self.pos)
        return max(low, self.base + pos)

    def ends_with_brace(self) -> int:
        """The offset after a `}` that is the last thing before the position, or -1."""
        pos = self._before(self.pos)
        return self.base + pos if pos and self.buf[pos - 1] == grammar.RBRACE else -1

    def resync(self, start: int) -> None:
        """After the document at offset `start` failed, move to where the next one may begin.

        A fragment torn inside a string swallows the next object up to its first quote, so the brace just before the last quote is tried
        first; otherwise nothing before the error is looked at again, which keeps the work linear.
        """
        self.wasted += self.tell() - start
        pos = self._before(self.pos)
        if pos and self.buf[pos - 1] == grammar.QUOTE:
            brace = self._before(pos - 1) - 1
            if brace >= 0 and self.base + brace > start and self.buf[brace] == grammar.LBRACE:
                self.pos = brace
                return
        if self.tell() == start:
            self.pos += 1
        self.find_object()

    def scan(self, sink: Sink | None = None, watch_depth: int = -1) -> bool:
        """Move past the JSON document at the position; False leaves the position at the error.

        `watched` becomes the offset of the last object that was opened inside `watch_depth` open containers.
        """
        self.attempts += 1
        self.stack = bytearray()
        self.at_end = self.settled = self.too_big = False
        self.watched, self._watch_depth = -1, watch_depth
        self._sink, self._mark = sink, self.pos
        done = self._run()
        if done:
            self._flush()
        self._sink = None
        return done

    def _run(self) -> bool:
        state = self._value()
        while state != _FAILED and self.stack:
            state = self._after() if state == _AFTER_VALUE else self._inside(state)
            if self.streamed and len(self.stack) > MAX_STREAMED_DEPTH:
                self.too_big = True
                return False
        return state != _FAILED

    def _inside(self, state: int) -> int:
        """Read members or items: all flat ones in one step, then the one that opens or closes something."""
        in_object = self.stack[-1] == grammar.RBRACE
        buf, limit = self.buf, self.pos + (self._sink.cut if self._sink else WINDOW)
        flat = (grammar.MEMBERS if in_object else grammar.ITEMS).match(buf, self.pos, limit)
        if flat and flat.end() > self.pos:
            self.pos = flat.end()
            state = _NEXT
        turn = (grammar.MEMBER_TURN if in_object else grammar.ITEM_TURN).match(buf, self.pos, limit)
        if turn:
            self.pos = turn.end()
            last = buf[self.pos - 1]
            if last == grammar.LBRACE:
                return self._open(grammar.RBRACE, 1)
            if last == grammar.LBRACKET:
                return self._open(grammar.RBRACKET, 1 if in_object else turn[0].count(b"["))
            self.stack.pop()
            return _AFTER_VALUE
        return self._inside_careful(state, in_object)

    def _inside_careful(self, state: int, in_object: bool) -> int:
        char = self.peek()
        if state == _FIRST and char == self.stack[-1]:
            self.pos += 1
            self.stack.pop()
            return _AFTER_VALUE
        if in_object:
            if char != grammar.QUOTE:
                return self._fail(char)
            if not self._string():
                return _FAILED
            char = self.peek()
            if char != grammar.COLON:
                return self._fail(char)
            self.pos += 1
        return self._value()

    def _after(self) -> int:
        match = grammar.AFTER.match(self.buf, self.pos)
        if match is None:
            char = self.peek()
            if char == grammar.COMMA or char == self.stack[-1]:
                return _AFTER_VALUE
            self.settled = True
            return self._fail(char)
        run = match[1]
        start = match.end() - len(run)
        if run == b",":
            self.pos = start + 1
            return _NEXT
        count = min(len(run), len(self.stack))
        if run[:count] != self.stack[: -count - 1 : -1]:
            count = next(i for i in range(count) if run[i] != self.stack[-1 - i])
        if not count:
            self.pos = start
            self.settled = True
            return self._fail(run[0])
        del self.stack[-count:]
        self.pos = start + count
        return _AFTER_VALUE

    def _value(self) -> int:
        char = self.peek()
        if char in (grammar.LBRACE, grammar.LBRACKET):
            self.pos += 1
            return self._open(grammar.RBRACE if char == grammar.LBRACE else grammar.RBRACKET, 1)
        if char == grammar.QUOTE:
            return _AFTER_VALUE if self._string() else _FAILED
        word = grammar.WORDS.get(char)
        if word:
            self.need(len(word))
            got = self.buf[self.pos : self.pos + len(word)]
            if got == word:
                self.pos += len(word)
                return _AFTER_VALUE
            self.pos += next((i for i, byte in enumerate(got) if byte != word[i]), len(got))
            return self._fail(self.buf[self.pos] if self.pos < len(self.buf) else -1)
        return self._number(char)

    def _number(self, char: int) -> int:
        while True:
            run = grammar.NUMBER_RUN.match(self.buf, self.pos)
            end = run.end() if run else self.pos
            if self.streamed and end - self.pos > MAX_STREAMED_NUMBER:
                self.too_big = True
                return _FAILED
            if end < len(self.buf) or not self._more():
                break
        number = grammar.NUMBER.match(self.buf, self.pos)
        if number and number.end() == end:
            self.pos = end
            return _AFTER_VALUE
        at_end = end == len(self.buf) and end > self.pos
        self.pos = number.end() if number else self.pos
        return self._fail(-1 if at_end else char)

    def _string(self) -> bool:
        """Move past the string at the position, handing it to the sink in pieces when it does not fit in the window."""
        self._flush()
        self.pos += 1
        while True:
            match = grammar.STRING_BODY.match(self.buf, self.pos, self.pos + WINDOW)
            if match and match.end() > self.pos:
                self.pos = match.end()
            elif self.pos < len(self.buf) and self.buf[self.pos] == grammar.QUOTE:
                self.pos += 1
                self._flush_string(done=True)
                return True
            elif self.pos < len(self.buf) and not grammar.ESCAPE_START.match(self.buf, self.pos):
                self._fail(self.buf[self.pos])
                return False
            else:
                self._flush_string(done=False)
                if not self._more():
                    self._fail(-1)
                    return False

    def _open(self, closer: int, count: int) -> int:
        if closer == grammar.RBRACE and len(self.stack) == self._watch_depth:
            self.watched = self.base + self.pos - 1
        self.stack.extend(bytes((closer,)) * count)
        return _FIRST

    def _fail(self, char: int) -> int:
        self.at_end = char < 0
        return _FAILED

    def _before(self, pos: int) -> int:
        """`pos` moved back over white space, at most by REACH."""
        low = max(0, pos - REACH)
        return low + len(self.buf[low:pos].rstrip(grammar.BLANK))

    def _flush(self) -> None:
        if self._sink and self._mark < self.pos:
            self._sink.feed(self.buf[self._mark : self.pos])
            self._mark = self.pos

    def _flush_string(self, *, done: bool) -> None:
        if self._sink:
            self._sink.feed_string(self.buf[self._mark : self.pos])
            self._mark = self.pos
            if done:
                self._sink.end_string()

    def _more(self) -> bool:
        """Move the window on by one piece; False at the end of the line."""
        chunk = self._pull() if self._pull else b""
        if not chunk:
            self._pull = None
            return False
        self._flush()
        keep = max(0, self.pos - LOOKBACK)
        self.buf = self.buf[keep:] + chunk
        self.base += keep
        self.pos -= keep
        self._mark -= keep
        return True
