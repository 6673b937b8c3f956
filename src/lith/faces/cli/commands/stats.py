"""`lith stats`."""

from collections.abc import Sequence

import msgspec

from lith.faces.cli import options
from lith.faces.cli.layout import columns, counted, display_width, human_bytes, shorten
from lith.faces.cli.output import Output, dim
from lith.faces.cli.selecting import to_selection
from lith.faces.cli.views.hits import show_nothing
from lith.faces.cli.words import Command, Option, Values
from lith.ops.stats import StatsAnswer, StatsRequest
from lith.retrieval.answers import Counts, Tokens, UsageResult

_HEADER = ("sessions", "agents", "messages", "calls", "in", "cached", "out")
_USAGE_HEADER = ("calls", "tokens in", "cache read", "cache write", "out")
_NARROWEST_NAME = 12
_LEFT_OUT = {"warmup": ("warm-up session", "warm-up sessions"), "review": ("automatic review", "automatic reviews")}


USAGE = Option(("--usage",), "usage", "Tokens by day, project and session, no model call twice.", shape="flag")


def request(values: Values) -> StatsRequest:
    """Of what part of the memory."""
    return StatsRequest(selection=to_selection(values), usage=values.flag("usage"))


def show(result: StatsAnswer, out: Output) -> None:
    """Two tables, by client with the total, and by project; or the tokens by day, project and session; or why there is nothing."""
    if result.nothing is not None:
        show_nothing(result.nothing, out)
    elif result.usage is not None:
        _show_usage(result.usage, out)
    else:
        _show_sums(result, out)
    if result.left_out:
        _show_left_out(result, out)


def _show_sums(result: StatsAnswer, out: Output) -> None:
    _table(("by client", *_HEADER), [_row(row) for row in (*result.sources, _named(result.total, "all"))], out)
    if result.projects:
        out.line()
        _table(("by project", *_HEADER), [_row(row) for row in result.projects], out)
    out.line()
    files = result.files
    parts = [counted(files.files, "file")]
    parts += [f"{files.gone_files:,} gone"] if files.gone_files else []
    parts += [f"{files.failed_files:,} unreadable"] if files.failed_files else []
    size = f"{human_bytes(files.bytes)}; the map takes {human_bytes(result.map_bytes)}"
    out.prose(f"{', '.join([*parts, size])}; in, cached and out are tokens", style="dim")
    if result.total.gone:
        kept = "is kept although its file is gone" if result.total.gone == 1 else "are kept although their files are gone"
        out.prose(f"{counted(result.total.gone, 'session')} {kept}", style="dim")
    first, last, synced = (out.moment(moment) or "-" for moment in (result.total.first, result.total.last, result.last_sync))
    out.prose(f"from {first} to {last}; last sync {synced}", style="dim")


def _show_left_out(result: StatsAnswer, out: Output) -> None:
    """What the sums do not count, so that they can be compared with what a sync took in."""
    parts = []
    for kind, (one, many) in _LEFT_OUT.items():
        if kind in result.left_out:
            count = result.left_out[kind]
            parts.append(f"{counted(count.sessions, one, many)} with {counted(count.messages, 'message')}")
    kinds = " ".join(f"--kind {kind}" for kind in result.left_out)
    out.prose(f"not counted: {', '.join(parts)}; lith list {kinds} shows them", style="dim")


def _show_usage(usage: UsageResult, out: Output) -> None:
    total = msgspec.structs.replace(usage.total, name="all")
    for number, (title, rows) in enumerate(
        (("by day", [*usage.days, total]), ("by project", usage.projects), ("by session", usage.sessions))
    ):
        if number:
            out.line()
        _table((title, *_USAGE_HEADER), [_usage_row(row) for row in rows], out)


def _usage_row(row: Tokens) -> tuple[str, ...]:
    counts = (row.input_tokens, row.cache_read_tokens, row.cache_write_tokens, row.output_tokens)
    return (row.name or "(none)", f"{row.model_calls:,}", *(human_count(count) for count in counts))


def _table(header: tuple[str, ...], rows: Sequence[tuple[str, ...]], out: Output) -> None:
    """A table whose names take what the numbers leave of the width."""
    numbers = [header[1:], *(row[1:] for row in rows)]
    taken = sum(2 + max(len(row[place]) for row in numbers) for place in range(len(header) - 1))
    width = max(out.width - taken, _NARROWEST_NAME)
    cells = [header, *((_fit(row[0], width), *row[1:]) for row in rows)]
    first, *lines = columns(cells, right=frozenset(range(1, len(header))))
    out.line(dim(first))
    for line in lines:
        out.line(line)


def _row(counts: Counts) -> tuple[str, ...]:
    numbers = (counts.sessions, counts.subagents, counts.messages, counts.calls)
    tokens = (counts.input_tokens, counts.cache_read_tokens + counts.cache_write_tokens, counts.output_tokens)
    return (counts.name or "(none)", *(f"{number:,}" for number in numbers), *(human_count(number) for number in tokens))


def _fit(name: str, width: int) -> str:
    """The telling part of a long name: the end of a path, the beginning of an address."""
    if display_width(name) <= width:
        return name
    return "…" + name[1 - width :] if name.isascii() and ("/" in name.partition(":")[0]) else shorten(name, width)


def human_count(count: int) -> str:
    """A number of tokens, short."""
    if count < 1_000:
        return str(count)
    return f"{count / 1_000:.1f}k" if count < 1_000_000 else f"{count / 1_000_000:.1f}M"


def _named(counts: Counts, name: str) -> Counts:
    return msgspec.structs.replace(counts, name=name)


COMMAND = Command(
    operation="stats",
    request=request,
    show=show,
    options=(*options.SCOPE, USAGE),
    details=(
        "What a client's warm-up calls and automatic reviews hold is not counted, only named. Sessions are those of people; agents are the "
        "sub-agents that they started."
    ),
    examples=("lith stats", "lith stats --usage --since 7d", "lith stats --since 30d --json"),
)
