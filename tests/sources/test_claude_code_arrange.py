"""Claude Code: how the records of a transcript hang together."""

import random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.sources.conformance import MODEST, assert_whole

from lith.kernel import ids
from lith.records.arrangement import Arrangement, Outline, PieceOutline
from lith.records.record import Flag, Kind, Role, SessionKind
from lith.sources.claude_code import SOURCE
from lith.sources.claude_code.graph import find_reach, find_roots, iter_below

TURN = Flag.CONVERSATION | Flag.TURN


def said(text: str, role: Role = Role.USER) -> PieceOutline:
    return PieceOutline(Kind.MESSAGE, role, None, None, 0, True, ids.small_hash(text), len(text))


def called(tool: str) -> PieceOutline:
    return PieceOutline(Kind.CALL, Role.ASSISTANT, None, tool, 0, True, 0, 0)


def record(name: str, parent: str | None = None, *pieces: PieceOutline, flags: int = Flag.CONVERSATION, **fields: Any) -> Outline:
    values: dict[str, Any] = {
        "type": "user",
        "at": 0,
        "timestamp": None,
        "logical_parent": None,
        "prompt": None,
        "message": None,
        "tool_use_id": None,
        "target": None,
        "usage": None,
        "attributes": (),
    }
    return Outline(record_id=name, parent=parent, pieces=pieces, flags=flags, **{**values, **fields})


def arrange(*outlines: Outline, transcript: str = "s") -> Arrangement:
    arrangement = SOURCE.arrange(transcript, outlines)
    assert_whole(arrangement, outlines)
    return arrangement


def side(name: str, parent: str | None = None, *pieces: PieceOutline, **fields: Any) -> Outline:
    return record(name, parent, *pieces, flags=Flag.CONVERSATION | Flag.SIDECHAIN, **fields)


def test_all_records_of_a_file_with_a_conversation_are_its_session() -> None:
    arrangement = arrange(
        record("q", None, flags=0, type="queue-operation"), record("a", None, said("hi"), flags=TURN), record("b", "a")
    )
    assert arrangement.session_of == (0, 0, 0)
    assert arrangement.sessions[0].kind == SessionKind.MAIN


def test_a_file_without_a_conversation_is_no_session() -> None:
    arrangement = arrange(record("x", flags=0, type="summary"), record("y", flags=Flag.META), record("z", flags=0, type="mode"))
    assert (arrangement.sessions, arrangement.session_of) == ((), (-1, -1, -1))


def test_the_first_place_and_the_last_version_are_the_sessions() -> None:
    first = (("cwd", "/a"), ("branch", "main"), ("version", "1"), ("model", "m1"))
    later = (("cwd", "/b"), ("branch", "dev"), ("version", "2"))
    arrangement = arrange(record("a", attributes=first), record("b", "a", attributes=later))
    assert arrangement.sessions[0].attributes == (("cwd", "/a"), ("branch", "main"), ("version", "2"), ("model", "m1"))


def test_a_sub_agent_has_its_parent_and_a_warm_up_its_own_kind() -> None:
    plan = arrange(record("a", None, said("look")), transcript="s/a1").sessions[0]
    assert (plan.native_id, plan.parent, plan.kind) == ("s/a1", "s", SessionKind.SUBAGENT)
    assert dict(plan.attributes)["agent"] == "a1"
    warm = arrange(record("a", None, said("Warmup")), record("b", "a", said("Hello", Role.ASSISTANT)), transcript="s/a1")
    assert warm.sessions[0].kind == SessionKind.WARMUP
    later = arrange(record("a", None, said("look")), record("b", "a", said("Warmup")), transcript="s/a1")
    assert later.sessions[0].kind == SessionKind.SUBAGENT
    assert arrange(record("a", None, said("Warmup"), flags=TURN)).sessions[0].kind == SessionKind.MAIN


