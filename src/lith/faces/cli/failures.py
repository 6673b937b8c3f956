"""How errors reach the reader: one JSON object on stdout under `--json`, else text on stderr; never a traceback.

What lith did not foresee goes, with its traceback, into a log file that only its owner can read, and the reader is told where.
"""

from pathlib import Path

from lith.errors import LithError, StorageError, UsageError
from lith.faces.cli.layout import shell_words
from lith.faces.cli.output import Output

INTERRUPTED = 130
BROKEN_PIPE = 141
_LOG_LIMIT = 1_000_000


def report(error: LithError, out: Output) -> int:
    """Print an error and return the exit status that it asks for."""
    following = [_with_data_dir(argv, out.data_dir) for argv in error.next]
    if out.as_json:
        detail = {"code": error.code, "message": error.message, "hint": error.hint, "next": following or None}
        out.object({"error": detail})
        return error.exit_status
    out.complain(f"lith: {error.message}")
    if error.hint:
        out.complain(f"  hint: {error.hint}")
    for argv in following:
        out.complain(f"  run:  {shell_words(argv)}")
    return error.exit_status


def interrupted() -> LithError:
    """The error of Ctrl-C."""
    error = LithError("interrupted", hint="whatever was finished is kept; run it again to go on")
    error.code = "interrupted"
    error.exit_status = INTERRUPTED
    return error


def unforeseen(cause: BaseException, data_dir: Path | None) -> LithError:
    """The error for an exception that lith did not foresee, after its traceback was logged."""
    log = _log(cause, data_dir) if data_dir is not None else None
    where = f"the details are in {log}" if log else "the details could not be logged"
    error = LithError(f"this is a mistake in lith: {type(cause).__name__}: {cause}", hint=f"{where}; please report it")
    error.code = "internal"
    return error


def refused(cause: OSError, data_dir: Path | None) -> LithError:
    """The error for a refusal of the system that no room expected, after its traceback was logged."""
    log = _log(cause, data_dir) if data_dir is not None else None
    what = cause.strerror or str(cause) or type(cause).__name__
    where = f"{cause.filename}: {what}" if cause.filename else what
    return StorageError(where, hint="check free space and permissions" + (f"; the details are in {log}" if log else ""))


def usage(message: str, words: str, *, hint: str | None = None) -> UsageError:
    """The error for a command line that cannot be understood; `words` is the command, for the pointer to its help."""
    help_argv = [*f"lith {words}".split(), "--help"]
    return UsageError(message, hint=hint, next=[help_argv])


def _with_data_dir(argv: list[str], data_dir: str | None) -> list[str]:
    if data_dir is None or "--data-dir" in argv or "--help" in argv:
        return argv
    return [*argv, "--data-dir", data_dir]


def _log(cause: BaseException, data_dir: Path) -> Path | None:
    """Append a traceback to the log; None where the disk refuses."""
    import traceback  # noqa: PLC0415 -- a command that goes well pays for none of these

    from lith.kernel.clock import format_iso, system_clock  # noqa: PLC0415
    from lith.kernel.files import FILE_MODE, make_private_dir  # noqa: PLC0415

    path = data_dir / "log" / "errors.log"
    text = f"{format_iso(system_clock())}\n{''.join(traceback.format_exception(cause))}\n"
    try:
        make_private_dir(data_dir)
        make_private_dir(path.parent)
        if path.exists() and path.stat().st_size > _LOG_LIMIT:
            path.unlink()
        path.touch(mode=FILE_MODE)
        with path.open("a", encoding="utf-8", errors="backslashreplace") as file:
            file.write(text)
    except (OSError, StorageError):
        return None
    return path
