"""Addresses: unique, never reused, stable, and written without touching anything else of a page."""

import runpy
import shutil
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC
from functools import partial
from pathlib import Path

import pytest

from lith.errors import AmbiguousAddress, BadSelector
from lith.wiki.address import apply_backfill, assign_addresses, plan_backfill, rebuild_counters
from lith.wiki.address_checks import resolve_address, verify_addresses
from lith.wiki.errors import CounterBackwards, PageBroken, PageNotFound, PlanStale, VaultDamaged
from lith.wiki.manifest import read_manifest
from lith.wiki.snapshot import load
from lith.wiki.vault import Vault, find_vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]
ReadTree = Callable[[Vault], dict[str, bytes]]
KILLING = runpy.run_path(str(Path(__file__).with_name("killing.py")))
run_until_killed: Callable[[Callable[[], object], int], bool] = KILLING["run_until_killed"]
run_together: Callable[[Sequence[Callable[[], object]]], None] = KILLING["run_together"]
COUNTER = ".vault-meta/address-counter.txt"


def test_addresses_are_given_in_order_of_creation(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({
        "wiki/b.md": "---\ncreated: 2026-01-02\n---\nbody", "wiki/a.md": "---\ncreated: 2026-01-03\n---\n", "wiki/index.md": "",
    })  # fmt: skip
    done = assign_addresses(vault, now=now, zone=UTC)
    assert [(item.path, item.address) for item in done.items] == [("wiki/b.md", "c-000001"), ("wiki/a.md", "c-000002")]
    assert (vault.root / "wiki/b.md").read_text() == "---\ncreated: 2026-01-02\naddress: c-000001\n---\nbody"
    assert (vault.root / COUNTER).read_text() == "3\n"
    assert read_manifest(vault).address_map == {"wiki/b.md": "c-000001", "wiki/a.md": "c-000002"}
    assert assign_addresses(vault, now=now, zone=UTC).items == []


def test_a_page_keeps_its_address_through_edits_renames_and_moves(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": "x"})
    assign_addresses(vault, ["a.md"], now=now)
    (vault.root / "sub").mkdir()
    (vault.root / "a.md").rename(vault.root / "sub" / "B.md")
    (vault.root / "sub" / "B.md").write_text((vault.root / "sub" / "B.md").read_text() + "more")
    again = assign_addresses(vault, ["sub/B.md"], now=now)
    assert [(item.address, item.new) for item in again.items] == [("c-000001", False)]
    assert resolve_address(vault, "c-1").path == "sub/B.md"


def test_an_editor_that_saves_by_rename_changes_no_address(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": "x"})
    assign_addresses(vault, ["a.md"], now=now)
    fresh = vault.root / ".a.md.swp"
    fresh.write_text((vault.root / "a.md").read_text() + "edited")
    fresh.replace(vault.root / "a.md")
    assert assign_addresses(vault, ["a.md"], now=now).items[0].address == "c-000001"


def test_the_next_number_is_beyond_counter_manifest_and_pages(make_vault: MakeVault, now: int) -> None:
    vault = make_vault(
        {
            COUNTER: "7\n",
            ".raw/.manifest.json": '{"version": 1, "address_map": {"gone.md": "c-000041"}, "x": [1]}',
            "old.md": "---\naddress: c-000030\n---\n",
            "a.md": "",
        }
    )
    assert assign_addresses(vault, ["a.md"], now=now).items[0].address == "c-000042"
    assert read_manifest(vault).document["x"] == [1]
    assert (vault.root / COUNTER).read_text() == "43\n"


def test_a_lost_counter_repeats_no_address(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": "", "b.md": "", "c.md": ""})
    assign_addresses(vault, ["a.md", "b.md"], now=now)
    (vault.root / COUNTER).unlink()
    (vault.root / "b.md").unlink()
    assert assign_addresses(vault, ["c.md"], now=now).items[0].address == "c-000003"


def test_a_counter_that_is_no_number_stops_and_can_be_rebuilt(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({COUNTER: "many\n", "a.md": "---\naddress: c-000009\n---\n", "b.md": ""})
    with pytest.raises(VaultDamaged):
        assign_addresses(vault, ["b.md"], now=now)
    assert [(done.kind, done.before, done.after) for done in rebuild_counters(vault, now=now)] == [("c", None, 10)]
    assert assign_addresses(vault, ["b.md"], now=now).items[0].address == "c-000010"


def test_a_rebuild_never_goes_backwards(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({COUNTER: "50\n", "a.md": "---\naddress: c-000009\n---\n"})
    with pytest.raises(CounterBackwards):
        rebuild_counters(vault, now=now)
    assert (vault.root / COUNTER).read_text() == "50\n"


def test_a_page_made_again_gets_its_address_back(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": "x", "b.md": ""})
    assign_addresses(vault, ["a.md"], now=now)
    (vault.root / "a.md").unlink()
    assign_addresses(vault, ["b.md"], now=now)
    (vault.root / "a.md").write_text("made again")
    assert assign_addresses(vault, ["a.md"], now=now).items[0].address == "c-000001"


def test_an_address_that_moved_is_not_given_twice(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": "x"})
    assign_addresses(vault, ["a.md"], now=now)
    (vault.root / "a.md").rename(vault.root / "b.md")
    (vault.root / "a.md").write_text("another page")
    assert assign_addresses(vault, ["a.md"], now=now).items[0].address == "c-000002"


def test_broken_pages_are_skipped_or_refused_and_stay(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"bad.md": "---\na: [\n---\nx", "good.md": "x"})
    done = assign_addresses(vault, now=now)
    assert ([item.path for item in done.items], [item.path for item in done.skipped]) == (["good.md"], ["bad.md"])
    with pytest.raises(PageBroken):
        assign_addresses(vault, ["bad.md"], now=now)
    assert (vault.root / "bad.md").read_text() == "---\na: [\n---\nx"


def test_numbers_grow_beyond_six_digits(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({COUNTER: "1000000\n", "a.md": ""})
    assert assign_addresses(vault, ["a.md"], now=now).items[0].address == "c-1000000"


def test_backfill_orders_legacy_pages_and_leaves_the_rest(make_vault: MakeVault, now: int, read_tree: ReadTree) -> None:
    vault = make_vault(
        {
            ".vault-meta/legacy-pages.txt": "# rollout: 2026-06-01\nwiki/named.md\n",
            "wiki/z.md": "---\ncreated: 2026-01-01\n---\n",
            "wiki/a.md": "---\ncreated: 2026-02-01\n---\n",
            "wiki/named.md": "---\ncreated: 2026-06-20\n---\n",
            "wiki/new.md": "---\ncreated: 2026-06-21\n---\n",
        }
    )
    before = read_tree(vault)
    plan = plan_backfill(vault, zone=UTC)
    assert read_tree(vault) == before
    assert [(item.path, item.address) for item in plan.items] == [
        ("wiki/z.md", "l-000001"), ("wiki/a.md", "l-000002"), ("wiki/named.md", "l-000003"),
    ]  # fmt: skip
    apply_backfill(vault, plan, now=now)
    assert resolve_address(vault, "l-000002").path == "wiki/a.md"
    assert plan_backfill(vault, zone=UTC).items == []
    assert [item.address for item in assign_addresses(vault, now=now, zone=UTC).items] == ["c-000001"]


def test_a_stale_backfill_writes_nothing(make_vault: MakeVault, now: int, read_tree: ReadTree) -> None:
    vault = make_vault({"a.md": "---\ncreated: 2026-01-01\n---\n", "b.md": "---\ncreated: 2026-01-01\n---\n"})
    plan = plan_backfill(vault, zone=UTC)
    (vault.root / "b.md").write_text("edited")
    before = read_tree(vault)
    with pytest.raises(PlanStale):
        apply_backfill(vault, plan, now=now)
    assert read_tree(vault) == before


def test_the_spellings_of_an_address(make_vault: MakeVault, now: int) -> None:
    vault = make_vault(
        {"a.md": "---\naddress: c-000042\n---\nbody", "b.md": "---\naddress: c-000043\n---\n", "c.md": "see c-000042:h00000"}
    )
    found = resolve_address(vault, "c-42")
    assert (found.path, found.stale, found.folded) == ("a.md", False, None)
    assert resolve_address(vault, found.hashed).stale is False
    assert resolve_address(vault, "c-000042:h00000").stale is True
    with pytest.raises(AmbiguousAddress, match="c-000042, c-000043"):
        resolve_address(vault, "c-00004")
    with pytest.raises(BadSelector):
        resolve_address(vault, "x-1")
    with pytest.raises(PageNotFound):
        resolve_address(vault, "c-000099")
    assert [(issue.rule, issue.path) for issue in verify_addresses(vault).issues if issue.rule == "stale-hash"] == [
        ("stale-hash", "c.md")
    ]


def test_verify_names_what_is_wrong(make_vault: MakeVault) -> None:
    vault = make_vault({
        COUNTER: "2\n",
        ".raw/.manifest.json": '{"address_map": {"old.md": "c-000007", "b.md": "c-000004"}}',
        "a.md": "---\naddress: c-000003\n---\n", "b.md": "---\naddress: c-000003\n---\n", "c.md": "---\naddress: c-7\n---\n",
        "d.md": "---\naddress: c-000007\n---\n",
    })  # fmt: skip
    issues = {(issue.rule, issue.path) for issue in verify_addresses(vault).issues}
    assert issues == {
        ("duplicate-address", "b.md"), ("bad-address", "c.md"), ("counter-drift", COUNTER), ("manifest-drift", "b.md"),
        ("manifest-drift", "d.md"),
    }  # fmt: skip


def test_a_damaged_manifest_stops_everything(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({".raw/.manifest.json": "{", "a.md": "x"})
    with pytest.raises(VaultDamaged):
        assign_addresses(vault, ["a.md"], now=now)
    assert (vault.root / "a.md").read_text() == "x"


def allocate(root: Path, mine: list[str]) -> None:
    for page in mine:
        assign_addresses(find_vault(root), [page], now=1)


def test_sixteen_processes_at_once_never_share_an_address(make_vault: MakeVault) -> None:
    pages = [f"p{number:02d}.md" for number in range(64)]
    vault = make_vault(dict.fromkeys(pages, "x"))
    run_together([partial(allocate, vault.root, pages[at::16]) for at in range(16)])
    addresses = [f"c-{number:06d}" for number in range(1, 65)]
    assert sorted(facts.address for facts in load(vault).pages.values()) == addresses
    assert sorted(read_manifest(vault).address_map.values()) == addresses
    assert verify_addresses(vault).issues == []


STYLES = {
    "concepts/Backups 3-2-1.md": '---\ntype: concept\ntitle: "Backups: 3-2-1"\naliases:\n  - "3-2-1"\ncreated: 2026-01-02\n---\n\n# Backups\n[[Tape]]\n',
    "concepts/Tape.md": "---\r\ntype: concept\r\ncreated: '2026-01-03'\r\n---\r\nbody\r\n",
    "entities/Café 🎉.md": "\ufeff---\ntype: entity\ntags: [a, b]   # two\n---\nbody",
    "entities/Block.md": "---\nsummary: |\n  one\n  ---\n  two\ncreated: 2026/01/04\n---\n",
    "entities/Keep.md": "---\nsummary: |+\n  one\n\n\n---\nbody\n\n\n",
    "entities/Dots.md": "---\ntype: entity\n...\n---\nnot a key: 1\n---\n",
    "entities/Indented.md": "---\n  type: entity\n  title: in\n---\nx",
    "entities/Comment.md": "---\n# nothing yet\n---\nx",
    "entities/Spaces.md": "---  \ntype: entity\t\n---\t\nx",
    "entities/Folded.md": "---\ntitle: a plain scalar\n  over two lines\n---\n",
    "entities/Last.md": "---\ntype: entity\n---",
}


def test_every_style_of_page_changes_by_one_line(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({f"wiki/{path}": text for path, text in STYLES.items()})
    before = {path: (vault.root / "wiki" / path).read_bytes() for path in STYLES}
    done = assign_addresses(vault, now=now)
    assert len(done.items) == len(STYLES)
    for item in done.items:
        old = before[item.path.removeprefix("wiki/")].splitlines(keepends=True)
        new = (vault.root / item.path).read_bytes().splitlines(keepends=True)
        added = [line for line in new if line.strip() == f"address: {item.address}".encode()]
        assert len(added) == 1
        new.remove(added[0])
        assert new == old


def test_a_kill_at_any_write_gives_no_address_twice(make_vault: MakeVault, tmp_path: Path, read_tree: ReadTree) -> None:
    origin = make_vault({"a.md": "---\ntype: x\n---\na", "b.md": "b", COUNTER: "5\n"})
    old = read_tree(origin)
    states = []
    for limit in range(1, 80):
        root = tmp_path / f"copy{limit}"
        shutil.copytree(origin.root, root)
        killed = run_until_killed(partial(assign_addresses, find_vault(root), ["a.md", "b.md"], now=1), limit)
        vault = find_vault(root)
        load(vault)
        states.append(read_tree(vault))
        assert verify_addresses(vault).issues == []
        if not killed:
            break
    new = states[-1]
    assert not killed
    assert new["a.md"] == b"---\ntype: x\naddress: c-000005\n---\na"
    assert all(state in (old, new) for state in states)
    assert any(state == old for state in states)
    assert sum(state == new for state in states) > 3
