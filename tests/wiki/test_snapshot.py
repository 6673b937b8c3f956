"""A vault is read once; a second run over it opens no page."""

import os
import subprocess
from collections.abc import Callable, Mapping
from datetime import UTC, date

from lith.wiki.cache import cache_path
from lith.wiki.page import MAX_PAGE
from lith.wiki.snapshot import load
from lith.wiki.vault import Vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]


def test_a_second_run_reads_no_page(make_vault: MakeVault) -> None:
    vault = make_vault({"a.md": "[[b]]", "b.md": "---\naliases: [x]\n---\n"})
    first = load(vault)
    for page in vault.root.glob("*.md"):
        page.chmod(0o000)  # a run that opened a page would refuse it
    second = load(vault)
    assert (first.pages_read, second.pages_read) == (2, 0)
    assert second.pages == first.pages
    assert second.refused == []


def test_an_edit_a_rename_and_a_deletion_are_seen(make_vault: MakeVault) -> None:
    vault = make_vault({"a.md": "[[b]]", "b.md": "", "c.md": ""})
    load(vault)
    (vault.root / "a.md").write_text("[[c]] and more")
    (vault.root / "b.md").rename(vault.root / "d.md")
    (vault.root / "c.md").unlink()
    again = load(vault)
    assert (sorted(again.pages), again.pages_read) == (["a.md", "d.md"], 2)
    assert again.pages["d.md"].title == "d"
    assert load(vault).pages_read == 0


def test_a_damaged_cache_is_rebuilt(make_vault: MakeVault) -> None:
    vault = make_vault({"a.md": "[[b]]"})
    load(vault)
    cache_path(vault).write_bytes(b"not a database" * 100)
    assert load(vault).pages_read == 1
    assert load(vault).pages_read == 0


def test_the_cache_keeps_itself_out_of_git(make_vault: MakeVault) -> None:
    vault = make_vault({"a.md": ""})
    load(vault)
    assert (cache_path(vault).parent / ".gitignore").read_text() == "*\n"
    assert load(vault, use_cache=False).pages_read == 1


def test_dates_fall_back_to_git_and_then_to_the_file(make_vault: MakeVault) -> None:
    vault = make_vault({"named.md": "---\ncreated: 2026-01-02\n---\n", "committed.md": "", "loose.md": ""})
    environment = {
        **os.environ, "GIT_AUTHOR_DATE": "2026-02-03T12:00:00Z", "GIT_COMMITTER_DATE": "2026-02-03T12:00:00Z",
        "GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org",
        "GIT_CONFIG_GLOBAL": os.devnull,
    }  # fmt: skip
    for argv in (["init", "-q"], ["add", "committed.md"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *argv], cwd=vault.root, check=True, env=environment)
    os.utime(vault.root / "loose.md", ns=(0, int(1_772_500_000 * 1e9)))
    snapshot = load(vault)
    assert snapshot.updated("named.md", UTC) == date(2026, 1, 2)
    assert snapshot.updated("committed.md", UTC) == date(2026, 2, 3)
    assert snapshot.created("committed.md", UTC) == date(2026, 2, 3)
    assert snapshot.updated("loose.md", UTC) == date(2026, 3, 3)


def test_pages_about_the_wiki_itself(make_vault: MakeVault) -> None:
    vault = make_vault({
        "wiki/index.md": "", "wiki/x/_index.md": "", "wiki/folds/f.md": "", "wiki/meta/m.md": "", "wiki/Wiki Map.md": "",
        "wiki/t.md": "---\ntype: [fold]\n---\n", "wiki/Page.md": "", "wiki/deep/meta.md": "",
    })  # fmt: skip
    assert load(vault).content == ["wiki/Page.md", "wiki/deep/meta.md"]


def test_a_huge_page_and_a_binary_page_are_problems(make_vault: MakeVault) -> None:
    vault = make_vault(
        {"huge.md": b"x" * (MAX_PAGE + 5), "latin.md": b"caf\xe9 [[x]]", "utf16.md": "\ufeff[[x]]".encode("utf-16")}
    )
    snapshot = load(vault)
    rules = {path: [problem.rule for problem in facts.problems] for path, facts in snapshot.pages.items()}
    assert rules == {"huge.md": ["page-too-large"], "latin.md": ["not-utf8"], "utf16.md": ["not-utf8"]}
    assert all(facts.links == [] and facts.broken for facts in snapshot.pages.values())
