"""Rules about what the vault keeps beside its pages: addresses, counters, manifest, folds, raw sources."""

from collections.abc import Iterator
from datetime import tzinfo

from lith.wiki.address_checks import check_addresses
from lith.wiki.adoption import read_adoption
from lith.wiki.errors import OutsideVault, VaultDamaged
from lith.wiki.fold.checks import check_fold
from lith.wiki.fold.ledger import LEDGER, FoldRecord, Ledger, read_ledger
from lith.wiki.fold.plan import foldable_entries, log_path
from lith.wiki.lint.report import Finding, finding
from lith.wiki.logbook import FOLD_OP, parse_log
from lith.wiki.manifest import MANIFEST, Manifest, read_manifest
from lith.wiki.snapshot import Snapshot, read_bytes
from lith.wiki.vault import RAW, writable


def address_findings(snapshot: Snapshot, zone: tzinfo | None) -> Iterator[Finding]:
    """Wrong, doubled, drifting and missing addresses. A vault that never adopted addresses misses none."""
    try:
        manifest = read_manifest(snapshot.vault)
    except VaultDamaged as error:
        yield finding("bad-state", MANIFEST, error.message)
        manifest = Manifest({})
    adoption = read_adoption(snapshot, zone)
    for issue in check_addresses(snapshot, manifest):
        hint = "lith wiki address rebuild" if issue.rule == "counter-drift" else ""
        yield finding(issue.rule, issue.path, issue.message, hint=hint)
    if adoption.adopted:
        for path in snapshot.content:
            if snapshot.pages[path].address:
                continue
            if adoption.is_legacy(snapshot, path, zone):
                yield finding("legacy-address", path, "has no address, and is older than the vault's addresses")
            else:
                yield finding("missing-address", path, "has no address", hint="lith wiki address assign gives it one")
    yield from _source_findings(snapshot, manifest)


def _source_findings(snapshot: Snapshot, manifest: Manifest) -> Iterator[Finding]:
    """Raw sources that are gone, or whose size is not what was ingested (one stat each)."""
    for source, record in manifest.sources.items():
        if not source.startswith(f"{RAW}/"):
            continue
        try:
            place = writable(snapshot.vault, source)
            size = place.stat().st_size
        except (OSError, OutsideVault):
            yield finding("source-drift", source, "the manifest knows this source, the disk does not")
            continue
        if isinstance(record.get("bytes"), int) and record["bytes"] != size:
            yield finding(
                "source-drift", source, f"has {size} bytes, but {record['bytes']} were ingested; raw sources never change"
            )


def fold_findings(snapshot: Snapshot) -> Iterator[Finding]:
    """Folds that were edited, lost, or no longer say what their children say."""
    try:
        ledger = read_ledger(snapshot.vault)
    except VaultDamaged as error:
        yield finding("bad-state", LEDGER, error.message)
        return
    if not ledger.folds:
        return
    entries = {entry.id: entry.text for entry in foldable_entries(snapshot)}
    sources = dict(entries)
    for record in ledger.folds:
        facts = snapshot.pages.get(record.path)
        if facts is None:
            yield finding("stale-fold", record.path, "the ledger knows this fold, its page is gone", hint="lith wiki fold undo")
            continue
        text = _fold_text(snapshot, record) if facts.digest != record.digest else None
        if text is not None and record.level > 1:
            children = [child for id in record.children if (child := ledger.get(id)) is not None and child.path in snapshot.pages]
            sources |= {child.id: _fold_text(snapshot, child) for child in children}
        yield from _fold_issues(record, text, entries, sources, ledger)
    yield from _log_issues(snapshot, ledger)


def _fold_text(snapshot: Snapshot, record: FoldRecord) -> str:
    return read_bytes(snapshot.vault, record.path).decode("utf-8", "replace")


def _fold_issues(
    record: FoldRecord, text: str | None, entries: dict[str, str], sources: dict[str, str], ledger: Ledger
) -> Iterator[Finding]:
    """An unchanged page was checked when it was written; an edited one is checked again."""
    if text is not None:
        yield finding("stale-fold", record.path, "was edited since it was written")
        for problem in check_fold(text, record.children, sources)[:5]:
            yield finding("unsound-fold", record.path, problem)
    if record.level == 1:
        changed = [child for child in record.children if child not in entries]
        if changed:
            yield finding(
                "stale-fold", record.path, f"{len(changed)} of its log entries changed or are gone ({changed[0]} first)"
            )
    else:
        known = {fold.id for fold in ledger.folds}
        lost = [child for child in record.children if child not in known]
        if lost:
            yield finding("stale-fold", record.path, f"{len(lost)} of its folds are gone ({lost[0]} first)")


def _log_issues(snapshot: Snapshot, ledger: Ledger) -> Iterator[Finding]:
    """Log entries of folds that the ledger does not know: such entries are never folded, so they must not be anybody else's."""
    path = log_path(snapshot.vault)
    if path not in snapshot.pages:
        return
    data = read_bytes(snapshot.vault, path)
    known = {record.id for record in ledger.folds}
    for entry in parse_log(data, snapshot.pages[path]):
        if entry.op.lower() == FOLD_OP and not any(id in entry.body for id in known):
            line = data.count(b"\n", 0, entry.start) + 1
            yield finding("stale-fold", path, f"the entry {entry.title!r} names no fold of the ledger", line=line)
