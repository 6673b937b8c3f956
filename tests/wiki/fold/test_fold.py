"""Folds: every entry once per level, byte for byte the same, and gone without a trace when undone."""

import random
import runpy
import shutil
import subprocess
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

import pytest

from lith.errors import UsageError
from lith.wiki.address_checks import resolve_address
from lith.wiki.errors import FoldInUse, PlanStale
from lith.wiki.fold.apply import apply_fold, apply_undo, plan_undo
from lith.wiki.fold.checks import check_fold, keep_cited
from lith.wiki.fold.ledger import read_ledger
from lith.wiki.fold.pages import Child
from lith.wiki.fold.plan import foldable_entries, plan_fold
from lith.wiki.snapshot import load
from lith.wiki.vault import Vault, find_vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]
ReadTree = Callable[[Vault], dict[str, bytes]]
KILLING = runpy.run_path(str(Path(__file__).parents[1] / "killing.py"))
run_until_killed: Callable[[Callable[[], object], int], bool] = KILLING["run_until_killed"]


def entry(day: int, number: int, *bullets: str, op: str = "ingest") -> str:
    lines = "".join(f"- {bullet}\n" for bullet in bullets)
    return f"## [2026-{1 + day // 28:02d}-{1 + day % 28:02d}] {op} | Entry {number}\n{lines}"


def log(count: int, *, per_day: int = 3, newest_first: bool = False) -> str:
    entries = [
        entry(at // per_day, at, f"Wrote [[Page {at % 7}]] with {at} facts.", f"Decision: keep variant {at}.")
        for at in range(count)
    ]
    if newest_first:
        entries.reverse()
    return "# Log\n\n" + "\n".join(entries)


def pages() -> dict[str, str | bytes]:
    return {f"wiki/Page {at}.md": f"---\naddress: c-{at + 1:06d}\n---\n" for at in range(7)}


def run(vault: Vault, now: int, **options: bool | int) -> list[str]:
    return apply_fold(vault, plan_fold(vault, **options), now=now).folds  # type: ignore[arg-type]


def assert_once_per_level(vault: Vault) -> None:
    ledger = read_ledger(vault)
    entries = {item.id for item in foldable_entries(load(vault))}
    below: set[str] = entries
    for level in range(1, ledger.depth() + 1):
        children = [child for fold in ledger.folds if fold.level == level for child in fold.children]
        assert len(children) == len(set(children))
        assert set(children) <= below
        below = {fold.id for fold in ledger.folds if fold.level == level}


def test_a_batch_becomes_a_page_an_index_line_a_log_entry_and_a_ledger_line(
    make_vault: MakeVault, now: int, read_tree: ReadTree
) -> None:
    vault = make_vault({"wiki/log.md": log(20), "wiki/index.md": "# Index\n", **pages()})
    before = read_tree(vault)
    plan = plan_fold(vault)
    assert read_tree(vault) == before
    done = apply_fold(vault, plan, now=now)
    after = read_tree(vault)
    assert sorted(set(after) - set(before)) == [".vault-meta/fold-ledger.json", f"wiki/folds/{done.folds[0]}.md"]
    assert [path for path in before if before[path] != after[path]] == ["wiki/index.md", "wiki/log.md"]
    text = after[f"wiki/folds/{done.folds[0]}.md"].decode()
    assert "level: 1" in text
    assert text.count("\n| [[wiki/log#") == 16
    assert "Decision: keep variant 3." in text
    assert after["wiki/index.md"].decode().startswith("# Index\n\n## Folds\n\n- [[fold-L1-k4-from-2026-01-01-to-2026-01-06-n16-")
    assert b"## [2026-01-06] fold | Level 1, 16 entries" in after["wiki/log.md"]
    assert plan.unfolded == {0: 4, 1: 1}


def test_a_second_run_is_a_no_op_and_a_repeated_one_is_byte_identical(
    make_vault: MakeVault, now: int, read_tree: ReadTree, tmp_path: Path
) -> None:
    vault = make_vault({"wiki/log.md": log(40), **pages()})
    shutil.copytree(vault.root, tmp_path / "twin")
    twin = find_vault(tmp_path / "twin")
    run(vault, now)
    first = read_tree(vault)
    assert run(vault, now + 86_400_000 * 400) == []
    assert read_tree(vault) == first
    run(twin, now + 86_400_000 * 400)
    assert read_tree(twin) == first


def test_the_order_of_the_file_changes_no_fold(make_vault: MakeVault, tmp_path: Path) -> None:
    text = log(40)
    parts = text.split("\n## ")
    random.Random(7).shuffle(rest := parts[1:])
    straight = make_vault({"wiki/log.md": text, **pages()})
    other = tmp_path / "shuffled" / "wiki"
    other.mkdir(parents=True)
    (other / "log.md").write_text("\n## ".join([parts[0], *rest]))
    for name, content in pages().items():
        (tmp_path / "shuffled" / name).write_text(str(content))
    assert [fold.text for fold in plan_fold(straight).folds] == [
        fold.text for fold in plan_fold(find_vault(tmp_path / "shuffled")).folds
    ]


@pytest.mark.parametrize("newest_first", [False, True])
@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
@pytest.mark.parametrize(
    "index", [None, "# Index", "# Index\n\n## Folds\n\n- [[Own]]\n\n## Pages\n- [[Page 1]]\n", "# I\r\n\r\n## Pages\r\n"]
)
def test_undo_restores_the_tree(
    make_vault: MakeVault, now: int, read_tree: ReadTree, newest_first: bool, end: str, index: str | None
) -> None:
    files: dict[str, str | bytes] = {"wiki/log.md": log(37, newest_first=newest_first).rstrip("\n") + end, **pages()}
    if index is not None:
        files["wiki/index.md"] = index.encode()
    vault = make_vault(files)
    before = read_tree(vault)
    run(vault, now, exponent=2, everything=True)
    assert len(read_ledger(vault).folds) > 10
    apply_undo(vault, plan_undo(vault, everything=True), now=now)
    assert read_tree(vault) == before


def test_folds_are_undone_from_the_top(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"wiki/log.md": log(8), **pages()})
    folds = run(vault, now, exponent=2, everything=True)
    assert [fold[:7] for fold in folds] == ["fold-L1", "fold-L1", "fold-L2"]
    with pytest.raises(FoldInUse):
        plan_undo(vault, ["f1.1"])
    apply_undo(vault, plan_undo(vault, ["f2.1"]), now=now)
    apply_undo(vault, plan_undo(vault, ["f1.1"]), now=now)
    assert [fold.ordinal for fold in read_ledger(vault).folds] == [2]
    with pytest.raises(UsageError):
        plan_undo(vault, ["f1.1"])
    assert run(vault, now, exponent=2, everything=True) == [folds[0], folds[2]]


