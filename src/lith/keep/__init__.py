"""Keeping: the pruner that archives before it takes anything away, its undo, and the proof that nothing is missing.

This is the door; `ops` calls it and connects its ports. It writes live transcripts, and only through `applying` and `undo`; it opens
neither the map nor a socket.
"""

from lith.keep.applying import House, PruneResult, apply_prune, resolve_live
from lith.keep.diff import Diff, diff_generations
from lith.keep.errors import CannotPrune, FileChanged, GateRefused, InvalidPruned, SessionLive, TornLine, UndoRefused
from lith.keep.gate import find_originals, iter_records
from lith.keep.handoff import write_handoff
from lith.keep.holdings import apply_gc, plan_gc
from lith.keep.identity import identify_backup, iter_named
from lith.keep.liveness import ProcHolders, refuse_live
from lith.keep.planning import PrunePlan, plan_prune
from lith.keep.ports import LivePort, MapPort
from lith.keep.proof import CopiesPort, Proof, prove
from lith.keep.receipts import Receipt, find_receipts, load_receipts, read_receipt
from lith.keep.rules import MODES, RULES
from lith.keep.swap import Timing
from lith.keep.undo import UndoPlan, UndoResult, apply_undo, plan_undo

__all__ = [
    "MODES",
    "RULES",
    "CannotPrune",
    "CopiesPort",
    "Diff",
    "FileChanged",
    "GateRefused",
    "House",
    "InvalidPruned",
    "LivePort",
    "MapPort",
    "ProcHolders",
    "Proof",
    "PrunePlan",
    "PruneResult",
    "Receipt",
    "SessionLive",
    "Timing",
    "TornLine",
    "UndoPlan",
    "UndoRefused",
    "UndoResult",
    "apply_gc",
    "apply_prune",
    "apply_undo",
    "diff_generations",
    "find_originals",
    "find_receipts",
    "identify_backup",
    "iter_named",
    "iter_records",
    "load_receipts",
    "plan_gc",
    "plan_prune",
    "plan_undo",
    "prove",
    "read_receipt",
    "refuse_live",
    "resolve_live",
    "write_handoff",
]
