"""Which project a working directory belongs to."""

import subprocess
from pathlib import Path

import pytest

from lith.ingest.projects import Project, resolve_project


def git(*words: str, cwd: Path) -> None:
    subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@localhost", *words], cwd=cwd, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    path = (tmp_path / "shop").resolve()
    path.mkdir()
    git("init", "-q", cwd=path)
    git("commit", "-q", "--allow-empty", "-m", "first", cwd=path)
    return path


def test_a_folder_in_a_repository_belongs_to_its_work_tree(repository: Path) -> None:
    (repository / "src" / "deep").mkdir(parents=True)
    assert resolve_project(str(repository / "src" / "deep")) == Project(str(repository))


def test_a_linked_worktree_belongs_to_the_main_one_and_keeps_its_name(repository: Path) -> None:
    git("worktree", "add", "-q", "../shop-fix", cwd=repository)
    assert resolve_project(str(repository.parent / "shop-fix")) == Project(str(repository), "shop-fix")


def test_a_worktree_of_a_bare_repository_belongs_to_the_repository(repository: Path) -> None:
    bare = repository.parent / "bare.git"
    git("clone", "-q", "--bare", str(repository), str(bare), cwd=repository)
    git("worktree", "add", "-q", str(repository.parent / "tree"), cwd=bare)
    assert resolve_project(str(repository.parent / "tree")) == Project(str(bare), "tree")


def test_a_folder_behind_a_symlink_is_the_folder(repository: Path) -> None:
    link = repository.parent / "link"
    link.symlink_to(repository)
    assert resolve_project(str(link)) == Project(str(repository))


@pytest.mark.parametrize("cwd", ["C:\\Users\\dev\\shop", "relative/path", ""])
def test_a_path_of_another_system_is_its_own_project(cwd: str, repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(repository)
    assert resolve_project(cwd) == Project(cwd)


def test_a_folder_that_is_gone_is_its_own_project(tmp_path: Path) -> None:
    gone = str((tmp_path / "gone").resolve())
    assert resolve_project(gone) == Project(gone)


@pytest.mark.parametrize("pointer", ["", "gitdir: /nowhere", "no pointer at all", "gitdir: \0"])
def test_a_broken_pointer_does_no_harm(tmp_path: Path, pointer: str) -> None:
    (tmp_path / ".git").write_text(pointer)
    assert resolve_project(str(tmp_path)).key in {str(tmp_path.resolve()), str(tmp_path)}
