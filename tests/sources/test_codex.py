"""Codex: what was said in the fixtures of each generation, and nothing else."""

from pathlib import Path

import msgspec
import pytest
from tests.sources.conformance import SourceConformance, outlines_of, read_tree

from lith.kernel import ids
from lith.records.arrangement import Arrangement
from lith.records.record import Flag, Kind, Label, Piece, Record, Role, SessionKind
from lith.sources.codex import SOURCE

DATA = Path(__file__).parent.parent / "data" / "codex"
VERSIONS = ("oldest", "0.39.0", "0.63.0", "0.125.0", "0.160.0", "0.171.0")

HELLO = "Say hello with the shell, please. 부탁합니다 🙏"
HELLO_BACK = ["I'll run the command.", "The shell said hello. 你好，世界。 안녕하세요! 👋🏽"]
PLAYED = [
    HELLO,
    *HELLO_BACK,
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
    "Delegate the lookup",
    "I'll hand this to a helper.",
    "The helper found the magic number 42.",
    "Ask the memory about the port",
    "I'll ask the memory server.",
    "The memory says the port was changed to 8123.",
    "Keep a list",
    "Listed.",
]
FILLED = [
    "Fill the window",
    "Working on it.",
    "Going on from the summary.",
    "What did we do before?",
    "Earlier in this session we changed the port to 8123.",
]
TAX = ["Find out how tax is computed and fix the rate", "The rate is 21 now."]
COUNT = "Count the lines and let a helper read the notes"

# By the last digits of the thread's id: everything that a person or a model said, in order.
SAID = {
    "oldest": {
        "1f2c01": [
            "Which files are here?",
            "There is cart.py and a folder of tests.",
            "Thanks. 고마워요",
            "You are welcome.",
        ]
    },
    "0.39.0": {
        "000039": [
            "Run the tests.",
            "One test fails.",
            "Run the tests.",
            "One test fails.",
            "What is on this picture?",
            "A cart.",
            "It is red.",
            "Commit it.",
        ]
    },
    "0.63.0": {
        "9eb4c4": PLAYED,
        "11963": FILLED,
        "e2c69": ["Say hello with the shell", *HELLO_BACK],
        "339a9": ["Make the server fail"],
    },
    "0.125.0": {
        "00000125": [
            *TAX,
            "Plan the checkout",
            "Here is a plan.",
            "1. Cart\n2. Payment",
            "Rewrite everything in another language",
            "Yes, really",
            "I would rather not.",
            "Plan the checkout",
            "The plan stands.",
        ],
        "f0125": [*TAX, "And now the shipping costs", "Shipping is free."],
        "b125": ["Review the current changes", "No findings."],
        "a125": [
            "The following is the Codex agent history whose request action you are assessing.\n"
            ">>> TRANSCRIPT START\n[1] user: Find out how tax is computed\n>>> TRANSCRIPT END",
            '{"risk_level":"low","outcome":"allow"}',
        ],
    },
    "0.160.0": {
        "000160": [COUNT, "Twelve lines; the notes say 42."],
        "c160": [COUNT, "The notes say 42."],
    },
    "0.171.0": {
        "2611": PLAYED,
        "e228": ["SUBTASK find the magic number in notes.txt", "Looking.", "The magic number is 42 (마법의 수는 42)."],
        "3ee5": FILLED,
        "6b13": ["Say hello with the shell", *HELLO_BACK],
        "0db4": ["Make the server fail"],
    },
}


class TestConformance(SourceConformance):
    source = SOURCE
    roots = tuple(DATA / version for version in VERSIONS)


def read(version: str, digits: str) -> tuple[list[Record], Arrangement]:
    """The records of one thread, and their arrangement."""
    transcripts = read_tree(SOURCE, DATA / version)
    (transcript,) = [name for name in transcripts if name.endswith(digits)]
    records = transcripts[transcript]
    return records, SOURCE.arrange(transcript, outlines_of(records))


def shown(records: list[Record], arrangement: Arrangement, kind: Kind) -> list[Piece]:
    """The pieces of a kind that are not said elsewhere too."""
    return [
        piece
        for i, record in enumerate(records)
        for j, piece in enumerate(record.pieces)
        if piece.kind == kind and (i, j) not in arrangement.hidden
    ]


