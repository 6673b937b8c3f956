"""Since when a vault has addresses, and which of its pages are older than that.

Reads the state files that vaults carry (`legacy-pages.txt` with its `# rollout: DATE` line); never writes.
"""

import re
from datetime import date, tzinfo

import msgspec

from lith.wiki.snapshot import Snapshot
from lith.wiki.vault import META, writable

COUNTER = f"{META}/address-counter.txt"
LEGACY_COUNTER = f"{META}/legacy-counter.txt"
LEGACY_PAGES = f"{META}/legacy-pages.txt"

_ROLLOUT = re.compile(r"#\s*rollout:\s*(\d{4})-(\d\d)-(\d\d)")


class Adoption(msgspec.Struct, frozen=True):
    """Whether the vault uses addresses, since which day, and the pages that are excused by name."""

    adopted: bool
    rollout: date | None
    excused: frozenset[str]

    def is_legacy(self, snapshot: Snapshot, path: str, zone: tzinfo | None = None) -> bool:
        """Whether a page is older than the addresses of its vault (or excused)."""
        if path in self.excused or self.rollout is None:
            return True
        return snapshot.created(path, zone) < self.rollout


def read_adoption(snapshot: Snapshot, zone: tzinfo | None = None) -> Adoption:
    """What the vault says about its adoption; without a rollout line, the day of its first addressed page."""
    vault = snapshot.vault
    rollout: date | None = None
    excused: set[str] = set()
    place = writable(vault, LEGACY_PAGES)
    listed = place.is_file()
    if listed:
        for line in place.read_text(encoding="utf-8", errors="replace").splitlines():
            if match := _ROLLOUT.match(line.strip()):
                try:
                    rollout = date(int(match[1]), int(match[2]), int(match[3]))
                except ValueError:
                    continue
            elif line.strip() and not line.lstrip().startswith("#"):
                excused.add(line.strip())
    addressed = [path for path, facts in snapshot.pages.items() if facts.address.startswith("c-")]
    if rollout is None and addressed:
        rollout = min(snapshot.created(path, zone) for path in addressed)
    adopted = listed or bool(addressed) or writable(vault, COUNTER).exists()
    return Adoption(adopted=adopted, rollout=rollout, excused=frozenset(excused))
