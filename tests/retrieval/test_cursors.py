"""Cursors name a place for one purpose."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lith.errors import UsageError
from lith.retrieval.cursors import read_cursor, write_cursor


@given(first=st.integers(0, 10**15), second=st.integers(0, 10**15), purpose=st.text())
def test_what_is_written_is_read(first: int, second: int, purpose: str) -> None:
    cursor = write_cursor(first, second, purpose)
    assert read_cursor(cursor, purpose) == (first, second)
    with pytest.raises(UsageError, match="another question"):
        read_cursor(cursor, purpose + "x")


@pytest.mark.parametrize("cursor", ["", "1", "1-2", "1-2-zzzzzz", "-1-2-000000", "1-2-000000 ", "9" * 40 + "-1-000000"])
def test_anything_else_is_no_cursor(cursor: str) -> None:
    with pytest.raises(UsageError, match="not a cursor"):
        read_cursor(cursor, "purpose")
