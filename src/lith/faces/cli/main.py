"""Running a command line: which way to read it, and what becomes of everything that can go wrong on the way.

`find` is read by `quick`, which does without click; whatever that does not understand, and every other command, goes through `tree`.
"""

import contextlib
import itertools
import os
import time
from pathlib import Path

from lith.errors import LithError
from lith.faces.cli import failures
from lith.faces.cli.commands import COMMANDS
from lith.faces.cli.output import Output, Unwritable


def run(argv: list[str]) -> int:
    """Run lith with these arguments and return the exit status."""
    started = time.perf_counter()
    out = Output(started=started)
    out.argv = tuple(argv)
    out.command = argv[0] if argv and argv[0] in {name.partition(" ")[0] for name in COMMANDS} else ""
    out.as_json = wants_json(argv)
    try:
        status = _guarded(argv, out)
        out.flush()
    except BrokenPipeError:
        out.give_up()
        return failures.BROKEN_PIPE
    except Unwritable as error:
        out.give_up()
        out.as_json = False  # what cannot be said on standard output is said in words on the other one
        return failures.report(error, out)
    return status


def wants_json(argv: list[str]) -> bool:
    """Whether errors are to be JSON, known before the command line is understood."""
    options = argv[: argv.index("--")] if "--" in argv else argv
    return any(word.partition("=")[0] == "--json" for word in options)


def _guarded(argv: list[str], out: Output) -> int:
    try:
        return _dispatch(_as_text(argv, out), out)
    except (BrokenPipeError, Unwritable):
        raise
    except LithError as error:
        return failures.report(error, out)
    except KeyboardInterrupt:
        return failures.report(failures.interrupted(), out)
    except OSError as error:
        return failures.report(failures.refused(error, _data_dir(argv, out)), out)
    except Exception as error:  # the last line of defence: a traceback is never an answer
        return failures.report(failures.unforeseen(error, _data_dir(argv, out)), out)


def _as_text(argv: list[str], out: Output) -> list[str]:
    """The words as text, whatever the locale says of their bytes.

    Refuses words that are no text: nothing in the map could be like them, and no command that lith prints could repeat them.
    """
    words = []
    for number, word in enumerate(argv, 1):
        try:
            words.append(word if word.isascii() else os.fsencode(word).decode())
        except UnicodeError:
            out.argv = ()
            shown = ascii(word.encode("utf-8", "surrogateescape"))[1:]
            message = f"word {number} of the command line is not valid UTF-8: {shown}"
            raise failures.usage(message, out.command, hint="write it in UTF-8") from None
    out.argv = tuple(words)
    return words


def _dispatch(argv: list[str], out: Output) -> int:
    if argv and argv[0] == "find":
        from lith.faces.cli import quick  # noqa: PLC0415

        status = quick.run(argv, out)
        if status is not None:
            return status
    from lith.faces.cli import tree  # noqa: PLC0415 -- click costs as much as a whole search

    return tree.run(argv, out)


def _data_dir(argv: list[str], out: Output) -> Path | None:
    """The data directory for the log of an unforeseen error, found without the parts that may have failed."""
    from lith.ops.runtime import open_runtime  # noqa: PLC0415

    word = out.data_dir
    for flag, value in itertools.pairwise(argv):
        if flag == "--data-dir":
            word = value
    with contextlib.suppress(Exception):
        return open_runtime(data_dir=word, environment=out.environment).data_dir
    return None
