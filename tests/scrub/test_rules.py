"""Every rule proves itself on the samples that stand beside it."""

import re

import pytest

from lith.scrub import scrub
from lith.scrub.injection import find_injections
from lith.scrub.injection_rules import RULES as INJECTION_RULES
from lith.scrub.rules import RULES
from lith.scrub.rules.rule import Rule

POSITIVES = [(rule, sample) for rule in RULES for sample in rule.positives]
NEGATIVES = [(rule, sample) for rule in RULES for sample in rule.negatives]
FLAGGED = [(rule, sample) for rule in INJECTION_RULES for sample in rule.positives]
UNFLAGGED = [(rule, sample) for rule in INJECTION_RULES for sample in rule.negatives]


def name_of(value: object) -> str:
    return value.name if isinstance(value, Rule) else str(value)[:40].encode("unicode_escape").decode()


@pytest.mark.parametrize("rule", [*RULES, *INJECTION_RULES], ids=name_of)
def test_a_rule_has_a_name_a_trigger_and_a_sample(rule: Rule) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", rule.name)
    assert rule.triggers
    assert rule.positives
    assert not rule.fold or all(trigger == trigger.lower() for trigger in rule.triggers)


@pytest.mark.parametrize(("rule", "sample"), POSITIVES, ids=name_of)
def test_a_secret_is_masked_and_nothing_else(rule: Rule, sample: str) -> None:
    raw = re.sub("[«»]", "", sample)
    masked = re.sub("«[^»]*»", f"[masked:{rule.name}]", sample)
    assert masked != sample
    scrubbed = scrub(raw)
    assert scrubbed.text == masked
    assert dict(scrubbed.masked)[rule.name] == sample.count("«")
    assert scrub(masked).text == masked


@pytest.mark.parametrize(("rule", "sample"), NEGATIVES, ids=name_of)
def test_what_is_no_secret_stays(rule: Rule, sample: str) -> None:
    assert scrub(sample).text == sample


@pytest.mark.parametrize(("rule", "sample"), POSITIVES, ids=name_of)
def test_a_secret_is_found_at_either_end_and_against_any_neighbour(rule: Rule, sample: str) -> None:
    for secret in re.findall("«([^»]*)»", sample):
        for before, after in (("密钥", "。"), ("\n", "\n"), ("(", ")"), ("» ", " «")):
            raw = before + re.sub("[«»]", "", sample) + after
            assert scrub(raw).text.count(secret) < raw.count(secret)


@pytest.mark.parametrize(("rule", "sample"), FLAGGED, ids=name_of)
def test_an_order_is_flagged_where_it_stands(rule: Rule, sample: str) -> None:
    raw = re.sub("[«»]", "", sample)
    found = {raw[flag.start : flag.end] for flag in find_injections(raw) if flag.rule == rule.name}
    assert set(re.findall("«([^»]*)»", sample)) <= found


@pytest.mark.parametrize(("rule", "sample"), UNFLAGGED, ids=name_of)
def test_what_is_no_order_is_not_flagged(rule: Rule, sample: str) -> None:
    assert find_injections(sample) == ()
