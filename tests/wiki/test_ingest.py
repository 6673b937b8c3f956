"""Ingest keeps sources as they are, makes a page once, and brings nothing back that was deleted on purpose."""

import hashlib
import runpy
import shutil
from collections.abc import Callable, Mapping
from datetime import UTC
from functools import partial
from pathlib import Path

import pytest

from lith.errors import UsageError
from lith.wiki.drafts import Draft, add_pages
from lith.wiki.errors import OutsideVault
from lith.wiki.frontmatter import read_front
from lith.wiki.ingest import ingest_files
from lith.wiki.lint.run import lint_vault
from lith.wiki.manifest import read_manifest
from lith.wiki.setup import init_vault
from lith.wiki.snapshot import load
from lith.wiki.vault import Vault, find_vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]
ReadTree = Callable[[Vault], dict[str, bytes]]
KILLING = runpy.run_path(str(Path(__file__).with_name("killing.py")))
run_until_killed: Callable[[Callable[[], object], int], bool] = KILLING["run_until_killed"]
TEXT = '# Tape: a "study"\n\nTape holds [[12]] TB. `x`\n\n## Cost\n\nLow.\n'


@pytest.fixture
def vault(tmp_path: Path, now: int) -> Vault:
    return find_vault(Path(init_vault(tmp_path / "v", now=now, zone=UTC).root))


def source(tmp_path: Path, text: str = TEXT, name: str = "tape study.md") -> Path:
    place = tmp_path / name
    place.write_text(text)
    return place


def test_a_source_becomes_a_page_with_address_and_provenance(vault: Vault, tmp_path: Path, now: int) -> None:
    done = ingest_files(vault, [source(tmp_path)], now=now, zone=UTC).items[0]
    assert (done.status, done.raw, done.page, done.address) == (
        "created", ".raw/tape study.md", "wiki/sources/Tape a study.md", "c-000001",
    )  # fmt: skip
    raw = vault.root / done.raw
    assert raw.read_text() == TEXT
    assert raw.stat().st_mode & 0o222 == 0
    values = read_front((vault.root / str(done.page)).read_bytes()).values
    assert values["title"] == 'Tape: a "study"'
    assert values["source_hash"] == f"sha256:{hashlib.sha256(TEXT.encode()).hexdigest()}"
    assert (values["address"], values["created"]) == ("c-000001", "2026-06-30")
    assert read_manifest(vault).sources[done.raw]["pages_created"] == [done.page]
    assert "## [2026-06-30] ingest | tape study.md\n" in (vault.root / "wiki/log.md").read_text()
    assert [item.rule for item in lint_vault(vault, zone=UTC).items if item.severity == "error"] == []


def test_the_same_bytes_again_are_a_no_op(vault: Vault, tmp_path: Path, now: int, read_tree: ReadTree) -> None:
    ingest_files(vault, [source(tmp_path)], now=now)
    before = read_tree(vault)
    again = ingest_files(vault, [source(tmp_path), source(tmp_path, name="copy.md")], now=now + 86_400_000)
    assert [item.status for item in again.items] == ["unchanged", "unchanged"]
    assert again.paths == []
    assert read_tree(vault) == before


def test_a_deleted_page_is_not_resurrected(vault: Vault, tmp_path: Path, now: int) -> None:
    page = str(ingest_files(vault, [source(tmp_path)], now=now).items[0].page)
    (vault.root / page).unlink()
    assert ingest_files(vault, [source(tmp_path)], now=now).items[0].status == "deleted"
    assert ingest_files(vault, [source(tmp_path, TEXT + "more")], now=now).items[0].status == "deleted"
    assert page not in load(vault).pages
    back = ingest_files(vault, [source(tmp_path, TEXT + "more")], now=now, restore=True).items[0]
    assert (back.status, back.page, back.address) == ("restored", page, "c-000001")


def test_a_new_version_keeps_the_old_bytes_and_the_address(vault: Vault, tmp_path: Path, now: int) -> None:
    first = ingest_files(vault, [source(tmp_path)], now=now).items[0]
    second = ingest_files(vault, [source(tmp_path, TEXT + "more\n")], now=now).items[0]
    assert (second.status, second.page, second.address) == ("updated", first.page, "c-000001")
    assert second.raw != first.raw
    assert (vault.root / first.raw).read_text() == TEXT
    page = vault.root / str(first.page)
    page.write_text(page.read_text() + "\nmy own words\n")
    third = ingest_files(vault, [source(tmp_path, TEXT + "even more\n")], now=now).items[0]
    assert third.status == "revise"
    assert "my own words" in page.read_text()


