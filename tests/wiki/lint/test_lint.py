"""Lint finds what is wrong, says it in every format, and repairs only what has one right answer."""

import json
from collections.abc import Callable, Mapping
from datetime import UTC

import pytest

from lith.errors import UsageError
from lith.wiki.errors import PlanStale
from lith.wiki.fold.apply import apply_fold
from lith.wiki.fold.plan import plan_fold
from lith.wiki.lint.fix import apply_fix, plan_fix
from lith.wiki.lint.formats import FORMATS, format_report
from lith.wiki.lint.run import lint_vault
from lith.wiki.vault import Vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]
ReadTree = Callable[[Vault], dict[str, bytes]]


def rules(vault: Vault) -> list[tuple[str, str]]:
    return [(item.rule, item.path) for item in lint_vault(vault, zone=UTC).items]


def test_a_clean_vault_has_no_findings(make_vault: MakeVault) -> None:
    vault = make_vault({"wiki/index.md": "[[A]]", "wiki/A.md": "[[B]]", "wiki/B.md": "[[A]] [out](https://example.org)"})
    report = lint_vault(vault)
    assert (report.items, report.exit_status, report.pages) == ([], 0, 3)


def test_links_and_names(make_vault: MakeVault) -> None:
    vault = make_vault({
        "a.md": "[[Fooo]] [[T]] ![[none.png]] if [[ -f x ]] [m](gone.md)\n[[Foo]] [[kebab-case]] [[a-b]]",
        "Foo.md": '---\nup: "[[Missing]]"\n---\n[[a]]', "x/T.md": "[[a]]", "y/T.md": "[[x/T]] [[y/T]]", "kebab-case.md": "",
        "Kebab Case.md": "", "l.md": "[[l]]",
    })  # fmt: skip
    found = rules(vault)
    assert found.count(("dead-link", "a.md")) == 4
    assert ("dead-link", "Foo.md") in found
    assert ("ambiguous-link", "a.md") in found
    assert [path for rule, path in found if rule == "ambiguous-name"] == ["x/T.md", "y/T.md"]
    assert [path for rule, path in found if rule == "twin-pages"] == ["Kebab Case.md", "kebab-case.md"]
    assert [path for rule, path in found if rule == "orphan"] == ["Kebab Case.md", "l.md", "y/T.md"]
    dead = next(item for item in lint_vault(vault).items if "Fooo" in item.message)
    assert (dead.line, dead.hint) == (1, "the closest page is Foo.md")


def test_headings_that_a_page_does_not_have(make_vault: MakeVault) -> None:
    vault = make_vault({
        "a.md": "# A\n\n## One, two!\n\n## Über **uns**\n\n[[#one two]] [[#Three]] [[b]]",
        "b.md": "[[a#One, two!]] [[a#A#one two]] [[a#A#Four]] [[a#^block]] [m](a.md#one-two) [m](a.md#five) [[a#\u00fcber uns|us]] ![[a#Six]]",
    })  # fmt: skip
    found = [(item.path, item.line, item.message) for item in lint_vault(vault).items if item.rule == "dead-heading"]
    assert sorted(found) == sorted(
        [
            ("a.md", 7, "[[#Three]]: this page has no heading 'Three'"),
            ("b.md", 1, "[[a#A#Four]]: a.md has no heading 'Four'"),
            ("b.md", 1, "[\u2026](a.md#five): a.md has no heading 'five'"),
            ("b.md", 1, "![[a#Six]]: a.md has no heading 'Six'"),
        ]
    )
    assert lint_vault(vault).errors == 0


def test_headings_of_a_page_that_cannot_be_read_are_not_judged(make_vault: MakeVault) -> None:
    vault = make_vault({"a.md": b"# A\xff\n", "b.md": "[[a#B]]"})
    assert ("dead-heading", "b.md") not in rules(vault)


