"""Why a search found nothing, and what to run next: an empty answer is a finding, too, once it says of what.

`searching` calls it. It counts what a looser question would have found; it never widens a question by itself.
"""

from collections.abc import Callable, Iterator

import apsw
import msgspec

from lith.kernel.clock import format_iso
from lith.kernel.text import Query, Term, iter_terms
from lith.records.scope import Scope
from lith.retrieval.answers import Coverage, Nothing, Obstacle
from lith.retrieval.requests import FindRequest
from lith.retrieval.suggesting import suggest
from lith.store.map import search

Count = Callable[[apsw.Connection, Query, FindRequest], tuple[int, bool]]
"""The total of a search, and whether it counts documents instead of results."""

_OPTIONS = {
    "sources": "--source",
    "project": "--project",
    "cwd": "--cwd",
    "since": "--since",
    "until": "--until",
    "sessions": "--session",
    "exclude_sessions": "--exclude-session",
    "subagents": "--no-subagents",
    "roles": "--role",
    "tools": "--tool",
    "files": "--file",
}


def explain_nothing(
    connection: apsw.Connection, query: Query, request: FindRequest, coverage: Coverage, *, capped: bool, count: Count
) -> Nothing:
    """Why a search found nothing. `capped` says that not every document was looked at; `count` is the search itself."""
    if search.count_in_scope(connection, Scope(), limit=1) == 0:
        sync, status = _argv(request, "sync"), _argv(request, "status")
        return Nothing(reason="nothing_indexed", message="the map holds no session to search", next=[sync, status])
    if request.scope.sources and coverage.state == "missing":
        names = [word for name in request.scope.sources for word in ("--source", name)]
        return Nothing(
            reason="not_synced",
            message=f"not every client that was asked for was ever synced: {coverage.requested}",
            next=[_argv(request, "sync", *names), _argv(request, "status")],
        )
    found = _explain_scope(connection, query, request, count) if request.scope.narrow else None
    found = found or _explain_syntax(connection, query, request, count)
    return found or _no_match(connection, query, request, coverage, capped=capped)


def _explain_scope(connection: apsw.Connection, query: Query, request: FindRequest, count: Count) -> Nothing | None:
    """The conditions of the scope that keep results away; None where it is not the scope."""
    wider = [(_OPTIONS[name], scope) for name, scope in _iter_wider(request.scope)]
    counted = [(Obstacle(name, *count(connection, query, _asked(request, scope))), scope) for name, scope in wider]
    counted = [pair for pair in counted if pair[0].without]
    if not counted:
        without, capped = count(connection, query, _asked(request, Scope()))
        if not without:
            return None
        counted = [(Obstacle("the scope", without, capped), Scope())]
    counted.sort(key=lambda pair: -pair[0].without)
    names = " or ".join(condition.name for condition, _ in counted)
    return Nothing(
        reason="scope_too_narrow",
        message=f"nothing within the scope; without {names} there would be results",
        conditions=[condition for condition, _ in counted],
        next=[_find(request, request.query, scope) for _, scope in counted[:2]],
    )


def _iter_wider(scope: Scope) -> Iterator[tuple[str, Scope]]:
    """The scope without each of its conditions in turn."""
    default = Scope()
    for name in scope.__struct_fields__:
        if getattr(scope, name) != getattr(default, name):
            yield name, msgspec.structs.replace(scope, **{name: getattr(default, name)})


def _asked(request: FindRequest, scope: Scope) -> FindRequest:
    return msgspec.structs.replace(request, scope=scope)


def _explain_syntax(connection: apsw.Connection, query: Query, request: FindRequest, count: Count) -> Nothing | None:
    """What the words alone would find; None where the query is nothing but words, or these find nothing either."""
    words = list(dict.fromkeys(word for item in query.items for term in iter_terms(item) for word in term.text.split()))
    if query.is_plain or not words:
        return None
    without, capped = count(connection, Query(query.text, tuple(map(Term, words))), request)
    if not without:
        return None
    return Nothing(
        reason="over_constrained",
        message=f"{_results(without, capped=capped)} some of the words, but not as the quotes and operators of the query ask",
        next=[_find(request, " ".join(words), request.scope)],
    )


def _no_match(connection: apsw.Connection, query: Query, request: FindRequest, coverage: Coverage, *, capped: bool) -> Nothing:
    message = "nothing that can be searched holds what was asked for"
    if not search.has_results(connection):
        message += " (what tools printed is not searched, only what was said and which calls were made)"
    if capped:
        message += f", as far as was looked: the newest {search.MAX_SCANNED:,} texts"
    open_files = coverage.pending_files + coverage.failed_files
    if open_files:
        message += f"; {open_files} {'file is' if open_files == 1 else 'files are'} not wholly in the map"
    suggestions = suggest(connection, query)
    if suggestions:
        message += f"; near it is {' or '.join(suggestions)}"
    return Nothing(
        reason="no_match",
        message=message,
        suggestions=suggestions,
        next=[
            *(_find(request, words, request.scope) for words in suggestions),
            _argv(request, "sync" if open_files else "status"),
        ],
    )


def _results(count: int, *, capped: bool) -> str:
    if capped:
        return f"about {count:,} texts hold"
    return "1 result holds" if count == 1 else f"{count:,} results hold"


def _find(request: FindRequest, words: str, scope: Scope) -> list[str]:
    options = _options(request, scope)
    # A query that begins with a dash would be taken for an option.
    return ["lith", "find", *options, "--", words] if words.startswith("-") else ["lith", "find", words, *options]


def _options(request: FindRequest, scope: Scope) -> list[str]:
    argv: list[str] = []
    default = Scope()
    for name, option in _OPTIONS.items():
        value = getattr(scope, name)
        if value == getattr(default, name):
            continue
        if name == "subagents":
            argv.append(option)
        elif name in {"since", "until"}:
            argv += [option, format_iso(value)]
        else:
            for one in (value,) if isinstance(value, str) else value:
                argv += [option, one]
    return argv + _data_dir(request)


def _argv(request: FindRequest, *words: str) -> list[str]:
    return ["lith", *words, *_data_dir(request)]


def _data_dir(request: FindRequest) -> list[str]:
    return [] if request.data_dir is None else ["--data-dir", request.data_dir]
