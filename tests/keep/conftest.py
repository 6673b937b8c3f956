"""A live session with everything in it, and a house to prune it in."""

from pathlib import Path

import pytest
from tests.keep.transcripts import EVERYTHING
from tests.keep.world import KEY, age, build_house

from lith.keep import House


@pytest.fixture
def live(tmp_path: Path) -> Path:
    path = tmp_path / "projects" / KEY.path
    path.parent.mkdir(parents=True)
    path.write_bytes(EVERYTHING)
    path.chmod(0o600)
    age(path)
    return path


@pytest.fixture
def house(tmp_path: Path) -> House:
    return build_house(tmp_path)
