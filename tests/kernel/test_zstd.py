"""Compressed streams: many frames, torn ends, damage in the middle, seeking, bounded reads."""

import hashlib
import io
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel.jsonl import iter_spans
from lith.kernel.zstd import ZstdReader, is_compressed, open_decompressed

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

LINES = [b'{"n":%d,"text":"%s"}\n' % (number, hashlib.sha256(b"%d" % number).hexdigest().encode() * 3) for number in range(40)]
CHECKSUM: dict[int, int] = {zstd.CompressionParameter.checksum_flag: 1}
SKIPPABLE = bytes.fromhex("502a4d18") + (5).to_bytes(4, "little") + b"notes"


def frame(data: bytes, *, flush_each: int = 0, checksum: bool = False) -> bytes:
    """One frame; with `flush_each` a block for every so many bytes, as a program that appends writes it."""
    compressor = zstd.ZstdCompressor(options=CHECKSUM if checksum else None)
    step = flush_each or len(data) or 1
    parts = [
        compressor.compress(data[start : start + step], mode=zstd.ZstdCompressor.FLUSH_BLOCK)
        for start in range(0, len(data), step)
    ]
    return b"".join([*parts, compressor.flush()])


def read_all(compressed: bytes, size: int = 1 << 16) -> tuple[bytes, ZstdReader]:
    reader = ZstdReader(io.BytesIO(compressed))
    return b"".join(iter(lambda: reader.read(size), b"")), reader


def test_frames_are_one_stream() -> None:
    data, reader = read_all(frame(LINES[0]) + SKIPPABLE + frame(b"") + b"".join(frame(line) for line in LINES[1:]))
    assert data == b"".join(LINES)
    assert (reader.torn, reader.damage, reader.tell()) == (False, [], len(data))


@pytest.mark.parametrize("flush_each", [0, 100])
def test_a_stream_torn_anywhere_gives_a_prefix_that_only_grows(flush_each: int) -> None:
    first, last = b"".join(LINES[:3]), b"".join(LINES[3:8])
    start = len(frame(first))
    compressed = frame(first) + frame(last, flush_each=flush_each, checksum=True)
    before = b""
    for cut in range(start, len(compressed) + 1):
        data, reader = read_all(compressed[:cut])
        assert data.startswith(first)
        assert (first + last).startswith(data)
        assert data.startswith(before)
        assert reader.torn == (start < cut < len(compressed))
        assert reader.damage == []
        before = data
    assert before == first + last
    if flush_each:
        assert len(read_all(compressed[:-20])[0]) > len(first) + 300


@pytest.mark.parametrize("cut", [1, 4, 5, 9, 40, 200, 300])
def test_a_frame_torn_in_the_middle_costs_only_its_end(cut: int) -> None:
    broken = frame(b"".join(LINES[:10]), flush_each=150, checksum=True)[:-cut]
    following = frame(b"".join(LINES[10:20])) + frame(LINES[20])
    alone = read_all(broken)[0]
    data, reader = read_all(broken + following)
    assert data.startswith(alone)
    assert data.endswith(b"".join(LINES[10:21]))
    assert len(data) <= len(b"".join(LINES[:21])) + 200
    assert (reader.torn, reader.damage) == (False, [(0, len(broken))])


def test_bytes_that_are_no_frame_are_skipped_and_told() -> None:
    data, reader = read_all(frame(LINES[0]) + b"garbage of some length" + frame(LINES[1]) + b"more garbage")
    assert data == LINES[0] + LINES[1]
    start = len(frame(LINES[0]))
    assert reader.damage == [(start, 22), (start + 22 + len(frame(LINES[1])), 12)]


def test_an_empty_file_is_an_empty_stream() -> None:
    data, reader = read_all(b"")
    assert (data, reader.torn, reader.damage) == (b"", False, [])


def test_a_frame_that_wants_too_much_memory_is_damage() -> None:
    options: dict[int, int] = {zstd.CompressionParameter.window_log: 28, zstd.CompressionParameter.content_size_flag: 0}
    compressor = zstd.ZstdCompressor(options=options)
    greedy = compressor.compress(b"x" * 100) + compressor.flush()
    data, reader = read_all(greedy + frame(b"rest"))
    assert data == b"rest"
    assert reader.damage == [(0, len(greedy))]


def test_a_bomb_is_read_in_pieces() -> None:
    reader = ZstdReader(io.BytesIO(zstd.compress(bytes(200_000_000))))
    assert reader.read(10) == bytes(10)
    assert reader.seek(150_000_000) == 150_000_000
    assert len(reader.read(5_000)) == 5_000
    with pytest.raises(io.UnsupportedOperation):
        reader.read()


def test_seeking_back_starts_over() -> None:
    reader = ZstdReader(io.BytesIO(frame(LINES[0]) + b"garbage" + frame(LINES[1])[:-1]))
    whole = reader.read(10_000)
    assert (reader.torn, len(reader.damage)) == (True, 1)
    assert reader.seek(7) == 7
    assert (reader.torn, reader.damage) == (False, [])
    assert reader.read(10_000) == whole[7:]
    assert (reader.torn, len(reader.damage)) == (True, 1)
    assert reader.seek(99_999) == len(whole)


def test_files_open_by_their_suffix(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.zst"
    plain.write_bytes(LINES[0])
    packed.write_bytes(frame(LINES[0]))
    for path in (plain, packed, packed.rename(tmp_path / "b.jsonl.zstd")):
        if path.exists():
            with open_decompressed(path) as stream:
                assert stream.read(1000) == LINES[0]
                assert stream.tell() == len(LINES[0])
    assert (is_compressed(plain), is_compressed(tmp_path / "b.jsonl.zstd")) == (False, True)


def test_spans_of_a_compressed_file_are_offsets_in_its_text(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl.zstd"
    text = b"".join(LINES)
    path.write_bytes(b"".join(frame(line) for line in LINES)[:-3])
    with open_decompressed(path) as stream:
        spans = [span for span, _, _ in iter_spans(stream, offset=len(LINES[0]), line=2)]
    assert [text[span.offset : span.offset + span.length] + b"\n" for span in spans] == LINES[1 : len(spans) + 1]
    assert len(spans) >= len(LINES) - 2


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_damaged_streams_end_and_read_the_same_in_any_pieces(data: st.DataObject) -> None:
    compressed = bytearray(
        b"".join(frame(line * 3, flush_each=40, checksum=number % 2 == 0) for number, line in enumerate(LINES[:4]))
    )
    for _ in range(data.draw(st.integers(0, 3))):
        start = data.draw(st.integers(0, len(compressed)))
        compressed[start : start + data.draw(st.integers(0, 5))] = data.draw(st.binary(max_size=5))
    text, reader = read_all(bytes(compressed))
    again, other = read_all(bytes(compressed), size=data.draw(st.integers(1, 50)))
    assert (text, reader.torn, reader.damage) == (again, other.torn, other.damage)
    assert all(length > 0 for _, length in reader.damage)
