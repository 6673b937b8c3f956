"""Claude Code: what was said in the fixtures of each version, and nothing else."""

from pathlib import Path

import pytest
from tests.sources.conformance import SourceConformance, outlines_of, pieces_of, read_tree

from lith.records.arrangement import SessionPlan
from lith.records.record import Kind, Label, Record, Role, SessionKind
from lith.sources.claude_code import SOURCE

DATA = Path(__file__).parent.parent / "data" / "claude_code"
VERSIONS = ("1.0.128", "2.0.76", "2.1.50", "2.1.332")

HELLO = "Say hello with the shell, please. 부탁합니다 🙏"
HELLO_BACK = ["I'll run the command.", "The shell said hello. 你好，世界。 안녕하세요! 👋🏽"]
PORT = "Read notes.txt and change the port"
PORT_DONE = [
    "I'll read the file first.",
    "Now I change the port.",
    "Changed the port from 8000 to 8123 because 8000 was taken by the proxy.",
]
LISTING = ["This prints many lines.", "The listing has 4000 lines."]
FAILED = ["Both failed: the paths do not exist."]
PARALLEL = ["Two calls in one turn.", "Both done."]
DELEGATED = ["I'll hand this to a helper.", "The helper found the magic number 42."]
MEMORY = ["I'll ask the memory server.", "The memory says the port was changed to 8123."]
BEFORE = "What did we do before?"
BEFORE_ANSWER = "Earlier in this session we changed the port to 8123."
SUBTASK = "SUBTASK find the magic number in notes.txt"
SUBTASK_ANSWER = ["Looking.", "The magic number is 42 (마법의 수는 42)."]

MIDDLE = [
    "Show a long listing",
    "Run a failing command",
    "Two things at once",
    "Delegate the lookup",
    "Ask the memory about the port",
    "Keep a list",
]

PROMPTS = {
    "1.0.128": {
        # `--continue` wrote the second prompt to a file of its own, which names the first session.
        "7d5e7588": [HELLO, *MIDDLE, BEFORE, PORT],
        "8f827572": [BEFORE, f"{BEFORE} (forked)"],
        "0c289405": ["Fill the window", BEFORE],
        "2638704c": ["Say hello with the shell"],
        "44ab1aa0": ["Make the server fail"],
    },
    "2.0.76": {
        "7cff1bfc": [HELLO, PORT, *MIDDLE, BEFORE],
        "d317bbae": [f"{BEFORE} (forked)"],
        "2b013333": ["Fill the window", BEFORE],
        "ad039cf9": ["Say hello with the shell"],
        "5882a127": ["Make the server fail"],
    },
    "2.1.50": {
        "4268d052": [HELLO, PORT, *MIDDLE, BEFORE],
        "4cd4fdd8": [f"{BEFORE} (forked)"],
        "694b3e8c": ["Fill the window", BEFORE],
        "dd04ff21": ["Say hello with the shell"],
        "2a3edf04": ["Make the server fail"],
    },
    "2.1.332": {
        "575481bc": [HELLO, PORT, *MIDDLE, BEFORE],
        "824beb94": [BEFORE, f"{BEFORE} (forked)"],
        "98e5de28": ["Fill the window", BEFORE],
        "65f31455": ["Say hello with the shell"],
        "1ed9919a": ["Make the server fail"],
    },
}

ANSWERS = {
    "1.0.128": {
        "7d5e7588": [*HELLO_BACK, *LISTING, *FAILED, *PARALLEL, *DELEGATED, *MEMORY, "Listed.", BEFORE_ANSWER, *PORT_DONE],
        "8f827572": [BEFORE_ANSWER, BEFORE_ANSWER],
        "0c289405": ["Working on it.", "OK, noted.", BEFORE_ANSWER],
        "2638704c": HELLO_BACK,
        "44ab1aa0": [],
    },
    "2.0.76": {
        "7cff1bfc": [*HELLO_BACK, *PORT_DONE, *LISTING, *FAILED, *PARALLEL, *DELEGATED, *MEMORY, "Listed.", BEFORE_ANSWER],
        "d317bbae": [BEFORE_ANSWER, BEFORE_ANSWER],
        "2b013333": ["Working on it.", "Going on from the summary.", BEFORE_ANSWER],
        "ad039cf9": HELLO_BACK,
        "5882a127": [],
    },
    "2.1.50": {
        "4268d052": [*HELLO_BACK, *PORT_DONE, *LISTING, *FAILED, *PARALLEL, *DELEGATED, *MEMORY, "Listed.", BEFORE_ANSWER],
        "4cd4fdd8": [BEFORE_ANSWER],
        "694b3e8c": ["Working on it.", "Going on from the summary.", BEFORE_ANSWER],
        "dd04ff21": HELLO_BACK,
        "2a3edf04": [],
    },
    "2.1.332": {
        # The helper runs in the background; its notification is answered, and is no prompt.
        "575481bc": [
            *HELLO_BACK,
            *PORT_DONE,
            *LISTING,
            *FAILED,
            *PARALLEL,
            *DELEGATED,
            "OK, noted.",
            *MEMORY,
            "Listed.",
            BEFORE_ANSWER,
        ],
        "824beb94": ["Listed.", BEFORE_ANSWER, BEFORE_ANSWER],
        "98e5de28": ["Working on it.", "Going on from the summary.", BEFORE_ANSWER],
        "65f31455": HELLO_BACK,
        "1ed9919a": [],
    },
}

