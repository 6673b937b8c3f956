"""The structural scanner agrees with the decoder about what is JSON, and says where it breaks."""

import json
import re

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel.jsonl_scan import Scanner

raw = msgspec.json.Decoder(msgspec.Raw)
json_texts = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=10,
).flatmap(lambda value: st.sampled_from([json.dumps(value), json.dumps(value, ensure_ascii=False), json.dumps(value, indent=1)]))


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A JSON text with a few bytes replaced, inserted or taken out."""
    text = bytearray(draw(json_texts).encode("utf-8", "replace"))
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 2)))
        text[start:end] = draw(
            st.sampled_from(
                [
                    b"",
                    b",",
                    b'"',
                    b"{",
                    b"}",
                    b"[",
                    b"]",
                    b":",
                    b"0",
                    b"-",
                    b".",
                    b"e1",
                    b"\\",
                    b"\\u12",
                    b" ",
                    b"t",
                    b"\0",
                    b"\xff",
                ]
            )
        )
    return bytes(text)


def accepts(data: bytes, size: int = 0) -> bool:
    pieces = iter([data[start : start + size] for start in range(0, len(data), size)]) if size else None
    scanner = Scanner(b"", 0, lambda: next(pieces, b"")) if pieces else Scanner(data, 0)
    return scanner.peek() >= 0 and scanner.scan() and scanner.peek() < 0


def decodes(data: bytes) -> bool:
    try:
        raw.decode(data)
    except msgspec.DecodeError:
        return False
    return True


@settings(max_examples=300, deadline=None)
@given(mutated(), st.integers(1, 6))
def test_scanner_and_decoder_agree(data: bytes, size: int) -> None:
    if not re.search(rb"\\u[dD][89a-fA-F]", data):
        assert accepts(data) == decodes(data)
    assert accepts(data, size) == accepts(data)


@pytest.mark.parametrize(
    ("text", "position", "at_end"),
    [
        (b'{"a":1', 6, True),
        (b'{"a":', 5, True),
        (b'{"a', 3, True),
        (b'{"a\\u12', 3, True),
        (b'{"a":tr', 7, True),
        (b'{"a":trux}', 8, False),
        (b'{"a":01}', 6, False),
        (b'{"a":-}', 6, False),
        (b'{"a" 1}', 5, False),
        (b'{"a":1,}', 7, False),
        (b"[1,]", 3, False),
        (b"[1 2]", 3, False),
        (b"[[1}", 3, False),
        (b'{"a":[{"b":1}}', 13, False),
        (b'{"a":"x\\q"}', 7, False),
        (b'{"a":"x\x01"}', 7, False),
        (b"{1:2}", 1, False),
        (b"{,", 1, False),
    ],
)
def test_an_error_has_its_place(text: bytes, position: int, at_end: bool) -> None:
    scanner = Scanner(text, 1000)
    assert not scanner.scan()
    assert scanner.at_end == at_end
    assert scanner.tell() == 1000 + position - (text == b'{"a":-}')


def test_strings_longer_than_a_window_are_scanned_through() -> None:
    long = b"x" * 70_000 + b"\\n" * 70_000 + b"\\u00e9\xc3\xa9"
    text = b'{"' + long + b'":"' + long + b'","b":["' + long + b'",1,{}]}'
    assert accepts(text)
    assert accepts(text, 1013)
    assert not accepts(text[:-3])


def test_depth_does_not_cost_stack() -> None:
    assert accepts(b"[" * 300_000 + b"]" * 300_000)
    assert accepts(b'{"a":[' * 100_000 + b"]}" * 100_000)
    assert not accepts(b"[" * 300_000 + b"]" * 299_999 + b"}")


def test_the_last_object_of_a_depth_is_watched() -> None:
    text = b'{"a":{"b":{}},"c":{"d":1}'
    scanner = Scanner(text, 0)
    assert not scanner.scan(watch_depth=1)
    assert scanner.watched == text.index(b'{"d"')
    assert (scanner.settled, bytes(scanner.stack)) == (True, b"}")
