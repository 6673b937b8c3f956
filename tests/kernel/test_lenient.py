"""Repairing odd documents, and building structs from records with wrong fields."""

import json
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.kernel.lenient import MAX_DEPTH, convert_lenient, decode_lenient, repair_json


class Block(msgspec.Struct, frozen=True):
    kind: str = msgspec.field(default="", name="type")
    text: str | None = None


class Message(msgspec.Struct, frozen=True, rename="camel"):
    role: str = ""
    content_blocks: list[Block] | str = ""
    by_name: dict[str, Block] = {}
    pair: tuple[int, int] = (0, 0)
    numbers: tuple[int, ...] = ()


class Cat(msgspec.Struct, frozen=True, tag_field="type", tag="cat"):
    lives: int = 9


class Dog(msgspec.Struct, frozen=True, tag_field="type", tag="dog"):
    name: str = ""


class Strict(msgspec.Struct, frozen=True):
    needed: int
    other: str = ""


class Checked(msgspec.Struct, frozen=True):
    low: int = 0
    high: int = 0

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


class Node(msgspec.Struct, frozen=True):
    name: str = ""
    children: list["Node"] = []


class Record(msgspec.Struct, frozen=True, rename="camel"):
    parent_uuid: str | None = None
    count: Annotated[int, msgspec.Meta(ge=0)] = 0
    mode: Literal["a", "b"] = "a"
    message: Message | None = None
    raw: msgspec.Raw = msgspec.Raw()
    pet: Cat | Dog | None = None
    strict: Strict | None = None
    checked: Checked = Checked()
    extra: Any = None


def test_what_fits_is_converted_as_it_is() -> None:
    record, dropped = convert_lenient(
        {"parentUuid": "p", "message": {"role": "user", "contentBlocks": "hi"}, "unknown": 1}, Record
    )
    assert record == Record(parent_uuid="p", message=Message(role="user", content_blocks="hi"))
    assert dropped == []


def test_a_wrong_field_costs_that_field_and_is_named() -> None:
    record, dropped = convert_lenient({"parentUuid": 1, "count": -1, "mode": "c", "extra": [1]}, Record)
    assert record == Record(extra=[1])
    assert dropped == ["parentUuid", "count", "mode"]


def test_nested_structs_lists_and_dicts_lose_only_the_wrong_parts() -> None:
    obj = {
        "parentUuid": "p",
        "message": {
            "role": None,
            "contentBlocks": [{"type": "text", "text": "kept"}, 5, {"type": 1, "text": "half"}, None],
            "byName": {"x": {"text": "y"}, "z": 3},
            "pair": [1],
            "numbers": [1, "2", 3],
        },
    }
    record, dropped = convert_lenient(obj, Record)
    assert record.message == Message(
        content_blocks=[Block(kind="text", text="kept"), Block(text="half")], by_name={"x": Block(text="y")}, numbers=(1, 3)
    )
    assert dropped == [
        "message.role",
        "message.contentBlocks.1",
        "message.contentBlocks.2.type",
        "message.contentBlocks.3",
        "message.byName.z",
        "message.pair",
        "message.numbers.1",
    ]


def test_raw_fields_keep_their_json() -> None:
    record, dropped = convert_lenient({"raw": {"a": [1]}, "count": "x"}, Record)
    assert msgspec.json.decode(record.raw) == {"a": [1]}
    assert dropped == ["count"]
    assert convert_lenient({"raw": "\ud800"}, Record) == (Record(), ["raw"])


def test_a_tag_chooses_among_structs() -> None:
    assert convert_lenient({"pet": {"type": "dog", "name": "rex"}, "count": "x"}, Record)[0].pet == Dog(name="rex")
    assert convert_lenient({"pet": {"type": "cat", "lives": "many"}}, Record) == (Record(pet=Cat()), ["pet.lives"])
    assert convert_lenient({"pet": {"type": "fish"}}, Record) == (Record(), ["pet"])
    assert convert_lenient({"type": "dog", "lives": 3}, Cat) == (Cat(lives=3), ["type"])


