"""The only writer of standard output (and of the notes on standard error).

stdout is data: one JSON object, text for a person, or raw bytes. stderr is notes. Text is cleaned of control characters here, so that
nothing in a transcript can drive the reader's terminal; colour is for a terminal only. Nothing here decides what is said.
"""

import contextlib
import io
import os
import sys
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, TextIO

from lith.errors import StorageError
from lith.faces.cli import layout
from lith.faces.cli.encoding import encode, to_plain
from lith.kernel.clock import format_local, parse_iso

SCHEMA_VERSION = 1
NARROWEST, WIDEST, USUAL = 40, 100, 80
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Styled(str):
    """Text in a style: `bold`, `dim`, or a colour."""

    __slots__ = ("style",)
    style: str

    def __new__(cls, text: str, style: str) -> "Styled":
        """Text that is shown in `style` where styles are shown."""
        styled = super().__new__(cls, text)
        styled.style = style
        return styled


def bold(text: str) -> Styled:
    """Text that leads the eye."""
    return Styled(text, "bold")


def dim(text: str) -> Styled:
    """Text that may be skipped."""
    return Styled(text, "dim")


class Unwritable(StorageError):
    """Standard output takes no more, so the answer cannot be given."""


class Output:
    """Where one command's answer goes.

    `as_json` and `quiet` are the options; `data_dir` is the word given for `--data-dir`, repeated in the commands that errors suggest.
    `argv` are the words as they were typed, `command` the name of the command once it is known. Where a stream was closed by whoever
    started lith, what would go there goes nowhere.
    """

    def __init__(
        self,
        *,
        started: float,
        environment: Mapping[str, str] | None = None,
        stdout: TextIO | None = None,
        stderr: TextIO | None = None,
    ) -> None:
        self.started = started
        self.environment = os.environ if environment is None else environment
        self.as_json = False
        self.quiet = False
        self.data_dir: str | None = None
        self.argv: Sequence[str] = ()
        self.command = ""
        self._out = stdout or sys.stdout or io.StringIO()
        self._err = stderr or sys.stderr or io.StringIO()
        for stream in (self._out, self._err):
            reconfigure = getattr(stream, "reconfigure", None)
            if reconfigure is not None:
                reconfigure(errors="backslashreplace")

    @property
    def colour(self) -> bool:
        """Whether text may carry colour."""
        return self._is_terminal(self._out)

    @property
    def live(self) -> bool:
        """Whether a progress bar may be drawn on standard error."""
        return not self.quiet and not self.as_json and self._err.isatty() and self.environment.get("TERM") != "dumb"

    @property
    def can_ask(self) -> bool:
        """Whether somebody sits at a terminal who can be asked."""
        return not self.quiet and not self.as_json and sys.stdin is not None and sys.stdin.isatty() and self._err.isatty()

    def ask(self, prompt: str) -> str | None:
        """One line typed by a person, without the spaces around it; None when there is no more to come (Ctrl-D)."""
        self._out.flush()
        self._err.write(clean(prompt))
        self._err.flush()
        line = sys.stdin.readline()
        if not line:
            self._err.write("\n")
            return None
        return line.strip()

    @property
    def stderr(self) -> TextIO:
        """The stream of the notes, for a progress bar."""
        return self._err

    @property
    def width(self) -> int:
        """How many columns text should fill."""
        return _width(self._out, self.environment)

    def object(self, result: Any) -> None:
        """Print a result as the one JSON object, with `schema_version` and `elapsed_ms` in front; absent values are left out."""
        elapsed = round((time.perf_counter() - self.started) * 1000, 1)
        self.raw(encode({"schema_version": SCHEMA_VERSION, "elapsed_ms": elapsed, **to_plain(result)}) + b"\n")

    def line(self, *parts: str) -> None:
        """Print one line of text; styled parts in their style where the reader has a terminal."""
        with _writing():
            self._out.write("".join(_styled(part) if self.colour else clean(part) for part in parts) + "\n")

    def raw(self, data: bytes) -> None:
        """Write bytes exactly as they are."""
        with _writing():
            self._out.flush()
            buffer = getattr(self._out, "buffer", None)
            if buffer is None:
                self._out.write(data.decode("utf-8", "backslashreplace"))
            else:
                buffer.write(data)
                buffer.flush()

    def prose(self, text: str, *, style: str | None = None, indent: int = 0) -> None:
        """Print a sentence on as many lines as it needs; no word of it is broken."""
        for line in layout.prose(" " * indent + text, self.width):
            self.line(Styled(line, style) if style else line)

    def facts(self, parts: Sequence[str], *, style: str | None = None, indent: int = 0, separator: str = " · ") -> None:
        """Print short facts in a row, on as many lines as they need."""
        for line in layout.facts(parts, self.width, indent=indent, separator=separator):
            self.line(Styled(line, style) if style else line)

    def note(self, text: str) -> None:
        """A remark on standard error; none with `--quiet`."""
        if not self.quiet:
            self.complain(text)

    def complain(self, text: str) -> None:
        """A line on standard error that `--quiet` does not silence; on a terminal a long one is laid out."""
        lines = layout.prose(text, _width(self._err, self.environment), hang=2) if self._err.isatty() else [text]
        self.command_line("\n".join(lines))

    def command_line(self, text: str) -> None:
        """A line on standard error that is left in one piece, so that it can be copied. One that cannot be written is lost."""
        try:
            self._err.write("\n".join(clean(line) for line in text.split("\n")) + "\n")
        except (OSError, ValueError):
            _silence(self._err)

    def again(self, *options: str, without: Collection[str] = ()) -> str:
        """The command that is running, as it is typed, with `options` added; those in `without` are taken out, with their values."""
        words = list(self.argv)
        end = words.index("--") if "--" in words else len(words)
        kept: list[str] = []
        taken = False
        for word in words[:end]:
            drop = taken or word.partition("=")[0] in without
            taken = not taken and word in without
            if not drop:
                kept.append(word)
        return layout.shell_words(["lith", *kept, *options, *words[end:]])

    def give_up(self) -> None:
        """Let everything that is still to be written go nowhere: nobody reads it any more, or nothing takes it."""
        _silence(self._out)

    def moment(self, iso: str | None) -> str:
        """A moment of a result for a person: local time with its zone; nothing where there is none."""
        ms = None if iso is None else parse_iso(iso)
        return "" if ms is None else format_local(ms)

    def paragraph(self, text: str, *, indent: int) -> None:
        """Print a text of several lines, indented; on a terminal long lines are folded at spaces, in a pipe they are left alone."""
        width = self.width - indent if self._out.isatty() else None
        for line in text.splitlines() or [""]:
            for part in layout.fold(line, width) if width else [line]:
                self.line(" " * indent, part)

    def wrap(self, text: str, *, indent: int = 0) -> list[str]:
        """A text as lines that fit beside an indent; words are kept whole where they can be."""
        return layout.wrap(text, self.width - indent)

    def flush(self) -> None:
        """Push everything out. Raises `BrokenPipeError` where nobody reads any more, and `Unwritable`."""
        with _writing():
            self._out.flush()
        try:
            self._err.flush()
        except (OSError, ValueError):
            _silence(self._err)

    def _is_terminal(self, stream: TextIO) -> bool:
        return stream.isatty() and not self.environment.get("NO_COLOR") and self.environment.get("TERM") != "dumb"


