"""Addresses: how people name a session, a message and a record."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lith.errors import BadSelector, UnknownSource
from lith.records.address import SOURCES, Address, parse_address, session_ref


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("claude_code:575481bc", Address(kind="session", source="claude_code", id="575481bc")),
        ("575481bc", Address(kind="session", id="575481bc")),
        ("codex:575481bc/a34#12", Address(kind="message", source="codex", id="575481bc/a34", seq=12)),
        (" pi:x#0 ", Address(kind="message", source="pi", id="x", seq=0)),
        ("rec:7dca0aad", Address(kind="rec", id="7dca0aad")),
        ("thread:abc", Address(kind="thread", id="abc")),
    ],
)
def test_what_an_address_means(text: str, expected: Address) -> None:
    assert parse_address(text) == expected


@pytest.mark.parametrize("text", ["", "claude_code:", "a b", "rec:x#3", "claude_code:x:y", "#3", "claude_code:x#"])
def test_what_is_no_address_says_how_one_looks(text: str) -> None:
    with pytest.raises(BadSelector) as caught:
        parse_address(text)
    assert caught.value.exit_status == 2


def test_a_source_that_does_not_exist_names_those_that_do() -> None:
    with pytest.raises(UnknownSource) as caught:
        parse_address("clod:575481bc")
    assert all(name in str(caught.value.hint) for name in SOURCES)


@given(st.text(max_size=30))
def test_any_text_is_an_address_or_a_usage_error(text: str) -> None:
    try:
        address = parse_address(text)
    except (BadSelector, UnknownSource):
        return
    assert address.id


@given(st.sampled_from(SOURCES), st.uuids())
def test_a_reference_names_its_session(source: str, native: object) -> None:
    address = parse_address(session_ref(source, str(native)))
    assert (address.source, address.id) == (source, str(native))
