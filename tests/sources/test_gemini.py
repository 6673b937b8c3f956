"""Gemini CLI: what was said in the fixtures, once and in order, and nothing else."""

import hashlib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.conformance import SourceConformance, outlines_of, read_tree

from lith.kernel import ids
from lith.records.arrangement import Arrangement
from lith.records.record import Flag, Kind, Label, Piece, Record, Role, SessionKind, Usage
from lith.sources.base import FileContext
from lith.sources.gemini import SOURCE
from lith.sources.gemini.parse import parse
from lith.sources.gemini.session import find_root
from lith.sources.gemini.words import CONTEXT_ID, Sort, classify

DATA = Path(__file__).parent.parent / "data" / "gemini"
VERSIONS = ("0.61.0", "log")
PLAYED = "081310c2-cac2-4f3a-b4be-85a9dbfdda5c"
LOG = "5e551000-0000-4000-8000-000000000001"
AGENT = f"{LOG}/a9e40000-0000-4000-8000-000000000002"

SAID = {
    ("0.61.0", PLAYED): [
        "Say hello with the shell, please. 부탁합니다 🙏",
        "I'll run the command.",
        "The shell said hello. 你好，世界。 안녕하세요! 👋🏽",
        "Read notes.txt and change the port",
        "I'll read the file first.",
        "Now I change the port.",
        "Changed the port from 8000 to 8123 because 8000 was taken by the proxy.",
        "Show a long listing",
        "This prints many lines.",
        "The listing has 4000 lines.",
        "Run a failing command",
        "Both failed: the paths do not exist.",
        "Two things at once",
        "Two calls in one turn.",
        "Both done.",
        "Ask the memory about the port",
        "I'll ask the memory server.",
        "The memory says the port was changed to 8123.",
        "What did we do before?",
        "Earlier in this session we changed the port to 8123.",
    ],
    ("log", LOG): [
        "Look at @cart.py",
        "I look.",
        "The cart is fine. 장바구니",
        "Delete everything",
        "Taken back answer.",
        "/plan the checkout",
        "A plan.",
        "Only told in a patch.",
        "A picture.",
    ],
    ("log", AGENT): ["SUBTASK find the number", "The number is 42."],
}


class TestConformance(SourceConformance):
    source = SOURCE
    roots = tuple(DATA / version for version in VERSIONS)


def read(version: str, transcript: str) -> tuple[list[Record], Arrangement]:
    """The records of one session as the map holds them: of the copies of a record the longest, where the first one stands."""
    best: dict[str, tuple[int, Record]] = {}
    for candidate in SOURCE.iter_candidates(DATA / version):
        if candidate.skip is not None:
            continue
        lines = candidate.path.read_bytes().splitlines()
        context = SOURCE.file_context(candidate.relative, lines[0])
        for line in lines:
            record = SOURCE.parse(line, context, ids.digest(line))
            assert isinstance(record, Record)
            if record.transcript == transcript and best.get(record.record_id, (-1, record))[0] < len(line):
                best[record.record_id] = (len(line), record)
    records = [record for _, record in best.values()]
    return records, SOURCE.arrange(transcript, outlines(records))


def outlines(records: list[Record]) -> list[Any]:
    """The outlines of records, with the message of each piece."""
    return [
        msgspec.structs.replace(
            outline,
            pieces=tuple(
                msgspec.structs.replace(told, message=None if piece.message_id is None else ids.small_hash(piece.message_id))
                for told, piece in zip(outline.pieces, record.pieces, strict=True)
            ),
        )
        for outline, record in zip(outlines_of(records), records, strict=True)
    ]


def shown(records: list[Record], arrangement: Arrangement, kind: Kind) -> list[Piece]:
    return [
        piece
        for i, record in enumerate(records)
        for p, piece in enumerate(record.pieces)
        if piece.kind == kind and (i, p) not in arrangement.hidden
    ]


def called(records: list[Record], arrangement: Arrangement) -> list[tuple[str | None, tuple[tuple[str, str], ...]]]:
    return [(piece.tool, piece.fields) for piece in shown(records, arrangement, Kind.CALL)]