def test_an_edited_fold_is_not_removed(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"wiki/log.md": log(4), **pages()})
    fold = run(vault, now, exponent=2)[0]
    with (vault.root / "wiki/folds" / f"{fold}.md").open("a") as file:
        file.write("my own words")
    with pytest.raises(FoldInUse, match="edited"):
        plan_undo(vault, ["f1.1"])


def test_levels_stack_and_cover_everything(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"wiki/log.md": log(70, per_day=70), **pages()})
    run(vault, now, exponent=2, everything=True)
    ledger = read_ledger(vault)
    assert [len(ledger.at_level(level)) for level in range(1, ledger.depth() + 1)] == [18, 5, 2, 1]
    assert_once_per_level(vault)
    assert {child for fold in ledger.at_level(1) for child in fold.children} == {
        item.id for item in foldable_entries(load(vault))
    }
    assert len({fold.id for fold in ledger.folds}) == len(ledger.folds)


def test_batches_of_one_busy_day_never_share_an_id(make_vault: MakeVault, now: int) -> None:
    twins = "# Log\n\n" + "\n".join(entry(0, 1, "the same words") for _ in range(64))
    vault = make_vault({"wiki/log.md": twins})
    folds = run(vault, now)
    assert len(folds) == len(set(folds)) == 4
    assert_once_per_level(vault)


