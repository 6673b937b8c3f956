"""`thread`: one arc of work, from the prompt to its outcome, as text within a budget.

The words come from the raw files, checked record by record; they are scrubbed unless they are asked for as they are. The map says which
records those are, how they hang together, and what is said twice.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import msgspec

from lith.errors import StaleSource, UsageError
from lith.ingest.kept import MAX_TEXT, iter_kept
from lith.kernel.clock import format_iso, format_local
from lith.kernel.ids import Packed, unpack
from lith.ops.evidence import CheckedReader, Unfit
from lith.ops.runtime import Runtime
from lith.records.record import Flag, Kind, Label, Piece, Problem, Record
from lith.render import MIN_BUDGET, Entry, Node, call_line, find_results, label_branches, render_thread, result_line
from lith.retrieval import locate_record
from lith.retrieval.threads import Origin, Spawned, ThreadView, load_thread, thread_address
from lith.scrub import scrub, strip_sentinels
from lith.sources.base import FileContext
from lith.sources.registry import get_source
from lith.store.map.files import get_meta, load_coverage
from lith.store.map.schema import PIECE_SHIFT
from lith.store.map.threads import ThreadRecord

DEFAULT_BUDGET = 8_000

_RESULT_HEAD = 8_000  # characters of an output that are scrubbed for its one line: many more than the line has

_CONTEXT = msgspec.json.Decoder(FileContext)
_FIELDS = msgspec.json.Decoder(dict[str, str])
_SHOWN_LABELS = frozenset({Label.COMPACTION, Label.RECAP})


class ThreadRequest(msgspec.Struct, frozen=True, kw_only=True):
    """`address` is a thread, or a message or a record in it. `budget` is in tokens; `raw` gives the words as they are in the file, secrets
    included; `wrap` frames the text as recalled, so that it is not taken in again as new.
    """

    address: str
    budget: int = DEFAULT_BUDGET
    raw: bool = False
    wrap: bool = False


class SubAgent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A session that the thread started, and the record that did."""

    session_ref: str
    title: str | None = None
    messages: int = 0
    record: str | None = None


