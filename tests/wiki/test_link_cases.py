"""Every case that a vault parser must get right: links of a body, their meaning, and frontmatter."""

import unicodedata
from collections.abc import Callable, Mapping
from datetime import UTC, date, timedelta, timezone

import pytest

from lith.wiki.dates import read_day
from lith.wiki.links import looks_like_name
from lith.wiki.page import Facts, read_page
from lith.wiki.resolve import AMBIGUOUS, DEAD, FILE, PAGE
from lith.wiki.snapshot import Snapshot, load
from lith.wiki.vault import Vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]


def page(body: str | bytes) -> Facts:
    return read_page(body.encode() if isinstance(body, str) else body, "Page")


def targets(body: str | bytes) -> list[str]:
    return [link.target for link in page(body).links]


def meaning(snapshot: Snapshot, source: str) -> list[tuple[str, str]]:
    return [(found.kind, found.path) for link in snapshot.pages[source].links if (found := snapshot.resolve(link, source))]


def test_escaped_pipe_in_a_table_row_is_a_link_with_text() -> None:
    (link,) = page("| a | b |\n|---|---|\n| [[Foo\\|x]] | y |\n").links
    assert (link.target, link.text) == ("Foo", "x")


@pytest.mark.parametrize("body", ["`[[X]]`", "``[[X]]``", "``a ` [[X]]``", "<!-- [[X]] -->", "a <!-- b\n[[X]]\n--> c"])
def test_inline_code_and_html_comments_hold_no_links(body: str) -> None:
    assert targets(body + " [[Y]]") == ["Y"]


@pytest.mark.parametrize("body", ["%% [[X]] %%", "%%\n[[X]]\n%%", "a %% b\n\n[[X]]\n\n c %%"])
def test_percent_comments_hold_no_links(body: str) -> None:
    assert targets(body + " [[Y]]") == ["Y"]


def test_an_unclosed_percent_pair_is_text() -> None:
    assert targets("100 %% of [[X]]") == ["X"]


def test_a_percent_pair_in_code_opens_no_comment() -> None:
    assert targets("`%%` [[X]] and %% [[Z]] %%") == ["X"]


def test_backticks_closed_on_their_own_line_are_inline_code() -> None:
    assert targets("```[[X]]``` and [[Y]]\n\n[[Z]]\n") == ["Y", "Z"]


def test_a_closing_fence_with_an_info_word_does_not_close() -> None:
    assert targets("```\n[[X]]\n``` python\n[[Y]]\n```\n[[Z]]\n") == ["Z"]


def test_a_longer_fence_is_not_closed_by_a_shorter_one() -> None:
    assert targets("````\n[[X]]\n```\n[[Y]]\n````\n[[Z]]\n") == ["Z"]


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_a_fence_in_a_blockquote_or_callout_is_code(fence: str) -> None:
    assert targets(f"> [!note]\n> {fence}\n> [[X]]\n> {fence}\n> [[Y]]\n") == ["Y"]


def test_a_fence_indented_in_a_list_item_is_code() -> None:
    assert targets("- a\n\n    ```\n    [[X]]\n    ```\n\n    [[Y]]\n") == ["Y"]


def test_an_unclosed_fence_takes_the_rest_of_the_page() -> None:
    assert targets("[[A]]\n```\n[[X]]\n\n[[Y]]\n") == ["A"]


def test_four_space_indentation_is_not_code() -> None:
    assert targets("- a\n    - [[X]]\n\ntext\n\n    - [[Y]]\n    - `[[N]]` [[Z]]\n") == ["X", "Y", "Z"]


def test_a_fence_in_an_indented_block_is_code() -> None:
    assert targets("text\n\n    ```\n    [[X]]\n    ```\n    [[Y]]\n") == ["Y"]


def test_spellings_that_resolve_to_one_page(make_vault: MakeVault) -> None:
    nfd = unicodedata.normalize("NFD", "Café")
    vault = make_vault(
        {
            "Foo.md": "---\naliases: [Bar, Old Foo]\n---\n",
            unicodedata.normalize("NFC", "Café") + ".md": "",
            "a.md": f"[[Foo.md]] [[foo]] [[Bar]] [[old foo]] [[{nfd}]]",
        }
    )
    found = meaning(load(vault), "a.md")
    assert found == [(PAGE, "Foo.md")] * 4 + [(PAGE, "Café.md")]


def test_headings_and_blocks(make_vault: MakeVault) -> None:
    vault = make_vault({"Foo.md": "", "a.md": "[[Foo^id]] [[Foo#^id]] [[#H]] [[#^id]] [[Foo#H#Sub]]"})
    snapshot = load(vault)
    assert [path for _, path in meaning(snapshot, "a.md")] == ["Foo.md", "Foo.md", "a.md", "a.md", "Foo.md"]
    assert [link.fragment for link in snapshot.pages["a.md"].links] == ["^id", "#^id", "#H", "#^id", "#H#Sub"]


