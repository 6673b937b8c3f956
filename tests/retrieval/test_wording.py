"""How documents read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lith.retrieval.wording import call_fields, fields_of, plain_text, readable_text
from lith.store.map.read import DocumentRow


def document(kind: str, text: str, label: str | None = None) -> DocumentRow:
    return DocumentRow(1, kind, None, label, "Bash", 1, None, "r", 0, len(text), 0, text)


def test_a_call_is_its_fields() -> None:
    row = document("call", '{"command":"ls -l\\n","description":"List \\"all\\""}')
    assert fields_of(row) == {"command": "ls -l\n", "description": 'List "all"'}
    assert plain_text(row) == 'ls -l\n\nList "all"'
    assert readable_text(row) == 'command: ls -l\n\ndescription: List "all"'


def test_other_texts_are_as_they_are() -> None:
    assert fields_of(document("message", "hello")) == {"text": "hello"}
    assert fields_of(document("profile", "A title", "title")) == {"title": "A title"}
    assert readable_text(document("profile", "A title", "title")) == "A title"


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"a": 1}', '{"command": "cut in the mid'])
def test_what_is_no_object_of_strings_is_one_text(text: str) -> None:
    assert call_fields(text) == {"text": text}


@given(st.text())
def test_no_text_is_too_odd(text: str) -> None:
    assert isinstance(readable_text(document("call", text)), str)