@contextlib.contextmanager
def _writing() -> Iterator[None]:
    """Tell a standard output that refuses from everything else that may go wrong with a file."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unwritable(
            f"the answer could not be written: {error.strerror or error}",
            hint="check where standard output goes, and that there is space",
        ) from error


def _silence(stream: TextIO) -> None:
    """Let a stream write into nothing from now on, also when the interpreter ends."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def _width(stream: TextIO, environment: Mapping[str, str]) -> int:
    """The columns of a stream: what `COLUMNS` says, else its terminal, else what most terminals have."""
    said = environment.get("COLUMNS", "")
    columns = int(said) if said.isascii() and said.isdigit() and len(said) < 6 else 0
    if not columns and stream.isatty():
        with contextlib.suppress(OSError, ValueError):
            columns = os.get_terminal_size(stream.fileno()).columns
    return max(NARROWEST, min(WIDEST, columns or USUAL))


def clean(text: str) -> str:
    """Text that a terminal shows and does not obey."""
    if text.isprintable():
        return str(text)
    from lith.scrub.terminal import clean_terminal  # noqa: PLC0415 -- most lines need no cleaning

    return clean_terminal(str(text))


def _styled(part: str) -> str:
    text = clean(part)
    return f"\x1b[{_STYLES[part.style]}m{text}\x1b[0m" if isinstance(part, Styled) else text
