"""Log entries and the hot page."""

from collections.abc import Callable, Mapping
from datetime import UTC

import pytest

from lith.errors import UsageError
from lith.wiki.errors import PlanStale
from lith.wiki.journal import HOT_WORDS, add_log, apply_hot, plan_hot
from lith.wiki.logbook import parse_log
from lith.wiki.vault import Vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]


def test_an_entry_is_added_where_the_log_grows(make_vault: MakeVault, now: int) -> None:
    vault = make_vault(
        {"wiki/log.md": "# Log\n\n## [2026-06-02] save | Two\n- x\n\n## [2026-06-01] save | One\n", "wiki/A.md": ""}
    )
    done = add_log(vault, "note", "Three | more", ["a\nb"], ["A"], now=now, zone=UTC)
    text = (vault.root / "wiki/log.md").read_text()
    assert text.startswith(
        "# Log\n\n## [2026-06-30] note | Three | more\n- Time: 2026-06-30T12:00:00Z\n- Pages: [[A]]\n- a b\n\n## [2026-06-02]"
    )
    assert done.id in {entry.id for entry in parse_log(text.encode())}


def test_a_log_that_grows_downwards_is_appended_to(make_vault: MakeVault, now: int) -> None:
    old = "# Log\r\n\r\n## [2026-06-01] save | One\r\n\r\n## [2026-06-02] save | Two\r\n- x"
    vault = make_vault({"wiki/log.md": old})
    add_log(vault, "note", "Three", now=now, zone=UTC)
    assert (
        vault.root / "wiki/log.md"
    ).read_bytes().decode() == old + "\r\n\r\n## [2026-06-30] note | Three\r\n- Time: 2026-06-30T12:00:00Z\r\n"


def test_a_missing_log_is_made(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"wiki/A.md": ""})
    add_log(vault, "note", "First", now=now, zone=UTC)
    add_log(vault, "note", "Second", now=now + 1000, zone=UTC)
    titles = [entry.title for entry in parse_log((vault.root / "wiki/log.md").read_bytes())]
    assert titles == ["Second", "First"] or titles == ["First", "Second"]


@pytest.mark.parametrize(("op", "title"), [("", "x"), ("a|b", "x"), ("fold", "x"), ("note", " "), ("a]", "x")])
def test_words_that_break_the_form_are_refused(make_vault: MakeVault, now: int, op: str, title: str) -> None:
    with pytest.raises(UsageError):
        add_log(make_vault({}), op, title, now=now)


def test_ids_are_stable_and_twins_differ() -> None:
    log = b"# L\n\n```\n## [2026-01-01] no | Entry\n```\n\n## [2026-01-01] save | A\n- x\n\n## [2026-01-01] save | A\n- x\n"
    one, two = parse_log(log)
    assert two.id == f"{one.id}-2"
    assert [entry.id for entry in parse_log(log.replace(b"\n", b"\r\n"))] == [one.id, two.id]
    moved = parse_log(b"# L\n\nmore\n\n## [2026-02-01] y | B\n" + log[5:])
    assert {one.id, two.id} < {entry.id for entry in moved}


def test_only_headings_that_begin_a_line_are_entries(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"log.md": "# Log\n"})
    add_log(vault, "note", "Real", ["## [2026-01-01] fake | Entry", "after"], now=now, zone=UTC)
    (entry,) = parse_log((vault.root / "log.md").read_bytes())
    assert (entry.title, entry.body.endswith("- after")) == ("Real", True)
    assert parse_log(b"> ## [2026-01-01] quoted | Entry\n") == []


def test_hot_is_deterministic_and_short(make_vault: MakeVault, now: int) -> None:
    entries = "".join(
        f"\n## [2026-06-{1 + at:02d}] save | Entry {at} {'word ' * 30}\n- Wrote [[Page {at}]]\n- What about {at}?\n"
        for at in range(28)
    )
    vault = make_vault({
        "wiki/log.md": "# Log\n" + entries, "wiki/hot.md": '---\ntype: meta\naliases: ["Hot Cache"]\n---\nold',
        **{f"wiki/Page {at}.md": f"---\nupdated: 2026-05-{1 + at:02d}\n---\n" for at in range(28)},
    })  # fmt: skip
    plan = plan_hot(vault)
    assert plan == plan_hot(vault)
    assert plan.words <= HOT_WORDS
    assert plan.text.startswith('---\ntype: meta\naliases: ["Hot Cache"]\n---\n\n# Hot\n\nAs of 2026-06-28.')
    assert "## Recent\n- 2026-06-28 save: Entry 27" in plan.text
    assert "- What about 27?" in plan.text
    apply_hot(vault, plan, now=now)
    assert plan_hot(vault).text == plan.text
    with pytest.raises(PlanStale):
        apply_hot(vault, plan_hot(make_vault({"wiki/hot.md": "x"})).__class__(plan.path, "y", 1, "0" * 64), now=now)


def test_hot_of_an_empty_vault(make_vault: MakeVault) -> None:
    assert "The log is empty." in plan_hot(make_vault({"wiki/A.md": ""})).text