def test_a_nested_struct_that_cannot_be_built_is_dropped() -> None:
    assert convert_lenient({"strict": {"other": "x"}}, Record) == (Record(), ["strict"])
    assert convert_lenient({"strict": {"needed": 1, "other": 2}}, Record) == (Record(strict=Strict(needed=1)), ["strict.other"])
    assert convert_lenient({"checked": {"low": 3, "high": "x"}}, Record) == (Record(), ["checked"])
    assert convert_lenient({"low": 3, "high": "x"}, Checked)[0] == Checked()


@pytest.mark.parametrize("obj", [None, 1, "x", [], [1], 1.5, True])
def test_what_is_no_object_gives_the_default(obj: object) -> None:
    assert convert_lenient(obj, Record) == (Record(), ["$"])


def test_a_type_without_defaults_is_refused_whatever_the_value() -> None:
    with pytest.raises(TypeError):
        convert_lenient({"needed": 1}, Strict)


def test_a_nest_deeper_than_the_stack_is_dropped_where_it_becomes_too_deep() -> None:
    obj: dict[str, Any] = {"name": 1}
    for _ in range(20_000):
        obj = {"name": "n", "children": [obj]}
    node, dropped = convert_lenient(obj, Node)
    assert node.name == "n"
    assert len(dropped) == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                [
                    "parentUuid",
                    "message",
                    "contentBlocks",
                    "byName",
                    "raw",
                    "pet",
                    "type",
                    "text",
                    "strict",
                    "checked",
                    "low",
                    "numbers",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


@settings(max_examples=300, deadline=None)
@given(json_values)
def test_any_value_gives_a_struct_of_the_right_types(obj: Any) -> None:
    record, dropped = convert_lenient(obj, Record)
    text = msgspec.json.encode(msgspec.structs.replace(record, raw=msgspec.Raw(b"null")))
    assert msgspec.json.decode(text, type=Record).message == record.message
    if not dropped:
        assert isinstance(obj, dict)


@settings(max_examples=200, deadline=None)
@given(
    st.binary(max_size=12),
    st.lists(st.sampled_from([b"\\ud83d", b"\\ude00", b"\\\\", b"\\n", b"x", b"\xc3\xa9", b"\xff"]), max_size=6),
)
def test_any_bytes_in_a_string_decode(noise: bytes, escapes: list[bytes]) -> None:
    body = b"".join(escapes) + bytes(byte for byte in noise if byte >= 0x20 and byte not in b'"\\')
    value = decode_lenient(b'{"a":"' + body + b'","b":[1]}')
    assert value["b"] == [1]
    value["a"].encode()


def test_pairs_and_escaped_backslashes_are_left_alone() -> None:
    assert repair_json(rb'"\ud83d\ude00 \\ud800 \ud83dx"') == rb'"\ud83d\ude00 \\ud800 \ufffdx"'


def test_a_nest_too_deep_is_cut_and_its_neighbours_stay() -> None:
    deep = b"[" * 50_000 + b'"]"' + b"]" * 50_000
    value = decode_lenient(b'{"a":"[{\\"","x":' + deep + b',"b":1e999,"c":' + deep + b"}")
    assert (value["a"], value["b"]) == ('[{"', None)
    depth, inner = 1, value["c"]
    while inner:
        depth, inner = depth + 1, inner[0]
    assert depth == MAX_DEPTH


def test_numbers_out_of_range_become_null() -> None:
    assert decode_lenient(b'{"a":1e999,"b":' + b"9" * 5000 + b',"c":"1e999","d":-2.5}') == {
        "a": None,
        "b": None,
        "c": "1e999",
        "d": -2.5,
    }


@pytest.mark.parametrize("text", [b"", b"{", b'{"a":1}{', b'{"a":"\xff"', b"[" * 5000])
def test_broken_structure_stays_an_error(text: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_lenient(text)


def test_sound_documents_are_not_changed() -> None:
    for value in ({"a": "é\u2028\\"}, [1, 2.5, None], "x"):
        text = json.dumps(value).encode()
        assert repair_json(text) == text
