"""Every record in exactly one thread, whatever the graph; and a thread that keeps its address while the session grows."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.ingest.threads import ARC, PREAMBLE, Threads, assign_threads
from lith.kernel import ids, jsonl
from lith.kernel.zstd import open_decompressed
from lith.records.arrangement import Arrangement, Outline, PieceOutline, SessionPlan
from lith.records.record import Flag, Kind, Record, Role, SessionKind, Usage
from lith.sources.registry import SOURCES

DATA = Path(__file__).resolve().parents[1] / "data"
TURN = int(Flag.TURN | Flag.CONVERSATION)
TALK = int(Flag.CONVERSATION)


def said(text: str, role: Role = Role.USER) -> PieceOutline:
    return PieceOutline(Kind.MESSAGE, role, None, None, 0, True, ids.small_hash(text), len(text))


def outline(
    record_id: str,
    flags: int = TALK,
    *,
    parent: str | None = None,
    logical: str | None = None,
    prompt: str | None = None,
    message: int | None = None,
    call: str | None = None,
    pieces: tuple[PieceOutline, ...] = (),
    at: int = 0,
) -> Outline:
    return Outline(record_id, "t", at, at, parent, logical, prompt, message, call, None, flags, None, (), pieces)


def prompt(record_id: str, text: str = "", **links: str | None) -> Outline:
    return outline(record_id, TURN, pieces=(said(text or record_id),), **links)  # type: ignore[arg-type]


def one_session(
    outlines: Sequence[Outline], *, kind: SessionKind = SessionKind.MAIN, hidden: frozenset[tuple[int, int]] = frozenset()
) -> Threads:
    arrangement = Arrangement((SessionPlan("s", kind),), (0,) * len(outlines), hidden)
    return assign_threads("claude_code", "s", outlines, arrangement)


def firsts(threads: Threads) -> list[ids.Packed]:
    return [threads.threads[number].first for number in threads.thread_of]


def test_an_arc_is_a_prompt_and_what_follows_it() -> None:
    threads = one_session(
        [outline("title", 0), prompt("p1"), outline("a1", parent="p1"), prompt("p2", parent="a1"), outline("a2", parent="p2")]
    )
    assert firsts(threads) == ["title", "p1", "p1", "p2", "p2"]
    assert [thread.kind for thread in threads.threads] == [PREAMBLE, ARC, ARC]
    assert [thread.leaf for thread in threads.threads] == ["title", "a1", "a2"]


def test_a_late_answer_belongs_to_the_prompt_that_it_answers() -> None:
    by_parent = [prompt("p1"), outline("a1", parent="p1"), prompt("p2", parent="a1"), outline("late", parent="a1")]
    assert firsts(one_session(by_parent))[-1] == "p1"
    by_prompt = [prompt("p1", prompt="P"), prompt("p2", prompt="Q"), outline("late", prompt="P")]
    assert firsts(one_session(by_prompt))[-1] == "p1"
    by_message = [prompt("p1"), outline("a1", message=7), prompt("p2"), outline("a1b", message=7)]
    assert firsts(one_session(by_message))[-1] == "p1"
    by_call = [prompt("p1"), outline("a1", call="c"), prompt("p2"), outline("r1", call="c")]
    assert firsts(one_session(by_call))[-1] == "p1"


def test_a_compaction_wall_is_crossed() -> None:
    records = [
        prompt("p1"),
        outline("a1", parent="p1"),
        prompt("p2", parent="a1"),
        outline("wall", int(Flag.BOUNDARY), logical="a1"),
        outline("summary", int(Flag.META), parent="wall"),
        outline("a3", parent="summary"),
    ]
    assert firsts(one_session(records))[3:] == ["p1", "p1", "p1"]


def test_a_phantom_parent_leaves_a_record_where_it_stands() -> None:
    records = [prompt("p1"), prompt("p2"), outline("a", parent="nowhere", logical="nor here")]
    assert firsts(one_session(records)) == ["p1", "p2", "p2"]


def test_a_prompt_in_two_forms_begins_one_thread_with_the_earlier_form() -> None:
    item, event = prompt("item", "yes"), prompt("event", "yes")
    assert firsts(one_session([item])) == ["item"]
    assert firsts(one_session([item, event], hidden=frozenset({(0, 0)}))) == ["item", "item"]
    assert firsts(one_session([event, item], hidden=frozenset({(1, 0)}))) == ["event", "event"]
    again = [item, event, outline("a"), prompt("item2", "yes"), prompt("event2", "yes")]
    assert firsts(one_session(again, hidden=frozenset({(0, 0), (3, 0)}))) == ["item", "item", "item", "item2", "item2"]
    turned = [event, item, outline("a"), prompt("event2", "yes"), prompt("item2", "yes")]
    assert firsts(one_session(turned, hidden=frozenset({(1, 0), (4, 0)}))) == ["event", "event", "event", "event2", "event2"]


def test_an_injected_text_begins_nothing() -> None:
    records = [prompt("p1"), prompt("injected", "<environment>"), outline("a")]
    assert firsts(one_session(records, hidden=frozenset({(1, 0)}))) == ["p1", "p1", "p1"]


def test_a_command_without_words_begins_a_thread() -> None:
    call = PieceOutline(Kind.CALL, Role.USER, None, "/review", 0, True, 1, 2)
    assert firsts(one_session([prompt("p1"), outline("cmd", TURN, pieces=(call,)), outline("a")])) == ["p1", "cmd", "cmd"]


def test_the_prompt_of_a_sub_agent_begins_its_thread() -> None:
    records = [outline("task", pieces=(said("do this"),)), outline("a", pieces=(said("done", Role.ASSISTANT),))]
    threads = one_session(records, kind=SessionKind.SUBAGENT)
    assert firsts(threads) == ["task", "task"]
    assert threads.threads[0].kind == ARC
    assert one_session(records).threads[0].kind == PREAMBLE  # a main session's prompts are marked as such


def test_sessions_of_one_transcript_have_threads_of_their_own() -> None:
    records = [prompt("p1"), outline("side", parent="p1"), outline("a1", parent="side"), outline("nobody", 0)]
    arrangement = Arrangement(
        (SessionPlan("s"), SessionPlan("s/side", SessionKind.SUBAGENT, "s")), (0, 1, 0, -1), abandoned=frozenset()
    )
    threads = assign_threads("claude_code", "s", records, arrangement)
    assert [threads.threads[number].session for number in threads.thread_of] == [0, 1, 0, -1]
    assert len({thread.thread_id for thread in threads.threads}) == 3


def test_the_leaf_is_on_the_branch_that_was_kept() -> None:
    records = [prompt("p1"), outline("a1"), outline("left"), outline("snapshot", 0)]
    arrangement = Arrangement((SessionPlan("s"),), (0, 0, 0, 0), abandoned=frozenset({2}))
    assert assign_threads("pi", "s", records, arrangement).threads[0].leaf == "a1"


def test_an_address_depends_on_the_session_and_the_prompt_alone() -> None:
    records = [prompt("p1"), outline("a1")]
    here, there = one_session(records), assign_threads("codex", "s", records, Arrangement((SessionPlan("s"),), (0, 0)))
    assert here.threads[0].thread_id != there.threads[0].thread_id
    assert one_session([outline("t", 0), *records]).threads[1].thread_id == here.threads[0].thread_id


NAMES = st.sampled_from([f"r{i}" for i in range(12)])
LINK = st.none() | NAMES


@st.composite
def hostile(draw: st.DrawFn) -> tuple[list[Outline], list[int], frozenset[tuple[int, int]]]:
    """Records with any links whatever: duplicates, cycles, parents that come later or never."""
    outlines, sessions, hidden = [], [], set()
    for i in range(draw(st.integers(0, 25))):
        flags = draw(st.sampled_from([0, TALK, TURN, int(Flag.META), int(Flag.BOUNDARY)]))
        pieces = (said(draw(st.sampled_from("ab"))),) if draw(st.booleans()) else ()
        outlines.append(
            outline(
                draw(NAMES), flags, parent=draw(LINK), logical=draw(LINK), prompt=draw(LINK), pieces=pieces,
                message=draw(st.none() | st.integers(0, 3)), call=draw(LINK), at=draw(st.integers(0, 9)),
            )
        )  # fmt: skip
        sessions.append(draw(st.sampled_from([0, 0, 0, 1, -1])))
        if pieces and draw(st.integers(0, 3)) == 0:
            hidden.add((i, 0))
    return outlines, sessions, frozenset(hidden)


PLANS = (SessionPlan("s"), SessionPlan("s/a", SessionKind.SUBAGENT, "s"))


def threads_of(outlines: Sequence[Outline], sessions: Sequence[int], hidden: frozenset[tuple[int, int]]) -> list[ids.Packed]:
    threads = assign_threads("claude_code", "s", outlines, Arrangement(PLANS, tuple(sessions), hidden))
    return [threads.threads[number].thread_id for number in threads.thread_of]


@given(hostile())
@settings(max_examples=300, deadline=None)
def test_every_record_is_in_exactly_one_thread_of_its_session(
    world: tuple[list[Outline], list[int], frozenset[tuple[int, int]]],
) -> None:
    outlines, sessions, hidden = world
    threads = assign_threads("claude_code", "s", outlines, Arrangement(PLANS, tuple(sessions), hidden))
    assert len(threads.thread_of) == len(outlines)
    assert sorted(set(threads.thread_of)) == list(range(len(threads.threads)))
    assert len({thread.thread_id for thread in threads.threads}) == len(threads.threads)
    assert [threads.threads[number].session for number in threads.thread_of] == sessions
    assert sum(thread.records for thread in threads.threads) == len(outlines)


@given(hostile(), st.data())
@settings(max_examples=300, deadline=None)
def test_what_is_appended_moves_no_record(
    world: tuple[list[Outline], list[int], frozenset[tuple[int, int]]], data: st.DataObject
) -> None:
    outlines, sessions, _ = world
    whole = threads_of(outlines, sessions, frozenset())
    upto = data.draw(st.integers(0, len(outlines)))
    assert threads_of(outlines[:upto], sessions[:upto], frozenset()) == whole[:upto]


@given(st.lists(st.tuples(st.sampled_from(["iea", "eia", "ea", "ia", "a"]), st.sampled_from("xy")), max_size=8))
@settings(max_examples=300, deadline=None)
def test_a_second_form_of_a_prompt_moves_no_record(turns: list[tuple[str, str]]) -> None:
    """The response item of a prompt is hidden as soon as its event is there, and not before."""
    outlines: list[Outline] = []
    pairs: list[tuple[int, int]] = []
    for forms, text in turns:
        first = len(outlines)
        outlines += [outline(f"r{first + k}") if form == "a" else prompt(f"r{first + k}", text) for k, form in enumerate(forms)]
        if len(forms) == 3:
            pairs.append((first + forms.index("i"), first + forms.index("e")))

    def now(upto: int) -> list[ids.Packed]:
        hidden = frozenset((item, 0) for item, event in pairs if max(item, event) < upto)
        threads = one_session(outlines[:upto], hidden=hidden)
        return [threads.threads[number].thread_id for number in threads.thread_of]

    whole = now(len(outlines))
    for upto in range(len(outlines)):
        if not any(item >= upto > event or event >= upto > item for item, event in pairs):
            assert now(upto) == whole[:upto]
        assert set(now(upto)) <= set(whole)
    begun = sum(1 for forms, _ in turns if forms != "a")
    assert len(set(whole)) == begun + bool(turns and turns[0][0] == "a")


def read_outlines(source: str, path: Path, root: Path) -> tuple[str, list[Outline]]:
    adapter = SOURCES[source]
    outlines: dict[ids.Packed, Outline] = {}
    context, transcript = None, ""
    with open_decompressed(path) as file:
        for item in jsonl.LineReader(file):
            assert isinstance(item, jsonl.Line)
            if context is None:
                context = adapter.file_context(path.relative_to(root).as_posix(), item.data)
                transcript = context.transcript
            parsed = adapter.parse(item.data, context, ids.digest(item.data))
            if isinstance(parsed, Record) and parsed.transcript == transcript:
                outlines.setdefault(ids.pack(parsed.record_id), to_outline(parsed))
    return transcript, list(outlines.values())


def to_outline(record: Record) -> Outline:
    def packed(text: str | None) -> ids.Packed | None:
        return None if text is None else ids.pack(text)

    pieces = tuple(
        PieceOutline(
            piece.kind, piece.role, piece.label, piece.tool, piece.order, piece.native,
            ids.small_hash(piece.text), len(piece.text), None if piece.message_id is None else ids.small_hash(piece.message_id),
        )
        for piece in record.pieces
    )  # fmt: skip
    usage: Usage | None = record.usage
    return Outline(
        ids.pack(record.record_id), record.type, record.timestamp or 0, record.timestamp, packed(record.parent),
        packed(record.logical_parent), packed(record.prompt_id), None if record.message_id is None else ids.small_hash(record.message_id),
        record.tool_use_id, packed(record.target), record.flags, usage, record.attributes, pieces,
    )  # fmt: skip


FIXTURES = [
    pytest.param(source, path, id=f"{source}-{path.relative_to(DATA / source).parts[0]}-{path.stem[-12:]}")
    for source in ("claude_code", "codex", "pi", "dsh")
    for path in sorted((DATA / source).rglob("*.jsonl*"))
    if path.suffix in {".jsonl", ".zst", ".zstd"} and path.name not in {"history.jsonl", "journal.jsonl"}
]


@pytest.mark.parametrize(("source", "path"), FIXTURES)
def test_a_real_session_keeps_its_threads_while_it_is_written(source: str, path: Path) -> None:
    transcript, outlines = read_outlines(source, path, DATA / source)
    adapter = SOURCES[source]

    def now(upto: int) -> list[ids.Packed]:
        arrangement = adapter.arrange(transcript, outlines[:upto])
        threads = assign_threads(source, transcript, outlines[:upto], arrangement)
        return [threads.threads[number].thread_id for number in threads.thread_of]

    whole = now(len(outlines))
    conversation = next((i for i, one in enumerate(outlines) if one.flags & TALK), len(outlines))
    step = max(len(outlines) // 60, 1)
    for upto in range(conversation + 1, len(outlines), step):
        before = now(upto)
        assert set(before) <= set(whole)
        moved = [i for i in range(upto) if before[i] != whole[i]]
        # Codex: the response item of a prompt, which could be injected text as long as its event is not there
        assert moved == [] or (source == "codex" and moved == [upto - 1] and outlines[upto - 1].flags & TURN == TURN)
