"""The line reader: exact spans, cursors, torn tails, and reading in pieces as reading at once."""

import io
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel.jsonl import Huge, Line, LineReader, Span, iter_decoded, iter_spans, split_line

BLANK = b" \t\r\n"
BOM = b"\xef\xbb\xbf"

json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.text(max_size=8)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
objects = st.dictionaries(st.sampled_from(["type", "uuid", "a", "{"]) | st.text(max_size=3), json_values, max_size=3).map(
    lambda value: json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")
)
scraps = st.sampled_from(
    [
        b"\n",
        b"\n",
        b"\r\n",
        b" ",
        b"\t",
        b"\0\0",
        b"{",
        b"}",
        b'{"',
        b'"',
        b"[",
        b"]",
        b",",
        b"null\n",
        b"12\n",
        b"\\",
        b"\\ud800",
        BOM,
        b"\xff",
    ]
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    """Objects, pieces of objects and scraps in any order."""
    parts: list[bytes] = []
    for _ in range(draw(st.integers(0, 8))):
        part = draw(objects | scraps | st.binary(max_size=4))
        if draw(st.integers(0, 3)) == 0:
            part = part[: draw(st.integers(0, len(part)))]
        parts += [part, draw(st.sampled_from([b"", b"\n", b"\n"]))]
    return b"".join(parts)


def read_all(data: bytes, **options: Any) -> tuple[list[tuple[Span, bytes, Any]], LineReader]:
    reader = LineReader(io.BytesIO(data), **options)
    return list(iter_decoded(reader)), reader


def spans_of(data: bytes, **options: Any) -> list[Span]:
    return [span for span, _, _ in read_all(data, **options)[0]]


def assert_covers(data: bytes, spans: list[Span]) -> None:
    """Spans are in order and disjoint, gaps are white space (or the byte order mark), and together they are the file."""
    rebuilt, position = b"", 0
    for span in spans:
        assert span.offset >= position
        assert span.length > 0
        gap = data[position : span.offset]
        assert not (gap.removeprefix(BOM) if position == 0 else gap).strip(BLANK)
        assert span.line == data[: span.offset].count(b"\n") + 1
        rebuilt += gap + data[span.offset : span.offset + span.length]
        position = span.offset + span.length
    rest = data[position:]
    assert not (rest.removeprefix(BOM) if position == 0 else rest).strip(BLANK)
    assert rebuilt + rest == data


def test_a_line_is_an_object_with_its_exact_place() -> None:
    data = b'{"a":1}\n\n  {"b":2} \r\n{"c":3}\n'
    found, reader = read_all(data)
    assert [(span.kind, span.line, span.offset, span.length) for span, _, _ in found] == [
        ("object", 1, 0, 7),
        ("object", 3, 11, 7),
        ("object", 4, 21, 7),
    ]
    assert [value for _, _, value in found] == [{"a": 1}, {"b": 2}, {"c": 3}]
    assert [text for _, text, _ in found] == [b'{"a":1}', b'{"b":2}', b'{"c":3}']
    assert (reader.cursor, reader.line, reader.pending, reader.bytes_read) == (len(data), 5, 0, len(data))


def test_lines_are_handed_out_undecoded() -> None:
    assert list(LineReader(io.BytesIO(b'{"a":\n [1] \n'))) == [Line(b'{"a":', 0, 1), Line(b"[1]", 7, 2)]


def test_the_cursor_stands_after_the_line_just_given() -> None:
    reader = LineReader(io.BytesIO(b'{"a":1}\r\n\n{"b":2}\n'))
    assert [(item.offset, reader.cursor, reader.line) for item in reader if isinstance(item, Line)] == [(0, 9, 2), (10, 18, 4)]


@pytest.mark.parametrize(
    "value", [b"null", b"12", b"-0.5e3", b'"text"', b"[1,[2]]", b"true", b'[{"a":1}]', b'"\\ud800"', b"[" * 5000 + b"]" * 5000]
)
def test_a_whole_document_that_is_no_object_is_a_value(value: bytes) -> None:
    assert split_line(b" " + value + b"\r", 100, 7) == [Span("value", 7, 101, len(value))]


def test_line_separators_inside_strings_do_not_end_a_line() -> None:
    data = '{"a":"x\u2028y\u2029z\x85"}\n'.encode()
    assert [value for _, _, value in read_all(data)[0]] == [{"a": "x\u2028y\u2029z\x85"}]


def test_byte_order_mark_at_the_start_of_a_file_is_a_gap() -> None:
    data = BOM + b'{"a":1}\n' + BOM + b'{"b":2}\n'
    assert spans_of(data) == [Span("object", 1, 3, 7), Span("damage", 2, 11, 3, "garbage"), Span("object", 2, 14, 7)]
    assert spans_of(data, chunk=1) == spans_of(data, max_line=2) == spans_of(data)
    assert_covers(data, spans_of(data))


def test_zero_bytes_are_damage_around_whole_objects() -> None:
    assert spans_of(b'\0\0\0{"a":1}\0\n\0\n') == [
        Span("damage", 1, 0, 3, "nul"),
        Span("object", 1, 3, 7),
        Span("damage", 1, 10, 1, "nul"),
        Span("damage", 2, 12, 1, "nul"),
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (b'{"a":"x\xffy"}', {"a": "x\ufffdy"}),
        (b'{"a":"\\ud800"}', {"a": "\ufffd"}),
        (b'{"a":"\\udc00\\ud83d\\ude00"}', {"a": "\ufffd\U0001f600"}),
        (b'{"\xed\xa0\x80":1}', {"\ufffd\ufffd\ufffd": 1}),
        (b'{"a":36893488147419103232}', {"a": 2**65}),
        (b'{"a":1e999,"b":1}', {"a": None, "b": 1}),
    ],
)
def test_an_odd_object_is_one_span_and_is_decoded_as_far_as_it_can_be(text: bytes, value: object) -> None:
    found, _ = read_all(text + b"\n")
    assert found == [(Span("object", 1, 0, len(text)), text, value)]