@pytest.mark.parametrize(("version", "transcript"), SAID, ids=[transcript[-6:] for _, transcript in SAID])
def test_all_that_was_said_is_shown_once_and_nothing_else(version: str, transcript: str) -> None:
    records, arrangement = read(version, transcript)
    assert [piece.text for piece in shown(records, arrangement, Kind.MESSAGE)] == SAID[version, transcript]
    assert set(arrangement.session_of) == {0}


def test_every_session_of_the_fixtures_is_covered() -> None:
    for version in VERSIONS:
        assert set(read_tree(SOURCE, DATA / version)) == {transcript for v, transcript in SAID if v == version}


def test_both_files_of_a_session_are_one_transcript() -> None:
    contexts = {
        SOURCE.file_context(candidate.relative, candidate.path.read_bytes().splitlines()[0])
        for candidate in SOURCE.iter_candidates(DATA / "0.61.0")
        if candidate.skip is None
    }
    assert {context.transcript for context in contexts} == {PLAYED}


def test_prompts_are_the_users_and_answers_the_models() -> None:
    records, arrangement = read("0.61.0", PLAYED)
    prompts = [piece.text for piece in shown(records, arrangement, Kind.MESSAGE) if piece.role == Role.USER]
    assert len(prompts) == 7
    assert len([record for record in records if record.flags & Flag.TURN]) == 7
    assert prompts[0] == SAID["0.61.0", PLAYED][0]


def test_calls_are_told_once_with_their_allowed_fields() -> None:
    calls = called(*read("0.61.0", PLAYED))
    here = "/home/dev/agents/gemini/work/my.proj_プロジェクト"
    assert [(tool, fields[0]) for tool, fields in calls] == [
        ("run_shell_command", ("command", "echo hello")),
        ("read_file", ("path", f"{here}/notes.txt")),
        ("replace", ("path", f"{here}/notes.txt")),
        ("write_file", ("path", f"{here}/결정-記録.md")),
        ("run_shell_command", ("command", "seq -f 'line %06g of a long listing with some padding text' 1 4000")),
        ("run_shell_command", ("command", "ls /does/not/exist && echo unreachable")),
        ("read_file", ("path", f"{here}/missing-file.txt")),
        ("run_shell_command", ("command", "echo first")),
        ("run_shell_command", ("command", "echo second")),
        ("mcp_memo_recall", ("query", "포트 변경")),
    ]
    assert {fields[1:] for tool, fields in calls if tool == "run_shell_command"} == {(("description", "Run a shell command"),)}
    records, arrangement = read("log", LOG)
    assert called(records, arrangement) == [
        ("search_file_content", (("path", "src"), ("pattern", "total"))),
        ("replace", (("path", "/home/dev/shop/src/cart.py"),)),
        ("web_fetch", (("url", "https://docs.example.org/cart"),)),
        ("run_shell_command", (("command", "git status"),)),
        ("write_file", (("path", "/home/dev/shop/plan.md"),)),
    ]
    assert [piece.tool for piece in shown(records, arrangement, Kind.CALL) if piece.role == Role.USER] == ["run_shell_command"]


def test_nothing_of_the_client_or_of_a_hook_is_text() -> None:
    words = (
        "INJECTED",
        "THOUGHT",
        "OUTPUT",
        "FILE CONTENT",
        "VENDOR",
        "EXPANDED",
        "SCRATCH",
        "CONTENT",
        "MARK-",
        "filler",
        "of the client",
    )
    for version in VERSIONS:
        for records in read_tree(SOURCE, DATA / version).values():
            for text in (piece.text for record in records for piece in record.pieces):
                assert not any(word in text for word in words), text


def test_a_call_that_only_a_patch_tells_belongs_to_its_message() -> None:
    records, _ = read("log", LOG)
    (call,) = [piece for record in records for piece in record.pieces if piece.tool == "write_file"]
    (answer,) = [record for record in records if [piece.text for piece in record.pieces] == ["A plan."]]
    assert call.message_id == answer.message_id


