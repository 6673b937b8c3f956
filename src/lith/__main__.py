"""The program's entrance.

`--version` is answered from here: asking for it imports neither the parser nor the database, nor anything else that takes time.
"""

import os
import sys


def main() -> int:
    """Run lith with the process's arguments and return its exit status."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        _open_closed_streams()
    argv = sys.argv[1:]
    if argv in (["--version"], ["-V"]):
        return _print_version()
    from lith.faces.cli.main import run  # noqa: PLC0415

    return run(argv)


def _print_version() -> int:
    from lith import __version__  # noqa: PLC0415

    try:
        sys.stdout.write(f"lith {__version__}\n")
        sys.stdout.flush()
    except OSError as error:
        sys.stdout = None  # so that the interpreter does not try again when it ends
        if isinstance(error, BrokenPipeError):
            return 141
        sys.stderr.write(f"lith: the answer could not be written: {error.strerror}\n")
        return 1
    return 0


def _open_closed_streams() -> None:
    """Give the standard streams that were closed by whoever started lith a place to go: nowhere.

    Otherwise the first file that is opened would get the number of one of them, and what is written there would end up in that file.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            mode = "w" if number else "r"
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 -- for the whole run


if __name__ == "__main__":
    sys.exit(main())
