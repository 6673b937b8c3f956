"""Laying text out in columns of a terminal, where one character may take none, one or two of them. Pure."""

from collections.abc import Sequence


def columns(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset()) -> list[str]:
    """Rows as lines with aligned columns; the columns in `right` are aligned to the right."""
    if not rows:
        return []
    widths = [max(display_width(row[index]) for row in rows) for index in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for index, cell in enumerate(row):
            space = " " * (widths[index] - display_width(cell))
            cells.append(space + cell if index in right else cell + space)
        lines.append("  ".join(cells).rstrip())
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