def test_summaries_are_about_the_session() -> None:
    records, arrangement = read("log", LOG)
    told = [(piece.label, piece.text) for piece in shown(records, arrangement, Kind.PROFILE)]
    assert told == [
        (Label.COMPACTION, "<state_snapshot>\nThe cart was looked at.\n</state_snapshot>"),
        (Label.AI_TITLE, "Cart and checkout"),
    ]


def test_what_was_taken_back_is_abandoned() -> None:
    records, arrangement = read("log", LOG)
    gone = [piece.text for i in sorted(arrangement.abandoned) for piece in records[i].pieces]
    assert gone == ["Delete everything", "Taken back answer."]
    assert read("0.61.0", PLAYED)[1].abandoned == frozenset()


def test_a_sub_agent_is_a_session_of_its_own_below_its_parent() -> None:
    records, arrangement = read("log", AGENT)
    (plan,) = arrangement.sessions
    assert (plan.native_id, plan.kind, plan.parent) == (AGENT, SessionKind.SUBAGENT, LOG)
    assert dict(plan.attributes) == {"cwd": "/home/dev/shop", "model": "gemini-x", "agent": AGENT.partition("/")[2]}
    assert not any(record.flags & Flag.TURN for record in records)


def test_the_working_directory_is_the_one_whose_hash_the_log_names() -> None:
    (plan,) = read("0.61.0", PLAYED)[1].sessions
    assert dict(plan.attributes) == {"cwd": "/home/dev/agents/gemini/work/my.proj_プロジェクト", "model": "gemini-2.5-pro"}
    assert (plan.kind, plan.parent) == (SessionKind.MAIN, None)


@pytest.mark.parametrize(
    ("path", "root"),
    [
        ("/home/dev/shop", "/home/dev/shop"),
        ("/home/dev/shop/a/b.py", "/home/dev/shop"),
        ("/home/dev/shopping/b.py", None),
        ("/home/dev", None),
        ("src/a.py", None),
        ("", None),
        ("/" * 5000, None),
    ],
)
def test_a_root_is_found_by_its_hash_alone(path: str, root: str | None) -> None:
    project = hashlib.sha256(b"/home/dev/shop").hexdigest()
    assert find_root(path, project) == root
    assert find_root(path, project[:16]) == root


def test_a_root_of_another_system_is_found_too() -> None:
    project = hashlib.sha256(b"C:\\dev\\shop").hexdigest()
    assert find_root("C:\\dev\\shop\\a.py", project) == "C:\\dev\\shop"


def test_tokens_are_counted_once_a_message() -> None:
    records, _ = read("log", LOG)
    usages = [record.usage for record in records if record.usage is not None]
    assert usages == [Usage(62, 13, 40)] * 5
    played = [record.usage for record in read("0.61.0", PLAYED)[0] if record.usage is not None]
    assert (len(played), sum(usage.output for usage in played)) == (16, 320)


def test_failures_are_flagged() -> None:
    failed = [record.type for record in read("log", LOG)[0] if record.flags & Flag.ERROR]
    assert failed == ["gemini", "user", "error"]


def test_a_message_keeps_its_place_when_it_is_written_again() -> None:
    records, _ = read("0.61.0", PLAYED)
    answers = [record for record in records if record.type == "gemini" and any(p.kind == Kind.CALL for p in record.pieces)]
    assert len(answers) == 9
    assert len({record.record_id for record in records}) == len(records)
    times = [record.timestamp for record in records if record.type in {"user", "gemini"}]
    assert times == sorted(times, key=lambda ms: ms or 0)


def test_a_longer_log_never_changes_what_an_earlier_record_says() -> None:
    records, _ = read("log", LOG)
    told = outlines(records)
    for length in range(len(told)):
        part = SOURCE.arrange(LOG, told[:length])
        texts = [piece.text for piece in shown(records[:length], part, Kind.MESSAGE)]
        assert texts == SAID["log", LOG][: len(texts)]


TOLD = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.booleans()), max_size=12)