def test_folding_as_the_log_grows_folds_every_entry_once(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"wiki/log.md": "# Log\n", **pages()})
    place = vault.root / "wiki/log.md"
    for round_ in range(9):
        with place.open("a") as file:
            file.write("\n" + "\n".join(entry(round_, round_ * 10 + at, f"did {at}") for at in range(5)))
        run(vault, now, exponent=2, everything=round_ % 3 == 2)
        assert_once_per_level(vault)
    ledger = read_ledger(vault)
    assert len(ledger.folded(1)) == 45
    assert ledger.depth() <= 6
    assert all("fold |" not in fold.children[0] for fold in ledger.folds)


def test_an_edited_entry_is_still_the_entry_that_was_folded(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"wiki/log.md": log(4), **pages()})
    run(vault, now, exponent=2)
    place = vault.root / "wiki/log.md"
    place.write_text(place.read_text().replace("with 2 facts", "with two facts"))
    assert plan_fold(vault, exponent=2, everything=True).folds == []


@pytest.mark.parametrize(("total", "depth"), [(0, 0), (1, 0), (2, 1), (3, 2), (5, 3), (9, 4)])
def test_depth_is_bounded_by_the_logarithm(make_vault: MakeVault, now: int, total: int, depth: int) -> None:
    vault = make_vault({"wiki/log.md": log(total), **pages()})
    run(vault, now, exponent=1, everything=True)
    assert read_ledger(vault).depth() == depth


def test_open_questions_and_contradictions_are_quoted_with_their_entries(make_vault: MakeVault) -> None:
    vault = make_vault({
        "wiki/log.md": "# Log\n\n" + "\n".join([
            entry(0, 1, "[[Page 1]] has 140 rows", "Is that all?"),
            entry(1, 2, "[[Page 1]] has 150 rows", "TODO: count again"),
            entry(2, 3, "Status of [[Page 2]]: done"),
            entry(3, 4, "Status of [[Page 2]]: open"),
        ]),
        **pages(),
    })  # fmt: skip
    text = plan_fold(vault, exponent=2).folds[0].text
    assert text.count("> [!conflict]") == 2
    assert "> - [[Page 1]] has 140 rows ([[wiki/log#2026-01-01 ingest Entry 1|" in text
    assert "> - Status of [[Page 2]]: open ([[wiki/log#" in text
    assert "- Is that all? ([[wiki/log#" in text
    assert "## Themes" in text
    assert "addresses:\n  - c-000002\n  - c-000003" in text


def test_checks_find_what_no_child_says(make_vault: MakeVault) -> None:
    vault = make_vault({"wiki/log.md": log(4), **pages()})
    fold = plan_fold(vault, exponent=2).folds[0]
    sources = {item.id: item.text for item in foldable_entries(load(vault))}
    assert check_fold(fold.text, fold.children, sources) == []
    assert "number 99" in check_fold(fold.text.replace("with 3 facts", "with 99 facts"), fold.children, sources)[0]
    assert "cites no child" in check_fold(fold.text + "\n## Themes\n- [[Page 1]] matters\n", fold.children, sources)[0]
    lines = fold.text.splitlines(keepends=True)
    row = next(line for line in lines if line.startswith("| [[wiki/log#"))
    assert "the table has 3 children" in check_fold(fold.text.replace(row, ""), fold.children, sources)[0]


def test_prose_without_a_link_or_with_an_invented_number_is_dropped() -> None:
    kept = keep_cited(
        "The team wrote 3 pages [[log#a]]. Everything is fine. They wrote 5 pages [[log#a]]. See [[elsewhere]]. It rests. ([[log#b]])",
        {"a": "log#a", "b": "log#b"},
        {"a": "3 pages", "b": "rests"},
    )
    assert kept == ["The team wrote 3 pages . ([[log#a|a]])", "It rests. ([[log#b|b]])"]


class _Prose:
    def write(self, children: Sequence[Child]) -> str:
        return f"Work began [[{children[0].link}]]. Invented words."


