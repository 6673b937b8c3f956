"""Lines too long to hold: exact spans and digests, documents with strings cut, bounded memory."""

import hashlib
import io
import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel import jsonl_skeleton
from lith.kernel.jsonl import Huge, LineReader, Span, split_line
from lith.kernel.jsonl_skeleton import LONG_STRING, Skeleton, whole_prefix

PROBE = """
import resource, sys, msgspec
from lith.kernel.jsonl import Huge, LineReader
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
with open(sys.argv[1], "rb", buffering=0) as file:
    items = [(i.span, len(i.data), i.sha256.hex()) if isinstance(i, Huge) else i.data.decode() for i in LineReader(file)]
print(msgspec.json.encode([(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * (1 if sys.platform == "linux" else 1 / 1024), items]).decode())
"""


def read_huge(data: bytes, *, chunk: int = 1 << 20, final: bool = True) -> list[Huge]:
    items = list(LineReader(io.BytesIO(data), max_line=4, chunk=chunk, final=final))
    assert all(isinstance(item, Huge) for item in items)
    return [item for item in items if isinstance(item, Huge)]


def test_an_object_comes_with_its_digest_and_an_equal_document() -> None:
    text = b'{"type":"x", "n":[1,2,{"a":"\\u00e9"}], "e":{}}'
    (item,) = read_huge(b"  " + text + b" \r\n")
    assert item == Huge(Span("object", 1, 2, len(text)), text, hashlib.sha256(text).digest())


def test_several_objects_and_damage_on_one_huge_line() -> None:
    data = b'{"a":1}{"torn{"type":"x"}\0{"b":2},\n{"next":1}\n'
    found = read_huge(data)
    assert [item.span for item in found] == [
        Span("object", 1, 0, 7),
        Span("damage", 1, 7, 6, "torn"),
        Span("object", 1, 13, 12),
        Span("damage", 1, 25, 1, "nul"),
        Span("object", 1, 26, 7),
        Span("damage", 1, 33, 1, "garbage"),
        Span("object", 2, 35, 10),
    ]
    for item in found:
        text = data[item.span.offset : item.span.offset + item.span.length]
        assert item.data == (b"" if item.span.kind == "damage" else text)
        assert item.sha256 == (b"" if item.span.kind == "damage" else hashlib.sha256(text).digest())


def test_long_strings_are_cut_and_counted() -> None:
    long = "é" * LONG_STRING
    text = json.dumps({"a": long, "b": "short", long: 1}, ensure_ascii=False).encode()
    (item,) = read_huge(text + b"\n", chunk=1000)
    assert (item.span.length, item.strings_cut) == (len(text), 2)
    assert item.sha256 == hashlib.sha256(text).digest()
    value = msgspec.json.decode(item.data)
    assert list(value) == ["a", "b", list(value)[2]]
    assert value["b"] == "short"
    assert long.startswith(value["a"])
    assert LONG_STRING - 4 <= len(item.data[5 : item.data.index(b'", "b"')]) <= LONG_STRING