LONGEST = {"1.0.128": "7d5e7588", "2.0.76": "7cff1bfc", "2.1.50": "4268d052", "2.1.332": "575481bc"}


class TestConformance(SourceConformance):
    source = SOURCE
    roots = tuple(DATA / version for version in VERSIONS)


def sessions_of(version: str) -> dict[str, tuple[SessionPlan, list[Record]]]:
    """The sessions of a fixture, by the beginning of their native id; of a sub-agent with its agent id."""
    found: dict[str, tuple[SessionPlan, list[Record]]] = {}
    for transcript, records in read_tree(SOURCE, DATA / version).items():
        arrangement = SOURCE.arrange(transcript, outlines_of(records))
        assert not arrangement.hidden
        assert not arrangement.abandoned
        for number, plan in enumerate(arrangement.sessions):
            session, slash, agent = plan.native_id.partition("/")
            own = [record for record, place in zip(records, arrangement.session_of, strict=True) if place == number]
            found[session[:8] + slash + agent] = (plan, own)
    return found


def texts(records: list[Record], role: Role) -> list[str]:
    return [piece.text for piece in pieces_of(records, Kind.MESSAGE, role)]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_prompt_of_the_scenario_and_nothing_else_is_a_persons_message(version: str) -> None:
    mains = {name: records for name, (plan, records) in sessions_of(version).items() if plan.kind == SessionKind.MAIN}
    assert {name: texts(records, Role.USER) for name, records in mains.items()} == PROMPTS[version]


@pytest.mark.parametrize("version", VERSIONS)
def test_every_answer_of_the_scenario_and_nothing_else_is_a_models_message(version: str) -> None:
    mains = {name: records for name, (plan, records) in sessions_of(version).items() if plan.kind == SessionKind.MAIN}
    assert {name: texts(records, Role.ASSISTANT) for name, records in mains.items()} == ANSWERS[version]


@pytest.mark.parametrize("version", VERSIONS)
def test_the_sub_agent_is_a_session_of_its_own(version: str) -> None:
    helpers = {name: found for name, found in sessions_of(version).items() if found[0].kind == SessionKind.SUBAGENT}
    ((name, (plan, records)),) = helpers.items()
    assert name.startswith(f"{LONGEST[version]}/")
    assert plan.parent is not None
    assert plan.native_id == f"{plan.parent}/{dict(plan.attributes)['agent']}"
    assert texts(records, Role.USER) == [SUBTASK]
    assert texts(records, Role.ASSISTANT) == SUBTASK_ANSWER
    assert [piece.fields for piece in pieces_of(records, Kind.CALL)] == [
        (("command", "grep -n magic notes.txt"), ("description", "Run a shell command"))
    ]


@pytest.mark.parametrize("version", ["2.0.76", "2.1.50", "2.1.332"])
def test_the_answer_to_a_call_names_the_session_that_it_started(version: str) -> None:
    sessions = sessions_of(version)
    _, records = sessions[LONGEST[version]]
    (answer,) = [record for record in records if record.target]
    call = next(r for r in records if any(p.tool in {"Task", "Agent"} for p in r.pieces))
    assert answer.tool_use_id == call.tool_use_id
    assert answer.target in {plan.native_id for plan, _ in sessions.values()}