def test_a_writer_fills_the_summary(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"wiki/log.md": log(4), **pages()})
    plan = plan_fold(vault, exponent=2, writer=_Prose())
    assert "## Summary\n\n- Work began" in plan.folds[0].text
    assert "Invented" not in plan.folds[0].text
    apply_fold(vault, plan, now=now)


def test_a_log_that_moved_on_makes_the_plan_stale(make_vault: MakeVault, now: int, read_tree: ReadTree) -> None:
    vault = make_vault({"wiki/log.md": log(4), **pages()})
    plan = plan_fold(vault, exponent=2)
    with (vault.root / "wiki/log.md").open("a") as file:
        file.write("\n## [2026-03-01] save | More\n")
    before = read_tree(vault)
    with pytest.raises(PlanStale):
        apply_fold(vault, plan, now=now)
    assert read_tree(vault) == before


def test_folds_of_a_page_are_part_of_its_longer_address(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"wiki/log.md": log(8), **pages()})
    run(vault, now, exponent=2)
    found = resolve_address(vault, "c-000002")
    assert found.folded == "f1.1/c-000002"
    assert resolve_address(vault, "f1.1/c-000002").path == "wiki/Page 1.md"


def test_git_holds_the_files_of_a_fold(make_vault: MakeVault, now: int, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"):
        monkeypatch.setenv(name, "a")
    for name in ("GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"):
        monkeypatch.setenv(name, "a@example.org")
    vault = make_vault({"wiki/log.md": log(4), **pages()})
    subprocess.run(["git", "init", "-q"], cwd=vault.root, check=True)
    done = apply_fold(vault, plan_fold(vault, exponent=2), now=now, git=True)
    shown = subprocess.run(
        ["git", "show", "--name-only", "--format="], cwd=vault.root, check=True, capture_output=True, text=True
    )
    assert sorted(shown.stdout.split()) == sorted(done.paths)


@pytest.mark.parametrize(
    "text",
    [
        "## [2026-01-01] a\n- `x\n- ```\n- [[b\n",
        "## [2026-01-01] a | b | c\n<!-- \n%% \n",
        "## [2026-01-01]|x\n$a$ \\| [[P|q]]\n",
    ],
)
def test_odd_entries_fold_soundly(make_vault: MakeVault, now: int, text: str) -> None:
    vault = make_vault({"wiki/log.md": "# Log\n" + text + entry(0, 1, "plain [[Page 1]]"), **pages()})
    run(vault, now, exponent=1, everything=True)
    assert read_ledger(vault).depth() <= 1


def test_a_log_of_thousands_is_covered_once_per_level(make_vault: MakeVault, now: int, read_tree: ReadTree) -> None:
    vault = make_vault({"wiki/log.md": log(5000, per_day=40), **pages()})
    before = read_tree(vault)
    run(vault, now, everything=True)
    ledger = read_ledger(vault)
    assert [len(ledger.at_level(level)) for level in range(1, ledger.depth() + 1)] == [313, 20, 2, 1]
    assert len(ledger.folded(1)) == 5000
    assert_once_per_level(vault)
    after = read_tree(vault)
    assert run(vault, now, everything=True) == []
    assert read_tree(vault) == after
    apply_undo(vault, plan_undo(vault, everything=True), now=now)
    assert read_tree(vault) == before


def test_a_kill_at_any_write_leaves_all_of_a_fold_or_nothing(make_vault: MakeVault, read_tree: ReadTree, tmp_path: Path) -> None:
    origin = make_vault({"wiki/log.md": log(4), "wiki/index.md": "# Index\n", **pages()})
    load(origin)
    states = []
    for limit in range(1, 80):
        root = tmp_path / f"copy{limit}"
        shutil.copytree(origin.root, root)
        copy = find_vault(root)
        plan = plan_fold(copy, exponent=2)
        killed = run_until_killed(partial(apply_fold, copy, plan, now=1), limit)
        vault = find_vault(root)
        load(vault)
        states.append(read_tree(vault))
        if not killed:
            break
    assert not killed
    assert all(state in (states[0], states[-1]) for state in states)
    assert states[0] == read_tree(origin)
    assert len(read_ledger(vault).folds) == 1
