"""Reading the command line of `find` without click, which would cost as much as the search itself.

It understands what is plain and gives up (None) on everything else: unknown options, missing or odd values, `--help`. click then reads
the same line from the same options and says what is wrong, so there is one meaning and one set of messages.
"""

import sys
from typing import Any

from lith.faces.cli.execute import execute
from lith.faces.cli.output import Output
from lith.faces.cli.words import Command, Option, Values


def run(argv: list[str], out: Output) -> int | None:
    """Run `find` if its command line is plain, and return the exit status; else None."""
    _import_msgspec()
    from lith.faces.cli.commands.find import COMMAND  # noqa: PLC0415

    values = parse(COMMAND, argv[1:])
    return None if values is None else execute(COMMAND, Values(values), out)


def parse(command: Command, words: list[str]) -> dict[str, Any] | None:
    """The values of a plain command line whose one argument takes all words; None where click has to look at it."""
    by_flag = {flag: option for option in command.all_options for flag in option.flags}
    values: dict[str, Any] = {option.key: _nothing(option) for option in command.all_options}
    positional: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        position += 1
        if word == "--":
            positional += words[position:]
            break
        if not word.startswith("-") or word == "-":
            positional.append(word)
            continue
        name, equals, value = word.partition("=")
        option = by_flag.get(name)
        if option is None or (equals and (option.shape == "flag" or not name.startswith("--"))):
            return None
        if option.shape == "flag":
            values[option.key] = True
            continue
        if not equals:
            if position == len(words) or words[position].startswith("-"):
                return None
            value = words[position]
            position += 1
        if not _store(values, option, value):
            return None
    argument = command.arguments[0]
    if argument.required and not positional:
        return None
    values[argument.key] = tuple(positional)
    return values


def _nothing(option: Option) -> Any:
    return False if option.shape == "flag" else () if option.many else None


def _store(values: dict[str, Any], option: Option, value: str) -> bool:
    """Put a value in its place; False where it is not plainly right."""
    if option.choices and value not in option.choices:
        return False
    if option.shape == "number":
        if not (value.isascii() and value.isdigit()) or not option.least <= int(value) <= (option.most or int(value)):
            return False
        values[option.key] = int(value)
    elif option.many:
        values[option.key] = (*values[option.key], value)
    else:
        values[option.key] = value
    return True


def _import_msgspec() -> None:
    """Import msgspec without typing_extensions, whose import takes as long as everything else together.

    msgspec only looks there for what `typing` has in every Python that lith runs on, and falls back to it.
    """
    if "msgspec" in sys.modules or "typing_extensions" in sys.modules:
        return
    hidden: dict[str, Any] = sys.modules
    hidden["typing_extensions"] = None
    try:
        import msgspec  # noqa: F401, PLC0415
    finally:
        del hidden["typing_extensions"]
