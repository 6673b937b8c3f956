"""Frontmatter: found byte for byte, read by a YAML parser, and edited as text.

Pages of strangers come through here, so the loader keeps to strings, lists and mappings, makes no objects from tags, and bounds
what anchors may expand to. An edit adds one line and is checked by reading the result again; nothing else is ever rewritten.
"""

import re
from typing import Any

import msgspec

from lith.wiki.errors import PageBroken
from lith.wiki.extras import yaml_module

Value = str | None | list["Value"] | dict[str, "Value"]
"""What a YAML value becomes: text as written (a date or a number is its text), None, a list or a mapping."""

MAX_BLOCK = 256 * 1024
MAX_NODES = 20_000
BOM = b"\xef\xbb\xbf"

_OPEN = re.compile(rb"---[ \t]*\r?\n")
_CLOSE = re.compile(rb"^(?:---|\.\.\.)[ \t]*\r?(?:\n|\Z)", re.MULTILINE)
_SECOND = re.compile(rb"(?:[ \t]*\r?\n)*---[ \t]*\r?\n[A-Za-z_][\w .-]*:(?:[ \t]|\r?\n)")
_KEY_LINE = re.compile(rb"[\"'A-Za-z_][^\n]*?:(?:[ \t]|\r?$)", re.MULTILINE)
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}" for name in ("str", "null", "int", "float", "bool", "timestamp", "seq", "map")
)


class Block(msgspec.Struct, frozen=True):
    """Where a frontmatter block lies, as byte offsets: its YAML `start:end`, and `body` after the closing line."""

    start: int
    end: int
    body: int


class Problem(msgspec.Struct, frozen=True):
    """What is wrong with a block, and on which line of the file."""

    rule: str
    message: str
    line: int


class Front(msgspec.Struct, frozen=True):
    """A page's frontmatter: where it lies, its values, and what a loader objects to (then it is never edited)."""

    block: Block | None
    values: dict[str, Value]
    problems: list[Problem]
    body: int

    @property
    def broken(self) -> bool:
        """Whether a YAML loader rejects the block."""
        return any(problem.rule == "broken-frontmatter" for problem in self.problems)


def find_block(data: bytes) -> Block | None:
    """The frontmatter block at the very start of a file (after a byte order mark), or None."""
    opening = _OPEN.match(data, len(BOM) if data.startswith(BOM) else 0)
    if opening is None:
        return None
    closing = _CLOSE.search(data, opening.end(), opening.end() + MAX_BLOCK)
    if closing is None:
        return None
    return Block(start=opening.end(), end=closing.start(), body=closing.end())


def read_front(data: bytes) -> Front:
    """Split and read the frontmatter of a file's bytes; whatever is wrong becomes a problem, never an exception."""
    mark = len(BOM) if data.startswith(BOM) else 0
    block = find_block(data)
    if block is None:
        opening = _OPEN.match(data, mark)
        problems = []
        if opening is not None and _KEY_LINE.match(data, opening.end()):
            problems.append(Problem("broken-frontmatter", "the frontmatter is opened but never closed", 1))
        return Front(block=None, values={}, problems=problems, body=mark)
    problems = []
    values: dict[str, Value] = {}
    try:
        values = load_yaml(data[block.start : block.end].decode("utf-8"), problems)
    except UnicodeDecodeError:
        problems.append(Problem("broken-frontmatter", "the frontmatter is not UTF-8", 2))
    if _SECOND.match(data, block.body) and _CLOSE.search(data, data.index(b"---", block.body) + 3):
        line = data.count(b"\n", 0, data.index(b"---", block.body)) + 1
        problems.append(Problem("second-frontmatter", "a second frontmatter block follows; only the first one counts", line))
    return Front(block=block, values=values, problems=problems, body=block.body)


def load_yaml(text: str, problems: list[Problem]) -> dict[str, Value]:
    """The mapping in a YAML text; objections are appended to `problems` with file lines (the block begins on line 2)."""
    builder = _Builder(problems)
    yaml = yaml_module()
    try:
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        for event in yaml.parse(text, Loader=loader):
            if not builder.take(event):
                break
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = 2 if mark is None else mark.line + 2
        reason = getattr(error, "problem", None) or "not valid YAML"
        problems.append(Problem("broken-frontmatter", f"not valid YAML: {reason}", line))
        return {}
    except (RecursionError, ValueError, OverflowError) as error:
        problems.append(Problem("broken-frontmatter", f"not valid YAML: {type(error).__name__}", 2))
        return {}
    if builder.root is None or builder.failed:
        return {}
    if not isinstance(builder.root, dict):
        problems.append(Problem("broken-frontmatter", "the frontmatter is not a mapping of keys to values", 2))
        return {}
    return builder.root


class _Open(msgspec.Struct):
    """A collection that is being read: where values go, the key that waits, its anchor, and how many nodes it holds."""

    value: Any
    key: str | None = None
    anchor: str | None = None
    nodes: int = 1


