"""What changed between two generations, record by record: what a prune or a rewrite cost.

`ops` calls it for `diff`. Records are matched by id, the n-th of an id with the n-th; content is compared by hash.
"""

from collections import Counter

import msgspec

from lith.archive import Generation, open_generation
from lith.keep.identity import Named, iter_named


class RecordChange(msgspec.Struct, frozen=True, omit_defaults=True):
    """One record that differs: `what` is `removed`, `added` or `changed`; `before` and `after` are its bytes."""

    what: str
    record: str
    type: str
    before: int = 0
    after: int = 0


class Diff(msgspec.Struct, frozen=True, kw_only=True):
    """Two generations of a file compared. `changes` are in the order of the older one, additions last."""

    path: str
    old: int
    new: int
    bytes_before: int
    bytes_after: int
    same: int
    removed: int
    added: int
    changed: int
    changes: tuple[RecordChange, ...]


def diff_generations(old: Generation, new: Generation) -> Diff:
    """Compare two generations. Raises `ArchiveDamaged`, `StorageError`, `UnknownSource`."""
    before, after = _index(old), _index(new)
    changes = []
    same = 0
    for key, record in before.items():
        match = after.get(key)
        if match is None:
            changes.append(RecordChange("removed", record.record_id, record.type, before=record.length))
        elif match.hash == record.hash:
            same += 1
        else:
            changes.append(RecordChange("changed", record.record_id, record.type, record.length, match.length))
    for key, record in after.items():
        if key not in before:
            changes.append(RecordChange("added", record.record_id, record.type, after=record.length))
    count = Counter(change.what for change in changes)
    return Diff(
        path=old.key.path,
        old=old.number,
        new=new.number,
        bytes_before=old.length,
        bytes_after=new.length,
        same=same,
        removed=count["removed"],
        added=count["added"],
        changed=count["changed"],
        changes=tuple(changes),
    )


def _index(generation: Generation) -> dict[tuple[str, int], Named]:
    seen: Counter[str] = Counter()
    found = {}
    with open_generation(generation) as reader:
        for named, _ in iter_named(generation.key.source, generation.key.path, reader):
            found[named.record_id, seen[named.record_id]] = named
            seen[named.record_id] += 1
    return found
