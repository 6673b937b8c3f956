"""The scanner: rules are tried where their triggers stand, and only there."""

import re
from collections.abc import Iterable

from hypothesis import given
from hypothesis import strategies as st

from lith.scrub.rules.rule import Rule, Span
from lith.scrub.scan import Hit, Scanner, fold_case, merge_hits


def spans(rule: Rule, text: str) -> list[str]:
    return [text[hit.start : hit.end] for hit in Scanner([rule]).find_hits(text)]


@given(st.text())
def test_folding_keeps_every_offset(text: str) -> None:
    assert len(fold_case(text)) == len(text)


def test_folding_survives_the_letter_that_grows() -> None:
    assert spans(Rule("r", ("key",), "key", fold=True), "İİ KEY") == ["KEY"]


def test_exact_triggers_are_found_alone_and_in_company() -> None:
    assert spans(Rule("r", ("AKIA",), "AKIA[0-9]+"), "x AKIA1 akia2") == ["AKIA1"]
    assert spans(Rule("r", ("AKIA", "AIza", "A"), "A[A-Za-z]+[0-9]"), "AKIA1 AIza2 Ab3") == ["AKIA1", "AIza2", "Ab3"]


def test_seam_triggers_need_a_run_behind_them() -> None:
    rule = Rule("r", ("gh_",), "gh_[a-z]+")
    assert spans(rule, "gh_abc") == []
    assert spans(rule, "gh_abcdefghijklmno, xgh_abcdefghijklmnop") == ["gh_abcdefghijklmno", "gh_abcdefghijklmnop"]


def test_a_trigger_outside_ascii_costs_ascii_text_nothing() -> None:
    assert spans(Rule("r", ("密",), "密.", fold=True), "a 密码 b") == ["密码"]


def test_a_match_is_not_tried_again_inside_itself() -> None:
    tried: list[int] = []

    def judge(match: re.Match[str]) -> Iterable[Span]:
        tried.append(match.start())
        return ()

    Scanner([Rule("r", ("key",), "key[a-z]*", judge=judge, fold=True)]).find_hits("keykeykey key")
    assert tried == [0, 10]


def test_overlapping_hits_become_their_union_under_the_first_rule() -> None:
    hits = [Hit(4, 9, 2), Hit(0, 5, 7, '"'), Hit(9, 12, 1), Hit(20, 22, 3)]
    assert merge_hits(hits) == [Hit(0, 9, 2, '"'), Hit(9, 12, 1), Hit(20, 22, 3)]
