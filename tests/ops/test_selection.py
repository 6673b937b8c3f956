"""What the words that narrow a question mean."""

from pathlib import Path

import pytest

from lith.errors import BadSelector, UnknownSource, UsageError
from lith.kernel.clock import parse_iso
from lith.ops.runtime import Runtime
from lith.ops.selection import OPTIONS, Selection, to_options, to_scope
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


def test_the_case_of_a_tool_decided_whether_anything_was_found(synced: Runtime) -> None:
    assert to_scope(Selection(tools=("bash",)), synced).tools == ("Bash",)
    assert to_scope(Selection(tools=("BASH", "Bash")), synced).tools == ("Bash",)


def test_a_tool_that_was_never_called_was_an_empty_answer(synced: Runtime) -> None:
    with pytest.raises(BadSelector, match="--tool") as caught:
        to_scope(Selection(tools=("bsh",)), synced)
    assert "Bash" in (caught.value.hint or "")
    with pytest.raises(BadSelector) as caught:
        to_scope(Selection(tools=("zzzzz",)), synced)
    assert "the tools called most are" in (caught.value.hint or "")


@pytest.mark.parametrize("selection", [Selection(sessions=("3f0c61de#3",)), Selection(exclude_sessions=("3f0c61de#3",))])
def test_the_number_of_a_message_was_ignored(synced: Runtime, selection: Selection) -> None:
    with pytest.raises(BadSelector, match="is a message") as caught:
        to_scope(selection, synced)
    assert caught.value.next == [synced.argv("read", "3f0c61de#3")]


@pytest.mark.parametrize("selection", [Selection(project=""), Selection(cwd=" ")])
def test_an_empty_path_was_the_working_directory(tmp_path: Path, selection: Selection) -> None:
    with pytest.raises(BadSelector, match="nothing was named"):
        to_scope(selection, runtime(tmp_path))


def test_without_a_working_directory_a_word_is_a_key(tmp_path: Path) -> None:
    here = Runtime(clock=lambda: NOW, home=tmp_path, cwd=None, environment={}, data_dir=tmp_path / "data")
    assert to_scope(Selection(project="parcel-api"), here).project == "parcel-api"
    assert to_scope(Selection(cwd="/a"), here).cwd == "/a"
    for selection in (Selection(project="."), Selection(cwd="rel")):
        with pytest.raises(UsageError, match="deleted"):
            to_scope(selection, here)


def test_a_selection_is_options_again() -> None:
    asked = Selection(sources=("codex", "pi"), since="2h", subagents=False, tools=("Bash",))
    assert to_options(asked) == ["--source", "codex", "--source", "pi", "--since", "2h", "--no-subagents", "--tool", "Bash"]
    assert to_options(asked, without="sources") == ["--since", "2h", "--no-subagents", "--tool", "Bash"]
    assert set(OPTIONS) == set(Selection.__struct_fields__) == set(Scope.__struct_fields__)
