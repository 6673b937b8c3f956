"""Codex: which of several forms of a text is shown, and which turns were taken back."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.conformance import outlines_of

from lith.kernel import ids
from lith.records.arrangement import Arrangement, Outline
from lith.records.record import Kind, Record, Role, SessionKind
from lith.sources.base import FileContext
from lith.sources.codex import SOURCE

Payload = dict[str, Any]
Said = tuple[Role, str]


def records_of(lines: Sequence[Payload]) -> list[Record]:
    """The records of lines, each of which gets a time of its own."""
    records = []
    for i, line in enumerate(lines):
        data = json.dumps({"timestamp": f"2026-01-31T12:{i // 60:02d}:{i % 60:02d}.000Z"} | line).encode()
        record = SOURCE.parse(data, FileContext(transcript="t"), ids.digest(data))
        assert isinstance(record, Record)
        records.append(record)
    return records


def arranged(lines: Sequence[Payload]) -> tuple[list[Record], Arrangement]:
    """The records of lines and their arrangement."""
    records = records_of(lines)
    return records, SOURCE.arrange("t", outlines_of(records))


def said(lines: Sequence[Payload]) -> list[Said]:
    """Who visibly says what."""
    records, arrangement = arranged(lines)
    return [
        (piece.role, piece.text)
        for i, record in enumerate(records)
        for j, piece in enumerate(record.pieces)
        if piece.kind == Kind.MESSAGE and piece.role is not None and (i, j) not in arrangement.hidden
    ]


def calls(lines: Sequence[Payload]) -> list[str]:
    """The visible calls, by their text."""
    records, arrangement = arranged(lines)
    return [
        piece.text
        for i, record in enumerate(records)
        for j, piece in enumerate(record.pieces)
        if piece.kind == Kind.CALL and (i, j) not in arrangement.hidden
    ]


def abandoned(lines: Sequence[Payload]) -> list[str]:
    """The texts of the turns that were taken back."""
    records, arrangement = arranged(lines)
    return [
        piece.text
        for i in sorted(arrangement.abandoned)
        for j, piece in enumerate(records[i].pieces)
        if (i, j) not in arrangement.hidden
    ]


def response(payload: Payload) -> Payload:
    return {"type": "response_item", "payload": payload}


def event(payload: Payload) -> Payload:
    return {"type": "event_msg", "payload": payload}


def item(payload: Payload) -> Payload:
    return event({"type": "item_completed", "item": payload})


def to_model(role: Role, *texts: str) -> Payload:
    kind = "input_text" if role == Role.USER else "output_text"
    return response({"type": "message", "role": role.value, "content": [{"type": kind, "text": text} for text in texts]})


def as_event(role: Role, text: str) -> Payload:
    return event({"type": "user_message" if role == Role.USER else "agent_message", "message": text})


def as_item(role: Role, text: str) -> Payload:
    name, kind = ("UserMessage", "text") if role == Role.USER else ("AgentMessage", "Text")
    return item({"type": name, "id": "x", "content": [{"type": kind, "text": text}]})


TOKENS = event({"type": "token_count", "info": None})
REASONING = response({"type": "reasoning", "summary": [], "encrypted_content": "x"})
USER, ASSISTANT = Role.USER, Role.ASSISTANT


def told(role: Role, text: str) -> list[Payload]:
    """A message as 0.39 to 0.144 write it: a person's as item and event, a model's as event and item."""
    both = [to_model(role, text), as_event(role, text)]
    return both if role == USER else both[::-1]


def completed(role: Role, text: str) -> list[Payload]:
    """A message as the newest versions write it."""
    both = [to_model(role, text), as_item(role, text)]
    return both if role == USER else both[::-1]


def turned_back(turns: int) -> Payload:
    return event({"type": "thread_rolled_back", "num_turns": turns})


# Few texts, so that many are said again.
TALK = st.lists(st.sampled_from([(USER, "go on"), (USER, "stop"), (ASSISTANT, "Done."), (ASSISTANT, "go on")]), max_size=12)
NOISE = st.lists(st.sampled_from([TOKENS, REASONING]), max_size=3)
MODEST = settings(max_examples=80, deadline=None)


@MODEST
@given(st.data(), TALK, st.sampled_from([told, completed, lambda role, text: [to_model(role, text)]]))
def test_every_message_is_shown_once_in_any_generation(data: st.DataObject, talk: list[Said], write: Any) -> None:
    lines: list[Payload] = []
    for role, text in talk:
        for form in write(role, text):
            lines += data.draw(NOISE)
            lines.append(form)
    assert said(lines) == talk


@MODEST
@given(TALK, TALK, st.sampled_from([told, completed]))
def test_a_thread_that_changed_generations_shows_both_parts(old: list[Said], new: list[Said], write: Any) -> None:
    old = [*old, (ASSISTANT, "The end of the old part.")]
    new = [(USER, "The start of the new part."), *new]
    lines = [to_model(role, text) for role, text in old] + [form for role, text in new for form in write(role, text)]
    assert said(lines) == old + new


@MODEST
@given(TALK)
def test_three_forms_of_one_message_are_one(talk: list[Said]) -> None:
    assert (
        said([form for role, text in talk for form in (to_model(role, text), as_event(role, text), as_item(role, text))]) == talk
    )


@MODEST
@given(st.data(), TALK)
def test_while_a_message_waits_for_its_second_form_all_others_are_there(data: st.DataObject, talk: list[Said]) -> None:
    lines = [form for role, text in talk for form in told(role, text)]
    length = data.draw(st.integers(0, len(lines)))
    assert said(lines[:length]) in (talk[: length // 2], talk[: (length + 1) // 2])


def test_several_prompts_at_once_stay_several() -> None:
    prompts = [to_model(USER, "again"), to_model(USER, "again"), as_event(USER, "again"), as_event(USER, "again")]
    assert said(prompts) == [(USER, "again")] * 2


def test_words_typed_while_an_answer_is_written_do_not_double_it() -> None:
    lines = [*told(USER, "go"), as_event(ASSISTANT, "Going."), *told(USER, "faster"), to_model(ASSISTANT, "Going.")]
    assert said(lines) == [(USER, "go"), (ASSISTANT, "Going."), (USER, "faster")]


def test_the_events_of_a_whole_response_come_before_its_items() -> None:
    texts = ["First.", "Second.", "First."]
    lines = [as_event(ASSISTANT, t) for t in texts] + [TOKENS, REASONING] + [to_model(ASSISTANT, t) for t in texts]
    assert said([*told(USER, "go"), *lines]) == [(USER, "go"), *((ASSISTANT, t) for t in texts)]


def test_blocks_of_one_item_are_events_of_their_own() -> None:
    lines = [as_event(ASSISTANT, "A."), as_event(ASSISTANT, "B."), to_model(ASSISTANT, "A.", "B.")]
    assert said([*told(USER, "go"), *lines]) == [(USER, "go"), (ASSISTANT, "A."), (ASSISTANT, "B.")]


def test_a_prompt_that_the_two_forms_spell_differently_is_shown_as_the_person_saw_it() -> None:
    lines = [
        *told(USER, "hello"),
        *told(ASSISTANT, "Hi."),
        to_model(USER, "look at file [a](b)"),
        as_event(USER, "look at file a"),
    ]
    assert said(lines) == [(USER, "hello"), (ASSISTANT, "Hi."), (USER, "look at file a")]
    assert said(lines[-2:]) == [(USER, "look at file a")]


def test_what_only_the_model_got_is_the_clients_where_prompts_are_told() -> None:
    strange = to_model(USER, "<never-seen-wrapper>be careful</never-seen-wrapper>")
    assert said([strange, *told(USER, "hello"), strange, *told(ASSISTANT, "Hi."), strange]) == [
        (USER, "hello"),
        (ASSISTANT, "Hi."),
    ]
    assert said([strange, to_model(ASSISTANT, "Hi.")])[0][0] == USER  # without events it may be a person's


def test_an_answer_without_an_event_is_shown() -> None:
    lines = [*told(USER, "review"), to_model(ASSISTANT, "Two findings."), *told(ASSISTANT, "Done.")]
    assert said(lines) == [(USER, "review"), (ASSISTANT, "Two findings."), (ASSISTANT, "Done.")]


def test_the_summary_that_a_compaction_asked_for_is_no_message() -> None:
    lines = [*told(USER, "go"), *told(ASSISTANT, "Gone."), to_model(ASSISTANT, "Summary."), TOKENS]
    compacted = {"type": "compacted", "payload": {"message": "Summary."}}
    assert said([*lines, compacted, *told(USER, "on")]) == [(USER, "go"), (ASSISTANT, "Gone."), (USER, "on")]
    assert (ASSISTANT, "Gone.") in said([*lines[:4], compacted])


def test_the_clients_own_answers_are_no_messages() -> None:
    assert said([*told(USER, "go"), as_event(ASSISTANT, "Compact task completed")]) == [(USER, "go")]


def shell(id_: str, command: str) -> Payload:
    arguments = json.dumps({"cmd": command})
    return response({"type": "function_call", "name": "exec_command", "arguments": arguments, "call_id": id_})


def ran(id_: str, command: str) -> Payload:
    return item({"type": "CommandExecution", "id": id_, "command": ["/bin/bash", "-lc", command]})


def ended(id_: str, command: str) -> Payload:
    return event({"type": "exec_command_end", "call_id": id_, "command": ["bash", "-lc", command]})


def script(id_: str, source: str) -> Payload:
    return response({"type": "custom_tool_call", "name": "exec", "call_id": id_, "input": source})


@MODEST
@given(st.lists(st.tuples(st.sampled_from(["ls", "pwd", "git log"]), st.integers(0, 3)), max_size=10))
def test_every_call_is_told_once_however_often_it_is_written(made: list[tuple[str, int]]) -> None:
    lines: list[Payload] = []
    for i, (command, forms) in enumerate(made):
        lines.append(shell(f"c{i}", command))
        lines += [ran(f"c{i}", command)] * (forms & 1) + [ended(f"c{i}", command)] * (forms >> 1)
    assert calls(lines) == [command for command, _ in made]


@MODEST
@given(st.lists(st.sampled_from(["ls", "pwd", "git log"]), max_size=10))
def test_every_run_of_a_script_is_told_once(commands: list[str]) -> None:
    lines = []
    for i, command in enumerate(commands):
        lines += [script(f"s{i}", f"text(await tools.exec_command({{cmd: {json.dumps(command)}}}))"), ran(f"exec-{i}", command)]
    assert calls(lines) == commands


def test_runs_that_end_later_are_still_the_scripts() -> None:
    source = 'await tools.exec_command({cmd: "make"}); await tools.exec_command({cmd: "sleep 9"})'
    assert calls([script("s", source), ran("e1", "make"), *told(USER, "wait"), ran("e2", "sleep 9")]) == ["make", "sleep 9"]


def test_a_computed_command_is_told_as_it_ran() -> None:
    source = "for (const n of names) await tools.exec_command({cmd: `cat ${n}`})"
    assert calls([script("s", source), ran("e1", "cat a"), ran("e2", "cat b")]) == ["cat a", "cat b"]
    assert calls([script("s", source)]) == [""]


def test_a_call_without_arguments_gives_way_to_its_event() -> None:
    search = response({"type": "web_search_call", "id": "ws", "status": "completed", "action": None})
    end = event({"type": "web_search_end", "call_id": "ws", "query": "lith"})
    assert calls([search, end]) == ["lith"]


def test_two_runs_of_one_command_are_two() -> None:
    assert calls([shell("a", "ls"), ran("a", "ls"), shell("b", "ls"), ran("b", "ls")]) == ["ls", "ls"]


def test_a_rollback_reaches_as_far_back_as_it_says() -> None:
    lines = [line for n in "123" for line in (*told(USER, f"p{n}"), shell(n, f"run {n}"), *told(ASSISTANT, f"a{n}"))]
    assert abandoned([*lines, turned_back(1)]) == ["p3", "run 3", "a3"]
    assert abandoned([*lines, turned_back(2)]) == ["p2", "run 2", "a2", "p3", "run 3", "a3"]
    assert abandoned([*lines, turned_back(1), turned_back(1)]) == ["p2", "run 2", "a2", "p3", "run 3", "a3"]
    assert abandoned([*lines, turned_back(99)]) == [text for n in "123" for text in (f"p{n}", f"run {n}", f"a{n}")]
    assert abandoned([*lines, turned_back(0)]) == []


def test_what_follows_a_rollback_stands() -> None:
    lines = [*told(USER, "a"), *told(USER, "b"), turned_back(1), *told(USER, "c"), *told(ASSISTANT, "C."), turned_back(1)]
    assert abandoned(lines) == ["b", "c", "C."]
    assert abandoned([turned_back(3), *told(USER, "a")]) == []


def test_an_interruption_takes_nothing_back() -> None:
    assert abandoned([*told(USER, "a"), event({"type": "turn_aborted", "reason": "interrupted"}), *told(USER, "b")]) == []


@MODEST
@given(st.lists(st.one_of(st.sampled_from(["ask", "answer"]), st.integers(0, 4)), max_size=30))
def test_rollbacks_take_turns_off_a_stack(steps: list[str | int]) -> None:
    lines: list[Payload] = []
    live: list[int] = []
    gone: set[str] = set()
    texts: list[tuple[int, str]] = []
    for n, step in enumerate(steps):
        if step == "ask":
            live.append(n)
            lines += told(USER, f"q{n}")
            texts.append((n, f"q{n}"))
        elif step == "answer":
            lines += told(ASSISTANT, f"a{n}")
            texts.append((n, f"a{n}"))
        elif isinstance(step, int):
            lines.append(turned_back(step))
            back = live[-step:] if step else []
            del live[len(live) - len(back) :]
            gone |= {text for at, text in texts if back and at >= back[0]}
    assert abandoned(lines) == [text for _, text in texts if text in gone]


def test_no_conversation_is_no_session() -> None:
    records, arrangement = arranged([{"type": "session_meta", "payload": {"id": "t"}}, TOKENS])
    assert arrangement.sessions == ()
    assert arrangement.session_of == (-1,) * len(records)


def test_a_thread_of_the_review_model_is_a_review() -> None:
    lines = [{"type": "turn_context", "payload": {"model": "codex-auto-review"}}, *told(USER, "assess")]
    assert arranged(lines)[1].sessions[0].kind == SessionKind.REVIEW


def as_stored(outline: Outline, record: Record) -> Outline:
    """An outline whose calls are hashed as JSON of their fields, which is how a map keeps them."""
    texts = [json.dumps(dict(piece.fields)) if piece.kind == Kind.CALL else piece.text for piece in record.pieces]
    pieces = [
        msgspec.structs.replace(piece, text_hash=ids.small_hash(text), length=len(text))
        for piece, text in zip(outline.pieces, texts, strict=True)
    ]
    return msgspec.structs.replace(outline, pieces=tuple(pieces))


def test_calls_are_told_once_by_what_a_map_keeps_of_them() -> None:
    computed = script("s2", "await tools.exec_command({cmd: `cat ${n}`})")
    search = response({"type": "web_search_call", "id": "ws", "status": "completed", "action": None})
    lines = [
        script("s1", 'await tools.exec_command({cmd: "make"})'),
        ran("e1", "make"),
        *(computed, ran("e2", "cat a"), ran("e3", "cat b")),
        *(search, event({"type": "web_search_end", "call_id": "ws", "query": "lith"})),
        *(shell("c1", "ls"), ran("c1", "ls")),
    ]
    records = records_of(lines)
    outlines = outlines_of(records)
    stored = [as_stored(outline, record) for outline, record in zip(outlines, records, strict=True)]
    assert SOURCE.arrange("t", stored) == SOURCE.arrange("t", outlines)
    assert calls(lines) == ["make", "cat a", "cat b", "lith", "ls"]
