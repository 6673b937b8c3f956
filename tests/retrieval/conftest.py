"""A map to fill."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.retrieval.building import MapBuilder


@pytest.fixture
def builder(tmp_path: Path) -> Iterator[MapBuilder]:
    """An empty map; add sessions, then ask its `connection`."""
    made = MapBuilder(tmp_path / "map.sqlite")
    yield made
    made.connection.close()
