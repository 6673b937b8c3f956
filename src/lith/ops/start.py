"""`start`: the first command on a machine. It takes in the sessions that are there and shows a search; with none, the demo."""

import re
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
WORDS = 6

_WORD = re.compile(r"(?<![^\W_])\w[\w'./:-]*\w|\w")
"""A word that is no syntax of a query and no option: it begins and ends with a letter or a digit."""


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
    titles = _titles(runtime)
    query = request.query or next(iter(titles), None)
    found = search(query, runtime, limit=SHOWN) if query else None
    following = [runtime.argv("find", *words.split()) for words in titles if words != query][:1]
    following += [runtime.argv("list"), runtime.argv("status")]
    if found and found.found.results and found.found.results[0].evidence:
        following.insert(0, found.found.results[0].evidence.argv)
    return StartResult(looked_at=looked_at, sync=report, search=found, next=following)


def _titles(runtime: Runtime) -> list[str]:
    """The first words of the titles of the latest sessions, each once, as words that may be searched for."""
    titles = (item.title for item in list_sessions(ListRequest(), runtime).items)
    words = (" ".join(_WORD.findall(title)[:WORDS]) for title in titles if title)
    return [one for one in dict.fromkeys(words) if one]
