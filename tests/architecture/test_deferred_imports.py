"""What a command does not import: the difference between a search that is there at once and one that is felt."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import sys
sys.argv[0] = "lith"
from lith.__main__ import main
status = main()
sys.stdout.flush()
sys.stderr.write("\\n\\0" + "\\n".join(sorted(sys.modules)))
sys.exit(status)
"""

HEAVY = {
    "numpy",
    "rich",
    "mcp",
    "httpx2",
    "starlette",
    "uvicorn",
    "textual",
    "pydantic",
    "yaml",
    "pyromark",
    "asyncio",
    "multiprocessing",
}


def modules_of(*argv: str, status: int = 0) -> set[str]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, *argv], env=dict(os.environ), capture_output=True, check=False)
    assert done.returncode == status, done.stderr
    return set(done.stderr.rpartition(b"\0")[2].decode().split())


@pytest.fixture
def synced(home: Path) -> None:
    folder = home / ".claude" / "projects" / "-work"
    folder.mkdir(parents=True)
    line = (
        '{"type":"user","message":{"role":"user","content":"the tide tables were wrong"},"uuid":"0b7a4c9e-1111-4222-8333-444455556666",'
        '"parentUuid":null,"isSidechain":false,"timestamp":"2026-03-01T10:00:00.000Z","cwd":"/work","version":"2.1.332",'
        '"sessionId":"9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff"}\n'
    )
    (folder / "9d3cf7a2-aaaa-4bbb-8ccc-ddddeeeeffff.jsonl").write_text(line)
    modules_of("sync")


def test_version_imports_neither_the_parser_nor_the_database() -> None:
    modules = modules_of("--version")
    assert not modules & {*HEAVY, "click", "apsw", "msgspec", "pathlib", "typing_extensions", "lith.errors"}


@pytest.mark.usefixtures("synced")
@pytest.mark.parametrize("options", [(), ("--json",), ("--since", "2026-01-01", "--limit", "3")])
def test_find_imports_no_parser_and_nothing_heavy(options: tuple[str, ...]) -> None:
    modules = modules_of("find", "tide", "tables", *options)
    assert not modules & {*HEAVY, "click", "tomllib", "platformdirs", "typing_extensions", "filelock"}
    assert not {name for name in modules if name.startswith(("lith.ingest", "lith.sources", "lith.demo", "lith.wiki"))}


@pytest.mark.usefixtures("synced")
@pytest.mark.parametrize("argv", [("read", "9d3cf7a2"), ("list",), ("stats",), ("block", "9d3cf7a2#1"), ("find", "--help")])
def test_reading_imports_nothing_heavy(argv: tuple[str, ...]) -> None:
    assert not modules_of(*argv) & HEAVY


@pytest.mark.usefixtures("synced")
@pytest.mark.parametrize("argv", [("sync", "--json"), ("sync",), ("status",)])
def test_a_sync_that_nobody_watches_imports_nothing_heavy(argv: tuple[str, ...]) -> None:
    assert not modules_of(*argv) & (HEAVY - {"multiprocessing"})


def test_help_imports_no_command() -> None:
    modules = modules_of("--help")
    assert not {name for name in modules if name.startswith("lith.faces.cli.commands.")}
    assert not modules & {*HEAVY, "apsw"}
