"""Words in quotes, found as they were typed."""

import pytest

from lith.kernel import text


def holds(phrase: str, body: str) -> bool:
    test = text.exact_test(text.Term(phrase, quoted=True))
    assert test is not None
    return test(text.fold(body))


@pytest.mark.parametrize(
    ("phrase", "body", "expected"),
    [
        ("Changed the port", "Now I change the port", False),
        ("Changed the port", "it CHANGED the\n  pört.", True),
        ("the port", "the ports", False),
        ("the port", "bathe port", False),
        ("port", "the portal, the sport, a port", True),
        ("query flow", "see query_flow.ts", True),
        ("query_flow", "see queryFlow", True),
        ("don't panic", "Don’t panic!", True),
        ("red text", "\x1b[31mred\x1b[0m text", True),
        ("提交代码", "我们提交代码了", True),
        ("提交代码", "提交的代码", False),
        ("git", "用git提交", True),
        ("git 提交", "用git提交", True),
        ("포트를", "포트 번호", False),
        ("a.b", "a b", True),
    ],
)
def test_what_holds_a_phrase(phrase: str, body: str, expected: bool) -> None:
    assert holds(phrase, body) is expected


def test_a_phrase_without_a_word_has_no_test() -> None:
    assert text.exact_test(text.Term("=>", quoted=True)) is None


def test_a_long_text_of_punctuation_takes_no_long() -> None:
    assert not holds("a b c", ("a" + "-" * 2000) * 100)
