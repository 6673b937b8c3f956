"""Triggers of a fold: which would fire, and why."""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC

import numpy as np
from numpy.typing import NDArray

from lith.wiki.fold.apply import apply_fold
from lith.wiki.fold.plan import plan_fold
from lith.wiki.fold.triggers import FoldStatus, fold_status
from lith.wiki.vault import Vault

MakeVault = Callable[[Mapping[str, str | bytes]], Vault]


class WordCounts:
    name = "word-counts"

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        matrix = np.zeros((len(texts), 512), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                matrix[row, int.from_bytes(hashlib.sha256(word.encode()).digest()[:4], "big") % 512] += 1
        return matrix


def log(days: Sequence[int], words: str = "wrote something") -> str:
    return "# Log\n" + "".join(f"\n## [2026-06-{day:02d}] save | Entry {at}\n- {words} {at}\n" for at, day in enumerate(days))


def fires(status: FoldStatus) -> list[str]:
    return [trigger.name for trigger in status.triggers if trigger.fires]


def test_nothing_fires_on_a_short_fresh_log(make_vault: MakeVault, now: int) -> None:
    status = fold_status(make_vault({"log.md": log([28, 29])}), now=now, zone=UTC)
    assert fires(status) == []
    assert (status.entries, status.levels[0].waiting) == (2, 2)
    assert "not measured" in next(trigger.reason for trigger in status.triggers if trigger.name == "novelty")


def test_a_full_batch_fires(make_vault: MakeVault, now: int) -> None:
    status = fold_status(make_vault({"log.md": log([29] * 16)}), now=now, zone=UTC)
    assert fires(status) == ["batch"]
    assert "level 0 has 16 items" in status.triggers[0].reason


def test_long_entries_and_old_entries_fire(make_vault: MakeVault, now: int) -> None:
    assert fires(fold_status(make_vault({"log.md": log([29], "word " * 8000)}), now=now, zone=UTC)) == ["tokens"]
    assert fires(fold_status(make_vault({"log.md": log([1])}), now=now, zone=UTC)) == ["staleness"]


def test_new_subjects_fire_and_familiar_ones_do_not(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"log.md": log([20] * 4, "copied tapes to the shelf")})
    apply_fold(vault, plan_fold(vault, exponent=2), now=now)
    place = vault.root / "log.md"
    old = place.read_text()
    place.write_text(old + "\n## [2026-06-29] save | Entry 4\n- copied tapes to the shelf 4\n")
    near = fold_status(vault, now=now, zone=UTC, embedder=WordCounts())
    place.write_text(old + "\n## [2026-06-29] reading | Quantum chromodynamics\n- lattice gauge theory converges slowly\n")
    far = fold_status(vault, now=now, zone=UTC, embedder=WordCounts())
    novelty = [next(trigger for trigger in status.triggers if trigger.name == "novelty") for status in (near, far)]
    assert novelty[0].value is not None
    assert novelty[1].value is not None
    assert novelty[0].value < novelty[1].value
    assert novelty[1].fires


def test_status_lists_levels_and_changed_entries(make_vault: MakeVault, now: int) -> None:
    vault = make_vault({"log.md": log([20] * 9)})
    apply_fold(vault, plan_fold(vault, exponent=2), now=now)
    place = vault.root / "log.md"
    place.write_text(place.read_text().replace("wrote something 3", "wrote nothing 3"))
    status = fold_status(vault, now=now, zone=UTC, exponent=2)
    assert [(level.level, level.items, level.waiting) for level in status.levels] == [(0, 9, 1), (1, 2, 2)]
    assert len(status.changed) == 1
