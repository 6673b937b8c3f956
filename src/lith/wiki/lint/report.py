"""Findings and the report they make. Pure."""

from collections.abc import Iterable

import msgspec

ERROR = "error"
WARNING = "warning"
INFO = "info"
SEVERITIES = (ERROR, WARNING, INFO)

RULES: dict[str, tuple[str, str]] = {
    "dead-link": (ERROR, "A link leads to no page and no file."),
    "dead-heading": (WARNING, "A link leads to a page, but the page has no such heading."),
    "ambiguous-link": (WARNING, "A link can mean several pages, and is never guessed."),
    "ambiguous-name": (WARNING, "Several pages share a name, so that a link by that name is ambiguous."),
    "orphan": (WARNING, "No other page links this page."),
    "twin-pages": (WARNING, "Pages whose names differ only in case, spaces or punctuation may be one concept."),
    "broken-frontmatter": (ERROR, "A YAML loader rejects the frontmatter."),
    "second-frontmatter": (WARNING, "A second frontmatter block follows the first; only the first counts."),
    "bad-date": (WARNING, "A date in the frontmatter cannot be understood."),
    "not-utf8": (ERROR, "A page is not UTF-8."),
    "page-too-large": (WARNING, "A page is too large to be read for links."),
    "refused-path": (WARNING, "A path is left out: a symlink, an odd file, or a name that is not UTF-8."),
    "unsafe-name": (WARNING, "A file name does not survive every system that a vault is synced to."),
    "duplicate-address": (ERROR, "Two pages carry one address."),
    "bad-address": (ERROR, "An address is not spelled like one."),
    "missing-address": (ERROR, "A page made after the vault adopted addresses has none."),
    "legacy-address": (INFO, "A page older than the vault's addresses has none; a backfill gives it one."),
    "counter-drift": (ERROR, "The address counter is behind, missing or unreadable."),
    "manifest-drift": (WARNING, "The manifest and the pages disagree about an address."),
    "stale-hash": (INFO, "An address is cited with the hash of an older text."),
    "bad-state": (ERROR, "A state file of the vault cannot be read."),
    "stale-fold": (WARNING, "A fold no longer says what its children say, or was edited."),
    "unsound-fold": (ERROR, "A fold page fails its own checks."),
    "source-drift": (WARNING, "A raw source is not what the manifest says."),
}
"""Every rule with its severity and what it means."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that is wrong, where, and what would help."""

    rule: str
    severity: str
    path: str
    line: int
    message: str
    hint: str = ""


class LintReport(msgspec.Struct, frozen=True):
    """All findings, worst first within a page, pages in order; with the counts that decide the exit status."""

    items: list[Finding]
    pages: int
    pages_read: int
    errors: int
    warnings: int
    infos: int

    @property
    def exit_status(self) -> int:
        """1 when there are errors, else 0."""
        return 1 if self.errors else 0


def finding(rule: str, path: str, message: str, *, line: int = 1, hint: str = "") -> Finding:
    """A finding with its rule's severity."""
    return Finding(rule, RULES[rule][0], path, line, message, hint)


def make_report(found: Iterable[Finding], *, pages: int, pages_read: int) -> LintReport:
    """Order and count findings."""
    rank = {severity: number for number, severity in enumerate(SEVERITIES)}
    items = sorted(found, key=lambda item: (item.path, rank[item.severity], item.line, item.rule, item.message))
    counts = {severity: sum(1 for item in items if item.severity == severity) for severity in SEVERITIES}
    return LintReport(items, pages, pages_read, counts[ERROR], counts[WARNING], counts[INFO])
