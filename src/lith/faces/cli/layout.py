"""Laying text out in columns of a terminal, where one character may take none, one or two of them. Pure."""

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset(), gap: int = 2) -> list[str]:
    """Rows as lines with aligned columns, `gap` spaces apart; the columns in `right` are aligned to the right."""
    if not rows:
        return []
    widths = [max(display_width(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for index, cell in enumerate(row):
            space = " " * (widths[index] - display_width(cell))
            cells.append(space + cell if index in right else cell + space)
        lines.append((" " * gap).join(cells).rstrip())
    return lines


def display_width(text: str) -> int:
    """How many columns of a terminal a text takes."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width  # noqa: PLC0415

    return sum(0 if combining(character) else 2 if east_asian_width(character) in "WF" else 1 for character in text)


def shorten(text: str, width: int) -> str:
    """A text cut to so many columns, with an ellipsis where something was cut; on one line."""
    line = " ".join(text.split())
    if display_width(line) <= width:
        return line
    kept = []
    used = 1
    for character in line:
        used += display_width(character)
        if used > width:
            break
        kept.append(character)
    return "".join(kept).rstrip() + "…"


def wrap(text: str, width: int) -> list[str]:
    """A text as lines of at most so many columns, broken at spaces where there are any."""
    lines = []
    line = ""
    for word in text.split():
        if line and display_width(line) + 1 + display_width(word) <= width:
            line += " " + word
            continue
        if line:
            lines.append(line)
        *whole, line = _break(word, width)
        lines += whole
    return [*lines, line] if line else lines


def prose(text: str, width: int, *, hang: int = 0) -> list[str]:
    """A sentence as lines of at most so many columns, each with its indent, those after the first with `hang` more.

    No word is broken, so that a path or an address in it can be copied: one that is longer than a line has a line to itself.
    """
    indent = len(text) - len(text.lstrip(" "))
    lines: list[str] = []
    line = ""
    for word in text.split():
        used = indent + (hang if lines else 0)
        if line and used + display_width(line) + 1 + display_width(word) > width:
            lines.append(" " * used + line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return [*lines, " " * (indent + (hang if lines else 0)) + line]


def facts(parts: Sequence[str], width: int, *, indent: int = 0, separator: str = " · ") -> list[str]:
    """Short facts in a row, on as many lines of at most so many columns as they need; a fact is broken only at its spaces."""
    lines: list[str] = []
    line = ""
    for part in parts:
        joined = f"{line}{separator}{part}" if line else part
        if line and indent + display_width(joined) > width:
            lines.append(line)
            joined = part
        line = joined
    return [shown for one in ([*lines, line] if line else lines) for shown in prose(" " * indent + one, width)]


def counted(count: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 message`, `2 messages`; `many` is the plural where it is not made with an s."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def fold(line: str, width: int) -> list[str]:
    """One line as lines of at most so many columns, each with its indent; a line that fits is left exactly as it is."""
    if display_width(line) <= width:
        return [line]
    indent = line[: len(line) - len(line.lstrip())]
    if len(indent) > width // 2:
        indent = ""
    return [indent + part for part in wrap(line, width - len(indent))]


def _break(word: str, width: int) -> list[str]:
    """A word in pieces that fit; one piece for nearly all of them."""
    pieces = [""]
    used = 0
    for character in word if display_width(word) > width else ():
        used += display_width(character)
        if used > width:
            pieces.append("")
            used = display_width(character)
        pieces[-1] += character
    return pieces if pieces != [""] else [word]


def shell_words(argv: Sequence[str]) -> str:
    """A command as it is typed into a shell."""
    import shlex  # noqa: PLC0415 -- only needed where a command is printed

    return shlex.join(argv)


def human_bytes(count: int) -> str:
    """A number of bytes in the unit that reads best."""
    size = float(count)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return str(count)
