"""Whole objects among fragments: which are found, which are parts of a broken one, and at what cost."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel import jsonl_resync
from lith.kernel.jsonl import Span, split_line
from lith.kernel.jsonl_resync import Splitter
from lith.kernel.jsonl_scan import Scanner

ONE = b'{"type":"user","message":{"role":"user","content":[{"type":"text","text":"a {\\"b\\": 1} c {"}]},"uuid":"u1"}'
TWO = b'{"type":"assistant","message":{"role":"assistant","usage":{"in":1,"out":{"n":2}}},"uuid":"u2"}'


def objects(data: bytes) -> list[bytes]:
    return [data[span.offset : span.offset + span.length] for span in split_line(data, 0, 1) if span.kind == "object"]


def split_counting(data: bytes) -> tuple[list[Span], Scanner]:
    scanner = Scanner(data, 0)
    return [span for span, _ in Splitter(scanner, 1, is_tail=lambda: False)], scanner


@pytest.mark.parametrize("cut", range(1, len(ONE)))
def test_a_fragment_cut_anywhere_costs_only_itself(cut: int) -> None:
    length = len(ONE[:cut].rstrip())
    assert split_line(ONE[:cut] + TWO, 0, 1) == [Span("damage", 1, 0, length, "torn"), Span("object", 1, cut, len(TWO))]
    assert split_line(ONE[:cut], 50, 3) == [Span("damage", 3, 50, length, "torn")]
    assert objects(TWO + ONE[:cut] + TWO + ONE + b" ") == [TWO, TWO, ONE]
    assert objects(ONE[:cut] + ONE[:cut] + TWO)[-1] == TWO


@pytest.mark.parametrize("cut", range(1, len(ONE)))
def test_what_a_broken_object_holds_is_not_given_for_a_record(cut: int) -> None:
    for scrap in (b"\0", b"\x01\x02"):
        assert objects(ONE[:cut] + scrap + ONE[cut + 1 :]) in ([], [ONE[:cut] + scrap + ONE[cut + 1 :]])


def test_the_end_of_a_broken_object_is_damage() -> None:
    assert objects(ONE[60:] + TWO) == [TWO]
    assert objects(b'ext","x":{"a":1},"y":[{"b":2}]}' + TWO) == [TWO]


@pytest.mark.parametrize(
    ("data", "kinds"),
    [
        (b'xx{"a":1}yy{"b":2}zz', "damage object damage object damage"),
        (b'{"a":1},{"b":2},{"c":3}', "object damage object damage object"),
        (b'[{"a":1},{"b":2}', "damage object damage object"),
        (b'{"a":1}}{"b":2}', "object damage object"),
        (b'{"a":1} \t {"b":2}', "object object"),
        (b"{}{}", "object object"),
        (b'{ "a" : 1 }{ "b":"x{ "c" : 2 }', "object damage object"),
        (b'{"a":"\\ud800"}{"b":"\xff"}', "object object"),
        (b'{"a":"\\u00{"b":1}', "damage object"),
        (b'{"a":"x\\{"b":1}', "damage object"),
        (b'{"a":tr{"b":1}', "damage object"),
        (b'{"a":-{"b":1}', "damage object"),
        (b"1 2", "damage"),
        (b"null{}", "damage object"),
        (b"{", "damage"),
        (b'"text {', "damage"),
    ],
)
def test_order_of_spans(data: bytes, kinds: str) -> None:
    assert [span.kind for span in split_line(data, 0, 1)] == kinds.split()


def test_damage_ends_before_the_white_space_around_it() -> None:
    assert split_line(b'  xx  {"a":1}  yy \r', 10, 1) == [
        Span("damage", 1, 12, 2, "garbage"),
        Span("object", 1, 16, 7),
        Span("damage", 1, 25, 2, "garbage"),
    ]


def test_a_swallowed_record_is_known_by_the_keys_it_repeats() -> None:
    assert objects(b'{"type":"a","message":' + TWO) == [TWO]
    assert objects(b'{"type":"a","message":' + TWO + ONE) == [TWO, ONE]
    assert objects(b'{"type":"a","body":{"role":"user"}') == []
    assert objects(b'{"type":"a","id":"1","body":{"type":"text","id":"2"}') == []
    assert objects(b'{"type":"a","x":[[' * 2 + TWO) == []


def test_an_unfinished_line_gives_no_part_of_its_last_object() -> None:
    assert split_line(b'{"type":"a","message":' + TWO, 0, 1, tail=True) == []
    assert split_line(ONE + b'{"type":"a","message":' + TWO, 0, 1, tail=True) == [Span("object", 1, 0, len(ONE))]


def test_100_000_objects_on_one_line_take_one_attempt_each() -> None:
    data = b"".join(b'{"n":%d}' % number for number in range(100_000))
    spans, scanner = split_counting(data)
    assert len(spans) == scanner.attempts == 100_000
    assert scanner.wasted == 0
    assert sum(span.length for span in spans) == len(data)


@pytest.mark.parametrize(
    "unit",
    [
        b'{"a":"x{"type":"y"}',
        b'{"a":"{x',
        b'{"a":',
        b'{"a":[{"b":1}',
        b'{"',
        b"{",
        b'"',
        b"[{",
        b'{ "',
        b'{"a":{"a":1}',
        b'{"a":"\\',
        b'{"a":"\0',
        b'{"a":1,',
        b"{}x",
        b"{" + b" " * 60 + b'"' + b" " * 60,
    ],
)
def test_work_on_damage_grows_with_the_line(unit: bytes) -> None:
    for count in (500, 5_000):
        data = unit * count
        spans, scanner = split_counting(data)
        assert scanner.wasted <= jsonl_resync.WORK_PER_BYTE * len(data)
        assert scanner.attempts <= len(data) / 2 + 1
        assert spans[-1].offset + spans[-1].length <= len(data)
        assert "budget" not in {span.reason for span in spans}


def test_fragments_between_objects_are_paid_for_by_the_objects() -> None:
    data = b'{"a":"x{"type":"y"}' * 5_000
    spans, _ = split_counting(data)
    assert [span.kind for span in spans] == ["damage", "object"] * 5_000


def test_a_line_that_costs_too_much_is_damage_from_there_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsonl_resync, "WORK_FLOOR", 10 * jsonl_resync.WORK_PER_ATTEMPT)
    data = b'{"ok":1}' + b'{"a":"{x' * 1_000 + b'{"b":2}'
    spans, scanner = split_counting(data)
    assert spans == [Span("object", 1, 0, 8), Span("damage", 1, 8, len(data) - 8, "budget")]
    assert scanner.attempts < 30


@settings(max_examples=100, deadline=None)
@given(st.lists(st.sampled_from([ONE, TWO, b'{"k":[]}', b"\0\0", b"?", b'{"a":"torn', b'{"a":[1,{"b":2}']), max_size=8))
def test_every_whole_object_that_was_written_is_found(parts: list[bytes]) -> None:
    written = [part for part in parts if part[-1:] == b"}" and json_is_whole(part)]
    assert objects(b"".join(parts)) == written


def json_is_whole(part: bytes) -> bool:
    try:
        json.loads(part)
    except ValueError:
        return False
    return True
