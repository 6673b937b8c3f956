"""Codex: one line at a time, whatever is in it."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel import ids
from lith.records.record import Flag, Kind, Piece, Problem, Record, Role
from lith.sources.base import FileContext
from lith.sources.codex import SOURCE

CONTEXT = FileContext(transcript="01996c00-0000-7000-8000-000000000001", attributes=(("cwd", "/w"),))
MODEST = settings(max_examples=80, deadline=None)


def parse(line: dict[str, Any], context: FileContext = CONTEXT) -> Record:
    data = json.dumps(line).encode()
    record = SOURCE.parse(data, context, ids.digest(data))
    assert isinstance(record, Record)
    return record


def response(payload: dict[str, Any], **more: Any) -> Record:
    return parse({"timestamp": "2026-01-31T12:00:00.123Z", "type": "response_item", "payload": payload} | more)


def event(payload: dict[str, Any]) -> Record:
    return parse({"timestamp": "2026-01-31T12:00:00.123Z", "type": "event_msg", "payload": payload})


def prompt(*texts: str, **more: Any) -> list[str]:
    """The text of a response item of role user."""
    content = [{"type": "input_text", "text": text} for text in texts]
    return [p.text for p in response({"type": "message", "role": "user", "content": content} | more).pieces]


def failed(output: Any) -> bool:
    record = response({"type": "function_call_output", "call_id": "c", "output": output})
    assert record.pieces == ()
    assert record.tool_use_id == "c"
    return bool(record.flags & Flag.ERROR)


def function(name: str, arguments: Any, **more: Any) -> Piece:
    given_ = arguments if isinstance(arguments, str) else json.dumps(arguments)
    (piece,) = response({"type": "function_call", "name": name, "arguments": given_, "call_id": "c"} | more).pieces
    return piece


def script(source: str) -> list[tuple[str | None, tuple[tuple[str, str], ...]]]:
    pieces = response({"type": "custom_tool_call", "name": "exec", "input": source, "call_id": "c"}).pieces
    return [(piece.tool, piece.fields) for piece in pieces]


def test_a_record_has_a_derived_id_its_time_and_its_thread() -> None:
    line = b'{"timestamp":"2026-01-31T12:00:00.123Z","type":"event_msg","payload":{"type":"task_started","turn_id":"t1"}}'
    record = SOURCE.parse(line, CONTEXT, ids.digest(line))
    assert isinstance(record, Record)
    assert record.record_id == ids.derive(CONTEXT.transcript, ids.digest(line))
    assert (record.transcript, record.timestamp, record.prompt_id) == (CONTEXT.transcript, 1769860800123, "t1")
    assert record.type == "event_msg/task_started"


@pytest.mark.parametrize(
    ("time", "expected"),
    [
        ("2026-01-31T12:00:00Z", 1769860800000),
        ("2026-01-31T13:00:00.5+01:00", 1769860800500),
        ("2026-01-31T12:00:00.123456", 1769860800123),
        ("1969-12-31T23:59:59.999Z", -1),
    ],
)
def test_times_are_milliseconds_utc(time: str, expected: int) -> None:
    assert parse({"timestamp": time, "type": "world_state", "payload": {}}).timestamp == expected


@pytest.mark.parametrize("time", ["yesterday", "2026-02-31T00:00:00Z", 1769860800, None, {"a": 1}, []])
def test_an_odd_time_costs_only_itself(time: Any) -> None:
    record = parse({"timestamp": time, "type": "event_msg", "payload": {"type": "user_message", "message": "hi"}})
    assert record.timestamp is None
    assert [piece.text for piece in record.pieces] == ["hi"]
    assert record.dropped == (() if time is None else ("timestamp",))


def test_an_odd_field_costs_only_itself() -> None:
    record = event({"type": "user_message", "message": "hi", "turn_id": ["t"], "num_turns": "two", "images": 5})
    assert [piece.text for piece in record.pieces] == ["hi"]
    assert record.dropped == ("payload.turn_id", "payload.num_turns")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"[1]", "not_an_object"),
        (b"null", "not_an_object"),
        (b"{}", "no_type"),
        (b'{"payload":{"type":"message"}}', "no_type"),
        (b'{"type":7}', "wrong_type"),
    ],
)
def test_what_is_no_record_is_a_problem(data: bytes, reason: str) -> None:
    parsed = SOURCE.parse(data, CONTEXT, b"0" * 16)
    assert isinstance(parsed, Problem)
    assert (parsed.reason, parsed.offset, parsed.length) == (reason, 0, 0)


@pytest.mark.parametrize("data", [b"", b"{", b'{"type":"event_msg"', b'{"a":1} {"b":2}', b"\x00\x01"])
def test_what_is_no_json_is_the_callers(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        SOURCE.parse(data, CONTEXT, b"0" * 16)


def test_a_bad_character_costs_that_character() -> None:
    for bad in (b"\xff", b"\\ud800"):
        data = b'{"type":"event_msg","payload":{"type":"user_message","message":"a' + bad + b'b"}}'
        record = SOURCE.parse(data, CONTEXT, b"0" * 16)
        assert isinstance(record, Record)
        assert [piece.text for piece in record.pieces] == ["a\ufffdb"]


def test_unknown_types_keep_their_names_within_reason() -> None:
    assert parse({"type": "brand_new", "payload": {"a": 1}}).type == "brand_new"
    assert event({"type": "brand_new"}).type == "event_msg/brand_new"
    assert event({"type": "item_completed", "item": {"type": "Brand"}}).type == "event_msg/item_completed/Brand"
    assert response({}).type == "response_item/unknown"
    odd = event({"type": "a\nb" * 500}).type
    assert odd.isprintable()
    assert len(odd) < 100
    assert not SOURCE.knows_type(odd)


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n<cwd>/w</cwd>\n</environment_context>",
        "  <user_instructions>\n\nbe short\n\n</user_instructions>\n",
        "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nuse tabs\n</INSTRUCTIONS>",
        "<turn_aborted>\nstopped\n</turn_aborted>",
        "<skill>\n<name>x</name>\n</skill>",
        "<recommended_plugins>x</recommended_plugins>",
        '<hook_prompt hook_run_id="1">check it</hook_prompt>',
        '<codex_internal_context source="goal">\ngo on\n</codex_internal_context>',
        '<SUBAGENT_NOTIFICATION>{"a":1}</subagent_notification>',
        "<environment_context>\nnever closed",
        "Another language model started to solve this problem and produced a summary of its thinking process. Here: x",
        "Warning: apply_patch was requested via exec_command. Use the apply_patch tool instead of exec_command.",
    ],
)
def test_the_clients_own_words_are_no_prompts(text: str) -> None:
    assert prompt(text) == []
    assert prompt("real words", text) == []  # a message with such a block is the client's as a whole
    assert [p.text for p in event({"type": "user_message", "message": text}).pieces] == []
    record = response({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
    assert record.flags == Flag.META


@pytest.mark.parametrize(
    "text",
    [
        "<div>why is this not centred?</div>",
        "<environment_context>x</environment_context> what does this mean?",
        "# AGENTS.md instructions need an update",
        "Warning: this is urgent",
        "explain <skill> tags",
        "a < b",
        "<",
    ],
)
def test_a_persons_words_are_prompts_though_they_look_alike(text: str) -> None:
    assert prompt(text) == [text]
    assert [p.text for p in event({"type": "user_message", "message": text}).pieces] == [text]


def test_the_client_says_itself_which_blocks_a_person_wrote() -> None:
    def kinds(*names: str) -> dict[str, Any]:
        return {"internal_chat_message_metadata_passthrough": {"turn_id": "t", "content_item_kinds": list(names)}}

    assert prompt("filler", "hello", **kinds("environments.environment_context", "user.text")) == ["hello"]
    assert prompt("filler", **kinds("multi_agent.subagent_notification")) == []
    assert prompt("hello", **kinds("unknown")) == ["hello"]
    assert prompt("hello", "you", **kinds("user.text")) == ["helloyou"]  # not one word for each block: of no use
    assert prompt("<skill>x</skill>", **kinds("user.text")) == []


def test_other_roles_are_never_text() -> None:
    for role in ("developer", "system", "tool", None):
        record = response({"type": "message", "role": role, "content": [{"type": "input_text", "text": "MARK source=startup"}]})
        assert record.pieces == ()
        assert record.flags == Flag.META


def test_a_prompt_of_images_alone_is_a_turn() -> None:
    record = event({"type": "user_message", "message": "", "images": ["data:image/png;base64,AAAA"]})
    assert record.pieces == ()
    assert record.flags & Flag.TURN


def test_an_editors_preamble_is_not_the_prompt() -> None:
    text = "# Context from my IDE setup:\n\n## Active file: a.py\n\n## My request for Codex:\nfix it\n"
    assert prompt(text) == ["fix it"]
    assert prompt("## My request for Codex: fix it") == ["fix it"]
    assert prompt("# Context from my IDE setup:\nno request") == ["# Context from my IDE setup:\nno request"]


@MODEST
@given(st.lists(st.text(max_size=30), min_size=1, max_size=4))
def test_both_forms_of_a_prompt_are_equal(parts: list[str]) -> None:
    as_event = [p.text for p in event({"type": "user_message", "message": "".join(parts)}).pieces]
    assert prompt("".join(parts)) == as_event


@MODEST
@given(
    st.text(max_size=60)
    | st.sampled_from(["a <proposed_plan>\nb\n</proposed_plan> c", "x<oai-mem-citation>y</oai-mem-citation>", "<"])
)
def test_both_forms_of_an_answer_are_equal(text: str) -> None:
    item = {"type": "item_completed", "item": {"type": "AgentMessage", "content": [{"type": "Text", "text": text}]}}
    as_item = response({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
    texts = [
        [(p.text, p.role) for p in r.pieces] for r in (event({"type": "agent_message", "message": text}), event(item), as_item)
    ]
    assert texts[0] == texts[1] == texts[2]
    assert all(p.text and p.role == Role.ASSISTANT for p in as_item.pieces)


def test_a_plan_is_a_message_and_a_citation_is_none() -> None:
    text = "Here.\n<proposed_plan>\n1. a\n</proposed_plan>\n<oai-mem-citation>\nm\n</oai-mem-citation>"
    assert [p.text for p in event({"type": "agent_message", "message": text}).pieces] == ["Here.", "1. a"]


def test_old_events_of_the_clients_words_are_no_prompts() -> None:
    assert event({"type": "user_message", "message": "x", "kind": "user_instructions"}).flags == Flag.META
    assert event({"type": "user_message", "message": "x", "kind": "plain"}).flags & Flag.TURN


def test_what_a_compaction_wrote_is_marked_by_the_newest_client() -> None:
    content = [{"type": "output_text", "text": "Summary."}]
    record = response({"type": "message", "role": "assistant", "content": content}, metadata={"compaction_output": True})
    assert (record.pieces, record.flags) == ((), Flag.META)


def test_replaced_history_is_never_text() -> None:
    old = [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "old words"}]}]
    record = parse({"type": "compacted", "payload": {"message": "", "replacement_history": old}})
    assert record.pieces == ()
    assert record.flags & Flag.BOUNDARY


@pytest.mark.parametrize(
    ("name", "arguments", "fields"),
    [
        ("exec_command", {"cmd": "ls", "workdir": "/secret", "yield_time_ms": 5}, (("command", "ls"),)),
        ("shell_command", {"command": "ls"}, (("command", "ls"),)),
        ("shell", {"command": ["bash", "-lc", "ls | wc"]}, (("command", "ls | wc"),)),
        ("shell", {"command": ["git", "commit", "-m", "two words"]}, (("command", "git commit -m 'two words'"),)),
        ("shell", {"command": ["powershell.exe", "-Command", "dir"]}, (("command", "dir"),)),
        ("shell", {"command": [1, None]}, ()),
        ("write_stdin", {"session_id": 1, "chars": "what may be a password\n"}, ()),
        ("view_image", {"path": "/w/a.png"}, (("path", "/w/a.png"),)),
        (
            "mcp__x__find",
            {"query": "q", "pattern": "p", "url": "u", "token": "t"},
            (("pattern", "p"), ("query", "q"), ("url", "u")),
        ),
        ("update_plan", {"plan": [{"step": "one"}, {"step": 2}, "three"]}, (("description", "one"), ("description", "three"))),
        ("spawn_agent", {"task_name": "look", "message": "a long prompt"}, (("description", "look"),)),
        ("apply_patch", {"input": "*** Begin Patch\n*** Add File: a b.txt\n+secret\n*** End Patch"}, (("path", "a b.txt"),)),
        ("apply_patch", {"input": "*** Update File: it's.py\r\n*** Move to: b.py\r\n"}, (("path", "it's.py"), ("path", "b.py"))),
        ("anything", {"content": "secret", "old_string": "x"}, ()),
        ("anything", "not json", ()),
        ("anything", "[1]", ()),
    ],
)
def test_calls_show_their_allowed_fields(name: str, arguments: Any, fields: tuple[tuple[str, str], ...]) -> None:
    piece = function(name, arguments)
    assert (piece.kind, piece.tool, piece.fields) == (Kind.CALL, name, fields)
    assert piece.text == "\n".join(value for _, value in fields)


def test_an_mcp_tool_has_one_name_in_every_generation() -> None:
    invocation = {"server": "memo", "tool": "recall", "arguments": {"query": "q"}}
    item = {"type": "McpToolCall", "id": "c"} | invocation
    pieces = [
        function("mcp__memo__recall", {"query": "q"}),
        function("recall", {"query": "q"}, namespace="mcp__memo"),
        function("recall", {"query": "q"}, namespace="mcp__memo__"),
        event({"type": "mcp_tool_call_end", "call_id": "c", "invocation": invocation}).pieces[0],
        event({"type": "item_completed", "item": item}).pieces[0],
    ]
    assert {(p.tool, p.fields, p.text) for p in pieces} == {("mcp__memo__recall", (("query", "q"),), "q")}


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ('await tools.exec_command({cmd: "a \\"b\\"\\n"})', [("exec_command", (("command", 'a "b"'),))]),
        ("tools.exec_command({'cmd': 'it\\'s'})", [("exec_command", (("command", "it's"),))]),
        ("tools['exec_command']({cmd: `ls\\`x\\``})", [("exec_command", (("command", "ls`x`"),))]),
        ('tools.exec_command({cmd: "\\ud83d\\ude00\\u{41}\\x42"})', [("exec_command", (("command", "😀AB"),))]),
        ("tools.exec_command({cmd: `ls ${dir}`, path: 'p'})", [("exec_command", ())]),
        ("tools.read_file({path: 'a.py'}); tools.list()", [("read_file", (("path", "a.py"),)), ("list", ())]),
        ("tools.list(); tools.list()", [("list", ())]),
        ('tools.apply_patch("*** Begin Patch\\n*** Add File: a.py\\n+x\\n")', [("apply_patch", (("path", "a.py"),))]),
        ("1 + 1", [("exec", ())]),
        ('tools.exec_command({cmd: "unclosed', [("exec_command", ())]),
    ],
)
def test_scripts_show_the_calls_they_make(source: str, expected: list[tuple[str, Any]]) -> None:
    assert script(source) == expected


@MODEST
@given(st.text(alphabet="tools.exec_command({cmd: \"'`\\n${}x})*** Begin PatchAdd File:", max_size=200))
def test_any_script_is_read_without_fail(source: str) -> None:
    assert script(source)


def test_paths_of_the_newest_client_are_decoded() -> None:
    item = {"type": "CommandExecution", "id": "c", "command": ["ls"], "cwd": "file:///w/my%20%ED%8F%B4%EB%8D%94"}
    record = event({"type": "item_completed", "item": item})
    assert record.attributes == (("cwd", "/w/my 폴더"),)
    assert event({"type": "item_completed", "item": item | {"cwd": "file:///w"}}).attributes == ()
    windows = {"type": "ImageView", "id": "c", "path": "file:///C:/a.png"}
    assert event({"type": "item_completed", "item": windows}).pieces[0].fields == (("path", "C:/a.png"),)


@pytest.mark.parametrize(
    ("output", "expected"),
    [
        ("Exit code: 0\nOutput:\nok", False),
        ("Exit code: 2\nOutput:\n", True),
        ("Chunk ID: 1\nProcess exited with code -9\n", True),
        ("Chunk ID: 1\nProcess exited with code 00\n", False),
        ("the log says: Exit code: 3", False),
        ("x" * 1000 + "\nExit code: 3", False),
        ('{"output":"x","metadata":{"exit_code":1,"duration_seconds":0.1}}', True),
        ('{"output":"' + "x" * 1000 + '","metadata":{"exit_code":1}}', True),
        ('{"output":"x","metadata":{"exit_code":0}}', False),
        ([{"type": "input_text", "text": "Exit code: 1"}, {"type": "input_image", "image_url": "data:"}], False),
        ({"content": "c", "success": False}, False),
        (None, False),
        (7, False),
    ],
)
def test_results_tell_whether_they_failed(output: Any, expected: bool) -> None:
    assert failed(output) == expected


def test_absurd_numbers_are_bounded() -> None:
    counts = {"input_tokens": 10**30, "cached_input_tokens": -5, "output_tokens": 3}
    usage = event({"type": "token_count", "info": {"total_token_usage": counts}}).usage
    assert usage is not None
    assert 0 < usage.input < 2**63
    assert (usage.output, usage.cache_read) == (3, 0)
    assert event({"type": "thread_rolled_back", "num_turns": -(10**30)}).attributes == (("rollback", "0"),)
    assert event({"type": "token_count", "info": None}).usage is None


def test_a_session_header_of_another_thread_says_nothing_of_this_one() -> None:
    foreign = parse({"type": "session_meta", "payload": {"id": "another", "cwd": "/elsewhere"}})
    assert (foreign.flags, foreign.attributes) == (Flag.META, ())
    own = parse({"type": "session_meta", "payload": {"id": CONTEXT.transcript, "cwd": "/w"}})
    assert own.flags == Flag.HEADER


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("cli", None),
        ({"subagent": "review"}, "subagent"),
        ({"subagent": {"thread_spawn": {"parent_thread_id": "p-1", "depth": 1}}}, "subagent"),
        ({"subagent": {"other": "guardian"}}, "review"),
        ({"subagent": {"other": "something"}}, "subagent"),
        ({"subagent": None}, None),
        ({"custom": "x"}, None),
        ([1], None),
    ],
)
def test_what_started_a_session(source: Any, kind: str | None) -> None:
    line = {"type": "session_meta", "payload": {"id": "t-1", "source": source, "parent_thread_id": "p-1"}}
    context = SOURCE.file_context("x.jsonl", json.dumps(line).encode())
    assert context.transcript == "t-1"
    assert dict(context.attributes).get("kind") == kind
    assert dict(context.attributes)["parent"] == "p-1"


NAME = "sessions/2026/01/31/rollout-2026-01-31T12-00-00-019d2000-0000-7000-8000-000000000125.jsonl.zst"


@pytest.mark.parametrize(
    "first",
    [b"", b"{", b"[]", b'{"type":"event_msg","payload":{}}', b'{"type":"session_meta","payload":{"id":"a/b #1"}}', b'{"id":5}'],
)
def test_a_file_without_a_header_is_named_by_its_name(first: bytes) -> None:
    assert SOURCE.file_context(NAME, first).transcript == "019d2000-0000-7000-8000-000000000125"
    assert SOURCE.file_context("sessions/rollout-x.jsonl", first).transcript == "rollout-x"
