"""The registry of adapters."""

import pytest

from lith.errors import UnknownSource
from lith.records import address
from lith.sources.registry import SOURCES, get_source


def test_every_adapter_is_listed_under_its_own_name() -> None:
    assert [source.name for source in SOURCES.values()] == list(SOURCES)
    assert set(SOURCES) <= set(address.SOURCES)
    assert get_source("claude_code").name == "claude_code"


def test_an_unknown_client_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(UnknownSource) as caught:
        get_source("claude")
    assert "claude_code" in (caught.value.hint or "")
