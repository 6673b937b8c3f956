"""A synced demo to work on."""

from pathlib import Path

import pytest

from lith.kernel.clock import system_clock
from lith.ops.demo import DemoRequest, demo
from lith.ops.runtime import Runtime


@pytest.fixture
def outer(home: Path) -> Runtime:
    """A runtime on a data directory that does not exist yet."""
    return Runtime(clock=system_clock, home=home, cwd=home, environment={}, data_dir=home / "data")


@pytest.fixture
def synced(outer: Runtime) -> Runtime:
    """A runtime on the demo's data directory, its sessions synced."""
    demo(DemoRequest(), outer)
    return outer.at(outer.data_dir / "demo")
