"""Every operation once: the list that the faces are generated from or checked against.

Importing it imports no operation: a row names its function and its types by dotted path, and `load` imports them when they are
called. Nothing else lists operations.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, Literal, NamedTuple


class Operation(NamedTuple):
    """One operation. `function` takes (request, runtime); the paths are `module:name`."""

    name: str
    function: str
    request: str
    result: str
    side_effect: Literal["none", "writes", "deletes"]
    doc: str


OPERATIONS = (
    Operation(
        "start",
        "lith.ops.start:start",
        "lith.ops.start:StartRequest",
        "lith.ops.start:StartResult",
        "writes",
        "Take in the sessions on this machine and show a first search; with none here, use the demo.",
    ),
    Operation(
        "sync",
        "lith.ops.sync:sync",
        "lith.ops.sync:SyncRequest",
        "lith.ops.sync:SyncAnswer",
        "writes",
        "Bring the map up to date with the sessions on this machine.",
    ),
    Operation(
        "status",
        "lith.ops.status:status",
        "lith.ops.status:StatusRequest",
        "lith.ops.status:StatusResult",
        "none",
        "Compare the map with the disk: what is fresh, what is stale, what to run next.",
    ),
    Operation(
        "find",
        "lith.ops.find:find",
        "lith.ops.find:FindRequest",
        "lith.retrieval.answers:FindResult",
        "none",
        "Search what was said and done in past sessions.",
    ),
    Operation(
        "read",
        "lith.ops.read:read",
        "lith.ops.read:ReadRequest",
        "lith.retrieval.answers:ReadResult",
        "none",
        "Read the messages of a session, around one of them if you like.",
    ),
    Operation(
        "list",
        "lith.ops.sessions:list_sessions",
        "lith.ops.sessions:ListRequest",
        "lith.ops.sessions:ListAnswer",
        "none",
        "List sessions, the latest first.",
    ),
    Operation(
        "stats",
        "lith.ops.stats:stats",
        "lith.ops.stats:StatsRequest",
        "lith.ops.stats:StatsAnswer",
        "none",
        "Count sessions, messages, calls and tokens, by client and by project.",
    ),
    Operation(
        "thread",
        "lith.ops.thread:thread",
        "lith.ops.thread:ThreadRequest",
        "lith.ops.thread:ThreadResult",
        "none",
        "Read one arc of work, from the prompt to its outcome, within a budget.",
    ),
    Operation(
        "terms",
        "lith.ops.terms:terms",
        "lith.ops.terms:TermsRequest",
        "lith.ops.terms:TermsResult",
        "none",
        "List what was run, touched and talked about, with counts.",
    ),
    Operation(
        "files",
        "lith.ops.files:files",
        "lith.ops.files:FilesRequest",
        "lith.ops.files:FilesResult",
        "none",
        "List the sessions that touched a file or a folder, the latest first.",
    ),
    Operation(
        "block",
        "lith.ops.block:block",
        "lith.ops.block:BlockRequest",
        "lith.ops.block:BlockResult",
        "none",
        "Write the exact bytes of one record, checked against the hash in the map.",
    ),
    Operation(
        "demo",
        "lith.ops.demo:demo",
        "lith.ops.demo:DemoRequest",
        "lith.ops.demo:DemoResult",
        "writes",
        "Try lith on a few bundled sessions, away from your own.",
    ),
    Operation(
        "archive run",
        "lith.ops.keep.archive_run:archive_run",
        "lith.ops.keep.archive_run:ArchiveRunRequest",
        "lith.ops.keep.archive_run:ArchiveRunResult",
        "writes",
        "Take the present bytes of every session into the archive.",
    ),
    Operation(
        "archive list",
        "lith.ops.keep.archive_list:archive_list",
        "lith.ops.keep.archive_list:ArchiveListRequest",
        "lith.ops.keep.archive_list:ArchiveListResult",
        "none",
        "List what the archive holds, by session, or the states of one session.",
    ),
    Operation(
        "archive verify",
        "lith.ops.keep.archive_verify:archive_verify",
        "lith.ops.keep.archive_verify:ArchiveVerifyRequest",
        "lith.ops.keep.archive_verify:ArchiveVerifyResult",
        "none",
        "Check every byte and record of the archive against digests and the map.",
    ),
    Operation(
        "archive gc",
        "lith.ops.keep.archive_gc:archive_gc",
        "lith.ops.keep.archive_gc:ArchiveGcRequest",
        "lith.ops.keep.archive_gc:ArchiveGcResult",
        "deletes",
        "Remove archived states whose every record is held elsewhere; the plan first.",
    ),
    Operation(
        "archive import",
        "lith.ops.keep.archive_import:archive_import",
        "lith.ops.keep.archive_import:ArchiveImportRequest",
        "lith.ops.keep.archive_import:ArchiveImportResult",
        "writes",
        "Take in backups that other tools left.",
    ),
    Operation(
        "restore",
        "lith.ops.keep.restore:restore",
        "lith.ops.keep.restore:RestoreRequest",
        "lith.ops.keep.restore:RestoreResult",
        "writes",
        "Give a session back byte for byte, or take its last prune back.",
    ),
    Operation(
        "prune",
        "lith.ops.keep.prune:prune",
        "lith.ops.keep.prune:PruneRequest",
        "lith.ops.keep.prune:PruneAnswer",
        "deletes",
        "Make a live session smaller and keep every byte of it; the plan first.",
    ),
    Operation(
        "diff",
        "lith.ops.keep.diff:diff",
        "lith.ops.keep.diff:DiffRequest",
        "lith.ops.keep.diff:DiffResult",
        "none",
        "Show what a prune or a rewrite cost, record by record.",
    ),
    Operation(
        "wiki init",
        "lith.ops.wiki.init:init",
        "lith.ops.wiki.init:InitRequest",
        "lith.ops.wiki.init:InitResult",
        "writes",
        "Make a folder a vault, or give a vault the files that it lacks.",
    ),
    Operation(
        "wiki fold run",
        "lith.ops.wiki.fold_run:fold_run",
        "lith.ops.wiki.fold_run:FoldRunRequest",
        "lith.ops.wiki.fold_run:FoldRunResult",
        "writes",
        "Summarise batches of log entries in fold pages; the plan first.",
    ),
    Operation(
        "wiki fold status",
        "lith.ops.wiki.fold_status:fold_status",
        "lith.ops.wiki.fold_status:FoldStatusRequest",
        "lith.ops.wiki.fold_status:FoldStatusResult",
        "none",
        "Show what is folded, what waits, and whether a fold is due.",
    ),
    Operation(
        "wiki fold levels",
        "lith.ops.wiki.fold_levels:fold_levels",
        "lith.ops.wiki.fold_levels:FoldLevelsRequest",
        "lith.ops.wiki.fold_levels:FoldLevelsResult",
        "none",
        "List the folds by level, with what they hold and what holds them.",
    ),
    Operation(
        "wiki fold triggers",
        "lith.ops.wiki.fold_triggers:fold_triggers",
        "lith.ops.wiki.fold_triggers:FoldTriggersRequest",
        "lith.ops.wiki.fold_triggers:FoldTriggersResult",
        "none",
        "Measure what would make a fold due.",
    ),
    Operation(
        "wiki fold undo",
        "lith.ops.wiki.fold_undo:fold_undo",
        "lith.ops.wiki.fold_undo:FoldUndoRequest",
        "lith.ops.wiki.fold_undo:FoldUndoResult",
        "deletes",
        "Take folds back, with their index lines and log entries; the plan first.",
    ),
    Operation(
        "wiki address assign",
        "lith.ops.wiki.address_assign:address_assign",
        "lith.ops.wiki.address_assign:AddressAssignRequest",
        "lith.ops.wiki.address_assign:AddressAssignResult",
        "writes",
        "Give pages an address, at once.",
    ),
    Operation(
        "wiki address backfill",
        "lith.ops.wiki.address_backfill:address_backfill",
        "lith.ops.wiki.address_backfill:AddressBackfillRequest",
        "lith.ops.wiki.address_backfill:AddressBackfillResult",
        "writes",
        "Give older pages an l- address; the plan first.",
    ),
    Operation(
        "wiki address resolve",
        "lith.ops.wiki.address_resolve:address_resolve",
        "lith.ops.wiki.address_resolve:AddressResolveRequest",
        "lith.ops.wiki.address_resolve:AddressResolveResult",
        "none",
        "Print the page of an address.",
    ),
    Operation(
        "wiki address rebuild",
        "lith.ops.wiki.address_rebuild:address_rebuild",
        "lith.ops.wiki.address_rebuild:AddressRebuildRequest",
        "lith.ops.wiki.address_rebuild:AddressRebuildResult",
        "writes",
        "Recover the counters from the pages and the manifest.",
    ),
    Operation(
        "wiki address verify",
        "lith.ops.wiki.address_verify:address_verify",
        "lith.ops.wiki.address_verify:AddressVerifyRequest",
        "lith.ops.wiki.address_verify:AddressVerifyResult",
        "none",
        "Check addresses, counters, manifest and content hashes.",
    ),
    Operation(
        "wiki tiling report",
        "lith.ops.wiki.tiling_report:tiling_report",
        "lith.ops.wiki.tiling_report:TilingReportRequest",
        "lith.ops.wiki.tiling_report:TilingReportResult",
        "none",
        "Compare all pages and report those that say the same.",
    ),
    Operation(
        "wiki tiling calibrate",
        "lith.ops.wiki.tiling_calibrate:tiling_calibrate",
        "lith.ops.wiki.tiling_calibrate:TilingCalibrateRequest",
        "lith.ops.wiki.tiling_calibrate:TilingCalibrateResult",
        "writes",
        "Label pairs of pages, and fit the bands of this vault to the labels.",
    ),
    Operation(
        "wiki frontier",
        "lith.ops.wiki.frontier:frontier",
        "lith.ops.wiki.frontier:FrontierRequest",
        "lith.ops.wiki.frontier:FrontierResult",
        "none",
        "Propose what to research next.",
    ),
    Operation(
        "wiki lint",
        "lith.ops.wiki.lint:lint",
        "lith.ops.wiki.lint:LintRequest",
        "lith.ops.wiki.lint:LintResult",
        "writes",
        "Check the vault, and repair what has one right answer.",
    ),
    Operation(
        "wiki ingest",
        "lith.ops.wiki.ingest:ingest",
        "lith.ops.wiki.ingest:WikiIngestRequest",
        "lith.ops.wiki.ingest:WikiIngestResult",
        "writes",
        "Take sources in: raw bytes kept, a page with address and provenance.",
    ),
    Operation(
        "wiki log",
        "lith.ops.wiki.log:log",
        "lith.ops.wiki.log:LogRequest",
        "lith.ops.wiki.log:LogResult",
        "writes",
        "Add an entry to the wiki's log.",
    ),
    Operation(
        "wiki hot",
        "lith.ops.wiki.hot:hot",
        "lith.ops.wiki.hot:HotRequest",
        "lith.ops.wiki.hot:HotResult",
        "writes",
        "Rebuild the page of what is hot; the plan first.",
    ),
    Operation(
        "wiki capture",
        "lith.ops.wiki.capture:capture",
        "lith.ops.wiki.capture:CaptureRequest",
        "lith.ops.wiki.capture:CaptureResult",
        "writes",
        "Turn past sessions into pages whose every claim links its evidence; the plan first.",
    ),
    Operation(
        "wiki skill install",
        "lith.ops.wiki.skill_install:skill_install",
        "lith.ops.wiki.skill_install:SkillInstallRequest",
        "lith.ops.wiki.skill_install:SkillInstallResult",
        "writes",
        "Install skill files that teach an agent these commands.",
    ),
    Operation(
        "config show",
        "lith.ops.config_show:config_show",
        "lith.ops.config_show:ConfigShowRequest",
        "lith.ops.config_show:ConfigShowResult",
        "none",
        "Print every setting, its value, and where the value came from.",
    ),
)


def get_operation(name: str) -> Operation:
    """The row of an operation. Raises `KeyError` for a name that no row has."""
    for operation in OPERATIONS:
        if operation.name == name:
            return operation
    raise KeyError(name)


def load(path: str) -> Any:
    """The function or type that a dotted path of a row names, imported now."""
    module, _, name = path.partition(":")
    return getattr(import_module(module), name)


def load_function(operation: Operation) -> Callable[..., Any]:
    """The function of an operation, imported now."""
    function: Callable[..., Any] = load(operation.function)
    return function
