"""Claude Code: one record at a time."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.sources.conformance import JSON, MODEST

from lith.kernel import ids
from lith.records.record import Flag, Kind, Label, Piece, Problem, Record, Role, Usage
from lith.sources.base import FileContext
from lith.sources.claude_code import SOURCE
from lith.sources.claude_code.lines import Attachment, Block, Line, Message, Origin, Outcome, Progress, Tokens

CONTEXT = FileContext(transcript="file")
COMMON = {"uuid": "u-1", "parentUuid": "u-0", "sessionId": "s-1", "timestamp": "2026-01-31T12:00:00.123Z", "isSidechain": False}


def parse(fields: dict[str, Any], context: FileContext = CONTEXT) -> Record:
    data = msgspec.json.encode(fields)
    record = SOURCE.parse(data, context, ids.digest(data))
    assert isinstance(record, Record)
    return record


def user(content: Any, **fields: Any) -> Record:
    return parse({**COMMON, "type": "user", "message": {"role": "user", "content": content}, **fields})


def assistant(*blocks: Any, **fields: Any) -> Record:
    message = {
        "id": "msg_1",
        "role": "assistant",
        "model": "claude-x",
        "content": list(blocks),
        "usage": {"input_tokens": 3, "output_tokens": 5},
    }
    return parse({**COMMON, "type": "assistant", "message": message, **fields})


def test_the_ids_the_time_and_the_links_of_a_record() -> None:
    record = user("hi", promptId="p-1", cwd="/w", gitBranch="main", version="2.1.0", logicalParentUuid="u-9")
    assert (record.transcript, record.record_id, record.type) == ("s-1", "u-1", "user")
    assert (record.parent, record.logical_parent, record.prompt_id) == ("u-0", "u-9", "p-1")
    assert record.timestamp == 1769860800123
    assert record.attributes == (("cwd", "/w"), ("branch", "main"), ("version", "2.1.0"))
    assert record.flags == Flag.CONVERSATION | Flag.TURN


def test_a_time_without_a_zone_is_utc_and_one_that_is_none_costs_only_itself() -> None:
    assert user("hi", timestamp="2026-01-31T12:00:00.123").timestamp == 1769860800123
    assert user("hi", timestamp="2026-01-31T14:00:00.123+02:00").timestamp == 1769860800123
    record = user("hi", timestamp="yesterday")
    assert (record.timestamp, record.dropped) == (None, ("timestamp",))
    assert record.pieces[0].text == "hi"


def test_a_record_without_an_id_gets_the_same_one_everywhere() -> None:
    fields = {"type": "mode", "mode": "normal", "sessionId": "s-1"}
    record = parse(fields)
    assert record.record_id == parse(fields, FileContext(transcript="elsewhere")).record_id
    assert record.record_id != parse({**fields, "sessionId": "s-2"}).record_id
    assert parse({**fields, "uuid": ""}).record_id != ""


def test_a_record_that_names_no_session_belongs_to_its_file() -> None:
    assert parse({"type": "summary", "summary": "Ports", "leafUuid": "u-7"}).transcript == "file"
    assert parse({"type": "summary", "sessionId": "no id: of/any#kind"}).transcript == "file"


def test_a_sub_agent_is_a_transcript_of_its_own() -> None:
    record = user("look", isSidechain=True, agentId="a1")
    assert record.transcript == "s-1/a1"
    assert record.flags == Flag.CONVERSATION  # a model's words: no person's turn begins
    assert dict(record.attributes) == {"parent": "s-1", "agent": "a1", "kind": "subagent"}
    in_its_file = parse({**COMMON, "type": "user", "message": {"content": "look"}}, FileContext(transcript="s-1/a1"))
    assert in_its_file.transcript == "s-1/a1"


def test_a_sidechain_without_an_agent_id_stays_with_its_file() -> None:
    record = user("look", isSidechain=True)
    assert record.transcript == "s-1"
    assert record.flags == Flag.CONVERSATION | Flag.SIDECHAIN


def test_a_person_may_say_something_between_blocks_of_the_client() -> None:
    record = user(
        [
            {"type": "text", "text": "<ide_opened_file>a.py</ide_opened_file>"},
            {"type": "text", "text": "What is this?"},
            {"type": "image", "source": {"type": "base64", "data": "AAAA"}},
        ]
    )
    assert [piece.text for piece in record.pieces] == ["What is this?"]
    assert record.flags == Flag.CONVERSATION | Flag.TURN


def test_a_picture_alone_is_a_prompt() -> None:
    assert user([{"type": "image", "source": {}}]).flags == Flag.CONVERSATION | Flag.TURN


@pytest.mark.parametrize(
    "fields",
    [
        {"isMeta": True},
        {"isVisibleInTranscriptOnly": True},
        {"origin": {"kind": "task-notification"}},
        {"origin": {"kind": "auto-continuation"}},
        {"promptSource": "system"},
        {"sourceToolUseID": "toolu_1"},
    ],
)
def test_words_that_the_client_marks_as_its_own_are_no_message(fields: dict[str, Any]) -> None:
    record = user("Continue from where you left off.", **fields)
    assert record.pieces == ()
    assert record.flags == Flag.META


@pytest.mark.parametrize("fields", [{"origin": {"kind": "human"}}, {"origin": {"kind": "a-new-kind"}}, {"promptSource": "typed"}])
def test_words_of_people_and_of_unknown_origin_are_messages(fields: dict[str, Any]) -> None:
    assert user("Continue", **fields).flags == Flag.CONVERSATION | Flag.TURN


def test_a_result_is_part_of_the_conversation_and_says_nothing() -> None:
    record = user(
        [{"type": "tool_result", "tool_use_id": "toolu_1", "is_error": True, "content": "secret output"}],
        toolUseResult={"stdout": "secret output", "agentId": "a7"},
        sourceToolAssistantUUID="u-5",
    )
    assert record.pieces == ()
    assert record.flags == Flag.CONVERSATION | Flag.ERROR
    assert (record.tool_use_id, record.target, record.logical_parent) == ("toolu_1", "s-1/a7", "u-5")


@pytest.mark.parametrize("outcome", ["Error: no", [{"type": "text", "text": "x"}], ["x", 1], {}, {"agentId": 5}])
def test_outcomes_come_in_every_shape(outcome: Any) -> None:
    record = user([{"type": "tool_result", "tool_use_id": "t", "content": []}], toolUseResult=outcome)
    assert (record.target, record.dropped) == (None, ())


def test_a_summary_of_a_compaction_is_text_about_the_session() -> None:
    record = user(
        "This session is being continued …\n<system-reminder>tools</system-reminder>\nPort 8123.", isCompactSummary=True
    )
    (piece,) = record.pieces
    assert (piece.kind, piece.label, piece.role) == (Kind.PROFILE, Label.COMPACTION, None)
    assert "Port 8123." in piece.text
    assert "tools" not in piece.text
    assert record.flags == Flag.META
    old = user("This session is being continued from a previous conversation that ran out of context.")
    assert [piece.label for piece in old.pieces] == [Label.COMPACTION]


def test_a_command_that_becomes_a_prompt_begins_a_turn_and_a_local_one_does_not() -> None:
    prompt = user(
        "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>all</command-args>"
    )
    assert prompt.pieces == (Piece(Kind.CALL, "all", Role.USER, tool="/review", fields=(("args", "all"),)),)
    assert prompt.flags == Flag.CONVERSATION | Flag.TURN
    local = user("<command-name>/clear</command-name>\n<command-message>clear</command-message>\n<command-args></command-args>")
    assert local.pieces == (Piece(Kind.CALL, "", Role.USER, tool="/clear"),)
    assert local.flags == Flag.META
    system = parse({**COMMON, "type": "system", "subtype": "local_command", "content": "<command-name>/model</command-name>"})
    assert [piece.tool for piece in system.pieces] == ["/model"]


def test_a_shell_line_of_a_person_is_a_call() -> None:
    record = user("<bash-input>git status</bash-input>")
    assert record.pieces == (Piece(Kind.CALL, "git status", Role.USER, tool="Bash", fields=(("command", "git status"),)),)


def test_a_models_blocks_in_order() -> None:
    record = assistant(
        {"type": "thinking", "thinking": "hmm", "signature": "AAAA"},
        {"type": "text", "text": "I will look."},
        {"type": "tool_use", "id": "toolu_1", "name": "Bash", "input": {"command": "ls", "description": "List", "timeout": 5}},
        {"type": "tool_use", "id": "toolu_2", "name": "TodoWrite", "input": {"todos": [{"content": "x"}]}},
        {"type": "redacted_thinking", "data": "AAAA"},
    )
    assert record.pieces == (
        Piece(Kind.MESSAGE, "I will look.", Role.ASSISTANT, order=1),
        Piece(Kind.CALL, "ls\nList", Role.ASSISTANT, tool="Bash", fields=(("command", "ls"), ("description", "List")), order=2),
        Piece(Kind.CALL, "", Role.ASSISTANT, tool="TodoWrite", order=3),
    )
    assert (record.message_id, record.tool_use_id, record.flags) == ("msg_1", "toolu_1", Flag.CONVERSATION)
    assert record.usage == Usage(input=3, output=5)
    assert ("model", "claude-x") in record.attributes


def test_the_clients_block_number_orders_the_records_of_a_message() -> None:
    assert assistant({"type": "text", "text": "x"}, apiBlockIndex=4).pieces[0].order == 4
    assert assistant({"type": "text", "text": "x"}, apiBlockIndex=-1).pieces[0].order == 0


@pytest.mark.parametrize(
    ("tool", "arguments", "fields"),
    [
        ("Write", {"file_path": "/a", "content": "secret"}, (("path", "/a"),)),
        ("Edit", {"file_path": "/a", "old_string": "secret", "new_string": "secret"}, (("path", "/a"),)),
        ("MultiEdit", {"file_path": "/a", "edits": [{"old_string": "secret"}]}, (("path", "/a"),)),
        ("NotebookEdit", {"notebook_path": "/a.ipynb", "new_source": "secret"}, (("path", "/a.ipynb"),)),
        ("Grep", {"pattern": "x+", "path": "/src", "glob": "*.py"}, (("pattern", "x+"), ("path", "/src"))),
        ("WebFetch", {"url": "https://example.org", "prompt": "secret"}, (("url", "https://example.org"),)),
        ("WebSearch", {"query": "ports"}, (("query", "ports"),)),
        ("Task", {"description": "look", "prompt": "secret", "subagent_type": "x"}, (("description", "look"),)),
        ("Skill", {"skill": "review"}, (("args", "review"),)),
        ("mcp__x__y", {"query": "q", "path": ["a"], "url": None, "command": {}, "body": "secret"}, (("query", "q"),)),
        ("Twice", {"file_path": "/a", "path": "/b"}, (("path", "/a"),)),
        ("Nothing", {}, ()),
    ],
)
def test_only_allow_listed_arguments_are_shown(tool: str, arguments: dict[str, Any], fields: tuple[tuple[str, str], ...]) -> None:
    record = assistant({"type": "tool_use", "id": "t", "name": tool, "input": arguments})
    assert [(piece.tool, piece.fields) for piece in record.pieces] == [(tool, fields)]
    assert record.dropped == ()


@pytest.mark.parametrize("text", ["", " \n", "(no content)"])
def test_a_model_that_says_nothing_has_no_message(text: str) -> None:
    assert assistant({"type": "text", "text": text}).pieces == ()


def test_what_the_client_says_in_a_models_place_is_no_message() -> None:
    message = {
        "id": "x",
        "model": "<synthetic>",
        "content": [{"type": "text", "text": "No response requested."}],
        "usage": {"input_tokens": 1},
    }
    record = parse({**COMMON, "type": "assistant", "message": message})
    assert (record.pieces, record.flags, record.usage) == ((), Flag.META, None)
    assert record.attributes == ()
    failed = parse({**COMMON, "type": "assistant", "message": message, "isApiErrorMessage": True})
    assert (failed.pieces, failed.flags) == ((), Flag.META | Flag.ERROR)


@pytest.mark.parametrize("count", [-1, 1 << 60, 10**40, None])
def test_a_count_that_cannot_be_is_none(count: int | None) -> None:
    message = {
        "id": "x",
        "content": [],
        "usage": {"input_tokens": count, "cache_read_input_tokens": 7, "cache_creation_input_tokens": 8},
    }
    record = parse({**COMMON, "type": "assistant", "message": message})
    assert record.usage == Usage(input=0, output=0, cache_read=7, cache_write=8)


@pytest.mark.parametrize(
    ("fields", "label", "text"),
    [
        ({"type": "summary", "summary": "Ports", "leafUuid": "u-7"}, Label.SUMMARY, "Ports"),
        ({"type": "summary", "summary": '{"title": "Ports", "isNewTopic": true}'}, Label.SUMMARY, "Ports"),
        ({"type": "summary", "summary": "{ports}"}, Label.SUMMARY, "{ports}"),
        ({"type": "ai-title", "aiTitle": "Change the port"}, Label.AI_TITLE, "Change the port"),
        ({"type": "custom-title", "customTitle": "port work 포트"}, Label.TITLE, "port work 포트"),
        ({"type": "agent-name", "agentName": "porter"}, Label.TITLE, "porter"),
        (
            {"type": "system", "subtype": "away_summary", "content": "We moved. (disable recaps in /config)"},
            Label.RECAP,
            "We moved.",
        ),
    ],
)
def test_titles_and_recaps(fields: dict[str, Any], label: Label, text: str) -> None:
    record = parse({**COMMON, **fields})
    assert record.pieces == (Piece(Kind.PROFILE, text, label=label),)
    assert record.target == fields.get("leafUuid")


def test_the_last_prompt_is_no_title() -> None:
    record = parse({"type": "last-prompt", "lastPrompt": "again", "leafUuid": "u-7", "sessionId": "s-1"})
    assert (record.pieces, record.target) == ((), None)


@pytest.mark.parametrize(
    ("attachment", "shown"),
    [
        ({"prompt": "and the tests too", "commandMode": "prompt", "origin": {"kind": "human"}}, ["and the tests too"]),
        ({"prompt": [{"type": "text", "text": "see"}, {"type": "image"}, 5], "commandMode": "prompt"}, ["see"]),
        ({"prompt": "old form"}, ["old form"]),
        ({"prompt": "git status", "commandMode": "bash"}, ["git status"]),
        ({"prompt": "<task-notification>x</task-notification>"}, []),
        ({"prompt": "done", "commandMode": "task-notification"}, []),
        ({"prompt": "done", "origin": {"kind": "peer"}}, []),
        ({"prompt": 5}, []),
    ],
)
def test_a_prompt_typed_while_the_model_works(attachment: dict[str, Any], shown: list[str]) -> None:
    record = parse({**COMMON, "type": "attachment", "attachment": {"type": "queued_command", **attachment}})
    assert record.type == "attachment/queued_command"
    assert [piece.text for piece in record.pieces] == shown
    assert record.flags == (Flag.CONVERSATION if shown else 0)


@pytest.mark.parametrize(
    ("fields", "type_", "flags"),
    [
        (
            {"type": "system", "subtype": "compact_boundary", "content": "Conversation compacted"},
            "system/compact_boundary",
            Flag.BOUNDARY,
        ),
        ({"type": "system", "subtype": "microcompact_boundary"}, "system/microcompact_boundary", 0),
        ({"type": "system", "subtype": "api_error", "error": {}}, "system/api_error", Flag.ERROR),
        ({"type": "system"}, "system", 0),
        ({"type": "progress", "data": {"type": "agent_progress", "message": {"content": "again"}}}, "progress/agent_progress", 0),
        ({"type": "queue-operation", "operation": "enqueue", "content": "again"}, "queue-operation", 0),
        ({"type": "api-request-blob", "message": {"role": "user", "content": "again"}}, "api-request-blob", 0),
        (
            {"type": "attachment", "attachment": {"type": "prompt_snapshot", "systemPrompt": ["x"]}},
            "attachment/prompt_snapshot",
            0,
        ),
        ({"type": "attachment", "attachment": {"type": "file", "content": {"file": {"content": "x"}}}}, "attachment/file", 0),
        ({"type": "file-history-snapshot", "snapshot": {}}, "file-history-snapshot", 0),
    ],
)
def test_records_that_give_no_text(fields: dict[str, Any], type_: str, flags: int) -> None:
    record = parse({**COMMON, **fields})
    assert (record.type, record.flags, record.pieces) == (type_, flags, ())
    assert SOURCE.knows_type(type_)


def test_a_wrong_type_costs_that_field_only() -> None:
    record = user("hi", cwd=5, gitBranch=["x"], isMeta="yes", version="2.1.0", uuid=None)
    assert record.pieces[0].text == "hi"
    assert set(record.dropped) == {"cwd", "gitBranch", "isMeta"}
    assert record.attributes == (("version", "2.1.0"),)
    assert assistant("text", {"type": "text", "text": "here"}, 7).pieces[0].text == "here"
    assert len(assistant(*range(100)).dropped) == 16


def _objects(struct: type[msgspec.Struct], **inner: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Objects with the names of a shape, and values that are right, nearly right or absurd."""
    names = [field.encode_name for field in msgspec.structs.fields(struct)]
    return st.fixed_dictionaries({}, optional={name: inner[name] | JSON if name in inner else JSON for name in names})