def test_empty_alias_and_spaces() -> None:
    assert [(link.target, link.text) for link in page("[[Foo|]] [[ Foo ]]").links] == [("Foo", ""), ("Foo", None)]


@pytest.mark.parametrize("body", ["[[Foo\nBar]]", "[[]]", "[[ ]]", "[[None]]", "[[a]b]]", "[[|x]]", "\\[[X]]", "[[#]]"])
def test_what_is_no_link(body: str) -> None:
    assert targets(body) == []


def test_percent_escapes(make_vault: MakeVault) -> None:
    vault = make_vault({"Foo Bar.md": "", "a.md": "[[Foo%20Bar]] [[No%20Such]]"})
    snapshot = load(vault)
    assert meaning(snapshot, "a.md") == [(PAGE, "Foo Bar.md"), (DEAD, "")]
    assert snapshot.pages["a.md"].links[1].target == "No%20Such"


@pytest.mark.parametrize("body", ["$[[x]]$", "$$\n[[x]]\n$$"])
def test_math_holds_no_links(body: str) -> None:
    assert targets(body) == []


def test_money_is_not_math() -> None:
    assert targets("costs $5 and [[X]]$10") == ["X"]


@pytest.mark.parametrize(
    ("target", "name"),
    [("-f x", False), ("$a == b", False), ("0", False), ("1, 2", False), ("a && b", False), ("Foo", True), ("2026", True),
     ("2026-06-21", True), ("acme.sh - DNS", True), ("🎉 party", True), ("C++", True), ("", False)],
)  # fmt: skip
def test_what_looks_like_a_name(target: str, name: bool) -> None:
    assert looks_like_name(target) is name


def test_markdown_links(make_vault: MakeVault) -> None:
    vault = make_vault(
        {
            "notes/My Note.md": "",
            "notes/My.md": "",
            "notes/a.md": '[t](My%20Note.md) [t](<My Note.md>) [t](My.md "title") [t](../notes/My.md#h) [w](https://example.org/x.md)',
        }
    )
    assert [path for _, path in meaning(load(vault), "notes/a.md")] == [
        "notes/My Note.md", "notes/My Note.md", "notes/My.md", "notes/My.md",
    ]  # fmt: skip


def test_links_to_folders_are_not_dead(make_vault: MakeVault) -> None:
    vault = make_vault({"x/y/a.md": "[f](../) [f](../../x) [f](/x/y/) [f](../../none/) [f](.)"})
    assert [kind for kind, _ in meaning(load(vault), "x/y/a.md")] == [FILE, FILE, FILE, DEAD, FILE]


def test_attachments_are_not_pages_and_not_dead(make_vault: MakeVault) -> None:
    vault = make_vault({
        "img/img.png": b"x", "board.canvas": "{}", "table.base": "", ".raw/s.pdf": b"x",
        "a.md": "![[img.png|300]] [[board.canvas]] [[table.base]] [s](.raw/s.pdf) [[.raw/s.pdf]] ![[none.png]]",
    })  # fmt: skip
    assert meaning(load(vault), "a.md") == [
        (FILE, "img/img.png"), (FILE, "board.canvas"), (FILE, "table.base"), (FILE, ".raw/s.pdf"), (FILE, ".raw/s.pdf"), (DEAD, ""),
    ]  # fmt: skip


def test_equal_stems_are_ambiguous_and_paths_resolve(make_vault: MakeVault) -> None:
    vault = make_vault({"wiki/x/Foo.md": "", "wiki/y/foo.md": "", "a.md": "[[Foo]] [[x/Foo]] [[wiki/y/foo]]"})
    assert meaning(load(vault), "a.md") == [(AMBIGUOUS, ""), (PAGE, "wiki/x/Foo.md"), (PAGE, "wiki/y/foo.md")]


def test_an_ambiguous_alias_is_never_guessed(make_vault: MakeVault) -> None:
    vault = make_vault({"x.md": "---\naliases: Z\n---\n", "y.md": "---\naliases: [z]\n---\n", "a.md": "[[Z]]"})
    assert meaning(load(vault), "a.md") == [(AMBIGUOUS, "")]