def test_an_object_whose_skeleton_is_too_large_is_oversized_with_its_exact_span() -> None:
    text = b'{"n":[' + b"1," * (jsonl_skeleton.MAX_SKELETON // 2) + b"1]}"
    found = read_huge(text + b'{"b":2}\n')
    assert [item.span for item in found] == [Span("damage", 1, 0, len(text), "oversized"), Span("object", 1, len(text), 7)]


def test_a_number_or_a_nest_beyond_all_bounds_is_oversized() -> None:
    for text in (b'{"a":' + b"9" * (2 << 20) + b"}", b'{"a":' + b"[" * 1_000_001 + b"]" * 1_000_001 + b"}"):
        assert [item.span for item in read_huge(text + b"\n")] == [Span("damage", 1, 0, len(text), "oversized")]


@pytest.mark.parametrize("value", [b"[1,2,3]", b'"some text"', b'[{"a":1}, "x"]'])
def test_a_huge_line_that_is_no_object_is_a_value(value: bytes) -> None:
    (item,) = read_huge(value + b"\n")
    assert item == Huge(Span("value", 1, 0, len(value)), value, hashlib.sha256(value).digest())
    assert [item.span.kind for item in read_huge(value + b"x\n")] == ["damage"]


def test_a_huge_tail_is_pending() -> None:
    reader = LineReader(io.BytesIO(b'{"a":1}\n{"long":"' + b"x" * 50), max_line=10)
    assert [getattr(item, "offset", None) for item in reader] == [0]
    assert (reader.cursor, reader.line, reader.pending) == (8, 2, 59)
    reader = LineReader(io.BytesIO(b'{"long":"' + b"x" * 50 + b'"}'), max_line=10)
    assert [item.span for item in reader if isinstance(item, Huge)] == [Span("object", 1, 0, 61)]
    assert (reader.cursor, reader.line, reader.pending) == (0, 1, 61)


fragments = st.sampled_from(
    [
        b'{"type":"x","m":{"r":[1,{"t":"\\n"}]}}',
        b'{"a":1}',
        b'{"a":"{',
        b'{"',
        b"\\",
        b'"',
        b"}",
        b"]",
        b"[",
        b",",
        b" ",
        b"\0",
        b"1.5e",
        b"\xff",
        b"{}",
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.lists(fragments, max_size=8), st.integers(1, 7))
def test_a_streamed_line_reads_the_same_in_any_pieces(parts: list[bytes], chunk: int) -> None:
    data = b'{"pad":1}' + b"".join(parts) + b"\n"
    found = read_huge(data, chunk=chunk)
    assert found == read_huge(data)
    held = {span for span in split_line(data[:-1], 0, 1) if span.kind == "object"}
    for item in found:
        if item.span.kind == "object":
            assert item.data == data[item.span.offset : item.span.offset + item.span.length]
            assert item.span in held


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=30), st.booleans(), st.integers(1, 60))
def test_a_string_is_cut_between_characters_and_escapes(text: str, ascii_only: bool, size: int) -> None:
    body = json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=ascii_only).encode()[1:-1]
    kept = whole_prefix(body[:size])
    assert len(kept) > min(size, len(body)) - 12
    assert msgspec.json.decode(b'"' + body + b'"').startswith(msgspec.json.decode(b'"' + kept + b'"'))


def test_cutting_keeps_escaped_backslashes_before_text_that_looks_like_a_surrogate() -> None:
    assert whole_prefix(b"x\\\\ud83d") == b"x\\\\ud83d"
    assert whole_prefix(b"x\\\\\\ud83d") == b"x\\\\"


def test_a_skeleton_cuts_shorter_when_it_fills() -> None:
    skeleton = Skeleton(limit=1000)
    skeleton.feed(b'["')
    assert skeleton.cut == LONG_STRING
    skeleton.feed(b"x" * 600)
    assert skeleton.cut < LONG_STRING
    skeleton.feed(b"x" * 600)
    assert skeleton.overflow
    assert skeleton.document() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="no resource usage there")
@pytest.mark.parametrize("unit", [b"0123456789abcdef" * 4096, b"line \\n \\ud83d\\ude00 " * 3000])
def test_a_line_of_100_mb_costs_little_memory(tmp_path: Path, unit: bytes) -> None:
    path = tmp_path / "huge.jsonl"
    digest = hashlib.sha256()
    length = 0
    with path.open("wb") as file:
        file.write(b'{"a":1}\n')
        pieces = [b'{"type":"user","text":"', *[unit] * (100_000_000 // len(unit) + 1), b'","z":1}']
        for piece in pieces:
            digest.update(piece)
            length += file.write(piece)
        file.write(b'\n{"b":2}\n')
    done = subprocess.run([sys.executable, "-c", PROBE, str(path)], capture_output=True, text=True, check=True, timeout=60)
    path.unlink()
    grown_kib, items = json.loads(done.stdout)
    assert length >= 100_000_000
    assert items[0] == '{"a":1}'
    assert items[1][0] == ["object", 2, 8, length, None]
    assert items[1][1] <= LONG_STRING + 100
    assert items[1][2] == digest.hexdigest()
    assert items[2] == '{"b":2}'
    assert grown_kib < 40 * 1024
