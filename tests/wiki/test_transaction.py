"""All files of an operation or none: also when the process is killed at any of its writes."""

import json
import runpy
import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

from lith.errors import Locked
from lith.wiki.errors import OutsideVault, PlanStale, VaultDamaged
from lith.wiki.snapshot import load
from lith.wiki.transaction import Change, digest_of, recover, writing
from lith.wiki.vault import Vault, find_vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]
ReadTree = Callable[[Vault], dict[str, bytes]]


KILLING = runpy.run_path(str(Path(__file__).with_name("killing.py")))
run_until_killed: Callable[[Callable[[], object], int], bool] = KILLING["run_until_killed"]


def commit(root: Path, **contents: bytes | None) -> None:
    vault = find_vault(root)
    with writing(vault, now=1) as writer:
        writer.commit("test", [writer.change(name.replace("__", "/") + ".md", data) for name, data in contents.items()])


def test_create_change_and_delete_together(make_vault: MakeVault, read_tree: ReadTree, now: int) -> None:
    vault = make_vault({"a.md": "old", "gone.md": "x", "keep.md": "same"})
    (vault.root / "a.md").chmod(0o640)
    with writing(vault, now=now) as writer:
        written = writer.commit(
            "test", [writer.change("a.md", b"new"), writer.change("gone.md", None), writer.change("x/y/new.md", b"1"),
                     writer.change("keep.md", b"same")],
        )  # fmt: skip
    assert written.paths == ["a.md", "gone.md", "x/y/new.md"]
    assert read_tree(vault) == {"a.md": b"new", "x/y/new.md": b"1", "keep.md": b"same"}
    assert (vault.root / "a.md").stat().st_mode & 0o777 == 0o640
    assert not (vault.root / ".vault-meta/local/journal").exists()
    (vault.root / "a.md").write_text("edited since")
    assert recover(vault).paths == []
    assert (vault.root / "a.md").read_text() == "edited since"


def test_a_changed_file_stops_everything(make_vault: MakeVault, read_tree: ReadTree, now: int) -> None:
    vault = make_vault({"a.md": "old", "b.md": "old"})
    before = read_tree(vault)
    with writing(vault, now=now) as writer, pytest.raises(PlanStale):
        writer.commit("test", [writer.change("a.md", b"new"), Change("b.md", digest_of(b"other"), b"new")])
    with writing(vault, now=now) as writer, pytest.raises(PlanStale):
        writer.commit("test", [Change("a.md", None, b"new")])
    with writing(vault, now=now) as writer, pytest.raises(PlanStale):
        writer.commit("test", [writer.change("c.md", b"1"), writer.change("c.md", b"2")])
    assert read_tree(vault) == before


def test_nothing_is_written_outside(make_vault: MakeVault, now: int, tmp_path: Path) -> None:
    vault = make_vault({})
    (tmp_path / "out").mkdir()
    (vault.root / "link").symlink_to(tmp_path / "out")
    with writing(vault, now=now) as writer:
        for path in ("../x.md", "link/x.md"):
            with pytest.raises(OutsideVault):
                writer.commit("test", [Change(path, None, b"x")])
    assert list((tmp_path / "out").iterdir()) == []


def test_one_writer_at_a_time(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({})
    with writing(vault, now=now), pytest.raises(Locked), writing(vault, now=now, wait_seconds=0.1):
        pass


def test_a_kill_at_any_write_leaves_the_old_or_the_new_state(make_vault: MakeVault, read_tree: ReadTree, tmp_path: Path) -> None:
    origin = make_vault({"a.md": "old a", "b.md": "old b", "gone.md": "x"})
    load(origin)
    old = read_tree(origin)
    new = {"a.md": b"new a", "b.md": b"new b", "sub/c.md": b"new c"}
    seen = set()
    for limit in range(1, 60):
        root = tmp_path / f"copy{limit}"
        shutil.copytree(origin.root, root)
        killed = run_until_killed(partial(commit, root, a=b"new a", gone=None, sub__c=b"new c", b=b"new b"), limit)
        vault = find_vault(root)
        load(vault)
        after = read_tree(vault)
        assert after in (old, new), limit
        assert not [path for path in root.rglob("*.tmp") if ".vault-meta" not in str(path)]
        seen.add(after == new)
        with writing(vault, now=2) as writer:
            writer.commit("next", [writer.change("d.md", b"d")])
        if not killed:
            break
    assert limit > 8
    assert not killed
    assert seen == {False, True}


def test_bytes_written_by_others_after_a_crash_stay(make_vault: MakeVault) -> None:
    vault = make_vault({"a.md": "old a", "b.md": "old b"})
    limit = 1
    while not (vault.root / ".vault-meta/local/journal").exists():
        assert run_until_killed(lambda: commit(vault.root, a=b"new a", b=b"new b"), limit)
        limit += 1
    (vault.root / "b.md").write_text("mine")
    written = recover(vault)
    assert (written.paths, written.kept) == (["a.md"], ["b.md"])
    assert (vault.root / "b.md").read_text() == "mine"
    assert [path.read_bytes() for path in (vault.root / ".vault-meta/recovered").iterdir()] == [b"new b"]


def test_a_damaged_journal_is_said(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": ""})
    with writing(vault, now=now):
        pass
    (vault.root / ".vault-meta/local/journal").write_bytes(b"{}\nx\n")
    with pytest.raises(VaultDamaged):
        load(vault)


@pytest.mark.parametrize(
    "path",
    [".git/hooks/pre-commit", ".obsidian/plugins/x/main.js", "sub/.git/config", ".raw/.git/config", "GIT~1/config", ".GIT/x"],
)
def test_no_journal_of_a_stranger_writes_into_hidden_folders(make_vault: MakeVault, path: str) -> None:
    vault = make_vault({"a.md": "", ".git/HEAD": "x"})
    with writing(vault, now=1):
        pass
    data = b"#!/bin/sh\nevil"
    put = {"path": path, "before": None, "after": digest_of(data), "start": 0, "size": len(data), "mode": 0o755}
    header = json.dumps({"version": 1, "now": 0, "operation": "x", "puts": [put]}).encode()
    journal = vault.root / ".vault-meta/local/journal"
    journal.write_bytes(header + b"\n" + digest_of(header + data).encode() + b"\n" + data)
    with pytest.raises(OutsideVault):
        load(vault)
    assert not (vault.root / path).exists()


def test_state_behind_a_symlink_is_neither_read_nor_written(make_vault: MakeVault, tmp_path: Path, now: int) -> None:
    vault = make_vault({"a.md": "x"})
    outside = tmp_path / "outside"
    (outside / "local").mkdir(parents=True)
    (vault.root / ".vault-meta").symlink_to(outside)
    assert load(vault).pages_read == 1
    assert load(vault).pages_read == 1
    with pytest.raises(OutsideVault), writing(vault, now=now):
        pass
    assert list((outside / "local").iterdir()) == []


def test_no_file_becomes_executable(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({})
    with writing(vault, now=now) as writer:
        writer.commit("test", [Change("a.md", None, b"x", mode=0o4777)])
    assert (vault.root / "a.md").stat().st_mode & 0o7777 == 0o666
