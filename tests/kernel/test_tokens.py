"""The token estimator: known texts, bounds, and that more text is never fewer tokens."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel.tokens import PATTERNS, count_patterns, estimate_tokens, estimate_tokens_bytes

# Counts by the vocabulary that Anthropic published and by o200k.
KNOWN = [
    ("Please look at the failing test and tell me why the migration does not run on the second database.", 20, 20),
    ("def estimate(text: str) -> int:\n    return max(len(text) // 4, 1)\n", 24, 22),
    ('{"type":"user","message":{"role":"user","content":"run the tests"},"uuid":"550e8400-e29b-41d4-a716-446655440000"}', 42, 39),
    ("drwxr-xr-x  5 root root   4096 Nov 30 05:26 .\n-rw-r--r--  1 root root 637906 Nov 30 05:34 tokenizer-0.0.4.tgz\n", 49, 54),
    ("Bitte prüfe, warum die Übersetzung der Fehlermeldungen im zweiten Formular nicht geladen wird.", 28, 20),
    ("Проверь, пожалуйста, почему миграция базы данных не выполняется на втором сервере.", 40, 20),
    ("请检查一下为什么第二台服务器上的数据库迁移没有执行。", 18, 14),
    ("二台目のサーバーでデータベースの移行が実行されない理由を調べてください。", 34, 27),
    ("두 번째 서버에서 데이터베이스 마이그레이션이 실행되지 않는 이유를 확인해 주세요.", 42, 22),
]


@pytest.mark.parametrize(("body", "claude", "o200k"), KNOWN)
def test_single_sentences_are_not_far_from_two_vocabularies(body: str, claude: int, o200k: int) -> None:
    mean = (claude + o200k) / 2
    assert 0.7 * mean <= estimate_tokens(body) <= 1.4 * mean


def test_nothing_is_nothing_and_anything_is_something() -> None:
    assert estimate_tokens("") == 0
    for body in ("a", " ", "\n", ".", "é", "字", "👋", "\ud800", "\0"):
        assert 1 <= estimate_tokens(body) <= 4


@settings(max_examples=150, deadline=None)
@given(first=st.text(), second=st.text())
def test_more_text_is_never_fewer_tokens(first: str, second: str) -> None:
    assert estimate_tokens(first) <= estimate_tokens(first + second)


@settings(max_examples=150, deadline=None)
@given(st.text(min_size=1))
def test_no_text_is_more_tokens_than_a_few_for_each_byte(body: str) -> None:
    size = len(body.encode("utf-8", "surrogatepass"))
    assert len(body) // 64 <= estimate_tokens(body) <= 2 * size + 2


@settings(max_examples=50, deadline=None)
@given(
    parts=st.lists(
        st.sampled_from(["some words here. ", "x = foo(bar)\n", "数据库迁移。", "Привет, мир! ", "{'a': 1}, "]),
        min_size=1,
        max_size=30,
    )
)
def test_the_estimate_of_the_whole_is_near_the_sum_of_its_parts(parts: list[str]) -> None:
    whole, pieces = estimate_tokens("".join(parts)), sum(map(estimate_tokens, parts))
    assert abs(whole - pieces) <= 1.5 * len(parts)


def test_scripts_have_their_own_ratio() -> None:
    per_character = {name: estimate_tokens(body * 100) / len(body * 100) for name, body in SCRIPTS.items()}
    assert per_character["english"] < per_character["russian"] < per_character["chinese"] < per_character["emoji"]
    assert per_character["english"] < per_character["code"] < per_character["base64"]


SCRIPTS = {
    "english": "the quick brown fox jumps over the lazy dog and runs away ",
    "russian": "быстрая лиса прыгает через ленивую собаку и убегает ",
    "chinese": "敏捷的棕色狐狸跳过了懒狗然后跑开",
    "emoji": "👋🎉✅",
    "code": "for i in range(10): self.items[i] = foo(bar, baz=1)\n",
    "base64": "aGVsbG8gd29ybGQ3MTIzNDU2Nzg5QUJDREVG",
}


def test_lines_drawn_across_a_screen_cost_little() -> None:
    assert estimate_tokens("─" * 80) <= 25
    assert estimate_tokens("-" * 80) <= 20
    assert estimate_tokens(" " * 640) == 10


def test_no_weight_is_negative_and_every_pattern_is_counted() -> None:
    assert all(weight > 0 for _, _, weight in PATTERNS)
    assert len(count_patterns("x")) == len(PATTERNS)


def test_bytes_alone_give_a_rough_number() -> None:
    assert estimate_tokens_bytes(0) == 0
    assert estimate_tokens_bytes(-5) == 0
    assert estimate_tokens_bytes(35_000) == 10_000
    body = SCRIPTS["code"] * 100
    assert 0.6 <= estimate_tokens_bytes(len(body)) / estimate_tokens(body) <= 1.6