def test_sources_that_other_programs_recorded_are_known(vault: Vault, tmp_path: Path, now: int) -> None:
    manifest = read_manifest(vault)
    manifest.sources[".raw/x.md"] = {"hash": hashlib.md5(TEXT.encode()).hexdigest(), "pages_created": ["wiki/sources/x.md"]}
    (vault.root / ".raw/.manifest.json").write_bytes(manifest.encode())
    assert ingest_files(vault, [source(tmp_path)], now=now).items[0].status == "deleted"


def test_binary_and_odd_names(vault: Vault, tmp_path: Path, now: int) -> None:
    odd = tmp_path / "what? a:b.bin"
    odd.write_bytes(b"\0\xff" * 10)
    done = ingest_files(vault, [odd], now=now).items[0]
    assert (done.raw, done.page) == (".raw/what a b.bin", "wiki/sources/what a b.md")
    with pytest.raises(UsageError):
        ingest_files(vault, [tmp_path / "none.md"], now=now)
    inside = vault.root / ".raw" / "dropped.txt"
    inside.write_text("left here by hand")
    assert ingest_files(vault, [inside], now=now).items[0].raw == ".raw/dropped.txt"


def test_two_sources_of_one_title_get_two_pages(vault: Vault, tmp_path: Path, now: int) -> None:
    done = ingest_files(vault, [source(tmp_path, "# One\na", "a.md"), source(tmp_path, "# One\nb", "b.md")], now=now)
    assert [item.page for item in done.items] == ["wiki/sources/One.md", "wiki/sources/One (2).md"]
    assert [item.address for item in done.items] == ["c-000001", "c-000002"]


def test_drafts_become_pages_once(vault: Vault, now: int, read_tree: ReadTree) -> None:
    drafts = [
        Draft("Tape/Disk: both", "A claim ([[evidence]])", fields={"evidence": ["claude_code:1#4", 'a "b"']}),
        Draft("Other", "x"),
    ]
    done = add_pages(vault, drafts, op="capture", title="Two", now=now)
    assert [(item.path, item.address) for item in done.items] == [
        ("wiki/concepts/Tape Disk both.md", "c-000001"), ("wiki/concepts/Other.md", "c-000002"),
    ]  # fmt: skip
    values = read_front((vault.root / "wiki/concepts/Tape Disk both.md").read_bytes()).values
    assert values["evidence"] == ["claude_code:1#4", 'a "b"']
    before = read_tree(vault)
    again = add_pages(vault, drafts, op="capture", title="Two", now=now)
    assert (again.items, len(again.skipped)) == ([], 2)
    assert read_tree(vault) == before
    with pytest.raises(OutsideVault):
        add_pages(vault, [Draft("X", "x", folder="../..")], op="capture", title="Bad", now=now)
    with pytest.raises(UsageError):
        add_pages(vault, [Draft("X", "x", folder=".raw")], op="capture", title="Bad", now=now)


def test_init_changes_nothing_that_exists(tmp_path: Path, now: int, read_tree: ReadTree) -> None:
    first = init_vault(tmp_path / "v", now=now, zone=UTC)
    assert "wiki/index.md" in first.paths
    vault = find_vault(tmp_path / "v")
    before = read_tree(vault)
    assert init_vault(tmp_path / "v", now=now + 86_400_000 * 9, zone=UTC).paths == []
    assert read_tree(vault) == before
    flat = tmp_path / "flat"
    flat.mkdir()
    (flat / "Page.md").write_text("---\naddress: c-000041\n---\nmine")
    init_vault(flat, now=now, zone=UTC)
    assert (flat / "Page.md").read_text() == "---\naddress: c-000041\n---\nmine"
    assert (flat / ".vault-meta/address-counter.txt").read_text() == "42\n"
    assert (flat / "index.md").exists()


def test_a_kill_at_any_write_leaves_all_of_an_ingest_or_nothing(vault: Vault, tmp_path: Path, read_tree: ReadTree) -> None:
    file = source(tmp_path)
    load(vault)
    states = []
    for limit in range(1, 80):
        root = tmp_path / f"copy{limit}"
        shutil.copytree(vault.root, root)
        killed = run_until_killed(partial(ingest_files, find_vault(root), [file], now=1), limit)
        copy = find_vault(root)
        load(copy)
        states.append(read_tree(copy))
        if not killed:
            break
    assert not killed
    assert states[0] == read_tree(vault)
    assert all(state in (states[0], states[-1]) for state in states)
    assert ".raw/tape study.md" in states[-1]
