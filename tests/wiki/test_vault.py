"""Finding a vault, listing it, and staying inside it."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from lith.wiki.errors import NoVault, OutsideVault
from lith.wiki.vault import Vault, confine, find_vault, name_problem, safe_name, scan, writable

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]


@pytest.mark.parametrize("marker", [".obsidian", ".vault-meta", "wiki"])
def test_the_nearest_marked_folder_is_the_vault(tmp_path: Path, marker: str) -> None:
    (tmp_path / "outer" / marker).mkdir(parents=True)
    deep = tmp_path / "outer" / "a" / "b"
    deep.mkdir(parents=True)
    assert find_vault(deep).root == (tmp_path / "outer").resolve()


def test_no_vault_is_an_error_that_says_what_one_is(tmp_path: Path) -> None:
    with pytest.raises(NoVault) as caught:
        find_vault(tmp_path)
    assert ".obsidian" in str(caught.value.hint)
    assert caught.value.next[0][:3] == ["lith", "wiki", "init"]


def test_a_named_folder_is_a_vault_without_a_marker(tmp_path: Path) -> None:
    assert find_vault(tmp_path / "x", tmp_path).base == ""
    with pytest.raises(NoVault):
        find_vault(tmp_path, tmp_path / "none")


def test_what_is_a_page(make_vault: MakeVault) -> None:
    vault = make_vault({
        "a.md": "", "B.MD": "", "x/c d 🎉.md": "", "x/pic.png": "", ".obsidian/x.md": "", ".raw/s.md": "", "templates/t.md": "",
        "_Templates/t.md": "",
    })  # fmt: skip
    seen = scan(vault)
    assert list(seen.pages) == ["B.MD", "a.md", "x/c d 🎉.md"]
    assert seen.files == ["x/pic.png"]


def test_symlinks_and_odd_files_are_refused(make_vault: MakeVault, tmp_path: Path) -> None:
    vault = make_vault({"a.md": "", "sub/b.md": ""})
    (tmp_path / "secret.md").write_text("secret")
    (tmp_path / "outside").mkdir()
    (vault.root / "link.md").symlink_to(tmp_path / "secret.md")
    (vault.root / "inner.md").symlink_to(vault.root / "a.md")
    (vault.root / "dir").symlink_to(tmp_path / "outside")
    (vault.root / "loop").symlink_to(vault.root)
    os.mkfifo(vault.root / "pipe.md")
    seen = scan(vault)
    assert list(seen.pages) == ["a.md", "sub/b.md"]
    assert [refusal.path for refusal in seen.refused] == ["dir", "inner.md", "link.md", "loop", "pipe.md"]


def test_a_name_that_is_not_utf8_is_refused(make_vault: MakeVault) -> None:
    vault = make_vault({"a.md": ""})
    with open(os.fsencode(vault.root) + b"/bad\xff.md", "wb"):  # noqa: PTH123
        pass
    seen = scan(vault)
    assert list(seen.pages) == ["a.md"]
    assert len(seen.refused) == 1


@pytest.mark.parametrize("path", ["../x.md", "a/../../x.md", "/etc/passwd"])
def test_paths_outside_are_refused(make_vault: MakeVault, path: str) -> None:
    with pytest.raises(OutsideVault):
        confine(make_vault({}), path)


def test_paths_inside_are_given_from_the_root(make_vault: MakeVault) -> None:
    vault = make_vault({"x/a.md": ""})
    assert confine(vault, vault.root / "x" / "a.md") == "x/a.md"
    assert confine(vault, "x/a.md") == "x/a.md"


def test_nothing_is_written_through_a_symlink(make_vault: MakeVault, tmp_path: Path) -> None:
    vault = make_vault({})
    (tmp_path / "outside").mkdir()
    (vault.root / "dir").symlink_to(tmp_path / "outside")
    with pytest.raises(OutsideVault):
        writable(vault, "dir/a.md")
    assert writable(vault, "new/a.md") == vault.root / "new" / "a.md"


@pytest.mark.parametrize("name", ["CON.md", "a:b.md", "a?.md", "nul", "x .md.", "LPT1.txt", "a\\b"])
def test_names_that_windows_refuses(name: str) -> None:
    assert name_problem(name) is not None


def test_safe_names() -> None:
    assert safe_name("A/B: C? [[x]]") == "A B C x"
    assert safe_name("CON") == "Page CON"
    assert safe_name("...") == "Page"
    assert name_problem(safe_name("é" * 500) + ".md") is None
    assert name_problem("Fine name 🎉.md") is None
