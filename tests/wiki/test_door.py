"""The door of the room: everything it offers is there, and nothing heavy is imported before it is needed."""

import subprocess
import sys
from pathlib import Path

import lith.wiki

SOURCE = Path(lith.wiki.__file__).parents[2]


def test_the_door_offers_what_it_lists() -> None:
    assert [name for name in lith.wiki.__all__ if getattr(lith.wiki, name, None) is None] == []


def test_no_command_imports_numpy_or_http_before_it_needs_them() -> None:
    code = (
        "import sys, lith.wiki\n"
        "for name in lith.wiki.__all__:\n"
        "    name == 'OllamaEmbedder' or getattr(lith.wiki, name)\n"
        "print(sorted({'numpy', 'http.client', 'yaml', 'pyromark', 'asyncio', 'socket'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=SOURCE, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