def profile(records: list[Record], arrangement: Arrangement, label: Label) -> list[str]:
    """The visible session-level texts of one sort."""
    return [piece.text for piece in shown(records, arrangement, Kind.PROFILE) if piece.label == label]


def called(records: list[Record], arrangement: Arrangement) -> list[tuple[str | None, tuple[tuple[str, str], ...]]]:
    """The visible calls: tool and fields."""
    return [(piece.tool, piece.fields) for piece in shown(records, arrangement, Kind.CALL)]


@pytest.mark.parametrize(("version", "digits"), [(v, digits) for v, threads in SAID.items() for digits in threads])
def test_all_that_was_said_is_shown_once_and_nothing_else(version: str, digits: str) -> None:
    records, arrangement = read(version, digits)
    assert [piece.text for piece in shown(records, arrangement, Kind.MESSAGE)] == SAID[version][digits]
    assert set(arrangement.session_of) == {0}


def test_every_thread_of_the_fixtures_is_covered() -> None:
    for version in VERSIONS:
        transcripts = read_tree(SOURCE, DATA / version)
        assert len(transcripts) == len(SAID[version])
        assert all(any(name.endswith(digits) for digits in SAID[version]) for name in transcripts)


@pytest.mark.parametrize("version", ["0.63.0", "0.171.0"])
def test_prompts_are_the_users_and_answers_the_models(version: str) -> None:
    records, arrangement = read(version, next(iter(SAID[version])))
    roles = {piece.text: piece.role for piece in shown(records, arrangement, Kind.MESSAGE)}
    assert roles[HELLO] == Role.USER
    assert roles[HELLO_BACK[1]] == Role.ASSISTANT


@pytest.mark.parametrize("version", ["0.63.0", "0.171.0"])
def test_calls_are_told_once_with_their_allowed_fields(version: str) -> None:
    records, arrangement = read(version, next(iter(SAID[version])))
    calls = called(records, arrangement)
    commands = [value for _, fields in calls for name, value in fields if name == "command"]
    assert commands[0] == "echo hello"
    assert [c for c in commands if c in {"echo first", "echo second"}] == ["echo first", "echo second"]
    assert len([c for c in commands if c.startswith("seq -f")]) == 1
    assert ("mcp__memo__recall", (("query", "포트 변경"),)) in calls
    assert len([tool for tool, _ in calls if tool == "mcp__memo__recall"]) == 1
    assert not [value for _, fields in calls for _, value in fields if "SUBTASK" in value]


def test_of_a_patch_only_the_paths_are_shown() -> None:
    records, arrangement = read("0.63.0", "9eb4c4")
    patches = [fields for tool, fields in called(records, arrangement) if tool == "apply_patch"]
    assert [name for fields in patches for name, _ in fields] == ["path", "path"]
    assert patches[1][0][1].endswith("/결정-記録.md")


def test_calls_of_every_generation() -> None:
    assert called(*read("oldest", "1f2c01")) == [
        ("shell", (("command", "ls -la"),)),
        ("local_shell", (("command", "cat 'my notes.md'"),)),
    ]
    assert called(*read("0.39.0", "000039")) == [
        ("shell", (("command", "pytest -q"), ("description", "The tests need the network."))),
        ("shell", (("path", "cart.py"),)),
        ("shell", (("command", "cd src && apply_patch <<'EOF'"), ("path", "tax.py"), ("path", "old.py"))),
        ("exec_command", (("command", "git status"),)),
    ]
    assert called(*read("0.125.0", "00000125")) == [
        ("exec_command", (("command", "rg -n RATE src"),)),
        ("write_stdin", ()),
        ("web_search", (("query", "VAT rate 2026"),)),
        ("web_search", (("url", "https://tax.example.org/rates"),)),
        ("mcp__memo__recall", (("query", "세율 결정"),)),
        ("apply_patch", (("path", "src/tax.py"), ("path", "src/rates.py"))),
        ("exec_command", (("command", "rm -r src"),)),
    ]


