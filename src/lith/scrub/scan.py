"""Runs a table of rules over a text: finds where a rule could apply, then asks the rule.

Owns the prefilter, which is what makes scrubbing cheap: substring searches and one regular expression decide where rules are
tried at all. Called by `text.py` (secrets) and `injection.py`; knows no rule and changes no text.

Three kinds of triggers, told apart by their form:

- a single seam character (`-_.:=~"'`), or a prefix of three characters or more that ends in one of `-_.:=~`: tried where a seam
  is followed by a run of token characters, which ordinary text rarely has;
- other text: tried wherever the substring occurs, in the lower-cased text if the rule folds case; triggers of exact case that begin
  alike are searched for together;
- text outside ASCII: the same, looked for only in texts that are not ASCII.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from lith.scrub.regex import Regex
from lith.scrub.rules.rule import Rule

SEAMS = "-_.:=~\"'"
GLUE = "-_.:=~"
RUN = 15
"""Token characters that must follow a seam before a rule with a seam trigger is tried."""

_GATE = Regex(r"""[-_.:=~"'](?=[A-Za-z0-9][A-Za-z0-9_+/%-]{14})""")


class Hit(Struct, frozen=True):
    """A span found by a rule; `rank` is the rule's place in its table, the lower the more specific."""

    start: int
    end: int
    rank: int
    wrap: str = ""


class _Loaded:
    """A rule with its compiled pattern, made the first time one of its triggers occurs."""

    __slots__ = ("_match", "judge", "pattern", "rank", "rule")

    def __init__(self, rank: int, rule: Rule) -> None:
        self.rank = rank
        self.rule = rule
        self.judge = rule.judge
        self.pattern: re.Pattern[str] | None = None

    def try_at(self, text: str, position: int, hits: list[Hit]) -> int:
        """Tries the rule at one place; returns where it may be tried next (a match is not tried again inside itself)."""
        if self.pattern is None:
            self.pattern = re.compile(self.rule.pattern, re.IGNORECASE if self.rule.fold else 0)
        match = self.pattern.match(text, position)
        if match is None:
            return position
        resume = match.end()
        for start, end, wrap in self.judge(match):
            if end > start:
                hits.append(Hit(start, end, self.rank, wrap))
                resume = max(resume, end)
        return resume


def fold_case(text: str) -> str:
    """Lower-cases without changing the length, so that offsets stay true (`İ` alone would grow)."""
    low = text.lower()
    return low if len(low) == len(text) else text.replace("İ", "i").lower()


class Scanner:
    """A table of rules made ready to run; build it once, it holds compiled patterns."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._seams: dict[str, list[_Loaded]] = {}
        self._glued: dict[str, list[tuple[str, _Loaded]]] = {}
        self._exact: dict[str, list[_Loaded]] = {}
        self._folded: dict[str, list[_Loaded]] = {}
        self._wide: dict[str, list[_Loaded]] = {}
        for rank, rule in enumerate(self.rules):
            loaded = _Loaded(rank, rule)
            for trigger in rule.triggers:
                self._place(trigger, loaded)
        self._groups = list(_group_alike(self._exact))

    def _place(self, trigger: str, loaded: _Loaded) -> None:
        if not trigger.isascii():
            self._wide.setdefault(trigger.lower(), []).append(loaded)
        elif loaded.rule.fold:
            self._folded.setdefault(trigger, []).append(loaded)
        elif len(trigger) == 1 and trigger in SEAMS:
            self._seams.setdefault(trigger, []).append(loaded)
        elif trigger[-1] in GLUE and len(trigger) >= 3 and trigger[0] != " ":
            self._glued.setdefault(trigger[-3:], []).append((trigger, loaded))
        else:
            self._exact.setdefault(trigger, []).append(loaded)

    def find_hits(self, text: str) -> list[Hit]:
        """Finds every span that a rule claims, unordered and possibly overlapping."""
        hits: list[Hit] = []
        if self._seams or self._glued:
            self._try_seams(text, hits)
        for group in self._groups:
            if isinstance(group, str):
                if (first := text.find(group)) >= 0:
                    _try_everywhere(text, text, group, first, self._exact[group], hits)
            elif group.search(text):
                self._try_group(text, group, hits)
        low = fold_case(text)
        for trigger, rules in self._folded.items():
            if (first := low.find(trigger)) >= 0:
                _try_everywhere(text, low, trigger, first, rules, hits)
        if not text.isascii():
            for trigger, rules in self._wide.items():
                if (first := low.find(trigger)) >= 0:
                    _try_everywhere(text, low, trigger, first, rules, hits)
        return hits

    def _try_group(self, text: str, group: re.Pattern[str], hits: list[Hit]) -> None:
        resume: dict[int, int] = {}
        for found in group.finditer(text):
            at = found.start()
            for rule in self._exact[found[0]]:
                if at >= resume.get(rule.rank, 0):
                    resume[rule.rank] = rule.try_at(text, at, hits)

    def _try_seams(self, text: str, hits: list[Hit]) -> None:
        seams, glued = self._seams, self._glued
        resume: dict[int, int] = {}
        for gate in _GATE.finditer(text):
            at = gate.start()
            for prefix, rule in glued.get(text[max(0, at - 2) : at + 1], ()):
                start = at + 1 - len(prefix)
                if start >= resume.get(rule.rank, 0) and text.startswith(prefix, start):
                    resume[rule.rank] = rule.try_at(text, start, hits)
            for rule in seams.get(text[at], ()):
                if at >= resume.get(rule.rank, 0):
                    resume[rule.rank] = rule.try_at(text, at, hits)


def _group_alike(triggers: Iterable[str]) -> Iterator[str | re.Pattern[str]]:
    """Joins triggers that begin alike into one pattern with a literal beginning, which is searched for at the speed of one."""
    groups: dict[str, list[str]] = {}
    for trigger in triggers:
        groups.setdefault(trigger[0] if trigger[0].isupper() else trigger[:2], []).append(trigger)
    for prefix, group in groups.items():
        if len(group) == 1:
            yield group[0]
        else:
            longest_first = sorted(group, key=len, reverse=True)
            yield re.compile(
                re.escape(prefix) + f"(?:{'|'.join(re.escape(trigger[len(prefix) :]) for trigger in longest_first)})"
            )


def _try_everywhere(text: str, low: str, trigger: str, first: int, rules: list[_Loaded], hits: list[Hit]) -> None:
    for rule in rules:
        at, resume = first, 0
        while at >= 0:
            resume = rule.try_at(text, at, hits)
            at = low.find(trigger, max(resume, at + 1))


def merge_hits(hits: list[Hit]) -> list[Hit]:
    """Merges overlapping hits into their union, in order; the most specific rule names it."""
    merged: list[Hit] = []
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end, hit.rank)):
        if merged and hit.start < merged[-1].end:
            last = merged[-1]
            merged[-1] = Hit(last.start, max(last.end, hit.end), min(last.rank, hit.rank), last.wrap)
        else:
            merged.append(hit)
    return merged
