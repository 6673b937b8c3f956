"""Which folders are looked at."""

from pathlib import Path

import pytest

from lith.errors import ConfigError, UnknownSource
from lith.ops.roots import DEMO_SESSIONS, plan_roots
from lith.ops.runtime import open_runtime
from lith.records.address import SOURCES as ADDRESSED
from lith.sources.registry import SOURCES


def planned(home: Path, *only: str, **environment: str) -> list[tuple[str, str, bool]]:
    runtime = open_runtime(environment={"HOME": str(home), **environment})
    return [(spec.source, str(spec.path), spec.given) for spec in plan_roots(runtime, only)]


def test_every_client_has_its_own_place(home: Path) -> None:
    found = planned(home)
    assert {source for source, _, _ in found} == set(SOURCES)
    assert ("claude_code", str(home / ".claude" / "projects"), False) in found


def test_the_clients_own_variables_are_honoured(home: Path) -> None:
    assert planned(home, "claude_code", CLAUDE_CONFIG_DIR="/elsewhere") == [("claude_code", "/elsewhere/projects", False)]


def test_a_given_root_takes_the_place_of_the_clients_own(home: Path) -> None:
    found = planned(home, "claude_code", LITH_SOURCES_ROOTS="claude_code=/a,claude_code=~/b")
    assert found == [("claude_code", "/a", True), ("claude_code", str(home / "b"), True)]


def test_a_disabled_client_is_left_out_unless_it_is_named(home: Path) -> None:
    assert "claude_code" not in {source for source, _, _ in planned(home, LITH_SOURCES_DISABLED="claude_code")}
    assert planned(home, "claude_code", LITH_SOURCES_DISABLED="claude_code")


def test_a_client_that_does_not_exist_and_one_that_is_not_read_yet(home: Path) -> None:
    with pytest.raises(UnknownSource):
        planned(home, "clod")
    for name in set(ADDRESSED) - set(SOURCES):
        with pytest.raises(UnknownSource, match=f"does not read {name} yet"):
            planned(home, name)
        with pytest.raises(ConfigError, match=name):
            planned(home, LITH_SOURCES_ROOTS=f"{name}=/x")


def test_a_demo_directory_knows_its_own_sessions_only(home: Path, tmp_path: Path) -> None:
    sessions = tmp_path / "demo" / DEMO_SESSIONS
    (sessions / "claude_code").mkdir(parents=True)
    runtime = open_runtime(data_dir=str(tmp_path / "demo"), environment={"HOME": str(home)})
    assert [(spec.source, spec.path) for spec in plan_roots(runtime)] == [("claude_code", sessions / "claude_code")]
    assert plan_roots(runtime, ["codex"]) == () if "codex" in SOURCES else True