@pytest.mark.parametrize("depth", [900, 5_000, 100_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"k":', b"}"), (b'{"k":[1,', b"]}")])
def test_deep_nesting_is_one_object(depth: int, opening: bytes, closing: bytes) -> None:
    text = b'{"type":"deep","x":' + opening * depth + b"0" + closing * depth + b',"z":1}'
    found, _ = read_all(text + b'\n{"b":2}\n')
    assert [span for span, _, _ in found] == [Span("object", 1, 0, len(text)), Span("object", 2, len(text) + 1, 7)]
    assert found[0][2]["type"] == "deep"
    assert found[0][2]["z"] == 1


def test_a_torn_tail_is_pending_and_not_damage() -> None:
    found, reader = read_all(b'{"a":1}\n{"b":')
    assert [span for span, _, _ in found] == [Span("object", 1, 0, 7)]
    assert (reader.cursor, reader.line, reader.pending) == (8, 2, 5)


def test_a_whole_tail_is_given_but_stays_before_the_cursor() -> None:
    reader = LineReader(io.BytesIO(b'{"a":1}\n {"b":2}'))
    assert list(reader) == [Line(b'{"a":1}', 0, 1), Line(b'{"b":2}', 9, 2, tail=True)]
    assert (reader.cursor, reader.line, reader.pending) == (8, 2, 8)


def test_a_tail_gives_its_whole_objects_and_keeps_the_rest_pending() -> None:
    reader = LineReader(io.BytesIO(b'{"to{"b":2}{"c":3}{"type":{"x":1}'))
    (item,) = reader
    assert item == Line(b'{"to{"b":2}{"c":3}', 0, 1, tail=True)
    assert (reader.cursor, reader.pending) == (0, 33)


@pytest.mark.parametrize("tail", [b"1", b"12", b"null", b"[1]", b'"x"', b"tru", b"garbage", b"\0", b"{", BOM, b"\xef\xbb", b"  "])
def test_a_tail_without_an_object_gives_nothing_until_it_is_final(tail: bytes) -> None:
    found, reader = read_all(tail)
    assert (found, reader.cursor, reader.pending) == ([], 0, len(tail))
    found, reader = read_all(tail, final=True)
    assert (reader.cursor, reader.line, reader.pending) == (len(tail), 2, 0)
    assert_covers(tail, [span for span, _, _ in found])


def test_end_hides_what_follows() -> None:
    data = b'{"a":1}\n{"b":2}\n{"c":3}\n'
    found, reader = read_all(data, end=12)
    assert [span.offset for span, _, _ in found] == [0]
    assert (reader.cursor, reader.pending, reader.bytes_read) == (8, 4, 12)
    assert spans_of(data, offset=8, line=2, end=16) == [Span("object", 2, 8, 7)]


def test_reading_seeks_to_its_offset_first() -> None:
    source = io.BytesIO(b'{"a":1}\n{"b":2}\n')
    source.read(3)
    assert [span.offset for span, _, _ in iter_spans(source)] == [0, 8]
    assert [span.offset for span, _, _ in iter_spans(source, offset=8, line=2)] == [8]


SMALL = (
    BOM
    + b'{"a":"\\ud83d\\ude00","n":[1,{"b":null}]}\r\n\n{"a":1}{"b":"\xc3\xa9{"} \n{"to{"type":"x","m":{"r":1}}\nnull\nxx{"c":3}yy\n\0{"d":4}\n'
)


@pytest.mark.parametrize("max_line", [1, 9, 1000])
def test_every_prefix_gives_what_is_complete_and_can_be_continued(max_line: int) -> None:
    whole = spans_of(SMALL, max_line=max_line)
    assert_covers(SMALL, whole)
    for cut in range(len(SMALL) + 1):
        prefix, reader = read_all(SMALL[:cut], max_line=max_line)
        end = SMALL.rfind(b"\n", 0, cut) + 1
        assert (reader.cursor, reader.line, reader.pending) == (end, SMALL[:end].count(b"\n") + 1, cut - end)
        before = [span for span, _, _ in prefix if span.offset < reader.cursor]
        after = [span for span, _, _ in prefix if span.offset >= reader.cursor]
        rest = spans_of(SMALL, offset=reader.cursor, line=reader.line, max_line=max_line)
        assert before + rest == whole
        assert {span for span in after if span.kind == "object"} <= set(whole)


@settings(max_examples=100, deadline=None)
@given(files(), st.integers(1, 9))
def test_any_bytes_are_covered_however_they_arrive(data: bytes, chunk: int) -> None:
    found, reader = read_all(data, final=True)
    spans = [span for span, _, _ in found]
    assert_covers(data, spans)
    assert reader.cursor == len(data)
    assert spans_of(data, final=True, chunk=chunk) == spans
    for span, text, value in found:
        assert text == data[span.offset : span.offset + span.length]
        assert isinstance(value, dict) == (span.kind == "object")


@settings(max_examples=100, deadline=None)
@given(files(), st.data())
def test_reading_in_two_steps_equals_reading_at_once(data: bytes, draw: st.DataObject) -> None:
    cut = draw.draw(st.integers(0, len(data)))
    first, reader = read_all(data[:cut])
    rest = spans_of(data, offset=reader.cursor, line=reader.line, final=True)
    assert [span for span, _, _ in first if span.offset < reader.cursor] + rest == spans_of(data, final=True)


@settings(max_examples=60, deadline=None)
@given(st.lists(objects, max_size=6), st.lists(st.sampled_from([b"", b" ", b"\n", b"\r\n"]), min_size=6, max_size=6))
def test_whole_objects_are_all_found_and_equal(texts: list[bytes], ends: list[bytes]) -> None:
    data = b"".join(text + end for text, end in zip(texts, ends, strict=False)) + b"\n"
    found, _ = read_all(data)
    assert [(span.kind, text) for span, text, _ in found] == [("object", text) for text in texts]
    assert [value for _, _, value in found] == [msgspec.json.decode(text) for text in texts]


def test_lines_above_the_limit_come_as_their_own_kind(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(b'{"a":1}\n{"long":"' + b"x" * 100 + b'"}\n{"b":2}\n')
    with path.open("rb") as file:
        kinds = [(type(item), reader.line) for reader in [LineReader(file, max_line=50)] for item in reader]
    assert kinds == [(Line, 2), (Huge, 2), (Line, 4)]
