"""The commands, one file each: what the command takes, how its request is made, how a person sees its result.

This list is in the order in which help shows them. A command's module is imported when it is called.
"""

from importlib import import_module

from lith.faces.cli.words import Command

COMMANDS = {
    "start": "start",
    "sync": "sync",
    "status": "status",
    "find": "find",
    "read": "read",
    "list": "list",
    "stats": "stats",
    "thread": "thread",
    "terms": "terms",
    "files": "files",
    "block": "block",
    "archive run": "archive_run",
    "archive list": "archive_list",
    "archive verify": "archive_verify",
    "archive gc": "archive_gc",
    "archive import": "archive_import",
    "restore": "restore",
    "prune": "prune",
    "diff": "diff",
    "wiki init": "wiki.init",
    "wiki fold run": "wiki.fold_run",
    "wiki fold status": "wiki.fold_status",
    "wiki fold levels": "wiki.fold_levels",
    "wiki fold triggers": "wiki.fold_triggers",
    "wiki fold undo": "wiki.fold_undo",
    "wiki address assign": "wiki.address_assign",
    "wiki address backfill": "wiki.address_backfill",
    "wiki address resolve": "wiki.address_resolve",
    "wiki address rebuild": "wiki.address_rebuild",
    "wiki address verify": "wiki.address_verify",
    "wiki tiling report": "wiki.tiling_report",
    "wiki tiling calibrate": "wiki.tiling_calibrate",
    "wiki frontier": "wiki.frontier",
    "wiki lint": "wiki.lint",
    "wiki ingest": "wiki.ingest",
    "wiki log": "wiki.log",
    "wiki hot": "wiki.hot",
    "wiki capture": "wiki.capture",
    "wiki skill install": "wiki.skill_install",
    "config show": "config_show",
    "demo": "demo",
}
"""Name on the command line to the name of the module in this package."""


def load_command(name: str) -> Command:
    """One command, imported now. Raises `KeyError` for a name that does not exist."""
    command: Command = import_module(f"{__name__}.{COMMANDS[name]}").COMMAND
    return command
