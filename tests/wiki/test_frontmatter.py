"""Frontmatter is edited by one line and is otherwise byte for byte what it was."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.wiki.errors import PageBroken
from lith.wiki.frontmatter import add_line, load_yaml, quote, read_front

FORMS = [
    "---\ntype: concept\n---\nbody",
    "\ufeff---\r\ntype: concept\r\n---\r\nbody\r\n",
    "---\ntitle: |\n  a\n  ---\n  b\n---\nbody",
    "---\ntitle: >+\n  a\n\n\n---\nbody",
    "---\n  title: indented\n  type: x\n---\nbody",
    "---\ntype: x\n...\nbody",
    "---\ntype: x\n---",
    "---\n# only a comment\n---\nbody",
    "---\n---\nbody",
    "---\ntype: x # why\n\n---\n\n\nbody\n---\nx: y\n---\n",
    "---\nrelated:\n  - a\n  - b\n---\nbody",
    "---\ntitle: two\n  lines\n---\nbody",
]


@pytest.mark.parametrize("text", FORMS)
def test_one_line_is_added(text: str) -> None:
    data = text.encode()
    edited = add_line(data, "address", "c-000042")
    before, after = read_front(data), read_front(edited)
    assert after.values == {**before.values, "address": "c-000042"}
    assert edited[after.body :] == data[before.body :]
    lines, new = data.splitlines(keepends=True), edited.splitlines(keepends=True)
    added = [line for line in new if b"address:" in line]
    assert len(added) == 1
    new.remove(added[0])
    assert new == lines


@pytest.mark.parametrize("text", ["just text\n", "\ufeffjust text", "", "text\r\nmore\r\n", "----\n", "hello\n---\na: b\n---\n"])
def test_a_page_without_a_block_gets_one(text: str) -> None:
    data = text.encode()
    edited = add_line(data, "address", "c-000001")
    front = read_front(edited)
    assert front.values == {"address": "c-000001"}
    assert edited[front.body :] == data.removeprefix(b"\xef\xbb\xbf")
    assert edited.startswith(b"\xef\xbb\xbf") == data.startswith(b"\xef\xbb\xbf")


@pytest.mark.parametrize(
    "text", ["---\na: [1\n---\n", "---\na: 1\na: 2\n---\n", "---\n{a: 1}\n---\n", "---\n- a\n---\n", "---\naddress: c-1\n---\n"]
)
def test_what_cannot_be_edited_is_refused(text: str) -> None:
    with pytest.raises(PageBroken):
        add_line(text.encode(), "address", "c-000001")


def test_expanding_aliases_are_bounded() -> None:
    laughs = 'a: &a ["x","x","x","x","x","x","x","x","x","x"]\n' + "".join(
        f"{key}: &{key} [*{last},*{last},*{last},*{last},*{last},*{last},*{last},*{last},*{last},*{last}]\n"
        for last, key in zip("abcdefgh", "bcdefghi", strict=True)
    )
    problems: list[object] = []
    assert load_yaml(laughs, problems) == {}  # type: ignore[arg-type]
    assert len(problems) == 1


@pytest.mark.parametrize(
    "yaml",
    [
        "a: " + "[" * 5000,
        "- " * 100_000 + "a",
        "? " * 50_000 + "a",
        "a: &x [*x]",
        "? [a]\n: b",
        "&a a: *a\n? *a",
        "%YAML 9.9\n",
        "\0",
    ],
)
def test_hostile_yaml_is_a_problem(yaml: str) -> None:
    front = read_front(b"---\n" + yaml.encode() + b"\n---\nbody")
    assert front.broken


def test_anchors_within_bounds_have_yaml_meaning() -> None:
    assert read_front(b"---\na: &x one\nb: *x\n---\n").values == {"a": "one", "b": "one"}


def test_an_unclosed_block_is_a_problem_and_a_rule_is_not() -> None:
    assert [p.rule for p in read_front(b"---\ntype: x\nbody").problems] == ["broken-frontmatter"]
    assert read_front(b"---\n\nafter a rule\n").problems == []


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=40))
def test_quoted_text_comes_back(text: str) -> None:
    text = text.encode("utf-8", "ignore").decode()
    problems: list[object] = []
    loaded = load_yaml(f"key: {quote(text)}", problems)  # type: ignore[arg-type]
    assert (loaded, problems) == ({"key": text}, [])


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab:-# \n\"'[]{}&*|>.é\t\r", max_size=60), st.text(alphabet="ab-\n\r", max_size=20))
def test_an_edit_changes_nothing_else(block: str, body: str) -> None:
    data = f"---\n{block}\n---\n{body}".encode()
    try:
        edited = add_line(data, "address", "c-000042")
    except PageBroken:
        return
    before, after = read_front(data), read_front(edited)
    assert after.values == {**before.values, "address": "c-000042"}
    assert edited[after.body :] == data[before.body :]
    assert len(edited) > len(data)


def test_names_are_kept_apart_from_paths(tmp_path: Path) -> None:
    # `address` inside a block scalar or a nested mapping is not the key.
    data = b"---\nnote: |\n  address: c-000009\nmeta:\n  address: c-000008\n---\n"
    assert read_front(add_line(data, "address", "c-000042")).values["address"] == "c-000042"
