"""`start`: the first command on a machine. It takes in the sessions that are there and shows a search; with none, the demo."""

from collections.abc import Callable

import msgspec

from lith.ingest import Progress, SyncReport, take_inventory
from lith.ops.demo import DemoRequest, DemoResult, Search, demo, search
from lith.ops.roots import plan_roots
from lith.ops.runtime import Runtime
from lith.ops.sessions import ListRequest, list_sessions
from lith.ops.sync import SyncRequest, sync
from lith.sources.registry import SOURCES

SHOWN = 3


class StartRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`query` is what to search for at the end; without one, words of the latest session."""

    query: str | None = None


class StartResult(msgspec.Struct, frozen=True, kw_only=True):
    """Either `demo`, where there are no sessions on this machine, or what sync did and a search. `next` are commands to try."""

    looked_at: list[str]
    demo: DemoResult | None = None
    sync: SyncReport | None = None
    search: Search | None = None
    next: list[list[str]]


def start(request: StartRequest, runtime: Runtime, progress: Callable[[Progress], None] = lambda _: None) -> StartResult:
    """Sync and search, or the demo. Raises what these raise."""
    specs = plan_roots(runtime)
    looked_at = [str(spec.path) for spec in specs]
    inventory = take_inventory(specs, SOURCES, {})
    if all(found.skip for found in inventory.new):
        result = demo(DemoRequest(), runtime)
        return StartResult(looked_at=looked_at, demo=result, next=result.next)
    report = sync(SyncRequest(), runtime, progress)
    query = request.query or _latest_words(runtime)
    found = search(query, runtime, limit=SHOWN) if query else None
    following = [runtime.argv("find", "what you remember of it"), runtime.argv("list"), runtime.argv("status")]
    if found and found.found.results and found.found.results[0].evidence:
        following.insert(0, found.found.results[0].evidence.argv)
    return StartResult(looked_at=looked_at, sync=report, search=found, next=following)


def _latest_words(runtime: Runtime) -> str | None:
    """The title of the latest session that has one."""
    items = list_sessions(ListRequest(), runtime).items
    return next((" ".join(item.title.split()[:8]) for item in items if item.title), None)