class _Builder:
    """Builds values from parser events with a stack of its own, so that depth and expansion are bounded."""

    def __init__(self, problems: list[Problem]) -> None:
        self.root: Value = None
        self.failed = False
        self._problems = problems
        self._stack: list[_Open] = []
        self._anchors: dict[str, tuple[Value, int]] = {}
        self._nodes = 0

    def take(self, event: Any) -> bool:
        """Use one event; False when reading must stop."""
        name = type(event).__name__
        if name == "ScalarEvent":
            self._check_tag(event)
            plain = event.style is None or event.style == ""
            value = None if plain and event.value in _NULLS else str(event.value)
            self._place(value, 1, event)
            self._anchor(event.anchor, value, 1)
        elif name in {"MappingStartEvent", "SequenceStartEvent"}:
            self._check_tag(event)
            if self._awaits_key():
                self._fail("a key must be text", event)
            self._stack.append(_Open({} if name.startswith("M") else [], anchor=event.anchor))
        elif name in {"MappingEndEvent", "SequenceEndEvent"}:
            done = self._stack.pop()
            self._place(done.value, done.nodes, event)
            self._anchor(done.anchor, done.value, done.nodes)
        elif name == "AliasEvent":
            if event.anchor not in self._anchors:
                self._fail(f"the alias *{event.anchor} points at nothing before it", event)
            else:
                self._place(*self._anchors[event.anchor], event)
        return not self.failed

    def _check_tag(self, event: Any) -> None:
        if event.tag is not None and event.tag not in _PLAIN_TAGS and event.tag != "!":
            self._fail(f"the tag {event.tag} is not allowed", event)

    def _awaits_key(self) -> bool:
        return bool(self._stack) and isinstance(self._stack[-1].value, dict) and self._stack[-1].key is None

    def _anchor(self, anchor: str | None, value: Value, nodes: int) -> None:
        if anchor is not None:
            self._anchors[anchor] = (value, nodes)

    def _place(self, value: Value, nodes: int, event: Any) -> None:
        self._nodes += 1
        if not self._stack:
            self.root = value
            return
        top = self._stack[-1]
        top.nodes += nodes
        if top.nodes > MAX_NODES or self._nodes > MAX_NODES:
            self._fail("the values expand to too much", event)
        elif isinstance(top.value, list):
            top.value.append(value)
        elif top.key is None:
            if isinstance(value, list | dict):
                self._fail("a key must be text", event)
                return
            top.key = value or ""
            if top.key in top.value:
                line = event.start_mark.line + 2
                self._problems.append(Problem("broken-frontmatter", f"the key {top.key!r} occurs twice", line))
        else:
            top.value[top.key] = value
            top.key = None

    def _fail(self, message: str, event: Any) -> None:
        if not self.failed:
            self._problems.append(Problem("broken-frontmatter", message, event.start_mark.line + 2))
        self.failed = True


def add_line(data: bytes, key: str, text: str) -> bytes:
    """The file's bytes with one more frontmatter line `key: text`; every other byte stays. Raises `PageBroken`.

    A page without frontmatter gets a block that holds the line alone. `text` is YAML as it should stand there.
    """
    front = read_front(data)
    if front.broken:
        raise PageBroken(f"the frontmatter cannot be edited: {front.problems[0].message}", hint="repair its YAML first")
    if key in front.values:
        raise PageBroken(f"the frontmatter has a key {key!r} already")
    if front.block is None:
        mark = BOM if data.startswith(BOM) else b""
        eol = b"\r\n" if _uses_crlf(data) else b"\n"
        edited = mark + eol.join((b"---", f"{key}: {text}".encode(), b"---", b"")) + data[len(mark) :]
    else:
        block = data[front.block.start : front.block.end]
        eol = b"\r\n" if data[: front.block.start].endswith(b"\r\n") else b"\n"
        line = _indent(block) + f"{key}: {text}".encode() + eol
        edited = data[: front.block.end] + line + data[front.block.end :]
    again = read_front(edited)
    one: dict[str, Value] = load_yaml(f"{key}: {text}", [])
    if again.broken or again.values != front.values | one or edited[again.body :] != data[front.body :]:
        raise PageBroken("the frontmatter is written in a form that cannot take one more line", hint="edit this page by hand")
    return edited


def _uses_crlf(data: bytes) -> bool:
    first = data.find(b"\n")
    return first > 0 and data[first - 1 : first] == b"\r"


def _indent(block: bytes) -> bytes:
    for line in block.splitlines():
        stripped = line.lstrip(b" ")
        if stripped and not stripped.startswith(b"#"):
            return line[: len(line) - len(stripped)]
    return b""


def quote(text: str) -> str:
    """A double-quoted YAML scalar of any text, on one line."""
    out = []
    for char in text:
        code = ord(char)
        if char in '"\\':
            out.append("\\" + char)
        elif code < 0x20 or 0x7F <= code < 0xA0 or code in {0x2028, 0x2029, 0xFEFF} or 0xD800 <= code <= 0xDFFF:
            out.append(f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}")
        else:
            out.append(char)
    return '"' + "".join(out) + '"'
