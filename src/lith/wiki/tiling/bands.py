"""The bands of a vault: from which similarity on two pages are near-duplicates, or worth a look.

Bands belong to a model and a corpus. The file `.vault-meta/tiling-thresholds.json` carries them; keys of other programs survive.
"""

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from lith.errors import UsageError
from lith.wiki.errors import VaultDamaged
from lith.wiki.vault import META, Vault, writable

THRESHOLDS = f"{META}/tiling-thresholds.json"
DEFAULT = (0.90, 0.80)
SHIPPED: Mapping[str, tuple[float, float]] = {"nomic-embed-text": DEFAULT, "lith-static-256-1": (0.983, 0.808)}
"""Bands that were measured for a model: (error, review). Those of the built-in one reach a precision of 0.95 each on planted duplicates of
200 real pages (`benchmarks.wiki.bands`): a mean of word vectors holds pages of one kind for much alike, so its upper band is high."""
_MAX_GROWTH = 1.5
_MAX_AGE_DAYS = 365


class Bands(msgspec.Struct, frozen=True):
    """The bands in use for a model, where they come from, and what speaks against them.

    `source` is `calibrated` (on this vault), `file` (in the vault, but not calibrated), `shipped` (measured for the model), or
    `default` (made for another model).
    """

    error: float
    review: float
    model: str
    source: str
    warnings: list[str] = []


def read_thresholds(vault: Vault) -> dict[str, Any] | None:
    """The vault's thresholds document, or None. Raises `VaultDamaged`."""
    try:
        data = writable(vault, THRESHOLDS).read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise VaultDamaged(f"{THRESHOLDS} cannot be read: {error.strerror}") from error
    try:
        document = json.loads(data.decode("utf-8-sig"))
        bands = document["bands"]
        check_bands(float(bands["error"]), float(bands["review"]))
    except (ValueError, TypeError, KeyError, RecursionError, UsageError) as error:
        raise VaultDamaged(
            f"{THRESHOLDS} cannot be used: {error}", hint="repair it, or remove it to fall back on the model's bands"
        ) from error
    if not isinstance(document, dict):
        raise VaultDamaged(f"{THRESHOLDS} is not an object")
    return document


def check_bands(error: float, review: float) -> None:
    """Raises `UsageError` unless 0 < review <= error <= 1."""
    if not 0.0 < review <= error <= 1.0:
        raise UsageError(f"the bands {error} and {review} are not 0 < review <= error <= 1")


def choose_bands(
    vault: Vault, model: str, pages: int, today: date, shipped: Mapping[str, tuple[float, float]] = SHIPPED
) -> Bands:
    """The bands for a model on this vault, with a warning for each reason to doubt them."""
    document = read_thresholds(vault)
    warnings: list[str] = []
    base = _base(model)
    if document is not None and _base(str(document.get("model", ""))) == base:
        error, review = float(document["bands"]["error"]), float(document["bands"]["review"])
        if document.get("calibrated"):
            warnings += _stale(document, pages, today)
            return Bands(error, review, model, "calibrated", warnings)
        if base not in shipped or (error, review) != DEFAULT:
            return Bands(error, review, model, "file", ["the bands of this vault are not calibrated"])
    elif document is not None and document.get("calibrated"):
        warnings.append(f"the vault was calibrated for the model {document.get('model')}, which is not {model}")
    warnings.append("the bands are not calibrated on this vault; lith wiki tiling calibrate does it")
    if base in shipped:
        return Bands(*shipped[base], model, "shipped", warnings)
    return Bands(
        *DEFAULT, model, "default", [*warnings, f"no bands were ever measured for {model}; those of another model are used"]
    )


def _base(model: str) -> str:
    """A model's name without Ollama's tag for the default version."""
    return model.removesuffix(":latest")


def _stale(document: Mapping[str, Any], pages: int, today: date) -> list[str]:
    warnings: list[str] = []
    size = document.get("corpus_pages")
    if isinstance(size, int) and size > 0 and not size / _MAX_GROWTH <= pages <= size * _MAX_GROWTH:
        warnings.append(f"the calibration was made on {size} pages, the vault has {pages} now")
    try:
        age = (today - date.fromisoformat(str(document.get("calibrated_on")))).days
    except ValueError:
        return warnings
    if age > _MAX_AGE_DAYS:
        warnings.append(f"the calibration is {age} days old")
    return warnings
