"""Outputs of tools, by the shape in which each client writes them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lith.render.results import Result, find_results


def found(record: Any) -> list[Result]:
    return find_results(json.dumps(record).encode())


@pytest.mark.parametrize(
    ("record", "results"),
    [
        ({"message": {"content": [{"type": "tool_result", "content": "ok"}, {"type": "text", "text": "no"}]}}, [Result("ok")]),
        (
            {"message": {"content": [{"type": "tool_result", "is_error": True, "content": [{"type": "text", "text": "bad"}, {"type": "image"}]}]}},
            [Result("bad", True)],
        ),
        ({"type": "response_item", "payload": {"type": "function_call_output", "output": "Exit code: 0"}}, [Result("Exit code: 0")]),
        ({"type": "response_item", "payload": {"output": {"content": "x"}}}, [Result("x")]),
        ({"message": {"role": "toolResult", "content": [{"type": "text", "text": "a"}], "isError": True}}, [Result("a", True)]),
        ({"message": {"content": "a prompt"}}, []),
        ({"type": "event_msg", "payload": {"output": "again"}}, []),
        ({"message": None}, []),
    ],
)  # fmt: skip
def test_shapes(record: Any, results: list[Result]) -> None:
    assert found(record) == results


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["type", "message", "payload", "content", "output", "role", "text"]), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(JSON)
def test_any_record_has_an_answer(record: Any) -> None:
    assert all(isinstance(one.text, str) for one in found(record))


@given(st.binary(max_size=60))
def test_any_bytes_have_an_answer(data: bytes) -> None:
    assert find_results(data) == []
