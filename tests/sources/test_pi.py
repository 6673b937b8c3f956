"""Pi: what was said in the fixtures of each session version, and nothing else."""

from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.conformance import SourceConformance, outlines_of, pieces_of, read_tree

from lith.kernel import ids
from lith.records.arrangement import Arrangement
from lith.records.record import Flag, Kind, Label, Record, Role, SessionKind, Usage
from lith.sources.base import FileContext
from lith.sources.pi import SOURCE

DATA = Path(__file__).parent.parent / "data" / "pi"
VERSIONS = ("1.6.0", "tree", "v1")
TREE = "019c1000-0000-7000-8000-000000000003"
FORK = "019c1000-0000-7000-8000-00000000000f"
LINEAR = "019b1000-0000-7000-8000-000000000001"

GREETING = "The shell said hello. 你好，世界。 안녕하세요! 👋🏽"
BEFORE = ["What did we do before?", "Earlier in this session we changed the port to 8123."]
PORT = [
    "Read notes.txt and change the port",
    "I'll read the file first.",
    "Now I change the port.",
    "Changed the port from 8000 to 8123 because 8000 was taken by the proxy.",
]
COMMON = ["Make the cart faster", "I look at the cart.", "The cart is faster now."]
LEFT = ["Rewrite it in another language", "Abandoned answer.", "Abandoned second prompt"]
TAKEN_BACK = ["Make the cart faster, first try", "Answer of the root that was taken back."]

# By the last digits of the session's id: everything that a person or a model said, in order.
SAID = {
    "1.6.0": {
        "55f0ffd": [
            "Say hello with the shell, please. 부탁합니다 🙏",
            "I'll run the command.",
            GREETING,
            *PORT,
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
            *BEFORE,
        ],
        "cb24453": ["Say hello with the shell", "I'll run the command.", GREETING],
        "6c62056": ["Fill the window", "Working on it.", "Done after filling.", *BEFORE],
        "263cba0": ["Say hello with the shell", "I'll run the command.", GREETING, *PORT, *BEFORE],
        "6b8276": ["What did we do before? (forked)", BEFORE[1]],
    },
    "tree": {
        "0003": [
            *TAKEN_BACK,
            *COMMON,
            *LEFT,
            "Look at the failures <b>closely</b>",
            "Two tests were wrong.",
            "A picture of a cart. 장바구니",
        ],
        "000f": [*COMMON, "And in the fork?", "The fork goes on."],
    },
    "v1": {"0001": ["Hello, old one", "Hello yourself.", "Again", "Hello again."]},
}


class TestConformance(SourceConformance):
    source = SOURCE
    roots = tuple(DATA / version for version in VERSIONS)


def read(version: str, digits: str) -> tuple[list[Record], Arrangement]:
    """The records of one session, and their arrangement."""
    transcripts = read_tree(SOURCE, DATA / version)
    (transcript,) = [name for name in transcripts if name.endswith(digits)]
    records = transcripts[transcript]
    return records, SOURCE.arrange(transcript, outlines_of(records))


def profile(records: list[Record], label: Label) -> list[str]:
    return [piece.text for piece in pieces_of(records, Kind.PROFILE) if piece.label == label]


@pytest.mark.parametrize(("version", "digits"), [(v, digits) for v, sessions in SAID.items() for digits in sessions])
def test_all_that_was_said_is_shown_once_and_nothing_else(version: str, digits: str) -> None:
    records, arrangement = read(version, digits)
    assert [piece.text for piece in pieces_of(records, Kind.MESSAGE)] == SAID[version][digits]
    assert set(arrangement.session_of) == {0}
    assert arrangement.hidden == frozenset()


def test_every_session_of_the_fixtures_is_covered() -> None:
    for version in VERSIONS:
        transcripts = read_tree(SOURCE, DATA / version)
        assert len(transcripts) == len(SAID[version])


def test_prompts_are_the_users_and_answers_the_models() -> None:
    records, _ = read("1.6.0", "55f0ffd")
    prompts = [piece.text for piece in pieces_of(records, Kind.MESSAGE, Role.USER)]
    assert prompts == [
        "Say hello with the shell, please. 부탁합니다 🙏",
        PORT[0],
        "Show a long listing",
        "Run a failing command",
        "Two things at once",
        "Ask the memory about the port",
        BEFORE[0],
    ]
    assert len([record for record in records if record.flags & Flag.TURN]) == len(prompts)


def test_what_an_extension_injects_is_no_text() -> None:
    for version in VERSIONS:
        for records in read_tree(SOURCE, DATA / version).values():
            texts = [piece.text for record in records for piece in record.pieces]
            assert not [text for text in texts if "MARK-SESSIONSTART" in text or "INJECTED" in text or "THOUGHT" in text]


