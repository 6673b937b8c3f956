"""The order of the house, as import-linter's contracts state it, and what they cannot state."""

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from importlinter.cli import lint_imports

SOURCE = Path(__file__).resolve().parents[2] / "src" / "lith"
MODULES = sorted(SOURCE.rglob("*.py"))

NETWORK = frozenset(
    {"socket", "ssl", "http", "urllib.request", "ftplib", "smtplib", "socketserver", "asyncio", "xmlrpc", "httpx2", "requests"}
)
MAY_OPEN_SOCKETS = ("learn/providers", "faces/http", "faces/mcp", "wiki/tiling/ollama.py")
BANNED_NAMES = {"utils", "helpers", "common", "manager", "util", "helper", "misc"}


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_the_contracts_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(SOURCE.parents[1])
    monkeypatch.syspath_prepend(str(SOURCE.parent))
    assert lint_imports(no_cache=True) == 0


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_a_few_rooms_may_open_a_socket(module: Path) -> None:
    if module.relative_to(SOURCE).as_posix().startswith(MAY_OPEN_SOCKETS):
        return
    names = set(imported(ast.parse(module.read_text(encoding="utf-8"))))
    reached = {name for name in names if name in NETWORK or name.split(".")[0] in NETWORK}
    assert not reached


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_a_module_says_what_it_is_and_prints_nothing(module: Path) -> None:
    tree = ast.parse(module.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), "a module begins by saying what it owns"
    assert not BANNED_NAMES & set(module.relative_to(SOURCE).with_suffix("").parts)
    calls = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert "print" not in calls


WRITERS = {"__main__.py": "the version, before anything is imported", "faces/cli/output.py": "everything else"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: str(path.relative_to(SOURCE)))
def test_only_the_writers_write_to_standard_output(module: Path) -> None:
    if module.relative_to(SOURCE).as_posix() in WRITERS:
        return
    for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "sys":
            assert node.attr not in {"stderr", "__stdout__"}
            assert node.attr != "stdout" or module.name == "main.py", "main only points it elsewhere when the reader has gone"


def test_importing_a_room_does_nothing(tmp_path: Path) -> None:
    """Importing every module of the house creates no file and writes no word."""
    names = [f"lith.{path.relative_to(SOURCE).with_suffix('').as_posix().replace('/', '.')}" for path in MODULES]
    names = [name.removesuffix(".__init__") for name in names if not name.endswith("__main__")]
    program = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)"
    home = tmp_path / "empty"
    home.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", program, *names],
        env={**os.environ, "HOME": str(home)},
        cwd=home,
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert list(home.iterdir()) == []