def test_sidechains_in_one_file_are_told_apart_by_their_roots() -> None:
    arrangement = arrange(
        record("m1", None, said("go"), flags=TURN),
        record("m2", "m1", called("Task"), tool_use_id="t1", type="assistant"),
        record("m3", "m2", called("Task"), tool_use_id="t2", type="assistant"),
        side("aaaaaaaa-1", None, said("one")),
        side("bbbbbbbb-1", None, said("two")),
        side("c1", "aaaaaaaa-1"),
        side("c2", "bbbbbbbb-1"),
        record("m4", "m2", tool_use_id="t1"),
        side("c3", "c1"),
    )
    assert arrangement.session_of == (0, 0, 0, 1, 2, 1, 2, 0, 1)
    assert [plan.native_id for plan in arrangement.sessions] == ["s", "s/side-aaaaaaaa", "s/side-bbbbbbbb"]
    assert [dict(plan.attributes).get("spawned_by") for plan in arrangement.sessions] == [None, "t1", "t2"]
    assert [plan.parent for plan in arrangement.sessions] == [None, "s", "s"]


def test_an_answered_call_starts_no_later_sidechain() -> None:
    arrangement = arrange(
        record("m2", None, called("Task"), tool_use_id="t1", type="assistant"),
        record("m3", "m2", tool_use_id="t1"),
        record("m4", "m3", called("Bash"), tool_use_id="t2", type="assistant"),
        side("aaaaaaaa-1", None, said("one")),
    )
    assert "spawned_by" not in dict(arrangement.sessions[1].attributes)


def test_two_roots_that_begin_alike_get_two_names() -> None:
    arrangement = arrange(
        side("aaaaaaaa-1111", None, said("a")),
        side("aaaaaaaa-2222", None, said("b")),
        side("zzz", None, said("c")),
        side("yyy", None, said("d")),
    )
    names = [plan.native_id for plan in arrangement.sessions]
    assert names == ["s/side-aaaaaaaa", "s/side-aaaaaaaa2", "s/side-0", "s/side-0-3"]


def test_a_sidechain_that_hangs_on_its_parents_chain_still_begins_at_its_own_root() -> None:
    arrangement = arrange(record("m1", None, flags=TURN), side("aaaaaaaa", "m1", said("x")), side("b", "aaaaaaaa"))
    assert arrangement.session_of == (0, 1, 1)


def test_a_chain_whose_beginning_is_missing_goes_on_with_its_sub_agent() -> None:
    arrangement = arrange(
        side("aaaaaaaa", None, said("one")),
        side("a2", "aaaaaaaa", called("Bash"), tool_use_id="t1", type="assistant"),
        side("bbbbbbbb", None, said("two")),
        side("a3", "gone", tool_use_id="t1"),  # answers the first one's call
        side("a4", "a3"),
        side("a5", "gone as well"),  # goes on after what was written before it
        side("cccccccc", "gone too", said("three")),  # begins with a prompt of its own
    )
    assert arrangement.session_of == (0, 0, 1, 0, 0, 0, 2)


def test_a_sidechain_without_a_conversation_is_no_session() -> None:
    arrangement = arrange(record("m", flags=TURN), record("p", None, flags=Flag.SIDECHAIN, type="progress"))
    assert arrangement.session_of == (0, -1)


def test_a_sidechain_in_a_circle_is_one_session_named_by_its_earliest_record() -> None:
    arrangement = arrange(side("dd", "cc"), side("aa", "cc"), side("bb", "aa"), side("cc", "bb"))
    assert arrangement.session_of == (0, 0, 0, 0)
    assert arrangement.sessions[0].native_id == "s/side-aa"


def test_copies_of_a_fork_keep_their_ids_and_lose_nothing() -> None:
    copied = [record("a", None, said("hi"), flags=TURN), record("b", "a", said("yes", Role.ASSISTANT), type="assistant")]
    first = arrange(*copied, transcript="s1")
    second = arrange(*copied, record("c", "b", said("more"), flags=TURN), transcript="s2")
    assert (first.session_of, second.session_of) == ((0, 0), (0, 0, 0))
    assert not second.abandoned