def test_calls_show_their_allowed_fields() -> None:
    records, _ = read("1.6.0", "55f0ffd")
    calls = [(piece.tool, piece.fields) for piece in pieces_of(records, Kind.CALL)]
    assert calls[0] == ("bash", (("command", "echo hello"),))
    assert [tool for tool, _ in calls] == [
        "bash",
        "read",
        "edit",
        "write",
        "bash",
        "bash",
        "read",
        "bash",
        "bash",
        "mcp__memo__recall",
    ]
    assert calls[-1] == ("mcp__memo__recall", (("query", "포트 변경"),))
    assert calls[3][1] == (("path", "/home/dev/agents/pi/work/my.proj_プロジェクト/결정-記録.md"),)
    tree, _ = read("tree", "0003")
    assert [(piece.role, piece.tool, piece.fields) for piece in pieces_of(tree, Kind.CALL)] == [
        (Role.ASSISTANT, "grep", (("path", "src"), ("pattern", "total\\("))),
        (Role.ASSISTANT, "edit", (("path", "src/cart.py"),)),
        (Role.USER, "bash", (("command", "pytest -q"),)),
        (Role.USER, "/skill:review", ()),
    ]


def test_the_last_entry_says_which_branch_is_the_conversation() -> None:
    records, arrangement = read("tree", "0003")
    left = [piece.text for i in sorted(arrangement.abandoned) for piece in records[i].pieces]
    assert left == [*TAKEN_BACK, *LEFT]
    assert not any(records[i].flags & Flag.HEADER for i in arrangement.abandoned)
    for digits in ("000f",):
        assert read("tree", digits)[1].abandoned == frozenset()


def test_while_it_is_written_the_branch_of_the_moment_is_the_conversation() -> None:
    records, _ = read("tree", "0003")
    second = next(i for i, r in enumerate(records) if any(p.text == "Abandoned second prompt" for p in r.pieces))
    part = SOURCE.arrange(TREE, outlines_of(records[: second + 1]))
    assert [piece.text for i in sorted(part.abandoned) for piece in records[i].pieces] == TAKEN_BACK


def test_a_session_without_a_tree_has_no_branches() -> None:
    records, arrangement = read("v1", "0001")
    assert arrangement.abandoned == frozenset()
    assert len({record.record_id for record in records}) == 7
    assert [record.type for record in records][:2] == ["session", "message/user"]


def test_a_parent_that_is_not_here_leaves_no_branch_behind() -> None:
    records, _ = read("1.6.0", "55f0ffd")
    lost = [record for i, record in enumerate(records) if i != 12]
    assert SOURCE.arrange("t", outlines_of(lost)).abandoned == frozenset()


@settings(max_examples=80, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=1, max_size=12))
def test_left_is_what_is_neither_above_nor_below_the_last_entry(choices: list[int]) -> None:
    parents = [None if i == 0 else choice % i for i, choice in enumerate(choices)]  # one tree, in any shape
    lines = [
        {
            "type": "message",
            "id": f"e{i}",
            "parentId": None if p is None else f"e{p}",
            "message": {"role": "user", "content": "x"},
        }
        for i, p in enumerate(parents)
    ]
    records = [SOURCE.parse(msgspec.json.encode(line), FileContext("t"), b"0" * 16) for line in lines]
    told = outlines_of([record for record in records if isinstance(record, Record)])
    above = set()
    i: int | None = len(parents) - 1
    while i is not None:
        above.add(i)
        i = parents[i]
    assert SOURCE.arrange("t", told).abandoned == set(range(len(parents))) - above


def test_summaries_and_names_are_about_the_session() -> None:
    records, _ = read("tree", "0003")
    assert profile(records, Label.COMPACTION) == ["The cart was made faster; two tests were wrong."]
    assert profile(records, Label.RECAP) == ["The other branch tried a rewrite."]
    assert profile(records, Label.TITLE) == ["Faster cart"]
    (wall,) = [record for record in records if record.flags & Flag.BOUNDARY]
    assert wall.type == "compaction"
    (summary,) = profile(read("1.6.0", "263cba0")[0], Label.COMPACTION)
    assert summary.startswith("<analysis>Looked over the talk.")
    assert profile(read("v1", "0001")[0], Label.COMPACTION) == ["Greetings were exchanged."]


def test_tokens_are_those_of_each_call() -> None:
    records, _ = read("tree", "0003")
    usages = [record.usage for record in records if record.usage is not None]
    assert usages.count(Usage(100, 10, 40, 5)) == 7
    assert [u for u in usages if u.input < 100] == [Usage(7, 3), Usage(1, 1)]
    assert not any(usage.cumulative for usage in usages)