@settings(max_examples=80, deadline=None)
@given(TOLD)
def test_however_often_it_is_told_a_message_is_shown_once(tellings: list[tuple[int, int, bool]]) -> None:
    """Each telling is (message, number of its calls so far, told in a patch); a line told again is the same record."""
    records: dict[str, tuple[int, Record]] = {}
    for number, calls, in_patch in tellings:
        message = {
            "id": f"m{number}",
            "type": "gemini",
            "content": f"text {number}",
            "toolCalls": [{"id": f"c{k}", "name": "ls", "args": {"path": f"p{number}-{k}"}} for k in range(calls)],
        }
        data = msgspec.json.encode({"$set": {"messages": [message]}} if in_patch else message)
        record = SOURCE.parse(data, FileContext("t"), ids.digest(data))
        assert isinstance(record, Record)
        if records.get(record.record_id, (-1, record))[0] < len(data):
            records[record.record_id] = (len(data), record)
    kept = [record for _, record in records.values()]
    arrangement = SOURCE.arrange("t", outlines(kept))
    texts = [piece.text for piece in shown(kept, arrangement, Kind.MESSAGE)]
    assert sorted(texts) == sorted({f"text {number}" for number, _, _ in tellings})
    calls_shown = [piece.text for piece in shown(kept, arrangement, Kind.CALL)]
    assert sorted(calls_shown) == sorted({f"p{number}-{k}" for number, calls, _ in tellings for k in range(calls)})


@pytest.mark.parametrize(
    ("parts", "sort", "text"),
    [
        (["hello"], Sort.HUMAN, "hello"),
        (["<hook_context>x</hook_context>\n\n<hook_context>y</hook_context>\n\nhello "], Sort.HUMAN, "hello"),
        (["hello", "\n<hook_context>x</hook_context>"], Sort.HUMAN, "hello"),
        (["What is <hook_context>x</hook_context> for?"], Sort.HUMAN, "What is <hook_context>x</hook_context> for?"),
        (["<hook_context>never closed"], Sort.HUMAN, "<hook_context>never closed"),
        (["only closed</hook_context>"], Sort.HUMAN, "only closed</hook_context>"),
        (["<hook_context>x</hook_context>"], Sort.INJECTED, ""),
        (["<session_context>\nx\n</session_context>"], Sort.INJECTED, ""),
        (["<session_context>\nx", "hello"], Sort.HUMAN, "hello"),
        (["a\n--- Content from referenced files ---\nx\n--- End of content ---\nb"], Sort.HUMAN, "a\n\nb"),
        (["a\n--- Content from referenced files ---\nx"], Sort.HUMAN, "a"),
        (["<scratchpad>x</scratchpad>\n<state_snapshot>s"], Sort.COMPACTION, "<state_snapshot>s"),
        (["What is a <state_snapshot>?"], Sort.HUMAN, "What is a <state_snapshot>?"),
        (["   "], Sort.INJECTED, ""),
        ([], Sort.INJECTED, ""),
    ],
)
def test_what_a_text_in_the_users_place_is(parts: list[str], sort: Sort, text: str) -> None:
    assert classify(parts) == (sort, text)


def test_the_description_of_the_surroundings_is_known_by_its_id() -> None:
    assert hashlib.sha256(b"environment-context").hexdigest()[:32] == CONTEXT_ID


def test_a_header_on_a_line_with_all_its_messages_is_taken() -> None:
    """The oldest files are one object; written on one line it can be read."""
    whole = {
        "sessionId": "s",
        "startTime": "2026-03-01T08:00:00.000Z",
        "summary": "Greetings",
        "messages": [
            {"id": "1", "type": "user", "content": "hello"},
            {"id": "2", "type": "gemini", "content": "hello back", "toolCalls": [{"name": "ls", "args": {"path": "a"}}]},
        ],
    }
    record = parse(msgspec.json.encode(whole), FileContext("s"), b"0" * 16)
    assert isinstance(record, Record)
    assert [piece.text for piece in record.pieces] == ["Greetings", "hello", "hello back", "a"]
    assert len({piece.message_id for piece in record.pieces[1:]}) == 2


def test_records_can_be_stored() -> None:
    for version in VERSIONS:
        for records in read_tree(SOURCE, DATA / version).values():
            assert msgspec.json.decode(msgspec.json.encode(records), type=list[Record]) == records