_ORIGIN = _objects(Origin)
_BLOCK = _objects(Block, input=st.dictionaries(st.sampled_from(["command", "path", "x"]), JSON, max_size=3))
_LINE = _objects(
    Line,
    message=_objects(Message, content=st.lists(_BLOCK, max_size=3), usage=_objects(Tokens)),
    origin=_ORIGIN,
    attachment=_objects(Attachment, origin=_ORIGIN),
    data=_objects(Progress),
    toolUseResult=_objects(Outcome),
)


@MODEST
@given(st.sampled_from(["user", "assistant", "system", "attachment", "progress", "summary", "new"]), _LINE)
def test_values_of_any_type_under_known_names_make_a_record(type_: str, fields: dict[str, Any]) -> None:
    record = parse({**fields, "type": type_})
    assert record.type.split("/")[0] == type_
    assert record.transcript
    assert record.record_id
    msgspec.json.encode(record)


def test_damage_inside_strings_costs_single_characters() -> None:
    data = (
        b'{"type":"user","uuid":"u-1","sessionId":"s","message":{"content":"port \xff \\ud83d and \\ud83d\\ude00"},"cwd":"/\xc3"}'
    )
    record = SOURCE.parse(data, CONTEXT, b"0" * 16)
    assert isinstance(record, Record)
    assert record.pieces[0].text == "port \ufffd \ufffd and 😀"
    assert record.record_id == "u-1"


def test_depth_costs_what_is_deep() -> None:
    deep = b"[" * 5000 + b"]" * 5000
    data = (
        b'{"type":"assistant","uuid":"u-1","sessionId":"s","message":{"id":"m","content":[{"type":"text","text":"hi"}]},"x":'
        + deep
        + b"}"
    )
    record = SOURCE.parse(data, CONTEXT, b"0" * 16)
    assert isinstance(record, Record)
    assert (record.record_id, [piece.text for piece in record.pieces]) == ("u-1", ["hi"])


@pytest.mark.parametrize(
    ("data", "reason"),
    [(b"[1]", "not_an_object"), (b"{}", "no_type"), (b'{"type":""}', "no_type"), (b'{"type":5}', "wrong_type")],
)
def test_what_is_no_record_says_why(data: bytes, reason: str) -> None:
    assert SOURCE.parse(data, CONTEXT, b"0" * 16) == Problem(reason=reason, offset=0, length=0)


@pytest.mark.parametrize(
    "data", [b"", b"{", b'{"type":"user"}{"type":"user"}', b'{"type":"user","cwd":5}{"type":"user"}', b'{"type":"us']
)
def test_what_is_not_one_value_is_refused(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        SOURCE.parse(data, CONTEXT, b"0" * 16)
