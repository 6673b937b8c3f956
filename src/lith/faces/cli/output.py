"""The only writer of standard output (and of the notes on standard error).

stdout is data: one JSON object, text for a person, or raw bytes. stderr is notes. Text is cleaned of control characters here, so that
nothing in a transcript can drive the reader's terminal; colour is for a terminal only. Nothing here decides what is said.
"""

import os
import sys
import time
from collections.abc import Mapping
from typing import Any, TextIO

from lith.faces.cli.layout import fold, wrap
from lith.kernel.clock import format_local, parse_iso

SCHEMA_VERSION = 1
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


class Output:
    """Where one command's answer goes.

    `as_json` and `quiet` are the options; `data_dir` is the word given for `--data-dir`, repeated in the commands that errors suggest.
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
        self._out = sys.stdout if stdout is None else stdout
        self._err = sys.stderr if stderr is None else stderr
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
    def stderr(self) -> TextIO:
        """The stream of the notes, for a progress bar."""
        return self._err

    @property
    def width(self) -> int:
        """How many columns text should fill."""
        if not self._out.isatty():
            return 80
        try:
            return max(40, min(100, os.get_terminal_size(self._out.fileno()).columns))
        except OSError:
            return 80

    def object(self, result: Any) -> None:
        """Print a result as the one JSON object, with `schema_version` and `elapsed_ms` in front; absent values are left out."""
        elapsed = round((time.perf_counter() - self.started) * 1000, 1)
        body = _without_none(_plain(result))
        self.raw(_encode({"schema_version": SCHEMA_VERSION, "elapsed_ms": elapsed, **body}) + b"\n")

    def line(self, *parts: str) -> None:
        """Print one line of text; styled parts in their style where the reader has a terminal."""
        self._out.write("".join(_styled(part) if self.colour else clean(part) for part in parts) + "\n")

    def raw(self, data: bytes) -> None:
        """Write bytes exactly as they are."""
        self._out.flush()
        buffer = getattr(self._out, "buffer", None)
        if buffer is None:
            self._out.write(data.decode("utf-8", "backslashreplace"))
        else:
            buffer.write(data)
            buffer.flush()

    def note(self, text: str) -> None:
        """A remark on standard error; none with `--quiet`."""
        if not self.quiet:
            self.complain(text)

    def complain(self, text: str) -> None:
        """A line on standard error that `--quiet` does not silence."""
        self._err.write(clean(text) + "\n")

    def moment(self, iso: str | None) -> str:
        """A moment of a result for a person: local time with its zone; nothing where there is none."""
        ms = None if iso is None else parse_iso(iso)
        return "" if ms is None else format_local(ms)

    def paragraph(self, text: str, *, indent: int) -> None:
        """Print a text of several lines, indented; on a terminal long lines are folded at spaces, in a pipe they are left alone."""
        width = self.width - indent if self._out.isatty() else None
        for line in text.splitlines() or [""]:
            for part in fold(line, width) if width else [line]:
                self.line(" " * indent, part)

    def wrap(self, text: str, *, indent: int = 0) -> list[str]:
        """A text as lines that fit beside an indent; words are kept whole where they can be."""
        return wrap(text, self.width - indent)

    def flush(self) -> None:
        """Push everything out. Raises `BrokenPipeError` where nobody reads any more."""
        self._out.flush()
        self._err.flush()

    def _is_terminal(self, stream: TextIO) -> bool:
        return stream.isatty() and not self.environment.get("NO_COLOR") and self.environment.get("TERM") != "dumb"


def clean(text: str) -> str:
    """Text that a terminal shows and does not obey."""
    if text.isprintable():
        return str(text)
    from lith.scrub.terminal import clean_terminal  # noqa: PLC0415 -- most lines need no cleaning

    return clean_terminal(str(text))


def _styled(part: str) -> str:
    text = clean(part)
    return f"\x1b[{_STYLES[part.style]}m{text}\x1b[0m" if isinstance(part, Styled) else text


def _plain(result: Any) -> Any:
    import msgspec  # noqa: PLC0415 -- not needed for `--version` and for text

    return msgspec.to_builtins(result, str_keys=True)


def _encode(value: Any) -> bytes:
    import msgspec  # noqa: PLC0415

    try:
        return msgspec.json.encode(value)
    except UnicodeEncodeError:  # a file name that is not UTF-8
        return msgspec.json.encode(_encodable(value))


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, dict):
        return {_encodable(key): _encodable(item) for key, item in value.items()}
    return [_encodable(item) for item in value] if isinstance(value, list | tuple) else value


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(item) for key, item in value.items() if item is not None}
    return [_without_none(item) for item in value] if isinstance(value, list | tuple) else value
