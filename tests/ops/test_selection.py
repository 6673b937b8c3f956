"""What the words that narrow a question mean."""

from pathlib import Path

import pytest

from lith.errors import BadSelector, UnknownSource, UsageError
from lith.kernel.clock import parse_iso
from lith.ops.runtime import Runtime
from lith.ops.selection import Selection, to_scope
from lith.records.record import Role
from lith.records.scope import Scope

NOW = parse_iso("2026-03-29T12:00:00Z") or 0


def runtime(tmp_path: Path) -> Runtime:
    return Runtime(clock=lambda: NOW, home=tmp_path / "home", cwd=tmp_path, environment={}, data_dir=tmp_path / "data")


def test_nothing_asked_is_everything(tmp_path: Path) -> None:
    assert to_scope(Selection(), runtime(tmp_path)) == Scope()


def test_moments_are_read_by_the_clock_of_the_runtime(tmp_path: Path) -> None:
    scope = to_scope(Selection(since="2h", until="2026-03-28T10:00:00Z"), runtime(tmp_path))
    assert scope.since == NOW - 7_200_000
    assert scope.until == parse_iso("2026-03-28T10:00:00Z")


def test_a_day_counts_to_its_end(tmp_path: Path) -> None:
    scope = to_scope(Selection(since="2026-03-28", until="2026-03-28"), runtime(tmp_path))
    assert scope.since is not None
    assert scope.until is not None
    assert scope.until - scope.since == 86_400_000


@pytest.mark.parametrize("selection", [Selection(since="soon"), Selection(until="2026-02-30"), Selection(since="")])
def test_no_moment_is_an_error_that_says_how_to_write_one(tmp_path: Path, selection: Selection) -> None:
    with pytest.raises(BadSelector) as caught:
        to_scope(selection, runtime(tmp_path))
    assert "yesterday" in (caught.value.hint or "")


def test_paths_are_made_absolute_and_keys_are_left(tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "work")
    here = runtime(tmp_path)
    real = str((tmp_path / "work").resolve())
    assert to_scope(Selection(cwd="link"), here).cwd == real
    assert to_scope(Selection(project="./work"), here).project == real
    assert to_scope(Selection(project="work"), here).project == real
    assert to_scope(Selection(project="parcel-api"), here).project == "parcel-api"
    assert to_scope(Selection(cwd="~/x"), here).cwd == str(tmp_path.resolve() / "home" / "x")


def test_unknown_words_are_errors(tmp_path: Path) -> None:
    assert to_scope(Selection(sources=("codex",), roles=("user",)), runtime(tmp_path)).roles == (Role.USER,)
    with pytest.raises(UnknownSource, match="codx"):
        to_scope(Selection(sources=("codx",)), runtime(tmp_path))
    with pytest.raises(UsageError, match="usr"):
        to_scope(Selection(roles=("usr",)), runtime(tmp_path))
