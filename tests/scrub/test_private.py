"""`<private>` spans go whole: nested, open, in any case."""

import pytest

from lith.scrub import scrub
from lith.scrub.private import mask_private


@pytest.mark.parametrize(
    ("text", "shown", "count"),
    [
        ("a <private>x</private> b", "a [masked:private] b", 1),
        ("<private>x</private><private>y</private>", "[masked:private][masked:private]", 2),
        ("a <private>x <private>y</private> z</private> b", "a [masked:private] b", 1),
        ("a <private>x\ny", "a [masked:private]", 1),
        ('a <PRIVATE reason="r">x</Private> b', "a [masked:private] b", 1),
        ("a </private> b", "a </private> b", 0),
        ("a <privateer> b", "a <privateer> b", 0),
        ("the `<private>` tag", "the `<private>` tag", 0),
    ],
)
def test_private_spans(text: str, shown: str, count: int) -> None:
    assert mask_private(text) == (shown, count)
    assert scrub(text).text == shown


def test_a_span_is_not_made_by_taking_one_out() -> None:
    assert scrub("<pri<private></private>vate>x").text == "<pri[masked:private]vate>x"