def test_scripts_of_code_mode_show_what_they_ran() -> None:
    assert called(*read("0.160.0", "000160")) == [
        ("exec_command", (("command", "wc -l *.py"),)),
        ("exec_command", (("command", "git log a"),)),
        ("exec_command", (("command", "git log b"),)),
        ("apply_patch", (("path", "count.txt"),)),
        ("mcp__memo__recall", (("query", "lines of cart"),)),
        ("web_search", (("query", "line counting"),)),
        ("spawn_agent", (("description", "read_notes"),)),
    ]


def test_a_command_typed_by_a_person_is_a_call_of_theirs() -> None:
    records, arrangement = read("0.39.0", "000039")
    assert [p.text for p in shown(records, arrangement, Kind.CALL) if p.role == Role.USER] == ["git status"]


def test_reasoning_summaries_and_compactions_are_about_the_session() -> None:
    records, arrangement = read("0.63.0", "9eb4c4")
    assert profile(records, arrangement, Label.REASONING) == ["The user wants a greeting. I will run echo."]
    for version, digits in (("0.63.0", "11963"), ("0.171.0", "3ee5")):
        records, arrangement = read(version, digits)
        (summary,) = profile(records, arrangement, Label.COMPACTION)
        assert summary.startswith("<analysis>Looked over the talk.")
        assert len([record for record in records if record.flags & Flag.BOUNDARY]) == 1
    records, arrangement = read("0.125.0", "00000125")
    assert profile(records, arrangement, Label.COMPACTION) == ["The rate went from 19 to 21. 세율 변경."]
    assert profile(records, arrangement, Label.TITLE) == ["Tax rates and checkout"]


def test_turns_taken_back_are_abandoned_and_interrupted_ones_are_not() -> None:
    records, arrangement = read("0.125.0", "00000125")
    gone = [p.text for i in sorted(arrangement.abandoned) for p in records[i].pieces if p.kind == Kind.MESSAGE and p.native]
    assert gone == ["Rewrite everything in another language", "Yes, really", "I would rather not."]
    assert not any(records[i].flags & (Flag.HEADER | Flag.ROLLBACK) for i in arrangement.abandoned)
    (back,) = [record for record in records if record.flags & Flag.ROLLBACK]
    assert back.attributes == (("rollback", "2"),)
    records, arrangement = read("0.39.0", "000039")
    assert arrangement.abandoned == frozenset()


def test_a_session_knows_where_it_ran() -> None:
    (plan,) = read("0.125.0", "00000125")[1].sessions
    assert plan.kind == SessionKind.MAIN
    assert plan.parent is None
    assert dict(plan.attributes) == {
        "cwd": "/home/dev/shop",
        "branch": "cart",
        "repository": "https://git.example.org/dev/shop.git",
        "version": "0.126.0",
        "model": "gpt-5.4-codex",
    }
    (oldest,) = read("oldest", "1f2c01")[1].sessions
    assert dict(oldest.attributes) == {"branch": "trunk", "repository": "https://git.example.org/dev/shop.git"}


def test_a_sub_agent_is_a_session_of_its_own_below_its_parent() -> None:
    records, arrangement = read("0.171.0", "e228")
    (plan,) = arrangement.sessions
    parent = "01a22a78-ca13-7213-910a-357e5c6e2611"
    assert (plan.kind, plan.parent) == (SessionKind.SUBAGENT, parent)
    assert dict(plan.attributes)["agent"] == "Mencius"
    assert not any(record.flags & Flag.TURN for record in records)
    parents = read_tree(SOURCE, DATA / "0.171.0")[parent]
    assert [r.tool_use_id for r in parents if r.target == plan.native_id] == ["call_97249aa313bf48779422"]


def test_reviewers_are_set_apart_and_reviews_are_sub_agents() -> None:
    (guardian,) = read("0.125.0", "a125")[1].sessions
    (review,) = read("0.125.0", "b125")[1].sessions
    assert (guardian.kind, guardian.parent) == (SessionKind.REVIEW, "019d2000-0000-7000-8000-000000000125")
    assert (review.kind, review.parent) == (SessionKind.SUBAGENT, "019d2000-0000-7000-8000-000000000125")


