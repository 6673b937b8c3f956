"""A live file that can grow, an archive beside it, and the plain way to read the archive: no code of lith."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lith.archive import ArchiveItem, RunReport, run

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

NOW = 1_790_000_000_000
SESSION = "11111111-2222-4333-8444-555555555555"
RELATIVE = f"-home-dev-x/{SESSION}.jsonl"


def line(number: int, size: int = 60) -> bytes:
    return b'{"uuid":"%08d-0000-4000-8000-000000000000","text":"%s"}\n' % (number, (b"%d " % number * size)[:size])


def plain(folder: Path) -> bytes:
    """What the zstd program makes of a generation's segments; a plain decompressor where the program is missing."""
    files = sorted(folder.glob("*.zst"))
    if program := shutil.which("zstd"):
        return subprocess.run([program, "-dcq", *map(str, files)], check=True, capture_output=True).stdout
    return b"".join(_decompress(path.read_bytes()) for path in files)


def _decompress(data: bytes) -> bytes:
    out = b""
    while data:
        decoder = zstd.ZstdDecompressor()
        out += decoder.decompress(data)
        data = decoder.unused_data
    return out


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "data" / "archive"


@pytest.fixture
def live(tmp_path: Path) -> Path:
    path = tmp_path / "projects" / RELATIVE
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(line(number) for number in range(10)))
    return path


@pytest.fixture
def item(live: Path) -> ArchiveItem:
    return ArchiveItem("claude_code", SESSION, RELATIVE, live)


@pytest.fixture
def archive(root: Path, item: ArchiveItem) -> Callable[..., RunReport]:
    """Runs the archive over the live file."""
    return lambda **options: run(root, [item], clock=lambda: NOW, **options)
