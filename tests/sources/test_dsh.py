"""dsh: what was said in the fixtures, and nothing else; the logs as the client writes them, compressed and frame by frame."""

import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from tests.sources.conformance import SourceConformance, outlines_of, pieces_of, read_tree

from lith.ingest import RootSpec, SyncRequest, sync
from lith.kernel import ids
from lith.records.arrangement import Arrangement
from lith.records.record import Flag, Kind, Label, Record, Role, SessionKind, Usage
from lith.sources.base import FileContext
from lith.sources.dsh import SOURCE
from lith.store.map import schema

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

DATA = Path(__file__).parent.parent / "data" / "dsh" / "v3"
MAIN = "session-7d500000-0000-4000-8000-000000000001"
AGENT = "session-7d500000-0000-4000-8000-000000000002"
FORK = "7d500000-0000-4000-8000-000000000003"
LOG = DATA / "sessions" / "--home-dev-shop--" / MAIN / "session.jsonl"

BEGUN = ["Make the cart faster, please. 부탁합니다 🙏", "I look at the cart.", "The cart is faster now."]
SAID = {
    MAIN: [*BEGUN, "What did we do?", "We made the cart faster."],
    AGENT: ["SUBTASK find the number", "The number is 42."],
    FORK: [*BEGUN, "And in the fork?", "The fork goes on."],
}
TOKENS = Usage(120, 60, 800, 30)


class TestConformance(SourceConformance):
    source = SOURCE
    roots = (DATA,)


def read(transcript: str) -> tuple[list[Record], Arrangement]:
    records = read_tree(SOURCE, DATA)[transcript]
    return records, SOURCE.arrange(transcript, outlines_of(records))


@pytest.mark.parametrize("transcript", SAID)
def test_all_that_was_said_is_shown_once_and_nothing_else(transcript: str) -> None:
    records, arrangement = read(transcript)
    assert [piece.text for piece in pieces_of(records, Kind.MESSAGE)] == SAID[transcript]
    assert set(arrangement.session_of) == {0}
    assert arrangement.abandoned == frozenset()


def test_every_session_of_the_fixtures_is_covered() -> None:
    assert set(read_tree(SOURCE, DATA)) == set(SAID)


def test_prompts_are_the_users_and_answers_the_models() -> None:
    records, _ = read(MAIN)
    assert [piece.text for piece in pieces_of(records, Kind.MESSAGE, Role.USER)] == [BEGUN[0], "What did we do?"]
    assert len([record for record in records if record.flags & Flag.TURN]) == 2


def test_nothing_of_the_client_is_text() -> None:
    words = ("INJECTED", "THOUGHT", "OUTPUT", "SYSTEM", "VENDOR", "MODEL ONLY", "ATTEMPT", "FAILURE", "TODO")
    for records in read_tree(SOURCE, DATA).values():
        for text in (piece.text for record in records for piece in record.pieces):
            assert not any(word in text for word in words), text


@pytest.mark.parametrize("source", [{"kind": "plugin"}, {"kind": "goal"}, {"kind": None}, {}, None])
def test_a_prompt_is_a_persons_only_where_the_client_says_so(source: object) -> None:
    event = {"type": "user/message", "seq": 1, "time": 1, "data": {"content": "hello", "source": source}, "surfaceOp": "append"}
    record = SOURCE.parse(msgspec.json.encode(event), FileContext("t"), b"0" * 16)
    assert isinstance(record, Record)
    assert (record.pieces, record.flags) == ((), Flag.META)


def test_calls_show_their_allowed_fields() -> None:
    calls = [(piece.tool, piece.fields) for piece in pieces_of(read(MAIN)[0], Kind.CALL)]
    assert calls == [
        ("grep", (("path", "src"), ("pattern", "total"))),
        ("bash", (("command", "pytest -q"), ("description", "run the tests"))),
    ]


@pytest.mark.parametrize("arguments", ['{"command":', "5", "null", "[]", None, 7, {"command": 5}, '{"command":["a"]}'])
def test_arguments_that_cannot_be_read_are_not_shown(arguments: object) -> None:
    block = {"type": "tool-call", "id": "c", "name": "bash", "arguments": arguments}
    event = {"type": "assistant/message", "time": 1, "data": {"message": {"id": "m", "content": [block]}}}
    record = SOURCE.parse(msgspec.json.encode(event), FileContext("t"), b"0" * 16)
    assert isinstance(record, Record)
    assert [(piece.tool, piece.fields) for piece in record.pieces] == [("bash", ())]


def test_summaries_and_titles_are_about_the_session() -> None:
    records, _ = read(MAIN)
    assert [(piece.label, piece.text) for piece in pieces_of(records, Kind.PROFILE)] == [
        (Label.TITLE, "Faster cart"),
        (Label.COMPACTION, "The cart was made faster."),
    ]
    assert [record.type for record in records if record.flags & Flag.BOUNDARY] == ["compaction/summary"]


def test_tokens_are_those_of_each_call_that_came_to_an_end() -> None:
    usages = [record.usage for record in read(MAIN)[0] if record.usage is not None]
    assert usages == [TOKENS, TOKENS, Usage(7, 3)]
    assert [record.usage for record in read(AGENT)[0] if record.usage is not None] == [TOKENS]


def test_a_fork_does_not_count_its_parents_tokens_again() -> None:
    records, arrangement = read(FORK)
    assert [record.usage for record in records if record.usage is not None] == [TOKENS]
    (plan,) = arrangement.sessions
    assert (plan.kind, plan.parent) == (SessionKind.MAIN, MAIN)
    assert plan.family == read(MAIN)[1].sessions[0].family == MAIN


