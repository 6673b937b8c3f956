"""The one writer: JSON for programs, clean text for people, bytes as they are."""

import io
import os
import time
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lith.faces.cli.output import Output, bold, clean


class Screen(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


class Answer(msgspec.Struct):
    text: str
    nothing: str | None = None
    inner: list[dict[str, str | None]] = []


def make(stream: io.TextIOWrapper, **environment: str) -> Output:
    return Output(started=time.perf_counter(), environment=environment, stdout=stream, stderr=io.TextIOWrapper(io.BytesIO()))


def written(stream: io.TextIOWrapper) -> bytes:
    stream.flush()
    stream.seek(0)
    return bytes(stream.buffer.read())


def test_an_object_is_one_line_and_absent_values_are_left_out() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    make(stream).object(Answer("línea\n二", inner=[{"a": None, "b": "c"}]))
    data = written(stream)
    assert data.count(b"\n") == 1
    answer = msgspec.json.decode(data)
    assert list(answer)[:2] == ["schema_version", "elapsed_ms"]
    assert answer["text"] == "línea\n二"
    assert "nothing" not in answer
    assert answer["inner"] == [{"b": "c"}]


def test_json_is_utf8_whatever_the_stream_speaks() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    make(stream).object(Answer("日本"))
    assert "日本".encode() in written(stream)


def test_a_file_name_that_is_not_utf8_is_still_json() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    make(stream).object({"path": os.fsdecode(b"/a/\xff"), "rows": ["\ud800"]})
    answer: Any = msgspec.json.decode(written(stream))
    assert answer["path"] == "/a/\\udcff"


@pytest.mark.parametrize("character", ["\x7f", "\x9b", "\x85", "\u061c", "\u202e", "\u2066", "\u2028", "\U000e0041"])
def test_a_terminal_obeyed_characters_in_json(character: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    make(stream).object(Answer(f"é {character} 日", inner=[{character: character}]))
    data = written(stream)
    assert character.encode() not in data
    answer: Any = msgspec.json.decode(data)
    assert answer["text"] == f"é {character} 日"
    assert answer["inner"] == [{character: character}]
    assert "é".encode() in data


def test_what_json_escapes_is_all_that_text_would_lose() -> None:
    for number in (*range(0x80, 0x3000), *range(0xE0000, 0xE0080)):
        stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
        if clean(chr(number)) != chr(number):
            make(stream).object(Answer(chr(number)))
            assert written(stream).isascii(), hex(number)


def test_the_command_that_goes_on_is_the_one_that_was_typed() -> None:
    out = make(io.TextIOWrapper(io.BytesIO()))
    out.argv = ("find", "a b", "--cursor", "1-2-x", "-n", "3", "--cursor=4", "--", "-x")
    assert out.again("--cursor", "NEW", without=("--cursor",)) == "lith find 'a b' -n 3 --cursor NEW -- -x"


def test_text_in_a_stream_that_cannot_show_it_is_escaped() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    make(stream).line("naïve 日")
    assert written(stream) == b"na\\xefve \\u65e5\n"


@pytest.mark.parametrize(
    ("environment", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_a_terminal_that_wants_it(environment: dict[str, str], coloured: bool) -> None:
    stream = Screen(io.BytesIO(), encoding="utf-8")
    make(stream, **environment).line(bold("x"), "y")
    assert (b"\x1b[" in written(stream)) is coloured


def test_no_colour_in_a_pipe() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    make(stream).line(bold("x"), "y")
    assert written(stream) == b"xy\n"


@given(st.text(max_size=60))
def test_no_text_can_drive_the_terminal(text: str) -> None:
    stream = Screen(io.BytesIO(), encoding="utf-8")
    make(stream, NO_COLOR="1").line("before ", text, " after")
    shown = written(stream).decode("utf-8", "replace")
    assert "\x1b" not in shown
    assert "\x9b" not in shown
    assert "\r" not in shown
    assert shown.startswith("before ")


def test_quiet_silences_notes_and_not_complaints() -> None:
    err = io.TextIOWrapper(io.BytesIO())
    out = Output(started=0.0, environment={}, stdout=io.TextIOWrapper(io.BytesIO()), stderr=err)
    out.quiet = True
    out.note("a note")
    out.complain("a complaint")
    assert written(err) == b"a complaint\n"


def test_raw_bytes_follow_the_text_before_them() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    out = make(stream)
    out.line("text")
    out.raw(b"\x00\xff\r\n")
    assert written(stream) == b"text\n\x00\xff\r\n"