class ThreadResult(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A thread as text. `tokens` is the estimate of what is in the text, `whole_tokens` that of all that was said and done in the thread.

    `shortened` and `left_out` count entries. `origin` is the thread and the record that started a sub-agent's, `citations` are the arcs
    that were recalled in it.
    """

    thread: str
    session_ref: str | None = None
    kind: str
    title: str | None = None
    project: str | None = None
    started_at: str | None = None
    ended_at: str | None = None
    turns: int
    records: int
    whole_tokens: int
    tokens: int
    budget: int
    shortened: int = 0
    left_out: int = 0
    leaf: str
    origin: Origin | None = None
    sub_agents: list[SubAgent] = []
    citations: list[str] = []
    text: str


def thread(request: ThreadRequest, runtime: Runtime) -> ThreadResult:
    """A thread. Raises `StaleSource` where the raw files are not what the map was made from, and what `resolve_thread` raises."""
    if request.budget < MIN_BUDGET:
        raise UsageError(f"a budget is {MIN_BUDGET} tokens or more, not {request.budget}")
    with runtime.reading() as connection:
        view = load_thread(connection, request.address)
        roots = [Path(row.selector.partition(":")[2]) for row in load_coverage(connection)]
        calls = not (get_meta(connection, "projection") or "").startswith("talk")
        with CheckedReader(roots, runtime.archive_dir) as reader:
            made = _make_entries(view, _Bytes(runtime, reader, view), raw=request.raw, calls=calls)
    labels = label_branches([_node(row) for row in view.records], view.thread.leaf_record)
    children: dict[Packed, list[Spawned]] = {}
    for spawned in view.spawned:
        children.setdefault(spawned.record_id, []).append(spawned)
    entries: list[Entry] = []
    for row, label in zip(view.records, labels, strict=True):
        for entry in made[row.copy_id]:
            entries.append(msgspec.structs.replace(entry, head=f"{entry.head}  ({label})") if label else entry)
        entries += [_sub_agent_entry(one, runtime) for one in children.get(row.record_id, ())]
    address = thread_address(view.thread.thread_id)
    rendered = render_thread(
        _head(view, address),
        entries,
        budget=request.budget,
        arcs=[address],
        more=" ".join(runtime.argv("thread", address, "--budget", str(request.budget * 4))),
        wrap=request.wrap,
    )
    return _result(view, address, request, text=rendered.text, counts=(rendered.tokens, rendered.shortened, rendered.left_out))


class _Bytes:
    """The bytes of the records of a thread, from their best copies or from others with the same bytes."""

    def __init__(self, runtime: Runtime, reader: CheckedReader, view: ThreadView) -> None:
        self._runtime = runtime
        self._reader = reader
        self._view = view

    def read(self, row: ThreadRecord) -> bytes:
        """The bytes of a record. Raises `StaleSource`."""
        path = Path(row.root) / row.path
        try:
            return self._reader.read(path, row, row.hash)
        except Unfit as error:
            reasons = [f"{path}: {error}"]
        for place in locate_record(self._runtime.read_map(), f"rec:{unpack(row.record_id)}").places:
            if place.hash == row.hash.hex() and place.path != str(path):
                try:
                    return self._reader.read(Path(place.path), place, row.hash)
                except Unfit as error:
                    reasons.append(f"{place.path}: {error}")
        session = self._view.session
        commands = [self._runtime.argv("sync"), self._runtime.argv("status")]
        if session is not None:
            commands.append(self._runtime.argv("read", session.ref))
        raise StaleSource(
            f"the bytes of rec:{unpack(row.record_id)} cannot be vouched for: {'; '.join(reasons)}",
            hint="sync takes in what changed; read shows what the map holds, also of files that are gone",
            next=commands,
        )


def _make_entries(view: ThreadView, source: _Bytes, *, raw: bool, calls: bool) -> dict[int, list[Entry]]:
    """The entries of every record, by copy; read in the order of the files, each of them once."""
    contexts: dict[str, FileContext] = {}
    shown: dict[int, set[int]] = {}
    for piece in view.shown:
        shown.setdefault(piece >> PIECE_SHIFT, set()).add(piece & ((1 << PIECE_SHIFT) - 1))
    made: dict[int, list[Entry]] = {}
    for row in sorted(view.records, key=lambda row: (row.root, row.path, row.offset)):
        data = source.read(row)
        text = row.context or ""
        if text not in contexts:
            contexts[text] = _CONTEXT.decode(text) if text else get_source(row.source).file_context(row.path, b"")
        parsed = _parse(row, data, contexts[text])
        pieces = [] if parsed is None else list(_iter_pieces(parsed, shown.get(row.copy_id, set()), raw=raw, calls=calls))
        made[row.copy_id] = [
            *(_piece_entry(row, piece, words) for piece, words in pieces),
            *_result_entries(row, data, raw=raw),
        ]
    return made


def _parse(row: ThreadRecord, data: bytes, context: FileContext) -> Record | None:
    try:
        parsed = get_source(row.source).parse(data, context, row.hash)
    except (msgspec.DecodeError, RecursionError):
        return None
    return None if isinstance(parsed, Problem) else parsed


def _iter_pieces(record: Record, shown: set[int], *, raw: bool, calls: bool) -> Iterator[tuple[Piece, str | Mapping[str, str]]]:
    """What a record says, without what is said elsewhere and without titles: a text, or the fields of a call."""
    number = -1  # of the piece in the map, which holds no calls where they are not projected
    for _, piece, text in iter_kept(record.pieces, calls=True):
        held = calls or piece.kind is not Kind.CALL
        number += held
        if held and number not in shown:
            continue
        if piece.kind is Kind.PROFILE and piece.label not in _SHOWN_LABELS:
            continue
        if piece.kind is Kind.CALL:
            yield piece, dict(piece.fields) if raw else _FIELDS.decode(text)
        else:
            yield piece, piece.text if raw else text if len(piece.text) <= MAX_TEXT else _scrubbed(piece.text)


def _piece_entry(row: ThreadRecord, piece: Piece, words: str | Mapping[str, str]) -> Entry:
    record = f"rec:{unpack(row.record_id)}"
    if not isinstance(words, str):
        line, cut = call_line(piece.tool, words)
        return Entry(head=line, record=record, cut=cut)
    who = piece.role.value if piece.role else (piece.label or "note")
    number = f"#{row.seq} " if row.seq is not None and piece.kind is Kind.MESSAGE else ""
    when = "" if row.timestamp is None else f"  {format_local(row.timestamp)}"
    return Entry(head=f"{number}{who}{when}", record=record, text=words, said=True)


def _result_entries(row: ThreadRecord, data: bytes, *, raw: bool) -> Iterator[Entry]:
    for result in find_results(data):
        head = result.text[:_RESULT_HEAD]
        failed = result.failed or bool(row.flags & Flag.ERROR)
        line, cut = result_line(head if raw else _scrubbed(head), size=len(result.text), failed=failed)
        yield Entry(head=line, record=f"rec:{unpack(row.record_id)}", cut=cut)


def _scrubbed(text: str) -> str:
    return str(scrub(strip_sentinels(text)[0]))


def _node(row: ThreadRecord) -> Node:
    talks = bool(row.flags & Flag.CONVERSATION) and not row.flags & Flag.META
    return Node(row.record_id, row.parent, row.logical_parent, row.message, row.tool_use_id, talks, bool(row.abandoned))


def _sub_agent_entry(spawned: Spawned, runtime: Runtime) -> Entry:
    session = spawned.session
    title = f" “{session.title}”" if session.title else ""
    command = " ".join(runtime.argv("thread", session.ref))
    return Entry(head=f"⤷ sub-agent{title}, {session.messages} messages: {command}", record=f"rec:{unpack(spawned.record_id)}")


def _head(view: ThreadView, address: str) -> Sequence[str]:
    thread, session = view.thread, view.session
    times = [format_local(moment) for moment in (thread.first_at, thread.last_at) if moment is not None]
    facts = [address, None if session is None else session.ref, " – ".join(dict.fromkeys(times))]
    size = f"{thread.turns} messages, {thread.records} records, about {thread.tokens} tokens"
    lines = [" · ".join(fact for fact in facts if fact), " · ".join(filter(None, [session.project if session else None, size]))]
    if view.origin is not None:
        lines.append(f"started by {view.origin.thread}, {view.origin.record}")
    if view.citations:
        lines.append(f"recalled here: {' '.join(view.citations)}")
    return lines


def _result(view: ThreadView, address: str, request: ThreadRequest, *, text: str, counts: tuple[int, int, int]) -> ThreadResult:
    thread, session = view.thread, view.session
    tokens, shortened, left_out = counts
    return ThreadResult(
        thread=address,
        session_ref=None if session is None else session.ref,
        kind=thread.kind,
        title=thread.title,
        project=None if session is None else session.project,
        started_at=None if thread.first_at is None else format_iso(thread.first_at),
        ended_at=None if thread.last_at is None else format_iso(thread.last_at),
        turns=thread.turns,
        records=thread.records,
        whole_tokens=thread.tokens,
        tokens=tokens,
        budget=request.budget,
        shortened=shortened,
        left_out=left_out,
        leaf=f"rec:{unpack(thread.leaf_record)}",
        origin=view.origin,
        sub_agents=[
            SubAgent(
                session_ref=one.session.ref,
                title=one.session.title,
                messages=one.session.messages,
                record=f"rec:{unpack(one.record_id)}",
            )
            for one in view.spawned
        ],
        citations=view.citations,
        text=text,
    )
