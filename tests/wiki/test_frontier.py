"""The frontier against a table computed by hand."""

import math
from collections.abc import Callable, Mapping
from datetime import UTC

import pytest

from lith.errors import UsageError
from lith.wiki.errors import PageNotFound
from lith.wiki.frontier import choose_topic, rank_frontier
from lith.wiki.vault import Vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]

# The present day is 2026-06-30. Links out and in, days, by hand:
#   Alpha   out: Beta, Gamma, Delta (Beta twice, itself, an alias, a fold and a meta page do not count)   in: -        0 days
#   Beta    out: Gamma                                                                                  in: Alpha    30 days
#   Gamma   out: -                                                                                      in: A, B, D  60 days
#   Delta   out: Gamma (by path)                                                                        in: Alpha    future: 0 days
#   Epsilon out: -                                                                                      in: -        10 days
VAULT = {
    "wiki/Alpha.md": "---\nupdated: 2026-06-30T23:00:00+00:00\ncreated: 2020-01-01\n---\n"
    "[[Beta]] [[beta|again]] [[Gamma#h]] ![[Delta]] [[Alpha]] [[Fifth]] [[index]] [[fold-1]] [[Nowhere]] `[[Epsilon]]` [m](Epsilon.md)",
    "wiki/Beta.md": '---\nupdated: "2026-05-31"\nrelated: ["[[Epsilon]]"]\n---\n[[Gamma]]',
    "wiki/Gamma.md": "---\ncreated: 2026/05/01\n---\nnothing",
    "wiki/deep/Delta.md": "---\nupdated: 2027-01-01\n---\n[[wiki/Gamma]]",
    "wiki/Epsilon.md": "---\nupdated: 2026-06-20 # a comment\naliases: [Fifth]\n---\n",
    "wiki/index.md": "[[Alpha]] [[Beta]]",
    "wiki/folds/fold-1.md": "---\ntype: fold\n---\n[[Alpha]]",
    "wiki/meta/Board.md": "[[Alpha]]",
    "wiki/Kind.md": "---\ntype: meta\n---\n[[Alpha]]",
}
TABLE = [
    ("wiki/Alpha.md", 3, 0, 0, 3.0),
    ("wiki/Beta.md", 1, 1, 30, 0.0),
    ("wiki/Epsilon.md", 0, 0, 10, 0.0),
    ("wiki/deep/Delta.md", 1, 1, 0, 0.0),
    ("wiki/Gamma.md", 0, 3, 60, -3 * math.exp(-2)),
]


def test_scores_are_those_of_the_table(make_vault: MakeVault, now: int) -> None:
    result = rank_frontier(make_vault(VAULT), now=now, zone=UTC, top=100)
    assert [(item.path, item.out, item.into, item.days) for item in result.items] == [row[:4] for row in TABLE]
    assert [item.score for item in result.items] == pytest.approx([row[4] for row in TABLE], abs=1e-12)
    assert result.total == 5


def test_unresolved_names_are_an_extra_signal(make_vault: MakeVault, now: int) -> None:
    item = rank_frontier(make_vault(VAULT), now=now, zone=UTC, page="Alpha").items[0]
    assert item.unresolved == ["Nowhere"]
    assert item.links == ["wiki/Beta.md", "wiki/Gamma.md", "wiki/deep/Delta.md"]


def test_aliases_widen_the_graph(make_vault: MakeVault, now: int) -> None:
    item = rank_frontier(make_vault(VAULT), now=now, zone=UTC, page="wiki/Alpha.md", aliases=True).items[0]
    assert item.out == 4


def test_top_is_the_head_of_the_whole_list(make_vault: MakeVault, now: int) -> None:
    vault = make_vault(VAULT)
    assert [item.path for item in rank_frontier(vault, now=now, zone=UTC, top=2).items] == [row[0] for row in TABLE[:2]]
    with pytest.raises(UsageError):
        rank_frontier(vault, now=now, top=0)
    with pytest.raises(PageNotFound):
        rank_frontier(vault, now=now, page="Nowhere")
    with pytest.raises(UsageError):
        rank_frontier(vault, now=now, page="index")


def test_recency_decays_by_thirty_days(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": "---\nupdated: 2026-05-31\n---\n[[b]]", "b.md": "---\nupdated: 2026-06-29\n---\n"})
    scores = {item.path: item.score for item in rank_frontier(vault, now=now, zone=UTC).items}
    assert scores == {"a.md": pytest.approx(math.exp(-1)), "b.md": pytest.approx(-math.exp(-1 / 30))}


def test_ambiguous_names_are_no_edges(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"a.md": "[[T]] [[x/T]]", "x/T.md": "", "y/T.md": ""})
    item = rank_frontier(vault, now=now, page="a.md").items[0]
    assert item.links == ["x/T.md"]


def test_a_choice_is_a_number_a_page_or_words(make_vault: MakeVault, now: int) -> None:
    vault = make_vault(VAULT)
    first = choose_topic(vault, "1", now=now, zone=UTC)
    assert (first.title, first.path, first.unresolved) == ("Alpha", "wiki/Alpha.md", ["Nowhere"])
    assert choose_topic(vault, "gamma", now=now, zone=UTC).linked_by == ["Alpha", "Beta", "Delta"]
    free = choose_topic(vault, "compare tape formats", now=now, zone=UTC)
    assert (free.title, free.path) == ("compare tape formats", None)
    for wrong in ("0", "6", "99", " "):
        with pytest.raises(UsageError):
            choose_topic(vault, wrong, now=now, zone=UTC)


def test_an_empty_vault_has_no_frontier(make_vault: MakeVault, now: int) -> None:
    assert rank_frontier(make_vault({}), now=now).items == []
