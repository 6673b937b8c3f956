"""`lith prune`."""

from lith.faces.cli import options
from lith.faces.cli.layout import counted, human_bytes
from lith.faces.cli.output import Output, bold, dim
from lith.faces.cli.views.kept import show_commands, show_rows
from lith.faces.cli.words import Argument, Command, Option, Values
from lith.keep import MODES
from lith.ops.keep.prune import PruneAnswer, PruneRequest

MODE = Option(
    ("--mode",),
    "mode",
    "resume keeps what the client resumes, extract joins one conversation without compaction walls, handoff writes a summary "
    "[default: resume].",
    choices=(*MODES, "handoff"),
)
RULE = Option(
    ("--rule",), "rules", "Switch a rule: NAME=on or NAME=off. Repeat it for several.", many=True, metavar="NAME=on|off"
)


def request(values: Values) -> PruneRequest:
    """Which session, and how."""
    return PruneRequest(
        target=values.required("target"),
        mode=values.text("mode") or "resume",
        rules=values.words("rules"),
        apply=values.flag("apply"),
    )


def show(result: PruneAnswer, out: Output) -> None:
    """The preview, rule by rule and kind by kind, or the summary document."""
    if result.document is not None:
        out.raw(result.document.encode())
        return
    verb = "pruned" if result.applied else "would prune"
    saved = 1 - result.bytes_after / result.bytes_before if result.bytes_before else 0
    out.line(
        bold(f"{verb} {result.session_ref}"),
        f"  {human_bytes(result.bytes_before)} → {human_bytes(result.bytes_after)} (−{saved:.0%})",
    )
    out.line(dim(result.path))
    if not result.applied:
        rows = [["rule", "removed", "shortened", "bytes", "tokens", ""]]
        rows += [
            [one.name, str(one.removed), str(one.shortened), human_bytes(one.bytes), f"{one.tokens:,}", one.says]
            for one in result.rules
        ]
        show_rows(rows, out, right=frozenset({1, 2, 3, 4}))
        rows = [["what", "before", "after", "tokens before", "after"]]
        rows += [
            [
                one.kind.replace("_", " "),
                human_bytes(one.bytes_before),
                human_bytes(one.bytes_after),
                f"{one.tokens_before:,}",
                f"{one.tokens_after:,}",
            ]
            for one in result.kinds
        ]
        show_rows(rows, out, right=frozenset({1, 2, 3, 4}))
    out.line(f"{counted(result.recallable, 'record')} of {result.records} changed; lith block gives each of them back")
    if result.proven is not None:
        out.line(f"{counted(result.proven, 'record')} read back from the archive before the change")
    if result.cache is not None and not result.applied:
        out.prose(result.cache.says)
    for warning in result.warnings:
        out.note(f"note: {warning}")
    show_commands(result.next, out, say="to take it back" if result.applied else "nothing was changed; to do it")


COMMAND = Command(
    operation="prune",
    request=request,
    show=show,
    arguments=(Argument("target", "REF|PATH"),),
    options=(MODE, RULE, options.APPLY, options.ROOT),
    details=(
        "Every record is archived, and read back from the archive hash by hash, before the file changes; nothing skips that. What people "
        "and models said is never touched. A session that is in use, or was a moment ago, is refused."
    ),
    examples=(
        "lith prune claude_code:3f0c61de",
        "lith prune claude_code:3f0c61de --rule thinking=off --apply",
        "lith prune claude_code:3f0c61de --mode handoff",
    ),
    settings={"roots": "sources.roots"},
)
