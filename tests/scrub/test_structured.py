"""`scrub_json`: names decide, types do not."""

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lith.scrub import scrub_json
from lith.scrub.rules import RULES
from lith.scrub.structured import MAX_DEPTH


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"password": "correct horse", "user": "dev"}, {"password": "[masked:password]", "user": "dev"}),
        (
            {"password": 1234, "pin": 4711, "max_tokens": 4096},
            {"password": "[masked:password]", "pin": "[masked:pin]", "max_tokens": 4096},
        ),
        ({"pin": "0042", "led_pin": 13}, {"pin": "[masked:pin]", "led_pin": 13}),
        ({"password": True, "token": None, "secret": ""}, {"password": True, "token": None, "secret": ""}),
        ({"secrets": ["a b c", {"x": "y"}, 5]}, {"secrets": ["[masked:secret]", {"x": "y"}, 5]}),
        ({"api_key": {"env": "API_KEY", "value": 1}}, {"api_key": {"env": "API_KEY", "value": 1}}),
        ({"name": "DB_PASSWORD", "value": "hunter2"}, {"name": "DB_PASSWORD", "value": "[masked:password]"}),
        ({"name": "DB_HOST", "value": "db"}, {"name": "DB_HOST", "value": "db"}),
        (["login", "--password", "letmein", "--user", "dev"], ["login", "--password", "[masked:password]", "--user", "dev"]),
        ({"Authorization": "Bearer abc", "Accept": "x"}, {"Authorization": "Bearer [masked:authorization]", "Accept": "x"}),
        ({"set-cookie": ["a=b; Path=/"]}, {"set-cookie": ["[masked:cookie]"]}),
        ({"token": "ghp_" + "a1B2" * 9}, {"token": "[masked:github-token]"}),
        ({"cmd": "curl -u dev:hunter2 x"}, {"cmd": "curl -u dev:[masked:command-password] x"}),
        ({"password": "${DB_PASSWORD}", "token": "<token>"}, {"password": "${DB_PASSWORD}", "token": "<token>"}),
        ("password=hunter2", "password=[masked:password]"),
        (("a", 1.5), ["a", 1.5]),
        (7, 7),
    ],
)
def test_values(value: Any, shown: Any) -> None:
    before = repr(value)
    assert scrub_json(value) == shown
    assert repr(value) == before


def test_a_secret_in_a_key_goes_and_keys_stay_apart() -> None:
    first, second = "ghp_" + "a1B2" * 9, "ghp_" + "c3D4" * 9
    assert scrub_json({first: 1, second: 2, "b": 3}) == {"[masked:github-token]": 1, "[masked:github-token]'": 2, "b": 3}


def test_hostile_depth_is_cut_and_can_be_encoded() -> None:
    deep: Any = "password=hunter2"
    for _ in range(100_000):
        deep = [deep]
    shown = scrub_json(deep)
    depth = 0
    while isinstance(shown, list):
        shown, depth = shown[0], depth + 1
    assert (shown, depth) == ("[masked:too-deep]", MAX_DEPTH + 1)


SAMPLES = [re.sub("[«»]", "", sample) for rule in RULES for sample in rule.positives]
DOCUMENTS = st.recursive(
    st.one_of(st.integers(), st.none(), st.integers(0, len(SAMPLES) - 1).map(lambda at: SAMPLES[at]), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["password", "token", "name", "value", "Authorization", "cookie", "pin", *SAMPLES[:20]]), inner
        ),
    ),
    max_leaves=8,
)


@settings(max_examples=80, deadline=None)
@given(DOCUMENTS)
def test_it_is_idempotent_and_keeps_the_shape(value: Any) -> None:
    shown = scrub_json(value)
    assert scrub_json(shown) == shown
    assert shape(shown) == shape(value)
    json.dumps(shown)


def shape(value: Any) -> Any:
    if isinstance(value, dict):
        return [shape(child) for child in value.values()]
    return [shape(child) for child in value] if isinstance(value, list) else None
