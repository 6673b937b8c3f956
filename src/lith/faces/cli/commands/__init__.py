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
    "block": "block",
    "config show": "config_show",
    "demo": "demo",
}
"""Name on the command line to the name of the module in this package."""


def load_command(name: str) -> Command:
    """One command, imported now. Raises `KeyError` for a name that does not exist."""
    command: Command = import_module(f"{__name__}.{COMMANDS[name]}").COMMAND
    return command
