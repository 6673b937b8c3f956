"""The door of the room: what it offers, what a search imports, and what reading leaves behind."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.retrieval.building import MapBuilder, assistant, call, user

from lith import retrieval
from lith.errors import UsageError
from lith.records.scope import Scope
from lith.retrieval.requests import FindRequest, ListRequest, ReadRequest
from lith.store.map import schema

HEAVY = (
    "numpy",
    "rich",
    "click",
    "backports",
    "asyncio",
    "socket",
    "lith.ingest",
    "lith.sources",
    "lith.scrub",
    "lith.kernel.tokens",
)


def test_everything_promised_is_there() -> None:
    assert all(callable(getattr(retrieval, name)) for name in retrieval.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing_such'"):
        _ = retrieval.nothing_such


def test_a_search_imports_little(tmp_path: Path) -> None:
    builder = MapBuilder(tmp_path / "map.sqlite")
    builder.add("one", [user("needle")])
    builder.connection.close()
    program = (
        "import sys; from pathlib import Path; from lith.store.map import schema; from lith import retrieval;"
        "from lith.retrieval.requests import FindRequest;"
        "found = retrieval.find(schema.open_for_reading(Path(sys.argv[1])), FindRequest(query='needle'));"
        "assert len(found.results) == 1; print('\\n'.join(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program, str(builder.path)], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert [name for name in loaded if name.startswith(HEAVY)] == []
    assert "lith.retrieval.reading" not in loaded


def test_reading_a_write_protected_map_leaves_nothing_behind(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    builder = MapBuilder(folder / "map.sqlite")
    ref = builder.add("one", [user("needle"), assistant("found"), call("Bash", command="ls")])
    builder.connection.close()
    builder.path.chmod(0o444)
    folder.chmod(0o555)
    before = builder.path.read_bytes()
    connection = schema.open_for_reading(builder.path)
    try:
        assert retrieval.find(connection, FindRequest(query="needle")).total == 1
        assert retrieval.find(connection, FindRequest(query="=>")).total == 0
        assert retrieval.read_session(connection, ReadRequest(address=ref, max_tokens=50)).total == 2
        assert retrieval.list_sessions(connection, ListRequest()).total == 1
        assert retrieval.stats(connection, Scope()).total.sessions == 1
        assert retrieval.locate_record(connection, f"{ref}#1").places
        with pytest.raises(UsageError):
            retrieval.find(connection, FindRequest(query=" "))
        assert [path.name for path in folder.iterdir()] == ["map.sqlite"]
    finally:
        connection.close()
        folder.chmod(0o755)
    assert builder.path.read_bytes() == before