def test_a_sidechain_in_the_parents_file_knows_the_call_that_started_it() -> None:
    sessions = sessions_of("1.0.128")
    call = next(r for r in sessions["7d5e7588"][1] if any(p.tool == "Task" for p in r.pieces))
    plan, records = sessions["7d5e7588/side-95ea52ac"]
    assert records[0].record_id.startswith("95ea52ac")
    assert dict(plan.attributes)["spawned_by"] == call.tool_use_id


def test_a_warm_up_is_nobodys_work() -> None:
    plan, _ = sessions_of("2.0.76")["03577602/a0d0679"]
    assert plan.kind == SessionKind.WARMUP


def test_files_with_nothing_but_summaries_are_no_sessions() -> None:
    trees = read_tree(SOURCE, DATA / "1.0.128")
    bare = [t for t, records in trees.items() if all(record.type == "summary" for record in records)]
    assert len(bare) == 9
    for transcript in bare:
        arrangement = SOURCE.arrange(transcript, outlines_of(trees[transcript]))
        assert arrangement.sessions == ()
        assert set(arrangement.session_of) == {-1}


def test_a_summary_is_a_title_for_the_session_of_its_leaf() -> None:
    records = [record for tree in read_tree(SOURCE, DATA / "1.0.128").values() for record in tree]
    known = {record.record_id for record in records}
    summaries = [record for record in records if record.type == "summary"]
    assert summaries
    for record in summaries:
        (piece,) = record.pieces
        assert (piece.kind, piece.label, piece.text) == (Kind.PROFILE, Label.SUMMARY, "Port change and greetings")
        assert record.target in known


@pytest.mark.parametrize("version", VERSIONS)
def test_compaction_gives_session_text_and_the_command_stays_findable(version: str) -> None:
    _, records = sessions_of(version)[LONGEST[version]]
    (summary,) = pieces_of(records, Kind.PROFILE)
    assert summary.label == Label.COMPACTION
    assert "say hello, change the port to 8123" in summary.text
    assert "system-reminder" not in summary.text
    typed = pieces_of(records, Kind.CALL, Role.USER)
    assert [(piece.tool, piece.fields) for piece in typed] == [("/compact", (("args", "keep the port decision"),))]


@pytest.mark.parametrize("version", VERSIONS)
def test_calls_show_their_allow_listed_arguments_only(version: str) -> None:
    _, records = sessions_of(version)[LONGEST[version]]
    calls = {(piece.tool, name): value for piece in pieces_of(records, Kind.CALL, Role.ASSISTANT) for name, value in piece.fields}
    assert calls["Edit", "path"].endswith("/my.proj_プロジェクト/notes.txt")
    assert calls["Write", "path"].endswith("/결정-記録.md")
    assert calls["mcp__memo__recall", "query"] == "포트 변경"
    assert {name for _, name in calls} == {"command", "description", "path", "query"}
    shown = " ".join(piece.text for piece in pieces_of(records, Kind.CALL))
    for secret in ("port = 8123", "포트는 8123", "SUBTASK", "write the parser"):
        assert secret not in shown


@pytest.mark.parametrize("version", VERSIONS)
def test_nothing_injected_and_nothing_thought_is_in_any_piece(version: str) -> None:
    shown = "\n".join(
        text
        for records in read_tree(SOURCE, DATA / version).values()
        for record in records
        for piece in record.pieces
        for text in (piece.text, *(value for _, value in piece.fields))
    )
    for word in (
        "MARK-",
        "hook",
        "system-reminder",
        "I will run echo",
        "No response requested",
        "API Error",
        "task-notification",
        "filler text",
    ):
        assert word not in shown


@pytest.mark.parametrize("version", VERSIONS)
def test_tokens_are_those_of_the_model_calls(version: str) -> None:
    _, records = sessions_of(version)[LONGEST[version]]
    per_call = {record.message_id: record.usage for record in records if record.usage}
    assert all(usage.output == 20 and usage.input > 0 for usage in per_call.values())
    assert len(per_call) == (
        22 if version == "2.1.332" else 20
    )  # the newest one searches for the tool and answers a notification


@pytest.mark.parametrize("version", VERSIONS)
def test_a_session_knows_where_it_ran(version: str) -> None:
    plan, _ = sessions_of(version)[LONGEST[version]]
    facts = dict(plan.attributes)
    assert facts["cwd"].endswith("/work/my.proj_プロジェクト")
    assert (facts["branch"], facts["version"]) == ("main", version)
    assert facts["model"].startswith("claude-")
