"""Every operation once: the list that the faces are generated from or checked against.

Importing it imports no operation: a row names its function and its types by dotted path, and `load` imports them when they are
called. Nothing else lists operations.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal, NamedTuple


class Operation(NamedTuple):
    """One operation. `function` takes (request, runtime); the paths are `module:name`."""

    name: str
    function: str
    request: str
    result: str
    side_effect: Literal["none", "writes", "deletes"]
    doc: str


OPERATIONS = (
    Operation(
        "start",
        "lith.ops.start:start",
        "lith.ops.start:StartRequest",
        "lith.ops.start:StartResult",
        "writes",
        "Take in the sessions on this machine and show a first search; with none here, use the demo.",
    ),
    Operation(
        "sync",
        "lith.ops.sync:sync",
        "lith.ops.sync:SyncRequest",
        "lith.ingest.report:SyncReport",
        "writes",
        "Bring the map up to date with the sessions on this machine.",
    ),
    Operation(
        "status",
        "lith.ops.status:status",
        "lith.ops.status:StatusRequest",
        "lith.ops.status:StatusResult",
        "none",
        "Compare the map with the disk: what is fresh, what is stale, what to run next.",
    ),
    Operation(
        "find",
        "lith.ops.find:find",
        "lith.ops.find:FindRequest",
        "lith.retrieval.answers:FindResult",
        "none",
        "Search what was said and done in past sessions.",
    ),
    Operation(
        "read",
        "lith.ops.read:read",
        "lith.ops.read:ReadRequest",
        "lith.retrieval.answers:ReadResult",
        "none",
        "Read the messages of a session, around one of them if you like.",
    ),
    Operation(
        "list",
        "lith.ops.sessions:list_sessions",
        "lith.ops.sessions:ListRequest",
        "lith.retrieval.answers:ListResult",
        "none",
        "List sessions, the latest first.",
    ),
    Operation(
        "stats",
        "lith.ops.stats:stats",
        "lith.ops.stats:StatsRequest",
        "lith.retrieval.answers:StatsResult",
        "none",
        "Count sessions, messages, calls and tokens, by client and by project.",
    ),
    Operation(
        "block",
        "lith.ops.block:block",
        "lith.ops.block:BlockRequest",
        "lith.ops.block:BlockResult",
        "none",
        "Write the exact bytes of one record, checked against the hash in the map.",
    ),
    Operation(
        "demo",
        "lith.ops.demo:demo",
        "lith.ops.demo:DemoRequest",
        "lith.ops.demo:DemoResult",
        "writes",
        "Try lith on a few bundled sessions, away from your own.",
    ),
    Operation(
        "config show",
        "lith.ops.config_show:config_show",
        "lith.ops.config_show:ConfigShowRequest",
        "lith.ops.config_show:ConfigShowResult",
        "none",
        "Print every setting, its value, and where the value came from.",
    ),
)


def get_operation(name: str) -> Operation:
    """The row of an operation. Raises `KeyError` for a name that no row has."""
    for operation in OPERATIONS:
        if operation.name == name:
            return operation
    raise KeyError(name)


def load(path: str) -> Any:
    """The function or type that a dotted path of a row names, imported now."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def load_function(operation: Operation) -> Callable[..., Any]:
    """The function of an operation, imported now."""
    function: Callable[..., Any] = load(operation.function)
    return function