def test_a_fork_does_not_count_its_parents_tokens_again() -> None:
    records, arrangement = read("tree", "000f")
    assert [record.usage for record in records if record.usage is not None] == [Usage(100, 10, 40, 5)]
    (plan,) = arrangement.sessions
    assert (plan.native_id, plan.parent, plan.kind) == (FORK, TREE, SessionKind.MAIN)
    assert dict(plan.attributes) == {"cwd": "/home/dev/shop", "model": "model-b"}
    assert read("1.6.0", "6b8276")[1].sessions[0].parent == "01a22a97-2423-7515-b917-7731a263cba0"
    assert read("v1", "0001")[1].sessions[0].parent == "019b1000-0000-7000-8000-000000000000"


def test_ids_are_unique_over_sessions_though_a_fork_copies_them() -> None:
    own = {record.record_id for record in read("tree", "0003")[0]}
    forked = {record.record_id for record in read("tree", "000f")[0]}
    assert own.isdisjoint(forked)
    copied = [record for record in read("tree", "000f")[0] if record.parent is not None]
    assert {record.parent for record in copied} <= forked


def test_a_fork_is_of_its_parents_family() -> None:
    families = {digits: read("tree", digits)[1].sessions[0].family for digits in SAID["tree"]}
    assert families == {"0003": TREE, "000f": TREE}


def test_failures_are_flagged() -> None:
    failed = [record.type for record in read("tree", "0003")[0] if record.flags & Flag.ERROR]
    assert failed == ["message/toolResult", "message/assistant", "message/bashExecution"]


def test_ids_do_not_depend_on_the_name_of_the_file() -> None:
    lines = next((DATA / "tree").rglob("*0003.jsonl")).read_bytes().splitlines()
    one = SOURCE.file_context("sessions/--a--/2026-02-01T09-00-00-000Z_x.jsonl", lines[0])
    two = SOURCE.file_context("y.jsonl.zst", lines[0])
    assert one == two
    assert one.transcript == TREE


def test_a_file_without_its_header_has_the_id_in_its_name() -> None:
    for name in (f"--a--/2026-02-01T09-00-00-000Z_{TREE}.jsonl", f"{TREE}.jsonl.zst"):
        assert SOURCE.file_context(name, b'{"type":"message"}').transcript == TREE
    assert SOURCE.file_context("--a--/한글.jsonl", b"").transcript == "unknown"


FOREIGN = b'{"type":"session","version":3,"id":"session-1","createdAt":1770000000000,"cwd":"/home/dev","delegationDepth":0}'


@pytest.mark.parametrize(
    "line", [FOREIGN, b'{"type":"session","id":"x","createdAt":1}', b'{"type":"session","delegationDepth":0}']
)
def test_another_clients_file_is_kept_and_not_understood(line: bytes) -> None:
    context = SOURCE.file_context("--a--/x.jsonl", line)
    told = b'{"type":"message","id":"1","message":{"role":"user","content":"hello"},"usage":{"input":1}}'
    for data in (line, told):
        record = SOURCE.parse(data, context, ids.digest(data))
        assert isinstance(record, Record)
        assert (record.pieces, record.flags, record.usage) == ((), 0, None)
    assert SOURCE.arrange(context.transcript, []).sessions == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plain <file> words", ["plain <file> words"]),
        ('<file name="a.md">\nX\n</file>\n<file name="b.png"></file>\nRead it', ["Read it"]),
        ('<file name="a.md">never closed', ['<file name="a.md">never closed']),
        ('<skill name="s" location="/x">\nTEXT\n</skill>', []),
        ('<skill name="s" location="/x">\nTEXT\n</skill>\n\nwith words', ["with words"]),
        (
            'Why is <skill name="s" location="/x">\nTEXT\n</skill> here?',
            ['Why is <skill name="s" location="/x">\nTEXT\n</skill> here?'],
        ),
        ("   ", []),
        ("", []),
    ],
)
def test_only_a_persons_own_words_are_their_message(text: str, said: list[str]) -> None:
    line = msgspec.json.encode({"type": "message", "id": "1", "message": {"role": "user", "content": text}})
    record = SOURCE.parse(line, FileContext("t"), b"0" * 16)
    assert isinstance(record, Record)
    assert [piece.text for piece in record.pieces if piece.kind == Kind.MESSAGE] == said


def test_records_can_be_stored() -> None:
    for version in VERSIONS:
        for records in read_tree(SOURCE, DATA / version).values():
            assert msgspec.json.decode(msgspec.json.encode(records), type=list[Record]) == records
