"""Wiki: a markdown vault that grows, folds and stays coherent.

The door of the room: `ops` calls these functions with a `Vault` (from `find_vault`) and, where something is written, the present moment.
Each mechanism works alone, on any folder of Markdown; nothing is changed before it is asked for. The room knows no map and no session.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lith.wiki.address import apply_backfill, assign_addresses, plan_backfill, rebuild_counters
    from lith.wiki.address_checks import resolve_address, verify_addresses
    from lith.wiki.drafts import Draft, add_pages
    from lith.wiki.embedder import Embedder
    from lith.wiki.fold.apply import apply_fold, apply_undo, plan_undo
    from lith.wiki.fold.plan import plan_fold
    from lith.wiki.fold.triggers import fold_status
    from lith.wiki.frontier import choose_topic, rank_frontier
    from lith.wiki.ingest import ingest_files
    from lith.wiki.journal import add_log, apply_hot, plan_hot
    from lith.wiki.lint.fix import apply_fix, plan_fix
    from lith.wiki.lint.formats import format_report
    from lith.wiki.lint.run import lint_vault
    from lith.wiki.setup import init_vault
    from lith.wiki.skill import install_skills, list_skills, plan_skills
    from lith.wiki.tiling.calibrate import calibrate_bands, draw_questions, load_questions, read_labels, with_labels
    from lith.wiki.tiling.ollama import OllamaEmbedder
    from lith.wiki.tiling.report import compare_pages, render_markdown, write_report
    from lith.wiki.vault import Vault, find_vault

__all__ = [
    "Draft",
    "Embedder",
    "OllamaEmbedder",
    "Vault",
    "add_log",
    "add_pages",
    "apply_backfill",
    "apply_fix",
    "apply_fold",
    "apply_hot",
    "apply_undo",
    "assign_addresses",
    "calibrate_bands",
    "choose_topic",
    "compare_pages",
    "draw_questions",
    "find_vault",
    "fold_status",
    "format_report",
    "ingest_files",
    "init_vault",
    "install_skills",
    "lint_vault",
    "list_skills",
    "load_questions",
    "plan_backfill",
    "plan_fix",
    "plan_fold",
    "plan_hot",
    "plan_skills",
    "plan_undo",
    "rank_frontier",
    "read_labels",
    "rebuild_counters",
    "render_markdown",
    "resolve_address",
    "verify_addresses",
    "with_labels",
    "write_report",
]

_HOME = {
    "address": ("apply_backfill", "assign_addresses", "plan_backfill", "rebuild_counters"),
    "address_checks": ("resolve_address", "verify_addresses"),
    "drafts": ("Draft", "add_pages"),
    "embedder": ("Embedder",),
    "fold.apply": ("apply_fold", "apply_undo", "plan_undo"),
    "fold.plan": ("plan_fold",),
    "fold.triggers": ("fold_status",),
    "frontier": ("choose_topic", "rank_frontier"),
    "ingest": ("ingest_files",),
    "journal": ("add_log", "apply_hot", "plan_hot"),
    "lint.fix": ("apply_fix", "plan_fix"),
    "lint.formats": ("format_report",),
    "lint.run": ("lint_vault",),
    "setup": ("init_vault",),
    "skill": ("install_skills", "list_skills", "plan_skills"),
    "tiling.calibrate": ("calibrate_bands", "draw_questions", "load_questions", "read_labels", "with_labels"),
    "tiling.ollama": ("OllamaEmbedder",),
    "tiling.report": ("compare_pages", "render_markdown", "write_report"),
    "vault": ("Vault", "find_vault"),
}


def __getattr__(name: str) -> Any:
    """Import what is asked for, and no more: a frontier does not pay for the modules of folds."""
    home = next((module for module, names in _HOME.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(f"{__name__}.{home}"), name)
