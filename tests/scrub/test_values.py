"""Where values end, and what they look like."""

import pytest

from lith.scrub.rules.values import (
    end_of_value,
    is_code,
    is_path,
    is_placeholder,
    is_reference,
    looks_chosen,
    looks_random,
    read_value,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('"abc" x', "abc"),
        ('"a b, c"', "a b, c"),
        (r'"a\"b" x', r"a\"b"),
        (r'"a\\" x', r"a\\"),
        (r"\"a b\", \"c\"", "a b"),
        (r"\"a\\\"b\" x", r"a\\\"b"),
        (r'\"open" x', "open"),
        (r"\\\"deep\\\" x", "deep"),
        ("'it''s' x", "it''s"),
        ('\'open", "b": 1}', "open"),
        ("'open\nnext", "open"),
        ('"""a\nb"""', "a\nb"),
        ("f'abc'", "abc"),
        ("&quot;a b&quot; x", "a b"),
        ("“a b” x", "a b"),
        ("abc; d", "abc"),
        ("abc\\nd", "abc"),
        ("abc，d", "abc"),
    ],
)
def test_a_value_ends_where_its_quote_or_its_word_does(text: str, value: str) -> None:
    read = read_value(text, 0)
    assert read is not None
    assert read.text == value == text[read.start : read.end]
    assert end_of_value(text, read) == read.end


def test_a_line_value_keeps_its_signs() -> None:
    read = read_value("ab&c(d # x", 0, line=True)
    assert read is not None
    assert read.text == "ab&c(d"
    assert read_value("", 0) is None
    assert read_value("(x", 0) is None


def test_the_true_end_of_a_long_value_is_found_only_when_asked_for() -> None:
    quoted, bare = '"' + "a b " * 10_000 + '" x', "a" * 5_000 + " x"
    for text, end in ((quoted, len(quoted) - 3), (bare, 5_000)):
        read = read_value(text, 0)
        assert read is not None
        assert read.end < end == end_of_value(text, read)


@pytest.mark.parametrize(
    "value", ["<your-key>", "xxxx", "***", "...", "[masked:token]", "YOUR_API_KEY", "changeme", "", "•••", "sk-..."]
)
def test_placeholders(value: str) -> None:
    assert is_placeholder(value)


@pytest.mark.parametrize(
    "value", ["${X}", "$X", "$(cat x)", "{{ x }}", "%s", "process.env.X", "%(pw)s", "{token}", "op://v/i/f", "a=%s"]
)
def test_references(value: str) -> None:
    assert is_reference(value)


@pytest.mark.parametrize("value", ["hunter2", "correct horse battery staple", "$ecret!", "your2cats", "p{w}d"])
def test_real_values_are_neither(value: str) -> None:
    assert not is_placeholder(value)
    assert not is_reference(value)


@pytest.mark.parametrize("value", ["aB3dE5fG7hI9jK1lM3nO", "x7k2p9q4m1z8w3v6b5", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEY"])
def test_random_values(value: str) -> None:
    assert looks_random(value)
    assert not is_path("/" + value + "7Qx")


@pytest.mark.parametrize(
    "value",
    [
        "0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d",
        "550e8400-e29b-41d4-a716-446655440000",
        "sha512-aB3dE5fG7hI9jK1lM3nO",
        "some_long_identifier_2024_name",
        "Ed25519PrivateKey",
        "claude-sonnet-4-20250101",
        "short1A",
    ],
)
def test_values_that_only_look_long(value: str) -> None:
    assert not looks_random(value)


def test_paths_code_and_chosen_words() -> None:
    assert all(map(is_path, ["/run/secrets/x", "~/.ssh/id_rsa", "./key.pem", "a/b/c", "C:\\keys\\x", "creds.json"]))
    assert all(map(is_code, ["get_token()", "tokens[0]", "a.b(c", "Optional[str]"]))
    assert all(map(looks_chosen, ["hunter2", "hunter2abc!9", "p@ssword"]))
    assert not any(map(looks_chosen, ["hashed", "256-bit", "v2.1.0", "base64-encoded", "sha256", "https://x.example/1", "a1"]))