def test_a_session_knows_where_it_ran() -> None:
    (plan,) = read(MAIN)[1].sessions
    assert (plan.kind, plan.parent) == (SessionKind.MAIN, None)
    assert dict(plan.attributes) == {"cwd": "/home/dev/shop", "model": "model-d"}


def test_a_sub_agent_is_a_session_of_its_own_below_its_parent() -> None:
    records, arrangement = read(AGENT)
    (plan,) = arrangement.sessions
    assert (plan.kind, plan.parent) == (SessionKind.SUBAGENT, MAIN)
    assert dict(plan.attributes)["agent"] == "explore"
    assert not any(record.flags & Flag.TURN for record in records)


def test_failures_are_flagged() -> None:
    failed = [record.type for record in read(MAIN)[0] if record.flags & Flag.ERROR]
    assert failed == ["tool/result", "llm/retry", "turn/end"]


def test_another_clients_file_is_kept_and_not_understood() -> None:
    header = b'{"type":"session","version":3,"id":"019c","timestamp":"2026-02-01T09:00:00.000Z","cwd":"/home/dev"}'
    context = SOURCE.file_context("--a--/s/session.jsonl", header)
    told = b'{"type":"user/message","data":{"id":"1","content":"hello","source":{"kind":"user"}}}'
    for data in (header, told):
        record = SOURCE.parse(data, context, ids.digest(data))
        assert isinstance(record, Record)
        assert (record.pieces, record.flags) == ((), 0)


def test_a_log_without_its_header_is_named_after_its_folder() -> None:
    assert SOURCE.file_context(f"--a--/{MAIN}/session.v3.jsonl.zstd", b"").transcript == MAIN
    assert SOURCE.file_context("session.jsonl", b"[]").transcript == "session.jsonl"
    assert SOURCE.file_context("", b"").transcript == "unknown"


def test_what_is_written_again_in_a_newer_format_is_the_same_record() -> None:
    lines = LOG.read_bytes().splitlines()
    context = SOURCE.file_context("a/session.jsonl", lines[0])
    for line in lines:
        event = msgspec.json.decode(line)
        again = msgspec.json.encode(event | {"seq": 900})
        one, two = (SOURCE.parse(data, context, ids.digest(data)) for data in (line, again))
        assert isinstance(one, Record)
        assert isinstance(two, Record)
        if any(piece.kind is not Kind.PROFILE for piece in one.pieces) or one.usage:
            assert two.record_id == one.record_id


def synced(root: Path, data_dir: Path) -> tuple[list[Any], list[Any], int]:
    """What a sync makes of a folder of sessions: the messages, the titles, and the number of damaged places."""
    request = SyncRequest(roots=(RootSpec("dsh", root),))
    report = sync(request, data_dir=data_dir, sources={"dsh": SOURCE}, clock=lambda: 0)
    db = schema.open_for_reading(data_dir / schema.FILE_NAME)
    try:
        messages = db.execute(
            "SELECT p.text FROM documents d JOIN pieces p USING (piece_id) WHERE d.kind = 'message' ORDER BY doc_id"
        )
        titles = db.execute("SELECT title, cwd FROM sessions ORDER BY ref")
        return [text for (text,) in messages], titles.fetchall(), report.totals.damage
    finally:
        db.close()


def frames(lines: list[bytes]) -> bytes:
    """A log as the client writes it: every batch of lines in a frame of its own."""
    return b"".join(zstd.compress(b"".join(line + b"\n" for line in lines[i : i + 3])) for i in range(0, len(lines), 3))


@pytest.mark.parametrize("name", ["session.jsonl.zstd", "session.v3.jsonl.zstd", "session.v4.jsonl.zst", "session.jsonl"])
def test_a_log_is_read_in_every_form(tmp_path: Path, data_dir: Path, name: str) -> None:
    lines = LOG.read_bytes().splitlines()
    path = tmp_path / "sessions" / "--home-dev-shop--" / MAIN / name
    path.parent.mkdir(parents=True)
    path.write_bytes(LOG.read_bytes() if name.endswith(".jsonl") else frames(lines))
    assert synced(tmp_path / "sessions", data_dir) == (SAID[MAIN], [("Faster cart", "/home/dev/shop")], 0)


def test_a_torn_last_frame_is_a_normal_end(tmp_path: Path, data_dir: Path) -> None:
    lines = LOG.read_bytes().splitlines()
    whole = frames(lines[:24])
    path = tmp_path / "--home-dev-shop--" / MAIN / "session.jsonl.zstd"
    path.parent.mkdir(parents=True)
    path.write_bytes(whole + zstd.compress(b"\n".join(lines[24:]))[:-20])
    messages, _, damage = synced(tmp_path, data_dir)
    assert messages[:3] == BEGUN
    assert damage == 0
    path.write_bytes(whole + frames(lines[24:]))
    assert synced(tmp_path, data_dir)[0] == SAID[MAIN]


def test_two_formats_of_one_session_are_one_session(tmp_path: Path, data_dir: Path) -> None:
    lines = LOG.read_bytes().splitlines()
    folder = tmp_path / "--home-dev-shop--" / MAIN
    folder.mkdir(parents=True)
    (folder / "session.jsonl.zstd").write_bytes(frames(lines))
    newer = [msgspec.json.encode(event | {"seq": event.get("seq", 0) + 7}) for event in map(msgspec.json.decode, lines)]
    (folder / "session.v3.jsonl.zstd").write_bytes(frames(newer))
    assert synced(tmp_path, data_dir) == (SAID[MAIN], [("Faster cart", "/home/dev/shop")], 0)


def test_records_can_be_stored() -> None:
    for records in read_tree(SOURCE, DATA).values():
        assert msgspec.json.decode(msgspec.json.encode(records), type=list[Record]) == records
