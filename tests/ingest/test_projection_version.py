"""What becomes searchable is stamped into the map: whoever changes it must raise the version, or existing maps keep the old text for ever."""

import hashlib
import json
from pathlib import Path

from tests.ingest.canonical import dump

from lith.ingest import RootSpec, SyncRequest, sync
from lith.scrub import scrub
from lith.scrub.rules import RULES
from lith.sources.registry import SOURCES
from lith.store.map import schema

DATA = Path(__file__).parent.parent / "data"
RECORDED = DATA / "projection.json"


def digest(data: Path) -> str:
    """A digest of all that the adapters make of the recorded sessions, and of what the scrub rules make of their samples."""
    roots = [RootSpec(name, path) for name in SOURCES for path in sorted((DATA / name).iterdir())]
    sync(SyncRequest(roots=tuple(roots)), data_dir=data, sources=SOURCES, clock=lambda: 1)
    said = dump(data / "map.sqlite")
    masked = [scrub(sample).text for rule in RULES for sample in (*rule.positives, *rule.negatives)]
    text = json.dumps([said["pieces"], said["documents"], masked], ensure_ascii=False, default=str, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def test_a_change_of_what_is_searchable_raises_the_version(tmp_path: Path) -> None:
    recorded = json.loads(RECORDED.read_text())
    found = {"version": schema.PROJECTION_VERSION, "digest": digest(tmp_path)}
    assert found == recorded, (
        f"raise PROJECTION_VERSION in store/map/schema.py, then write {json.dumps(found)} to {RECORDED.name}"
    )
