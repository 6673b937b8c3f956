"""Pages that messages name."""

from pathlib import Path

from lith.ops.wiki.mentions import Mentions
from lith.retrieval.answers import Message
from lith.wiki.snapshot import load
from lith.wiki.vault import find_vault


def found(root: Path, *texts: str) -> dict[str, list[int]]:
    messages = [Message(seq=number, role="user", text=text) for number, text in enumerate(texts, 1)]
    return Mentions(load(find_vault(root))).find(messages)


def test_names_titles_and_aliases_count_with_their_messages(notes: Path) -> None:
    assert found(notes, "a RETRY storm!", "the Backoff, then exponential   backoff", "no retry, no storm") == {
        "wiki/concepts/Retry storm.md": [1],
        "wiki/concepts/Backoff.md": [2],
    }


def test_one_word_counts_only_as_it_is_spelled(notes: Path) -> None:
    assert found(notes, "some backoff would be good") == {}
    assert found(notes, "see [[Backoff]] there") == {"wiki/concepts/Backoff.md": [1]}


def test_a_name_in_a_script_without_spaces_is_found_inside_a_sentence(notes: Path) -> None:
    (notes / "wiki" / "concepts" / "文字化け.md").write_text("# 文字化け\n")
    assert found(notes, "経費の文字化けを直す") == {"wiki/concepts/文字化け.md": [1]}


def test_a_name_of_two_pages_names_none_of_them(notes: Path) -> None:
    (notes / "wiki" / "Backoff.md").write_text("# Backoff\n")
    assert found(notes, "Backoff") == {}


def test_pages_about_the_wiki_itself_are_not_talked_about(notes: Path) -> None:
    assert found(notes, "the index and the Index") == {}
