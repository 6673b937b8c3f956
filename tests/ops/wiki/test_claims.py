"""Quotes from messages: the right kind, word for word, and nothing that a page would read as its own."""

from hypothesis import given
from hypothesis import strategies as st

from lith.ops.wiki.claims import DECISION, KINDS, OUTCOME, PROMPT, QUESTION, Claim, find_claims
from lith.retrieval.answers import Message


def talk(*said: tuple[str, str]) -> list[Message]:
    return [Message(seq=number, role=role, text=text, record=f"r{number}") for number, (role, text) in enumerate(said, 1)]


def of(kind: str, claims: list[Claim]) -> list[tuple[str, int]]:
    return [(claim.text, claim.seq) for claim in claims if claim.kind == kind]


def test_each_kind_is_found_with_its_message() -> None:
    claims = find_claims(
        talk(
            ("user", "The build fails on Windows.\n\n```\nlong log\n```\n"),
            ("assistant", "I looked around. We decided to normalise paths in one place. Let me run the tests."),
            ("assistant", "Fixed: paths are normalised. All 31 tests pass. It rains today."),
            ("user", "And the docs?"),
            ("assistant", "I updated the docs as well. Shall I release it?"),
        )
    )
    assert of(PROMPT, claims) == [("The build fails on Windows.", 1), ("And the docs?", 4)]
    assert of(DECISION, claims) == [("We decided to normalise paths in one place.", 2)]
    assert of(OUTCOME, claims) == [
        ("Fixed: paths are normalised.", 3),
        ("All 31 tests pass.", 3),
        ("I updated the docs as well.", 5),
    ]
    assert of(QUESTION, claims) == [("Shall I release it?", 5)]
    assert {claim.record for claim in claims if claim.seq == 5} == {"r5"}


def test_an_answer_in_any_language_stands_for_itself_by_its_first_sentence() -> None:
    claims = find_claims(
        talk(("user", "文字化けを直して"), ("assistant", "BOMを付けて書き出すようにしました。テストも書きました。"))
    )
    assert of(OUTCOME, claims) == [("BOMを付けて書き出すようにしました。", 2)]


def test_what_was_taken_back_and_what_tools_did_is_left_out() -> None:
    messages = talk(("user", "Use tabs please, everywhere"), ("assistant", "I fixed everything with tabs."))
    left = [Message(seq=3, role="user", text="Use spaces, that is better", abandoned=True)]
    call = [Message(seq=2, role="assistant", text="fixed by a call", kind="call")]
    assert [claim.seq for claim in find_claims([*messages, *left, *call])] == [1, 2]


def test_the_same_is_not_said_twice() -> None:
    claims = find_claims(
        talk(
            ("user", "go on please"), ("assistant", "Done, it works."), ("user", "Go on please"), ("assistant", "Done, it works.")
        )
    )
    assert [claim.text for claim in claims] == ["go on please", "Done, it works."]


PIECES = [*"ab .?!`[]#%\n-|。é", "[[Page]]", "<!--", "%%", "[x](y.md)", "![x](y)", "<b>", "fixed ", "decided ", "```\n"]
TEXTS = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), TEXTS), max_size=6))
def test_a_claim_is_one_harmless_line_from_its_message(said: list[tuple[str, str]]) -> None:
    messages = talk(*said)
    for claim in find_claims(messages):
        assert claim.kind in KINDS
        assert "\n" not in claim.text
        assert claim.text
        assert not [mark for mark in ("[[", "]]", "`", "<!--", "%%", "![", "](", "<b>") if mark in claim.text]
        letters = iter(character for character in messages[claim.seq - 1].text if character.isalpha())
        said_so = (character in letters for character in claim.text.replace("&lt;", "<") if character.isalpha())
        assert all(said_so), "in the message's own words and order"
