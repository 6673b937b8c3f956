"""A small vault beside the demo's sessions."""

from pathlib import Path

import pytest

PAGES = {
    "wiki/index.md": "---\ntype: meta\n---\n# Index\n",
    "wiki/log.md": "---\ntype: meta\n---\n# Log\n",
    "wiki/concepts/Retry storm.md": "---\ncreated: 2026-01-01\n---\n# Retry storm\n\nSee [[Backoff]].\n",
    "wiki/concepts/Backoff.md": "---\ncreated: 2026-01-02\naliases: [exponential backoff]\n---\n# Backoff\n",
}


@pytest.fixture
def notes(home: Path) -> Path:
    """A vault with two pages, below the home."""
    root = home / "notes"
    for path, text in PAGES.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return root
