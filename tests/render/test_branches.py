"""What is the conversation, and what stands beside it."""

from hypothesis import given, settings
from hypothesis import strategies as st

from lith.render import Node, label_branches
from lith.render.branches import ABANDONED, SIDE


def node(
    record_id: str,
    parent: str | None = None,
    *,
    logical: str | None = None,
    message: int | None = None,
    call: str | None = None,
    talks: bool = True,
    abandoned: bool = False,
) -> Node:
    return Node(record_id, parent, logical, message, call, talks, abandoned)


def test_a_chain_has_no_branches() -> None:
    assert label_branches([node("p"), node("a", "p"), node("b", "a")], "b") == [None, None, None]


def test_what_hangs_off_the_chain_is_a_side_branch_with_all_that_follows_it() -> None:
    nodes = [node("p"), node("x", "p"), node("y", "x"), node("a", "p"), node("b", "a"), node("note", "p", talks=False)]
    assert label_branches(nodes, "b") == [None, SIDE, SIDE, None, None, None]


def test_parallel_calls_are_no_branches() -> None:
    nodes = [
        node("p"),
        node("a1", "p", message=1, call="c1"),
        node("a2", "a1", message=1, call="c2"),
        node("r1", "a1", call="c1"),
        node("r2", "a2", call="c2"),
        node("end", "r2"),
    ]
    assert label_branches(nodes, "end") == [None] * 6


def test_a_wall_is_crossed_and_a_phantom_parent_is_no_branch() -> None:
    nodes = [node("p"), node("a", "p"), node("wall", None, logical="a"), node("b", "wall"), node("lost", "phantom")]
    assert label_branches(nodes, "b") == [None] * 5


def test_what_was_taken_back_says_so() -> None:
    assert label_branches([node("p"), node("a", "p", abandoned=True), node("b", "p")], "b") == [None, ABANDONED, None]


def test_records_without_a_graph_are_one_conversation() -> None:
    assert label_branches([node("p"), node("a"), node("b")], "b") == [None, None, None]
    assert label_branches([], "b") == []


LINK = st.none() | st.sampled_from("abcdefgh")


@given(
    st.lists(
        st.builds(
            Node, st.sampled_from("abcdefgh"), LINK, LINK, st.none() | st.integers(0, 2), LINK, st.booleans(), st.booleans()
        ),
        max_size=20,
    ),
    st.sampled_from("abcdefghz"),
)
@settings(max_examples=300, deadline=None)
def test_any_graph_has_an_answer_for_every_record(nodes: list[Node], leaf: str) -> None:
    labels = label_branches(nodes, leaf)
    assert len(labels) == len(nodes)
    for one, label in zip(nodes, labels, strict=True):
        assert (label == ABANDONED) == one.abandoned
        assert label != SIDE or one.talks
