"""`read`: which messages, round what, within which budget."""

import re

import msgspec
import pytest
from tests.retrieval.building import START, MapBuilder, assistant, call, profile, user

from lith.errors import AnchorNotFound, SessionNotFound, UsageError
from lith.kernel.tokens import estimate_tokens
from lith.retrieval import read_session
from lith.retrieval.answers import ReadResult
from lith.retrieval.requests import DEFAULT_TOKENS, ReadRequest


def read(builder: MapBuilder, address: str, **options: object) -> ReadResult:
    return read_session(builder.connection, msgspec.convert({"address": address, **options}, ReadRequest))


def seqs(result: ReadResult) -> list[int | None]:
    """The messages; what stands beside them aside."""
    return [message.seq for message in result.messages if message.kind not in {"compaction", "recap"}]


@pytest.fixture
def ref(builder: MapBuilder) -> str:
    said = [user("question 1"), call("Bash", command="make", description="Build"), assistant("answer 2", "second block")]
    said += [user(f"message {number}") for number in range(3, 9)]
    said += [call("Read", path="src/a.py"), profile("title", "A title"), profile("compaction", "what went before")]
    return builder.add("aaaa1111", said, title="A title")


def test_a_session_from_its_beginning(builder: MapBuilder, ref: str) -> None:
    result = read(builder, ref)
    assert seqs(result) == list(range(1, 9))
    assert (result.total, result.next_offset) == (8, None)
    assert result.session.title == "A title"
    first, second = result.messages[:2]
    assert (first.role, first.text, first.timestamp) == ("user", "question 1", "2025-10-09T08:54:20.000Z")
    assert second.text == "answer 2\n\nsecond block"
    assert [(one.label, one.text) for one in result.profile] == [("title", "A title")]


def test_pages_by_offset(builder: MapBuilder, ref: str) -> None:
    first = read(builder, ref, limit=3)
    assert (seqs(first), first.next_offset) == ([1, 2, 3], 3)
    second = read(builder, ref, offset=3, limit=3)
    assert (seqs(second), second.next_offset, second.profile) == ([4, 5, 6], 6, [])
    last = read(builder, ref, offset=6, limit=3)
    assert (seqs(last), last.next_offset) == ([7, 8], None)
    assert seqs(read(builder, ref, offset=99)) == []


@pytest.mark.parametrize("how", [{"address": "#4"}, {"at": 4}])
def test_round_a_message(builder: MapBuilder, ref: str, how: dict[str, object]) -> None:
    address = ref + str(how.pop("address", ""))
    result = read(builder, address, **how)
    assert seqs(result) == [2, 3, 4, 5, 6]
    assert [message.seq for message in result.messages if message.anchor] == [4]
    assert result.profile == []
    assert seqs(read(builder, address, **how, before=0, after=1)) == [4, 5]
    assert seqs(read(builder, address, **how, limit=2)) == [3, 4]


def test_an_anchor_shows_its_calls(builder: MapBuilder, ref: str) -> None:
    result = read(builder, ref, at=1, after=0)
    assert [(message.kind, message.tool, message.text) for message in result.messages] == [
        (None, None, "question 1"),
        ("call", "Bash", "command: make\ndescription: Build"),
    ]


def test_calls_stand_between_the_messages(builder: MapBuilder, ref: str) -> None:
    result = read(builder, ref, calls=True)
    assert [message.kind or message.seq for message in result.messages] == [1, "call", 2, 3, 4, 5, 6, 7, 8, "call", "compaction"]
    assert seqs(read(builder, ref, calls=True, offset=1, limit=2)) == [2, 3]


def test_a_session_of_calls_alone(builder: MapBuilder) -> None:
    builder.add("calls", [call("Bash", command="ls")])
    assert read(builder, "calls").messages == []
    (only,) = read(builder, "calls", calls=True).messages
    assert (only.kind, only.seq, only.text) == ("call", None, "command: ls")


def test_round_what_a_query_finds(builder: MapBuilder, ref: str) -> None:
    result = read(builder, ref, query="answer", before=0, after=0)
    assert [(message.seq, message.anchor) for message in result.messages] == [(2, True)]
    by_call = read(builder, ref, query="src/a.py", before=0, after=0)
    assert [(message.seq, message.kind, message.anchor) for message in by_call.messages] == [
        (8, None, False),
        (8, "call", True),
        (None, "compaction", False),
    ]


