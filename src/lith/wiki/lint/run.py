"""`lint`: run every rule over a vault and report. Writes nothing."""

from datetime import tzinfo

from lith.wiki.lint.closest import Closest
from lith.wiki.lint.links import link_findings, name_findings
from lith.wiki.lint.pages import page_findings
from lith.wiki.lint.report import LintReport, make_report
from lith.wiki.lint.state import address_findings, fold_findings
from lith.wiki.snapshot import Snapshot, load, many_values
from lith.wiki.vault import Vault


def lint_vault(vault: Vault, *, zone: tzinfo | None = None) -> LintReport:
    """Check a vault. The report's `exit_status` is 1 when it has errors."""
    with many_values():
        return lint_snapshot(load(vault), zone)


def lint_snapshot(snapshot: Snapshot, zone: tzinfo | None = None) -> LintReport:
    """Check a vault that is read already."""
    found = [
        *page_findings(snapshot, zone),
        *link_findings(snapshot, Closest(snapshot)),
        *name_findings(snapshot),
        *address_findings(snapshot, zone),
        *fold_findings(snapshot),
    ]
    return make_report(found, pages=len(snapshot.pages), pages_read=snapshot.pages_read)
