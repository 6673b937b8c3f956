"""The program's entrance.

`--version` is answered from here: asking for it imports neither the parser nor the database, nor anything else that takes time.
"""

import sys


def main() -> int:
    """Run lith with the process's arguments and return its exit status."""
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
    except BrokenPipeError:
        sys.stdout = None  # so that the interpreter does not try again when it ends
        return 141
    return 0


if __name__ == "__main__":
    sys.exit(main())