def test_pages_and_paths(make_vault: MakeVault, tmp_path: object) -> None:
    vault = make_vault({
        "index.md": "[[broken]] [[two]] [[date]] [[latin]] [[CON]] [[What?]]",
        "broken.md": "---\na: [\n---\n", "two.md": "---\na: 1\n---\n---\nb: 2\n---\n", "date.md": "---\ncreated: next week\n---\n",
        "latin.md": b"\xe9", "CON.md": "", "What?.md": "",
    })  # fmt: skip
    (vault.root / "link.md").symlink_to(vault.root / "two.md")
    assert {(rule, path) for rule, path in rules(vault)} == {
        ("broken-frontmatter", "broken.md"), ("second-frontmatter", "two.md"), ("bad-date", "date.md"), ("not-utf8", "latin.md"),
        ("unsafe-name", "CON.md"), ("unsafe-name", "What?.md"), ("refused-path", "link.md"),
    }  # fmt: skip


def test_missing_addresses_by_age(make_vault: MakeVault) -> None:
    vault = make_vault({
        ".vault-meta/legacy-pages.txt": "# rollout: 2026-06-01\nexcused.md\n",
        "index.md": "[[new]] [[old]] [[excused]]",
        "new.md": "---\ncreated: 2026-06-02\n---\n", "old.md": "---\ncreated: 2026-05-31\n---\n",
        "excused.md": "---\ncreated: 2026-06-09\n---\n",
    })  # fmt: skip
    report = lint_vault(vault, zone=UTC)
    assert [(item.rule, item.path, item.severity) for item in report.items] == [
        ("legacy-address", "excused.md", "info"), ("missing-address", "new.md", "error"), ("legacy-address", "old.md", "info"),
    ]  # fmt: skip
    assert report.exit_status == 1


def test_state_files(make_vault: MakeVault) -> None:
    vault = make_vault({
        ".vault-meta/address-counter.txt": "1\n", ".raw/.manifest.json": '{"sources": {".raw/x.md": {"hash": "a"}}, "address_map": {}}',
        ".vault-meta/fold-ledger.json": "{", "a.md": "---\naddress: c-000005\n---\n[[b]]", "b.md": "---\naddress: c-000005\n---\n[[a]]",
    })  # fmt: skip
    assert {rule for rule, _ in rules(vault)} == {"counter-drift", "source-drift", "bad-state", "duplicate-address"}


def test_stale_folds(make_vault: MakeVault, now: int) -> None:
    entries = "".join(f"\n## [2026-01-0{day}] save | E{day}\n- wrote {day} [[A]]\n" for day in range(1, 5))
    vault = make_vault({"log.md": "# Log\n" + entries, "A.md": "[[A]]", "index.md": "[[A]]"})
    fold = apply_fold(vault, plan_fold(vault, exponent=1), now=now).folds
    assert rules(vault) == []
    log = vault.root / "log.md"
    log.write_text(log.read_text().replace("- wrote 2", "- wrote two"))
    assert [rule for rule, _ in rules(vault)] == ["stale-fold"]
    page = vault.root / "folds" / f"{fold[1]}.md"
    page.write_text(page.read_text().replace("wrote 3", "wrote 33"))
    assert {rule for rule, path in rules(vault) if fold[1] in path} == {"unsound-fold", "stale-fold"}
    page.unlink()
    assert ("stale-fold", f"folds/{fold[1]}.md") in rules(vault)


def test_an_edited_higher_fold_is_judged_by_its_children(make_vault: MakeVault, now: int) -> None:
    entries = "".join(f"\n## [2026-01-0{day}] save | E{day}\n- wrote {day} [[A]]\n" for day in range(1, 5))
    vault = make_vault({"log.md": "# Log\n" + entries, "A.md": "[[A]]", "index.md": "[[A]]"})
    top = apply_fold(vault, plan_fold(vault, exponent=1), now=now).folds[-1]
    page = vault.root / "folds" / f"{top}.md"
    page.write_text(page.read_text() + "\n")
    assert rules(vault) == [("stale-fold", f"folds/{top}.md")]