def test_a_prompt_that_was_typed_again_leaves_its_branch() -> None:
    arrangement = arrange(
        record("a", None, flags=TURN),
        record("b", "a"),
        record("c", "b", flags=TURN),
        record("d", "c"),
        record("e", "d"),
        record("f", "b", flags=TURN),
        record("g", "f"),
    )
    assert arrangement.abandoned == {2, 3, 4}


def test_parallel_calls_are_no_branches() -> None:
    arrangement = arrange(
        record("a", None, flags=TURN),
        record("b", "a", type="assistant"),
        record("c", "b", type="assistant"),
        record("d", "b", tool_use_id="t1"),
        record("e", "c", tool_use_id="t2"),
        record("f", "e"),
    )
    assert not arrangement.abandoned


def test_a_branch_that_went_on_after_its_rival_was_not_left() -> None:
    arrangement = arrange(
        record("a", None, flags=TURN),
        record("b", "a", flags=TURN),
        record("c", "a", flags=TURN),
        record("d", "c"),
        record("e", "b"),
    )
    assert not arrangement.abandoned


def test_prompts_without_a_parent_are_beginnings_and_no_rivals() -> None:
    assert not arrange(record("a", None, flags=TURN), record("b", None, flags=TURN), record("c", "phantom", flags=TURN)).abandoned


def test_a_branch_is_followed_through_a_compaction() -> None:
    arrangement = arrange(
        record("a", None, flags=TURN),
        record("b", "a", flags=TURN),
        record("wall", None, flags=Flag.BOUNDARY, logical_parent="b", type="system/compact_boundary"),
        record("c", "wall"),
        record("d", "a", flags=TURN),
    )
    assert arrangement.abandoned == {1, 2, 3}


def queued(name: str, text: str) -> Outline:
    return record(name, None, said(text), type="attachment/queued_command")


def test_a_queued_prompt_that_came_again_is_shown_once() -> None:
    arrangement = arrange(
        record("a", None, said("go"), flags=TURN),
        queued("q1", "and the tests"),
        queued("q2", "and the docs"),
        record("u1", "a", said("and the tests"), flags=TURN),
        record("u2", "u1", said("and the docs"), flags=TURN),
    )
    assert arrangement.hidden == {(1, 0), (2, 0)}


def test_a_queued_prompt_that_came_only_once_is_shown() -> None:
    arrangement = arrange(
        record("a", None, said("continue"), flags=TURN),
        queued("q1", "continue"),
        record("b", "a", said("something else"), flags=TURN),
        record("c", "b", said("continue"), flags=TURN),
    )
    assert not arrangement.hidden


def test_one_repetition_hides_one_queued_prompt() -> None:
    arrangement = arrange(queued("q1", "go"), queued("q2", "go"), record("u", None, said("go"), flags=TURN))
    assert arrangement.hidden == {(0, 0)}


@MODEST
@given(st.lists(st.tuples(st.integers(-1, 9), st.booleans()), max_size=10))
def test_every_shape_of_graph_has_roots_and_an_end(shape: list[tuple[int, bool]]) -> None:
    parents = [parent if parent < len(shape) else -1 for parent, _ in shape]
    within = [inside for _, inside in shape]
    roots = find_roots(parents, within)
    assert all(0 <= root < len(shape) for root in roots)
    assert all(roots[i] == i for i in range(len(shape)) if not within[i])
    assert all(roots[i] == roots[p] for i, p in enumerate(parents) if p >= 0 and within[i] and within[p])
    assert all(reach >= i for i, reach in enumerate(find_reach(parents)))
    below = list(iter_below(parents, range(len(shape))))
    assert sorted(below) == list(range(len(shape)))


def test_a_long_session_in_any_order_is_arranged_without_recursion() -> None:
    count = 30_000
    outlines = [
        record(
            f"r{i}",
            f"r{i - 1}" if i else None,
            flags=Flag.CONVERSATION | (Flag.SIDECHAIN if i % 2 else 0) | (Flag.TURN if i % 10 == 0 else 0),
        )
        for i in range(count)
    ]
    random.Random(7).shuffle(outlines)
    arrangement = SOURCE.arrange("s", outlines)
    assert len(arrangement.session_of) == count
    assert -1 not in arrangement.session_of
