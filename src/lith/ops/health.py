"""Files that are not wholly in the map: which they are, how many, and why.

`status` calls it. It looks at rows and at an inventory, not at the disk.
"""

import os
from typing import Any

import msgspec

from lith.ingest import Inventory
from lith.store.map.files import FileRow

SHOWN = 20
NOTABLE = (
    "outside_root",
    "broken_link",
    "special_file",
    "folder",
    "unreadable",
    "unreadable_name",
    "unknown_place",
    "single_object_format",
)
"""Why files are left aside, where somebody may have meant them to be read."""


class FileNote(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a person may want to look at, and why; `path` is below `root`."""

    source: str
    root: str
    path: str
    reason: str

    @property
    def place(self) -> str:
        """The whole path."""
        return os.path.join(self.root, self.path)  # noqa: PTH118 -- may be another system's


def find_skipped(inventory: Inventory) -> list[FileNote]:
    """The files below a folder that are no transcripts, with the reasons, by path."""
    seen = [*inventory.new, *(found for found, _ in inventory.changed)]
    notes = [FileNote(source=one.source, root=one.root, path=one.path, reason=one.skip) for one in seen if one.skip is not None]
    notes += [
        FileNote(source=row.source, root=row.root, path=row.path, reason=row.reason or "unknown")
        for row in inventory.unchanged
        if row.state == "skipped"
    ]
    return sorted(notes, key=lambda note: note.path)


def count_reasons(skipped: list[FileNote]) -> dict[str, int]:
    """How many files are left aside, by reason, the most first."""
    counts: dict[str, int] = {}
    for note in skipped:
        counts[note.reason] = counts.get(note.reason, 0) + 1
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))


def check_files(rows: list[FileRow], alarms: list[FileRow]) -> dict[str, Any]:
    """The counts of files that are not quite well, and the first of them with the reason."""
    unknown: dict[str, int] = {}
    for row in rows:
        for name, count in row.unknown.items():
            unknown[name] = unknown.get(name, 0) + count
    notes = [_note(row, row.reason or "could not be read") for row in rows if row.state == "failed"]
    notes += [_note(row, "conversation in it, and no message found") for row in alarms]
    notes += [_note(row, f"{row.damage} damaged {'place' if row.damage == 1 else 'places'}") for row in rows if row.damage]
    return {
        "pending_files": sum(row.pending > 0 for row in rows),
        "failed_files": sum(row.state == "failed" for row in rows),
        "damaged_files": sum(row.damage > 0 for row in rows),
        "problems": sum(row.problems for row in rows),
        "notes": notes[:SHOWN],
        "unknown_types": unknown,
    }


def _note(row: FileRow, reason: str) -> FileNote:
    return FileNote(source=row.source, root=row.root, path=row.path, reason=reason)