def test_a_slash_in_a_title_resolves_by_alias(make_vault: MakeVault) -> None:
    vault = make_vault({"TCP IP.md": "---\naliases: [TCP/IP]\n---\n", "a.md": "[[TCP/IP]]"})
    assert meaning(load(vault), "a.md") == [(PAGE, "TCP IP.md")]


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ('"2026-06-21"', date(2026, 6, 21)),
        ("2026-06-21", date(2026, 6, 21)),
        ("2026-06-21T23:30:00-05:00", date(2026, 6, 22)),
        ("2026-06-21T10:00:00Z", date(2026, 6, 21)),
        ("2026-06-21 10:00", date(2026, 6, 21)),
        ("2026/06/21", date(2026, 6, 21)),
        ("06/21/2026", date(2026, 6, 21)),
        ("21/06/2026", date(2026, 6, 21)),
        ("2026-06-21 # when it began", date(2026, 6, 21)),
        ("'[[2026-06-21]]'", date(2026, 6, 21)),
        ("05/06/2026", None),
        ("2026-02-30", None),
        ("soon", None),
    ],
)
def test_dates_of_frontmatter(written: str, day: date | None) -> None:
    facts = page(f"---\ncreated: {written}\n---\n")
    assert read_day(facts.created, UTC) == day


def test_a_zone_moves_the_day() -> None:
    assert read_day("2026-06-21T23:30:00+00:00", timezone(timedelta(hours=2))) == date(2026, 6, 22)


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff---\ntype: concept\n---\nbody [[X]]",
        "---\r\ntype: concept\r\n---\r\nbody [[X]]",
        "---\ntype: concept\n...\nbody [[X]]",
        "---  \ntype: concept\n---\t\nbody [[X]]",
    ],
)
def test_frontmatter_forms(text: str) -> None:
    facts = page(text)
    assert (facts.types, [link.target for link in facts.links], facts.problems) == (["concept"], ["X"], [])


def test_closing_line_at_the_end_of_the_file_and_empty_block() -> None:
    assert page("---\ntype: concept\n---").types == ["concept"]
    empty = page("---\n---\n[[X]]")
    assert (empty.has_front, empty.problems, len(empty.links)) == (True, [], 1)


def test_yaml_meaning() -> None:
    assert page("---\ntype:\ntitle: T\n---\n").types == []
    assert page("---\ntype: [concept, meta]\n---\n").types == ["concept", "meta"]
    block = page("---\ntitle: |\n  one\n  ---\n  two\ntype: x\n---\n[[X]]")
    assert (block.title, block.types, len(block.links)) == ("one\n---\ntwo", ["x"], 1)


@pytest.mark.parametrize(
    "yaml", ["a: 1\na: 2", "a:\n\tb: 1", "a: [1", "- a\n- b", "just text", "a: *b", "!!python/name:os.system x"]
)
def test_broken_yaml_is_a_problem_of_the_page(yaml: str) -> None:
    facts = page(f"---\n{yaml}\n---\n[[X]]")
    assert facts.broken
    assert {problem.rule for problem in facts.problems} == {"broken-frontmatter"}
    assert [link.target for link in facts.links] == ["X"]


def test_text_before_the_first_line_is_not_frontmatter() -> None:
    facts = page("hello\n---\ntype: x\n---\n")
    assert (facts.has_front, facts.types) == (False, [])


def test_two_blocks_the_first_counts() -> None:
    facts = page("---\ntype: one\n---\n\n---\ntype: two\n---\n")
    assert facts.types == ["one"]
    assert [(problem.rule, problem.line) for problem in facts.problems] == [("second-frontmatter", 5)]


def test_a_rule_after_the_frontmatter_is_no_second_block() -> None:
    assert page("---\ntype: one\n---\n\n---\n\ntext\n\n---\n").problems == []


def test_link_fields_of_the_frontmatter() -> None:
    facts = page('---\nup: "[[A]]"\nrelated:\n  - "[[B|b]]"\n  - [[C]]\nbare: [[D]]\ntitle: about [[E]]\n---\n[[F]]')
    assert [(link.target, link.field) for link in facts.links] == [
        ("F", ""), ("A", "up"), ("B", "related"), ("C", "related"), ("D", "bare"),
    ]  # fmt: skip


def test_places_of_links() -> None:
    data = "---\ntype: x\n---\né [[A]]\n\n    - [[B]]\r\n![[C]]".encode()
    facts = read_page(data, "Page")
    assert [(data[link.start : link.end].decode(), link.line) for link in facts.links] == [
        ("[[A]]", 4),
        ("[[B]]", 6),
        ("![[C]]", 7),
    ]


def test_relative_targets_mean_something_else_on_every_page(make_vault: MakeVault) -> None:
    vault = make_vault({"x/Foo.md": "", "a.md": "[[./Foo]]", "x/b.md": "[[./Foo]] [[../a]]", "y/c.md": "[[./Foo]] [[../../out]]"})
    snapshot = load(vault)
    assert meaning(snapshot, "a.md") == [(DEAD, "")]
    assert meaning(snapshot, "x/b.md") == [(PAGE, "x/Foo.md"), (PAGE, "a.md")]
    assert meaning(snapshot, "y/c.md") == [(DEAD, ""), (DEAD, "")]