@pytest.mark.parametrize("form", list(FORMATS))
def test_formats_carry_every_finding(make_vault: MakeVault, form: str) -> None:
    vault = make_vault({"a,b:c %.md": "[[Gone\x1b7]]\n[[Nope]]", "index.md": "[[a,b:c %]]"})
    report = lint_vault(vault)
    text = format_report(report, form, version="1.2.3")
    assert len(report.items) == 3
    if form == "json":
        assert [item["rule"] for item in json.loads(text)["items"]] == [item.rule for item in report.items]
    elif form == "sarif":
        run = json.loads(text)["runs"][0]
        assert [result["ruleId"] for result in run["results"]] == [item.rule for item in report.items]
        assert run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "a%2Cb%3Ac%20%25.md"
        assert all(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] for result in run["results"])
    elif form == "github":
        assert text.splitlines()[0].startswith("::error file=a%2Cb%3Ac %25.md,line=1,title=dead-link::")
    else:
        assert "\x1b" not in text
        assert text.endswith("2 pages: 2 errors, 1 warnings, 0 notes\n")


def test_an_unknown_format_is_named(make_vault: MakeVault) -> None:
    with pytest.raises(UsageError, match="xml"):
        format_report(lint_vault(make_vault({})), "xml")


def test_fix_repairs_only_what_has_one_answer(make_vault: MakeVault, now: int, read_tree: ReadTree) -> None:
    vault = make_vault({
        "a.md": "é [[foo-bar]] [[foo_bar#H|text]] ![[foo--bar]] [[Fo]] [[two-a]]\n\n| t |\n|---|\n| [[old-name]] |\n`[[foo-bar]]`",
        "Foo Bar.md": "---\naliases: [Old Name]\n---\n[[a]]", "two a.md": "[[a]]", "Two_A.md": "[[a]]",
    })  # fmt: skip
    before = read_tree(vault)
    plan = plan_fix(vault)
    assert read_tree(vault) == before
    assert [(item.line, item.before, item.after) for item in plan.items] == [
        (1, "[[foo-bar]]", "[[Foo Bar|foo-bar]]"), (1, "[[foo_bar#H|text]]", "[[Foo Bar#H|text]]"),
        (1, "![[foo--bar]]", "![[Foo Bar]]"), (5, "[[old-name]]", "[[Foo Bar\\|old-name]]"),
    ]  # fmt: skip
    apply_fix(vault, plan, now=now)
    assert (vault.root / "a.md").read_text() == (
        "é [[Foo Bar|foo-bar]] [[Foo Bar#H|text]] ![[Foo Bar]] [[Fo]] [[two-a]]\n\n| t |\n|---|\n| [[Foo Bar\\|old-name]] |\n`[[foo-bar]]`"
    )
    assert plan_fix(vault).items == []


def test_fix_brings_counter_manifest_and_lost_addresses_back(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({
        ".vault-meta/address-counter.txt": "2\n",
        ".raw/.manifest.json": '{"sources": {}, "address_map": {"old.md": "c-000007", "lost.md": "c-000003"}}',
        "new.md": "---\naddress: c-000007\n---\n[[lost]]", "lost.md": "[[new]]",
    })  # fmt: skip
    plan = plan_fix(vault)
    apply_fix(vault, plan, now=now)
    assert rules(vault) == []
    assert (vault.root / ".vault-meta/address-counter.txt").read_text() == "8\n"
    assert (vault.root / "lost.md").read_text() == "---\naddress: c-000003\n---\n[[new]]"


def test_a_stale_fix_writes_nothing(make_vault: MakeVault, now: int, read_tree: ReadTree) -> None:
    vault = make_vault({"a.md": "[[foo-bar]]", "Foo Bar.md": "[[a]]"})
    plan = plan_fix(vault)
    (vault.root / "a.md").write_text("[[foo-bar]] and more")
    before = read_tree(vault)
    with pytest.raises(PlanStale):
        apply_fix(vault, plan, now=now)
    assert read_tree(vault) == before
