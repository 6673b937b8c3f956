"""Running a command line: which way to read it, and what becomes of everything that can go wrong on the way.

`find` is read by `quick`, which does without click; whatever that does not understand, and every other command, goes through `tree`.
"""

import contextlib
import itertools
import os
import sys
import time
from pathlib import Path

from lith.errors import LithError
from lith.faces.cli import failures
from lith.faces.cli.output import Output


def run(argv: list[str]) -> int:
    """Run lith with these arguments and return the exit status."""
    started = time.perf_counter()
    out = Output(started=started)
    out.as_json = wants_json(argv)
    try:
        status = _guarded(argv, out)
        out.flush()
    except BrokenPipeError:
        _silence_stdout()
        return failures.BROKEN_PIPE
    return status


def wants_json(argv: list[str]) -> bool:
    """Whether errors are to be JSON, known before the command line is understood."""
    return "--json" in (argv[: argv.index("--")] if "--" in argv else argv)


def _guarded(argv: list[str], out: Output) -> int:
    try:
        return _dispatch(argv, out)
    except LithError as error:
        return failures.report(error, out)
    except KeyboardInterrupt:
        return failures.report(failures.interrupted(), out)
    except BrokenPipeError:
        raise
    except OSError as error:
        return failures.report(failures.refused(error, _data_dir(argv, out)), out)
    except Exception as error:  # the last line of defence: a traceback is never an answer
        return failures.report(failures.unforeseen(error, _data_dir(argv, out)), out)


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


def _silence_stdout() -> None:
    """Let the interpreter flush into nothing when it ends: the reader has gone, and that is no error of ours."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
