"""`demo`: the bundled sessions, synced into a data directory of their own, with a few searches on them.

It writes below `<data-dir>/demo` only, and a map in there knows the demo sessions only (see `roots`): nobody's own sessions are read.
"""

from pathlib import Path

import msgspec

from lith.demo import write_sessions
from lith.kernel.files import make_private_dir
from lith.ops.find import FindRequest, find
from lith.ops.roots import DEMO_SESSIONS
from lith.ops.runtime import Runtime
from lith.ops.stats import StatsRequest, stats
from lith.ops.sync import SyncRequest, sync
from lith.retrieval.answers import FindResult

QUERIES = ("why does the test fail on the build server", "429 retry storm", "文字化け cp932")
SHOWN = 2


class DemoRequest(msgspec.Struct, frozen=True):
    """Nothing to say."""


class Search(msgspec.Struct, frozen=True):
    """A search, as a command, and what it found, the best few."""

    query: str
    argv: list[str]
    found: FindResult


class DemoResult(msgspec.Struct, frozen=True):
    """`folder` holds the sessions, `data_dir` their map; `next` are commands to try on them."""

    folder: str
    data_dir: str
    sessions: int
    messages: int
    searches: list[Search]
    next: list[list[str]]


def demo(_: DemoRequest, runtime: Runtime) -> DemoResult:
    """Write, sync and search the demo sessions. Raises `StorageError`, `Locked`."""
    with runtime.at(demo_dir(runtime)) as inner:
        make_private_dir(runtime.data_dir)
        make_private_dir(inner.data_dir)
        folder = inner.data_dir / DEMO_SESSIONS
        sessions = write_sessions(folder)
        sync(SyncRequest(), inner)
        searches = [search(query, inner, limit=SHOWN) for query in QUERIES]
        return DemoResult(
            folder=str(folder),
            data_dir=str(inner.data_dir),
            sessions=sessions,
            messages=stats(StatsRequest(), inner).total.messages,
            searches=searches,
            next=_suggestions(searches, inner),
        )


def search(query: str, runtime: Runtime, *, limit: int) -> Search:
    """Search, and note the command that does the same."""
    words = [query] if query.lstrip().startswith("-") or " -" in query else query.split()
    argv = runtime.argv("find", *(["--"] if words[0].startswith("-") else []), *words)
    return Search(query, argv, find(FindRequest(query=query, limit=limit), runtime))


def demo_dir(runtime: Runtime) -> Path:
    """The data directory of the demo."""
    return runtime.data_dir / "demo"


def _suggestions(searches: list[Search], inner: Runtime) -> list[list[str]]:
    first = searches[0].found.results
    reading = [first[0].evidence.argv] if first and first[0].evidence else []
    return [*reading, inner.argv("find", "which", "decision", "about", "search"), inner.argv("list"), inner.argv("stats")]
