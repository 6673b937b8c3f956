"""The archive: every byte of every transcript, in immutable generations of plain Zstandard files.

This is the door. `ops` and `keep` call it; it imports the kernel and the vocabulary only, opens no map, and never changes a live file.
`docs/archive-format.md` describes the files for other programs.
"""

from lith.archive.disk import DISK, Disk
from lith.archive.errors import ArchiveDamaged, ArchiveRefused, FileUnsteady, NotArchived
from lith.archive.gc import GcPlan, apply_gc, plan_gc
from lith.archive.generation import (
    Generation,
    Mark,
    find_generations,
    get_generation,
    iter_generations,
    iter_marks,
    load_generation,
)
from lith.archive.importing import ImportPlan, apply_import, plan_import
from lith.archive.layout import FileKey
from lith.archive.reader import GenerationReader, open_generation, read_range
from lith.archive.restore import Restored, restore_session, restore_to
from lith.archive.run import Archived, ArchiveItem, RunPlan, RunReport, archive_file, plan_run, run
from lith.archive.verify import Damage, VerifyReport, verify

__all__ = [
    "DISK",
    "ArchiveDamaged",
    "ArchiveItem",
    "ArchiveRefused",
    "Archived",
    "Damage",
    "Disk",
    "FileKey",
    "FileUnsteady",
    "GcPlan",
    "Generation",
    "GenerationReader",
    "ImportPlan",
    "Mark",
    "NotArchived",
    "Restored",
    "RunPlan",
    "RunReport",
    "VerifyReport",
    "apply_gc",
    "apply_import",
    "archive_file",
    "find_generations",
    "get_generation",
    "iter_generations",
    "iter_marks",
    "load_generation",
    "open_generation",
    "plan_gc",
    "plan_import",
    "plan_run",
    "read_range",
    "restore_session",
    "restore_to",
    "run",
    "verify",
]
