"""Ids: packed small, given back exactly, found by prefix."""

import uuid

from hypothesis import given
from hypothesis import strategies as st

from lith.kernel import ids

UUIDS = st.uuids().map(str)


@given(st.text(max_size=60) | UUIDS)
def test_unpacking_gives_back_exactly_what_was_packed(text: str) -> None:
    assert ids.unpack(ids.pack(text)) == text


@given(UUIDS)
def test_a_uuid_takes_sixteen_bytes(text: str) -> None:
    assert ids.pack(text) == uuid.UUID(text).bytes
    assert ids.pack(text.upper()) in (text.upper(), uuid.UUID(text).bytes)


@given(UUIDS, st.integers(1, 36))
def test_every_prefix_of_a_uuid_contains_it(text: str, length: int) -> None:
    for prefix in (text[:length], text.replace("-", "")[:length], text[:length].upper()):
        bounds = ids.prefix_range(prefix)
        assert bounds is not None
        assert bounds[0] <= uuid.UUID(text).bytes <= bounds[1]


@given(st.text(max_size=40))
def test_a_prefix_that_no_uuid_has_gives_no_range(text: str) -> None:
    if not set(text.lower()) <= set("0123456789abcdef-"):
        assert ids.prefix_range(text) is None


@given(st.text(), st.binary())
def test_a_derived_id_depends_on_place_and_content_alone(scope: str, content: bytes) -> None:
    scope = scope.encode("utf-8", "replace").decode()
    assert ids.derive(scope, content) == ids.derive(scope, content)
    assert ids.derive(scope, content) != ids.derive(scope + "x", content)
    assert len(ids.pack(ids.derive(scope, content))) == 16


def test_a_lone_surrogate_does_not_break_a_hash() -> None:
    assert ids.small_hash("\ud800") != ids.small_hash("\ud801")
