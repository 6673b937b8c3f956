"""What to say about a command line that cannot be understood: what was probably meant, as a hint and as a command.

`tree` calls it, with what the parser says. It knows the commands by name and loads the one that was called; it parses nothing for good.
"""

import difflib
import re
from collections.abc import Sequence

from lith.errors import UsageError
from lith.faces.cli import failures
from lith.faces.cli.commands import COMMANDS, load_command
from lith.faces.cli.layout import shell_words
from lith.faces.cli.words import EVERYWHERE, Command, Option

MEANT = {
    **dict.fromkeys(("search", "grep", "query", "ask", "look", "recall"), "find"),
    **dict.fromkeys(("show", "cat", "view", "open", "print", "get"), "read"),
    **dict.fromkeys(("ls", "sessions", "history", "log"), "list"),
    **dict.fromkeys(("index", "update", "refresh", "scan", "ingest", "import", "reindex"), "sync"),
    **dict.fromkeys(("init", "setup", "begin", "install", "quickstart"), "start"),
    **dict.fromkeys(("doctor", "check", "health", "info"), "status"),
    **dict.fromkeys(("count", "usage", "tokens"), "stats"),
    **dict.fromkeys(("settings", "configure", "env"), "config show"),
    **dict.fromkeys(("raw", "bytes", "record"), "block"),
    **dict.fromkeys(("try", "example", "tour"), "demo"),
    **dict.fromkeys(("help", "man", "commands"), "--help"),
    **dict.fromkeys(("version", "about"), "--version"),
}
"""What other programs call lith's commands."""

_EXCLUSION = re.compile(r"-[^\W\d_][^\s]")
"""A word that may be meant to leave another one out: a dash and at least two characters, the first a letter."""


def find_command(argv: Sequence[str]) -> str:
    """The name of the command, or the group, that a command line calls; empty where there is none."""
    name = ""
    value = False
    for word in argv:
        if value or word.startswith("-"):
            value = word == "--data-dir"
            continue
        longer = f"{name} {word}".strip()
        if not any(one == longer or one.startswith(longer + " ") for one in COMMANDS):
            break
        name = longer
    return name


def unknown_command(name: str, group: str, known: Sequence[str], argv: Sequence[str]) -> UsageError:
    """The error for a command that does not exist, with the one that was probably meant."""
    message = f"there is no command {f'{group} {name}'.strip()!r}"
    meant = MEANT.get(name) if not group else None
    if meant is not None and (meant in COMMANDS or meant.startswith("-")):
        rest = list(argv[argv.index(name) + 1 :]) if name in argv else []
        if meant == "--help":
            words = rest[:1] if rest and rest[0] in known else []
            following = ["lith", *words, "--help"]
        else:
            following = ["lith", *meant.split(), *(rest if not meant.startswith("-") else [])]
        return failures.usage(message, group, hint=f"did you mean lith {' '.join(following[1:2])}?", next=[following])
    near = difflib.get_close_matches(name, known, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"the commands are {', '.join(known)}"
    return failures.usage(message, group, hint=hint)


def explain(message: str, argv: Sequence[str], *, option: str | None = None) -> UsageError:
    """The error for what the parser says; `option` is the option that it does not know."""
    name = find_command(argv)
    command = load_command(name) if name in COMMANDS else None
    words = _after(argv, name)
    strange = None if option is None else _as_typed(option, words)
    following: list[list[str]] = []
    hint = None
    if strange is not None:
        message = f"there is no option {shell_words([strange])}"
        hint = _near_option(strange, command)
    if hint is None and command is not None and command.arguments and command.arguments[0].many:
        hint, following = _explain_exclusion(name, command, words)
    message = message.rstrip(".").replace("is not a valid integer range", "is not a whole number")
    return failures.usage(message, name, hint=hint, next=following)


def _near_option(word: str, command: Command | None) -> str | None:
    """The options that an unknown one may be a misspelling of, the nearest first."""
    flags = [flag for one in (command.all_options if command else EVERYWHERE) for flag in one.flags] + ["--help", "--version"]
    typed = word.partition("=")[0]
    if not typed.startswith("--"):  # one dash too few, perhaps; else it is no misspelling of a long name
        return f"did you mean -{typed}?" if f"-{typed}" in flags else None
    near = difflib.get_close_matches(typed, [flag for flag in flags if flag.startswith("--")], n=2, cutoff=0.7)
    return f"did you mean {' or '.join(near)}?" if near else None


def _explain_exclusion(name: str, command: Command, words: Sequence[str]) -> tuple[str | None, list[list[str]]]:
    """What to type where words with a dash were meant to leave something out of a search; nothing where there are none."""
    by_flag = {flag: option for option in command.all_options for flag in option.flags}
    wanted: list[str] = []
    unwanted: list[str] = []
    options: list[str] = []
    position = 0
    while position < len(words):
        word = words[position]
        option = by_flag.get(word.partition("=")[0])
        position += 1
        if option is not None:
            options.append(word)
            if _takes_next(option, word) and position < len(words):
                options.append(words[position])
                position += 1
            continue
        for part in word.split() if _EXCLUSION.match(word) else [word]:
            (unwanted if _EXCLUSION.match(part) else wanted).append(part)
    if not unwanted:
        return None, []
    query = " ".join([*wanted, *unwanted])
    if not wanted:
        return f"a search needs a word to look for, too: {shell_words(['lith', name, f'word {query}'])}", []
    argv = ["lith", *name.split(), query]
    return f"to leave a word out, quote the whole query: {shell_words(argv)}", [[*argv, *options]]


def _takes_next(option: Option, word: str) -> bool:
    return option.shape != "flag" and "=" not in word


def _after(argv: Sequence[str], name: str) -> list[str]:
    """The words of a command line that are not the name of the command."""
    rest = list(argv)
    for word in name.split():
        rest.remove(word)
    return rest


def _as_typed(option: str, words: Sequence[str]) -> str:
    """The word in which the parser met an option that it does not know: it names only the first letter of `-proxy`."""
    for word in words:
        if word.startswith(option):
            return word
    letter = option.lstrip("-")
    return next((word for word in words if word[:1] == "-" and word[:2] != "--" and letter in word), option)
