"""The README names the clients that lith reads, and no others."""

from pathlib import Path

from lith.sources.registry import SOURCES

NAMES = {"claude_code": "Claude Code", "codex": "Codex", "pi": "Pi", "dsh": "dsh", "opencode": "OpenCode", "gemini": "Gemini CLI"}


def test_the_table_of_clients_is_the_registry() -> None:
    text = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
    section = text.partition("## What it reads")[2].partition("\n## ")[0]
    named = [line.split("|")[1].strip() for line in section.splitlines() if line.startswith("| ")][2:]
    assert named == [NAMES[name] for name in SOURCES]