def test_a_fork_is_itself_though_its_parents_header_and_history_follow() -> None:
    records, arrangement = read("0.125.0", "f0125")
    (plan,) = arrangement.sessions
    assert plan.kind == SessionKind.MAIN
    assert plan.parent == "019d2000-0000-7000-8000-000000000125"
    assert dict(plan.attributes)["cwd"] == "/home/dev/shop-two"
    headers = [record for record in records if record.type == "session_meta"]
    assert [bool(record.flags & Flag.HEADER) for record in headers] == [True, False]
    assert headers[1].attributes == ()


def test_what_a_sub_agent_inherited_is_marked_where_the_client_says_so() -> None:
    records, arrangement = read("0.160.0", "c160")
    inherited = [record for record in records if ("inherited", "true") in record.attributes]
    assert [record.type for record in inherited][-1] == "response_item/message/user"
    assert len(inherited) == 5
    assert all(record.usage is None for record in inherited)
    assert [record.usage.output for record in records if record.usage is not None] == [20]
    assert dict(arrangement.sessions[0].attributes)["agent"] == "Euler"


@pytest.mark.parametrize(("digits", "version"), [("2611", "0.171.0"), ("9eb4c4", "0.63.0"), ("00000125", "0.125.0")])
def test_counters_run_over_the_session(digits: str, version: str) -> None:
    records, _ = read(version, digits)
    counted = [record.usage for record in records if record.usage is not None]
    assert counted
    assert all(usage.cumulative for usage in counted)
    if version == "0.171.0":
        assert [usage.input for usage in counted] == sorted(usage.input for usage in counted)
        assert (counted[-1].input, counted[-1].output) == (287002, 400)
    if version == "0.125.0":
        assert (counted[-1].input, counted[-1].output, counted[-1].cache_read) == (10000, 900, 20000)


def test_failures_are_flagged() -> None:
    failed = [record.type for record in read("0.171.0", "2611")[0] if record.flags & Flag.ERROR]
    assert failed.count("event_msg/item_completed/CommandExecution") == 2
    assert failed.count("response_item/function_call_output") == 2
    assert [r.type for r in read("0.171.0", "0db4")[0] if r.flags & Flag.ERROR] == ["event_msg/task_complete"]
    assert "event_msg/error" in [r.type for r in read("0.125.0", "00000125")[0] if r.flags & Flag.ERROR]
    assert [r.tool_use_id for r in read("oldest", "1f2c01")[0] if r.flags & Flag.ERROR] == ["call_old_2"]


def test_turns_carry_the_clients_id() -> None:
    records, _ = read("0.171.0", "2611")
    turns = [record.prompt_id for record in records if record.flags & Flag.TURN]
    assert turns == [turn for turn in dict.fromkeys(turns) for _ in (0, 1)]
    assert None not in turns


def test_ids_do_not_depend_on_the_name_of_the_file() -> None:
    lines = next((DATA / "0.63.0").rglob("*.jsonl")).read_bytes().splitlines()
    one = SOURCE.file_context("sessions/2026/11/30/rollout-x.jsonl", lines[0])
    two = SOURCE.file_context("archived_sessions/rollout-y.jsonl.zst", lines[0])
    assert [SOURCE.parse(line, one, ids.digest(line)) for line in lines] == [
        SOURCE.parse(line, two, ids.digest(line)) for line in lines
    ]


def test_a_longer_transcript_never_changes_what_an_earlier_record_says() -> None:
    records, _ = read("0.125.0", "00000125")
    outlines = outlines_of(records)
    for length in range(len(outlines)):
        part = SOURCE.arrange("t", outlines[:length])
        texts = [p.text for p in shown(records[:length], part, Kind.MESSAGE)]
        assert texts == SAID["0.125.0"]["00000125"][: len(texts)]


def test_records_can_be_stored() -> None:
    for version in VERSIONS:
        for records in read_tree(SOURCE, DATA / version).values():
            assert msgspec.json.decode(msgspec.json.encode(records), type=list[Record]) == records
