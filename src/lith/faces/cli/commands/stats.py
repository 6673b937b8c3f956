"""`lith stats`."""

from collections.abc import Sequence

from lith.faces.cli import options
from lith.faces.cli.layout import columns, human_bytes
from lith.faces.cli.output import Output, dim
from lith.faces.cli.selecting import to_selection
from lith.faces.cli.words import Command, Values
from lith.ops.stats import StatsRequest
from lith.retrieval.answers import Counts, StatsResult

_HEADER = ("sessions", "sub-agents", "messages", "calls", "tokens in", "cached", "out")
_NAME_WIDTH = 26


def request(values: Values) -> StatsRequest:
    """Of what part of the memory."""
    return StatsRequest(selection=to_selection(values))


def show(result: StatsResult, out: Output) -> None:
    """Two tables: by client with the total, and by project."""
    _table("by client", [*result.sources, _named(result.total, "all")], out)
    if result.projects:
        out.line()
        _table("by project", result.projects, out)
    out.line()
    files = result.files
    gone = f", {files.gone_files} gone" if files.gone_files else ""
    failed = f", {files.failed_files} unreadable" if files.failed_files else ""
    out.line(dim(f"{files.files} files{gone}{failed}, {human_bytes(files.bytes)}; the map takes {human_bytes(result.map_bytes)}"))
    if result.total.gone:
        out.line(dim(f"{result.total.gone} sessions are kept although their file is gone"))
    first, last, synced = (out.moment(moment) or "-" for moment in (result.total.first, result.total.last, result.last_sync))
    out.line(dim(f"from {first} to {last}; last sync {synced}"))


def _table(title: str, rows: Sequence[Counts], out: Output) -> None:
    cells = [(title, *_HEADER), *(_row(row) for row in rows)]
    header, *lines = columns(cells, right=frozenset(range(1, len(_HEADER) + 1)))
    out.line(dim(header))
    for line in lines:
        out.line(line)


def _row(counts: Counts) -> tuple[str, ...]:
    numbers = (counts.sessions, counts.subagents, counts.messages, counts.calls)
    tokens = (counts.input_tokens, counts.cache_read_tokens + counts.cache_write_tokens, counts.output_tokens)
    return (_fit(counts.name or "(none)"), *(f"{number:,}" for number in numbers), *(human_count(number) for number in tokens))


def _fit(name: str) -> str:
    """The end of a long name: of a path that is the telling part."""
    return name if len(name) <= _NAME_WIDTH else "…" + name[1 - _NAME_WIDTH :]


def human_count(count: int) -> str:
    """A number of tokens, short."""
    if count < 1_000:
        return str(count)
    return f"{count / 1_000:.1f}k" if count < 1_000_000 else f"{count / 1_000_000:.1f}M"


def _named(counts: Counts, name: str) -> Counts:
    import msgspec  # noqa: PLC0415

    return msgspec.structs.replace(counts, name=name)


COMMAND = Command(
    operation="stats",
    request=request,
    show=show,
    options=options.SCOPE,
    examples=("lith stats", "lith stats --since 30d --json"),
)
