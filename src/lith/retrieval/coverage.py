"""What the map can vouch for when it answers: which clients were synced, when, and what was left over.

Called by the other modules of this room. It never says fresh: that takes a look at the disk.
"""

import apsw

from lith.kernel.clock import format_iso
from lith.records.scope import Scope
from lith.retrieval.answers import Coverage
from lith.store.map.files import get_meta, load_coverage


def read_coverage(connection: apsw.Connection, scope: Scope) -> Coverage:
    """The coverage of the clients that a scope asks for (none named: all that were ever synced)."""
    wanted = set(scope.sources)
    rows = [row for row in load_coverage(connection) if not wanted or row.selector.partition(":")[0] in wanted]
    covered = {row.selector.partition(":")[0] for row in rows}
    last_sync = get_meta(connection, "last_sync")
    return Coverage(
        requested=",".join(sorted(wanted)) or "all",
        state="not_checked" if rows and wanted <= covered else "missing",
        last_sync=format_iso(int(last_sync)) if last_sync else None,
        pending_files=sum(row.pending for row in rows),
        failed_files=sum(row.failed for row in rows),
    )