def test_a_query_that_finds_nothing_is_an_error(builder: MapBuilder, ref: str) -> None:
    with pytest.raises(AnchorNotFound) as error:
        read(builder, ref, query="banana")
    assert ["lith", "find", "banana"] in error.value.next
    with pytest.raises(AnchorNotFound):
        read(builder, ref, query="went before")  # a text about the session is no place in it


@pytest.mark.parametrize("at", [0, 9, 4_000_000])
def test_a_message_that_is_not_there(builder: MapBuilder, ref: str, at: int) -> None:
    with pytest.raises(AnchorNotFound, match=f"no message #{at}") as error:
        read(builder, ref, at=at)
    assert error.value.hint == "its messages are #1 to #8"


@pytest.mark.parametrize(
    "options",
    [
        {"at": 2, "offset": 1},
        {"query": "x", "offset": 2},
        {"limit": 0},
        {"before": -1},
        {"offset": -1},
        {"max_tokens": 0},
    ],
)
def test_options_that_make_no_sense(builder: MapBuilder, ref: str, options: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        read(builder, ref, **options)


def test_two_message_numbers_are_one_too_many(builder: MapBuilder, ref: str) -> None:
    with pytest.raises(UsageError):
        read(builder, f"{ref}#2", at=3)


def test_a_prefix_will_do_and_a_wrong_one_will_not(builder: MapBuilder, ref: str) -> None:
    assert read(builder, "aaaa").session.session_ref == ref
    with pytest.raises(SessionNotFound):
        read(builder, "zzzz")


def test_branches_that_were_left_are_labelled(builder: MapBuilder) -> None:
    builder.add("one", [user("first try", abandoned=True), user("second try")])
    assert [message.abandoned for message in read(builder, "one").messages] == [True, False]


def test_reviews_can_be_read(builder: MapBuilder) -> None:
    builder.add("rev", [user("review this")], kind="review")
    result = read(builder, "rev")
    assert (result.session.kind, result.messages[0].text) == ("review", "review this")


def test_a_budget_cuts_middles_and_says_how_much(builder: MapBuilder) -> None:
    long = "start " + "filler words and more of them " * 400 + "end"
    builder.add("one", [user("short"), assistant(long), user("short too"), assistant(long)], start=START)
    result = read(builder, "one", max_tokens=800)
    assert seqs(result) == [1, 2, 3, 4]
    assert [bool(message.elided) for message in result.messages] == [False, True, False, True]
    cut = result.messages[1]
    assert cut.text.startswith("start ")
    assert cut.text.endswith("end")
    assert cut.text.count("characters left out") == 1
    assert f"[… {cut.elided} characters left out; --max-tokens " in cut.text
    assert estimate_tokens(msgspec.json.encode(result).decode()) <= 800


def test_a_small_budget_keeps_the_anchor_and_what_was_looked_for(builder: MapBuilder) -> None:
    long = "filler words and more of them " * 300
    builder.add("one", [user(f"message {number} {long}") for number in range(1, 20)] + [assistant(long + " the needle " + long)])
    result = read(builder, "one", query="needle", before=10, max_tokens=500)
    (anchor,) = [message for message in result.messages if message.anchor]
    assert anchor.seq == 20
    assert "the needle" in anchor.text
    assert estimate_tokens(msgspec.json.encode(result).decode()) <= 500
    assert len(result.messages) < 11


def test_what_a_budget_drops_is_the_next_page(builder: MapBuilder) -> None:
    builder.add("one", [user(f"message {number} " + "filler " * 200) for number in range(1, 31)])
    seen: list[int | None] = []
    offset: int | None = 0
    while offset is not None:
        page = read(builder, "one", offset=offset, max_tokens=400)
        seen += seqs(page)
        offset = page.next_offset
    assert seen == list(range(1, 31))


def test_what_was_cut_is_shown_with_the_budget_that_the_mark_names(builder: MapBuilder) -> None:
    builder.add("one", [user("short"), assistant("filler words and more of them " * 2000)])
    cut = read(builder, "one", max_tokens=DEFAULT_TOKENS).messages[1]
    named = re.search(r"--max-tokens (\d+)", cut.text)
    assert named is not None
    whole = read(builder, "one", max_tokens=int(named[1]))
    assert [message.elided for message in whole.messages] == [0, 0]


@pytest.mark.parametrize("options", [{}, {"at": 2}, {"query": "needle"}, {"calls": True}])
def test_a_usual_budget_bounds_whatever_is_asked_for(builder: MapBuilder, options: dict[str, object]) -> None:
    long = "filler words and more of them " * 9000
    said = [user(f"{long} needle"), call("Bash", command=long), assistant(long), profile("compaction", long)]
    builder.add("one", [*said, profile("title", long)])
    result = read(builder, "one", max_tokens=DEFAULT_TOKENS, **options)
    assert estimate_tokens(msgspec.json.encode(result).decode()) <= DEFAULT_TOKENS
    assert [message.seq for message in result.messages if message.kind is None] == [1, 2]


@pytest.mark.parametrize("max_tokens", [1, 60, 150, 300, 600, 1500])
@pytest.mark.parametrize("calls", [False, True])
def test_a_budget_leaves_one_message_and_a_way_on(builder: MapBuilder, max_tokens: int, calls: bool) -> None:
    long = "what went before, at length " * 500
    said = [profile("compaction", long), call("Bash", command=long), profile("title", long)]
    said += [user(f"message {number} {long}") for number in range(1, 6)]
    builder.add("one", [*said[:-2], profile("compaction", long), call("Bash", command="ls"), *said[-2:]])
    seen: list[int | None] = []
    offset: int | None = 0
    while offset is not None:
        page = read(builder, "one", offset=offset, max_tokens=max_tokens, calls=calls)
        assert any(message.kind is None for message in page.messages)
        seen += [message.seq for message in page.messages if message.kind is None]
        offset = page.next_offset
    assert seen == [1, 2, 3, 4, 5]


def test_what_has_no_room_is_counted(builder: MapBuilder) -> None:
    long = "filler words and more of them " * 100
    builder.add("one", [user(long), *(call("Bash", command=long) for _ in range(40)), user(long)])
    result = read(builder, "one", calls=True, max_tokens=1000)
    shown = sum(message.kind == "call" for message in result.messages)
    assert 0 < shown < 40
    assert (result.left_out, result.next_offset) == (40 - shown, 1)
    assert read(builder, "one", calls=True, max_tokens=100_000).left_out == 0


def test_a_compaction_stands_where_it_was_made(builder: MapBuilder) -> None:
    said = [profile("recap", "from an older session"), *(user(f"message {number}") for number in range(1, 5))]
    said += [profile("compaction", "what went before"), *(user(f"message {number}") for number in range(5, 9))]
    builder.add("one", [*said, profile("title", "A title")])

    def order(**options: object) -> list[object]:
        return [message.kind or message.seq for message in read(builder, "one", **options).messages]

    assert order() == ["recap", 1, 2, 3, 4, "compaction", 5, 6, 7, 8]
    assert order(limit=3) == ["recap", 1, 2, 3]
    assert order(offset=3, limit=2) == [4, "compaction", 5]
    assert order(offset=4) == [5, 6, 7, 8]
    assert order(at=4, before=0, after=0) == [4, "compaction"]
    assert order(at=7, before=1, after=0) == [6, 7]
    assert [one.label for one in read(builder, "one").profile] == ["title"]


def test_the_words_asked_for_stay_in_sight_of_a_long_message(builder: MapBuilder) -> None:
    long = "filler words and more of them " * 3000
    builder.add("one", [user("first"), assistant(f"{long} the needle {long}")])
    assert "the needle" not in read(builder, "one", at=2, max_tokens=2000).messages[-1].text
    assert "the needle" in read(builder, "one", at=2, query="needle", max_tokens=2000).messages[-1].text


def test_a_command_with_a_query_that_begins_with_a_dash_says_where_options_end(builder: MapBuilder, ref: str) -> None:
    with pytest.raises(AnchorNotFound) as error:
        read(builder, ref, query="--banana")
    assert ["lith", "find", "--", "--banana"] in error.value.next
