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


_AGAIN = ("again",)
_ADVICE: dict[str, tuple[str, tuple[str, ...]]] = {
    "ambiguous_address": ("give more of the id", ("list",)),
    "archive_damaged": (
        "archive verify says what is damaged, and whether another copy holds it",
        ("archive", "verify", "--deep"),
    ),
    "bad_config": ("correct it, and look at the settings again", ("config", "show")),
    "cannot_prune": ("archive list shows what is kept of it", ("archive", "list")),
    "evict_gate": ("nothing was changed; archive verify says what is wrong", ("archive", "verify", "--deep")),
    "file_changed": ("make the plan again", _AGAIN),
    "internal": ("say in the report which version it is", ("--version",)),
    "interrupted": ("run it again to go on", _AGAIN),
    "locked": ("wait for the other command to end, then run it again", _AGAIN),
    "map_damaged": ("sync keeps the damaged file under another name and makes a new map from the transcripts", ("sync",)),
    "map_needs_sync": ("sync repairs it", ("sync",)),
    "map_too_new": ("update lith, or use another data directory", ("--version",)),
    "no_map": ("sync reads the sessions on this machine and makes it", ("sync",)),
    "not_archived": ("archive run takes in every session that is there", ("archive", "run")),
    "record_not_found": ("find gives the record of every result; sync takes in new ones", ("list",)),
    "session_live": ("end the session in the client, wait, and try again", _AGAIN),
    "session_not_found": ("list shows the sessions there are; sync takes in new ones", ("list",)),
    "torn_line": ("let the client finish its line, then try again", _AGAIN),
    "undo_refused": ("archive list names the states that can be restored to another place", ("archive", "list")),
    "storage": ("check free space and permissions", ("status",)),
}
"""What helps where an error does not say so itself, by its code: a hint, and the words of a command."""


def report(error: LithError, out: Output) -> int:
    """Print an error and return the exit status that it asks for. Every error gets a hint and a command, its own or those of its code."""
    advice, words = _ADVICE.get(error.code) or _help_of(out)
    if words is _AGAIN:
        words = tuple(out.argv)
    hint = error.hint or advice
    following = [_with_data_dir(argv, out.data_dir) for argv in error.next or [["lith", *words]]]
    if out.as_json:
        out.object({"error": {"code": error.code, "message": error.message, "hint": hint, "next": following}})
        return error.exit_status
    out.complain(f"lith: {error.message}")
    out.complain(f"  hint: {hint}")
    for argv in following:
        out.command_line(f"  run:  {shell_words(argv)}")
    return error.exit_status


def _help_of(out: Output) -> tuple[str, tuple[str, ...]]:
    """The help of the command that is running."""
    words = (*out.command.split(), "--help")
    return f"lith {' '.join(words)} says what it takes", words


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


def usage(message: str, words: str, *, hint: str | None = None, next: list[list[str]] | None = None) -> UsageError:
    """The error for a command line that cannot be understood; `words` is the command, for the pointer to its help."""
    help_argv = [*f"lith {words}".split(), "--help"]
    return UsageError(message, hint=hint or f"{' '.join(help_argv)} says what there is", next=[*(next or []), help_argv])


def _with_data_dir(argv: list[str], data_dir: str | None) -> list[str]:
    """A command with the data directory that was given by the option, before the words that are no options."""
    given = any(word.partition("=")[0] == "--data-dir" for word in argv)
    if data_dir is None or given or {"--help", "--version"} & set(argv):
        return argv
    end = argv.index("--") if "--" in argv else len(argv)
    return [*argv[:end], "--data-dir", data_dir, *argv[end:]]


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
